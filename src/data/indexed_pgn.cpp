#include "data/indexed_pgn.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "data/pgn_batches.h"
#include "data/pgn_index_file.h"
#include "data/pgn_reader.h"

namespace aleph::data {
namespace {

// False if the stream ends before so many bytes.
bool skip(ByteStream& stream, std::uint64_t bytes) {
  std::vector<char> block(std::size_t{1} << 17);
  while (bytes > 0) {
    const std::uint64_t wanted = std::min<std::uint64_t>(bytes, block.size());
    const std::size_t count = stream.read(std::span(block).first(static_cast<std::size_t>(wanted)));
    if (count == 0) return false;
    bytes -= count;
  }
  return true;
}

std::uint64_t file_offset_of(const Checkpoint& checkpoint, Compression compression) {
  switch (compression) {
    case Compression::None: return checkpoint.offset;
    case Compression::Zstd: return checkpoint.frame.file_offset;
    case Compression::Bzip2:
    case Compression::Gzip: return 0;
  }
  return 0;
}

Error no_such_game(const std::string& file, const PgnIndex& index, std::uint64_t game) {
  return Error{fmt::format("{} has no game {}: it has {}", file, with_thousands(game),
                           with_thousands(index.games))};
}

// An index with the right fingerprint that nevertheless promises what is not there.
Error does_not_fit(const ByteStream& stream, std::uint64_t game) {
  if (const auto problem = stream.problem()) return Error{*problem};
  return Error{fmt::format("{}: game {} is not where the index says: index the file again",
                           stream.name(), with_thousands(game))};
}

Status check_unchanged(const std::string& file, const PgnIndex& index) {
  const Result<Fingerprint> now = fingerprint_of(file);
  if (!now.ok()) return Error{now.error()};
  if (now.value() == index.fingerprint) return Status::success();
  return Error{fmt::format("{} has changed since it was indexed: index it again", file)};
}

}  // namespace

Result<PositionedStream> open_at(const std::string& file, const PgnIndex& index,
                                 std::uint64_t game) {
  if (const Status unchanged = check_unchanged(file, index); !unchanged.ok())
    return Error{unchanged.error()};
  const Checkpoint* const checkpoint = index.checkpoint_before(game);
  if (checkpoint == nullptr) return no_such_game(file, index, game);

  auto opened =
      ByteStream::open(file, {.file_offset = file_offset_of(*checkpoint, index.compression)});
  if (!opened.ok()) return Error{opened.error()};
  ByteStream stream = opened.take();
  if (stream.compression() != index.compression ||
      !skip(stream, checkpoint->offset - index.entry_offset(*checkpoint)))
    return does_not_fit(stream, game);
  return PositionedStream{std::move(stream), *checkpoint, game - checkpoint->game};
}

IndexedPgn::Entered::Entered(PositionedStream positioned)
    : stream(std::move(positioned.stream)),
      sections(stream),
      checkpoint(positioned.checkpoint),
      next_game(checkpoint.game) {}

IndexedPgn::IndexedPgn(std::string file, PgnIndex index)
    : file_(std::move(file)), index_(std::move(index)) {}

Result<IndexedPgn> IndexedPgn::open(const std::string& file) {
  Result<PgnIndex> index = read_pgn_index(index_path_of(file));
  if (!index.ok()) return Error{index.error()};
  if (const Status unchanged = check_unchanged(file, index.value()); !unchanged.ok())
    return Error{unchanged.error()};
  return IndexedPgn(file, index.take());
}

Result<Section> IndexedPgn::section(std::uint64_t number) {
  const Checkpoint* const checkpoint = index_.checkpoint_before(number);
  if (checkpoint == nullptr) return no_such_game(file_, index_, number);
  const bool can_read_on = entered_ && entered_->next_game <= number &&
                           index_.entry_offset(*checkpoint) <= entered_->position();
  if (!can_read_on) {
    entered_.reset();
    auto opened = open_at(file_, index_, number);
    if (!opened.ok()) return Error{opened.error()};
    entered_ = std::make_unique<Entered>(opened.take());
  }

  Section section;
  for (; entered_->next_game <= number; ++entered_->next_game)
    if (!entered_->sections.next(section)) {
      const Error reason = does_not_fit(entered_->stream, number);
      entered_.reset();
      return reason;
    }
  section.offset += entered_->checkpoint.offset;
  section.line += entered_->checkpoint.line - 1;
  return section;
}

Result<Game> IndexedPgn::game(std::uint64_t number, ReadOptions options) {
  const Result<Section> found = section(number);
  if (!found.ok()) return Error{found.error()};
  Batch only_this;
  only_this.add(found.value());

  std::string why_bad;
  PgnReader reader(only_this, file_, options, [&](PgnProblem problem) {
    if (problem.severity != PgnProblem::Severity::BadGame || !why_bad.empty()) return;
    problem.game = number;
    why_bad = problem.describe();
  });
  Game game;
  const bool found_good = reader.next(game);
  if (!why_bad.empty()) return Error{why_bad};  // also if a good game follows in the same section
  if (!found_good) return Error{fmt::format("{}: game {} is not there", file_, number)};
  game.number = number;
  return game;
}

}  // namespace aleph::data
