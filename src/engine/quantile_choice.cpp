#include "engine/quantile_choice.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "nnue/quantile/quantile_file.h"

namespace aleph::engine {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".qnnue";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

}  // namespace

Result<fs::path> find_quantile_network(const std::string& name, const nnue::NetworkPlaces& places) {
  if (is_file(name)) return fs::path(name);
  for (const fs::path& folder : {places.beside_program, places.data_directory}) {
    if (folder.empty()) continue;
    if (is_file(folder / name)) return folder / name;
    if (const fs::path file = folder / (name + std::string(kEnding)); is_file(file)) return file;
  }
  return Error{fmt::format("{} is neither a file nor a quantile network in {} or {}",
                           aleph::quoted(name), places.beside_program.string(),
                           places.data_directory.string())};
}

Result<ChosenQuantiles> choose_quantiles(const std::string& name, const nnue::Model& base) {
  const auto file = find_quantile_network(name, nnue::NetworkPlaces::of_this_machine());
  if (!file.ok()) return Error{file.error()};
  auto network = nnue::load_quantile_network(file.value());
  if (!network.ok()) return Error{network.error()};
  auto shared = std::make_shared<const nnue::QuantileNetwork>(network.take());
  auto ready = eval::quantiles_for(base, shared);
  if (!ready.ok()) return Error{ready.error()};
  return ChosenQuantiles{ready.take(),
                         fmt::format("{} from {}", shared->file_name(), file.value().string())};
}

}  // namespace aleph::engine
