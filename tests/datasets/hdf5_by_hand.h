#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "data/hdf5_file.h"

// HDF5 files of one row with fields of any kind, made with the C library. Types are not closed: the
// library does it in the end, and tests are short.
namespace aleph::test {

// A field of the file, and what the one row has in it.
struct HandMade {
  std::string name;
  hid_t type;
  std::vector<char> bytes;
};

template <class Number>
HandMade number(const std::string& name, hid_t type, Number value) {
  const char* const begin = reinterpret_cast<const char*>(&value);
  return {name, type, std::vector<char>(begin, begin + sizeof value)};
}

template <class Number>
HandMade board(hid_t element, const std::vector<Number>& values) {
  const hsize_t length = values.size();
  const char* const begin = reinterpret_cast<const char*>(values.data());
  return {"board_position", H5Tarray_create2(element, 1, &length),
          std::vector<char>(begin, begin + values.size() * sizeof(Number))};
}

// One row with these fields, in this order, without chunks.
inline void write_by_hand(const std::filesystem::path& file, const std::vector<HandMade>& fields,
                          const char* dataset) {
  std::vector<char> row;
  for (const HandMade& field : fields)
    row.insert(row.end(), field.bytes.begin(), field.bytes.end());
  const data::Hdf5Handle type(H5Tcreate(H5T_COMPOUND, row.size()), H5Tclose);
  std::size_t offset = 0;
  for (const HandMade& field : fields) {
    REQUIRE(H5Tinsert(type.id(), field.name.c_str(), offset, field.type) >= 0);
    offset += field.bytes.size();
  }
  const hsize_t one = 1;
  const data::Hdf5Handle space(H5Screate_simple(1, &one, nullptr), H5Sclose);
  const data::Hdf5Handle made(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                              H5Fclose);
  const data::Hdf5Handle set(
      H5Dcreate2(made.id(), dataset, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  REQUIRE(H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, row.data()) >= 0);
}

inline hid_t h5py_bool() {
  const hid_t type = H5Tenum_create(H5T_NATIVE_INT8);
  const std::int8_t no = 0, yes = 1;
  H5Tenum_insert(type, "FALSE", &no);
  H5Tenum_insert(type, "TRUE", &yes);
  return type;
}

}  // namespace aleph::test
