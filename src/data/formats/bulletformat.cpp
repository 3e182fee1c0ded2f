#include "data/formats/bulletformat.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <utility>

#include "base/little_endian.h"
#include "base/progress.h"
#include "chess/position.h"
#include "data/formats/result_view.h"

namespace aleph::data {
namespace {

using chess::Color, chess::Piece, chess::PieceType, chess::Square;

// Three spare bytes follow. Trainers may keep anything there, and older writers left it unset.
constexpr std::size_t kOccupied = 0, kPieces = 8, kScore = 24, kResult = 26, kOurKing = 27,
                      kTheirKing = 28;
constexpr int kMostPieces = 32;
constexpr unsigned kTheirs = 8;  // in a nibble; the other three bits are the type

std::optional<Piece> piece_of(unsigned nibble) {
  const unsigned type = nibble & 7;
  if (type >= static_cast<unsigned>(chess::kPieceTypes)) return std::nullopt;
  return Piece((nibble & kTheirs) != 0 ? Color::Black : Color::White, static_cast<PieceType>(type));
}

Status place_pieces(const BulletRecord& record, chess::Setup& setup) {
  const chess::Bitboard occupied(load_little_endian<std::uint64_t>(record.data() + kOccupied));
  if (occupied.count() > kMostPieces)
    return Error{
        fmt::format("there are {} pieces, {} at most fit a record", occupied.count(), kMostPieces)};
  std::size_t place = 0;
  for (const Square square : occupied) {
    const auto byte = std::to_integer<unsigned>(record[kPieces + place / 2]);
    const unsigned nibble = byte >> (place % 2 * 4) & 15;
    const auto piece = piece_of(nibble);
    if (!piece) return Error{fmt::format("there is no piece {}", nibble)};
    setup.pieces[static_cast<std::size_t>(square.index())] = piece;
    ++place;
  }
  return Status::success();
}

// The squares of the kings are in the record twice: among the pieces, and by themselves, each as
// its owner sees it. If the two differ, the bytes are something else.
bool kings_agree(const BulletRecord& record, const chess::Position& position) {
  return std::to_integer<int>(record[kOurKing]) == position.king(Color::White).index() &&
         std::to_integer<int>(record[kTheirKing]) ==
             position.king(Color::Black).relative_to(Color::Black).index();
}

}  // namespace

Result<ScoredPosition> read_bullet_record(const BulletRecord& record) {
  chess::Setup setup;
  if (const Status status = place_pieces(record, setup); !status.ok()) return Error{status.error()};
  const int half_points = std::to_integer<int>(record[kResult]);
  if (half_points > 2)
    return Error{fmt::format("the result {} is none of 0, 1 and 2", half_points)};
  Result<chess::Position> position = chess::Position::from(setup);
  if (!position.ok()) return Error{position.error()};
  if (!kings_agree(record, position.value()))
    return Error{"the squares of the kings are not where the kings are"};
  const auto score =
      static_cast<std::int16_t>(load_little_endian<std::uint16_t>(record.data() + kScore));
  return ScoredPosition{position.take(), chess::Move(), score,
                        result_of(half_points - 1, Color::White), std::nullopt};
}

Result<BulletRecord> make_bullet_record(const ScoredPosition& scored) {
  const chess::Position& position = scored.position;
  const Color us = position.side_to_move();
  const auto points = points_of(scored.result, us);
  if (!points) return Error{"the result is not known, and a record must have one"};
  using Limits = std::numeric_limits<std::int16_t>;
  if (scored.score < Limits::min() || scored.score > Limits::max())
    return Error{fmt::format("the score {} does not fit 16 bits", scored.score)};

  BulletRecord record{};
  std::uint64_t occupied = 0;
  std::size_t place = 0;
  for (int i = 0; i < 64; ++i) {
    const auto piece = position.piece_at(Square::from_index(i).relative_to(us));
    if (!piece) continue;
    occupied |= std::uint64_t{1} << i;
    const unsigned nibble =
        static_cast<unsigned>(chess::index(piece->type())) | (piece->color() == us ? 0 : kTheirs);
    record[kPieces + place / 2] |= static_cast<std::byte>(nibble << (place % 2 * 4));
    ++place;
  }
  store_little_endian(record.data() + kOccupied, occupied);
  store_little_endian(record.data() + kScore, static_cast<std::uint16_t>(scored.score));
  record[kResult] = static_cast<std::byte>(*points + 1);
  record[kOurKing] = static_cast<std::byte>(position.king(us).relative_to(us).index());
  record[kTheirKing] = static_cast<std::byte>(position.king(~us).relative_to(~us).index());
  return record;
}

Status append_bullet(const ScoredPosition& scored, std::string& out) {
  const Result<BulletRecord> record = make_bullet_record(scored);
  if (!record.ok()) return Error{record.error()};
  for (const std::byte byte : record.value()) out += static_cast<char>(byte);
  return Status::success();
}

bool BulletReader::next(ScoredPosition& out) {
  BulletRecord record;
  for (;;) {
    const std::uint64_t begin = input_.offset();
    const std::size_t count = input_.take(record);
    if (count == 0) return false;
    ++number_;
    const auto bad = [&](const std::string& reason) {
      tally_.add_bad(fmt::format("{}: record {} at byte {}: {}", input_.name(),
                                 with_thousands(number_), with_thousands(begin), reason));
    };
    if (count < record.size()) {
      bad(fmt::format("it is cut short, {} of {} bytes", count, record.size()));
      return false;
    }
    Result<ScoredPosition> scored = read_bullet_record(record);
    if (scored.ok()) {
      tally_.add_good();
      out = scored.take();
      return true;
    }
    bad(scored.error());
  }
}

}  // namespace aleph::data
