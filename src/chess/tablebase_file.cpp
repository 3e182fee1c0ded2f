#include "chess/tablebase_file.h"

#include <fmt/format.h>

#include <utility>

namespace aleph::chess::tablebase {

namespace {

constexpr std::uint32_t kWdlMagic = 0x5D23E871, kDtzMagic = 0xA50C66D7;

// The byte behind the magic number.
constexpr std::uint8_t kTwoSided = 1, kHasPawns = 2;

// The flags of a set of DTZ values. Without the flags for plies, wins or losses are counted in
// moves.
constexpr std::uint8_t kBlackToMove = 1, kInLists = 2, kWinsInPlies = 4, kLossesInPlies = 8,
                       kWideLists = 16;

// Blocks end on a multiple of 64, and a checksum of 16 bytes follows.
constexpr std::size_t kAlignment = 64, kChecksum = 16;

std::optional<Piece> piece_of_code(int code) {
  const int type = (code & 7) - 1;
  if (type < index(PieceType::Pawn) || type > index(PieceType::King)) return std::nullopt;
  return Piece((code & 8) != 0 ? Color::Black : Color::White, static_cast<PieceType>(type));
}

std::size_t list_for(Wdl wdl) {
  switch (wdl) {
    case Wdl::Loss: return 1;
    case Wdl::CursedWin: return 2;
    case Wdl::BlessedLoss: return 3;
    case Wdl::Win:
    case Wdl::Draw: break;
  }
  return 0;
}

bool counts_plies(std::uint8_t flags, Wdl wdl) {
  if (wdl == Wdl::Win) return (flags & kWinsInPlies) != 0;
  if (wdl == Wdl::Loss) return (flags & kLossesInPlies) != 0;
  return false;
}

}  // namespace

Result<TableFile> TableFile::open(const std::filesystem::path& path, Material material,
                                  TableKind kind) {
  Result<MappedFile> mapping = MappedFile::open(path);
  if (!mapping.ok()) return Error{mapping.error()};
  TableFile table(material, kind);
  table.mapping_.emplace(mapping.take());
  if (const Status status = table.read_all(table.mapping_->bytes()); !status.ok())
    return Error{fmt::format("cannot use {}: {}", path.string(), status.error())};
  return table;
}

Result<TableFile> TableFile::read(Bytes bytes, Material material, TableKind kind) {
  TableFile table(material, kind);
  if (const Status status = table.read_all(bytes); !status.ok()) return Error{status.error()};
  return table;
}

Status TableFile::read_all(Bytes bytes) {
  ByteReader reader(bytes);
  const std::uint32_t magic = reader.u32();
  if (!reader.ok() || magic != (kind_ == TableKind::Wdl ? kWdlMagic : kDtzMagic))
    return Error{
        fmt::format("it is not a Syzygy {} file", kind_ == TableKind::Wdl ? "WDL" : "DTZ")};
  if (bytes.size() % kAlignment != kChecksum) return Error{"it is cut short"};
  const std::uint8_t flags = reader.u8();
  if (((flags & kTwoSided) != 0) == symmetric_ || ((flags & kHasPawns) != 0) != (files() == 4))
    return Error{"it is for other pieces than its name says"};

  Result<std::vector<Numbering>> numberings = read_numberings(reader);
  if (!numberings.ok()) return Error{numberings.error()};
  reader.align(2);
  for (const Numbering& numbering : numberings.value()) {
    auto values = CompressedValues::read_description(reader, numbering.size());
    if (!values.ok()) return Error{values.error()};
    parts_.push_back({numbering, values.take(), {}});
  }
  if (kind_ == TableKind::Dtz) read_value_lists(reader);
  for (Part& part : parts_) part.values.take_sparse_index(reader);
  for (Part& part : parts_) part.values.take_block_lengths(reader);
  for (Part& part : parts_) part.values.take_blocks(reader);
  if (!reader.ok() || reader.position() > bytes.size() - kChecksum) return Error{"it is cut short"};
  return Status::success();
}

// For each file of the leading pawn: the places of two groups and then the order of the pieces, in
// every byte for White to move in the low half and for Black in the high one.
Result<std::vector<Numbering>> TableFile::read_numberings(ByteReader& reader) const {
  const int count = material_.pieces();
  const bool both_have_pawns = material_.count(Piece(Color::White, PieceType::Pawn)) > 0 &&
                               material_.count(Piece(Color::Black, PieceType::Pawn)) > 0;
  std::vector<Numbering> numberings;
  for (int file = 0; file < files(); ++file) {
    const int leading = reader.u8();
    const int other_pawns = both_have_pawns ? reader.u8() : 0;
    const Bytes codes = reader.take(static_cast<std::uint64_t>(count));
    if (!reader.ok()) return Error{"it is cut short"};
    for (int side = 0; side < sides(); ++side) {
      const auto half = [side](int byte) { return side == 0 ? byte & 15 : byte >> 4; };
      std::vector<Piece> order;
      for (const std::byte code : codes)
        if (const auto piece = piece_of_code(half(std::to_integer<int>(code))))
          order.push_back(*piece);
      const GroupPlaces places{half(leading), half(other_pawns)};
      auto numbering = Numbering::make(material_, order, places, file);
      if (!numbering.ok()) return Error{numbering.error()};
      numberings.push_back(numbering.value());
    }
  }
  return numberings;
}

void TableFile::read_value_lists(ByteReader& reader) {
  for (Part& part : parts_) {
    if ((part.values.flags() & kInLists) == 0) continue;
    const bool wide = (part.values.flags() & kWideLists) != 0;
    if (wide) reader.align(2);
    for (ValueList& list : part.lists) {
      const std::uint64_t count = wide ? reader.u16() : reader.u8();
      list = {reader.take(wide ? 2 * count : count), wide};
    }
  }
  reader.align(2);
}

TableFile::View TableFile::view_of(const Board& board, bool swapped) const {
  const bool black_to_move = board.side_to_move() == Color::Black;
  // With equal pieces on both sides only White's turn is stored.
  if (symmetric_) return {black_to_move, 0};
  return {swapped, black_to_move != swapped ? 1 : 0};
}

const TableFile::Part& TableFile::part_of(const Board& board, View view) const {
  const int file = files() == 1 ? 0 : leading_file(board, leading_side_, view.swapped);
  const int side = sides() == 1 ? 0 : view.side;
  return parts_[static_cast<std::size_t>(file * sides() + side)];
}

std::optional<Wdl> TableFile::wdl(const Board& board, bool swapped) const {
  const View view = view_of(board, swapped);
  const Part& part = part_of(board, view);
  const auto value = part.values.at(part.numbering.index_of(board, view.swapped));
  if (!value || *value > 4) return std::nullopt;
  return static_cast<Wdl>(static_cast<int>(*value) - 2);
}

std::optional<StoredDtz> TableFile::dtz(const Board& board, bool swapped, Wdl wdl) const {
  const View view = view_of(board, swapped);
  const Part& part = part_of(board, view);
  const std::uint8_t flags = part.values.flags();
  const bool either_side = symmetric_ && files() == 1;
  if (!either_side && (flags & kBlackToMove) != view.side) return StoredDtz{true, 0};
  auto value = part.values.at(part.numbering.index_of(board, view.swapped));
  if (!value) return std::nullopt;
  if ((flags & kInLists) != 0) {
    const ValueList& list = part.lists[list_for(wdl)];
    if (*value >= list.entries.size() / (list.wide ? 2 : 1)) return std::nullopt;
    value =
        list.wide ? little16(list.entries, 2 * std::size_t{*value}) : byte_at(list.entries, *value);
  }
  return StoredDtz{false, static_cast<int>(*value) * (counts_plies(flags, wdl) ? 1 : 2) + 1};
}

}  // namespace aleph::chess::tablebase
