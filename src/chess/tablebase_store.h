// The tablebase files that were found in some folders, opened when they are first asked for.
// Any number of threads may ask at the same time; only opening takes a lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chess/board.h"
#include "chess/tablebase_file.h"
#include "chess/tablebase_material.h"

namespace aleph::chess::tablebase {

class TableStore {
 public:
  // Folders separated by ':'. Of two files with the same name the first is used.
  explicit TableStore(std::string_view folders);

  int max_pieces() const { return max_pieces_; }  // of WDL files; 0: there are none
  std::size_t count(TableKind kind) const { return kind == TableKind::Wdl ? wdls_ : dtzs_; }
  // One sentence for each folder or file that cannot be used, as far as they have been tried.
  std::vector<std::string> warnings() const;

  // As stored (see tablebase_file.h). nullopt: there is no such file, or it is damaged.
  std::optional<Wdl> wdl(const Board& board) const;
  std::optional<StoredDtz> dtz(const Board& board, Wdl wdl) const;

 private:
  enum class State : std::uint8_t { Closed, Open, Refused };

  struct Entry {
    Entry(std::filesystem::path where, Material pieces, TableKind which)
        : path(std::move(where)), material(pieces), kind(which) {}

    std::filesystem::path path;
    Material material;
    TableKind kind;
    std::atomic<State> state = State::Closed;
    std::optional<TableFile> file;  // not touched any more once state is not Closed
  };
  // Both colourings of a material have a slot.
  struct Slot {
    Material material;  // bare kings: the slot is free
    bool swapped = false;
    Entry* wdl = nullptr;
    Entry* dtz = nullptr;
  };

  void scan(const std::filesystem::path& folder);
  void add(const std::filesystem::path& path, TableKind kind);
  void fill_slots();
  std::size_t slot_number(Material material) const;
  const Slot* find(const Board& board) const;

  const TableFile* opened(Entry& entry) const;
  void refuse(Entry& entry, std::string sentence) const;  // with the lock
  void report_damage(Entry& entry) const;

  std::deque<Entry> entries_;  // never moved: slots point to them
  std::vector<Slot> slots_;    // a power of two, at most half of them used
  std::size_t wdls_ = 0, dtzs_ = 0;
  int max_pieces_ = 0;

  mutable std::mutex mutex_;  // for opening files and for warnings_
  mutable std::vector<std::string> warnings_;
};

}  // namespace aleph::chess::tablebase
