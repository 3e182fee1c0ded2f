// The numbers of the alpha-beta search that are found by tuning, not by thought.
// Depths are in plies, margins in internal units, reductions in 1024ths of a ply.
//
// In an ordinary build they are constants. A build with ALEPH_TUNE makes those of kTunables options
// of the engine; `aleph tune` prints the list as SPSA input, in any build.
#pragma once

#include <array>
#include <string_view>

namespace aleph::search {

struct SearchNumbers {
  // Aspiration windows.
  int aspiration_width = 7;
  int aspiration_spread = 11'134;  // mean squared score per unit of further width
  int optimism_scale = 137, optimism_flatness = 91;

  // Whole nodes.
  int razor_base = 461, razor_square = 315;
  int futility_depth = 14;
  int futility_margin = 105, futility_no_hit = 23;
  int null_margin_base = 418, null_margin_depth = 19, null_eval_divisor = 232, null_base = 5;
  int null_verify_depth = 16;
  int probcut_margin = 174, probcut_improving = 56, small_probcut_margin = 412;
  int reduce_without_move_pv = 5, reduce_without_move_cut = 7;
  int hindsight_margin = 188;

  // Moves.
  int late_moves_base = 3;
  int capture_futility_base = 242, capture_futility_depth = 238, capture_see_depth = 157;
  int history_prune = 4107, history_to_depth = 3576;
  int quiet_futility_base = 143, quiet_futility_best = 49, quiet_futility_depth = 116;
  int quiet_see_square = 26;

  // Singular extension.
  int singular_depth = 6;
  int singular_margin = 58, singular_margin_pv = 76;
  int singular_double = 4, singular_double_pv = 244, singular_double_quiet = 206;
  int singular_triple = 84, singular_triple_pv = 269, singular_triple_quiet = 253;

  // Late move reductions.
  int reduction_log = 1990;  // hundredths
  int reduction_base = 1132, reduction_window = 735, reduction_worse = 191;
  int reduction_tt_pv = 2381, reduction_pv = 1008, reduction_tt_above = 880,
      reduction_tt_deep = 1022, reduction_tt_deep_cut = 1140;
  int reduction_offset = 306, reduction_count = 34;
  int reduction_cut = 2784, reduction_cut_no_move = 1038;
  int reduction_tt_capture = 1171, reduction_tt_capture_shallow = 985;
  int reduction_cutoffs = 1042, reduction_cutoffs_all = 864, reduction_tt_move = 1937;
  int reduction_history = 1582;  // per 16384 of history
  int deeper_margin = 42, shallower_margin = 9;

  // Histories.
  int bonus_depth = 141, bonus_base = 89, bonus_most = 1613, bonus_tt_move = 311;
  int malus_depth = 695, malus_base = 215, malus_most = 2808, malus_count = 31;

  // Quiescence.
  int quiescence_futility = 325, quiescence_see = 75, quiescence_evasion = 5095;

  // Mates (proven_mate.h). So many per cent of the nodes go into a proof: from this score of the
  // root on, and below it.
  int prover_score = 600, prover_share = 25, prover_share_level = 4;

  // Doubt (doubt.h); only searches whose evaluator knows it look at these. The usual distance of
  // the tenth and the ninetieth percentile from the evaluation, and how it grows, in 1024ths, with
  // the distance of the evaluation from zero. The others say what twice that distance changes; 0
  // turns the step off.
  int doubt_usual = 215, doubt_slope = 125;
  int doubt_moves_depth = 5;  // least depth at which doubt is asked for the sake of the moves alone
  int doubt_futility = 54;    // reverse futility: units of margin per ply
  int doubt_razor = 55;       // razoring: units of margin per ply
  int doubt_hope = 0;         // futility of moves: units of hope
  int doubt_stand_pat = 8;    // quiescence: units taken off the evaluation
  int doubt_null_margin = 100;     // null move: units of margin
  int doubt_null_reduction = 256;  // null move: less reduction
  int doubt_reduction = 384;       // late moves: less reduction
  int doubt_aspiration = 3;        // root: units of window
  int doubt_time = 15;             // root: per cent of time

  friend constexpr bool operator==(const SearchNumbers&, const SearchNumbers&) = default;
};

#if defined(ALEPH_TUNE)

inline constexpr bool kTuning = true;
// What searches that this thread makes from now on shall use.
inline thread_local SearchNumbers numbers_of_new_searches;
struct SearchParams : SearchNumbers {
  SearchParams() : SearchNumbers(numbers_of_new_searches) {}
};
inline void use_numbers(const SearchNumbers& numbers) { numbers_of_new_searches = numbers; }

#else

inline constexpr bool kTuning = false;
using SearchParams = SearchNumbers;
inline void use_numbers(const SearchNumbers&) {}  // they are constants

#endif

struct Tunable {
  std::string_view name;
  int SearchNumbers::*field;
  int low, high;
  std::string_view why;
};

inline constexpr std::array kTunables{
    Tunable{"AspirationWidth", &SearchParams::aspiration_width, 3, 25, "half of the first window"},
    Tunable{"AspirationSpread", &SearchParams::aspiration_spread, 5000, 25'000,
            "wider where the score was far from zero"},
    Tunable{"OptimismScale", &SearchParams::optimism_scale, 60, 220, "most optimism there can be"},
    Tunable{"RazorBase", &SearchParams::razor_base, 200, 800, "hopeless by this much"},
    Tunable{"RazorSquare", &SearchParams::razor_square, 120, 500, "and this times depth squared"},
    Tunable{"FutilityMargin", &SearchParams::futility_margin, 50, 170, "units of doubt per ply"},
    Tunable{"FutilityNoHit", &SearchParams::futility_no_hit, 0, 60, "less at new cut nodes"},
    Tunable{"NullMarginBase", &SearchParams::null_margin_base, 150, 600, "above beta at depth 0"},
    Tunable{"NullMarginDepth", &SearchParams::null_margin_depth, 5, 40, "less per ply"},
    Tunable{"NullEvalDivisor", &SearchParams::null_eval_divisor, 100, 400, "surplus per ply"},
    Tunable{"ProbcutMargin", &SearchParams::probcut_margin, 80, 300, "above beta"},
    Tunable{"HindsightMargin", &SearchParams::hindsight_margin, 80, 300, "both sides agree"},
    Tunable{"CaptureFutilityBase", &SearchParams::capture_futility_base, 100, 400, "at depth 0"},
    Tunable{"CaptureFutilityDepth", &SearchParams::capture_futility_depth, 100, 400, "per ply"},
    Tunable{"CaptureSeeDepth", &SearchParams::capture_see_depth, 60, 260, "loss allowed per ply"},
    Tunable{"HistoryPrune", &SearchParams::history_prune, 2000, 8000, "per ply"},
    Tunable{"QuietFutilityBase", &SearchParams::quiet_futility_base, 40, 300, "at depth 0"},
    Tunable{"QuietFutilityDepth", &SearchParams::quiet_futility_depth, 50, 220, "per ply"},
    Tunable{"QuietSeeSquare", &SearchParams::quiet_see_square, 10, 60, "times depth squared"},
    Tunable{"SingularMargin", &SearchParams::singular_margin, 25, 110, "57ths per ply"},
    Tunable{"ReductionLog", &SearchParams::reduction_log, 1500, 2600, "slope of the logarithms"},
    Tunable{"ReductionBase", &SearchParams::reduction_base, 500, 1800, "of every late move"},
    Tunable{"ReductionCut", &SearchParams::reduction_cut, 1200, 4000, "more at cut nodes"},
    Tunable{"ReductionTtPv", &SearchParams::reduction_tt_pv, 1000, 3800, "less near main lines"},
    Tunable{"ReductionHistory", &SearchParams::reduction_history, 700, 2600, "weight of history"},
    Tunable{"BonusDepth", &SearchParams::bonus_depth, 60, 300, "history bonus per ply"},
    Tunable{"MalusDepth", &SearchParams::malus_depth, 200, 1100, "history malus per ply"},
    Tunable{"QuiescenceFutility", &SearchParams::quiescence_futility, 120, 500, "above the victim"},
    Tunable{"QuiescenceSee", &SearchParams::quiescence_see, 0, 200, "loss allowed in exchanges"},
    Tunable{"ProverScore", &SearchParams::prover_score, -2000, 4000,
            "of the root, to hope for mate"},
    Tunable{"ProverShare", &SearchParams::prover_share, 1, 60, "per cent of the nodes, then"},
    Tunable{"ProverShareLevel", &SearchParams::prover_share_level, 0, 30, "and otherwise"},
    Tunable{"DoubtUsual", &SearchParams::doubt_usual, 20, 400, "units to the outer quantiles"},
    Tunable{"DoubtSlope", &SearchParams::doubt_slope, 0, 600, "more far from zero"},
    Tunable{"DoubtMovesDepth", &SearchParams::doubt_moves_depth, 1, 12, "least depth to ask"},
    Tunable{"DoubtFutility", &SearchParams::doubt_futility, 0, 150, "reverse futility, per ply"},
    Tunable{"DoubtRazor", &SearchParams::doubt_razor, 0, 400, "razoring, per ply"},
    Tunable{"DoubtHope", &SearchParams::doubt_hope, 0, 150, "futility of moves"},
    Tunable{"DoubtStandPat", &SearchParams::doubt_stand_pat, 0, 60, "off the evaluation at leaves"},
    Tunable{"DoubtNullMargin", &SearchParams::doubt_null_margin, 0, 150, "null move, above beta"},
    Tunable{"DoubtNullReduction", &SearchParams::doubt_null_reduction, 0, 2048, "null move, less"},
    Tunable{"DoubtReduction", &SearchParams::doubt_reduction, 0, 1024, "late moves, less"},
    Tunable{"DoubtAspiration", &SearchParams::doubt_aspiration, 0, 20, "wider windows"},
    Tunable{"DoubtTime", &SearchParams::doubt_time, 0, 60, "per cent of time"},
};

}  // namespace aleph::search
