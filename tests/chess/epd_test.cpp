#include "chess/epd.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "chess/fen.h"
#include "chess/position.h"
#include "chess/uci_move.h"
#include "support/shared_data.h"
#include "support/zstd_text.h"

using namespace aleph;
using namespace aleph::chess;
using namespace aleph::test;

namespace {

Epd epd_of(std::string_view line) {
  Result<Epd> epd = parse_epd(line);
  REQUIRE_MESSAGE(epd.ok(), epd.error());
  return epd.take();
}

using Operands = std::vector<std::string>;

const std::string kBoard = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - -";

// Lines of the shared suites that are broken beyond repair, by a piece of each.
bool is_known_to_be_broken(std::string_view line) {
  constexpr std::array<std::string_view, 7> kPieces{
      "w Kqkq - bm Bb2",                  // one right twice
      "2KR3R w - bm Kc2",                 // a field is missing
      "Kubbel 1927, 1 ... e3 2 a7 e2 3",  // a record on two lines
      "a8/Q e1/Q 4 Qd5+",                 // the second of them
      "pr4k1/p4p1p/6p1",                  // a pawn on a8
      "2QQ4/K7 w - - bm #10",             // eight pawns and two queens
      "1P1N1PP1/R3R1K1 w - - bm Nf4;",    // no knight can go there
  };
  return std::any_of(kPieces.begin(), kPieces.end(), [&](std::string_view piece) {
    return line.find(piece) != std::string_view::npos;
  });
}

// Empty if the record can be read, written and read again, and its moves are legal.
std::string complaint_about(const std::string& line, int& moves) {
  const Result<Epd> epd = parse_epd(line);
  if (!epd.ok()) return epd.error();
  const Result<Epd> again = parse_epd(to_epd(epd.value()));
  if (!again.ok() || again.value() != epd.value()) return "does not come back";
  const Result<Position> position = Position::from(epd.value().setup);
  if (!position.ok()) return position.error();
  for (const std::string_view name : {"bm", "am"}) {
    const EpdOperation* const operation = epd.value().find(name);
    const bool is_mate_distance =
        operation != nullptr && operation->operands.at(0).starts_with('#');
    if (is_mate_distance) continue;
    const auto found = epd.value().moves(name, position.value());
    if (!found.ok()) return found.error();
    moves += static_cast<int>(found.value().size());
  }
  return "";
}

}  // namespace

TEST_CASE("a record has a position and operations") {
  const Epd epd = epd_of(kBoard + " bm Qd1+; id \"BK.01\";");
  CHECK(epd.setup == parse_fen_setup(kBoard).value());
  REQUIRE(epd.operations.size() == 2);
  CHECK(epd.operations[0] == EpdOperation{"bm", {"Qd1+"}});
  CHECK(epd.id() == "BK.01");
  CHECK(epd.find("am") == nullptr);
  CHECK(to_epd(epd) == kBoard + " bm Qd1+; id \"BK.01\";");

  const Position position = Position::from(epd.setup).take();
  const auto best = epd.moves("bm", position);
  REQUIRE(best.ok());
  REQUIRE(best.value().size() == 1);
  CHECK(to_uci(best.value()[0], position) == "d6d1");
  CHECK(epd.moves("am", position).value().empty());
}

TEST_CASE("strings may hold semicolons and be empty, operands may be many or none") {
  const Epd epd = epd_of(kBoard + " c0 \"a; b\" \"\"  c ; ep; pv Qd1+ Kxd1 ;");
  REQUIRE(epd.operations.size() == 3);
  CHECK(epd.operations[0] == EpdOperation{"c0", {"a; b", "", "c"}});
  CHECK(epd.operations[1] == EpdOperation{"ep", {}});
  CHECK(epd.operations[2].operands == Operands{"Qd1+", "Kxd1"});
  CHECK(epd_of(to_epd(epd)) == epd);
  CHECK(epd.id() == "");
}

TEST_CASE("hmvc and fmvn are the clocks") {
  const Epd epd = epd_of(kBoard + " hmvc 12; bm Qd1+; fmvn 40;");
  CHECK(epd.setup.halfmove_clock == 12);
  CHECK(epd.setup.fullmove_number == 40);
  CHECK(epd.operations.size() == 1);
  CHECK(to_epd(epd) == kBoard + " hmvc 12; fmvn 40; bm Qd1+;");
  CHECK(parse_epd(kBoard + " hmvc;").error() == "hmvc: must have one whole number");
  CHECK(parse_epd(kBoard + " fmvn x;").error() == "fmvn: must have one whole number");
  CHECK(parse_epd(kBoard + " fmvn -3;").error() == "fmvn: must have one whole number");
}

TEST_CASE("the dialects of the suites") {
  const Epd perft = epd_of(std::string(kStartFen) + " ;D1 20 ;D2 400");
  CHECK(perft.setup == Setup::starting());
  CHECK(perft.find("D2")->operands == Operands{"400"});
  CHECK(epd_of(std::string(kStartFen) + ";D1 20;D2 400") == perft);
  CHECK(epd_of(to_epd(perft)) == perft);

  const Epd clocks = epd_of(kBoard + " 5 30 bm d6d1");  // six fields, no semicolon, UCI move
  CHECK(clocks.setup.halfmove_clock == 5);
  CHECK(clocks.setup.fullmove_number == 30);
  CHECK(clocks.moves("bm", Position::from(clocks.setup).take()).value().size() == 1);

  const Epd commas = epd_of(kBoard + " bm Qd1+, Qc7 id \"no semicolon\";");
  CHECK(commas.moves("bm", Position::from(commas.setup).take()).value().size() == 2);
  CHECK(commas.id() == "no semicolon");

  const Epd chest = epd_of(kBoard + " bm #4; ep; ; 00:00; 00'40\" (Gustav);");
  REQUIRE(chest.operations.size() == 4);
  CHECK(chest.operations[2].name == "00:00");
  CHECK(chest.operations[3].operands == Operands{"(Gustav)"});
  CHECK(epd_of(to_epd(chest)) == chest);
  CHECK(chest.moves("bm", Position::from(chest.setup).take()).error() == "bm: '#4' is not a move");

  const Epd bare_time = epd_of(kBoard + " ;00:00;");
  CHECK(epd_of(to_epd(bare_time)) == bare_time);
}

TEST_CASE("operands that EPD cannot hold are made to fit") {
  Epd epd{Setup::starting(), {{"c0", {"say \"hi\"\nthere"}}, {"bm", {"id", ""}}}};
  const std::string line = to_epd(epd);
  CHECK(line.ends_with(" c0 \"say 'hi' there\"; bm \"id\" \"\";"));
  epd.operations[0].operands[0] = "say 'hi' there";
  CHECK(epd_of(line) == epd);
}

TEST_CASE("comments and empty lines are known") {
  CHECK(is_epd_comment(""));
  CHECK(is_epd_comment("  \r"));
  CHECK(is_epd_comment("# from somewhere"));
  CHECK_FALSE(is_epd_comment(kBoard));
}

TEST_CASE("every suite and book of the shared data can be read") {
  const auto shared = shared_data_or_skip("EPD suites");
  if (!shared) return;
  int lines = 0, moves = 0;
  for (const char* const folder : {"data/suites", "data/books"})
    for (const auto& file : std::filesystem::recursive_directory_iterator(*shared / folder)) {
      if (!file.path().string().ends_with(".epd.zst")) continue;
      for (const std::string& line : read_zstd_lines(file.path())) {
        if (is_epd_comment(line)) continue;
        ++lines;
        const std::string complaint = complaint_about(line, moves);
        if (complaint.empty() || is_known_to_be_broken(line)) continue;
        FAIL_CHECK(file.path().filename().string() << ": " << line << ": " << complaint);
      }
    }
  CHECK(lines > 800'000);
  CHECK(moves > 8'000);
}
