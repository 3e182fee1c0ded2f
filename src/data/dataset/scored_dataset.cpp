#include "data/dataset/scored_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "chess/legality.h"
#include "data/dataset/packed_column.h"
#include "data/formats/result_view.h"

namespace aleph::data {

namespace fs = std::filesystem;

Result<ScoredDatasetWriter> ScoredDatasetWriter::open(const fs::path& folder,
                                                      DatasetOrigin origin) {
  auto writer = DatasetWriter::open(folder, Schema::Score, std::move(origin));
  if (!writer.ok()) return Error{writer.error()};
  return ScoredDatasetWriter(writer.take());
}

Status ScoredDatasetWriter::add(const ScoredPosition& scored) {
  using Limits = std::numeric_limits<std::int16_t>;
  if (scored.score < Limits::min() || scored.score > Limits::max())
    return Error{fmt::format("the score {} does not fit 16 bits", scored.score)};
  add_packed(position_, scored.position);
  depths_.numbers.push_back(0);
  scores_.numbers.push_back(static_cast<std::int16_t>(scored.score));
  outcome_.add(points_of(scored.result, scored.position.side_to_move()));
  move_.add(scored.move ? std::optional(scored.move.bits()) : std::nullopt);
  ply_.add(scored.ply ? std::optional(std::min<int>(*scored.ply, Limits::max())) : std::nullopt);
  game_id_.push_back(static_cast<std::int64_t>(writer_.rows() + game_id_.size()));
  if (game_id_.size() == DatasetWriter::kShardRows) write_shard();
  return Status::success();
}

void ScoredDatasetWriter::write_shard() {
  Table table;
  table.columns.push_back(take_fixed("position", position_));
  table.columns.push_back(take_fixed("depths", depths_));
  table.columns.push_back(take_fixed("scores", scores_));
  table.columns.push_back(outcome_.take("outcome"));
  table.columns.push_back(move_.take("move"));
  table.columns.push_back(ply_.take("ply"));
  table.columns.push_back(take_column("game_id", game_id_));
  if (written_.ok()) written_ = writer_.add(table);
}

Status ScoredDatasetWriter::close(std::map<std::string, std::uint64_t> counts,
                                  const std::vector<std::string>& problems) {
  write_shard();
  return written_.ok() ? writer_.close(std::move(counts), problems) : written_;
}

std::optional<ScoredDatasetReader::Columns> ScoredDatasetReader::Columns::of(const Table& table) {
  const Columns columns{packed_column(table), table.values<FixedNumbers>("scores"),
                        table.find("outcome"), table.find("move"), table.find("ply")};
  if (columns.position == nullptr || columns.scores == nullptr || columns.scores->width == 0 ||
      table.values<std::vector<std::int8_t>>("outcome") == nullptr ||
      (columns.move != nullptr && table.values<std::vector<std::int32_t>>("move") == nullptr) ||
      (columns.ply != nullptr && table.values<std::vector<std::int16_t>>("ply") == nullptr))
    return std::nullopt;
  return columns;
}

Result<ScoredDatasetReader> ScoredDatasetReader::open(const fs::path& folder,
                                                      std::string_view split) {
  const auto dataset = Dataset::open(folder);
  if (!dataset.ok()) return Error{dataset.error()};
  if (dataset.value().schema != Schema::Score)
    return Error{fmt::format("{} holds {} rows, and it takes score rows", folder.string(),
                             to_text(dataset.value().schema))};
  auto cursor =
      RowCursor::open(dataset.value(), split, {"position", "scores", "outcome", "move", "ply"});
  if (!cursor.ok()) return Error{cursor.error()};
  return ScoredDatasetReader(cursor.take());
}

// To the next row; false at the end.
bool ScoredDatasetReader::step() {
  if (!cursor_.next()) return false;
  if (cursor_.row() == 0) columns_ = Columns::of(cursor_.table());
  if (!columns_) cursor_.refuse("the columns are not those of the schema");
  return columns_.has_value();
}

Result<ScoredPosition> ScoredDatasetReader::scored_at(std::size_t row) const {
  auto position = chess::unpack(packed_at(*columns_->position, row));
  if (!position.ok()) return Error{position.error()};
  ScoredPosition scored;
  scored.position = position.take();
  const FixedNumbers& scores = *columns_->scores;
  scored.score = scores.numbers[row * scores.width + scores.width - 1];
  if (!columns_->outcome->is_missing(row)) {
    const int points = std::get<std::vector<std::int8_t>>(columns_->outcome->values)[row];
    if (points < -1 || points > 1)
      return Error{fmt::format("the outcome {} is none of -1, 0 and 1", points)};
    scored.result = result_of(points, scored.position.side_to_move());
  }
  if (columns_->move != nullptr && !columns_->move->is_missing(row)) {
    const std::int32_t bits = std::get<std::vector<std::int32_t>>(columns_->move->values)[row];
    scored.move = chess::Move::from_bits(static_cast<std::uint16_t>(bits));
    if (bits != scored.move.bits() || !is_legal(scored.position, scored.move))
      return Error{"the move is not legal"};
  }
  if (columns_->ply != nullptr && !columns_->ply->is_missing(row)) {
    const int ply = std::get<std::vector<std::int16_t>>(columns_->ply->values)[row];
    if (ply < 0) return Error{fmt::format("the ply {} is negative", ply)};
    scored.ply = static_cast<std::uint16_t>(ply);
  }
  return scored;
}

bool ScoredDatasetReader::next(ScoredPosition& out) {
  while (step()) {
    auto scored = scored_at(cursor_.row());
    if (scored.ok()) {
      tally_.add_good();
      out = scored.take();
      return true;
    }
    tally_.add_bad(fmt::format("{}: {}", cursor_.place(), scored.error()));
  }
  return false;
}

}  // namespace aleph::data
