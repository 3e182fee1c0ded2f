#include "chess/tablebase.h"

#include <algorithm>

#include "chess/tablebase_store.h"
#include "chess/tablebase_successors.h"

namespace aleph::chess {

using tablebase::Successors;
using tablebase::TableKind;
using tablebase::TableStore;
using tablebase::visit_successors;

namespace {

bool has_successor(const Board& board) {
  bool found = false;
  visit_successors<Successors::All>(board, [&found](const Board&, bool) {
    found = true;
    return false;
  });
  return found;
}

int count_successors(const Board& board) {
  int count = 0;
  visit_successors<Successors::All>(board, [&count](const Board&, bool) { return ++count > 0; });
  return count;
}

bool is_mated(const Board& board) {
  const Color us = board.side_to_move();
  return board.is_attacked(board.king(us), ~us, board.occupied()) && !has_successor(board);
}

constexpr int sign_of(int number) { return (number > 0) - (number < 0); }

// The distance of a position whose best move is a zeroing one that keeps the value.
int dtz_before_zeroing(Wdl wdl) {
  switch (wdl) {
    case Wdl::Win: return 1;
    case Wdl::CursedWin: return 101;
    case Wdl::Draw: return 0;
    case Wdl::BlessedLoss: return -101;
    case Wdl::Loss: return -1;
  }
  return 0;
}

// The value, right where it lies between alpha and beta; otherwise a bound beyond the same side.
//
// A file may hold too low a value where a capture is as good as the truth, and knows nothing of en
// passant: so the best capture may raise what is stored, and never lowers it but for one case. If
// taking en passant is the only legal move, the file thinks it is stalemate.
std::optional<Wdl> search_wdl(const TableStore& store, const Board& board, Wdl alpha, Wdl beta) {
  if (!(board.occupied() ^ board.pieces(PieceType::King)).any()) return Wdl::Draw;
  const std::optional<Wdl> stored = store.wdl(board);
  if (!stored) return std::nullopt;
  if (*stored >= beta && !board.has_en_passant()) return stored;

  Wdl best = alpha;
  int captures = 0;
  bool failed = false;
  visit_successors<Successors::Captures>(board, [&](const Board& next, bool) {
    ++captures;
    const std::optional<Wdl> reply = search_wdl(store, next, -beta, -best);
    failed = !reply;
    if (reply) best = std::max(best, -*reply);
    return !failed && best < beta;
  });
  if (failed) return std::nullopt;
  const bool stored_is_better = *stored > best;
  if (stored_is_better && board.has_en_passant() && captures == count_successors(board))
    return best;
  return stored_is_better ? *stored : best;
}

std::optional<Wdl> exact_wdl(const TableStore& store, const Board& board) {
  return search_wdl(store, board, Wdl::Loss, Wdl::Win);
}

struct ZeroingAnswer {
  Wdl wdl;
  // The value is reached by a zeroing move, or there are no others: then what a DTZ file holds
  // means nothing.
  bool by_zeroing;
};

std::optional<ZeroingAnswer> search_zeroing_moves(const TableStore& store, const Board& board) {
  Wdl best = Wdl::Loss;
  bool failed = false, only_zeroing = true, any = false;
  visit_successors<Successors::All>(board, [&](const Board& next, bool zeroing) {
    any = true;
    if (!zeroing) {
      only_zeroing = false;
      return true;
    }
    const std::optional<Wdl> reply = exact_wdl(store, next);
    failed = !reply;
    if (reply) best = std::max(best, -*reply);
    return !failed && best < Wdl::Win;
  });
  if (failed) return std::nullopt;
  if (best == Wdl::Win || (any && only_zeroing)) return ZeroingAnswer{best, true};
  const std::optional<Wdl> stored = store.wdl(board);
  if (!stored) return std::nullopt;
  if (best >= *stored) return ZeroingAnswer{best, best > Wdl::Draw};
  return ZeroingAnswer{*stored, false};
}

enum class LookAhead : std::uint8_t { Allowed, Done };

std::optional<int> dtz_by_looking_ahead(const TableStore& store, const Board& board, Wdl wdl);

// A file has one side to move only. For the other side one ply of search finds positions that are
// in it; if not even that, the file is damaged.
std::optional<int> search_dtz(const TableStore& store, const Board& board, LookAhead look_ahead) {
  if (is_mated(board)) return -1;
  if (!(board.occupied() ^ board.pieces(PieceType::King)).any()) return 0;
  const auto answer = search_zeroing_moves(store, board);
  if (!answer) return std::nullopt;
  const auto [wdl, by_zeroing] = *answer;
  if (wdl == Wdl::Draw || by_zeroing) return dtz_before_zeroing(wdl);
  const auto stored = store.dtz(board, wdl);
  if (!stored) return std::nullopt;
  if (stored->other_side) {
    if (look_ahead == LookAhead::Done) return std::nullopt;
    return dtz_by_looking_ahead(store, board, wdl);
  }
  const bool spoiled = wdl == Wdl::CursedWin || wdl == Wdl::BlessedLoss;
  return (stored->plies + (spoiled ? 100 : 0)) * sign_of(static_cast<int>(wdl));
}

// The winner takes the shortest way, the loser the longest: both the smallest number.
std::optional<int> dtz_by_looking_ahead(const TableStore& store, const Board& board, Wdl wdl) {
  const int sign = sign_of(static_cast<int>(wdl));
  std::optional<int> best;
  bool failed = false;
  visit_successors<Successors::All>(board, [&](const Board& next, bool zeroing) {
    std::optional<int> distance;
    if (zeroing) {
      if (const auto reply = exact_wdl(store, next)) distance = dtz_before_zeroing(-*reply);
    } else if (is_mated(next)) {
      distance = 1;
    } else if (const auto reply = search_dtz(store, next, LookAhead::Done)) {
      distance = -*reply + sign_of(-*reply);
    }
    failed = !distance;
    if (distance && sign_of(*distance) == sign)
      best = std::min(best.value_or(*distance), *distance);
    return !failed;
  });
  if (failed) return std::nullopt;
  return best;
}

bool can_probe(const TableStore* store, const Board& board) {
  return store != nullptr && !board.castling().any() &&
         board.occupied().count() <= store->max_pieces();
}

}  // namespace

Tablebases::Tablebases() = default;
Tablebases::Tablebases(Tablebases&&) noexcept = default;
Tablebases& Tablebases::operator=(Tablebases&&) noexcept = default;
Tablebases::~Tablebases() = default;

Tablebases Tablebases::open(std::string_view folders) {
  Tablebases tables;
  if (!folders.empty() && folders != "<empty>")
    tables.store_ = std::make_unique<TableStore>(folders);
  return tables;
}

int Tablebases::max_pieces() const { return store_ ? store_->max_pieces() : 0; }
std::size_t Tablebases::wdl_tables() const { return store_ ? store_->count(TableKind::Wdl) : 0; }
std::size_t Tablebases::dtz_tables() const { return store_ ? store_->count(TableKind::Dtz) : 0; }
std::vector<std::string> Tablebases::warnings() const {
  return store_ ? store_->warnings() : std::vector<std::string>{};
}

std::optional<Wdl> Tablebases::probe_wdl(const Position& position) const {
  if (!can_probe(store_.get(), position.board())) return std::nullopt;
  return exact_wdl(*store_, position.board());
}

std::optional<int> Tablebases::probe_dtz(const Position& position) const {
  if (!can_probe(store_.get(), position.board())) return std::nullopt;
  return search_dtz(*store_, position.board(), LookAhead::Allowed);
}

}  // namespace aleph::chess
