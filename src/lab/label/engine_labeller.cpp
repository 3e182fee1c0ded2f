#include "lab/label/engine_labeller.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci_move.h"
#include "lab/segments/score_rows.h"

namespace aleph::lab {

using chess::Position;
using Json = nlohmann::ordered_json;

namespace {

std::string position_command(const Position& position) {
  const auto dialect =
      position.is_chess960() ? chess::FenDialect::Shredder : chess::FenDialect::XFen;
  return "position fen " + chess::to_fen(position, dialect);
}

UciProblem nonsense(std::string text) { return {UciProblem::Kind::Refused, std::move(text)}; }

// The command with the option that several lines need.
EngineCommand command_for(const LabelSettings& settings) {
  EngineCommand command = settings.engine;
  if (settings.lines > 1)
    command.options.emplace_back("MultiPV", fmt::format("{}", settings.lines));
  return command;
}

std::string describe(const LabelSettings& settings, const std::string& engine) {
  Json options = Json::object();
  for (const auto& [name, value] : settings.engine.options) options[name] = value;
  const Json json{{"engine", engine},
                  {"options", options},
                  {"go", settings.go_command()},
                  {"depths", settings.depths},
                  {"multipv", settings.lines}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string LabelSettings::go_command() const {
  if (nodes) return fmt::format("go nodes {}", *nodes);
  if (move_time) return fmt::format("go movetime {}", move_time->count());
  return fmt::format("go depth {}", depths.back());
}

std::optional<Label> EngineLabeller::label(const Position& position) {
  if (!chess::has_legal_move(position))
    return label_of_end(position, settings_.depths, settings_.lines);
  Label failure;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (interrupt_.raised()) return std::nullopt;
    Label label;
    const std::optional<UciProblem> problem = ask(position, label);
    if (!problem) return label;
    if (problem->kind == UciProblem::Kind::Interrupted) return std::nullopt;
    engine_.reset();
    failure.problem = problem->text;
  }
  return failure;
}

std::optional<UciProblem> EngineLabeller::make_ready(const Position& position) {
  if (!engine_) {
    UciProcess::Started started =
        UciProcess::start(command_for(settings_), &interrupt_, settings_.timeouts);
    if (started.problem) return started.problem;
    engine_ = std::move(started.process);
    chess960_ = false;
  }
  if (position.is_chess960() != chess960_) {
    chess960_ = position.is_chess960();
    if (auto problem = engine_->set_option("UCI_Chess960", chess960_ ? "true" : "false"))
      return problem;
  }
  return engine_->new_game();
}

std::optional<UciProblem> EngineLabeller::ask(const Position& position, Label& label) {
  if (auto problem = make_ready(position)) return problem;
  ScoreTrail trail;
  const SearchRequest request{position_command(position), settings_.go_command(),
                              settings_.patience};
  const UciProcess::Searched searched =
      engine_->search(request, [&](std::string_view line, const UciInfo&) { trail.add(line); });
  if (searched.problem) return searched.problem;
  if (searched.reply->was_stopped)
    return UciProblem{UciProblem::Kind::Silent,
                      fmt::format("no bestmove within {:.1f} s",
                                  std::chrono::duration<double>(settings_.patience).count())};
  const auto move = chess::parse_uci_move(searched.reply->best_move, position);
  if (!move.ok()) return nonsense("bestmove " + move.error());
  if (trail.empty()) return nonsense("tells no exact score");
  label.move = move.value();
  fill(trail, position, label);
  return std::nullopt;
}

void EngineLabeller::fill(const ScoreTrail& trail, const Position& position, Label& label) const {
  for (const int depth : settings_.depths) {
    label.depths.push_back(static_cast<std::int16_t>(depth));
    label.scores.push_back(score_number(trail.at_depth(depth)));
  }
  if (settings_.depths.empty()) {
    label.depths.push_back(static_cast<std::int16_t>(trail.last_depth()));
    label.scores.push_back(score_number(trail.last()));
  }
  if (settings_.lines == 1) return;
  label.line_moves.resize(static_cast<std::size_t>(settings_.lines));
  label.line_scores.resize(static_cast<std::size_t>(settings_.lines));
  const auto& lines = trail.lines();
  for (std::size_t i = 0; i < std::min(lines.size(), label.line_moves.size()); ++i) {
    if (!lines[i]) continue;
    const auto move = chess::parse_uci_move(lines[i]->move, position);
    if (!move.ok()) continue;
    label.line_moves[i] = move_number(move.value());
    label.line_scores[i] = score_number(lines[i]->score);
  }
}

Result<LabelSource> engine_source(const LabelSettings& settings, bool chess960,
                                  const Interrupt& interrupt) {
  EngineCommand command = command_for(settings);
  if (chess960) command.options.emplace_back("UCI_Chess960", "true");
  const std::string title = "engine " + aleph::quoted(command.name);
  const UciProcess::Started started = UciProcess::start(command, &interrupt, settings.timeouts);
  if (started.problem) return Error{fmt::format("{}: {}", title, started.problem->text)};
  const std::string name = started.process->id_name();
  return LabelSource{name, title, describe(settings, name),
                     [&settings, &interrupt]() -> std::unique_ptr<PositionLabeller> {
                       return std::make_unique<EngineLabeller>(settings, interrupt);
                     }};
}

}  // namespace aleph::lab
