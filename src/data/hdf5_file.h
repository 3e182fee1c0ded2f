// A thin layer over the C library of HDF5: identifiers that close themselves, tables read and
// written in blocks of rows, and every failure as one sentence that names the file and the object.
// The library's own printing of errors is switched off.
//
// The library keeps global state: use it from one thread at a time. <hdf5.h> is included here, so
// this header is for .cpp files, not for other headers.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <utility>

#include "base/result.h"

namespace aleph::data {

// Owns one identifier: of a file, a dataset, a type, a space or a list of properties.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Hdf5Handle() = default;
  // What the library returned, also if it failed: then ok() says so.
  Hdf5Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept;
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept;
  ~Hdf5Handle() { close(); }

  bool ok() const { return id_ >= 0; }
  hid_t id() const { return id_; }
  // False if closing failed: what is written may not have reached the disk.
  bool close();

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

// Why the last call of the library on this thread failed, in its own words. To be asked at once:
// closing a handle makes the library forget it.
std::string hdf5_reason();

// A dataset of one dimension whose elements have named fields.
class Hdf5Table {
 public:
  std::uint64_t rows() const { return rows_; }
  hid_t type() const { return type_.id(); }  // as it is in the file
  // "FILE: 'NAME'", the beginning of a sentence about it.
  const std::string& title() const { return title_; }

  // Rows [first, first + count), which must be there, converted to memory_type. count is not 0.
  Status read(std::uint64_t first, std::uint64_t count, hid_t memory_type, void* to) const;
  Status append(std::uint64_t count, hid_t memory_type, const void* from);
  Status close();

 private:
  friend class Hdf5File;
  std::string title_;
  Hdf5Handle type_, dataset_;
  std::uint64_t rows_ = 0;
};

class Hdf5File {
 public:
  // For reading. Refuses what is missing, not HDF5, cut short or damaged.
  static Result<Hdf5File> open(const std::string& name);
  // For writing, empty; replaces what has that name. Messages use shown_name.
  static Result<Hdf5File> create(const std::string& name, std::string shown_name);

  Result<Hdf5Table> open_table(const std::string& name) const;

  // How rows are packed: so many at a time, their bytes sorted by place, then deflated.
  struct Packing {
    std::uint64_t chunk_rows;
    unsigned deflate_level;  // 0 to 9
  };
  // Without rows; it can grow.
  Result<Hdf5Table> create_table(const std::string& name, hid_t type, Packing packing) const;

  // Tables must have been closed.
  Status close();

 private:
  Hdf5File(Hdf5Handle file, std::string shown_name)
      : file_(std::move(file)), shown_name_(std::move(shown_name)) {}
  Error no_such_table(const std::string& name) const;

  Hdf5Handle file_;
  std::string shown_name_;
};

}  // namespace aleph::data
