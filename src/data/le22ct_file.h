// HDF5 files of LE22ct rows, read and written row by row in bounded memory: a block of rows of ours
// and a chunk of the file's, whatever its size. HDF5 itself stays in the .cpp.
//
//   auto reader = Le22ctReader::open("LE22ct.h5");
//   reader.take().for_each_row([&](const Le22ctRow& row) { return writer.add(row); });
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "data/le22ct.h"

namespace aleph::data {

inline constexpr const char* kLe22ctDataset = "encoded_data";

// Takes fields in any order, other fields between them, integers of any width and sign, and the
// ways in which h5py and PyTables store a bool. Every error is one sentence that names the file.
class Le22ctReader {
 public:
  // Refuses a dataset that lacks a field or has one of the wrong type, before any row is read.
  static Result<Le22ctReader> open(const std::string& file,
                                   const std::string& dataset = kLe22ctDataset);
  Le22ctReader(Le22ctReader&& other) noexcept;
  Le22ctReader& operator=(Le22ctReader&& other) noexcept;
  ~Le22ctReader();

  std::uint64_t rows() const;

  using RowCallback = std::function<Status(const Le22ctRow&)>;
  // All rows, in the order of the file. Numbers that do not fit into a byte arrive as 255, which
  // is no code of anything. Ends at the first failure, the callback's or its own, and returns it.
  Status for_each_row(const RowCallback& callback) const;

 private:
  struct Impl;
  explicit Le22ctReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Writes a dataset of that name, fields and types as in docs/formats/le22ct.md. The file is there
// whole after finish(), or not at all: until then it grows under another name.
class Le22ctWriter {
 public:
  static Result<Le22ctWriter> create(const std::filesystem::path& file);
  Le22ctWriter(Le22ctWriter&& other) noexcept;
  Le22ctWriter& operator=(Le22ctWriter&& other) noexcept;
  ~Le22ctWriter();

  // The castling rights must be 0 or 1, as they become bools.
  Status add(const Le22ctRow& row);
  std::uint64_t rows() const;
  // The last call. After a failure, of this or of add(), what had the file's name is still there.
  Status finish();

 private:
  struct Impl;
  explicit Le22ctWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace aleph::data
