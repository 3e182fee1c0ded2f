#include "base/program_folder.h"

#include <system_error>

namespace aleph {

namespace fs = std::filesystem;

fs::path program_folder() {
  std::error_code problem;
  const fs::path program = fs::read_symlink("/proc/self/exe", problem);
  return problem ? fs::current_path(problem) : program.parent_path();
}

}  // namespace aleph
