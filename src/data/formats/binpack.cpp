#include "data/formats/binpack.h"

#include <fmt/format.h>

#include <utility>

#include "base/progress.h"
#include "data/formats/binpack_moves.h"
#include "data/formats/binpack_stem.h"

namespace aleph::data {
namespace {

constexpr std::size_t kCount = 2;  // bytes: how many moves follow the first position of a chain

}  // namespace

BinpackReader::BinpackReader(RecordInput input) : ScoredReader(std::move(input)), chunks_(input_) {}

bool BinpackReader::next(ScoredPosition& out) {
  for (;;) {
    if (moves_left_ > 0) {
      if (!follow_chain()) continue;
    } else if (at_ < chunk_.bytes.size()) {
      if (!begin_chain()) continue;
    } else if (enter_next_chunk()) {
      continue;
    } else {
      return false;
    }
    tally_.add_good();
    out = latest_;
    return true;
  }
}

bool BinpackReader::enter_next_chunk() {
  if (chunk_.is_cut())
    report(chunk_.bytes.size(),
           fmt::format("the file ends within the chunk, after {} of {} bytes",
                       with_thousands(chunk_.bytes.size()), with_thousands(chunk_.announced)));
  at_ = 0;
  if (chunks_.next(chunk_)) return true;
  chunk_ = BinpackChunk();
  if (const auto problem = chunks_.take_problem()) tally_.add_bad(*problem);
  return false;
}

bool BinpackReader::begin_chain() {
  const std::size_t begin = at_;
  const std::span<const std::byte> rest = std::span<const std::byte>(chunk_.bytes).subspan(begin);
  if (rest.size() < kBinpackStemBytes + kCount) {
    leave_chunk(begin, fmt::format("{} bytes are left over, too few for a chain", rest.size()));
    return false;
  }
  const int count = load_big_endian<std::uint16_t>(rest.data() + kBinpackStemBytes);
  at_ += kBinpackStemBytes + kCount;
  Result<ScoredPosition> stem = read_binpack_stem(rest.first<kBinpackStemBytes>());
  if (!stem.ok()) {
    if (count == 0)
      report(begin, stem.error());
    else
      leave_chunk(begin, stem.error());
    return false;
  }
  latest_ = stem.take();
  moves_left_ = count;
  moves_ = BitReader(rest.subspan(kBinpackStemBytes + kCount));
  return true;
}

bool BinpackReader::follow_chain() {
  if (const Status status = take_step(); !status.ok()) {
    leave_chunk(at_ + moves_.bytes_begun(), status.error());
    return false;
  }
  if (--moves_left_ == 0) at_ += moves_.bytes_begun();
  return true;
}

Status BinpackReader::take_step() {
  if (!latest_.move) return Error{"the chain goes on after a position that has no move"};
  latest_.position.make(latest_.move);
  // Anew from its setup: what is handed out has no history.
  Result<chess::Position> position = chess::Position::from(latest_.position.setup());
  if (!position.ok()) return Error{position.error()};
  const Result<chess::Move> move = take_binpack_move(moves_, position.value());
  if (!move.ok()) return Error{move.error()};
  const Result<int> difference = take_binpack_score_difference(moves_);
  if (!difference.ok()) return Error{difference.error()};
  latest_.position = position.take();
  latest_.move = move.value();
  // Sixteen bits that may run over, as in the programs that write them.
  latest_.score = static_cast<std::int16_t>(difference.value() - latest_.score);
  latest_.ply = static_cast<std::uint16_t>(*latest_.ply + 1);
  return Status::success();
}

void BinpackReader::report(std::size_t at, const std::string& reason) {
  tally_.add_bad(binpack_problem(input_, chunk_.number, chunk_.offset + at, reason));
}

// In a chunk that the end of the file cuts short, a chain that breaks off is no news.
void BinpackReader::leave_chunk(std::size_t at, const std::string& reason) {
  if (!chunk_.is_cut()) report(at, reason + "; the rest of the chunk is passed over");
  at_ = chunk_.bytes.size();
  moves_left_ = 0;
}

}  // namespace aleph::data
