#include "data/dataset/position_stats.h"

#include <cstdlib>
#include <cstring>

#include "base/rng.h"
#include "chess/packed_position.h"
#include "data/dataset/packed_column.h"
#include "nets/encode/from_to.h"

namespace aleph::data {

using chess::CastlingSide;
using chess::Position;
using chess::Square;

namespace {

constexpr std::size_t kMostOpenings = 20;

std::uint64_t mixed(std::uint64_t bits) { return Rng(bits).next(); }

CastlingSide side_of(Square from, Square to) {
  return to.file() > from.file() ? CastlingSide::King : CastlingSide::Queen;
}

// Whether a move that is known by its number is castling: see from_to.h.
std::optional<CastlingSide> castling_of(const Position& position, int id,
                                        nets::Normalization normalization) {
  if (id < 0 || id >= nets::kFromTo) return std::nullopt;
  const chess::Color mover = position.side_to_move();
  // What normalises a square also brings it back.
  const Square from = nets::normalized(Square::from_index(id / 64), mover, normalization);
  const Square to = nets::normalized(Square::from_index(id % 64), mover, normalization);
  if (from != position.king(mover)) return std::nullopt;
  const bool castles = position.is_chess960() ? position.pieces(mover).has(to)
                                              : std::abs(to.file() - from.file()) == 2;
  if (!castles) return std::nullopt;
  return side_of(from, to);
}

}  // namespace

// The columns of a block; those that a schema has not are null.
struct PositionStats::Block {
  const FixedBytes* position;
  const std::vector<std::int64_t>* game_id;
  const std::vector<std::int8_t>* result;
  const Column* result_column;
  const std::vector<std::int16_t>* ply;
  const Column* ply_column;
  const std::vector<std::int16_t>* move_id;
  const std::vector<std::int8_t>* promo_id;
  const std::vector<std::int32_t>* move;

  explicit Block(const Table& table)
      : position(table.values<FixedBytes>("position")),
        game_id(table.values<std::vector<std::int64_t>>("game_id")),
        result(table.values<std::vector<std::int8_t>>("result")),
        result_column(table.find("result")),
        ply(table.values<std::vector<std::int16_t>>("ply")),
        ply_column(table.find("ply")),
        move_id(table.values<std::vector<std::int16_t>>("move_id")),
        promo_id(table.values<std::vector<std::int8_t>>("promo_id")),
        move(table.values<std::vector<std::int32_t>>("move")) {}

  bool is_of(Schema schema) const {
    if (position == nullptr || position->width != chess::PackedPosition::kSize ||
        game_id == nullptr || result == nullptr)
      return false;
    switch (schema) {
      case Schema::Human: return ply != nullptr && move_id != nullptr && promo_id != nullptr;
      case Schema::Policy: return ply != nullptr && move != nullptr;
      case Schema::Score: return true;
    }
    return false;
  }
};

std::string PositionStats::columns() const {
  switch (schema_) {
    case Schema::Human: return "position, game_id, result, ply, move_id, promo_id";
    case Schema::Policy: return "position, game_id, result, ply, move";
    case Schema::Score: return "position, game_id, outcome AS result";
  }
  return "";
}

Status PositionStats::add(const Table& table) {
  const Block block(table);
  if (!block.is_of(schema_)) return Error{"the columns are not those of the schema"};
  for (std::size_t row = 0; row < table.rows(); ++row) add_row(block, row);
  return Status::success();
}

void PositionStats::add_row(const Block& block, std::size_t row) {
  const auto unpacked = chess::unpack(packed_at(*block.position, row));
  if (!unpacked.ok()) {
    ++counts_.unreadable;
    return;
  }
  const Position& position = unpacked.value();
  add_board(position);
  const bool has_ply = block.ply != nullptr && !block.ply_column->is_missing(row);
  ++counts_.plies[has_ply ? (*block.ply)[row] : position.game_ply()];
  const std::uint64_t move = add_move(block, row, position);
  rows_.add(mixed(position.key() ^ mixed(move)));
  add_game(block, row, position);
}

void PositionStats::add_board(const Position& position) {
  ++counts_.pieces[position.occupied().count()];
  const chess::Color mover = position.side_to_move();
  counts_.white_to_move += mover == chess::Color::White;
  counts_.in_check += position.in_check();
  const int rights =
      (position.castling().any_of(mover) ? 1 : 0) + (position.castling().any_of(~mover) ? 2 : 0);
  ++counts_.castling_rights[static_cast<std::size_t>(rights)];
}

std::uint64_t PositionStats::add_move(const Block& block, std::size_t row,
                                      const Position& position) {
  const auto count_castling = [this](CastlingSide side) {
    ++counts_.castlings[static_cast<std::size_t>(chess::index(side))];
  };
  const auto count_promotion = [this](int id) {
    if (id >= 0 && id < nets::kPromotions) ++counts_.promotions[static_cast<std::size_t>(id)];
  };
  if (block.move_id != nullptr) {
    const int id = (*block.move_id)[row], promotion = (*block.promo_id)[row];
    if (const auto side = castling_of(position, id, normalization_)) count_castling(*side);
    count_promotion(promotion);
    return static_cast<std::uint64_t>(id * 8 + promotion + 1);
  }
  if (block.move != nullptr) {
    const auto move = chess::Move::from_bits(static_cast<std::uint16_t>((*block.move)[row]));
    if (move.is_castling()) count_castling(side_of(move.from(), move.to()));
    if (move.is_promotion()) count_promotion(nets::promotion_id(move.promotion()));
    return move.bits();
  }
  return 0;
}

void PositionStats::add_game(const Block& block, std::size_t row, const Position& position) {
  const std::int64_t game = (*block.game_id)[row];
  // The same game may be there twice, one behind the other: then plies begin again.
  const bool is_new = game_ != game || position.game_ply() <= game_ply_;
  game_ = game;
  game_ply_ = position.game_ply();
  if (is_new) {
    ++counts_.games;
    games_.add(mixed(static_cast<std::uint64_t>(game)));
    int place = 3;
    if (!block.result_column->is_missing(row)) {
      const int mover = (*block.result)[row];
      const int white = position.side_to_move() == chess::Color::White ? mover : -mover;
      if (white >= -1 && white <= 1) place = 1 - white;
    }
    ++counts_.game_results[static_cast<std::size_t>(place)];
    openings_.begin_game();
  }
  openings_.add(position);
}

PositionCounts PositionStats::counts() const {
  PositionCounts all = counts_;
  all.repeated_games = {games_.repeated(), games_.is_exact()};
  all.duplicates = {rows_.repeated(), rows_.is_exact()};
  all.openings = openings_.most_frequent(kMostOpenings);
  all.opening_games = {openings_.games(), openings_.is_exact()};
  return all;
}

}  // namespace aleph::data
