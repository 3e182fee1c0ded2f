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
  int futility_margin = 105, futility_no_hit = 23, futility_doubt = 150;
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
};

}  // namespace aleph::search
