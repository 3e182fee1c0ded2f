#include "nets/weights/net_file.h"

#include <fmt/format.h>

#include "base/mapped_file.h"
#include "nets/leela/leela_file.h"
#include "nets/onnx/maia3.h"
#include "nets/weights/net_safetensors.h"
#include "nets/weights/safetensors.h"

namespace aleph::nets {
namespace {

Result<NetFile> parse_any(std::span<const std::byte> bytes, const std::filesystem::path& file) {
  if (bytes.empty()) return Error{"the file is empty"};
  if (looks_like_leela(bytes)) return parse_leela(bytes);
  if (looks_like_safetensors(bytes)) return parse_network(bytes);
  if (looks_like_onnx(bytes)) return parse_maia3(bytes, file.parent_path());
  return Error{"this is neither safetensors nor a network of Leela or Maia-3"};
}

}  // namespace

Result<NetFile> read_network(const std::filesystem::path& file) {
  const Result<MappedFile> mapped = MappedFile::open(file);
  if (!mapped.ok()) return Error{mapped.error()};
  Result<NetFile> network = parse_any(mapped.value().bytes(), file);
  if (!network.ok()) return Error{fmt::format("{}: {}", file.string(), network.error())};
  if (network.value().spec.name.empty()) {
    NetFile named = network.take();
    named.spec.name = network_name(file);
    return named;
  }
  return network;
}

bool is_dense_network(const std::filesystem::path& file) {
  const Result<MappedFile> mapped = MappedFile::open(file);
  if (!mapped.ok()) return false;
  const auto bytes = mapped.value().bytes();
  return looks_like_leela(bytes) || looks_like_safetensors(bytes) || looks_like_onnx(bytes);
}

std::string network_name(const std::filesystem::path& file) {
  std::string name = file.filename().string();
  for (const std::string_view ending : kNetworkEndings)
    if (name.size() > ending.size() && name.ends_with(ending))
      return name.substr(0, name.size() - ending.size());
  return name;
}

}  // namespace aleph::nets
