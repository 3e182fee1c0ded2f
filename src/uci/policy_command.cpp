#include "uci/policy_command.h"

#include <fmt/format.h>

#include "base/text.h"

namespace aleph::uci {

namespace {

Error out_of_range(std::string_view name, std::string_view range, std::string_view value) {
  return Error{fmt::format("{} must be a number {}, not {}", name, range, quoted(value))};
}

}  // namespace

Result<PolicyRequest> parse_policy(std::string_view arguments) {
  PolicyRequest request;
  std::string_view rest = arguments;
  for (std::string_view name = next_word(rest); !name.empty(); name = next_word(rest)) {
    const std::string_view value = next_word(rest);
    if (name == "top") {
      const auto count = parse_integer<int>(value);
      if (!count || *count < 1) return out_of_range(name, "from 1", value);
      request.most_moves = static_cast<std::size_t>(*count);
    } else if (name == "elo") {
      const auto elo = parse_integer<int>(value);
      if (!elo || *elo < 0 || *elo > kHighestElo)
        return out_of_range(name, fmt::format("from 0 to {}", kHighestElo), value);
      request.context.rating = request.context.opponent_rating = *elo;
    } else if (name == "clock") {
      const auto seconds = parse_decimal(value);
      if (!seconds || !(*seconds >= 0)) return out_of_range(name, "of seconds", value);
      request.context.clock_seconds = *seconds;
    } else if (name == "temperature") {
      const auto temperature = parse_decimal(value);
      if (!temperature || !(*temperature >= 0)) return out_of_range(name, "from 0", value);
      request.temperature = static_cast<float>(*temperature);
    } else {
      return Error{
          fmt::format("unknown word {}; there are top, elo, clock and temperature", quoted(name))};
    }
  }
  return request;
}

}  // namespace aleph::uci
