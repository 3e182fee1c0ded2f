// Moves that were not played: variations, kept or skipped.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "data/game_parser.h"

namespace aleph::data {
namespace {

constexpr std::size_t kDeepestNesting = 100;

std::string too_deep() {
  return fmt::format("variations are nested more than {} deep", kDeepestNesting);
}

}  // namespace

GameParser::Step GameParser::open_variation() {
  if (!options_.keep_variations || moves_->empty()) {
    if (moves_->empty()) remark(at_, "a variation stands before the first move");
    return skip_variation() ? Step::Continue : Step::Failed;
  }
  if (open_.size() >= kDeepestNesting) return fail(at_, too_deep());
  open_.push_back({line_, position_.history_size() - 1, moves_->back().move});
  position_.unmake();
  game_->variations.push_back({line_, static_cast<std::uint32_t>(moves_->size() - 1), {}, {}});
  line_ = static_cast<int>(game_->variations.size()) - 1;
  moves_ = &game_->variations.back().moves;
  ++at_;
  return Step::Continue;
}

// Back to the line that was left, and to its position. Does not move `at_`.
void GameParser::close_variation() {
  const Open open = open_.back();
  open_.pop_back();
  if (moves_->empty()) game_->variations.pop_back();  // it has no children either
  while (position_.history_size() > open.history) position_.unmake();
  if (open.replaced)
    position_.make(open.replaced);
  else
    position_.make_null();
  line_ = open.line;
  moves_ = line_ == Variation::kMainLine
               ? &game_->moves
               : &game_->variations[static_cast<std::size_t>(line_)].moves;
}

// What is wrong in the main line spoils the game; in a variation, only the rest of that.
GameParser::Step GameParser::refuse(std::string reason) {
  if (open_.empty()) return fail(at_, std::move(reason));
  remark(at_, "in a variation, " + std::move(reason));
  close_variation();
  return skip_variation() ? Step::Continue : Step::Failed;
}

// To behind the ')' that ends the variation which begins or goes on at `at_`. False, and `at_` at
// the place, if it does not end.
bool GameParser::skip_variation() {
  const char* const open = at_;
  std::size_t depth = *at_ == '(' ? 0 : 1;
  const auto give_up = [&](const char* where, std::string reason) {
    remark(where, std::move(reason));
    skipped_depth_ = depth;
    return false;
  };
  while (at_ != end_) {
    const char c = *at_;
    if (c == '(') {
      if (open_.size() + depth >= kDeepestNesting) return give_up(at_, too_deep());
      ++depth;
    } else if (c == ')') {
      if (--depth == 0) {
        ++at_;
        return true;
      }
    } else if (c == '{') {
      at_ = std::find(at_, end_, '}');
      continue;
    } else if (c == ';' || (c == '%' && at_[-1] == '\n')) {
      skip_line();
      continue;
    } else if (c == '[' && at_tag()) {
      break;
    }
    ++at_;
  }
  return give_up(open, "a variation is not closed");
}

}  // namespace aleph::data
