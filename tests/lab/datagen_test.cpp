#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "chess/fen.h"
#include "chess/legality.h"
#include "chess/outcome.h"
#include "data/dataset/packed_column.h"
#include "data/dataset/validate.h"
#include "lab/datagen/generate.h"
#include "lab/datagen/self_play.h"
#include "lab/dataset_rows.h"
#include "search/material_network.h"
#include "support/shared_data.h"

using namespace aleph;
using namespace aleph::lab;
using aleph::test::rows_in;
using aleph::test::same_rows;
using aleph::test::TemporaryFolder;

namespace {

GenerateSettings quick_settings() {
  GenerateSettings settings;
  settings.games = 7;
  settings.nodes = 200;
  settings.network = test::material_network_file();
  settings.hash_mib = 1;
  settings.segment = 2;
  settings.adjudication.draw = DrawRule{20, 4, 20};
  settings.adjudication.resign = ResignRule{3, 600, false};
  settings.adjudication.most_moves = 40;
  return settings;
}

Result<GenerateReport> run(const GenerateSettings& settings, const std::filesystem::path& out,
                           const Interrupt& interrupt, const GenerateProgress& on_progress = {}) {
  Alone alone;
  return generate_games(settings, out, alone, interrupt, on_progress);
}

GenerateReport generate(const GenerateSettings& settings, const std::filesystem::path& out) {
  const Interrupt interrupt;
  const auto report = run(settings, out, interrupt);
  if (!report.ok()) FAIL(report.error());
  CHECK(!report.value().stopped);
  return report.value();
}

chess::Position position_at(const data::Table& rows, std::size_t row) {
  const data::FixedBytes* const column = data::packed_column(rows);
  REQUIRE(column != nullptr);
  auto position = chess::unpack(data::packed_at(*column, row));
  REQUIRE(position.ok());
  return position.take();
}

template <class T>
const std::vector<T>& numbers(const data::Table& rows, std::string_view name) {
  const auto* const column = rows.values<std::vector<T>>(name);
  REQUIRE(column != nullptr);
  return *column;
}

}  // namespace

TEST_CASE("random moves are legal, leave a game to play, and depend on the seed") {
  std::set<std::string> ends;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed), same(seed);
    chess::Position position, again;
    play_random_moves(position, 8, rng);
    play_random_moves(again, 8, same);
    CHECK(position == again);
    CHECK(position.game_ply() == 8);
    CHECK(!chess::outcome(position));
    ends.insert(chess::to_fen(position));
  }
  CHECK(ends.size() == 50);
  // The fifty-move rule ends this one soon: only so many moves are played as leave a game.
  chess::Position stuck = chess::parse_fen("8/8/8/8/8/1k6/p7/K7 b - - 98 80").take();
  Rng rng(1);
  play_random_moves(stuck, 200, rng);
  CHECK(!chess::outcome(stuck));
}

TEST_CASE("rows are moves of whole games, and their outcomes agree") {
  const TemporaryFolder folder;
  const GenerateSettings settings = quick_settings();
  const GenerateReport report = generate(settings, folder.path() / "out");
  CHECK(report.games == 7);
  CHECK(report.white_wins + report.black_wins + report.draws == 7);
  const data::Table rows = rows_in(folder.path() / "out");
  CHECK(rows.rows() == report.rows);
  CHECK(report.rows > 7 * 10);
  const auto& moves = numbers<std::int32_t>(rows, "move");
  const auto& outcomes = numbers<std::int8_t>(rows, "outcome");
  const auto& plies = numbers<std::int16_t>(rows, "ply");
  const auto& games = numbers<std::int64_t>(rows, "game_id");
  const auto* const quiet = rows.values<data::Flags>("quiet");
  REQUIRE(quiet != nullptr);
  std::map<std::int64_t, int> white_outcomes;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    chess::Position position = position_at(rows, row);
    const auto move = chess::Move::from_bits(static_cast<std::uint16_t>(moves[row]));
    REQUIRE(chess::is_legal(position, move));
    CHECK(plies[row] == position.game_ply());
    const bool calm = !position.in_check() && !position.is_capture(move) && !move.is_promotion();
    CHECK((quiet->values[row] != 0) == calm);
    const int white =
        position.side_to_move() == chess::Color::White ? outcomes[row] : -outcomes[row];
    CHECK(white_outcomes.try_emplace(games[row], white).first->second == white);
    if (row + 1 == rows.rows() || games[row + 1] != games[row]) continue;
    position.make(move);
    CHECK(chess::to_fen(position) == chess::to_fen(position_at(rows, row + 1)));
  }
  CHECK(white_outcomes.size() == 7);
  const auto valid = data::validate(test::dataset_in(folder.path() / "out"), {});
  REQUIRE(valid.ok());
  CHECK(valid.value().bad_rows == 0);
}

TEST_CASE("the seed decides, not the threads") {
  const TemporaryFolder folder;
  GenerateSettings settings = quick_settings();
  generate(settings, folder.path() / "one");
  settings.threads = 3;
  generate(settings, folder.path() / "three");
  CHECK(same_rows(rows_in(folder.path() / "one"), rows_in(folder.path() / "three")));
  CHECK(generate(settings, folder.path() / "three").was_complete);
  settings.seed = 2;
  generate(settings, folder.path() / "other");
  CHECK(!same_rows(rows_in(folder.path() / "one"), rows_in(folder.path() / "other")));
  const Interrupt interrupt;
  const auto refused = run(settings, folder.path() / "one", interrupt);
  REQUIRE(!refused.ok());
  CHECK(refused.error().find("other settings: seed") != std::string::npos);
}

TEST_CASE("games that were stopped go on without a lost or doubled row") {
  const TemporaryFolder folder;
  GenerateSettings settings = quick_settings();
  generate(settings, folder.path() / "whole");
  const auto parts = folder.path() / "parts";
  const Interrupt interrupt;
  const auto stopped = run(settings, parts, interrupt, [&](std::uint64_t done, std::uint64_t) {
    if (done == 5) interrupt.raise();
  });
  REQUIRE(stopped.ok());
  CHECK(stopped.value().stopped);
  CHECK(stopped.value().games == 4);
  CHECK(!data::Dataset::open(parts).ok());
  CHECK(std::filesystem::remove(parts / "segments" / "00001.json"));
  settings.threads = 2;
  CHECK(generate(settings, parts).games == 7);
  CHECK(same_rows(rows_in(folder.path() / "whole"), rows_in(parts)));
}

TEST_CASE("openings come from a book, with or without random moves") {
  const TemporaryFolder folder;
  GenerateSettings settings = quick_settings();
  settings.games = 2;
  settings.random_plies = 0;
  const Interrupt interrupt;
  CHECK(!run(settings, folder.path() / "same", interrupt).ok());
  settings.book = folder
                      .write("book.epd",
                             "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3\n"
                             "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\n")
                      .string();
  generate(settings, folder.path() / "book");
  const data::Table rows = rows_in(folder.path() / "book");
  const auto& games = numbers<std::int64_t>(rows, "game_id");
  const auto second = static_cast<std::size_t>(std::ranges::find(games, 1) - games.begin());
  std::set<std::string> starts{chess::to_fen(position_at(rows, 0)),
                               chess::to_fen(position_at(rows, second))};
  CHECK(starts ==
        std::set<std::string>{"rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3",
                              "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"});
  settings.random_plies = 3;
  generate(settings, folder.path() / "both");
  CHECK(!starts.contains(chess::to_fen(position_at(rows_in(folder.path() / "both"), 0))));
}

TEST_CASE("a network that is not there is one sentence") {
  const TemporaryFolder folder;
  GenerateSettings settings = quick_settings();
  settings.network = (folder.path() / "nothing.nnue").string();
  const Interrupt interrupt;
  CHECK(!run(settings, folder.path() / "out", interrupt).ok());
}
