#include "lab/label/label_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "chess/fen.h"
#include "data/dataset/segment_folder.h"
#include "lab/label/engine_labeller.h"
#include "lab/label/label_cache.h"
#include "lab/label/net_labeller.h"
#include "lab/segments/score_rows.h"
#include "lab/segments/segment_run.h"

namespace aleph::lab {

using chess::Position;
using Json = nlohmann::ordered_json;

namespace {

constexpr int kMostFailuresInARow = 10;
constexpr std::size_t kMostProblems = 20;  // of one segment

// The position as the labeller sees it: without clocks, equal boards are equal questions.
Position question(const chess::PackedPosition& packed, bool keep_clocks) {
  Position position = chess::unpack(packed).take();
  if (keep_clocks) return position;
  chess::Setup setup = position.setup();
  setup.halfmove_clock = 0;
  setup.fullmove_number = 1;
  Position without = Position::from(setup).take();
  without.set_chess960(position.is_chess960());
  return without;
}

bool any_chess960(const PositionList& list) {
  return std::ranges::any_of(list.positions, [](const chess::PackedPosition& packed) {
    return chess::unpack(packed).value().is_chess960();
  });
}

Result<LabelSource> make_source(const PositionList& positions, const LabelSettings& settings,
                                const Interrupt& interrupt) {
  if (!settings.network.empty()) return net_source(settings, interrupt);
  return engine_source(settings, any_chess960(positions), interrupt);
}

// All that decides about rows.
std::string describe(const LabelSettings& settings, const PositionList& positions,
                     const LabelSource& source) {
  Json json{{"made_by", "label"}, {"schema", "score"}, {"normalization", "flip"}};
  json.update(Json::parse(source.settings));
  json.update({{"keep_clocks", settings.keep_clocks},
               {"segment", settings.segment},
               {"positions", positions.size()},
               {"fingerprint", positions.fingerprint()}});
  return json.dump();
}

class LabelRun {
 public:
  LabelRun(const PositionList& positions, const LabelSettings& settings, const LabelSource& source,
           const Interrupt& interrupt)
      : positions_(positions), settings_(settings), source_(source), interrupt_(interrupt) {}

  SegmentTask<Label> task(const SegmentPlan& plan, std::function<void()> on_item) {
    return {plan, [this] { return make_worker(); },
            [this](std::size_t first, const std::vector<Label>& labels) {
              return rows_of(first, labels);
            },
            std::move(on_item), [this] { interrupt_.raise(); }};
  }
  std::uint64_t repeated() const { return cache_.repeated(); }

 private:
  SegmentTask<Label>::Worker make_worker() {
    // std::function copies what it holds, and a labeller cannot be copied: hence the pointers.
    const std::shared_ptr<PositionLabeller> labeller = source_.make_labeller();
    auto failures = std::make_shared<int>(0);
    return [this, labeller, failures](std::size_t item) {
      const Position position = question(positions_.positions[item], settings_.keep_clocks);
      return cache_.get(chess::pack(position), [&] {
        std::optional<Label> label = labeller->label(position);
        if (label) check(*label, *failures);
        return label;
      });
    };
  }

  // One bad position is skipped, but an engine that cannot do its work must not skip them all.
  void check(const Label& label, int& failures) const {
    failures = label.problem.empty() ? 0 : failures + 1;
    if (failures < kMostFailuresInARow) return;
    throw WorkFailure(fmt::format("{} failed at {} positions in a row; the last time: {}",
                                  source_.title, failures, label.problem));
  }

  SegmentOutput rows_of(std::size_t first, const std::vector<Label>& labels) const {
    ScoreRows rows(settings_.scores());
    const auto width = static_cast<std::size_t>(settings_.lines);
    data::FixedNumbers line_moves{width, {}}, line_scores{width, {}};
    std::vector<std::int64_t> game_ids;
    SegmentOutput output;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const Label& label = labels[i];
      const chess::PackedPosition& packed = positions_.positions[first + i];
      if (!label.problem.empty()) {
        add_problem(output.summary, packed, label.problem);
        continue;
      }
      rows.add(packed, label.depths, label.scores, positions_.outcome(first + i), label.move);
      game_ids.push_back(positions_.game_ids[first + i]);
      std::ranges::copy(label.line_moves, std::back_inserter(line_moves.numbers));
      std::ranges::copy(label.line_scores, std::back_inserter(line_scores.numbers));
    }
    output.table = rows.take();
    output.table.columns.push_back({"game_id", std::move(game_ids), {}});
    if (settings_.lines > 1) {
      output.table.columns.push_back({"line_moves", std::move(line_moves), {}});
      output.table.columns.push_back({"line_scores", std::move(line_scores), {}});
    }
    output.summary.counts["positions"] = labels.size();
    output.summary.counts["skipped"] += 0;  // a zero is worth telling
    return output;
  }

  static void add_problem(data::SegmentSummary& summary, const chess::PackedPosition& packed,
                          const std::string& problem) {
    ++summary.counts["skipped"];
    if (summary.problems.size() < kMostProblems)
      summary.problems.push_back(
          fmt::format("{}: {}", chess::to_fen(chess::unpack(packed).value()), problem));
  }

  const PositionList& positions_;
  const LabelSettings& settings_;
  const LabelSource& source_;
  const Interrupt& interrupt_;
  LabelCache cache_;
};

void take_over(const data::SegmentSummary& summary, LabelReport& report) {
  const auto count = [&](const char* name) {
    const auto found = summary.counts.find(name);
    return found == summary.counts.end() ? 0 : found->second;
  };
  report.positions = count("positions");
  report.skipped = count("skipped");
  report.rows = summary.rows;
  report.problems = summary.problems;
}

}  // namespace

Result<LabelReport> label_positions(const PositionList& positions, const LabelSettings& settings,
                                    const std::filesystem::path& out, Cluster& cluster,
                                    const Interrupt& interrupt, const LabelProgress& on_progress) {
  const auto source = make_source(positions, settings, interrupt);
  if (!source.ok()) return Error{source.error()};
  const SegmentPlan plan{positions.size(), settings.segment};
  auto opened = data::SegmentFolder::open(out, describe(settings, positions, source.value()),
                                          plan.segments());
  if (!opened.ok()) return Error{opened.error()};
  data::SegmentFolder folder = opened.take();
  LabelReport report;
  report.source = source.value().name;
  report.was_complete = folder.is_complete();
  if (report.was_complete) {
    cluster.finish();
  } else {
    std::uint64_t done = positions.size();
    for (const std::size_t segment : folder.missing()) done -= plan.size(segment);
    LabelRun run(positions, settings, source.value(), interrupt);
    const auto task = run.task(plan, [&] {
      ++done;
      if (on_progress) on_progress(done, positions.size());
    });
    const auto end = run_segments(task, folder, cluster, settings.processes);
    if (!end.ok()) return Error{end.error()};
    report.stopped = end.value() == RunEnd::Stopped;
    report.repeated = run.repeated();
  }
  take_over(folder.summary(), report);
  return report;
}

}  // namespace aleph::lab
