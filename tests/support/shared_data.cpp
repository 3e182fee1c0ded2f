#include "support/shared_data.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>

namespace aleph::test {

namespace fs = std::filesystem;

std::optional<fs::path> shared_data() {
  const char* const variable = std::getenv("ALEPH_SHARED");
  const bool given = variable != nullptr && *variable != '\0';
  const fs::path folder = given ? fs::path(variable) : fs::path(ALEPH_SOURCE_DIR) / "../shared";
  if (!fs::is_directory(folder)) return std::nullopt;
  return folder.lexically_normal();
}

std::optional<fs::path> shared_data_or_skip(std::string_view what) {
  if (auto folder = shared_data()) return folder;
  static std::mutex mutex;
  static std::set<std::string, std::less<>> said;
  const std::lock_guard lock(mutex);
  if (said.emplace(what).second)
    fmt::print("skipped: {}: shared data not found (set ALEPH_SHARED)\n", what);
  return std::nullopt;
}

fs::path tests_data() { return fs::path(ALEPH_SOURCE_DIR) / "tests" / "data"; }

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "aleph-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::write(std::string_view name, std::string_view content) const {
  const fs::path file = path_ / name;
  std::ofstream out(file, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file.string());
  return file;
}

}  // namespace aleph::test
