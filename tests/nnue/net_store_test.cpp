#include "nnue/net_store.h"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "base/mapped_file.h"
#include "base/sha256.h"
#include "nnue/synthetic_network.h"
#include "support/shared_data.h"

using namespace aleph;
using namespace aleph::nnue;
using namespace aleph::test;

namespace {

namespace fs = std::filesystem;
using Kind = NetworkSource::Kind;

constexpr const char* kName = "nn-0123456789ab.nnue";

// An environment variable that is put back as it was.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }

 private:
  void set(const char* value) {
    if (value == nullptr)
      ::unsetenv(name_);
    else
      ::setenv(name_, value, 1);
  }
  const char* name_;
  std::optional<std::string> before_;
};

struct Places {
  TemporaryFolder program, data;
  std::vector<std::byte> bytes = std::vector<std::byte>(100);
  NetworkPlaces places{program.path(), data.path(), EmbeddedNetwork{kName, bytes}};
};

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("the data directory follows the XDG rules") {
  {
    const Variable data("XDG_DATA_HOME", "/somewhere/data");
    CHECK(network_directory() == "/somewhere/data/aleph/nets");
  }
  const Variable home("HOME", "/home/ada");
  for (const char* value : {static_cast<const char*>(nullptr), "", "relative/data"}) {
    const Variable data("XDG_DATA_HOME", value);
    CHECK(network_directory() == "/home/ada/.local/share/aleph/nets");
  }
}

TEST_CASE("names may be short") {
  for (const char* name : {"0123456789ab", "nn-0123456789ab", kName})
    CHECK(network_file_name(name) == kName);
  CHECK(network_file_name("mine") == "mine.nnue");
  CHECK(network_file_name("0123") == "0123.nnue");
}

TEST_CASE("the order is: path, beside the program, data directory, embedded") {
  const Places p;
  const auto found = [&](std::string_view name) { return find_network(name, p.places).take(); };
  CHECK(found("0123456789ab").kind == Kind::Embedded);
  CHECK(found("0123456789ab").describe() == "nn-0123456789ab.nnue from the program itself");

  const fs::path in_data = p.data.write(kName, "x");
  CHECK(found("0123456789ab").kind == Kind::DataDirectory);
  CHECK(found("0123456789ab").path == in_data);
  CHECK(found("0123456789ab").describe() ==
        "nn-0123456789ab.nnue from the data directory (" + p.data.path().string() + ")");

  const fs::path beside = p.program.write(kName, "x");
  CHECK(found("nn-0123456789ab").kind == Kind::BesideProgram);
  CHECK(found("nn-0123456789ab").path == beside);
  CHECK(found("nn-0123456789ab").describe() ==
        "nn-0123456789ab.nnue from beside the program (" + p.program.path().string() + ")");

  const TemporaryFolder other;
  const fs::path given = other.write(kName, "x");
  CHECK(found(given.string()).kind == Kind::File);
  CHECK(found(given.string()).describe() == "nn-0123456789ab.nnue from " + given.string());
}

TEST_CASE("a network that is nowhere is never replaced by another") {
  const Places p;
  p.data.write("nn-aaaaaaaaaaaa.nnue", "x");
  const auto missing = find_network("nn-bbbbbbbbbbbb", p.places);
  REQUIRE_FALSE(missing.ok());
  for (const std::string& part :
       {std::string("nn-bbbbbbbbbbbb.nnue"), p.program.path().string(), p.data.path().string(),
        std::string(kName), std::string("aleph net import")})
    CHECK(missing.error().find(part) != std::string::npos);

  // A path is a path: it is not looked for elsewhere by its last part.
  const auto path = find_network((p.program.path() / "nn-aaaaaaaaaaaa.nnue").string(), p.places);
  REQUIRE_FALSE(path.ok());
  CHECK(path.error().starts_with("there is no network file "));
  CHECK_FALSE(find_network("", p.places).ok());
  CHECK_FALSE(find_network("..", p.places).ok());
  CHECK_FALSE(find_network(p.data.path().string(), p.places).ok());
  CHECK_FALSE(find_network("0123456789ab", NetworkPlaces{}).ok());
}

TEST_CASE("all networks are listed in the order of the search") {
  const Places p;
  p.program.write("b.nnue", "x");
  p.program.write("a.nnue", "x");
  p.program.write("aleph", "x");
  p.data.write(kName, "x");
  std::vector<std::string> names;
  for (const NetworkSource& source : all_networks(p.places)) names.push_back(source.name);
  CHECK(names == std::vector<std::string>{"a.nnue", "b.nnue", kName, kName});
  CHECK(all_networks(NetworkPlaces{"/nowhere", "", std::nullopt}).empty());
}

TEST_CASE("installing is whole or not at all") {
  const TemporaryFolder folder;
  const fs::path nets = folder.path() / "deep" / "nets";
  const std::vector<std::byte> bytes = synthetic_file(kTinyRaw, 1);
  const std::string sha256 = sha256_hex(bytes);
  const fs::path path = nets / ("nn-" + sha256.substr(0, 12) + ".nnue");

  CHECK(install_network(bytes, sha256, nets).value() == Installed::New);
  CHECK(sha256_hex(MappedFile::open(path).value().bytes()) == sha256);
  CHECK(install_network(bytes, sha256, nets).value() == Installed::AlreadyThere);
  fs::resize_file(path, 10);
  CHECK(install_network(bytes, sha256, nets).value() == Installed::Replaced);
  CHECK(fs::file_size(path) == bytes.size());
  CHECK(files_in(nets) == 1);

  const fs::path not_a_folder = folder.write("file", "x");
  const auto refused = install_network(bytes, sha256, not_a_folder);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().starts_with("cannot write "));
  if (::geteuid() != 0) {  // root may write everywhere
    fs::permissions(nets, fs::perms::owner_read | fs::perms::owner_exec);
    fs::remove(path);
    CHECK_FALSE(install_network(bytes, sha256, nets).ok());
    fs::permissions(nets, fs::perms::owner_all);
  }
}

TEST_CASE("a source is loaded from wherever it is") {
  const auto shared = shared_data_or_skip("small networks");
  if (!shared) return;
  const std::string name = "nn-61e7af4bb97d.nnue";
  const fs::path path = *shared / "nets" / "nnue" / name;
  const MappedFile file = MappedFile::open(path).take();
  const NetworkPlaces embedded{"", "", EmbeddedNetwork{name, file.bytes()}};
  const NetworkPlaces on_disk{path.parent_path(), "", std::nullopt};
  for (const NetworkPlaces& places : {embedded, on_disk}) {
    const auto network = load_network(find_network("61e7af4bb97d", places).value());
    REQUIRE(network.ok());
    CHECK(network.value().file_name() == name);
  }
  const NetworkPlaces broken{"", "", EmbeddedNetwork{name, file.bytes().first(1000)}};
  const auto refused = load_network(find_network(name, broken).value());
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().starts_with(name + " from the program itself: "));
}
