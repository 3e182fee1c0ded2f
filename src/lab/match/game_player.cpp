#include "lab/match/game_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "chess/fen.h"
#include "chess/outcome.h"
#include "chess/uci_move.h"
#include "lab/match/adjudicator.h"

namespace aleph::lab {
namespace {

using chess::Color;
using Clock = UciProcess::Clock;

std::size_t slot(Color color) { return static_cast<std::size_t>(chess::index(color)); }
std::string_view color_name(Color color) { return color == Color::White ? "White" : "Black"; }

// What is left on one side's clock. Without a time control it never changes anything.
class SideClock {
 public:
  explicit SideClock(const std::optional<TimeControl>& control) : control_(control) {
    if (!control_) return;
    left_ = control_->time;
    moves_to_go_ = control_->moves;
  }

  bool runs() const { return control_.has_value(); }
  Microseconds left() const { return left_; }
  Milliseconds increment() const { return control_->increment; }
  std::optional<int> moves_to_go() const { return moves_to_go_; }

  void spend(Microseconds elapsed) {
    if (!control_) return;
    left_ = std::max(left_ - elapsed, Microseconds(0)) + control_->increment;
    if (moves_to_go_ && --*moves_to_go_ == 0) {
      left_ += control_->time;
      moves_to_go_ = control_->moves;
    }
  }

 private:
  std::optional<TimeControl> control_;
  Microseconds left_{0};
  std::optional<int> moves_to_go_;
};

// Whether every move of a line is legal from here; if not, why.
std::optional<std::string> problem_in_line(std::string_view line, chess::Position position) {
  for (auto word = next_word(line); !word.empty(); word = next_word(line)) {
    const Result<chess::Move> move = chess::parse_uci_move(word, position);
    if (!move.ok()) return move.error();
    position.make(move.value());
  }
  return std::nullopt;
}

class GamePlay {
 public:
  GamePlay(const MatchSettings& settings, const Fixture& fixture, const Opening& opening,
           std::array<EngineSeat*, 2> seats)
      : settings_(settings),
        opening_(opening),
        seats_(seats),
        position_(opening.start),
        clocks_{SideClock(seats[0]->settings().limits.clock),
                SideClock(seats[1]->settings().limits.clock)},
        adjudicator_(settings.adjudication) {
    record_.summary.number = fixture.number;
    record_.start = opening.start;
    record_.opening = opening.name;
    record_.began = std::chrono::system_clock::now();
    position_command_ = "position fen " + chess::to_fen(opening.start, fen_dialect());
  }

  std::optional<GameRecord> run() {
    prepare_engines();
    if (!over_ && !interrupted_) play_opening();
    while (!over_ && !interrupted_) play_move();
    if (interrupted_) return std::nullopt;
    record_.summary.plies = static_cast<int>(record_.moves.size());
    return std::move(record_);
  }

 private:
  EngineSeat& seat(Color color) { return *seats_[slot(color)]; }
  chess::FenDialect fen_dialect() const {
    return settings_.chess960 ? chess::FenDialect::Shredder : chess::FenDialect::XFen;
  }

  void finish(std::optional<Color> winner, EndKind kind, std::string reason) {
    using data::GameResult;
    record_.summary.result = !winner                   ? GameResult::Draw
                             : *winner == Color::White ? GameResult::WhiteWins
                                                       : GameResult::BlackWins;
    record_.summary.kind = kind;
    record_.summary.reason = std::move(reason);
    over_ = true;
  }

  void fault(Color side, EndKind kind, std::string_view what) {
    finish(~side, kind, fmt::format("{}: {}", color_name(side), what));
  }

  void fault(Color side, const UciProblem& problem) {
    if (problem.kind == UciProblem::Kind::Interrupted) {
      interrupted_ = true;
      return;
    }
    const bool silent = problem.kind == UciProblem::Kind::Silent;
    fault(side, silent ? EndKind::Hang : EndKind::Crash, problem.text);
    seat(side).dismiss();
  }

  void prepare_engines() {
    for (const Color side : {Color::White, Color::Black}) {
      if (settings_.restart) seat(side).dismiss();
      if (const auto problem = seat(side).prepare()) return fault(side, *problem);
    }
  }

  void play_opening() {
    for (const chess::Move move : opening_.moves) {
      MoveRecord entry;
      entry.move = move;
      entry.from_book = true;
      record_.moves.push_back(entry);
      make(move);
    }
  }

  void make(chess::Move move) {
    if (position_.history_size() == 0) position_command_ += " moves";
    position_command_ += ' ';
    position_command_ += chess::to_uci(move, position_);
    position_.make(move);
  }

  std::string go_command(Color side) const {
    std::string go = "go";
    const EngineLimits& limits = seats_[slot(side)]->settings().limits;
    if (limits.clock) {
      for (const Color each : {Color::White, Color::Black}) {
        const SideClock& clock = clocks_[slot(each)];
        const char letter = each == Color::White ? 'w' : 'b';
        if (!clock.runs()) continue;
        const auto left = std::chrono::floor<Milliseconds>(clock.left()).count();
        go += fmt::format(" {}time {}", letter, std::max<std::int64_t>(left, 1));
        if (clock.increment().count() != 0)
          go += fmt::format(" {}inc {}", letter, clock.increment().count());
      }
      if (const auto moves = clocks_[slot(side)].moves_to_go())
        go += fmt::format(" movestogo {}", *moves);
    }
    if (limits.move_time) go += fmt::format(" movetime {}", limits.move_time->count());
    if (limits.nodes) go += fmt::format(" nodes {}", *limits.nodes);
    if (limits.depth) go += fmt::format(" depth {}", *limits.depth);
    return go;
  }

  // How long a move may take before it is a fault.
  Microseconds allowed(Color side) const {
    const EngineLimits& limits = seats_[slot(side)]->settings().limits;
    std::optional<Microseconds> most;
    if (limits.clock) most = clocks_[slot(side)].left() + settings_.time_margin;
    if (limits.move_time) {
      const Microseconds own = *limits.move_time + settings_.time_margin;
      most = most ? std::min(*most, own) : own;
    }
    return most.value_or(settings_.longest_think);
  }

  void play_move() {
    const Color side = position_.side_to_move();
    const Microseconds most = allowed(side);
    UciProcess::InfoHandler on_info;
    if (settings_.check_pv)
      on_info = [&](std::string_view line, const UciInfo&) { check_line(side, line); };
    const UciProcess::Searched searched =
        seat(side).process().search({position_command_, go_command(side), most}, on_info);
    if (searched.problem) return fault(side, *searched.problem);
    accept(side, *searched.reply, most);
  }

  void accept(Color side, const SearchReply& reply, Microseconds most) {
    const auto elapsed = std::chrono::duration_cast<Microseconds>(reply.elapsed);
    add_totals(side, reply.info, elapsed);
    if (reply.was_stopped || elapsed > most)
      return fault(side, EndKind::TimeLoss,
                   fmt::format("took {:.3f} s where {:.3f} s were left",
                               std::chrono::duration<double>(elapsed).count(),
                               std::chrono::duration<double>(most - margin(side)).count()));
    const Result<chess::Move> move = chess::parse_uci_move(reply.best_move, position_);
    if (!move.ok()) return fault(side, EndKind::IllegalMove, "bestmove " + move.error());

    clocks_[slot(side)].spend(elapsed);
    MoveRecord entry{move.value(), false, reply.info.score, reply.info.depth, elapsed, {}};
    if (clocks_[slot(side)].runs()) entry.clock = clocks_[slot(side)].left();
    record_.moves.push_back(entry);
    make(move.value());
    check_end(reply.info.score);
  }

  Microseconds margin(Color side) const {
    const EngineLimits& limits = seats_[slot(side)]->settings().limits;
    return limits.clock || limits.move_time ? settings_.time_margin : Milliseconds(0);
  }

  void check_end(const std::optional<UciScore>& score) {
    if (const auto end = chess::outcome(position_)) {
      std::string reason = end->winner ? fmt::format("{} mates", color_name(*end->winner))
                                       : fmt::format("Draw: {}", chess::describe(end->reason));
      return finish(end->winner, EndKind::Rules, std::move(reason));
    }
    if (auto verdict = adjudicator_.after_move(position_, score))
      finish(verdict->winner, EndKind::Adjudication, std::move(verdict->reason));
  }

  void add_totals(Color side, const UciInfo& info, Microseconds elapsed) {
    SideTotals& totals = record_.summary.sides[slot(side)];
    ++totals.moves;
    totals.time += elapsed;
    if (info.depth) {
      totals.depth_sum += static_cast<std::uint64_t>(std::max(*info.depth, 0));
      ++totals.moves_with_depth;
    }
    if (info.nodes) {
      totals.nodes += *info.nodes;
      totals.time_with_nodes += elapsed;
    }
  }

  void check_line(Color side, std::string_view info_line) {
    std::string_view line;
    parse_uci_info(info_line, &line);
    if (line.empty()) return;
    SideTotals& totals = record_.summary.sides[slot(side)];
    ++totals.pv_lines;
    const auto problem = problem_in_line(line, position_);
    if (!problem) return;
    ++totals.bad_pv_lines;
    if (record_.summary.bad_pv.empty())
      record_.summary.bad_pv = fmt::format("{}: {} in '{}' after '{}'", color_name(side), *problem,
                                           info_line, position_command_);
  }

  const MatchSettings& settings_;
  const Opening& opening_;
  std::array<EngineSeat*, 2> seats_;
  GameRecord record_;
  chess::Position position_;
  std::string position_command_;
  std::array<SideClock, 2> clocks_;
  Adjudicator adjudicator_;
  bool over_ = false, interrupted_ = false;
};

}  // namespace

std::optional<UciProblem> EngineSeat::prepare() {
  if (!process_) {
    UciProcess::Started started = UciProcess::start(settings_.engine, interrupt_, timeouts_);
    if (started.problem) return started.problem;
    process_ = std::move(started.process);
  }
  return process_->new_game();
}

std::optional<GameRecord> play_game(const MatchSettings& settings, const Fixture& fixture,
                                    const Opening& opening, std::array<EngineSeat*, 2> seats) {
  return GamePlay(settings, fixture, opening, seats).run();
}

}  // namespace aleph::lab
