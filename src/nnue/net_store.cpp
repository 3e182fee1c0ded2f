#include "nnue/net_store.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "base/mapped_file.h"
#include "base/program_folder.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/write_file.h"
#include "nnue/weights.h"

namespace aleph::nnue {
namespace {

namespace fs = std::filesystem;
using Kind = NetworkSource::Kind;

constexpr std::string_view kPrefix = "nn-", kSuffix = ".nnue";
constexpr std::size_t kNameDigits = 12;

fs::path home_directory() {
  if (const char* const home = std::getenv("HOME"); home != nullptr && *home != '\0') return home;
  const passwd* const user = ::getpwuid(::getuid());
  return user != nullptr && user->pw_dir != nullptr ? fs::path(user->pw_dir) : fs::path();
}

bool is_file(const fs::path& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem);
}

std::string searched_places(const NetworkPlaces& places) {
  std::string text;
  if (!places.beside_program.empty()) text += places.beside_program.string() + ", ";
  if (!places.data_directory.empty()) text += places.data_directory.string() + ", ";
  return text + (places.embedded
                     ? "the program itself (which holds " + std::string(places.embedded->name) + ")"
                     : "the program itself (which holds none)");
}

void add_folder(std::vector<NetworkSource>& sources, const fs::path& folder, Kind kind) {
  if (folder.empty()) return;
  const auto first = static_cast<std::ptrdiff_t>(sources.size());
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem))
    if (entry->path().extension() == kSuffix && is_file(entry->path()))
      sources.push_back({kind, entry->path(), entry->path().filename().string(), {}});
  std::sort(sources.begin() + first, sources.end(),
            [](const NetworkSource& a, const NetworkSource& b) { return a.name < b.name; });
}

}  // namespace

std::string NetworkSource::describe() const {
  switch (kind) {
    case Kind::File: return fmt::format("{} from {}", name, path.string());
    case Kind::BesideProgram:
      return fmt::format("{} from beside the program ({})", name, path.parent_path().string());
    case Kind::DataDirectory:
      return fmt::format("{} from the data directory ({})", name, path.parent_path().string());
    case Kind::Embedded: return fmt::format("{} from the program itself", name);
  }
  return name;
}

NetworkPlaces NetworkPlaces::of_this_machine() {
  return {program_folder(), network_directory(), embedded_network()};
}

fs::path network_directory() {
  const char* const variable = std::getenv("XDG_DATA_HOME");
  const fs::path given = variable != nullptr ? fs::path(variable) : fs::path();
  if (given.is_absolute()) return given / "aleph" / "nets";  // the standard: ignore relative ones
  const fs::path home = home_directory();
  return home.empty() ? fs::path() : home / ".local" / "share" / "aleph" / "nets";
}

std::string network_file_name(std::string_view name) {
  const bool bare_hash = name.size() == kNameDigits &&
                         name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  std::string file_name(name);
  if (bare_hash) file_name.insert(0, kPrefix);
  if (!file_name.ends_with(kSuffix)) file_name += kSuffix;
  return file_name;
}

Result<NetworkSource> find_network(std::string_view name_or_path, const NetworkPlaces& places) {
  if (name_or_path.empty()) return Error{"no network is named"};
  const fs::path given(name_or_path);
  if (is_file(given)) return NetworkSource{Kind::File, given, given.filename().string(), {}};
  if (given.has_parent_path())
    return Error{fmt::format("there is no network file {}", aleph::quoted(given.string()))};
  const std::string name = network_file_name(name_or_path);
  if (!places.beside_program.empty() && is_file(places.beside_program / name))
    return NetworkSource{Kind::BesideProgram, places.beside_program / name, name, {}};
  if (!places.data_directory.empty() && is_file(places.data_directory / name))
    return NetworkSource{Kind::DataDirectory, places.data_directory / name, name, {}};
  if (places.embedded && places.embedded->name == name)
    return NetworkSource{Kind::Embedded, {}, name, places.embedded->bytes};
  return Error{fmt::format("network {} was not found in {}; \"aleph net import\" can install it",
                           aleph::quoted(name), searched_places(places))};
}

Result<Network> load_network(const NetworkSource& source) {
  if (source.kind != Kind::Embedded) return load_network(source.path);
  Result<Network> network = read_network(source.bytes);
  if (!network.ok()) return Error{fmt::format("{}: {}", source.describe(), network.error())};
  return network;
}

std::vector<NetworkSource> all_networks(const NetworkPlaces& places) {
  std::vector<NetworkSource> sources;
  add_folder(sources, places.beside_program, Kind::BesideProgram);
  add_folder(sources, places.data_directory, Kind::DataDirectory);
  if (places.embedded)
    sources.push_back(
        {Kind::Embedded, {}, std::string(places.embedded->name), places.embedded->bytes});
  return sources;
}

Result<Installed> install_network(std::span<const std::byte> bytes, std::string_view sha256,
                                  const fs::path& folder) {
  const fs::path path =
      folder / fmt::format("{}{}{}", kPrefix, sha256.substr(0, kNameDigits), kSuffix);
  std::error_code problem;
  const bool exists = fs::exists(path, problem);
  if (exists) {
    const Result<MappedFile> there = MappedFile::open(path);
    if (there.ok() && sha256_hex(there.value().bytes()) == sha256) return Installed::AlreadyThere;
  }
  const Status written = write_file(path, bytes);
  if (!written.ok()) return Error{written.error()};
  return exists ? Installed::Replaced : Installed::New;
}

}  // namespace aleph::nnue
