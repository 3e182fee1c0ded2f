// Dense networks on this machine: finding one by name and making it ready to run.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "nets/executor/network.h"
#include "nnue/net_store.h"

namespace aleph::engine {

struct ChosenPolicy {
  std::shared_ptr<const nets::Network> network;
  std::string source;  // for people: which network, from which file
};

// A path to a file, or a name in the places where networks are kept, with or without its ending. No
// name: the first there is. The sentence of a failure names the places.
Result<std::filesystem::path> find_policy_network(const std::string& name,
                                                  const nnue::NetworkPlaces& places);
// By their endings, sorted by name within each place.
std::vector<std::filesystem::path> all_policy_networks(const nnue::NetworkPlaces& places);

// In int8 if the weights are, otherwise in fp32.
Result<ChosenPolicy> load_policy_network(const std::filesystem::path& file);
// The same of a file that has been read.
Result<ChosenPolicy> make_policy_network(const nets::NetFile& content,
                                         const std::filesystem::path& file);
// Finds it and loads it.
Result<ChosenPolicy> choose_policy_network(const std::string& name);

}  // namespace aleph::engine
