#include "chess/san.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/names.h"
#include "chess/uci_move.h"
#include "random_games.h"

using namespace aleph;
using namespace aleph::chess;

namespace {

Position position_of(std::string_view fen) {
  Result<Position> position = parse_fen(fen);
  REQUIRE_MESSAGE(position.ok(), position.error());
  return position.take();
}

// The move in UCI, or the error.
std::string read(std::string_view text, const Position& position) {
  const Result<Move> move = parse_san(text, position);
  return move.ok() ? to_uci(move.value(), position) : move.error();
}

std::string written(std::string_view uci, const Position& position) {
  return to_san(parse_uci_move(uci, position).value(), position);
}

// What a SAN text may say. The slow twin of the reader asks every legal move whether it fits.
struct Wish {
  PieceType type;
  int file, rank;  // of the origin; -1: not said
  Square to;
  std::optional<PieceType> promotion;

  std::string text() const {
    std::string text(1, letter_of(type));
    if (file >= 0) text += static_cast<char>('a' + file);
    if (rank >= 0) text += static_cast<char>('1' + rank);
    text += square_name(to);
    if (promotion) text += {'=', letter_of(*promotion)};
    return text;
  }
  bool fits(Move move, const Position& position) const {
    if (move.is_castling() || move.to() != to || position.piece_on(move.from()).type() != type)
      return false;
    if (move.is_promotion() != promotion.has_value()) return false;
    if (promotion && move.promotion() != *promotion) return false;
    // A pawn without a file goes straight ahead.
    const int wanted_file = file < 0 && type == PieceType::Pawn ? to.file() : file;
    if (wanted_file >= 0 && move.from().file() != wanted_file) return false;
    return rank < 0 || move.from().rank() == rank;
  }
};

void check_all_wishes(const Position& position) {
  const MoveList moves = legal_moves(position);
  for (const PieceType type : kAllPieceTypes)
    for (int file = -1; file < 8; ++file)
      for (int rank = -1; rank < 8; ++rank)
        for (int to = 0; to < 64; ++to)
          for (const auto promotion :
               {std::optional<PieceType>(), std::optional(PieceType::Queen)}) {
            const Wish wish{type, file, rank, Square::from_index(to), promotion};
            std::vector<Move> fitting;
            for (const Move move : moves)
              if (wish.fits(move, position)) fitting.push_back(move);
            const Move expected = fitting.size() == 1 ? fitting[0] : Move();
            if (find_san_move(wish.text(), position) == expected) continue;
            FAIL_CHECK(to_fen(position) << " " << wish.text() << " " << fitting.size());
          }
}

}  // namespace

TEST_CASE("moves are written in their shortest unambiguous form") {
  const Position start;
  CHECK(written("e2e4", start) == "e4");
  CHECK(written("g1f3", start) == "Nf3");
  CHECK(to_san(Move(), start) == "--");

  const Position knights = position_of("4k3/8/8/8/8/2N1N3/8/2N1K3 w - - 0 1");
  CHECK(written("e3d5", knights) == "Ned5");
  CHECK(written("c3d5", knights) == "Ncd5");
  CHECK(written("c1e2", knights) == "N1e2");
  CHECK(written("c3e2", knights) == "N3e2");
  CHECK(written("c3b5", knights) == "Nb5");
}

TEST_CASE("file, then rank, then the whole square tell pieces apart") {
  const Position position = position_of("8/k7/8/8/4Q2Q/8/K7/7Q w - - 0 1");
  CHECK(written("e4e1", position) == "Qee1");
  CHECK(written("h1e1", position) == "Q1e1");
  CHECK(written("h4e1", position) == "Qh4e1");
  CHECK(written("h4e7", position) == "Qhe7+");
  CHECK(read("Qh4e1", position) == "h4e1");
  CHECK(read("Qe4e1", position) == "e4e1");
  CHECK(read("Qhe1", position) == "'Qhe1' is ambiguous: h1e1 or h4e1");
  CHECK(read("Q4e1", position) == "'Q4e1' is ambiguous: e4e1 or h4e1");
}

TEST_CASE("a pinned twin makes nothing ambiguous") {
  // The knight on e2 is pinned, so only the one on b1 can go to c3.
  const Position position = position_of("4r2k/8/8/8/8/8/4N3/1N2K3 w - - 0 1");
  CHECK(written("b1c3", position) == "Nc3");
  CHECK(read("Nc3", position) == "b1c3");
  CHECK(read("Nec3", position) == "'Nec3' is illegal: it leaves the king in check");
  // A pinned rook still moves along its line.
  const Position rooks = position_of("4r2k/8/8/8/R7/8/4R3/4K3 w - - 0 1");
  CHECK(written("a4e4", rooks) == "Rae4");
  CHECK(written("e2e4", rooks) == "Ree4");
  CHECK(written("a4a2", rooks) == "Ra2");
  // In check, only the piece that meets it counts.
  const Position check = position_of("4r2k/8/8/8/8/3N4/8/1N2K3 w - - 0 1");
  CHECK(written("d3e5", check) == "Ne5");
  CHECK(read("Nc3", check) == "'Nc3' is illegal: it leaves the king in check");
}

TEST_CASE("captures, promotions and en passant") {
  const Position position = position_of("3nk3/4P3/8/2pPp3/8/8/8/4K3 w - c6 0 1");
  CHECK(written("d5c6", position) == "dxc6");
  CHECK(written("d5d6", position) == "d6");
  CHECK(written("e7d8q", position) == "exd8=Q+");
  CHECK(written("e7d8n", position) == "exd8=N");
  CHECK(parse_san("dxc6", position).value().is_en_passant());
  CHECK(parse_san("exd8=N", position).value().promotion() == PieceType::Knight);
}

TEST_CASE("check and mate are marked") {
  const Position fools =
      position_of("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2");
  CHECK(written("d8h4", fools) == "Qh4#");
  const Position castling = position_of("5k2/8/8/8/8/8/8/4K2R w K - 0 1");
  CHECK(written("e1g1", castling) == "O-O+");
  const Position mate = position_of("2rkr3/2p1p3/8/8/8/8/8/R3K3 w Q - 0 1");
  CHECK(written("e1c1", mate) == "O-O-O#");
  // En passant uncovers a rook's check.
  const Position uncovered = position_of("8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1");
  CHECK(written("e5d6", uncovered) == "exd6+");
}

TEST_CASE("what people write instead of SAN is read too") {
  const Position start;
  for (const std::string_view text :
       {"Nf3", "Ng1f3", "Ng1-f3", "Nf3+", "Nf3#", "Nxf3", "Nf3!?", "Nf3!!", "Nf3??", "Ngf3", "N1f3",
        "Ngxf3", "N-f3", "g1f3", "g1-f3", "Nf3+!"})
    CHECK(read(text, start) == "g1f3");
  for (const std::string_view text :
       {"e4", "e2e4", "e2-e4", "Pe4", "Pe2e4", "Pe2-e4", "e4!", "e4+"})
    CHECK(read(text, start) == "e2e4");

  const Position castling = position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  for (const std::string_view text :
       {"O-O", "0-0", "o-o", "O-O+", "0-0!?", "e1g1", "e1h1", "e1-g1"})
    CHECK(read(text, castling) == "e1g1");
  for (const std::string_view text : {"O-O-O", "0-0-0", "O-O-O#", "o-o-o", "e1c1"})
    CHECK(read(text, castling) == "e1c1");

  const Position promoting = position_of("8/4P3/8/8/8/8/k7/7K w - - 0 1");
  for (const std::string_view text : {"e8=Q", "e8Q", "e8(Q)", "e8=Q+", "e8q", "e7e8q", "e7-e8=Q",
                                      "e8=q", "Pe8=Q", "e8(Q)+", "e8=(Q)"})
    CHECK(read(text, promoting) == "e7e8q");

  const Position en_passant = position_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
  for (const std::string_view text : {"exd6", "ed6", "exd6e.p.", "exd6 e.p.", "exd6ep", "e5d6",
                                      "e5xd6", "e:d6", "exd6e.p.+", "exd6+"})
    CHECK(read(text, en_passant) == "e5d6");
  CHECK(read("ed", en_passant) == "'ed' is not a move");
}

TEST_CASE("errors say what is wrong") {
  const Position start;
  CHECK(read("", start) == "'' is not a move");
  CHECK(read("hello", start) == "'hello' is not a move");
  CHECK(read("--", start) == "'--' is a null move, which is not legal");
  CHECK(read("Nf4", start) == "'Nf4' is illegal: White has no knight that can go to f4");
  CHECK(read("Nbf3", start) ==
        "'Nbf3' is illegal: White has no knight on the b-file that can go to f3");
  CHECK(read("N3f3", start) ==
        "'N3f3' is illegal: White has no knight on rank 3 that can go to f3");
  CHECK(read("exd3", start) ==
        "'exd3' is illegal: White has no pawn on the e-file that can go to d3");
  CHECK(read("Ke2", start) == "'Ke2' is illegal: White's king cannot go to e2");
  CHECK(read("O-O", start) == "'O-O' is illegal: a piece stands in the way");
  CHECK(read("e4=Q", start) == "'e4=Q' is illegal: no pawn promotes by this move");
  CHECK(read("e4e.p.", start) == "'e4e.p.' is illegal: nothing is taken en passant");
  CHECK(read("e2e5", start) == "'e2e5' is illegal: the pawn on e2 cannot go to e5");

  const Position two = position_of("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1");
  CHECK(read("Nd2", two) == "'Nd2' is ambiguous: b1d2 or f3d2");
  const Position promoting = position_of("8/4P3/8/8/8/8/k7/7K w - - 0 1");
  CHECK(read("e8", promoting) == "'e8' must say which piece the pawn becomes");
  const Position attacked = position_of("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
  CHECK(read("O-O-O", attacked) == "'O-O-O' is illegal: the king would pass an attacked square");
  CHECK(read("Kd1", attacked) == "'Kd1' is illegal: it leaves the king in check");
  const Position checked = position_of("4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1");
  CHECK(read("O-O", checked) == "'O-O' is illegal: the king is in check");
  CHECK(read("O-O", promoting) == "'O-O' is illegal: White has no right to castle on that side");
}

TEST_CASE("null moves are known by their many names") {
  for (const std::string_view text : {"--", "Z0", "@@@@", "0000", "null", "pass"}) {
    CHECK(is_null_san(text));
    CHECK_FALSE(parse_san(text, Position()).ok());
  }
  CHECK_FALSE(is_null_san("e4"));
  CHECK_FALSE(is_null_san(""));
}

TEST_CASE("every legal move comes back as it went out, and no two are written alike") {
  int ply = 0;
  test::play_random_games(13, 50'000, [&](Position& position, Move played) {
    const auto comes_back = [&](Move move) {
      return find_san_move(to_san(move, position), position) == move;
    };
    if (!comes_back(played)) FAIL_CHECK(to_fen(position) << " " << to_san(played, position));
    if (ply++ % 8 != 0) return;
    for (const Move move : legal_moves(position))
      if (!comes_back(move)) FAIL_CHECK(to_fen(position) << " " << to_san(move, position));
  });
}

TEST_CASE("whatever a text says, the one legal move that fits is found, or none") {
  int ply = 0;
  test::play_random_games(14, 20'000, [&](Position& position, Move) {
    if (ply++ % 401 == 0) check_all_wishes(position);
  });
  // Pins, checks, twins, en passant and promotions in one place each.
  for (const std::string_view fen : {
           "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
           "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
           "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
           "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
           "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
           "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
           "8/7k/8/Q2Q2Q1/8/8/8/Q2KR2q w - - 0 1",
           "2n1n3/1P1P4/8/8/8/7k/8/4K3 w - - 0 1",
       }) {
    const Result<Position> position = parse_fen(fen);
    REQUIRE_MESSAGE(position.ok(), fen << position.error());
    check_all_wishes(position.value());
  }
}
