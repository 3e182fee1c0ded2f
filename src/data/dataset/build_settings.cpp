#include "data/dataset/build_settings.h"

#include <array>
#include <cmath>

#include "base/text.h"

namespace aleph::data {

namespace {

constexpr std::array<std::string_view, 3> kSchemas{"human", "policy", "score"};

// A part of a file name.
bool is_name(std::string_view text) {
  if (text.empty()) return false;
  for (const char c : text)
    if (!(to_lower(c) >= 'a' && to_lower(c) <= 'z') && !is_digit(c) && c != '_') return false;
  return true;
}

}  // namespace

std::string_view to_text(Schema schema) { return kSchemas[static_cast<std::size_t>(schema)]; }

std::optional<Schema> parse_schema(std::string_view text) {
  for (std::size_t i = 0; i < kSchemas.size(); ++i)
    if (kSchemas[i] == text) return static_cast<Schema>(i);
  return std::nullopt;
}

std::optional<std::vector<Split>> parse_splits(std::string_view text) {
  std::vector<Split> splits;
  double sum = 0;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || !is_name(item.substr(0, equals))) return std::nullopt;
    const auto share = parse_decimal(item.substr(equals + 1));
    if (!share || !(*share > 0 && *share <= 1)) return std::nullopt;
    for (const Split& other : splits)
      if (other.name == item.substr(0, equals)) return std::nullopt;
    splits.push_back({std::string(item.substr(0, equals)), *share});
    sum += *share;
  }
  if (splits.empty() || std::abs(sum - 1) > 1e-6) return std::nullopt;
  return splits;
}

}  // namespace aleph::data
