#include "data/le22ct_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/pending_file.h"
#include "data/hdf5_file.h"

namespace aleph::data {

namespace {

constexpr std::uint64_t kReadRows = 32'768;  // 4.7 MB as WideRow
// Chunks below a megabyte stay in the cache that readers have by default.
constexpr Hdf5File::Packing kPacking{.chunk_rows = 8192, .deflate_level = 4};

enum class FieldKind : std::uint8_t { Board, Number, Flag };
struct Field {
  const char* name;
  std::size_t offset;  // in Le22ctRow
  FieldKind kind;
};
constexpr std::array<Field, 8> kFields{{
    {"board_position", offsetof(Le22ctRow, board_position), FieldKind::Board},
    {"turn", offsetof(Le22ctRow, turn), FieldKind::Number},
    {"white_kingside_castling_rights", offsetof(Le22ctRow, white_kingside_castling_rights),
     FieldKind::Flag},
    {"white_queenside_castling_rights", offsetof(Le22ctRow, white_queenside_castling_rights),
     FieldKind::Flag},
    {"black_kingside_castling_rights", offsetof(Le22ctRow, black_kingside_castling_rights),
     FieldKind::Flag},
    {"black_queenside_castling_rights", offsetof(Le22ctRow, black_queenside_castling_rights),
     FieldKind::Flag},
    {"from_square", offsetof(Le22ctRow, from_square), FieldKind::Number},
    {"to_square", offsetof(Le22ctRow, to_square), FieldKind::Number},
}};
constexpr hsize_t kSquares = 64;

// A row as it is read: each byte of Le22ctRow as a number in which anything that does not fit into
// the byte can be told from what does. HDF5 would turn -1 into 0, an empty square.
using WideRow = std::array<std::int16_t, sizeof(Le22ctRow)>;

Le22ctRow narrow(const WideRow& wide) {
  std::array<std::uint8_t, sizeof(Le22ctRow)> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = wide[i] >= 0 && wide[i] <= 255 ? static_cast<std::uint8_t>(wide[i]) : 255;
  return std::bit_cast<Le22ctRow>(bytes);
}

std::string_view content_of(H5T_class_t type_class) {
  switch (type_class) {
    case H5T_INTEGER: return "integers";
    case H5T_FLOAT: return "floating-point numbers";
    case H5T_STRING: return "text";
    case H5T_BITFIELD: return "bits";
    case H5T_ENUM: return "names of an enumeration";
    case H5T_ARRAY: return "arrays";
    case H5T_COMPOUND: return "rows of their own";
    default: return "something else";
  }
}

// The type of a number in memory into which HDF5 can convert what the file has. h5py stores a bool
// as an enumeration, which becomes a number; PyTables as a field of bits, which only becomes bits.
Result<Hdf5Handle> number_in_memory(H5T_class_t stored, std::string_view title) {
  if (stored == H5T_INTEGER || stored == H5T_ENUM)
    return Hdf5Handle(H5Tcopy(H5T_NATIVE_INT16), H5Tclose);
  if (stored == H5T_BITFIELD) return Hdf5Handle(H5Tcopy(H5T_NATIVE_B16), H5Tclose);
  return Error{fmt::format("{} holds {}, not integers", title, content_of(stored))};
}

Result<Hdf5Handle> board_in_memory(hid_t stored, std::string_view title) {
  const H5T_class_t stored_class = H5Tget_class(stored);
  if (stored_class != H5T_ARRAY)
    return Error{fmt::format("{} holds {}, not arrays of {} integers", title,
                             content_of(stored_class), kSquares)};
  hsize_t length = 0;
  if (H5Tget_array_ndims(stored) != 1)
    return Error{fmt::format("{} holds arrays of several dimensions, not of one", title)};
  if (H5Tget_array_dims2(stored, &length) != 1 || length != kSquares)
    return Error{fmt::format("{} holds arrays of {}, not of {}", title, length, kSquares)};
  const Hdf5Handle element(H5Tget_super(stored), H5Tclose);
  const H5T_class_t element_class = H5Tget_class(element.id());
  if (element_class != H5T_INTEGER)
    return Error{
        fmt::format("{} holds arrays of {}, not of integers", title, content_of(element_class))};
  return Hdf5Handle(H5Tarray_create2(H5T_NATIVE_INT16, 1, &kSquares), H5Tclose);
}

// The fields we want, by name: HDF5 then finds them wherever they are and leaves others alone.
Result<Hdf5Handle> type_in_memory(const Hdf5Table& table) {
  Hdf5Handle row(H5Tcreate(H5T_COMPOUND, sizeof(WideRow)), H5Tclose);
  for (const Field& field : kFields) {
    const int place = H5Tget_member_index(table.type(), field.name);
    if (place < 0) return Error{fmt::format("{} has no field '{}'", table.title(), field.name)};
    const Hdf5Handle stored(H5Tget_member_type(table.type(), static_cast<unsigned>(place)),
                            H5Tclose);
    const std::string title = fmt::format("{}: field '{}'", table.title(), field.name);
    Result<Hdf5Handle> wanted = field.kind == FieldKind::Board
                                    ? board_in_memory(stored.id(), title)
                                    : number_in_memory(H5Tget_class(stored.id()), title);
    if (!wanted.ok()) return wanted;
    const std::size_t offset = field.offset * sizeof(WideRow::value_type);
    if (H5Tinsert(row.id(), field.name, offset, wanted.value().id()) < 0)
      return Error{fmt::format("{} cannot be described: {}", title, hdf5_reason())};
  }
  return row;
}

// As h5py stores a bool.
Hdf5Handle bool_in_file() {
  Hdf5Handle type(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
  const std::int8_t no = 0, yes = 1;
  H5Tenum_insert(type.id(), "FALSE", &no);
  H5Tenum_insert(type.id(), "TRUE", &yes);
  return type;
}

// Le22ctRow byte for byte, so that it serves in memory too and nothing is converted. Failures in
// between come to light when the dataset is made.
Hdf5Handle type_in_file() {
  Hdf5Handle row(H5Tcreate(H5T_COMPOUND, sizeof(Le22ctRow)), H5Tclose);
  const Hdf5Handle board(H5Tarray_create2(H5T_STD_U8LE, 1, &kSquares), H5Tclose);
  const Hdf5Handle number(H5Tcopy(H5T_STD_U8LE), H5Tclose);
  const Hdf5Handle flag = bool_in_file();
  for (const Field& field : kFields) {
    const Hdf5Handle& type = field.kind == FieldKind::Board  ? board
                             : field.kind == FieldKind::Flag ? flag
                                                             : number;
    H5Tinsert(row.id(), field.name, field.offset, type.id());
  }
  return row;
}

}  // namespace

struct Le22ctReader::Impl {
  Hdf5File file;
  Hdf5Table table;
  Hdf5Handle memory_type;
};

Le22ctReader::Le22ctReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Le22ctReader::Le22ctReader(Le22ctReader&&) noexcept = default;
Le22ctReader& Le22ctReader::operator=(Le22ctReader&&) noexcept = default;
Le22ctReader::~Le22ctReader() = default;

Result<Le22ctReader> Le22ctReader::open(const std::string& file, const std::string& dataset) {
  Result<Hdf5File> opened = Hdf5File::open(file);
  if (!opened.ok()) return Error{opened.error()};
  Result<Hdf5Table> table = opened.value().open_table(dataset);
  if (!table.ok()) return Error{table.error()};
  Result<Hdf5Handle> memory_type = type_in_memory(table.value());
  if (!memory_type.ok()) return Error{memory_type.error()};
  return Le22ctReader(
      std::unique_ptr<Impl>(new Impl{opened.take(), table.take(), memory_type.take()}));
}

std::uint64_t Le22ctReader::rows() const { return impl_->table.rows(); }

Status Le22ctReader::for_each_row(const RowCallback& callback) const {
  std::vector<WideRow> block(static_cast<std::size_t>(std::min(kReadRows, rows())));
  for (std::uint64_t first = 0; first < rows(); first += kReadRows) {
    const std::uint64_t count = std::min(kReadRows, rows() - first);
    if (Status status = impl_->table.read(first, count, impl_->memory_type.id(), block.data());
        !status.ok())
      return status;
    for (std::size_t i = 0; i < count; ++i)
      if (Status status = callback(narrow(block[i])); !status.ok()) return status;
  }
  return Status::success();
}

struct Le22ctWriter::Impl {
  PendingFile pending;  // outlives the file, whose name it removes in the end
  Hdf5File file;
  Hdf5Table table;
  std::vector<Le22ctRow> block;

  Status write_block() {
    if (block.empty()) return Status::success();
    Status status = table.append(block.size(), table.type(), block.data());
    if (status.ok()) block.clear();
    return status;
  }
};

Le22ctWriter::Le22ctWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Le22ctWriter::Le22ctWriter(Le22ctWriter&&) noexcept = default;
Le22ctWriter& Le22ctWriter::operator=(Le22ctWriter&&) noexcept = default;
Le22ctWriter::~Le22ctWriter() = default;

Result<Le22ctWriter> Le22ctWriter::create(const std::filesystem::path& file) {
  Result<PendingFile> pending = PendingFile::beside(file);
  if (!pending.ok()) return Error{pending.error()};
  Result<Hdf5File> created = Hdf5File::create(pending.value().name(), file.string());
  if (!created.ok()) return Error{created.error()};
  Result<Hdf5Table> table =
      created.value().create_table(kLe22ctDataset, type_in_file().id(), kPacking);
  if (!table.ok()) return Error{table.error()};
  Le22ctWriter writer(
      std::unique_ptr<Impl>(new Impl{pending.take(), created.take(), table.take(), {}}));
  writer.impl_->block.reserve(kPacking.chunk_rows);
  return writer;
}

Status Le22ctWriter::add(const Le22ctRow& row) {
  const auto is_flag = [](std::uint8_t value) { return value <= 1; };
  if (!is_flag(row.white_kingside_castling_rights) ||
      !is_flag(row.white_queenside_castling_rights) ||
      !is_flag(row.black_kingside_castling_rights) || !is_flag(row.black_queenside_castling_rights))
    return Error{fmt::format("{}: row {} has castling rights that are neither 0 nor 1",
                             impl_->table.title(), rows())};
  impl_->block.push_back(row);
  if (impl_->block.size() < kPacking.chunk_rows) return Status::success();
  return impl_->write_block();
}

std::uint64_t Le22ctWriter::rows() const { return impl_->table.rows() + impl_->block.size(); }

Status Le22ctWriter::finish() {
  if (Status status = impl_->write_block(); !status.ok()) return status;
  if (Status status = impl_->table.close(); !status.ok()) return status;
  if (Status status = impl_->file.close(); !status.ok()) return status;
  return impl_->pending.keep();
}

}  // namespace aleph::data
