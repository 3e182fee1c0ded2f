#include "lab/label/positions.h"

#include <fmt/format.h>

#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "base/rng.h"
#include "base/sha256.h"
#include "base/text.h"
#include "chess/epd.h"
#include "data/byte_stream.h"
#include "data/dataset/dataset.h"
#include "data/dataset/packed_column.h"
#include "data/duckdb_session.h"
#include "data/formats/record_input.h"
#include "data/game.h"

namespace aleph::lab {

namespace {

void refuse(PositionList& list, std::string sentence) {
  ++list.refused;
  if (list.problems.size() < PositionList::kMostProblems)
    list.problems.push_back(std::move(sentence));
}

std::int8_t outcome_for(chess::Color side, data::GameResult result) {
  switch (result) {
    case data::GameResult::WhiteWins: return side == chess::Color::White ? 1 : -1;
    case data::GameResult::BlackWins: return side == chess::Color::Black ? 1 : -1;
    case data::GameResult::Draw: return 0;
    case data::GameResult::Unknown: break;
  }
  return PositionList::kUnknown;
}

Status add_line(PositionList& list, std::string_view line, std::int64_t number) {
  const auto epd = chess::parse_epd(line);
  if (!epd.ok()) return Error{epd.error()};
  const auto position = chess::Position::from(epd.value().setup);
  if (!position.ok()) return Error{position.error()};
  auto result = data::GameResult::Unknown;
  const chess::EpdOperation* const c9 = epd.value().find("c9");
  if (c9 != nullptr && !c9->operands.empty())
    result = data::parse_result(c9->operands.front()).value_or(result);
  list.add(chess::pack(position.value()), outcome_for(position.value().side_to_move(), result),
           number);
  return Status::success();
}

Result<PositionList> read_lines(const std::string& source) {
  auto stream = data::ByteStream::open(source);
  if (!stream.ok()) return Error{stream.error()};
  data::RecordInput input(stream.take());
  PositionList list;
  std::int64_t number = 0;
  for (std::string line; input.take_line(line);) {
    ++number;
    if (chess::is_epd_comment(trim(line))) continue;
    if (const Status status = add_line(list, trim(line), number); !status.ok())
      refuse(list, fmt::format("line {}: {}", number, status.error()));
  }
  if (const auto problem = input.problem()) return Error{*problem};
  return list;
}

// False: the columns are not those of a dataset.
bool add_block(PositionList& list, const data::Table& block, const std::string& shard,
               std::uint64_t rows_before) {
  const data::FixedBytes* const positions = data::packed_column(block);
  const data::Column* const outcome = block.find("outcome");
  const auto* const outcomes = block.values<std::vector<std::int8_t>>("outcome");
  const auto* const games = block.values<std::vector<std::int64_t>>("game_id");
  if (positions == nullptr || outcomes == nullptr || games == nullptr) return false;
  for (std::size_t row = 0; row < block.rows(); ++row) {
    const chess::PackedPosition packed = data::packed_at(*positions, row);
    if (const auto position = chess::unpack(packed); !position.ok()) {
      refuse(list, fmt::format("{}, row {}: {}", shard, rows_before + row, position.error()));
      continue;
    }
    list.add(packed, outcome->is_missing(row) ? PositionList::kUnknown : (*outcomes)[row],
             (*games)[row]);
  }
  return true;
}

Status read_shard(PositionList& list, const data::Shard& shard, data::Schema schema,
                  data::DuckDbSession& duckdb) {
  // The result of a game, for the side to move, has two names.
  const char* const outcome = schema == data::Schema::Score ? "outcome" : "result AS outcome";
  const std::string name = shard.file.filename().string();
  std::uint64_t rows = 0;
  bool understood = true;
  Status status = duckdb.query(
      fmt::format("SELECT position, {}, game_id FROM read_parquet({}, hive_partitioning = false)",
                  outcome, data::sql_text(shard.file.string())),
      [&](const data::Table& block) {
        understood = add_block(list, block, name, rows);
        rows += block.rows();
        return understood;
      });
  if (status.ok() && !understood) return Error{name + ": the columns are not those of a dataset"};
  return status;
}

Result<PositionList> read_dataset(const std::string& source) {
  const auto dataset = data::Dataset::open(source);
  if (!dataset.ok()) return Error{dataset.error()};
  auto session = data::DuckDbSession::open();
  if (!session.ok()) return Error{session.error()};
  data::DuckDbSession duckdb = session.take();
  PositionList list;
  for (const data::DatasetSplit& split : dataset.value().splits)
    for (const data::Shard& shard : split.shards) {
      const Status status = read_shard(list, shard, dataset.value().schema, duckdb);
      if (!status.ok()) return Error{status.error()};
    }
  return list;
}

}  // namespace

std::string PositionList::fingerprint() const {
  Sha256 sum;
  sum.update(std::as_bytes(std::span(positions)));
  sum.update(std::as_bytes(std::span(outcomes)));
  sum.update(std::as_bytes(std::span(game_ids)));
  return to_hex(sum.finish());
}

Result<PositionList> read_positions(const std::string& source) {
  std::error_code ignored;
  auto list =
      std::filesystem::is_directory(source, ignored) ? read_dataset(source) : read_lines(source);
  if (!list.ok() || list.value().size() > 0) return list;
  const std::vector<std::string>& problems = list.value().problems;
  return Error{fmt::format("there is no position in {}{}", aleph::quoted(source),
                           problems.empty() ? "" : ": " + problems.front())};
}

void draw_positions(PositionList& list, std::size_t count, std::uint64_t seed) {
  const std::size_t all = list.size();
  if (count >= all) return;
  Rng rng(seed);
  // Each position is taken with the chance that leaves every choice of `count` equally likely.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all && kept < count; ++i) {
    if (rng.below(all - i) >= count - kept) continue;
    list.positions[kept] = list.positions[i];
    list.outcomes[kept] = list.outcomes[i];
    list.game_ids[kept] = list.game_ids[i];
    ++kept;
  }
  list.positions.resize(count);
  list.outcomes.resize(count);
  list.game_ids.resize(count);
}

}  // namespace aleph::lab
