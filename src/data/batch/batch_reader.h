// Rows of a dataset in random order, batch after batch, in bounded memory.
//
// Files are dealt out: file i belongs to rank i % world, and among the files of a rank the j-th to
// worker j % workers, so that no two readers of one run see the same row. A reader shuffles its
// files, then the rows of a few files together; the next few are loaded meanwhile.
#pragma once

#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "data/columns.h"
#include "data/dataset/dataset.h"

namespace aleph::data {

struct BatchOptions {
  std::size_t rows = 1024;
  bool shuffle = true;  // otherwise in the order of the files
  std::uint64_t seed = 1;
  std::uint64_t epoch = 0;  // another order for each
  std::size_t rank = 0, world = 1;
  std::size_t worker = 0, workers = 1;
  // Whose rows are shuffled together. Twice as many are in memory; with stored masks, 850 MB.
  std::size_t files_at_once = 3;
  // Masks of legal moves are read if they are stored, unless they shall be made again: faster
  // where the processor is idle and the disk is not.
  bool make_masks = true;
  std::vector<std::string> columns;  // empty: all but legal_mask
};

class BatchReader {
 public:
  static Result<BatchReader> open(const Dataset& dataset, std::string_view split,
                                  BatchOptions options);

  // Batches have options.rows rows, but for the last. No rows: the end of the epoch. Human rows
  // have a column legal_mask if make_masks is set or it was asked for.
  Result<Table> next();

  std::uint64_t rows() const { return rows_; }  // of the whole epoch
  std::uint64_t rows_given() const { return given_; }
  // Goes on behind this many rows of the epoch, as if they had been given.
  Status skip(std::uint64_t rows);

 private:
  using Group = std::vector<Shard>;
  BatchReader(const Dataset& dataset, BatchOptions options, std::vector<Shard> shards);
  Result<bool> refill();
  static Result<Table> load(const Group& group, const std::string& columns);

  Schema schema_;
  nets::Normalization normalization_;
  BatchOptions options_;
  std::string column_list_;
  std::vector<Group> groups_;  // in their order
  std::size_t next_group_ = 0;
  std::future<Result<Table>> loading_;
  Table pool_;
  std::vector<std::uint32_t> order_;  // of the pool's rows
  std::size_t at_ = 0;                // in order_
  std::uint64_t rows_ = 0, given_ = 0;
};

// A column legal_mask made from the column position. Fails if a position cannot be read.
Status add_masks(Table& table, nets::Normalization normalization);

}  // namespace aleph::data
