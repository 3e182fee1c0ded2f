#include "data/dataset/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "chess/legality.h"
#include "chess/packed_position.h"
#include "data/columns.h"
#include "data/dataset/packed_column.h"
#include "data/duckdb_session.h"
#include "nets/encode/legal_mask.h"
#include "nets/encode/tokens74.h"

namespace aleph::data {

namespace {

constexpr std::size_t kMostProblems = 20;

// A sentence if something is wrong with the row.
using RowCheck = std::function<std::optional<std::string>(std::size_t row)>;

// The columns of a block that a human row consists of; nothing if one is missing or of another
// kind.
struct HumanColumns {
  const FixedNumbers* tokens;
  const std::vector<std::int16_t>* move_id;
  const std::vector<std::int8_t>* promo_id;
  const Flags* is_promotion;
  const FixedBytes* mask;  // null: not stored
  const FixedBytes* position;

  static std::optional<HumanColumns> of(const Table& table, bool has_masks) {
    const HumanColumns columns{table.values<FixedNumbers>("tokens"),
                               table.values<std::vector<std::int16_t>>("move_id"),
                               table.values<std::vector<std::int8_t>>("promo_id"),
                               table.values<Flags>("is_promotion"),
                               table.values<FixedBytes>("legal_mask"),
                               table.values<FixedBytes>("position")};
    if (columns.tokens == nullptr || columns.tokens->width != nets::kTokens74 ||
        columns.move_id == nullptr || columns.promo_id == nullptr ||
        columns.is_promotion == nullptr || columns.position == nullptr ||
        columns.position->width != chess::PackedPosition::kSize ||
        (has_masks && (columns.mask == nullptr || columns.mask->width != nets::LegalMask::kBytes)))
      return std::nullopt;
    return columns;
  }
};

std::optional<std::string> check_words(const std::int16_t* tokens) {
  using namespace nets::vocabulary;
  const auto within = [&](std::size_t place, int low, int count) {
    return tokens[place] >= low && tokens[place] < low + count;
  };
  if (tokens[0] != kCls) return "the first word is not CLS";
  if (!within(65, kCastling, 16)) return "word 65 is not about castling";
  if (!within(66, kRating, nets::kRatingBuckets)) return "word 66 is not a rating";
  if (!within(67, kClock, nets::kClockBuckets)) return "word 67 is not a clock";
  for (std::size_t i = 68; i < nets::kTokens74; ++i)
    if (!within(i, 0, kNoMove + 1)) return fmt::format("word {} is not a move", i);
  return std::nullopt;
}

std::optional<std::string> check_human(const HumanColumns& columns, std::size_t row,
                                       nets::Normalization normalization) {
  const std::int16_t* const tokens = columns.tokens->numbers.data() + row * nets::kTokens74;
  if (auto problem = check_words(tokens)) return problem;
  const auto position = chess::unpack(packed_at(*columns.position, row));
  if (!position.ok()) return position.error();
  // The board in words must be the board in bytes.
  const nets::Tokens74 again = encode_tokens74(position.value(), {}, normalization);
  if (!std::equal(tokens, tokens + 66, again.begin())) return "words and position differ";
  const auto mask = nets::LegalMask::of(position.value(), normalization);
  if (columns.mask != nullptr &&
      !std::equal(
          mask.bytes().begin(), mask.bytes().end(),
          columns.mask->bytes.begin() + static_cast<std::ptrdiff_t>(row * nets::LegalMask::kBytes)))
    return "the mask is not that of the legal moves";
  const int id = (*columns.move_id)[row], promotion = (*columns.promo_id)[row];
  if (id < 0 || id >= nets::kFromTo || !mask.has(id)) return "the move is not in its mask";
  const auto move = nets::legal_move_of(position.value(), id, promotion, normalization);
  if (!move) return "the promotion is not legal";
  const bool promotes = move->is_promotion();
  if (promotes != (columns.is_promotion->values[row] != 0) || promotes != (promotion >= 0))
    return "promotion and move do not agree";
  return std::nullopt;
}

std::optional<std::string> check_policy(const FixedBytes& positions,
                                        const std::vector<std::int32_t>& moves, std::size_t row) {
  const auto position = chess::unpack(packed_at(positions, row));
  if (!position.ok()) return position.error();
  const std::int32_t bits = moves[row];
  if (bits < 0 || bits > 0xFFFF ||
      !is_legal(position.value(), chess::Move::from_bits(static_cast<std::uint16_t>(bits))))
    return "the move is not legal";
  return std::nullopt;
}

std::optional<std::string> check_score(const FixedBytes& positions, std::size_t row) {
  const auto position = chess::unpack(packed_at(positions, row));
  if (!position.ok()) return position.error();
  return std::nullopt;
}

// Null: the block has not the columns of the schema.
RowCheck check_for(const Dataset& dataset, const Table& table) {
  const auto* const positions = table.values<FixedBytes>("position");
  if (positions == nullptr || positions->width != chess::PackedPosition::kSize) return nullptr;
  switch (dataset.schema) {
    case Schema::Human: {
      const auto columns = HumanColumns::of(table, dataset.has_masks);
      if (!columns) return nullptr;
      return [columns = *columns, normalization = dataset.normalization](std::size_t row) {
        return check_human(columns, row, normalization);
      };
    }
    case Schema::Policy: {
      const auto* const moves = table.values<std::vector<std::int32_t>>("move");
      if (moves == nullptr) return nullptr;
      return [=](std::size_t row) { return check_policy(*positions, *moves, row); };
    }
    case Schema::Score: {
      const auto* const depths = table.values<FixedNumbers>("depths");
      const auto* const scores = table.values<FixedNumbers>("scores");
      if (depths == nullptr || scores == nullptr || depths->width != scores->width) return nullptr;
      return [=](std::size_t row) { return check_score(*positions, row); };
    }
  }
  return nullptr;
}

}  // namespace

Result<ValidationReport> validate(const Dataset& dataset,
                                  const std::function<void(std::uint64_t rows)>& on_progress) {
  auto session = DuckDbSession::open();
  if (!session.ok()) return Error{session.error()};
  DuckDbSession duckdb = session.take();
  ValidationReport report;
  const auto complain = [&](const Shard& shard, const std::string& sentence) {
    ++report.bad_rows;
    if (report.problems.size() < kMostProblems)
      report.problems.push_back(shard.file.filename().string() + sentence);
  };
  for (const DatasetSplit& split : dataset.splits)
    for (const Shard& shard : split.shards) {
      std::uint64_t row_in_shard = 0;
      const Status status = duckdb.query(
          "SELECT * FROM read_parquet(" + sql_text(shard.file.string()) +
              ", hive_partitioning = false)",
          [&](const Table& block) {
            const RowCheck check = check_for(dataset, block);
            for (std::size_t row = 0; row < block.rows(); ++row, ++row_in_shard) {
              const std::optional<std::string> problem =
                  check ? check(row)
                        : std::optional<std::string>("the columns are not those of the schema");
              if (problem) complain(shard, fmt::format(", row {}: {}", row_in_shard, *problem));
            }
            report.rows += block.rows();
            if (on_progress) on_progress(report.rows);
            return true;
          });
      if (!status.ok()) return Error{status.error()};
      if (row_in_shard != shard.rows)
        complain(shard, fmt::format(": {} rows, not {}", row_in_shard, shard.rows));
    }
  return report;
}

}  // namespace aleph::data
