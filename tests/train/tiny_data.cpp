#include "train/tiny_data.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string_view>

#include "base/rng.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "data/dataset/builder.h"
#include "nets/spec/spec_yaml.h"

namespace aleph::train {
namespace {

std::string random_games(int count) {
  Rng rng(7);
  std::string text;
  constexpr std::string_view kResults[] = {"1-0", "0-1", "1/2-1/2", "*"};
  for (int game = 0; game < count; ++game) {
    const std::string result(kResults[rng.below(4)]);
    text += fmt::format(
        "[Event \"{0}\"]\n[White \"w{0}\"]\n[Black \"b{0}\"]\n[WhiteElo \"{1}\"]\n"
        "[BlackElo \"{2}\"]\n[TimeControl \"600+1\"]\n[Result \"{3}\"]\n\n",
        game, 900 + rng.below(1800), 900 + rng.below(1800), result);
    chess::Position position;
    const int plies = static_cast<int>(30 + rng.below(60));
    for (int ply = 0; ply < plies; ++ply) {
      chess::MoveList moves;
      chess::generate_all(position, moves);
      if (moves.size() == 0) break;
      const chess::Move move = moves[rng.below(moves.size())];
      if (ply % 2 == 0) text += fmt::format("{}. ", ply / 2 + 1);
      text += fmt::format("{} {{[%eval {:.2f},12] [%clk 0:0{}:30]}} ",
                          chess::to_san(move, position), rng.uniform() * 4 - 2, 9 - ply / 15);
      position.make(move);
    }
    text += result + "\n\n";
  }
  return text;
}

}  // namespace

TinyData::TinyData(data::Schema schema, int games) {
  const auto source = folder_.write("games.pgn", random_games(games));
  data::BuildSettings settings;
  settings.sources = {source.string()};
  settings.schema = schema;
  settings.segment_bytes = 20'000;
  settings.splits = {{"train", 0.75}, {"test", 0.25}};
  const auto report = data::build_dataset(settings, path(), 1, {});
  INFO((report.ok() ? "" : report.error()));
  REQUIRE(report.ok());
}

data::Dataset TinyData::open() const {
  auto dataset = data::Dataset::open(path());
  REQUIRE(dataset.ok());
  return dataset.take();
}

std::string tiny_model_text() {
  return "input: {kind: planes18}\n"
         "trunk: {kind: resnet, channels: 8, blocks: 2}\n"
         "heads:\n  - {kind: fromto}\n";
}

nets::NetSpec tiny_model() { return nets::parse_spec_yaml(tiny_model_text(), "tiny.yml").take(); }

TrainConfig tiny_config(const TinyData& data, const std::string& name, const std::string& more) {
  std::ofstream(data.folder() / "tiny.yml") << tiny_model_text();
  const std::string text = fmt::format(
      "name: {}\nmodel: tiny.yml\ndata: {{dataset: set, validation_rows: 200}}\n"
      "losses:\n  - {{kind: from_to, smoothing: 0.1}}\n  - {{kind: legal_policy}}\n"
      "schedule: {{kind: cosine, rate: 0.01, warmup: 3}}\nbatch: 32\nmicro_batch: 16\n"
      "threads: 1\nseed: 5\nlog_every: 2\nvalidate_every: 5\ncheckpoint_every: 3\n{}",
      name, more);
  const auto file = data.folder() / (name + ".yml");
  std::ofstream(file) << text;
  auto config = parse_train_config(text, file);
  INFO((config.ok() ? "" : config.error()));
  REQUIRE(config.ok());
  return config.take();
}

}  // namespace aleph::train
