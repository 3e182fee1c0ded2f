// Samples of a dataset, batch after batch, epoch after epoch, the same for the same seed.
//
// Every process reads the same rows in the same order, cuts them into batches of `rows`, and makes
// samples of its own slice of each batch only. So a step sees the same rows however many processes
// share it, and a place in the data means the same to all of them. That each reads all rows costs
// little: reading is a hundred times faster than learning, and samples are what takes time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "data/dataset/dataset.h"
#include "nets/spec/net_spec.h"
#include "train/samples.h"

namespace aleph::train {

struct SourceOptions {
  std::string split = "train";
  std::size_t rows = 256;  // of a batch, over all processes; each has about rows / world of them
  bool shuffle = true;
  bool repeat = true;  // begins the next epoch at the end of one; otherwise the end is the end
  std::uint64_t seed = 1;
  std::size_t rank = 0, world = 1;
  bool keep_positions = false;  // fills Samples::packed, for teachers
  std::uint64_t most_rows = 0;  // of an epoch, the first of its order; 0: all
};

// Where a source is, in rows of the dataset over all processes; with it, another one, of another
// number of processes too, goes on as if it were the first.
struct SourcePlace {
  std::uint64_t epoch = 0, rows = 0;
  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

// Works ahead on a thread of its own. Datasets of schema human and policy; score for values,
// quantiles and, where the rows have them, moves. Positions are unpacked and encoded by the same
// code that the engine runs. Rows have no history: inputs that show earlier positions (planes112,
// boards96) are given the present one alone, as for a game that begins from a FEN. tokens74 needs
// what is stored in human rows. Rows without a move are passed over if the network has a policy.
class SampleSource {
 public:
  // Fails with one sentence if the data cannot teach this network.
  static Result<std::unique_ptr<SampleSource>> open(const data::Dataset& dataset,
                                                    const nets::NetSpec& spec,
                                                    const SourceOptions& options);
  virtual ~SampleSource() = default;

  // No samples: the end (without repeat). Batches are full but for the last of all, of which a
  // process may even have nothing: then the size is 0, and so is that of all calls after it.
  virtual Result<Samples> next() = 0;
  virtual SourcePlace place() const = 0;  // behind the last batch that was given
  virtual Status go_to(const SourcePlace& place) = 0;
  virtual std::uint64_t rows() const = 0;  // of an epoch, over all processes
};

}  // namespace aleph::train
