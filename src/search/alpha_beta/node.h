// A node of the tree, as a table of contents: each shortcut answers or declines, and what is left
// is searched move by move. Part of worker_body.h.
#pragma once

#include "chess/legality.h"
#include "search/alpha_beta/move_picker.h"
#include "search/alpha_beta/piece_values.h"
#include "search/alpha_beta/worker.h"

namespace aleph::search {

template <eval::IncrementalEvaluator E>
template <NodeKind Kind>
eval::Score Worker<E>::search(Ply* ply, Score alpha, Score beta, int depth, bool cut_node) {
  constexpr bool kIsPv = Kind != NodeKind::NonPv, kIsRoot = Kind == NodeKind::Root;
  if (depth <= 0) return quiescence<kIsPv>(ply, alpha, beta);

  Visit visit{ply, alpha, beta, std::min(depth, kMaxPly - 1), cut_node, kIsPv};
  ply->in_check = position_.in_check();
  ply->move_count = ply->stat_score = 0;
  ply[2].cutoffs = 0;
  if constexpr (kIsPv) {
    ply->line.clear();
    selective_depth_ = std::max(selective_depth_, ply->number + 1);
  }
  check_limits();
  if constexpr (!kIsRoot)
    if (const auto score = end_of_line(visit)) return *score;

  look_up(visit);
  if constexpr (!kIsPv)
    if (const auto score = table_cutoff(visit)) return *score;

  if constexpr (!kIsRoot)
    if (const auto score = probe_tablebases(visit)) return *score;

  assess(visit);
  if constexpr (!kIsPv) {
    if (!ply->in_check) {
      if (const auto score = razor(visit)) return *score;
      if (const auto score = reverse_futility(visit)) return *score;
    }
  }
  foresee_doubt(visit);
  prefetch_first(visit);
  // From here on moves are played: their scores, and what is learned of them, depend on threats.
  visit.threats = Threats::against(position_);
  ply->threats = visit.threats.all;
  if (!ply->in_check) {
    if constexpr (!kIsPv)
      if (const auto score = null_move(visit)) return *score;
    visit.improving |= ply->static_eval - beta >= 94;
    // Without a move to start with, this node is not worth its depth.
    const int patience = kIsPv ? params_.reduce_without_move_pv : params_.reduce_without_move_cut;
    if (!visit.is_all_node() && visit.depth >= patience && !visit.table_move()) --visit.depth;
    if (const auto score = probcut(visit)) return *score;
  }
  if (const auto score = small_probcut(visit)) return *score;
  return search_moves<Kind>(visit);
}

// Draws, the end of the stack, and mates already found nearer to the root.
template <eval::IncrementalEvaluator E>
eval::MaybeScore Worker<E>::end_of_line(Visit& visit) {
  const Ply* const ply = visit.ply;
  if (visit.alpha < Score::draw() && position_.has_upcoming_repetition(ply->number)) {
    visit.alpha = draw_score();
    if (visit.alpha >= visit.beta) return visit.alpha;
  }
  if (stopped() || is_drawn(ply)) return draw_score();
  if (ply->number >= kMaxPly) return ply->in_check ? Score::draw() : evaluator_.evaluate(position_);
  visit.alpha = std::max(visit.alpha, Score::mated_in(ply->number));
  visit.beta = std::min(visit.beta, Score::mate_in(ply->number + 1));
  if (visit.alpha >= visit.beta) return visit.alpha;
  return std::nullopt;
}

template <eval::IncrementalEvaluator E>
void Worker<E>::look_up(Visit& visit) {
  Ply* const ply = visit.ply;
  visit.key = table_key(position_.key(), position_.halfmove_clock());
  if constexpr (kDoubts) doubts_.prefetch(visit.key);
  control_.table.probe(visit.key, visit.table);
  TableData& data = visit.table.data;
  if (ply->number == 0)
    data.move = root_moves_[line_index_].move();
  else if (data.move && !is_legal(position_, data.move))
    data.move = Move();
  if (visit.table.found)
    data.score = from_table(data.score, ply->number, position_.halfmove_clock());
  ply->table_hit = visit.table.found;
  if (!ply->excluded) ply->table_pv = visit.is_pv || (visit.table.found && data.is_pv);
  visit.table_noisy = data.move && is_noisy(position_, data.move);
}

// The static evaluation, corrected by experience, and what it says compared with earlier plies.
template <eval::IncrementalEvaluator E>
void Worker<E>::assess(Visit& visit) {
  Ply* const ply = visit.ply;
  const TableData& data = visit.table.data;
  visit.correction = correction_of(ply);
  if (ply->in_check) {
    ply->static_eval = visit.eval = ply[-2].static_eval;
    return;
  }
  if (ply->excluded) {
    visit.eval = ply->static_eval;  // the same position as a moment ago
  } else {
    const Score raw =
        visit.table.found && data.static_eval ? *data.static_eval : evaluator_.evaluate(position_);
    ply->static_eval = visit.eval = corrected(raw, visit.correction);
    if (!visit.table.found)
      store(visit, Score::draw(), Bound::None, TranspositionTable::kUnsearched, Move(), raw);
    else if (data.bound != Bound::None &&
             allows(data.bound, data.score > visit.eval ? Bound::Lower : Bound::Upper))
      visit.eval = data.score;
    visit.table.data.static_eval = raw;
  }
  if (!ply->excluded) learn_from_static_eval(visit);
  visit.improving = ply->static_eval > ply[-2].static_eval;
  visit.opponent_worsening = ply->static_eval > -ply[-1].static_eval;
  // In hindsight: was the reduction of the move that led here right?
  const int reduced = ply[-1].reduction;
  if (reduced >= 3 && !visit.opponent_worsening) ++visit.depth;
  const bool both_content =
      ply->static_eval.units() + ply[-1].static_eval.units() > params_.hindsight_margin;
  if (reduced >= 2 && visit.depth >= 2 && both_content) --visit.depth;
}

template <eval::IncrementalEvaluator E>
template <NodeKind Kind>
eval::Score Worker<E>::search_moves(Visit& visit) {
  constexpr bool kIsPv = Kind != NodeKind::NonPv, kIsRoot = Kind == NodeKind::Root;
  Ply* const ply = visit.ply;
  Moves moves;
  moves.best_score = visit.tablebase_floor;
  const chess::CheckFinder checks(position_);
  MovePicker picker(position_, *histories_, ply, visit.table_move(), visit.depth, visit.threats,
                    checks);
  while (const Move move = picker.next()) {
    if (move == ply->excluded) continue;
    if constexpr (kIsRoot)
      if (!is_current_root_move(move)) continue;
    ply->move_count = ++moves.count;
    Step step = make_step(visit, move, checks.gives_check(move));
    if constexpr (kIsRoot) announce_root_move(move, moves.count);
    if constexpr (kIsPv) ply[1].line.clear();
    ply->is_table_move = move == visit.table_move();
    step.reduction = base_reduction(visit, moves.count);

    const bool may_prune = !kIsRoot && !moves.best_score.is_loss() && has_pieces();
    if (!kIsRoot && !moves.best_score.is_loss() && moves.count >= late_move_count(visit))
      picker.skip_quiets();
    if (may_prune && is_futile(visit, moves, step)) continue;
    // Long before it is played: memory takes as long as the exchange and what follows.
    prefetch_after(move);
    if (may_prune && !picker.is_exchange_at_least(move, step.least_exchange)) continue;
    if (const Move following = picker.foreseen()) prefetch_after(following);
    if constexpr (!kIsRoot)
      if (const auto score = extend_singular(visit, step)) return *score;

    const std::uint64_t nodes_before = nodes();
    const Score score = search_step<Kind>(visit, moves, step);
    if (stopped()) return Score::draw();
    if constexpr (kIsRoot) record_root_move(visit, moves, step, score, nodes_before);

    if (score > moves.best_score) {
      moves.best_score = score;
      if (score > visit.alpha) {
        moves.best = move;
        if constexpr (kIsPv && !kIsRoot) ply->line.set(move, ply[1].line);
        if (score >= visit.beta) {
          ply->cutoffs += static_cast<int>(step.extension < 2 || kIsPv);
          break;
        }
        // Having found one good move, spend less on the others.
        if (visit.depth > 2 && visit.depth < 14 && !score.is_proven()) visit.depth -= 2;
        visit.alpha = score;
      }
    }
    if (move != moves.best) (step.noisy ? moves.captures : moves.quiets).add(move);
  }
  return finish_node(visit, moves);
}

template <eval::IncrementalEvaluator E>
typename Worker<E>::Step Worker<E>::make_step(const Visit& visit, Move move,
                                              bool gives_check) const {
  Step step{move, slot_of(move), is_noisy(position_, move), gives_check, visit.depth - 1};
  const auto slot = static_cast<std::size_t>(step.slot);
  if (step.noisy) {
    step.victim_value = victim_value(position_, move);
    step.history = histories_->capture[slot][victim_index(position_, move)].value();
    return step;
  }
  step.history = histories_->quiet(position_.side_to_move(), move, visit.ply->threats).value();
  step.continuation =
      (*visit.ply[-1].continuation)[slot].value() + (*visit.ply[-2].continuation)[slot].value();
  step.pawns = histories_->pawns(position_.keys().pawn)[slot].value();
  return step;
}

template <eval::IncrementalEvaluator E>
int Worker<E>::late_move_count(const Visit& visit) const {
  return (params_.late_moves_base + visit.depth * visit.depth) / (2 - visit.improving);
}

template <eval::IncrementalEvaluator E>
int Worker<E>::base_reduction(const Visit& visit, int count) const {
  const int scale = reductions_[static_cast<std::size_t>(visit.depth)] *
                    reductions_[static_cast<std::size_t>(std::min(count, kMaxPly))];
  const int window = visit.beta - visit.alpha;
  return scale - window * params_.reduction_window / root_delta_ +
         (visit.improving ? 0 : scale * params_.reduction_worse / 512) + params_.reduction_base;
}

// By how much a late move is searched less deeply, in 1024ths of a ply; below zero: more deeply.
template <eval::IncrementalEvaluator E>
int Worker<E>::reduction_of(const Visit& visit, const Step& step) {
  Ply* const ply = visit.ply;
  const TableData& data = visit.table.data;
  int r = step.reduction;
  if (ply->table_pv) {
    const bool deep = visit.table.found && data.depth >= visit.depth;
    r -= params_.reduction_tt_pv + visit.is_pv * params_.reduction_pv +
         (visit.table.found && data.score > visit.alpha) * params_.reduction_tt_above +
         deep * (params_.reduction_tt_deep + visit.cut_node * params_.reduction_tt_deep_cut);
  }
  r += params_.reduction_offset - ply->move_count * params_.reduction_count;
  r -= std::abs(visit.correction) / 28'047;
  r -= std::max(0, doubt_if_known(visit, params_.doubt_reduction, &Doubt::whole));
  if (visit.cut_node)
    r += params_.reduction_cut + (visit.table_move() ? 0 : params_.reduction_cut_no_move);
  if (visit.table_noisy)
    r += params_.reduction_tt_capture + (visit.depth < 8) * params_.reduction_tt_capture_shallow;
  if (ply[1].cutoffs > 3)
    r += params_.reduction_cutoffs + visit.is_all_node() * params_.reduction_cutoffs_all;
  else if (ply->is_table_move)
    r -= params_.reduction_tt_move;

  if (step.noisy)
    ply->stat_score = 826 * step.victim_value / 128 + step.history - 5030;
  else
    ply->stat_score = 2 * step.history + step.continuation - 3271;
  return r - ply->stat_score * params_.reduction_history / 16'384;
}

template <eval::IncrementalEvaluator E>
template <NodeKind Kind>
eval::Score Worker<E>::search_step(Visit& visit, Moves& moves, Step& step) {
  constexpr bool kIsPv = Kind != NodeKind::NonPv;
  Ply *const ply = visit.ply, *const child = ply + 1;
  const Score alpha = visit.alpha, beta = visit.beta;
  int new_depth = step.new_depth + step.extension;
  play(ply, step.move, step.noisy, step.slot);
  int r = reduction_of(visit, step);
  Score score = -Score::infinite();

  if (visit.depth >= 2 && moves.count > 1) {
    const int most =
        new_depth + static_cast<int>(!visit.is_all_node()) + static_cast<int>(kIsPv && !moves.best);
    const int reduced = std::max(1, std::min(new_depth - r / 1024, most));
    ply->reduction = new_depth - reduced;
    score = -search<NodeKind::NonPv>(child, -alpha - 1, -alpha, reduced, true);
    ply->reduction = 0;
    if (score > alpha && reduced < new_depth) {
      // The reduced search was wrong: by how much decides how far to look again.
      new_depth += score > moves.best_score + (params_.deeper_margin + 2 * new_depth);
      new_depth -= score < moves.best_score + params_.shallower_margin;
      if (new_depth > reduced)
        score = -search<NodeKind::NonPv>(child, -alpha - 1, -alpha, new_depth, !visit.cut_node);
      learn_continuation(ply, step.slot, 1508);
    }
  } else if (!kIsPv || moves.count > 1) {
    if (!visit.table_move()) r += 1128;
    const int less = (r > 3564) + (r > 4969 && new_depth > 2);
    score = -search<NodeKind::NonPv>(child, -alpha - 1, -alpha, new_depth - less, !visit.cut_node);
  }
  if constexpr (kIsPv) {
    if (moves.count == 1 || score > alpha) {
      child->line.clear();
      // A move that the table believes in is not left to quiescence.
      if (ply->is_table_move && root_depth_ > 8) new_depth = std::max(new_depth, 1);
      score = -search<NodeKind::Pv>(child, -beta, -alpha, new_depth, false);
    }
  }
  take_back();
  return score;
}

template <eval::IncrementalEvaluator E>
eval::Score Worker<E>::finish_node(Visit& visit, Moves& moves) {
  Ply* const ply = visit.ply;
  if (moves.count == 0) {
    if (ply->excluded) return visit.alpha;
    return ply->in_check ? Score::mated_in(ply->number) : Score::draw();
  }
  // A fail high says "at least": believe the surplus less the shallower it was found.
  Score& best = moves.best_score;
  if (best >= visit.beta && !best.is_proven() && !visit.beta.is_proven() &&
      !visit.alpha.is_proven())
    best = Score::from_eval((best.units() * visit.depth + visit.beta.units()) / (visit.depth + 1));

  if (moves.best)
    learn_from_cutoff(visit, moves);
  else
    learn_from_fail_low(visit, moves);
  best = std::min(best, visit.tablebase_ceiling);
  if (best <= visit.alpha) ply->table_pv |= ply[-1].table_pv;

  if (!ply->excluded && !(ply->number == 0 && line_index_ > 0)) {
    const Bound bound = best >= visit.beta          ? Bound::Lower
                        : visit.is_pv && moves.best ? Bound::Exact
                                                    : Bound::Upper;
    store(visit, best, bound, visit.depth, moves.best, visit.table.data.static_eval);
  }
  if (!ply->excluded) learn_correction(visit, moves);
  return best;
}

}  // namespace aleph::search
