#include "quantile_net.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/progress.h"
#include "common/command_table.h"
#include "engine/quantile_choice.h"
#include "nnue/quantile/quantile_file.h"

namespace aleph::apps {

namespace {

using Json = nlohmann::ordered_json;

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

// One line for each entry of the card; what has entries of its own is printed as JSON.
void print_card(const std::string& text) {
  const Json card = Json::parse(text, nullptr, false);
  if (card.is_discarded() || !card.is_object()) return print_line("card", "is not a JSON object");
  for (const auto& [key, value] : card.items())
    print_line(printable(key),
               printable(value.is_string() ? value.get<std::string>() : value.dump()));
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
