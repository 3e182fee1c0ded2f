#include "data/formats/plain.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "data/formats/result_view.h"

namespace aleph::data {
namespace {

constexpr std::string_view kNoMove = "0000";
constexpr int kMostPlies = 65'535;

PlainProblem wrong(const PlainRecord::Field& field, std::string_view key,
                   const std::string& reason) {
  return {field.line, fmt::format("{}: {}", key, reason)};
}

PlainProblem not_a_number(const PlainRecord::Field& field, std::string_view key,
                          std::string_view what) {
  return wrong(field, key, fmt::format("{} is not {}", aleph::quoted(field.value), what));
}

// The fields that may be missing.
std::optional<PlainProblem> understand_rest(const PlainRecord& record, ScoredPosition& scored) {
  if (record.move.line != 0 && record.move.value != kNoMove) {
    const Result<chess::Move> move = chess::parse_uci_move(record.move.value, scored.position);
    if (!move.ok()) return wrong(record.move, "move", move.error());
    scored.move = move.value();
  }
  if (record.ply.line != 0) {
    scored.ply = parse_integer<std::uint16_t>(record.ply.value);
    if (!scored.ply) return not_a_number(record.ply, "ply", "a number from 0 to 65535");
  }
  if (record.result.line != 0) {
    const auto points = parse_integer<int>(record.result.value);
    if (!points || *points < -1 || *points > 1)
      return not_a_number(record.result, "result", "-1, 0 or 1");
    scored.result = result_of(*points, scored.position.side_to_move());
  }
  return std::nullopt;
}

std::optional<PlainProblem> understand(const PlainRecord& record, ScoredPosition& scored) {
  if (record.problem) return record.problem;
  if (record.fen.line == 0) return PlainProblem{record.line, "the record has no fen"};
  if (record.score.line == 0) return PlainProblem{record.line, "the record has no score"};
  Result<chess::Position> position = chess::parse_fen(record.fen.value);
  if (!position.ok()) return wrong(record.fen, "fen", position.error());
  scored.position = position.take();
  const auto score = parse_integer<std::int32_t>(record.score.value);
  if (!score) return not_a_number(record.score, "score", "a whole number");
  scored.score = *score;
  return understand_rest(record, scored);
}

}  // namespace

Status append_plain(const ScoredPosition& scored, std::string& out) {
  const chess::Position& position = scored.position;
  const auto points = points_of(scored.result, position.side_to_move());
  if (!points) return Error{"the result is not known, and a record must have one"};
  const int ply = scored.ply ? *scored.ply : std::min(position.game_ply(), kMostPlies);
  fmt::format_to(std::back_inserter(out), "fen {}\nmove {}\nscore {}\nply {}\nresult {}\ne\n",
                 chess::to_fen(position), chess::to_uci(scored.move, position), scored.score, ply,
                 *points);
  return Status::success();
}

PlainRecord::Field* PlainRecord::find(std::string_view key) {
  if (key == "fen") return &fen;
  if (key == "move") return &move;
  if (key == "score") return &score;
  if (key == "ply") return &ply;
  if (key == "result") return &result;
  return nullptr;
}

void PlainRecord::complain(std::uint64_t where, std::string reason) {
  if (!problem) problem = PlainProblem{where, std::move(reason)};
}

bool PlainReader::take_line() {
  if (line_is_held_) {
    line_is_held_ = false;
    return true;
  }
  if (!input_.take_line(line_)) return false;
  ++line_number_;
  if (line_number_ == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.erase(0, 3);
  return true;
}

// The lines up to an "e". False at the end of the file.
bool PlainReader::gather(PlainRecord& record) {
  while (take_line()) {
    std::string_view rest = line_;
    const std::string_view key = next_word(rest);
    if (key.empty()) continue;
    // Where an "e" is missing, the next record must not be lost with this one.
    if (key == "fen" && record.fen.line != 0) {
      line_is_held_ = true;
      record.complain(line_number_, "the record before this fen has no e at its end");
      return true;
    }
    if (record.line == 0) record.line = line_number_;
    if (key == "e") return true;
    PlainRecord::Field* const field = record.find(key);
    if (field == nullptr)
      record.complain(line_number_,
                      aleph::quoted(key) + " is none of fen, move, score, ply, result and e");
    else if (field->line != 0)
      record.complain(line_number_, fmt::format("the record has a second {}", key));
    else
      *field = {std::string(trim(rest)), line_number_};
  }
  if (record.line == 0) return false;
  record.complain(record.line, "the record is cut off, it has no e at its end");
  return true;
}

bool PlainReader::next(ScoredPosition& out) {
  for (PlainRecord record; gather(record); record = {}) {
    ScoredPosition scored;
    const auto problem = understand(record, scored);
    if (!problem) {
      tally_.add_good();
      out = std::move(scored);
      return true;
    }
    tally_.add_bad(fmt::format("{}:{}: {}", input_.name(), problem->line, problem->reason));
  }
  return false;
}

}  // namespace aleph::data
