#include "quantile_net.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/progress.h"
#include "common/command_table.h"
#include "engine/quantile_choice.h"
#include "nnue/quantile/quantile_file.h"

namespace aleph::apps {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<int, nnue::kQuantiles> kPercent{10, 25, 50, 75, 90};

int complain(std::string_view sentence) {
  fmt::print(stderr, "aleph net info: {}\n", sentence);
  return kFailed;
}

// Cards come from files: they may hold anything, but must not break a terminal.
std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return text;
}

void print_line(std::string_view key, const std::string& value) {
  fmt::print("{:<13}  {}\n", key, value);
}

// Numbers of a card that may have been written by anybody.
double number_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

void print_calibration(const Json& calibration) {
  print_line(
      "calibration",
      fmt::format(
          "{} positions of other games: loss {:.5f}, {:.1f} % below the best margins "
          "without a network",
          with_thousands(
              static_cast<std::uint64_t>(std::max(0.0, number_in(calibration, "positions")))),
          number_in(calibration, "loss"), 100 * number_in(calibration, "gain_over_best_baseline")));
  const auto groups = calibration.find("groups");
  if (groups == calibration.end() || !groups->is_array()) return;
  for (const Json& group : *groups) {
    if (!group.is_object() || group.value("kind", Json()) != "all") continue;
    const auto coverage = group.find("coverage");
    if (coverage == group.end() || !coverage->is_array() || coverage->size() != nnue::kQuantiles)
      continue;
    std::string line;
    for (std::size_t k = 0; k < coverage->size(); ++k)
      if ((*coverage)[k].is_number())
        line += fmt::format("q{} {:.1f} %  ", kPercent[k], 100 * (*coverage)[k].get<double>());
    print_line("coverage", line);
  }
}

// One line for each entry of the card. What has entries of its own is told in short where it is
// known, and printed as JSON where it is not; --json has all of it.
void print_card(const std::string& text) {
  const Json card = Json::parse(text, nullptr, false);
  if (card.is_discarded() || !card.is_object()) return print_line("card", "is not a JSON object");
  for (const auto& [key, value] : card.items()) {
    if (key == "base" || key == "base_sha256" || key == "levels" || key == "config") continue;
    if (key == "calibration" && value.is_object()) {
      print_calibration(value);
    } else if (key == "rounding" && value.is_object()) {
      print_line("rounding", fmt::format("bytes and floats are {:.4f} of expected score apart on "
                                         "average, {:.3f} at worst",
                                         number_in(value, "mean_expected_score"),
                                         number_in(value, "worst_expected_score")));
    } else if (key == "data" && value.is_array()) {
      for (const Json& source : value)
        print_line("data", printable(source.is_object() && source.contains("content") &&
                                             source["content"].is_string()
                                         ? source["content"].get<std::string>()
                                         : source.dump()));
    } else {
      print_line(printable(key),
                 printable(value.is_string() ? value.get<std::string>() : value.dump()));
    }
  }
}

}  // namespace

bool is_quantile_network(const std::string& name) {
  return name.ends_with(".qnnue") || nnue::promised_quantile_hash(name + ".qnnue").size() == 12;
}

int print_quantile_info(const std::string& name, bool json) {
  const auto file = engine::find_quantile_network(name, nnue::NetworkPlaces::of_this_machine());
  if (!file.ok()) return complain(file.error());
  const auto network = nnue::load_quantile_network(file.value());
  if (!network.ok()) return complain(network.error());
  const nnue::QuantileNetwork& n = network.value();
  if (json) {
    fmt::print("{}\n", n.card);
    return kDone;
  }
  std::error_code ignored;
  const std::uint64_t weights =
      std::uint64_t{nnue::kBuckets} *
      (std::uint64_t{nnue::kQuantileFirst} * static_cast<std::uint64_t>(n.width) +
       nnue::kQuantileSecond * 2 * nnue::kQuantileFirst + nnue::kQuantiles * nnue::kQuantileSecond +
       nnue::kQuantileFirst + nnue::kQuantileSecond + nnue::kQuantiles);
  print_line("name", n.file_name());
  print_line("source", file.value().string());
  print_line("kind", "quantile network, version 1: q10, q25, q50, q75, q90 of a deep score");
  print_line("base", fmt::format("{}, {} wide", n.base_name(), n.width));
  print_line("base SHA-256", n.base_sha256);
  print_line("file", with_thousands(std::filesystem::file_size(file.value(), ignored)) + " bytes");
  print_line("SHA-256", n.sha256);
  print_line("layers",
             fmt::format("{} -> {}, {} -> {}, {} -> {}, in {} stacks by piece count", n.width,
                         nnue::kQuantileFirst, 2 * nnue::kQuantileFirst, nnue::kQuantileSecond,
                         nnue::kQuantileSecond, nnue::kQuantiles, nnue::kBuckets));
  print_line("parameters", with_thousands(weights));
  print_card(n.card);
  return kDone;
}

}  // namespace aleph::apps
