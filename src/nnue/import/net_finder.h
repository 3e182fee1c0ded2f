// Finds Stockfish networks where people have them: as files, inside engines (ELF and other programs
// hold them in one piece, WebAssembly modules in many), in files cut into parts, in package
// folders.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "nnue/architecture.h"

namespace aleph::nnue {

struct FoundNetwork {
  Architecture architecture;
  std::string sha256;
  std::string origin;                // the file it was found in
  std::span<const std::byte> bytes;  // valid only during the call that reports it
  std::string file_name() const { return "nn-" + sha256.substr(0, 12) + ".nnue"; }
};

// What a search tells while it runs. Both get sentences fit for a person.
struct FinderListener {
  // A whole network, parsed in full, whose name fits if it had one. Never the same one twice in a
  // search. An error ends the search.
  std::function<Status(const FoundNetwork&)> on_network;
  // A file, and the sentence that says why it, or something in it that looked like a network, was
  // left out; or that a given place holds none.
  std::function<void(const std::filesystem::path&, const std::string&)> on_problem;
  // Before each file that is looked into. May be empty.
  std::function<void(const std::filesystem::path&)> on_file;
};

// Looks through files and, recursively, folders. Files that belong together (NAME-part-0.EXT,
// NAME-part-1.EXT, ...) are read as one, wherever one of them is given; in folders, files too small
// for a network or of kinds that hold none are passed over. At most one file is held in memory at a
// time. Fails only when on_network fails.
Status find_networks(std::span<const std::filesystem::path> places, const FinderListener& listener,
                     std::span<const Architecture> accepted = known_architectures());

// Networks in bytes that are a whole file: any kind but parts. origin is the name used in messages,
// and its last component is the name that a network file's content must match.
Status find_networks_in(std::span<const std::byte> file, const std::filesystem::path& origin,
                        const FinderListener& listener,
                        std::span<const Architecture> accepted = known_architectures());

}  // namespace aleph::nnue
