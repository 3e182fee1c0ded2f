#include "engine/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/text.h"
#include "chess/fen.h"
#include "chess/perft.h"
#include "chess/uci_move.h"

namespace aleph::engine {

using chess::Position;

namespace {

constexpr std::array<std::string_view, 5> kKinds{"depth", "nodes", "movetime", "perft", "eval"};

class LastLine final : public search::ProgressListener {
 public:
  void on_progress(const search::Progress& progress) override { last = progress; }
  void on_finished(const search::Answer& answer) override { best = answer.best; }

  search::Progress last;
  chess::Move best;
};

Result<std::vector<Position>> positions_of(const BenchRequest& request, const Position& current) {
  std::vector<Position> positions;
  if (request.positions == "current") {
    positions.push_back(current);
  } else if (request.positions == "default") {
    for (const std::string_view fen : kBenchFens) positions.push_back(chess::parse_fen(fen).take());
  } else {
    std::ifstream in(request.positions);
    if (!in) return Error{"cannot read " + quoted(request.positions)};
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      if (trim(line).empty() || line.starts_with('#')) continue;
      auto position = chess::parse_fen(line);
      if (!position.ok())
        return Error{
            fmt::format("{}, line {}: {}", quoted(request.positions), number, position.error())};
      positions.push_back(position.take());
    }
  }
  if (positions.empty()) return Error{"there is no position in " + quoted(request.positions)};
  return positions;
}

search::Limits limits_of(const BenchRequest& request) {
  search::Limits limits;
  if (request.kind == "depth") limits.depth = static_cast<int>(request.limit);
  if (request.kind == "nodes") limits.nodes = request.limit;
  if (request.kind == "movetime")
    limits.move_time = std::chrono::milliseconds(static_cast<std::int64_t>(request.limit));
  return limits;
}

}  // namespace

Result<BenchRequest> parse_bench(const std::vector<std::string_view>& words) {
  BenchRequest request;
  const auto number = [&](std::size_t i, std::string_view what, auto low, auto high,
                          auto& field) -> Status {
    if (i >= words.size()) return Status::success();
    const auto value = parse_integer<std::int64_t>(words[i]);
    if (!value || *value < static_cast<std::int64_t>(low) ||
        *value > static_cast<std::int64_t>(high))
      return Error{fmt::format("bench: {} must be a number from {} to {}, not {}", what, low, high,
                               quoted(words[i]))};
    field = static_cast<std::remove_reference_t<decltype(field)>>(*value);
    return Status::success();
  };
  if (auto status = number(0, "hash", 1, 1 << 20, request.hash_mib); !status.ok())
    return Error{status.error()};
  if (auto status = number(1, "threads", 1, 1024, request.threads); !status.ok())
    return Error{status.error()};
  if (words.size() > 3) request.positions = words[3];
  if (words.size() > 4) request.kind = words[4];
  if (std::ranges::find(kKinds, request.kind) == kKinds.end())
    return Error{"bench: the limit must be depth, nodes, movetime, perft or eval, not " +
                 quoted(request.kind)};
  const std::int64_t most = request.kind == "depth" || request.kind == "perft" ? 200 : 1LL << 60;
  if (auto status = number(2, "the limit", 1, most, request.limit); !status.ok())
    return Error{status.error()};
  if (words.size() > 5) return Error{"bench: too many words: " + quoted(words[5])};
  return request;
}

std::uint64_t BenchResult::nodes_per_second() const {
  return nodes * 1000 / static_cast<std::uint64_t>(std::max<std::int64_t>(elapsed.count(), 1));
}

std::string BenchResult::summary() const {
  return fmt::format("{} nodes {} nps", nodes, nodes_per_second());
}

Result<BenchResult> run_bench(const BenchRequest& request, const Position& current,
                              const std::function<void(const std::string&)>& said) {
  const auto positions = positions_of(request, current);
  if (!positions.ok()) return Error{positions.error()};
  EngineConfig config;
  config.hash_mib = request.hash_mib;
  config.threads = request.threads;
  config.eval_file = request.eval_file;
  config.quantile_file = request.quantile_file;
  config.numbers = request.numbers;
  config.overhead_ms = 0;
  Engine engine(config);
  for (const std::string& sentence : engine.apply()) said(sentence);
  if (engine.model() == nullptr) return Error{"bench: there is no network"};

  eval::NnueEvaluator evaluator(*engine.models());
  BenchResult result;
  const auto start = search::Clock::now();
  std::size_t number = 0;
  for (const Position& position : positions.value()) {
    ++number;
    if (request.kind == "perft") {
      Position copy = position;
      result.nodes += chess::perft(copy, static_cast<int>(request.limit));
      continue;
    }
    if (request.kind == "eval") {
      const std::string value = position.in_check()
                                    ? "none, in check"
                                    : fmt::format("{}", evaluator.evaluate(position).units());
      said(fmt::format("position {}/{}: evaluation {}", number, positions.value().size(), value));
      ++result.nodes;
      continue;
    }
    LastLine last;
    engine.set_position(position);
    engine.go(limits_of(request), last);
    engine.wait();
    result.nodes += engine.nodes();
    said(fmt::format("position {}/{}: {} nodes, {}", number, positions.value().size(),
                     engine.nodes(), to_uci(last.best, position)));
  }
  result.elapsed =
      std::chrono::duration_cast<std::chrono::milliseconds>(search::Clock::now() - start);
  return result;
}

}  // namespace aleph::engine
