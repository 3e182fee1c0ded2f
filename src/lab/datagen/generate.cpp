#include "lab/datagen/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/mapped_file.h"
#include "base/rng.h"
#include "base/sha256.h"
#include "base/version.h"
#include "data/dataset/segment_folder.h"
#include "engine/network_choice.h"
#include "lab/datagen/self_play.h"
#include "lab/match/openings.h"
#include "lab/segments/score_rows.h"
#include "lab/segments/segment_run.h"

namespace aleph::lab {

using chess::Color;
using chess::Position;
using Json = nlohmann::ordered_json;

namespace {

Result<std::string> file_sum(const std::string& name) {
  if (name.empty()) return std::string();
  const auto file = MappedFile::open(name);
  if (!file.ok()) return Error{file.error()};
  return sha256_hex(file.value().bytes());
}

Json to_json(const Adjudication& rules) {
  Json json = Json::object();
  if (rules.draw)
    json["draw"] = std::vector<int>{rules.draw->from_move, rules.draw->moves, rules.draw->score};
  if (rules.resign)
    json["resign"] = std::vector<int>{rules.resign->moves, rules.resign->score,
                                      static_cast<int>(rules.resign->two_sided)};
  if (rules.most_moves) json["most_moves"] = *rules.most_moves;
  return json;
}

// All that decides about rows, the program itself included.
std::string describe(const GenerateSettings& settings, const eval::NnueModels& models,
                     const std::string& book_sum) {
  const Json json{{"made_by", "gen"},
                  {"schema", "score"},
                  {"normalization", "flip"},
                  {"program", fmt::format("{} {}", version(), commit())},
                  {"network", models.main->network().sha256},
                  {"small_network", models.small ? models.small->network().sha256 : ""},
                  {"games", settings.games},
                  {"nodes", settings.nodes},
                  {"hash", settings.hash_mib},
                  {"book", book_sum},
                  {"random_plies", settings.random_plies},
                  {"seed", settings.seed},
                  {"adjudication", to_json(settings.adjudication)},
                  {"segment", settings.segment}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class GenerateRun {
 public:
  GenerateRun(const GenerateSettings& settings, const eval::NnueModels& models,
              const OpeningBook& book, const Interrupt& interrupt)
      : settings_(settings), models_(models), book_(book), interrupt_(interrupt) {}

  SegmentTask<SelfPlayGame> task(const SegmentPlan& plan,
                                 std::function<void(const SelfPlayGame&)> on_item) const {
    return {plan, [this] { return make_worker(); },
            [](std::size_t first, const std::vector<SelfPlayGame>& games) {
              return rows_of(first, games);
            },
            std::move(on_item), [this] { interrupt_.raise(); }};
  }

 private:
  SegmentTask<SelfPlayGame>::Worker make_worker() const {
    // std::function copies what it holds, and a search cannot be copied: hence the pointer.
    auto player = std::make_shared<SelfPlayer>(models_, settings_.hash_mib);
    return [this, player](std::size_t game) {
      const SelfPlayer::Rules rules{settings_.nodes, settings_.adjudication};
      return player->play(opening(game), rules, interrupt_);
    };
  }

  Position opening(std::size_t game) const {
    const Opening& chosen = book_.opening(static_cast<int>(game));
    Position position = chosen.start;
    for (const chess::Move move : chosen.moves) position.make(move);
    Rng rng(Rng(settings_.seed).next() ^ game);
    play_random_moves(position, settings_.random_plies, rng);
    return position;
  }

  static SegmentOutput rows_of(std::size_t first, const std::vector<SelfPlayGame>& games) {
    ScoreRows rows(1);
    data::Flags quiet;
    std::vector<std::int16_t> ply;
    std::vector<std::int64_t> game_id;
    SegmentOutput output;
    for (std::size_t i = 0; i < games.size(); ++i) {
      const SelfPlayGame& game = games[i];
      for (const ThoughtMove& thought : game.moves) {
        rows.add(thought.position, {&thought.depth, 1}, {&thought.score, 1},
                 game.outcome(thought.side), thought.move);
        quiet.values.push_back(thought.quiet);
        ply.push_back(thought.ply);
        game_id.push_back(static_cast<std::int64_t>(first + i));
      }
      count(game, output.summary);
    }
    output.table = rows.take();
    output.table.columns.push_back({"quiet", std::move(quiet), {}});
    output.table.columns.push_back({"ply", std::move(ply), {}});
    output.table.columns.push_back({"game_id", std::move(game_id), {}});
    return output;
  }

  static void count(const SelfPlayGame& game, data::SegmentSummary& summary) {
    auto& counts = summary.counts;
    ++counts["games"];
    ++counts[!game.winner ? "draws" : *game.winner == Color::White ? "white_wins" : "black_wins"];
    counts["adjudicated"] += game.adjudicated;
  }

  const GenerateSettings& settings_;
  const eval::NnueModels& models_;
  const OpeningBook& book_;
  const Interrupt& interrupt_;
};

void take_over(const data::SegmentSummary& summary, GenerateReport& report) {
  const auto count = [&](const char* name) {
    const auto found = summary.counts.find(name);
    return found == summary.counts.end() ? 0 : found->second;
  };
  report.games = count("games");
  report.rows = summary.rows;
  report.white_wins = count("white_wins");
  report.black_wins = count("black_wins");
  report.draws = count("draws");
  report.adjudicated = count("adjudicated");
}

Result<OpeningBook> load_book(const GenerateSettings& settings) {
  if (settings.book.empty() && settings.random_plies == 0)
    return Error{"every game would be the same: give a book, or random plies"};
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (settings.games > kMost) return Error{fmt::format("at most {} games", kMost)};
  return OpeningBook::load({settings.book, true, std::nullopt}, settings.seed, false,
                           static_cast<int>(settings.games));
}

}  // namespace

Result<GenerateReport> generate_games(const GenerateSettings& settings,
                                      const std::filesystem::path& out, Cluster& cluster,
                                      const Interrupt& interrupt,
                                      const GenerateProgress& on_progress) {
  const auto book = load_book(settings);
  if (!book.ok()) return Error{book.error()};
  const auto book_sum = file_sum(settings.book);
  if (!book_sum.ok()) return Error{book_sum.error()};
  const auto chosen = engine::choose_models(settings.network);
  if (!chosen.ok()) return Error{chosen.error()};
  const eval::NnueModels& models = chosen.value().models;
  const SegmentPlan plan{settings.games, settings.segment};
  auto opened =
      data::SegmentFolder::open(out, describe(settings, models, book_sum.value()), plan.segments());
  if (!opened.ok()) return Error{opened.error()};
  data::SegmentFolder folder = opened.take();
  GenerateReport report;
  report.network = chosen.value().source;
  report.was_complete = folder.is_complete();
  if (report.was_complete) {
    cluster.finish();
  } else {
    std::uint64_t done = settings.games;
    for (const std::size_t segment : folder.missing()) done -= plan.size(segment);
    const GenerateRun run(settings, models, book.value(), interrupt);
    const auto task = run.task(plan, [&](const SelfPlayGame&) {
      ++done;
      if (on_progress) on_progress(done, settings.games);
    });
    const auto end = run_segments(task, folder, cluster, settings.threads);
    if (!end.ok()) return Error{end.error()};
    report.stopped = end.value() == RunEnd::Stopped;
  }
  take_over(folder.summary(), report);
  return report;
}

}  // namespace aleph::lab
