// The features of a dataset under a frozen network, in one file on disk: computed once by the
// engine's own code, mapped into memory by training and calibration.
//
//   the features of each row: a bit for each block of four bytes that is not all zero (lowest bit
//       first), then those blocks                                  (width / 32 + 4 * blocks bytes)
//   CachedRow for each row, beginning on a multiple of 8
//   scores, i16, so many for each row, on a multiple of 8
//   identity (JSON), on a multiple of 8
//   CacheTrailer
// Little-endian. The trailer comes last, so that rows need not be counted beforehand; the file
// appears under its name only when it is whole.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "base/pending_file.h"
#include "base/result.h"
#include "nnue/forward.h"

namespace aleph::train {

inline constexpr int kPhases = 3;  // opening, middle game, end game: see phase_of
const char* quantile_phase_name(int phase);

// What is known of a row besides its features and scores.
struct CachedRow {
  enum Flag : std::uint8_t {
    kInCheck = 1,    // the side to move
    kTakes = 2,      // the label's move takes or promotes
    kInSearch = 4,   // met by a search, not reached by a game
    kHasMove = 8,    // the label has a move
    kHasGame = 16,   // game is that of the dataset; otherwise a hash of the position
    kMateScore = 32  // the last score is a mate
  };
  std::uint64_t features = 0;  // where they begin in the file
  std::int64_t game = 0;
  std::int32_t raw = 0;  // the base's psqt + positional, 16 to an internal unit
  std::uint8_t bucket = 0, phase = 0, flags = 0, unused = 0;

  std::int32_t base_units() const { return raw / 16; }  // as the engine divides
  bool has(Flag flag) const { return (flags & flag) != 0; }
  bool is_tactical() const { return (flags & (kInCheck | kTakes)) != 0; }
};
static_assert(sizeof(CachedRow) == 24);

// Writes a cache row by row.
class FeatureCacheWriter {
 public:
  // width: bytes of features, a multiple of 32; scores: so many for each row.
  static Result<FeatureCacheWriter> open(const std::filesystem::path& file, std::size_t width,
                                         std::size_t scores);
  // row.features is set here. A failure to write is told by finish().
  void add(CachedRow row, std::span<const std::uint8_t> features,
           std::span<const std::int16_t> scores);
  std::size_t rows() const { return rows_.size(); }
  Status finish(const std::string& identity);

 private:
  FeatureCacheWriter(PendingFile file, std::size_t width, std::size_t scores);
  void align();
  void write(const void* bytes, std::size_t count);

  std::unique_ptr<PendingFile> file_;
  std::ofstream out_;
  std::size_t width_, score_count_;
  std::uint64_t at_ = 0;
  std::vector<CachedRow> rows_;
  std::vector<std::int16_t> scores_;
  std::vector<std::uint8_t> packed_;
};

class FeatureCache {
 public:
  // Refuses what is not such a file, or not whole.
  static Result<FeatureCache> open(const std::filesystem::path& file);

  std::size_t rows() const { return rows_.size(); }
  std::size_t width() const { return width_; }
  std::size_t scores_per_row() const { return score_count_; }
  const std::string& identity() const { return identity_; }

  const CachedRow& row(std::size_t i) const { return rows_[i]; }
  std::span<const std::int16_t> scores(std::size_t i) const {
    return scores_.subspan(i * score_count_, score_count_);
  }
  // All `width` bytes.
  void unpack(std::size_t i, std::uint8_t* bytes) const;
  // As the engine hands them from layer to layer.
  void unpack(std::size_t i, nnue::TransformedFeatures& features) const;
  // Only those that are not zero, with their places; both have room for `width`. How many.
  std::size_t unpack_sparse(std::size_t i, std::uint16_t* places, float* values) const;

 private:
  explicit FeatureCache(MappedFile file) : file_(std::move(file)) {}
  template <class Each>
  void visit_blocks(std::size_t i, Each each) const;

  MappedFile file_;
  std::size_t width_ = 0, score_count_ = 0;
  std::span<const CachedRow> rows_;
  std::span<const std::int16_t> scores_;
  std::string identity_;
};

}  // namespace aleph::train
