#include "lab/spsa/spsa_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "base/mapped_file.h"
#include "base/text.h"
#include "base/write_file.h"
#include "lab/match/append_file.h"
#include "lab/match/fingerprint.h"
#include "lab/match/runner.h"

namespace aleph::lab {
namespace {

using Json = nlohmann::ordered_json;

// What must be the same when a tuning goes on: all that decides about numbers.
Json identity_of(const SpsaSettings& settings) {
  Json json{{"match", fingerprint(settings.match)},
            {"pairs", settings.schedule.pairs},
            {"pairs_each", settings.pairs_each},
            {"rate", settings.schedule.rate},
            {"seed", settings.seed}};
  for (const SpsaParameter& parameter : settings.parameters)
    json["parameters"].push_back({{"name", parameter.name},
                                  {"value", parameter.value},
                                  {"low", parameter.low},
                                  {"high", parameter.high},
                                  {"step", parameter.step}});
  return json;
}

class Tuner {
 public:
  Tuner(const SpsaSettings& settings, const Interrupt& interrupt)
      : settings_(settings),
        interrupt_(interrupt),
        identity_(identity_of(settings)),
        spsa_(settings.parameters, settings.schedule, settings.seed) {}

  Result<SpsaEnd> run(const SpsaPlay& play,
                      const std::function<void(const SpsaProgress&)>& listener) {
    if (const Status status = begin(); !status.ok()) return Error{status.error()};
    while (spsa_.pairs() < settings_.schedule.pairs && !interrupt_.raised()) {
      const std::uint64_t pairs =
          std::min(settings_.pairs_each, settings_.schedule.pairs - spsa_.pairs());
      const SpsaTrial trial = spsa_.next();
      auto played = play(match_of(trial, pairs));
      if (!played.ok()) return Error{played.error()};
      SpsaProgress progress = played.take();
      // A trial that was cut short says nothing that could be repeated: it is played again.
      if (progress.games.games() < 2 * pairs) break;
      spsa_.report(
          trial, pairs,
          static_cast<double>(progress.games.wins) - static_cast<double>(progress.games.losses));
      progress.pairs = spsa_.pairs();
      progress.parameters = &spsa_.parameters();
      if (const Status status = save(progress); !status.ok()) return Error{status.error()};
      if (listener) listener(progress);
    }
    return SpsaEnd{spsa_.parameters(), spsa_.pairs(), spsa_.pairs() < settings_.schedule.pairs};
  }

 private:
  Status begin() {
    if (settings_.match.engines.size() != 2) return Error{"a tuning needs the same engine twice"};
    if (settings_.parameters.empty()) return Error{"there is no parameter to tune"};
    const bool there =
        !settings_.state_file.empty() && std::filesystem::exists(settings_.state_file);
    if (there && !settings_.resume)
      return Error{settings_.state_file + " is there already: go on with --resume, or remove it"};
    if (there)
      if (Status status = take_up(); !status.ok()) return status;
    return write_csv_until(spsa_.pairs());
  }

  Status take_up() {
    const auto file = MappedFile::open(settings_.state_file);
    if (!file.ok()) return Error{file.error()};
    const Json state = Json::parse(file.value().text(), nullptr, false);
    const auto wrong = [&](const char* why) {
      return Error{fmt::format("{}: {}", settings_.state_file, why)};
    };
    if (!state.is_object() || !state.contains("tuning") || !state.contains("pairs_played") ||
        !state["pairs_played"].is_number_unsigned() || !state.contains("values") ||
        !state["values"].is_array())
      return wrong("this is no state of a tuning");
    if (state["tuning"] != identity_) return wrong("it belongs to a tuning with other settings");
    std::vector<double> values;
    for (const Json& value : state["values"])
      if (value.is_number()) values.push_back(value.get<double>());
    if (values.size() != settings_.parameters.size())
      return wrong("it holds another number of values");
    spsa_.restore(state["pairs_played"].get<std::uint64_t>(), values);
    return Status::success();
  }

  Status save(const SpsaProgress& progress) {
    if (!settings_.csv_file.empty()) {
      auto file = AppendFile::open(settings_.csv_file);
      if (!file.ok()) return Error{file.error()};
      if (Status status = file.take().append(csv_line(progress)); !status.ok()) return status;
    }
    if (settings_.state_file.empty()) return Status::success();
    Json state{{"tuning", identity_}, {"pairs_played", spsa_.pairs()}, {"values", Json::array()}};
    for (const SpsaParameter& parameter : spsa_.parameters())
      state["values"].push_back(parameter.value);
    const std::string text = state.dump(1) + "\n";
    return write_file(settings_.state_file, std::as_bytes(std::span(text)), Flush::BySystem);
  }

  std::string csv_line(const SpsaProgress& progress) const {
    std::string line = fmt::format("{},{},{},{},{}", progress.pairs, progress.games.wins,
                                   progress.games.draws, progress.games.losses, progress.faults);
    for (const SpsaParameter& parameter : spsa_.parameters())
      line += fmt::format(",{:.6g}", parameter.value);
    return line + "\n";
  }

  // Lines that the state does not know of are cut off: they will be written again.
  Status write_csv_until(std::uint64_t pairs) const {
    if (settings_.csv_file.empty()) return Status::success();
    std::string text = "pairs,wins,draws,losses,faults";
    for (const SpsaParameter& parameter : settings_.parameters) text += "," + parameter.name;
    text += "\n";
    if (pairs > 0)
      if (const auto file = MappedFile::open(settings_.csv_file); file.ok())
        for (std::string_view rest = file.value().text(); !rest.empty();) {
          const std::size_t end = rest.find('\n');
          if (end == std::string_view::npos) break;
          const std::string_view line = rest.substr(0, end + 1);
          const auto number = parse_integer<std::uint64_t>(line.substr(0, line.find(',')));
          if (number && *number <= pairs) text += line;
          rest.remove_prefix(end + 1);
        }
    return write_file(settings_.csv_file, std::as_bytes(std::span(text)));
  }

  MatchSettings match_of(const SpsaTrial& trial, std::uint64_t pairs) const {
    MatchSettings match = settings_.match;
    match.rounds = static_cast<int>(pairs);
    match.seed = settings_.seed + spsa_.pairs();  // other openings each time
    for (std::size_t i = 0; i < settings_.parameters.size(); ++i) {
      const std::string& name = settings_.parameters[i].name;
      match.engines[0].engine.options.emplace_back(name, std::to_string(trial.plus[i]));
      match.engines[1].engine.options.emplace_back(name, std::to_string(trial.minus[i]));
    }
    return match;
  }

  const SpsaSettings& settings_;
  const Interrupt& interrupt_;
  Json identity_;
  Spsa spsa_;
};

}  // namespace

Result<SpsaEnd> run_spsa(const SpsaSettings& settings, const SpsaPlay& play,
                         const std::function<void(const SpsaProgress&)>& listener,
                         const Interrupt& interrupt) {
  return Tuner(settings, interrupt).run(play, listener);
}

Result<SpsaEnd> run_spsa(const SpsaSettings& settings,
                         const std::function<void(const SpsaProgress&)>& listener,
                         const Interrupt& interrupt) {
  const SpsaPlay play = [&](const MatchSettings& match) -> Result<SpsaProgress> {
    auto end = run_match(match, {}, interrupt);
    if (!end.ok()) return Error{end.error()};
    const auto& engines = end.value().standings.engines();
    return SpsaProgress{0, engines[0].games, engines[0].all_faults() + engines[1].all_faults(),
                        nullptr};
  };
  return run_spsa(settings, play, listener, interrupt);
}

}  // namespace aleph::lab
