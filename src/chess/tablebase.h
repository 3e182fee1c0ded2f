// Syzygy endgame tablebases: perfect answers for positions with few pieces.
//
//   const Tablebases tables = Tablebases::open("/data/syzygy/3-4-5:/data/syzygy/6");
//   if (const auto wdl = tables.probe_wdl(position)) ...
//
// Files are looked for at once and mapped into memory when they are first needed. A damaged file is
// refused with a sentence in warnings(); the others keep working. Probing is const and may be done
// by any number of threads at the same time; it takes a lock only to open a file. Nothing is shared
// between two objects.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chess/position.h"
#include "chess/tablebase_wdl.h"

namespace aleph::chess {

namespace tablebase {
class TableStore;
}

class Tablebases {
 public:
  Tablebases();  // no tables: every probe declines
  // Folders separated by ':', as in the UCI option SyzygyPath; "" and "<empty>" are none.
  static Tablebases open(std::string_view folders);

  Tablebases(Tablebases&&) noexcept;
  Tablebases& operator=(Tablebases&&) noexcept;
  ~Tablebases();

  int max_pieces() const;  // kings included; 0: no tables
  std::size_t wdl_tables() const;
  std::size_t dtz_tables() const;
  // One sentence for each folder or file that cannot be used, as far as they have been tried.
  std::vector<std::string> warnings() const;

  // The value for the side to move if the fifty-move clock stood at 0 (whatever it says).
  // Declines if there are castling rights, more pieces than max_pieces(), or a file is missing.
  // Does not allocate, except for opening a file.
  std::optional<Wdl> probe_wdl(const Position& position) const;

  // Plies to the next capture, pawn move or mate, when the winner hurries and the loser delays:
  //      n > 0   a win; if n > 100, a cursed one, with a zeroing move after n - 100 plies
  //      0       a draw
  //      n < 0   a loss likewise; -1 also if the side to move is mated
  // May be one too small: some tables count in moves. That is never so at the edge of the
  // fifty-move rule: n + halfmove clock <= 99 is a certain win. Declines as probe_wdl does. Not
  // fast.
  std::optional<int> probe_dtz(const Position& position) const;

 private:
  std::unique_ptr<tablebase::TableStore> store_;  // null: no tables
};

}  // namespace aleph::chess
