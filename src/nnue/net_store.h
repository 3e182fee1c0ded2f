// Where networks are on this machine: finding one by name, and keeping imported ones.
// The order is: the path as given, beside the program, the user's data directory, embedded.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "nnue/embedded.h"
#include "nnue/network.h"

namespace aleph::nnue {

// A network that was found, and where: so that the engine can say what it uses.
struct NetworkSource {
  enum class Kind { File, BesideProgram, DataDirectory, Embedded };

  Kind kind = Kind::File;
  std::filesystem::path path;        // empty for Embedded
  std::string name;                  // "nn-ad9b42354671.nnue"
  std::span<const std::byte> bytes;  // of Embedded only

  // "nn-ad9b42354671.nnue from the data directory (/home/ada/.local/share/aleph/nets)"
  std::string describe() const;
};

// The places that are looked at. An empty path is a place that does not exist.
struct NetworkPlaces {
  std::filesystem::path beside_program;
  std::filesystem::path data_directory;
  std::optional<EmbeddedNetwork> embedded;

  static NetworkPlaces of_this_machine();
};

// $XDG_DATA_HOME/aleph/nets, or ~/.local/share/aleph/nets; empty if there is no home. Need not
// exist.
std::filesystem::path network_directory();

// "ad9b42354671", "nn-ad9b42354671" and "nn-ad9b42354671.nnue" all mean the last.
std::string network_file_name(std::string_view name);

// A path to a file, or a name as above. Never another network than the one asked for: if it is
// nowhere, the sentence names the places.
Result<NetworkSource> find_network(std::string_view name_or_path, const NetworkPlaces& places);

// Reads it in full; a name that promises a hash is checked.
Result<Network> load_network(const NetworkSource& source);

// Every *.nnue in the places, sorted by name within each, in the order of the search.
std::vector<NetworkSource> all_networks(const NetworkPlaces& places);

enum class Installed { New, AlreadyThere, Replaced };  // Replaced: the file there was damaged

// Writes the network to folder under its file_name(), whole or not at all.
Result<Installed> install_network(std::span<const std::byte> bytes, std::string_view sha256,
                                  const std::filesystem::path& folder);

}  // namespace aleph::nnue
