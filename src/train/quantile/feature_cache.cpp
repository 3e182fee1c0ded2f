#include "train/quantile/feature_cache.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace aleph::train {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are");

struct CacheTrailer {
  std::uint64_t rows_at, scores_at, identity_at;
  std::uint64_t rows, identity_size;
  std::uint32_t width, scores;
  std::array<char, 8> magic;
};
static_assert(sizeof(CacheTrailer) == 56);
constexpr std::array<char, 8> kMagic{'A', 'L', 'P', 'H', 'F', 'E', 'A', '1'};

constexpr std::uint64_t aligned(std::uint64_t place) { return (place + 7) / 8 * 8; }

// Bytes at the beginning of a row that say which blocks follow.
constexpr std::size_t mask_bytes(std::size_t width) { return width / 32; }
constexpr std::size_t longest_row(std::size_t width) { return mask_bytes(width) + width; }

// Whether the parts follow each other to the end of the file.
bool is_whole(const CacheTrailer& t, std::uint64_t size) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;  // no product below overflows
  if (t.rows > kMost || t.scores == 0 || t.scores > 64 || t.identity_size > kMost) return false;
  if (t.width == 0 || t.width % 32 != 0 || t.width > 4096 || t.rows_at % 8 != 0) return false;
  return t.rows_at <= size && t.scores_at == aligned(t.rows_at + t.rows * sizeof(CachedRow)) &&
         t.identity_at == aligned(t.scores_at + t.rows * t.scores * sizeof(std::int16_t)) &&
         t.identity_at + t.identity_size + sizeof(CacheTrailer) == size;
}

}  // namespace

const char* quantile_phase_name(int phase) {
  constexpr std::array kNames{"opening", "middle game", "end game"};
  return kNames[static_cast<std::size_t>(phase)];
}

FeatureCacheWriter::FeatureCacheWriter(PendingFile file, std::size_t width, std::size_t scores)
    : file_(std::make_unique<PendingFile>(std::move(file))),
      out_(file_->name(), std::ios::binary),
      width_(width),
      score_count_(scores) {}

Result<FeatureCacheWriter> FeatureCacheWriter::open(const std::filesystem::path& file,
                                                    std::size_t width, std::size_t scores) {
  auto pending = PendingFile::beside(file);
  if (!pending.ok()) return Error{pending.error()};
  return FeatureCacheWriter(pending.take(), width, scores);
}

void FeatureCacheWriter::write(const void* bytes, std::size_t count) {
  out_.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
  at_ += count;
}

void FeatureCacheWriter::align() {
  constexpr std::array<char, 8> kZeros{};
  write(kZeros.data(), aligned(at_) - at_);
}

void FeatureCacheWriter::add(CachedRow row, std::span<const std::uint8_t> features,
                             std::span<const std::int16_t> scores) {
  packed_.assign(mask_bytes(width_), 0);
  for (std::size_t block = 0; block < width_ / 4; ++block) {
    const std::uint8_t* const four = features.data() + 4 * block;
    if ((four[0] | four[1] | four[2] | four[3]) == 0) continue;
    packed_[block / 8] = static_cast<std::uint8_t>(packed_[block / 8] | 1U << block % 8);
    packed_.insert(packed_.end(), four, four + 4);
  }
  row.features = at_;
  write(packed_.data(), packed_.size());
  rows_.push_back(row);
  scores_.insert(scores_.end(), scores.begin(), scores.end());
}

Status FeatureCacheWriter::finish(const std::string& identity) {
  CacheTrailer trailer{};
  // A damaged mask of the last row may ask for all blocks: they must be inside of the file.
  const std::vector<char> room(longest_row(width_));
  write(room.data(), room.size());
  align();
  trailer.rows_at = at_;
  write(rows_.data(), rows_.size() * sizeof(CachedRow));
  align();
  trailer.scores_at = at_;
  write(scores_.data(), scores_.size() * sizeof(std::int16_t));
  align();
  trailer.identity_at = at_;
  write(identity.data(), identity.size());
  trailer.rows = rows_.size();
  trailer.identity_size = identity.size();
  trailer.width = static_cast<std::uint32_t>(width_);
  trailer.scores = static_cast<std::uint32_t>(score_count_);
  trailer.magic = kMagic;
  write(&trailer, sizeof trailer);
  out_.close();
  if (!out_) return Error{fmt::format("cannot write {}", file_->target().string())};
  return file_->keep();
}

Result<FeatureCache> FeatureCache::open(const std::filesystem::path& path) {
  auto file = MappedFile::open(path);
  if (!file.ok()) return Error{file.error()};
  FeatureCache cache(file.take());
  const std::span<const std::byte> bytes = cache.file_.bytes();
  CacheTrailer trailer{};
  if (bytes.size() >= sizeof trailer)
    std::memcpy(&trailer, bytes.data() + bytes.size() - sizeof trailer, sizeof trailer);
  if (trailer.magic != kMagic)
    return Error{fmt::format("{}: this is no file of features", path.string())};
  if (!is_whole(trailer, bytes.size()))
    return Error{fmt::format("{}: the file of features is damaged", path.string())};
  cache.width_ = trailer.width;
  cache.score_count_ = trailer.scores;
  // Pages are aligned, and so are the parts in the file.
  cache.rows_ = {reinterpret_cast<const CachedRow*>(bytes.data() + trailer.rows_at), trailer.rows};
  cache.scores_ = {reinterpret_cast<const std::int16_t*>(bytes.data() + trailer.scores_at),
                   trailer.rows * trailer.scores};
  cache.identity_ = cache.file_.text().substr(trailer.identity_at, trailer.identity_size);
  for (const CachedRow& row : cache.rows_)
    if (row.features > trailer.rows_at ||
        row.features + longest_row(cache.width_) > trailer.rows_at || row.bucket > 7 ||
        row.phase >= kPhases)
      return Error{fmt::format("{}: the file of features is damaged", path.string())};
  return cache;
}

template <class Each>
void FeatureCache::visit_blocks(std::size_t i, Each each) const {
  const std::byte* const mask = file_.bytes().data() + rows_[i].features;
  const std::byte* block = mask + mask_bytes(width_);
  for (std::size_t m = 0; m < mask_bytes(width_); ++m)
    for (auto bits = static_cast<unsigned>(mask[m]); bits != 0; bits &= bits - 1, block += 4)
      each(8 * m + static_cast<std::size_t>(std::countr_zero(bits)), block);
}

void FeatureCache::unpack(std::size_t i, std::uint8_t* bytes) const {
  std::memset(bytes, 0, width_);
  visit_blocks(i, [bytes](std::size_t at, const std::byte* block) {
    std::memcpy(bytes + 4 * at, block, 4);
  });
}

void FeatureCache::unpack(std::size_t i, nnue::TransformedFeatures& features) const {
  std::memset(features.bytes.data(), 0, width_);
  features.block_count = 0;
  visit_blocks(i, [&](std::size_t at, const std::byte* block) {
    std::memcpy(features.bytes.data() + 4 * at, block, 4);
    features.blocks[features.block_count++] = static_cast<std::uint16_t>(at);
  });
}

std::size_t FeatureCache::unpack_sparse(std::size_t i, std::uint16_t* places, float* values) const {
  std::size_t count = 0;
  visit_blocks(i, [&](std::size_t at, const std::byte* block) {
    for (std::size_t j = 0; j < 4; ++j) {
      if (block[j] == std::byte{0}) continue;
      places[count] = static_cast<std::uint16_t>(4 * at + j);
      values[count++] = static_cast<float>(block[j]);
    }
  });
  return count;
}

}  // namespace aleph::train
