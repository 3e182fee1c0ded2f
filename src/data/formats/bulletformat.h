#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "data/formats/scored_reader.h"
#include "data/scored_position.h"

// The 32-byte records that the trainer "bullet" reads: pieces, score and result as the side to move
// sees them. docs/formats/bulletformat.md has the bytes.
//
// A record has no colours, only "ours" and "theirs", so what is read has White to move. It has no
// castling rights, no en passant, no clocks, no move and no place in a game either: they are not
// there, 0 and 1, and unknown.
namespace aleph::data {

using BulletRecord = std::array<std::byte, 32>;

// Says what is wrong with a record that is no legal position.
Result<ScoredPosition> read_bullet_record(const BulletRecord& record);

// Says what a record cannot hold: a result that is not known, a score beyond 16 bits.
Result<BulletRecord> make_bullet_record(const ScoredPosition& scored);
Status append_bullet(const ScoredPosition& scored, std::string& out);

class BulletReader final : public ScoredReader {
 public:
  using ScoredReader::ScoredReader;
  bool next(ScoredPosition& out) override;
  ScoredFormat format() const override { return ScoredFormat::Bulletformat; }

 private:
  std::uint64_t number_ = 0;  // of the record last read, the first being 1
};

}  // namespace aleph::data
