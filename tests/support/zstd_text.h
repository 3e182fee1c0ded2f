#pragma once

#include <filesystem>
#include <string>
#include <vector>

// The suites of the shared data are zstd archives.
namespace aleph::test {

// The whole decompressed file; throws std::runtime_error with the file's name if that fails.
std::string read_zstd(const std::filesystem::path& file);

// The same, cut into lines without their ends.
std::vector<std::string> read_zstd_lines(const std::filesystem::path& file);

}  // namespace aleph::test
