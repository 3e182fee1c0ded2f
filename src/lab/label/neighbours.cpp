#include "lab/label/neighbours.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "chess/movegen.h"
#include "chess/packed_position.h"
#include "data/dataset/segment_folder.h"
#include "engine/network_choice.h"
#include "lab/label/walk.h"
#include "lab/segments/score_rows.h"
#include "lab/segments/segment_run.h"
#include "nnue/evaluator.h"

namespace aleph::lab {

using chess::Position;
using Json = nlohmann::ordered_json;

namespace {

struct ValuedPosition {
  chess::PackedPosition position;
  std::int16_t value;
  bool given;  // not a neighbour
};
using Family = std::vector<ValuedPosition>;  // a position and its neighbours

class FamilyMaker {
 public:
  FamilyMaker(std::shared_ptr<const nnue::Model> model, const NeighbourSettings& settings)
      : evaluator_(std::move(model)), settings_(settings) {}

  Family make(const chess::PackedPosition& packed, std::size_t number) {
    Family family;
    Rng rng(Rng(settings_.seed).next() ^ Rng(number).next());
    Position position = chess::unpack(packed).take();
    const chess::MoveList moves = chess::legal_moves(position);
    if (moves.empty()) return family;
    evaluator_.reset();
    add(position, true, family);
    for (int i = 0; i < settings_.neighbours; ++i) walk(position, moves, rng, family);
    return family;
  }

 private:
  void walk(Position& position, const chess::MoveList& first, Rng& rng, Family& family) {
    int plies = 0;
    bool over = false;
    chess::MoveList moves = first;
    do {
      evaluator_.push(position);
      position.make(random_move(position, moves, settings_.captures, rng));
      ++plies;
      moves = chess::legal_moves(position);
      over = moves.empty();
    } while (!over && plies < settings_.longest && rng.uniform() < settings_.further);
    if (!over) add(position, false, family);
    for (; plies > 0; --plies) {
      position.unmake();
      evaluator_.pop();
    }
  }

  void add(const Position& position, bool given, Family& family) {
    if (position.in_check()) return;
    constexpr std::int64_t kRawPerUnit = 16;
    const nnue::RawOutput raw = evaluator_.evaluate(position);
    const auto value = (std::int64_t{raw.psqt} + raw.positional) / kRawPerUnit;
    const auto bounded = static_cast<int>(std::clamp<std::int64_t>(value, -30'000, 30'000));
    family.push_back(
        {chess::pack(position), score_number({false, bounded, UciScore::Bound::Exact}), given});
  }

  nnue::Evaluator evaluator_;
  const NeighbourSettings& settings_;
};

SegmentOutput rows_of(const PositionList& positions, std::size_t first,
                      const std::vector<Family>& families) {
  constexpr std::int16_t kNoDepth = 0;
  ScoreRows rows(1);
  std::vector<std::int64_t> game_ids;
  SegmentOutput output;
  for (std::size_t i = 0; i < families.size(); ++i)
    for (const ValuedPosition& valued : families[i]) {
      rows.add(valued.position, {&kNoDepth, 1}, {&valued.value, 1},
               valued.given ? positions.outcome(first + i) : std::nullopt, chess::Move());
      game_ids.push_back(positions.game_ids[first + i]);
    }
  output.table = rows.take();
  output.table.columns.push_back({"game_id", std::move(game_ids), {}});
  output.summary.counts["positions"] = families.size();
  return output;
}

// All that decides about rows.
std::string describe(const NeighbourSettings& settings, const PositionList& positions,
                     const nnue::Network& network) {
  const Json json{{"made_by", "neighbours"},
                  {"schema", "score"},
                  {"normalization", "flip"},
                  {"plain", true},
                  {"network", network.sha256},
                  {"network_name", network.file_name()},
                  {"neighbours", settings.neighbours},
                  {"longest", settings.longest},
                  {"further", settings.further},
                  {"captures", settings.captures},
                  {"seed", settings.seed},
                  {"segment", settings.segment},
                  {"positions", positions.size()},
                  {"fingerprint", positions.fingerprint()}};
  return json.dump();
}

}  // namespace

Result<NeighbourReport> label_neighbours(const PositionList& positions,
                                         const NeighbourSettings& settings,
                                         const std::filesystem::path& out, Cluster& cluster,
                                         const Interrupt& interrupt,
                                         const NeighbourProgress& on_progress) {
  const auto chosen = engine::choose_models(settings.network);
  if (!chosen.ok()) return Error{chosen.error()};
  const std::shared_ptr<const nnue::Model> model = chosen.value().models.main;
  const SegmentPlan plan{positions.size(), settings.segment};
  auto opened = data::SegmentFolder::open(out, describe(settings, positions, model->network()),
                                          plan.segments());
  if (!opened.ok()) return Error{opened.error()};
  data::SegmentFolder folder = opened.take();
  NeighbourReport report;
  report.network = chosen.value().source;
  report.was_complete = folder.is_complete();
  if (report.was_complete) {
    cluster.finish();
  } else {
    std::uint64_t done = positions.size();
    for (const std::size_t segment : folder.missing()) done -= plan.size(segment);
    const SegmentTask<Family> task{plan,
                                   [&]() -> SegmentTask<Family>::Worker {
                                     // std::function copies what it holds, and an evaluator cannot
                                     // be copied.
                                     auto maker = std::make_shared<FamilyMaker>(model, settings);
                                     return [&, maker](std::size_t item) -> std::optional<Family> {
                                       if (interrupt.raised()) return std::nullopt;
                                       return maker->make(positions.positions[item], item);
                                     };
                                   },
                                   [&](std::size_t first, const std::vector<Family>& families) {
                                     return rows_of(positions, first, families);
                                   },
                                   [&](const Family&) {
                                     ++done;
                                     if (on_progress) on_progress(done, positions.size());
                                   },
                                   [&] { interrupt.raise(); }};
    const auto end = run_segments(task, folder, cluster, settings.threads);
    if (!end.ok()) return Error{end.error()};
    report.stopped = end.value() == RunEnd::Stopped;
  }
  const data::SegmentSummary summary = folder.summary();
  const auto found = summary.counts.find("positions");
  report.positions = found == summary.counts.end() ? 0 : found->second;
  report.rows = summary.rows;
  return report;
}

}  // namespace aleph::lab
