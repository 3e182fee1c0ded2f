#include "lab/label/label_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/text.h"
#include "chess/fen.h"
#include "data/dataset/segment_folder.h"
#include "lab/label/dense_labeller.h"
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
  if (!settings.network.empty()) {
    if (const auto file = find_dense_network(settings.network))
      return dense_source(*file, settings, interrupt);
    if (settings.top > 0)
      return Error{fmt::format("{} is no dense network, and --top asks for its moves",
                               aleph::quoted(settings.network))};
    return net_source(settings, interrupt);
  }
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

// Which positions an item of the run is about: a batch of them, but never of two segments. So a
// batch holds the same positions whoever works on it and whenever.
class Batches {
 public:
  Batches(std::size_t positions, std::size_t segment, std::size_t batch)
      : positions_(positions), segment_(segment), batch_(batch) {}

  SegmentPlan plan() const {
    const std::size_t whole = positions_ / segment_, rest = positions_ % segment_;
    return {whole * per_segment() + (rest + batch_ - 1) / batch_, per_segment()};
  }
  std::size_t first(std::size_t item) const {
    return item / per_segment() * segment_ + item % per_segment() * batch_;
  }
  std::size_t size(std::size_t item) const {
    const std::size_t begin = first(item), segment = item / per_segment();
    return std::min(batch_, segment * segment_ + positions_in(segment) - begin);
  }
  std::size_t positions_in(std::size_t segment) const {
    return std::min(segment_, positions_ - segment * segment_);
  }

 private:
  std::size_t per_segment() const { return (segment_ + batch_ - 1) / batch_; }
  std::size_t positions_, segment_, batch_;
};

using Labels = std::vector<Label>;

// A column of lists that grows. Width 0: it is not wanted.
struct List {
  List(const char* title, std::vector<std::int16_t> Label::*field, std::size_t width)
      : name(title), of(field), column{width, {}} {}
  const char* name;
  std::vector<std::int16_t> Label::*of;
  data::FixedNumbers column;
};

class LabelRun {
 public:
  LabelRun(const PositionList& positions, const LabelSettings& settings, const LabelSource& source,
           const Interrupt& interrupt)
      : positions_(positions),
        settings_(settings),
        source_(source),
        interrupt_(interrupt),
        batches_(positions.size(), settings.segment, source.batch) {}

  const Batches& batches() const { return batches_; }
  SegmentTask<Labels> task(std::function<void(const Labels&)> on_item) {
    return {batches_.plan(), [this] { return make_worker(); },
            [this](std::size_t first, const std::vector<Labels>& batches) {
              return rows_of(batches_.first(first), batches);
            },
            std::move(on_item), [this] { interrupt_.raise(); }};
  }
  std::uint64_t repeated() const { return cache_.repeated(); }

 private:
  SegmentTask<Labels>::Worker make_worker() {
    // std::function copies what it holds, and a labeller cannot be copied: hence the pointers.
    const std::shared_ptr<PositionLabeller> labeller = source_.make_labeller();
    if (source_.batch > 1)
      return [this, labeller](std::size_t item) { return labeller->label_all(questions(item)); };
    auto failures = std::make_shared<int>(0);
    return [this, labeller, failures](std::size_t item) -> std::optional<Labels> {
      const Position position = question(positions_.positions[item], settings_.keep_clocks);
      std::optional<Label> label = cache_.get(chess::pack(position), [&] {
        std::optional<Label> asked = labeller->label(position);
        if (asked) check(*asked, *failures);
        return asked;
      });
      if (!label) return std::nullopt;
      Labels labels;
      labels.push_back(std::move(*label));
      return labels;
    };
  }

  std::vector<Position> questions(std::size_t item) const {
    std::vector<Position> questions;
    for (std::size_t i = 0; i < batches_.size(item); ++i)
      questions.push_back(
          question(positions_.positions[batches_.first(item) + i], settings_.keep_clocks));
    return questions;
  }

  // One bad position is skipped, but an engine that cannot do its work must not skip them all.
  void check(const Label& label, int& failures) const {
    failures = label.problem.empty() ? 0 : failures + 1;
    if (failures < kMostFailuresInARow) return;
    throw WorkFailure(fmt::format("{} failed at {} positions in a row; the last time: {}",
                                  source_.title, failures, label.problem));
  }

  // Of the positions from `first` on.
  SegmentOutput rows_of(std::size_t first, const std::vector<Labels>& batches) const {
    ScoreRows rows(settings_.scores());
    const auto lines = static_cast<std::size_t>(settings_.lines);
    const auto top = static_cast<std::size_t>(settings_.top);
    std::array lists{List{"line_moves", &Label::line_moves, lines > 1 ? lines : 0},
                     List{"line_scores", &Label::line_scores, lines > 1 ? lines : 0},
                     List{"policy_moves", &Label::policy_moves, top},
                     List{"policy_probabilities", &Label::policy_probabilities, top}};
    std::vector<std::int64_t> game_ids;
    SegmentOutput output;
    std::size_t at = first;
    for (const Labels& labels : batches)
      for (const Label& label : labels) {
        const std::size_t place = at++;
        const chess::PackedPosition& packed = positions_.positions[place];
        if (!label.problem.empty()) {
          add_problem(output.summary, packed, label.problem);
          continue;
        }
        rows.add(packed, label.depths, label.scores, positions_.outcome(place), label.move);
        game_ids.push_back(positions_.game_ids[place]);
        for (List& list : lists)
          std::ranges::copy(label.*list.of, std::back_inserter(list.column.numbers));
      }
    output.table = rows.take();
    output.table.columns.push_back({"game_id", std::move(game_ids), {}});
    for (List& list : lists)
      if (list.column.width > 0)
        output.table.columns.push_back({list.name, std::move(list.column), {}});
    output.summary.counts["positions"] = at - first;
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
  const Batches batches_;
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
  LabelRun run(positions, settings, source.value(), interrupt);
  auto opened = data::SegmentFolder::open(out, describe(settings, positions, source.value()),
                                          run.batches().plan().segments());
  if (!opened.ok()) return Error{opened.error()};
  data::SegmentFolder folder = opened.take();
  LabelReport report;
  report.source = source.value().name;
  report.was_complete = folder.is_complete();
  if (report.was_complete) {
    cluster.finish();
  } else {
    std::uint64_t done = positions.size();
    for (const std::size_t segment : folder.missing()) done -= run.batches().positions_in(segment);
    const auto task = run.task([&](const Labels& labels) {
      for (std::size_t i = 0; i < labels.size(); ++i) {
        ++done;
        if (on_progress) on_progress(done, positions.size());
      }
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
