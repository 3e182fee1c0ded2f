#include "data/dataset/opening_counter.h"

#include <fmt/format.h>

#include <algorithm>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"

namespace aleph::data {

void OpeningCounter::begin_game() {
  reached_ = start_;
  line_.clear();
  line_known_ = true;
  counted_ = false;
}

void OpeningCounter::add(const chess::Position& position) {
  if (counted_) return;
  if (line_known_) line_known_ = follow(position.key());
  if (position.game_ply() < kPlies) return;
  count(position);
  counted_ = true;
}

// Finds the move that leads to the position with this key, if it is but one.
bool OpeningCounter::follow(std::uint64_t key) {
  if (reached_.key() == key) return true;
  chess::MoveList moves;
  chess::generate_all(reached_, moves);
  for (const chess::Move move : moves) {
    reached_.make(move);
    const bool found = reached_.key() == key;
    reached_.unmake();
    if (!found) continue;
    if (!line_.empty()) line_ += ' ';
    if (reached_.side_to_move() == chess::Color::White)
      line_ += fmt::format("{}. ", reached_.fullmove_number());
    line_ += to_san(move, reached_);
    reached_.make(move);
    return true;
  }
  return false;
}

void OpeningCounter::count(const chess::Position& position) {
  ++games_;
  Entry& entry = entries_[position.key()];
  ++entry.games;
  if (line_known_ && !entry.is_line) {
    entry.text = line_;
    entry.is_line = true;
  } else if (entry.text.empty()) {
    entry.text = to_fen(position);
  }
  while (entries_.size() > most_kept_) {
    std::erase_if(entries_, [this](const auto& kept) { return kept.second.games <= least_kept_; });
    ++least_kept_;
  }
}

std::vector<OpeningCount> OpeningCounter::most_frequent(std::size_t most) const {
  std::vector<OpeningCount> all;
  for (const auto& [key, entry] : entries_) all.push_back({entry.text, entry.games});
  std::ranges::sort(all, [](const OpeningCount& a, const OpeningCount& b) {
    return a.games != b.games ? a.games > b.games : a.line < b.line;
  });
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace aleph::data
