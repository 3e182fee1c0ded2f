#include "lab/datagen/self_play.h"

#include <algorithm>
#include <utility>

#include "chess/movegen.h"
#include "chess/outcome.h"
#include "eval/formula.h"
#include "lab/match/adjudicator.h"
#include "lab/segments/score_rows.h"
#include "search/limits.h"

namespace aleph::lab {

using chess::Position;

namespace {

constexpr int kDraws = 100;  // of random moves, before there are fewer of them

// The last exact score, or the last one if none was exact.
class LastScore final : public search::ProgressListener {
 public:
  void on_progress(const search::Progress& progress) override {
    const bool exact = progress.bound == search::Bound::Exact;
    if (progress.line_number != 1 || (latest_ && is_exact_ && !exact)) return;
    latest_ = progress;
    is_exact_ = exact;
  }
  void on_finished(const search::Answer& answer) override { best_ = answer.best; }

  const std::optional<search::Progress>& latest() const { return latest_; }
  chess::Move best() const { return best_; }

 private:
  std::optional<search::Progress> latest_;
  bool is_exact_ = false;
  chess::Move best_;
};

UciScore to_uci_score(const eval::UciScore& score) {
  return {score.kind == eval::UciScore::Kind::Mate, score.value, UciScore::Bound::Exact};
}

// False: the game was over on the way, or at the end.
bool try_random_moves(Position& position, int plies, Rng& rng) {
  for (int i = 0; i < plies; ++i) {
    const chess::MoveList moves = chess::legal_moves(position);
    position.make(moves[static_cast<std::size_t>(rng.below(moves.size()))]);
    if (chess::outcome(position)) return false;
  }
  return true;
}

bool is_quiet(const Position& position, chess::Move move) {
  return !position.in_check() && !position.is_capture(move) && !move.is_promotion();
}

}  // namespace

void play_random_moves(Position& position, int plies, Rng& rng) {
  for (; plies > 0; --plies)
    for (int draw = 0; draw < kDraws; ++draw) {
      Position attempt = position;
      if (!try_random_moves(attempt, plies, rng)) continue;
      position = std::move(attempt);
      return;
    }
}

SelfPlayer::SelfPlayer(const eval::NnueModels& models, int hash_mib)
    : wdl_(eval::wdl_model(eval::version_of(models.main->network()))) {
  table_.resize(static_cast<std::size_t>(hash_mib));
  search_.emplace(table_, models, 1);
}

SelfPlayer::Thought SelfPlayer::think(const Position& position, std::uint64_t nodes) {
  search::Limits limits;
  limits.nodes = nodes;
  LastScore listener;
  search_->start(position, limits, {}, listener);
  search_->wait();
  Thought thought{listener.best(), std::nullopt, 0};
  if (!listener.latest()) return thought;
  const auto phase = eval::GamePhase::of(position);
  thought.score = to_uci_score(wdl_.uci_score(listener.latest()->score, phase));
  thought.depth = listener.latest()->depth;
  return thought;
}

std::optional<SelfPlayGame> SelfPlayer::play(Position position, const Rules& rules,
                                             const Interrupt& interrupt) {
  table_.clear();
  search_->forget();
  Adjudicator adjudicator(rules.adjudication);
  SelfPlayGame game;
  while (true) {
    if (const auto end = chess::outcome(position)) {
      game.winner = end->winner;
      return game;
    }
    if (interrupt.raised()) return std::nullopt;
    const Thought thought = think(position, rules.nodes);
    if (thought.score)
      game.moves.push_back({chess::pack(position), position.side_to_move(), thought.move,
                            static_cast<std::int16_t>(thought.depth), score_number(*thought.score),
                            static_cast<std::int16_t>(std::min(position.game_ply(), 32'767)),
                            is_quiet(position, thought.move)});
    position.make(thought.move);
    // A mate or draw on the board counts before any verdict.
    if (chess::outcome(position)) continue;
    if (const auto verdict = adjudicator.after_move(position, thought.score)) {
      game.winner = verdict->winner;
      game.adjudicated = true;
      return game;
    }
  }
}

}  // namespace aleph::lab
