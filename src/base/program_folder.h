#pragma once

#include <filesystem>

// Where the running program lies on disk.
namespace aleph {

// The folder of the program's file, with symbolic links followed; the current folder where the
// system does not tell.
std::filesystem::path program_folder();

}  // namespace aleph
