// Networks of Leela and Maia-3 against what lc0 and ONNX Runtime answer, position by position: by
// the book, and as they are run in earnest.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/text.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci_move.h"
#include "nets/encode/encoder.h"
#include "nets/encode/move_map.h"
#include "nets/executor/network.h"
#include "nets/graph/build.h"
#include "nets/weights/net_file.h"
#include "support/shared_data.h"

namespace aleph::nets {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json read_json(const fs::path& file) {
  std::ifstream stream(file);
  return Json::parse(stream);
}

// "startpos" or "fen ...", then perhaps "moves ...". Moves are as lc0 prints them.
chess::Position position_of(std::string_view text) {
  std::string_view moves;
  if (const auto place = text.find(" moves "); place != text.npos) {
    moves = text.substr(place + 7);
    text = text.substr(0, place);
  }
  auto position = chess::parse_fen(text == "startpos" ? chess::kStartFen : text.substr(4));
  REQUIRE(position.ok());
  chess::Position played = position.take();
  for (const std::string_view word : split_words(moves)) {
    const auto move = chess::parse_uci_move(word, played);
    REQUIRE(move.ok());
    played.make(move.value());
  }
  return played;
}

enum class Way { ByTheBook, Fast };
constexpr std::array kWays{Way::ByTheBook, Way::Fast};
const char* name_of(Way way) { return way == Way::Fast ? "Network::run" : "run_by_the_book"; }

// A network with all that is needed to ask it.
class Oracle {
 public:
  Oracle(const fs::path& file, HistoryFill fill)
      : network_(read(file)),
        graph_(build(network_)),
        encoder_(InputEncoder::make(network_.spec.input, {.fill = fill}).take()),
        fast_(make(network_)),
        workspace_(fast_.workspace(1)) {}

  struct Answer {
    std::map<std::string, double> policy;
    std::map<std::string, int> places;
    std::vector<float> value, wdl, moves_left;
  };

  Answer ask(Way way, const chess::Position& position, const GameContext& context = {}) {
    const InputSizes& sizes = encoder_.sizes();
    std::vector<float> planes(sizes.plane_numbers());
    std::vector<std::int16_t> tokens(static_cast<std::size_t>(sizes.tokens));
    std::vector<float> numbers(static_cast<std::size_t>(sizes.context));
    encoder_.encode(position, context, planes, tokens, numbers);
    const std::vector<std::vector<float>> outputs = run(way, {planes, tokens, numbers});
    Answer answer;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const HeadKind kind = network_.spec.heads[i].kind;
      if (kind == HeadKind::Value) answer.value = outputs[i];
      if (kind == HeadKind::Wdl) answer.wdl = softmax(outputs[i]);
      if (kind == HeadKind::MovesLeft) answer.moves_left = outputs[i];
      if (is_policy(kind)) add_policy(answer, kind, position, outputs[i]);
    }
    return answer;
  }

 private:
  static NetFile read(const fs::path& file) {
    Result<NetFile> network = read_network(file);
    INFO(file.string());
    if (!network.ok()) FAIL(network.error());
    return network.take();
  }
  static Graph build(const NetFile& network) {
    Result<Graph> graph = build_graph(network.spec);
    if (!graph.ok()) FAIL(graph.error());
    return graph.take();
  }

  static Network make(const NetFile& file) {
    Result<Network> network = Network::make(file);
    if (!network.ok()) FAIL(network.error());
    return network.take();
  }

  std::vector<std::vector<float>> run(Way way, const Network::Inputs& inputs) {
    if (way == Way::ByTheBook) return run_by_the_book(graph_, network_.tensors, inputs);
    std::vector<std::vector<float>> outputs;
    for (const auto& output : graph_.outputs)
      outputs.emplace_back(graph_.shapes[static_cast<std::size_t>(output.value)].size());
    const std::vector<std::span<float>> spans(outputs.begin(), outputs.end());
    fast_.run(*workspace_, 1, inputs, spans);
    return outputs;
  }

  static std::vector<float> softmax(std::vector<float> logits) {
    const float most = *std::max_element(logits.begin(), logits.end());
    float total = 0;
    for (float& logit : logits) total += logit = std::exp(logit - most);
    for (float& logit : logits) logit /= total;
    return logits;
  }

  // Castling is the king's move onto its rook.
  static std::string lc0_name(chess::Move move, const chess::Position& position) {
    if (move.kind() != chess::MoveKind::Castling) return chess::to_uci(move, position);
    return chess::square_name(move.from()) + chess::square_name(move.to());
  }

  void add_policy(Answer& answer, HeadKind kind, const chess::Position& position,
                  const std::vector<float>& output) const {
    // lc0 gave these goldens with an error of its own, in positions without pawns.
    const MoveMap map = MoveMap::make(kind, network_.spec.input, Transposition::AsLc0Errs).take();
    const auto here = map.at(position);
    std::vector<float> logits;
    std::vector<std::string> names;
    for (const chess::Move move : chess::legal_moves(position)) {
      const int place = here.places(move).place;
      logits.push_back(output[static_cast<std::size_t>(place)]);
      names.push_back(kind == HeadKind::Policy1858 ? lc0_name(move, position)
                                                   : chess::to_uci(move, position));
      // Printed as if the board were not turned.
      if (kind == HeadKind::Policy1858)
        answer.places[names.back()] = policy_index(kind, position, move);
    }
    const std::vector<float> shares = softmax(logits);
    for (std::size_t i = 0; i < names.size(); ++i) answer.policy[names[i]] = double{shares[i]};
  }

  NetFile network_;
  Graph graph_;
  InputEncoder encoder_;
  Network fast_;
  std::unique_ptr<Network::Workspace> workspace_;
};

void check_answer(const Oracle::Answer& answer, const Json& golden) {
  const double value =
      answer.wdl.empty() ? double{answer.value[0]} : double{answer.wdl[0]} - double{answer.wdl[2]};
  CHECK(std::abs(value - std::stod(golden["V"].get<std::string>())) <= 1e-4);
  if (!answer.moves_left.empty()) {
    const double printed = std::stod(golden["node_M"].get<std::string>());
    CHECK(std::abs(double{answer.moves_left[0]} - printed) <= 0.1);
  }
  const Json& policy = golden["policy"];
  CHECK(policy.size() == answer.policy.size());
  for (const auto& [name, move] : policy.items()) {
    INFO("move ", name);
    REQUIRE(answer.policy.contains(name));
    CHECK(answer.places.at(name) == move["idx"].get<int>());
    CHECK(std::abs(100 * answer.policy.at(name) - move["p"].get<double>()) <= 0.1);
  }
}

void check_position(Oracle& oracle, const Json& golden) {
  const std::string text = golden["position"];
  INFO("position ", text);
  const chess::Position position = position_of(text);
  for (const Way way : kWays) {
    INFO(name_of(way));
    check_answer(oracle.ask(way, position), golden);
  }
}

// Its golden file has the likeliest moves only.
void check_maia3(const Oracle::Answer& answer, const Json& golden) {
  for (const Json& move : golden["top"]) {
    const std::string name = move[0];
    INFO("move ", name);
    REQUIRE(answer.policy.contains(name));
    CHECK(std::abs(answer.policy.at(name) - move[1].get<double>()) <= 1e-3);
  }
  const Json& wdl = golden["wdl"];
  CHECK(std::abs(double{answer.wdl[0]} - wdl["win"].get<double>()) <= 1e-3);
  CHECK(std::abs(double{answer.wdl[1]} - wdl["draw"].get<double>()) <= 1e-3);
  CHECK(std::abs(double{answer.wdl[2]} - wdl["loss"].get<double>()) <= 1e-3);
}

TEST_SUITE("golden") {
  TEST_CASE("networks of Leela answer as lc0 does") {
    const auto shared = test::shared_data_or_skip("goldens of lc0");
    if (!shared) return;
    int networks = 0;
    for (const auto& entry : fs::directory_iterator(*shared / "golden" / "lc0")) {
      const Json golden = read_json(entry.path());
      if (!golden.contains("net")) continue;
      const fs::path file = *shared / "nets" / "lc0" / golden["net"].get<std::string>();
      if (!fs::exists(file)) continue;
      INFO("network ", file.filename().string());
      Oracle oracle(file, golden["fill"] == "no" ? HistoryFill::No : HistoryFill::FenOnly);
      for (const Json& result : golden["results"]) check_position(oracle, result);
      ++networks;
    }
    MESSAGE(networks, " networks of Leela compared");
    CHECK(networks > 0);
  }

  TEST_CASE("Maia-3 answers as ONNX Runtime does") {
    const auto shared = test::shared_data_or_skip("goldens of Maia-3");
    if (!shared) return;
    const Json golden = read_json(*shared / "golden" / "lc0" / "maia3-5m.json");
    Oracle oracle(*shared / "nets" / "maia3" / "maia3-5m.onnx", HistoryFill::FenOnly);
    for (const Json& result : golden["cases"]) {
      const std::string text = result["position"];
      INFO("position ", text);
      const chess::Position position = position_of(text);
      GameContext context;
      context.rating = result["self_elo"];
      context.opponent_rating = result["oppo_elo"];
      for (const Way way : kWays) {
        INFO(name_of(way));
        check_maia3(oracle.ask(way, position, context), result);
      }
    }
  }
}

}  // namespace
}  // namespace aleph::nets
