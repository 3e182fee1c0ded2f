#include "chess/tablebase_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <system_error>
#include <utility>

#include "base/text.h"

namespace aleph::chess::tablebase {

namespace fs = std::filesystem;

TableStore::TableStore(std::string_view folders) {
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    if (const auto folder = trim(folders.substr(0, end)); !folder.empty()) scan(fs::path(folder));
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  fill_slots();
}

void TableStore::scan(const fs::path& folder) {
  std::error_code problem;
  fs::directory_iterator file(folder, problem);
  std::vector<fs::path> found;
  for (; !problem && file != fs::directory_iterator(); file.increment(problem))
    found.push_back(file->path());
  if (problem)
    warnings_.push_back(
        fmt::format("cannot read the folder {}: {}", folder.string(), problem.message()));
  std::sort(found.begin(), found.end());  // so that warnings come in the same order everywhere
  for (const fs::path& path : found) {
    if (path.extension() == ".rtbw") add(path, TableKind::Wdl);
    if (path.extension() == ".rtbz") add(path, TableKind::Dtz);
  }
}

void TableStore::add(const fs::path& path, TableKind kind) {
  const auto material = Material::parse(path.stem().string());
  if (!material || material->pieces() < 3) {
    warnings_.push_back(fmt::format(
        "cannot use {}: its name does not say which pieces it is for, at most {} with the kings",
        path.string(), kMaxPieces));
    return;
  }
  const bool known = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.kind == kind && entry.material == *material;
  });
  if (known) return;
  entries_.emplace_back(path, *material, kind);
  ++(kind == TableKind::Wdl ? wdls_ : dtzs_);
  if (kind == TableKind::Wdl) max_pieces_ = std::max(max_pieces_, material->pieces());
}

void TableStore::fill_slots() {
  if (entries_.empty()) return;
  slots_.resize(std::bit_ceil(4 * entries_.size()));
  for (Entry& entry : entries_)
    for (const bool swapped : {false, true}) {
      const Material material = swapped ? entry.material.with_colors_swapped() : entry.material;
      if (swapped && material == entry.material) continue;
      Slot& slot = slots_[slot_number(material)];
      // KQvKR and KRvKQ cannot both be right; the one that came first stays.
      if (slot.material == material && slot.swapped != swapped) continue;
      slot.material = material;
      slot.swapped = swapped;
      (entry.kind == TableKind::Wdl ? slot.wdl : slot.dtz) = &entry;
    }
}

// The slot of the material, or the free one where it would be.
std::size_t TableStore::slot_number(Material material) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = static_cast<std::size_t>(material.bits() * 0x9E37'79B9'7F4A'7C15ULL >> 32);
  while (slots_[i & mask].material.bits() != 0 && slots_[i & mask].material != material) ++i;
  return i & mask;
}

const TableStore::Slot* TableStore::find(const Board& board) const {
  if (slots_.empty()) return nullptr;
  const Slot& slot = slots_[slot_number(Material::of(board))];
  return slot.material.bits() != 0 ? &slot : nullptr;
}

const TableFile* TableStore::opened(Entry& entry) const {
  switch (entry.state.load(std::memory_order_acquire)) {
    case State::Open: return &*entry.file;
    case State::Refused: return nullptr;
    case State::Closed: break;
  }
  const std::lock_guard lock(mutex_);
  if (entry.state.load(std::memory_order_relaxed) == State::Closed) {
    Result<TableFile> file = TableFile::open(entry.path, entry.material, entry.kind);
    if (!file.ok()) {
      refuse(entry, file.error());
      return nullptr;
    }
    entry.file.emplace(file.take());
    entry.state.store(State::Open, std::memory_order_release);
  }
  return entry.state.load(std::memory_order_relaxed) == State::Open ? &*entry.file : nullptr;
}

void TableStore::refuse(Entry& entry, std::string sentence) const {
  warnings_.push_back(std::move(sentence));
  entry.state.store(State::Refused, std::memory_order_release);
}

// Other threads may still be reading the file, so it stays in memory; but it is not asked again.
void TableStore::report_damage(Entry& entry) const {
  const std::lock_guard lock(mutex_);
  if (entry.state.load(std::memory_order_relaxed) == State::Refused) return;
  refuse(entry, fmt::format("cannot use {} any more: its values are damaged", entry.path.string()));
}

std::vector<std::string> TableStore::warnings() const {
  const std::lock_guard lock(mutex_);
  return warnings_;
}

std::optional<Wdl> TableStore::wdl(const Board& board) const {
  const Slot* const slot = find(board);
  if (slot == nullptr || slot->wdl == nullptr) return std::nullopt;
  const TableFile* const file = opened(*slot->wdl);
  if (file == nullptr) return std::nullopt;
  const auto answer = file->wdl(board, slot->swapped);
  if (!answer) report_damage(*slot->wdl);
  return answer;
}

std::optional<StoredDtz> TableStore::dtz(const Board& board, Wdl wdl) const {
  const Slot* const slot = find(board);
  if (slot == nullptr || slot->dtz == nullptr) return std::nullopt;
  const TableFile* const file = opened(*slot->dtz);
  if (file == nullptr) return std::nullopt;
  const auto answer = file->dtz(board, slot->swapped, wdl);
  if (!answer) report_damage(*slot->dtz);
  return answer;
}

}  // namespace aleph::chess::tablebase
