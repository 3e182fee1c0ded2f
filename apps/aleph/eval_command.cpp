#include "eval_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "chess/fen.h"
#include "common/arguments.h"
#include "engine/network_choice.h"
#include "engine/quantile_choice.h"
#include "eval/eval_report.h"

namespace aleph::apps {

int run_eval(Arguments arguments) {
  CLI::App app(
      "Shows the static evaluation of a position: what each piece contributes, what each bucket of "
      "the network says, and how the final value comes about.",
      "aleph eval");
  std::vector<std::string> fen_words;
  std::string network, quantile_file;
  app.add_option("fen", fen_words, "position, quoted or not (default: the starting position)");
  app.add_option("--net", network, "network: a name such as nn-ad9b42354671, or a file");
  app.add_option("--quantiles", quantile_file,
                 "quantile network made for that network, a name or a file: draws how sure the "
                 "evaluation is");
  if (const auto over = parse_arguments(app, arguments)) return *over;

  const std::string fen = fen_words.empty() ? std::string(chess::kStartFen)
                                            : fmt::format("{}", fmt::join(fen_words, " "));
  const Result<chess::Position> position = chess::parse_fen(fen);
  if (!position.ok()) {
    fmt::print(stderr, "aleph: {}\n", position.error());
    return kWrongUsage;
  }
  const auto chosen = engine::choose_models(network);
  if (!chosen.ok()) {
    fmt::print(stderr, "aleph eval: {}\n", chosen.error());
    return kFailed;
  }
  const eval::NnueModels& models = chosen.value().models;
  std::string source = chosen.value().source;
  std::shared_ptr<const nnue::QuantileForward> quantiles;
  if (!quantile_file.empty()) {
    const auto layers = engine::choose_quantiles(quantile_file, *models.main);
    if (layers.ok()) {
      quantiles = layers.value().quantiles;
      source += "\n" + layers.value().source;
    } else {
      fmt::print(stderr, "aleph eval: {}; using the plain evaluation\n", layers.error());
    }
  }
  fmt::print("{}\n\n{}", source,
             eval::format_report(eval::make_report(models, quantiles, position.value())));
  return kDone;
}

}  // namespace aleph::apps
