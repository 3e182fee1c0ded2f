// What `aleph net` does with dense networks: those in safetensors, of Leela, and of Maia-3. All
// answer with an exit code, after they have said what went wrong.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace aleph::apps {

// A file, or the name of one that was imported; empty if there is none.
std::filesystem::path find_dense_network(const std::string& name);

int print_dense_info(const std::filesystem::path& file, bool json);
// Into the folder, as NAME.safetensors.
int import_dense_network(const std::filesystem::path& file, const std::filesystem::path& folder,
                         bool quiet);
int export_onnx(const std::string& name, const std::filesystem::path& target);
// The network that a file describes, with random weights: for measuring and trying things out.
int make_new_network(const std::filesystem::path& description, const std::filesystem::path& target,
                     std::uint64_t seed);
// One line for each that was imported.
void list_dense_networks();

}  // namespace aleph::apps
