// One thread of the alpha-beta search: iterative deepening of a principal variation search, over
// any evaluator that follows the line move by move.
//
// The functions of a node are in seven files, in the order of the road: iterate.h (the root),
// proven_mate.h (mates that the root knows),
// node.h (a node and its moves), shortcuts.h (what can answer instead of a search), doubt.h (how
// sure the evaluation is), quiescence.h (where the evaluation is asked), learning.h (what is
// remembered of the outcome).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/memory.h"
#include "chess/legality.h"
#include "chess/position.h"
#include "eval/evaluator.h"
#include "eval/maybe_score.h"
#include "search/alpha_beta/control.h"
#include "search/alpha_beta/doubt_memory.h"
#include "search/alpha_beta/histories.h"
#include "search/alpha_beta/move_picker.h"
#include "search/alpha_beta/params.h"
#include "search/alpha_beta/ply.h"
#include "search/alpha_beta/root_moves.h"
#include "search/alpha_beta/threats.h"
#include "search/mate/prover.h"

namespace aleph::search {

enum class NodeKind : std::uint8_t { Root, Pv, NonPv };

template <eval::IncrementalEvaluator Evaluator>
class Worker {
 public:
  static constexpr int kMaxPly = eval::Score::kMaxPly - 10;

  // The evaluator is made in place, from `evaluator_arguments`: it need not be movable.
  template <class... Arguments>
  Worker(SearchControl& control, int number, const Arguments&... evaluator_arguments)
      : control_(control), number_(number), evaluator_(evaluator_arguments...) {
    initialise();
  }

  // Forgets what was learned: a new game.
  void clear();
  void prepare(const chess::Position& position, const RootMoves& root_moves);
  // Searches deeper and deeper until a limit is reached or control.stop is set.
  void iterate();

  const chess::Position& root_position() const { return position_; }  // when not searching
  const RootMoves& root_moves() const { return root_moves_; }
  int completed_depth() const { return completed_depth_; }
  std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
  std::uint64_t tablebase_hits() const { return tablebase_hits_.load(std::memory_order_relaxed); }
  // What this search thought of the last move's position; what the time management compares with.
  void set_previous_score(std::optional<eval::Score> score) { previous_score_ = score; }

  // The nodes and hits of all threads, for reports.
  using Totals = std::uint64_t (*)(const void* owner);
  void set_totals(const void* owner, Totals total_nodes, Totals total_hits) {
    owner_ = owner, total_nodes_ = total_nodes, total_hits_ = total_hits;
  }
  Progress progress_of(const RootMove& move, int line_number, int depth) const;

 private:
  using Score = eval::Score;
  using MaybeScore = eval::MaybeScore;
  using Move = chess::Move;

  struct Nothing {};
  static constexpr bool kDoubts = eval::KnowsDoubt<Evaluator>;

  // What one visit to a node knows; the parts that children and siblings read are in its Ply.
  struct Visit {
    Ply* ply;
    Score alpha, beta;
    int depth;
    bool cut_node, is_pv;
    bool improving = false, opponent_worsening = false;
    bool table_noisy = false;  // the move from the table is a capture
    int correction = 0;        // of the static evaluation, in grains
    Score eval{};              // the best estimate without searching
    std::uint64_t key = 0;
    TranspositionTable::Probe table{};
    Threats threats{};
    // What tablebases leave open.
    Score tablebase_floor = -Score::infinite(), tablebase_ceiling = Score::infinite();
    // Once a step has asked for it. Nothing at all where the evaluator has no doubts.
    [[no_unique_address]] std::conditional_t<kDoubts, std::optional<Doubt>, Nothing> doubt{};

    bool is_all_node() const { return !is_pv && !cut_node; }
    Move table_move() const { return table.data.move; }
  };
  struct Tried {
    static constexpr std::size_t kMost = 32;
    std::array<Move, kMost> moves;
    std::size_t count = 0;
    void add(Move move) {
      if (count < kMost) moves[count++] = move;
    }
    const Move* begin() const { return moves.data(); }
    const Move* end() const { return moves.data() + count; }
  };
  // Where the moves of a node have got to.
  struct Moves {
    Score best_score = -Score::infinite();
    Move best;
    int count = 0;
    Tried quiets, captures;
  };
  // One move of a node, on its way.
  struct Step {
    Move move;
    int slot;  // piece and target
    bool noisy, gives_check;
    int new_depth;
    int extension = 0;
    int reduction = 0;  // in 1024ths of a ply
    // What the histories say; of a capture only the first, and what it takes.
    int history = 0, continuation = 0, pawns = 0, victim_value = 0;
    int least_exchange = 0;  // that it must be worth, or it is left out
  };

  // iterate.h
  void search_line(int depth);
  void set_optimism(Score average);
  void report_lines(int depth) const;
  bool is_mate_found() const;
  bool is_time_up(int depth);
  bool is_current_root_move(Move move) const;
  void announce_root_move(Move move, int number) const;
  void record_root_move(const Visit& visit, const Moves& moves, const Step& step, Score score,
                        std::uint64_t nodes_before);

  // proven_mate.h
  void look_for_mate();
  void keep_proven_mate();
  bool may_prove_mate() const;
  std::uint64_t prover_allowance() const;

  // node.h
  template <NodeKind Kind>
  Score search(Ply* ply, Score alpha, Score beta, int depth, bool cut_node);
  MaybeScore end_of_line(Visit& visit);
  void look_up(Visit& visit);
  void assess(Visit& visit);
  template <NodeKind Kind>
  Score search_moves(Visit& visit);
  template <NodeKind Kind>
  Score search_step(Visit& visit, Moves& moves, Step& step);
  int base_reduction(const Visit& visit, int count) const;
  int reduction_of(const Visit& visit, const Step& step);
  Step make_step(const Visit& visit, Move move, bool gives_check) const;
  int late_move_count(const Visit& visit) const;
  Score finish_node(Visit& visit, Moves& moves);

  // shortcuts.h
  MaybeScore table_cutoff(Visit& visit);
  MaybeScore probe_tablebases(Visit& visit);
  MaybeScore razor(Visit& visit);
  MaybeScore reverse_futility(Visit& visit);
  MaybeScore null_move(Visit& visit);
  MaybeScore probcut(Visit& visit);
  MaybeScore small_probcut(const Visit& visit) const;
  bool is_futile(const Visit& visit, Moves& moves, Step& step);
  bool is_futile_capture(const Visit& visit, Step& step, int reduced_depth) const;
  bool is_futile_quiet(const Visit& visit, Moves& moves, Step& step, int reduced_depth);
  MaybeScore extend_singular(Visit& visit, Step& step);

  // doubt.h
  Doubt ask_doubt();
  Doubt doubt_of(Visit& visit);
  void foresee_doubt(Visit& visit);
  bool covers(Visit& visit, int surplus, int margin, int weight, int Doubt::*side);
  int doubt_if_known(const Visit& visit, int weight, int Doubt::*side) const;
  Score stand_pat(Visit& visit, Score eval);
  void ask_root_doubt();
  int root_doubt(int weight) const { return weight * root_doubt_.whole / 1024; }

  // quiescence.h
  template <bool IsPv>
  Score quiescence(Ply* ply, Score alpha, Score beta);
  bool is_quiescence_prunable(const Visit& visit, MovePicker& picker,
                              const chess::CheckFinder& checks, Move move, bool noisy, int slot,
                              int count, MaybeScore futility_base, Score& best);

  // learning.h
  void learn_from_cutoff(Visit& visit, const Moves& moves);
  void learn_from_fail_low(const Visit& visit, const Moves& moves);
  void learn_from_static_eval(const Visit& visit);
  void learn_quiet(const Ply* ply, Move move, int bonus);
  void learn_continuation(const Ply* ply, int slot, int bonus);
  void learn_capture(Move move, int bonus);
  void learn_correction(const Visit& visit, const Moves& moves);

  // Small things all of them use (worker_body.h).
  void initialise();
  // Asks for the table's memory of the position that a move leads to.
  void prefetch_after(Move move) const;
  void prefetch_first(const Visit& visit) const;
  void play(Ply* ply, Move move, bool noisy, int slot);
  void take_back();
  void pass(Ply* ply);
  bool stopped() const { return control_.stop.load(std::memory_order_relaxed); }
  void check_limits();
  Score draw_score() const {
    return Score::from_units(-1 + static_cast<int>(nodes_.load(std::memory_order_relaxed) & 2));
  }
  static std::uint64_t table_key(std::uint64_t key, int halfmove_clock);
  int slot_of(Move move) const { return piece_square(position_.piece_on(move.from()), move.to()); }
  int correction_of(const Ply* ply) const;
  static Score corrected(Score static_eval, int correction);
  void store(const Visit& visit, Score score, Bound bound, int depth, Move move,
             MaybeScore static_eval);
  bool is_drawn(const Ply* ply) const;
  // Whether the side to move has more than pawns: without, zugzwang is near.
  bool has_pieces() const;

#if defined(ALEPH_TUNE)
  SearchParams params_;
#else
  static constexpr SearchParams params_{};
#endif

  SearchControl& control_;
  const int number_;
  Evaluator evaluator_;
  LargeArray<Histories> histories_memory_{1};  // read at random: huge pages spare page walks
  Histories* const histories_ = histories_memory_.data();
  chess::Position position_;
  RootMoves root_moves_;

  static constexpr int kPliesBefore = 7;  // so that looking back from the root is safe
  std::vector<Ply> plies_;
  std::array<int, kMaxPly + 12> reductions_{};

  std::atomic<std::uint64_t> nodes_{0}, tablebase_hits_{0};
  std::uint64_t node_limit_ = 0;
  int until_check_ = 0;
  int root_depth_ = 0, completed_depth_ = 0, selective_depth_ = 0;
  int root_delta_ = 1;          // width of the window at the root
  int null_move_from_ply_ = 0;  // no null moves above this ply: a verification is under way
  std::size_t line_index_ = 0;  // which of the lines asked for is being searched
  std::size_t line_end_ = 0;    // the end of the root moves of equal tablebase rank

  // The best mate known at the root: each iteration only tries to find a shorter one.
  struct ProvenMate {
    Score score;
    std::vector<Move> line;  // to the mate
  };
  std::optional<ProvenMate> proven_mate_;
  MateProver prover_;
  std::uint64_t prover_nodes_ = 0;

  // What the time management wants to know.
  double best_move_changes_ = 0;
  int last_change_depth_ = 0;
  std::optional<Score> previous_score_;
  std::array<Score, 4> iteration_scores_{};

  // Of the root; as usual, and unknown, where the evaluator has no doubts or the root is in check.
  Doubt root_doubt_;
  [[no_unique_address]] std::conditional_t<kDoubts, DoubtMemory, Nothing> doubts_;
  std::optional<eval::Quantiles> root_quantiles_;

  const void* owner_ = nullptr;
  Totals total_nodes_ = nullptr, total_hits_ = nullptr;
};

}  // namespace aleph::search
