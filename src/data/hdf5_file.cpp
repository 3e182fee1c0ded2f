#include "data/hdf5_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/text.h"
#include "data/file_source.h"

namespace aleph::data {

namespace {

void silence_library() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

herr_t keep_innermost(unsigned n, const H5E_error2_t* error, void* text) {
  if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

herr_t collect_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

std::string title_of(const std::string& file, const std::string& table) {
  return fmt::format("{}: {}", file, aleph::quoted(table));
}

Error cannot_write(const std::string& file) {
  return Error{fmt::format("cannot write {}: {}", file, hdf5_reason())};
}

// Chunks that the library compresses; without times, so that equal rows make equal files.
Hdf5Handle creation_properties(Hdf5File::Packing packing) {
  Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const hsize_t chunk = packing.chunk_rows;
  const bool done = properties.ok() && H5Pset_chunk(properties.id(), 1, &chunk) >= 0 &&
                    H5Pset_shuffle(properties.id()) >= 0 &&
                    H5Pset_deflate(properties.id(), packing.deflate_level) >= 0 &&
                    H5Pset_obj_track_times(properties.id(), false) >= 0;
  return done ? std::move(properties) : Hdf5Handle();
}

}  // namespace

Hdf5Handle::Hdf5Handle(Hdf5Handle&& other) noexcept
    : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}

Hdf5Handle& Hdf5Handle::operator=(Hdf5Handle&& other) noexcept {
  if (this == &other) return *this;
  close();
  id_ = std::exchange(other.id_, H5I_INVALID_HID);
  close_ = other.close_;
  return *this;
}

bool Hdf5Handle::close() {
  if (id_ < 0) return true;
  return close_(std::exchange(id_, H5I_INVALID_HID)) >= 0;
}

std::string hdf5_reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &reason);
  if (reason.empty()) return "the HDF5 library gives no reason";
  // It may quote the file, so it is made fit for a terminal.
  std::ranges::replace_if(
      reason, [](char c) { return c < ' ' || c == '\x7F'; }, '?');
  return reason;
}

Status Hdf5Table::read(std::uint64_t first, std::uint64_t count, hid_t memory_type,
                       void* to) const {
  const hsize_t start = first, length = count;
  const Hdf5Handle stored(H5Dget_space(dataset_.id()), H5Sclose);
  const Hdf5Handle memory(H5Screate_simple(1, &length, nullptr), H5Sclose);
  if (stored.ok() && memory.ok() &&
      H5Sselect_hyperslab(stored.id(), H5S_SELECT_SET, &start, nullptr, &length, nullptr) >= 0 &&
      H5Dread(dataset_.id(), memory_type, memory.id(), stored.id(), H5P_DEFAULT, to) >= 0)
    return Status::success();
  return Error{fmt::format("{}: rows {} to {} cannot be read: {}", title_, with_thousands(first),
                           with_thousands(first + count - 1), hdf5_reason())};
}

Status Hdf5Table::append(std::uint64_t count, hid_t memory_type, const void* from) {
  const hsize_t start = rows_, length = count, end = rows_ + count;
  const auto fail = [&] {
    return Error{fmt::format("{}: cannot write: {}", title_, hdf5_reason())};
  };
  if (H5Dset_extent(dataset_.id(), &end) < 0) return fail();
  const Hdf5Handle stored(H5Dget_space(dataset_.id()), H5Sclose);  // after it has grown
  const Hdf5Handle memory(H5Screate_simple(1, &length, nullptr), H5Sclose);
  if (!stored.ok() || !memory.ok() ||
      H5Sselect_hyperslab(stored.id(), H5S_SELECT_SET, &start, nullptr, &length, nullptr) < 0 ||
      H5Dwrite(dataset_.id(), memory_type, memory.id(), stored.id(), H5P_DEFAULT, from) < 0)
    return fail();
  rows_ = end;
  return Status::success();
}

Status Hdf5Table::close() {
  type_.close();
  if (dataset_.close()) return Status::success();
  return Error{fmt::format("{}: cannot write: {}", title_, hdf5_reason())};
}

Result<Hdf5File> Hdf5File::open(const std::string& name) {
  silence_library();
  // First as any file, since the system says better than the library what is missing.
  if (const auto bytes = FileSource::open(name); !bytes.ok()) return Error{bytes.error()};
  if (H5Fis_hdf5(name.c_str()) <= 0) return Error{fmt::format("{}: not an HDF5 file", name)};
  Hdf5Handle file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file.ok()) return Hdf5File(std::move(file), name);
  const std::string reason = hdf5_reason();
  if (reason.starts_with("truncated file"))
    return Error{fmt::format("{}: the HDF5 file is cut short", name)};
  return Error{fmt::format("{}: the HDF5 file cannot be opened: {}", name, reason)};
}

Result<Hdf5File> Hdf5File::create(const std::string& name, std::string shown_name) {
  silence_library();
  Hdf5Handle file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  if (!file.ok()) return cannot_write(shown_name);
  return Hdf5File(std::move(file), std::move(shown_name));
}

Error Hdf5File::no_such_table(const std::string& name) const {
  const std::string reason = hdf5_reason();
  constexpr std::size_t kMostNames = 8;
  std::vector<std::string> names;
  H5Literate(file_.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_name, &names);
  if (std::ranges::count(names, name) > 0)
    return Error{fmt::format("{}: cannot be opened: {}", title_of(shown_name_, name), reason)};
  const bool more = names.size() > kMostNames;
  names.resize(std::min(names.size(), kMostNames));
  for (std::string& other : names) other = aleph::quoted(other);
  return Error{fmt::format(
      "{}: there is no {}; the file has {}{}", shown_name_, aleph::quoted(name),
      names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", ")), more ? ", ..." : "")};
}

Result<Hdf5Table> Hdf5File::open_table(const std::string& name) const {
  Hdf5Handle object(H5Oopen(file_.id(), name.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object.ok()) return no_such_table(name);
  Hdf5Table table;
  table.title_ = title_of(shown_name_, name);
  const auto refuse = [&](std::string_view why) {
    return Error{fmt::format("{}: {}", table.title_, why)};
  };
  if (H5Iget_type(object.id()) != H5I_DATASET) return refuse("a group or type, not a dataset");
  table.dataset_ = std::move(object);
  table.type_ = Hdf5Handle(H5Dget_type(table.dataset_.id()), H5Tclose);
  const Hdf5Handle space(H5Dget_space(table.dataset_.id()), H5Sclose);
  if (!table.type_.ok() || !space.ok()) return refuse("cannot be opened: " + hdf5_reason());
  if (H5Tget_class(table.type_.id()) != H5T_COMPOUND)
    return refuse("its elements are not rows with named fields");
  hsize_t rows = 0;
  if (H5Sget_simple_extent_ndims(space.id()) != 1 ||
      H5Sget_simple_extent_dims(space.id(), &rows, nullptr) != 1)
    return refuse("it is not a list of rows, of one dimension");
  table.rows_ = rows;
  return table;
}

Result<Hdf5Table> Hdf5File::create_table(const std::string& name, hid_t type,
                                         Packing packing) const {
  const hsize_t no_rows = 0, any_number = H5S_UNLIMITED;
  const Hdf5Handle space(H5Screate_simple(1, &no_rows, &any_number), H5Sclose);
  const Hdf5Handle properties = creation_properties(packing);
  if (!space.ok() || !properties.ok()) return cannot_write(shown_name_);
  Hdf5Table table;
  table.title_ = title_of(shown_name_, name);
  table.type_ = Hdf5Handle(H5Tcopy(type), H5Tclose);
  table.dataset_ = Hdf5Handle(H5Dcreate2(file_.id(), name.c_str(), type, space.id(), H5P_DEFAULT,
                                         properties.id(), H5P_DEFAULT),
                              H5Dclose);
  if (!table.type_.ok() || !table.dataset_.ok()) return cannot_write(shown_name_);
  return table;
}

Status Hdf5File::close() {
  if (file_.close()) return Status::success();
  return cannot_write(shown_name_);
}

}  // namespace aleph::data
