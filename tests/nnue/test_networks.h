// Networks for tests: those that happen to be on this machine.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "nnue/import/net_finder.h"
#include "nnue/weights.h"
#include "support/shared_data.h"

namespace aleph::test {

inline constexpr const char* kNet15 = "nn-6877cd24400e";
inline constexpr const char* kNet15_1 = "nn-ad9b42354671";
inline constexpr const char* kNet16 = "nn-5af11540bbfe";
inline constexpr const char* kNet17_1 = "nn-1c0000000000";
inline constexpr const char* kNet18 = "nn-c288c895ea92";
inline constexpr const char* kNet19 = "nn-1a298aa575a0";
inline constexpr const char* kNetSmall = "nn-37f18f62d772";
inline constexpr const char* kNetLite19 = "nn-61e7af4bb97d";
inline constexpr const char* kNetLite18 = "nn-9067e33176e8";

// One of each architecture that can be had.
inline const std::vector<std::string>& all_test_networks() {
  static const std::vector<std::string> names{kNetSmall, kNetLite19, kNetLite18, kNet15, kNet15_1,
                                              kNet16,    kNet17_1,   kNet18,     kNet19};
  return names;
}

namespace detail {

inline std::vector<std::filesystem::path> network_folders() {
  std::vector<std::filesystem::path> folders;
  const auto from_environment = [&](const char* name, const char* below) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') folders.push_back(std::filesystem::path(value) / below);
    return value != nullptr && *value != '\0';
  };
  if (!from_environment("ALEPH_NETS", "")) folders.push_back(tests_data() / "../../build/nets");
  if (const auto shared = shared_data()) folders.push_back(*shared / "nets/nnue");
  if (!from_environment("XDG_DATA_HOME", "aleph/nets"))
    from_environment("HOME", ".local/share/aleph/nets");
  return folders;
}

// Debian's stockfish carries the network of 15.1 inside.
inline std::shared_ptr<const nnue::Network> network_inside_debian_stockfish() {
  const std::vector<std::filesystem::path> places{"/usr/games/stockfish"};
  if (!std::filesystem::exists(places[0])) return nullptr;
  std::shared_ptr<const nnue::Network> found;
  nnue::FinderListener listener;
  listener.on_network = [&](const nnue::FoundNetwork& network) {
    auto read = nnue::read_network(network.bytes);
    if (!read.ok()) return Status(Error{read.error()});
    if (network.file_name() == std::string(kNet15_1) + ".nnue")
      found = std::make_shared<const nnue::Network>(read.take());
    return Status::success();
  };
  listener.on_problem = [](const auto&...) {};
  const Status status = nnue::find_networks(places, listener);
  if (!status.ok()) fmt::print("{}\n", status.error());
  return found;
}

inline std::shared_ptr<const nnue::Network> find_test_network(const std::string& name) {
  for (const auto& folder : network_folders()) {
    const auto file = folder / (name + ".nnue");
    if (!std::filesystem::exists(file)) continue;
    auto network = nnue::load_network(file);
    if (network.ok()) return std::make_shared<const nnue::Network>(network.take());
    fmt::print("{}\n", network.error());
  }
  return name == kNet15_1 ? network_inside_debian_stockfish() : nullptr;
}

}  // namespace detail

// Null if it is not on this machine; says so, once for each name. Only the last one is kept in
// memory, so go through all positions with one network before the next.
inline std::shared_ptr<const nnue::Network> test_network_or_skip(const std::string& name) {
  static std::map<std::string, std::weak_ptr<const nnue::Network>> seen;
  static std::shared_ptr<const nnue::Network> latest;
  static std::set<std::string> absent;
  if (absent.count(name) != 0) return nullptr;
  auto network = seen[name].lock();
  if (network == nullptr) network = detail::find_test_network(name);
  if (network == nullptr) {
    fmt::print("skipped: {}: not on this machine (make test-nets fetches all networks)\n", name);
    absent.insert(name);
    return nullptr;
  }
  seen[name] = network;
  latest = network;
  return network;
}

}  // namespace aleph::test
