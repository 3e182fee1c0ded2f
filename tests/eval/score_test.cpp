#include "eval/score.h"

#include <doctest/doctest.h>

#include "eval/quantiles.h"

using aleph::eval::Quantiles;
using aleph::eval::Score;

TEST_CASE("the bands of a score do not overlap") {
  CHECK(Score::from_eval(1'000'000) < Score::tablebase_win_in(Score::kMaxPly));
  CHECK(Score::tablebase_win_in(0) < Score::mate_in(Score::kMaxPly));
  CHECK(Score::mate_in(0) < Score::infinite());
  CHECK(Score::from_eval(-1'000'000) > Score::tablebase_loss_in(Score::kMaxPly));
  CHECK(Score::tablebase_loss_in(0) > Score::mated_in(Score::kMaxPly));
  CHECK(Score::mated_in(0) > -Score::infinite());
}

TEST_CASE("each score is in exactly one band") {
  for (int units = -32'200; units <= 32'200; ++units) {
    const Score score = Score::from_units(units);
    const int bands = score.is_evaluation() + score.is_tablebase() + score.is_mate();
    CHECK(bands <= 1);
    CHECK(score.units() == units);
    if (score.is_evaluation()) CHECK(!(score.is_win() || score.is_loss()));
  }
  for (int ply = 0; ply <= Score::kMaxPly; ++ply) {
    for (const Score mate : {Score::mate_in(ply), Score::mated_in(ply)}) {
      CHECK(mate.is_mate());
      CHECK(mate.plies_to_end() == ply);
      CHECK(mate.is_win() != mate.is_loss());
    }
    for (const Score win : {Score::tablebase_win_in(ply), Score::tablebase_loss_in(ply)}) {
      CHECK(win.is_tablebase());
      CHECK(win.plies_to_end() == ply);
    }
    CHECK(-Score::mate_in(ply) == Score::mated_in(ply));
    CHECK(-Score::tablebase_win_in(ply) == Score::tablebase_loss_in(ply));
  }
}

TEST_CASE("Stockfish's clamped evaluations can be told") {
  CHECK(Score::from_eval(31'507).units() == 31'507);  // 15.1 and 16
  CHECK(Score::from_eval(-31'506).units() == -31'506);
  CHECK(Score::from_eval(31'508).units() == 31'507);
  CHECK(Score().units() == 0);
}

TEST_CASE("a shorter mate is a better score, a later defeat too") {
  CHECK(Score::mate_in(1) > Score::mate_in(3));
  CHECK(Score::mated_in(4) > Score::mated_in(2));
}

TEST_CASE("quantiles turn round with the side") {
  const auto score = [](int units) { return Score::from_eval(units); };
  const Quantiles mine{score(-50), score(0), score(20), score(30), score(90)};
  const Quantiles theirs{score(-90), score(-30), score(-20), score(0), score(50)};
  CHECK(-mine == theirs);
  CHECK(-(-mine) == mine);
  CHECK(Quantiles::certain(score(7)).q10 == score(7));
  CHECK(Quantiles::certain(score(7)).q90 == score(7));
}
