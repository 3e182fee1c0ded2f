#include "nets/weights/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/little_endian.h"
#include "base/text.h"
#include "nets/weights/safetensors_header.h"

namespace aleph::nets {
namespace {

constexpr std::size_t kLengthBytes = 8, kMostHeaderBytes = 100'000'000;

struct TypeRow {
  NumberType type;
  std::string_view name;
  std::size_t bytes;
};
constexpr std::array kTypes{TypeRow{NumberType::F32, "F32", 4}, TypeRow{NumberType::F16, "F16", 2},
                            TypeRow{NumberType::Bf16, "BF16", 2}, TypeRow{NumberType::I8, "I8", 1}};

std::optional<NumberType> type_called(std::string_view name) {
  for (const TypeRow& row : kTypes)
    if (row.name == name) return row.type;
  return std::nullopt;
}

const TypeRow& row_of(NumberType type) {
  return *std::find_if(kTypes.begin(), kTypes.end(),
                       [&](const TypeRow& row) { return row.type == type; });
}

// Nothing if it is more than any file has.
std::optional<std::uint64_t> size_of(const std::vector<std::uint64_t>& shape, NumberType type) {
  std::uint64_t bytes = bytes_of(type);
  for (const std::uint64_t length : shape) {
    if (length > std::numeric_limits<int>::max()) return std::nullopt;
    if (length != 0 && bytes > std::numeric_limits<std::uint64_t>::max() / 2 / length)
      return std::nullopt;
    bytes *= length;
  }
  return bytes;
}

Result<StoredTensor> tensor_of(const HeaderEntry& entry, std::span<const std::byte> data) {
  const auto problem = [&](std::string_view what) {
    return Error{fmt::format("tensor {} {}", aleph::quoted(entry.name), what)};
  };
  const auto type = type_called(entry.type);
  if (!type)
    return problem(
        fmt::format("is of type {}, not F32, F16, BF16 or I8", aleph::quoted(entry.type)));
  if (entry.offsets.size() != 2 || !entry.has_shape) return problem("lacks a shape or two offsets");
  const std::uint64_t begin = entry.offsets[0], end = entry.offsets[1];
  if (begin > end || end > data.size())
    return problem(
        fmt::format("lies at bytes {} to {}, but there are only {}", begin, end, data.size()));
  const auto size = size_of(entry.shape, *type);
  if (!size || *size != end - begin)
    return problem(fmt::format("has {} bytes, which do not fit its shape", end - begin));
  StoredTensor tensor{entry.name, *type, {}, data.subspan(begin, end - begin)};
  for (const std::uint64_t length : entry.shape) tensor.shape.push_back(static_cast<int>(length));
  return tensor;
}

// In the order of their bytes, each must begin where the one before it ends.
Status check_places(const std::vector<StoredTensor>& tensors, std::span<const std::byte> data) {
  const std::byte* place = data.data();
  for (const StoredTensor& tensor : tensors) {
    if (tensor.bytes.data() != place)
      return Error{fmt::format("tensor {} {} the one before it", aleph::quoted(tensor.name),
                               tensor.bytes.data() < place ? "overlaps" : "leaves a gap behind")};
    place += tensor.bytes.size();
  }
  const auto left = data.data() + data.size() - place;
  if (left != 0) return Error{fmt::format("{} bytes behind the tensors belong to none", left)};
  return Status::success();
}

Result<Safetensors> parse(std::span<const std::byte> file) {
  if (file.size() < kLengthBytes)
    return Error{"the safetensors file is cut short in its first bytes"};
  const auto length = load_little_endian<std::uint64_t>(file.data());
  const auto rest = file.subspan(kLengthBytes);
  if (length > kMostHeaderBytes || length > rest.size())
    return Error{
        fmt::format("the safetensors header claims {} bytes; there are {}, and {} is the limit",
                    length, rest.size(), kMostHeaderBytes)};
  Result<Header> header = parse_header({reinterpret_cast<const char*>(rest.data()), length});
  if (!header.ok()) return Error{header.error()};
  const auto data = rest.subspan(length);
  Header read = header.take();
  Safetensors content{std::move(read.metadata), {}};
  content.tensors.reserve(read.entries.size());
  for (const HeaderEntry& entry : read.entries) {
    Result<StoredTensor> tensor = tensor_of(entry, data);
    if (!tensor.ok()) return Error{tensor.error()};
    content.tensors.push_back(tensor.take());
  }
  std::sort(content.tensors.begin(), content.tensors.end(),
            [](const StoredTensor& a, const StoredTensor& b) {
              return std::pair(a.bytes.data(), a.bytes.size()) <
                     std::pair(b.bytes.data(), b.bytes.size());
            });
  const Status placed = check_places(content.tensors, data);
  if (!placed.ok()) return Error{placed.error()};
  return content;
}

}  // namespace

std::size_t bytes_of(NumberType type) { return row_of(type).bytes; }
std::string_view name_of(NumberType type) { return row_of(type).name; }

bool looks_like_safetensors(std::span<const std::byte> file) {
  // The header is as short as people make it, so the upper bytes of its length are zeros.
  return file.size() > kLengthBytes && file[kLengthBytes] == std::byte{'{'} &&
         load_little_endian<std::uint64_t>(file.data()) >> 40 == 0;
}

Result<Safetensors> parse_safetensors(std::span<const std::byte> file) {
  try {
    return parse(file);
  } catch (const std::bad_alloc&) {
    return Error{"there is not enough memory for the safetensors header"};
  }
}

std::vector<std::byte> write_safetensors(const Safetensors& content) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!content.metadata.empty()) header["__metadata__"] = content.metadata;
  std::size_t place = 0;
  for (const StoredTensor& tensor : content.tensors) {
    header[tensor.name] = {{"dtype", name_of(tensor.type)},
                           {"shape", tensor.shape},
                           {"data_offsets", {place, place + tensor.bytes.size()}}};
    place += tensor.bytes.size();
  }
  using Json = nlohmann::ordered_json;
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::vector<std::byte> file(kLengthBytes + text.size() + place);
  store_little_endian<std::uint64_t>(file.data(), text.size());
  std::memcpy(file.data() + kLengthBytes, text.data(), text.size());
  std::byte* to = file.data() + kLengthBytes + text.size();
  for (const StoredTensor& tensor : content.tensors)
    to = std::copy(tensor.bytes.begin(), tensor.bytes.end(), to);
  return file;
}

}  // namespace aleph::nets
