#include "data/batch/batch_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "chess/packed_position.h"
#include "data/dataset/packed_column.h"
#include "data/duckdb_session.h"
#include "nets/encode/legal_mask.h"

namespace aleph::data {

namespace {

template <class T>
void shuffle(std::vector<T>& items, Rng& rng) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[rng.below(i)]);
}

Rng rng_for(const BatchOptions& options, std::uint64_t what) {
  return Rng(Rng(options.seed).next() ^ Rng(options.epoch * 2 + 1).next() ^ Rng(what * 2).next());
}

std::vector<Shard> own_shards(const DatasetSplit& split, const BatchOptions& options) {
  std::vector<Shard> own;
  std::size_t of_rank = 0;
  for (std::size_t i = 0; i < split.shards.size(); ++i) {
    if (i % options.world != options.rank) continue;
    if (of_rank++ % options.workers == options.worker) own.push_back(split.shards[i]);
  }
  return own;
}

template <class T>
std::vector<T> gathered(const std::vector<T>& from, std::size_t width,
                        std::span<const std::uint32_t> rows) {
  std::vector<T> to(rows.size() * width);
  if (width == 1) {
    for (std::size_t i = 0; i < rows.size(); ++i) to[i] = from[rows[i]];
  } else {
    T* at = to.data();
    for (const std::uint32_t row : rows) at = std::copy_n(from.data() + row * width, width, at);
  }
  return to;
}

Table gather(const Table& pool, std::span<const std::uint32_t> rows) {
  Table batch;
  for (const Column& column : pool.columns) {
    Column& to = batch.columns.emplace_back();
    to.name = column.name;
    if (!column.missing.empty()) to.missing = gathered(column.missing, 1, rows);
    to.values = std::visit(
        [rows](const auto& values) -> Values {
          using T = std::remove_cvref_t<decltype(values)>;
          if constexpr (std::is_same_v<T, Flags>)
            return Flags{gathered(values.values, 1, rows)};
          else if constexpr (std::is_same_v<T, FixedBytes>)
            return FixedBytes{values.width, gathered(values.bytes, values.width, rows)};
          else if constexpr (std::is_same_v<T, FixedNumbers>)
            return FixedNumbers{values.width, gathered(values.numbers, values.width, rows)};
          else
            return gathered(values, 1, rows);
        },
        column.values);
  }
  return batch;
}

}  // namespace

Result<BatchReader> BatchReader::open(const Dataset& dataset, std::string_view split,
                                      BatchOptions options) {
  const DatasetSplit* const part = dataset.find(split);
  if (part == nullptr)
    return Error{fmt::format("{} has no split {}", dataset.path.string(), split)};
  if (options.rows == 0 || options.world == 0 || options.workers == 0 ||
      options.files_at_once == 0 || options.rank >= options.world ||
      options.worker >= options.workers)
    return Error{"rank and worker must be below world and workers"};
  return BatchReader(dataset, options, own_shards(*part, options));
}

BatchReader::BatchReader(const Dataset& dataset, BatchOptions options, std::vector<Shard> shards)
    : schema_(dataset.schema), normalization_(dataset.normalization), options_(std::move(options)) {
  if (options_.columns.empty()) {
    column_list_ = dataset.has_masks ? "* EXCLUDE (legal_mask)" : "*";
    if (dataset.has_masks && !options_.make_masks) column_list_ = "*";
  } else {
    for (const std::string& name : options_.columns)
      column_list_ += fmt::format("{}\"{}\"", column_list_.empty() ? "" : ", ", name);
  }
  Rng rng = rng_for(options_, 0);
  if (options_.shuffle) shuffle(shards, rng);
  for (std::size_t i = 0; i < shards.size(); ++i) {
    if (i % options_.files_at_once == 0) groups_.emplace_back();
    groups_.back().push_back(shards[i]);
    rows_ += shards[i].rows;
  }
}

Result<Table> BatchReader::load(const Group& group, const std::string& columns) {
  auto session = DuckDbSession::open();
  if (!session.ok()) return Error{session.error()};
  std::string files;
  for (const Shard& shard : group) {
    if (!files.empty()) files += ", ";
    files += sql_text(shard.file.string());
  }
  DuckDbSession duckdb = session.take();
  return duckdb.query(
      fmt::format("SELECT {} FROM read_parquet([{}], hive_partitioning = false)", columns, files));
}

// The rows of the next group; false at the end. Loading of the group after it begins.
Result<bool> BatchReader::refill() {
  if (next_group_ == groups_.size()) return false;
  if (!loading_.valid())
    loading_ = std::async(std::launch::async, load, groups_[next_group_], column_list_);
  auto loaded = loading_.get();
  if (!loaded.ok()) return Error{loaded.error()};
  pool_ = loaded.take();
  Rng rng = rng_for(options_, ++next_group_);
  if (next_group_ < groups_.size())
    loading_ = std::async(std::launch::async, load, groups_[next_group_], column_list_);
  order_.resize(pool_.rows());
  std::iota(order_.begin(), order_.end(), 0U);
  if (options_.shuffle) shuffle(order_, rng);
  at_ = 0;
  return true;
}

Result<Table> BatchReader::next() {
  while (at_ == order_.size()) {
    const auto more = refill();
    if (!more.ok()) return Error{more.error()};
    if (!more.value()) return Table{};
  }
  const std::size_t count = std::min(options_.rows, order_.size() - at_);
  Table batch = gather(pool_, std::span(order_).subspan(at_, count));
  at_ += count;
  given_ += count;
  if (schema_ == Schema::Human && options_.make_masks)
    if (const Status status = add_masks(batch, normalization_); !status.ok())
      return Error{status.error()};
  return batch;
}

Status BatchReader::skip(std::uint64_t rows) {
  while (rows > 0) {
    const std::uint64_t left = order_.size() - at_;
    if (left == 0) {
      // Whole groups are passed over without being read.
      std::uint64_t group = 0;
      if (next_group_ == groups_.size()) return Error{"the epoch has fewer rows than that"};
      for (const Shard& shard : groups_[next_group_]) group += shard.rows;
      if (group <= rows && !loading_.valid()) {
        ++next_group_;
        rows -= group, given_ += group;
        continue;
      }
      const auto more = refill();
      if (!more.ok()) return Error{more.error()};
      continue;
    }
    const std::uint64_t step = std::min(left, rows);
    at_ += step, given_ += step, rows -= step;
  }
  return Status::success();
}

Status add_masks(Table& table, nets::Normalization normalization) {
  const FixedBytes* const positions = packed_column(table);
  if (positions == nullptr)
    return Error{"masks are made from the column position, which is not there"};
  FixedBytes masks{nets::LegalMask::kBytes, {}};
  masks.bytes.resize(table.rows() * masks.width);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const chess::PackedPosition packed = packed_at(*positions, row);
    const auto board = chess::unpack_board(packed);
    if (!board) {
      const auto position = chess::unpack(packed);
      return Error{position.ok() ? "a position has no legal moves to be listed" : position.error()};
    }
    const auto mask = nets::LegalMask::of(*board, normalization);
    std::ranges::copy(mask.bytes(), masks.bytes.data() + row * masks.width);
  }
  table.columns.push_back({"legal_mask", std::move(masks), {}});
  return Status::success();
}

}  // namespace aleph::data
