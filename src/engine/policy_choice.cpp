#include "engine/policy_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "nets/weights/net_file.h"

namespace aleph::engine {

namespace {

namespace fs = std::filesystem;

using nets::kNetworkEndings;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::array<fs::path, 2> folders(const nnue::NetworkPlaces& places) {
  return {places.beside_program, places.data_directory};
}

}  // namespace

std::vector<fs::path> all_policy_networks(const nnue::NetworkPlaces& places) {
  std::vector<fs::path> all;
  for (const fs::path& folder : folders(places)) {
    if (folder.empty()) continue;
    const auto first = static_cast<std::ptrdiff_t>(all.size());
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(folder, problem)) {
      const std::string name = entry.path().filename().string();
      const bool ours =
          std::ranges::any_of(kNetworkEndings, [&](auto end) { return name.ends_with(end); });
      if (ours && is_file(entry.path())) all.push_back(entry.path());
    }
    std::sort(all.begin() + first, all.end());
  }
  return all;
}

Result<fs::path> find_policy_network(const std::string& name, const nnue::NetworkPlaces& places) {
  if (name.empty()) {
    const auto all = all_policy_networks(places);
    if (!all.empty()) return all.front();
    return Error{"there is no policy network on this machine; get one with: aleph net import FILE"};
  }
  if (is_file(name)) return fs::path(name);
  for (const fs::path& folder : folders(places)) {
    if (folder.empty()) continue;
    if (is_file(folder / name)) return folder / name;
    for (const std::string_view ending : kNetworkEndings)
      if (const fs::path file = folder / (name + std::string(ending)); is_file(file)) return file;
  }
  return Error{fmt::format("{} is neither a file nor a policy network in {} or {}",
                           aleph::quoted(name), places.beside_program.string(),
                           places.data_directory.string())};
}

Result<ChosenPolicy> make_policy_network(const nets::NetFile& content, const fs::path& file) {
  const bool int8 = std::ranges::any_of(content.tensors,
                                        [](const auto& tensor) { return tensor.second.is_int8(); });
  const nets::Precision precision = int8 ? nets::Precision::Int8 : nets::Precision::Fp32;
  auto network = nets::Network::make(content, precision);
  if (!network.ok()) return Error{fmt::format("{}: {}", file.string(), network.error())};
  return ChosenPolicy{std::make_shared<const nets::Network>(network.take()),
                      fmt::format("{} from {}", content.spec.name, file.string())};
}

Result<ChosenPolicy> load_policy_network(const fs::path& file) {
  const auto content = nets::read_network(file);
  if (!content.ok()) return Error{content.error()};
  return make_policy_network(content.value(), file);
}

Result<ChosenPolicy> choose_policy_network(const std::string& name) {
  const auto file = find_policy_network(name, nnue::NetworkPlaces::of_this_machine());
  if (!file.ok()) return Error{file.error()};
  return load_policy_network(file.value());
}

}  // namespace aleph::engine
