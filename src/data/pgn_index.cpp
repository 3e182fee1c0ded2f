#include "data/pgn_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <deque>
#include <mutex>
#include <utility>

#include "base/mapped_file.h"
#include "base/sha256.h"
#include "data/byte_stream.h"
#include "data/game_sections.h"

namespace aleph::data {
namespace {

constexpr std::uint64_t kGamesBetweenReports = 256;

// The frames of an archive that may still be asked for. They are added by the thread that
// decompresses ahead, and asked for by the one that looks for games.
class FrameQueue {
 public:
  void add(const FrameStart& frame) {
    const std::lock_guard lock(mutex_);
    frames_.push_back(frame);
  }

  // The frame that holds this byte of the stream, which has been read already. To be asked in the
  // order of the stream: earlier frames are forgotten.
  FrameStart at(std::uint64_t stream_offset) {
    const std::lock_guard lock(mutex_);
    assert(!frames_.empty());
    // Of several that begin at the same byte all but the last are empty.
    while (frames_.size() > 1 && frames_[1].stream_offset <= stream_offset) frames_.pop_front();
    return frames_.front();
  }

 private:
  std::mutex mutex_;
  std::deque<FrameStart> frames_;
};

void index_games(ByteStream& stream, FrameQueue& frames, const IndexOptions& options,
                 PgnIndex& index) {
  const bool has_frames = stream.compression() == Compression::Zstd;
  GameSections sections(stream);
  for (Section section; sections.next(section); ++index.games) {
    if (index.games % options.every == 0)
      index.checkpoints.push_back({index.games + 1, section.offset, section.line,
                                   has_frames ? frames.at(section.offset) : FrameStart{}});
    if (options.on_progress && index.games % kGamesBetweenReports == 0)
      options.on_progress(stream.file_bytes_read());
  }
  index.bytes = sections.bytes_seen();
}

}  // namespace

Result<Fingerprint> fingerprint_of(const std::string& file) {
  const Result<MappedFile> mapped = MappedFile::open(file);
  if (!mapped.ok()) return Error{mapped.error()};
  const auto bytes = mapped.value().bytes();
  const std::size_t end_bytes = std::min(bytes.size(), Fingerprint::kEndBytes);
  Sha256 digest;
  digest.update(bytes.first(end_bytes));
  digest.update(bytes.last(end_bytes));
  return Fingerprint{bytes.size(), to_hex(digest.finish())};
}

const Checkpoint* PgnIndex::checkpoint_before(std::uint64_t game) const {
  if (game == 0 || game > games) return nullptr;
  const std::uint64_t place = (game - 1) / every;
  return place < checkpoints.size() ? &checkpoints[static_cast<std::size_t>(place)] : nullptr;
}

std::uint64_t PgnIndex::entry_offset(const Checkpoint& checkpoint) const {
  switch (compression) {
    case Compression::None: return checkpoint.offset;
    case Compression::Zstd: return checkpoint.frame.stream_offset;
    case Compression::Bzip2:
    case Compression::Gzip: return 0;
  }
  return 0;
}

Result<PgnIndex> make_pgn_index(const std::string& file, const IndexOptions& options) {
  assert(options.every > 0);
  if (file == "-") return Error{"standard input cannot be indexed: a file is needed"};
  const Result<Fingerprint> before = fingerprint_of(file);
  if (!before.ok()) return Error{before.error()};

  FrameQueue frames;  // outlives the stream, whose second thread adds to it
  auto opened = ByteStream::open(
      file, {.read_ahead = true,
             .on_zstd_frame = [&frames](const FrameStart& frame) { frames.add(frame); }});
  if (!opened.ok()) return Error{opened.error()};
  ByteStream stream = opened.take();

  PgnIndex index;
  index.compression = stream.compression();
  index.fingerprint = before.value();
  index.every = options.every;
  index_games(stream, frames, options, index);
  index.problem = stream.problem();

  const Result<Fingerprint> after = fingerprint_of(file);
  if (!after.ok()) return Error{after.error()};
  if (after.value() != before.value())
    return Error{fmt::format("{} changed while it was being indexed", file)};
  return index;
}

}  // namespace aleph::data
