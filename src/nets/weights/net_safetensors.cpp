#include "nets/weights/net_safetensors.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "base/little_endian.h"
#include "base/text.h"
#include "base/write_file.h"
#include "nets/graph/build.h"
#include "nets/spec/spec_json.h"
#include "nets/weights/check_tensors.h"
#include "nets/weights/float_formats.h"
#include "nets/weights/safetensors.h"

namespace aleph::nets {
namespace {

static_assert(std::endian::native == std::endian::little, "floats are copied as they are");

constexpr std::string_view kSpec = "aleph.spec", kScale = ".scale";
constexpr std::array<std::pair<std::string_view, std::string NetCard::*>, 6> kCard{{
    {"aleph.card.made_by", &NetCard::made_by},
    {"aleph.card.training", &NetCard::training},
    {"aleph.card.data", &NetCard::data},
    {"aleph.card.quality", &NetCard::quality},
    {"aleph.card.license", &NetCard::license},
    {"aleph.card.source", &NetCard::source},
}};

std::vector<float> floats_of(const StoredTensor& stored) {
  std::vector<float> numbers(stored.numbers());
  if (stored.type == NumberType::F32) {
    if (!numbers.empty()) std::memcpy(numbers.data(), stored.bytes.data(), stored.bytes.size());
    return numbers;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto bits = load_little_endian<std::uint16_t>(stored.bytes.data() + 2 * i);
    numbers[i] = stored.type == NumberType::F16 ? float_of_half(bits) : float_of_bfloat16(bits);
  }
  return numbers;
}

Tensor tensor_of(const StoredTensor& stored) {
  Tensor tensor;
  tensor.shape = stored.shape;
  if (stored.type != NumberType::I8) {
    tensor.numbers = floats_of(stored);
    return tensor;
  }
  tensor.bytes.resize(stored.bytes.size());
  if (!tensor.bytes.empty())
    std::memcpy(tensor.bytes.data(), stored.bytes.data(), stored.bytes.size());
  return tensor;
}

// Gives scales to the int8 tensors they belong to.
Status join_scales(Tensors& tensors) {
  for (auto& [name, tensor] : tensors) {
    if (!tensor.is_int8()) continue;
    const auto scale = tensors.find(name + std::string(kScale));
    if (scale == tensors.end() || scale->second.is_int8())
      return Error{fmt::format("the int8 tensor {} has no scales", aleph::quoted(name))};
    tensor.scales = std::move(scale->second.numbers);
    tensors.erase(scale);  // comes behind its tensor, so the walk goes on
  }
  return Status::success();
}

Result<NetFile> parse(std::span<const std::byte> file) {
  const Result<Safetensors> content = parse_safetensors(file);
  if (!content.ok()) return Error{content.error()};
  const auto& metadata = content.value().metadata;
  const auto description = metadata.find(kSpec);
  if (description == metadata.end())
    return Error{fmt::format("the file does not say what network it is (no {})", kSpec)};
  Result<NetSpec> spec = parse_spec_json(description->second);
  if (!spec.ok()) return Error{fmt::format("{}: {}", kSpec, spec.error())};
  NetFile network;
  network.spec = spec.take();
  for (const auto& [key, field] : kCard)
    if (const auto found = metadata.find(key); found != metadata.end())
      network.card.*field = found->second;
  for (const StoredTensor& stored : content.value().tensors)
    network.tensors.emplace(stored.name, tensor_of(stored));
  const Status joined = join_scales(network.tensors);
  if (!joined.ok()) return Error{joined.error()};
  const Result<Graph> graph = build_graph(network.spec);
  if (!graph.ok()) return Error{graph.error()};
  const Status checked = check_tensors(graph.value(), network.tensors);
  if (!checked.ok()) return Error{checked.error()};
  return network;
}

std::vector<int> shape_of_scales(const Tensor& tensor) {
  const int count = static_cast<int>(tensor.scales.size());
  if (tensor.shape.empty() || count == tensor.shape[0]) return {count};
  return {tensor.shape[0], count / tensor.shape[0]};
}

}  // namespace

Result<NetFile> parse_network(std::span<const std::byte> safetensors) {
  try {
    return parse(safetensors);
  } catch (const std::bad_alloc&) {
    return Error{"there is not enough memory for the network"};
  }
}

std::vector<std::byte> safetensors_of(const NetFile& network) {
  Safetensors content;
  content.metadata.emplace("format", "pt");  // what Python's readers look for
  content.metadata.emplace(kSpec, spec_to_json(network.spec));
  for (const auto& [key, field] : kCard)
    if (!(network.card.*field).empty()) content.metadata.emplace(key, network.card.*field);
  // Floats first: they stay at multiples of four.
  for (const auto& [name, tensor] : network.tensors) {
    if (!tensor.is_int8())
      content.tensors.push_back(
          {name, NumberType::F32, tensor.shape, std::as_bytes(std::span(tensor.numbers))});
    else
      content.tensors.push_back({name + std::string(kScale), NumberType::F32,
                                 shape_of_scales(tensor), std::as_bytes(std::span(tensor.scales))});
  }
  for (const auto& [name, tensor] : network.tensors)
    if (tensor.is_int8())
      content.tensors.push_back(
          {name, NumberType::I8, tensor.shape, std::as_bytes(std::span(tensor.bytes))});
  return write_safetensors(content);
}

Status write_network(const std::filesystem::path& path, const NetFile& network) {
  return write_file(path, safetensors_of(network));
}

}  // namespace aleph::nets
