#include "search/alpha_beta/move_picker.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "chess/legality.h"
#include "chess/movegen.h"
#include "search/alpha_beta/piece_values.h"

namespace aleph::search {

using chess::Move;
using chess::MoveList;
using chess::Piece;
using chess::Position;

namespace {

constexpr int kEvasionCapture = 1 << 28;  // above every quiet evasion
constexpr int kGoodQuiet = -7998;
constexpr int kSortPerDepth = 3560;
constexpr int kCheckBonus = 16'384, kCheckExchange = -75;

// Moving out of, or into, the reach of something cheaper.
constexpr std::array<int, chess::kPieceTypes> kEscapeBonus{0, 144, 144, 256, 517, 0};
constexpr int kEscapes = 100, kEnters = -95;

}  // namespace

// Everything about a node that the scores of its quiet moves depend on.
class QuietScorer {
 public:
  QuietScorer(const Position& position, Histories& histories, const Ply* ply,
              const Threats& threats, const chess::CheckFinder* checks,
              chess::PinsOfBothSides& pins)
      : position_(position),
        histories_(histories),
        ply_(ply),
        threats_(threats),
        checks_(checks),
        pins_(pins),
        pawns_(histories.pawns(position.keys().pawn)) {
    for (std::size_t i = 0; i < kBack.size(); ++i) continuations_[i] = ply[-kBack[i]].continuation;
  }

  int score(Move move) const {
    const Piece piece = position_.piece_on(move.from());
    const auto slot = static_cast<std::size_t>(piece_square(piece, move.to()));
    const auto type = static_cast<std::size_t>(chess::index(piece.type()));
    int score =
        2 * histories_.quiet(piece.color(), move, threats_.all).value() + 2 * pawns_[slot].value();
    for (const ContinuationTable* table : continuations_) score += (*table)[slot].value();
    if (checks_->attacks_king(piece.type(), move.to()) &&
        exchange_at_least(position_, move, kCheckExchange, pins_))
      score += kCheckBonus;
    const chess::Bitboard danger = threats_.by_lesser[type];
    if (danger.has(move.to()))
      score += kEnters * kEscapeBonus[type];
    else if (danger.has(move.from()))
      score += kEscapes * kEscapeBonus[type];
    if (ply_->number < Histories::kLowPlies) score += low_ply(move);
    return score;
  }

  int evasion_score(Move move) const {
    const Piece piece = position_.piece_on(move.from());
    const auto slot = static_cast<std::size_t>(piece_square(piece, move.to()));
    int score = histories_.quiet(piece.color(), move, threats_.all).value() +
                (*continuations_[0])[slot].value() + pawns_[slot].value();
    if (ply_->number < Histories::kLowPlies) score += low_ply(move) / 2;
    return score;
  }

 private:
  static constexpr std::array<int, 5> kBack{1, 2, 3, 4, 6};  // plies whose moves count

  int low_ply(Move move) const {
    const auto number = static_cast<std::size_t>(ply_->number);
    return 8 * histories_.low_ply[number][from_to(move)].value() / (1 + ply_->number);
  }

  const Position& position_;
  Histories& histories_;
  const Ply* ply_;
  const Threats& threats_;
  const chess::CheckFinder* checks_;  // not needed for evasions
  chess::PinsOfBothSides& pins_;
  Histories::ByPieceSquare<Gravity<8192>>& pawns_;
  std::array<const ContinuationTable*, kBack.size()> continuations_;
};

MovePicker::MovePicker(const Position& position, Histories& histories, const Ply* ply,
                       Move table_move, Stage stage)
    : position_(position),
      histories_(histories),
      ply_(ply),
      table_move_(table_move),
      stage_(table_move ? stage : static_cast<Stage>(static_cast<int>(stage) + 1)) {}

MovePicker::MovePicker(const Position& position, Histories& histories, const Ply* ply,
                       Move table_move, int depth, const Threats& threats,
                       const chess::CheckFinder& checks)
    : MovePicker(position, histories, ply, table_move,
                 position.in_check() ? Stage::EvasionTableMove : Stage::TableMove) {
  depth_ = depth;
  threats_ = &threats;
  checks_ = &checks;
}

MovePicker MovePicker::for_evasions(const Position& position, Histories& histories, const Ply* ply,
                                    Move table_move, const Threats& threats) {
  MovePicker picker(position, histories, ply, table_move, Stage::EvasionTableMove);
  picker.threats_ = &threats;
  return picker;
}

MovePicker MovePicker::for_quiescence(const Position& position, Histories& histories,
                                      const Ply* ply, Move table_move) {
  const bool noisy = table_move && is_noisy(position, table_move);
  return MovePicker(position, histories, ply, noisy ? table_move : Move(),
                    Stage::CapturesTableMove);
}

MovePicker MovePicker::for_probcut(const Position& position, Histories& histories, const Ply* ply,
                                   Move table_move, int threshold) {
  const bool fits = table_move && is_noisy(position, table_move) &&
                    exchange_at_least(position, table_move, threshold);
  MovePicker picker(position, histories, ply, fits ? table_move : Move(), Stage::CapturesTableMove);
  picker.filter_by_exchange_ = true;
  picker.threshold_ = threshold;
  return picker;
}

template <class ScoreOf>
void MovePicker::list(const MoveList& moves, ScoreOf score_of) {
  for (const Move move : moves)
    if (move != table_move_) moves_[end_++] = Scored(move, score_of(move));
}

void MovePicker::list_captures() {
  MoveList moves;
  generate_captures(position_, moves);
  list(moves, [this](Move move) {
    const auto victim = position_.captured_by(move);
    const auto type = static_cast<std::size_t>(victim ? chess::index(victim->type()) : 0);
    const auto slot =
        static_cast<std::size_t>(piece_square(position_.piece_on(move.from()), move.to()));
    const int gain = victim ? piece_value(victim->type()) : piece_value(chess::PieceType::Queen);
    return 7 * gain + histories_.capture[slot][type].value();
  });
}

// Asks for the memory that scores of quiet moves are read from, while the moves are being found: a
// piece of the side to move has two cache lines in each table.
void MovePicker::prefetch_quiet_scores() const {
  const ContinuationTable* const before = ply_[-1].continuation;
  const ContinuationTable* const own = ply_[-2].continuation;
  const auto& pawns = histories_.pawns(position_.keys().pawn);
  for (const chess::PieceType type : chess::kAllPieceTypes) {
    const auto first = static_cast<std::size_t>(
        piece_square(Piece(position_.side_to_move(), type), chess::Square::from_index(0)));
    for (const std::size_t half : {first, first + 32}) {
      __builtin_prefetch(&pawns[half]);
      __builtin_prefetch(&(*before)[half]);
      __builtin_prefetch(&(*own)[half]);
    }
  }
}

void MovePicker::list_quiets() {
  prefetch_quiet_scores();
  MoveList moves;
  generate_quiets(position_, moves);
  const QuietScorer scorer(position_, histories_, ply_, *threats_, checks_, pins_);
  list(moves, [&scorer](Move move) { return scorer.score(move); });
}

void MovePicker::list_evasions() {
  MoveList moves;
  generate_evasions(position_, moves);
  const QuietScorer scorer(position_, histories_, ply_, *threats_, checks_, pins_);
  list(moves, [&](Move move) {
    return is_noisy(position_, move) ? kEvasionCapture + victim_value(position_, move)
                                     : scorer.evasion_score(move);
  });
}

Move MovePicker::pick_best() {
  foreseen_ = Move();
  if (current_ == end_) return Move();
  Scored best = moves_[current_], second(Move(), std::numeric_limits<int>::min());
  std::size_t place = current_;
  for (std::size_t i = current_ + 1; i < end_; ++i) {
    const Scored scored = moves_[i];
    if (scored.score() > best.score())
      second = best, best = scored, place = i;
    else if (scored.score() > second.score())
      second = scored;
  }
  moves_[place] = moves_[current_];
  moves_[current_++] = best;
  foreseen_ = second.move();
  return best.move();
}

// Highest first, those with equal scores in the order they came. The place of a move is the number
// of moves that go before it: to count them for many moves at a time costs less than the wrong
// guesses of a sort that compares and branches.
void MovePicker::sort(Scored* moves, std::size_t count) {
  constexpr std::size_t kLanes = 16, kMost = chess::MoveList::kCapacity;
  using Lanes [[gnu::vector_size(kLanes * sizeof(int))]] = int;
  static_assert(kMost <= 256 && kMost % kLanes == 0);
  Scored unsorted[kMost];
  int keys[kMost], places[kMost];
  for (std::size_t i = 0; i < count; ++i) {
    unsorted[i] = moves[i];
    keys[i] = moves[i].score() * 256 + static_cast<int>(255 - i);
  }
  for (std::size_t start = 0; start < count; start += kLanes) {
    for (std::size_t i = count; i < start + kLanes; ++i) keys[i] = 0;  // places of no move
    Lanes group, before{};
    std::memcpy(&group, keys + start, sizeof group);
    for (std::size_t i = 0; i < count; ++i) before -= group < keys[i];
    std::memcpy(places + start, &before, sizeof before);
  }
  for (std::size_t i = 0; i < count; ++i) moves[places[i]] = unsorted[i];
}

// The moves at or above the limit, highest first; the rest behind them in any order: most nodes
// never get there.
void MovePicker::sort_above(int limit) {
  std::size_t above = current_;
  for (std::size_t i = current_; i < end_; ++i) {
    const Scored scored = moves_[i], other = moves_[above];
    const bool is_above = scored.score() >= limit;  // a branch would be guessed wrongly too often
    moves_[i] = is_above ? other : scored;
    moves_[above] = is_above ? scored : other;
    above += is_above;
  }
  sort(moves_.data() + current_, above - current_);
}

// Captures that lose in the exchange are put aside for later.
Move MovePicker::next_good_capture() {
  while (const Move move = pick_best()) {
    const Scored scored = moves_[current_ - 1];
    if (is_exchange_at_least(move, -scored.score() / 18)) return move;
    moves_[bad_end_++] = scored;
  }
  return Move();
}

Move MovePicker::next_quiet(bool good) {
  foreseen_ = Move();
  if (skip_quiets_) return Move();
  while (current_ < end_) {
    const Scored scored = moves_[current_++];
    if ((scored.score() > kGoodQuiet) == good) {
      if (current_ < end_ && (moves_[current_].score() > kGoodQuiet) == good)
        foreseen_ = moves_[current_].move();
      return scored.move();
    }
    // The good ones are sorted in front as far as the sort went; a mixed tail is looked through.
  }
  return Move();
}

Move MovePicker::next() {
  switch (stage_) {
    case Stage::TableMove:
    case Stage::CapturesTableMove:
    case Stage::EvasionTableMove:
      stage_ = static_cast<Stage>(static_cast<int>(stage_) + 1);
      return table_move_;

    case Stage::ListCaptures:
      list_captures();
      stage_ = Stage::GoodCaptures;
      [[fallthrough]];
    case Stage::GoodCaptures:
      if (const Move move = next_good_capture()) return move;
      stage_ = Stage::ListQuiets;
      [[fallthrough]];
    case Stage::ListQuiets:
      quiets_begin_ = current_ = end_;
      if (!skip_quiets_) {
        list_quiets();
        sort_above(-kSortPerDepth * depth_);
      }
      stage_ = Stage::GoodQuiets;
      [[fallthrough]];
    case Stage::GoodQuiets:
      if (const Move move = next_quiet(true)) return move;
      stage_ = Stage::BadCaptures;
      [[fallthrough]];
    case Stage::BadCaptures:
      if (bad_current_ < bad_end_) return moves_[bad_current_++].move();
      current_ = quiets_begin_;
      stage_ = Stage::BadQuiets;
      [[fallthrough]];
    case Stage::BadQuiets:
      if (const Move move = next_quiet(false)) return move;
      stage_ = Stage::Done;
      return Move();

    case Stage::ListOnlyCaptures:
      list_captures();
      stage_ = Stage::OnlyCaptures;
      [[fallthrough]];
    case Stage::OnlyCaptures:
      while (const Move move = pick_best())
        if (!filter_by_exchange_ || is_exchange_at_least(move, threshold_)) return move;
      stage_ = Stage::Done;
      return Move();

    case Stage::ListEvasions:
      list_evasions();
      stage_ = Stage::Evasions;
      [[fallthrough]];
    case Stage::Evasions:
      if (const Move move = pick_best()) return move;
      stage_ = Stage::Done;
      return Move();

    case Stage::Done: return Move();
  }
  return Move();
}

}  // namespace aleph::search
