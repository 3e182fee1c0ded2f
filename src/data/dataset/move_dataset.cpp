#include "data/dataset/move_dataset.h"

#include <fmt/format.h>

#include <numeric>

#include "chess/legality.h"
#include "data/dataset/packed_column.h"
#include "nets/encode/from_to.h"

namespace aleph::data {

namespace fs = std::filesystem;

Result<MoveDatasetWriter> MoveDatasetWriter::open(const fs::path& folder, DatasetOrigin origin) {
  auto writer = DatasetWriter::open(folder, Schema::Policy, std::move(origin));
  if (!writer.ok()) return Error{writer.error()};
  return MoveDatasetWriter(writer.take());
}

Status MoveDatasetWriter::add(const chess::Position& position, chess::Move move) {
  add_packed(position_, position);
  move_.push_back(move.bits());
  return move_.size() == DatasetWriter::kShardRows ? write_shard() : Status::success();
}

Status MoveDatasetWriter::write_shard() {
  const std::size_t rows = move_.size();
  std::vector<std::int64_t> game_id(rows);
  std::iota(game_id.begin(), game_id.end(), static_cast<std::int64_t>(writer_.rows()));
  Table table;
  table.columns.push_back(take_fixed("position", position_));
  table.columns.push_back(take_column("move", move_));
  table.columns.push_back(missing_column<std::int16_t>("score", rows));
  table.columns.push_back(missing_column<std::int16_t>("rating", rows));
  table.columns.push_back(missing_column<std::int16_t>("opponent_rating", rows));
  table.columns.push_back(missing_column<std::int8_t>("result", rows));
  table.columns.push_back(missing_column<std::int16_t>("ply", rows));
  table.columns.push_back(take_column("game_id", game_id));
  return writer_.add(table);
}

Status MoveDatasetWriter::close(std::map<std::string, std::uint64_t> counts,
                                const std::vector<std::string>& problems) {
  Status written = write_shard();
  return written.ok() ? writer_.close(std::move(counts), problems) : written;
}

std::optional<MoveDatasetReader::Columns> MoveDatasetReader::Columns::of(const Table& table) {
  const Columns columns{packed_column(table), table.values<std::vector<std::int32_t>>("move"),
                        table.values<std::vector<std::int16_t>>("move_id"),
                        table.values<std::vector<std::int8_t>>("promo_id")};
  const bool has_numbers = columns.move_id != nullptr && columns.promo_id != nullptr;
  if (columns.position == nullptr || (columns.move == nullptr && !has_numbers)) return std::nullopt;
  return columns;
}

Result<MoveDatasetReader> MoveDatasetReader::open(const fs::path& folder, std::string_view split) {
  const auto dataset = Dataset::open(folder);
  if (!dataset.ok()) return Error{dataset.error()};
  const Schema schema = dataset.value().schema;
  if (schema == Schema::Score)
    return Error{folder.string() + " holds score rows, and it takes policy or human rows"};
  auto cursor = RowCursor::open(dataset.value(), split,
                                schema == Schema::Policy
                                    ? std::vector<std::string>{"position", "move"}
                                    : std::vector<std::string>{"position", "move_id", "promo_id"});
  if (!cursor.ok()) return Error{cursor.error()};
  return MoveDatasetReader(cursor.take(), dataset.value().normalization);
}

// To the next row; false at the end.
bool MoveDatasetReader::step() {
  if (!cursor_.next()) return false;
  if (cursor_.row() == 0) columns_ = Columns::of(cursor_.table());
  if (!columns_) cursor_.refuse("the columns are not those of the schema");
  return columns_.has_value();
}

Result<PositionAndMove> MoveDatasetReader::move_at(std::size_t row) const {
  auto position = chess::unpack(packed_at(*columns_->position, row));
  if (!position.ok()) return Error{position.error()};
  if (columns_->move != nullptr) {
    const std::int32_t bits = (*columns_->move)[row];
    const auto move = chess::Move::from_bits(static_cast<std::uint16_t>(bits));
    if (bits != move.bits() || !is_legal(position.value(), move))
      return Error{"the move is not legal"};
    return PositionAndMove{position.take(), move};
  }
  const int id = (*columns_->move_id)[row], promotion = (*columns_->promo_id)[row];
  if (id < 0 || id >= nets::kFromTo) return Error{"the move is not legal"};
  const auto move = nets::legal_move_of(position.value(), id, promotion, normalization_);
  if (!move) return Error{"the move is not legal"};
  return PositionAndMove{position.take(), *move};
}

bool MoveDatasetReader::next(PositionAndMove& out) {
  while (step()) {
    auto read = move_at(cursor_.row());
    if (read.ok()) {
      tally_.add_good();
      out = read.take();
      return true;
    }
    tally_.add_bad(fmt::format("{}: {}", cursor_.place(), read.error()));
  }
  return false;
}

}  // namespace aleph::data
