// One tablebase file: KQvKR.rtbw (win, draw or loss) or KQvKR.rtbz (distance to the next capture or
// pawn move).
//
// What is stored is not the whole truth. A position with a good capture may have any value in the
// file that is not too good, so that it compresses better; en passant and castling are unknown to
// it; and a DTZ file has only one of the sides to move. Tablebases puts all that right.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "chess/board.h"
#include "chess/tablebase_bytes.h"
#include "chess/tablebase_index.h"
#include "chess/tablebase_material.h"
#include "chess/tablebase_values.h"
#include "chess/tablebase_wdl.h"

namespace aleph::chess::tablebase {

enum class TableKind : std::uint8_t { Wdl, Dtz };

struct StoredDtz {
  bool other_side = false;  // the file has only positions with the other side to move
  int plies = 0;            // at least 1; without sign, and without the hundred of cursed wins
};

class TableFile {
 public:
  // Fails with one sentence about the file: "its order of pieces is damaged". `material` is that of
  // the file's name.
  static Result<TableFile> open(const std::filesystem::path& path, Material material,
                                TableKind kind);
  // The same for bytes in memory, which must outlive the object.
  static Result<TableFile> read(Bytes bytes, Material material, TableKind kind);

  // The board has the file's material, in the colours of its name, or the other way round if
  // `swapped`. nullopt: the file is damaged.
  std::optional<Wdl> wdl(const Board& board, bool swapped) const;
  // `wdl` is the value of the position; not Draw.
  std::optional<StoredDtz> dtz(const Board& board, bool swapped, Wdl wdl) const;

 private:
  // DTZ values may be numbers of entries in one of four lists: for wins, losses, cursed wins,
  // blessed losses.
  struct ValueList {
    Bytes entries;
    bool wide = false;  // two bytes an entry, not one
  };
  // For one side to move and one file of the leading pawn.
  struct Part {
    Numbering numbering;
    CompressedValues values;
    std::array<ValueList, 4> lists{};
  };
  struct View {
    bool swapped;
    int side;  // to move: 0 for White of the file's name
  };

  TableFile(Material material, TableKind kind) : material_(material), kind_(kind) {}

  Status read_all(Bytes bytes);
  Result<std::vector<Numbering>> read_numberings(ByteReader& reader) const;
  void read_value_lists(ByteReader& reader);

  int sides() const { return kind_ == TableKind::Dtz || symmetric_ ? 1 : 2; }
  int files() const { return material_.has_pawns() ? 4 : 1; }
  View view_of(const Board& board, bool swapped) const;
  const Part& part_of(const Board& board, View view) const;

  std::optional<MappedFile> mapping_;
  Material material_;
  TableKind kind_;
  bool symmetric_ = material_.is_symmetric();
  Color leading_side_ = leading_pawns_of(material_);
  std::vector<Part> parts_;  // by file, then side
};

}  // namespace aleph::chess::tablebase
