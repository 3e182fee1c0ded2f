#include "lab/match/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/text.h"
#include "lab/match/append_file.h"
#include "lab/match/fingerprint.h"
#include "lab/match/game_player.h"
#include "lab/match/journal.h"
#include "lab/match/openings.h"
#include "lab/match/pgn_text.h"

namespace aleph::lab {
namespace {

std::vector<std::string> names_of(const std::vector<EngineSettings>& engines) {
  std::vector<std::string> names;
  for (const EngineSettings& engine : engines) names.push_back(engine.engine.name);
  return names;
}

class MatchRunner {
 public:
  MatchRunner(const MatchSettings& settings, const MatchListener& listener,
              const Interrupt& interrupt)
      : settings_(with_chess960(settings)),
        listener_(listener),
        interrupt_(interrupt),
        schedule_(static_cast<int>(settings.engines.size()), settings.gauntlet, settings.rounds),
        standings_(names_of(settings.engines)) {}

  Result<MatchEnd> run() {
    if (const Status status = check_settings(); !status.ok()) return Error{status.error()};
    Result<OpeningBook> book =
        OpeningBook::load(settings_.openings, settings_.seed, settings_.chess960, settings_.rounds);
    if (!book.ok()) return Error{book.error()};
    book_ = book.take();
    if (const Status status = try_engines(); !status.ok()) return Error{status.error()};
    if (const Status status = open_files(); !status.ok()) return Error{status.error()};
    if (listener_.on_start) listener_.on_start(standings_, schedule_);
    decide();
    play_all();
    if (failure_) return Error{*failure_};
    const bool all_played = standings_.games() >= static_cast<std::uint64_t>(schedule_.games());
    const auto why = decided_     ? MatchEnd::Why::SprtDecided
                     : all_played ? MatchEnd::Why::AllPlayed
                                  : MatchEnd::Why::Interrupted;
    return MatchEnd{why, std::move(standings_)};
  }

 private:
  static MatchSettings with_chess960(MatchSettings settings) {
    if (settings.chess960)
      for (EngineSettings& engine : settings.engines)
        engine.engine.options.emplace_back("UCI_Chess960", "true");
    return settings;
  }

  Status check_settings() const {
    if (settings_.engines.size() < 2) return Error{"a match needs two engines or more"};
    std::vector<std::string> names = names_of(settings_.engines);
    std::ranges::sort(names);
    if (const auto twin = std::ranges::adjacent_find(names); twin != names.end())
      return Error{fmt::format("two engines are called {}: give them different names",
                               aleph::quoted(*twin))};
    if (settings_.sprt && settings_.engines.size() != 2) return Error{"an SPRT is for two engines"};
    return Status::success();
  }

  // A misspelt path or option is better told before the first game than after it.
  Status try_engines() const {
    for (const EngineSettings& engine : settings_.engines) {
      const UciProcess::Started started =
          UciProcess::start(engine.engine, &interrupt_, settings_.timeouts);
      if (started.problem)
        return Error{
            fmt::format("engine {}: {}", aleph::quoted(engine.engine.name), started.problem->text)};
    }
    return Status::success();
  }

  Status open_files() {
    if (!settings_.pgn_file.empty()) {
      Result<AppendFile> file = AppendFile::open(settings_.pgn_file);
      if (!file.ok()) return Error{file.error()};
      pgn_ = std::make_unique<AppendFile>(file.take());
    }
    done_.assign(static_cast<std::size_t>(schedule_.games()), false);
    if (settings_.state_file.empty()) return Status::success();
    Result<Journal> journal = open_journal();
    if (!journal.ok()) return Error{journal.error()};
    journal_ = std::make_unique<Journal>(journal.take());
    return take_up_earlier_games();
  }

  Result<Journal> open_journal() const {
    std::vector<std::string> lines = fingerprint(settings_);
    for (std::string& line : file_fingerprint(settings_)) lines.push_back(std::move(line));
    if (!settings_.resume) return Journal::begin(settings_.state_file, lines);
    return Journal::resume(
        settings_.state_file, lines,
        settings_.force_resume ? Journal::Programs::MayDiffer : Journal::Programs::MustBeTheSame);
  }

  Status take_up_earlier_games() {
    std::uint64_t pgn_end = 0;
    for (const JournalEntry& entry : journal_->earlier()) {
      const auto number = static_cast<std::size_t>(entry.game.number);
      if (number < done_.size() && done_[number])
        return Error{fmt::format("{} holds game {} twice", settings_.state_file, number + 1)};
      if (number < done_.size()) done_[number] = true;
      standings_.add(entry.game, schedule_.fixture(entry.game.number));
      pgn_end = entry.pgn_end;
    }
    if (!pgn_ || journal_->earlier().empty()) return Status::success();
    if (pgn_->size() < pgn_end)
      return Error{fmt::format("cannot resume: {} has {} bytes, where {} says {}",
                               settings_.pgn_file, pgn_->size(), settings_.state_file, pgn_end)};
    return pgn_->truncate(pgn_end);
  }

  void play_all() {
    const int workers = std::clamp(settings_.concurrency, 1, std::max(1, schedule_.games()));
    std::vector<std::thread> threads;
    for (int i = 0; i < workers; ++i) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
  }

  // One board: plays one game after the other.
  void work() {
    try {
      std::map<int, EngineSeat> seats;
      while (const auto fixture = next_fixture()) play(*fixture, seats);
    } catch (const std::exception& problem) {
      const std::lock_guard lock(mutex_);
      fail(problem.what());
    }
  }

  // Engines of the last game that play here again go on running.
  void play(const Fixture& fixture, std::map<int, EngineSeat>& seats) {
    const auto [white, black] = fixture.engines;
    std::erase_if(seats,
                  [&](const auto& seat) { return seat.first != white && seat.first != black; });
    for (const int engine : fixture.engines)
      seats.try_emplace(engine, settings_.engines[static_cast<std::size_t>(engine)],
                        settings_.timeouts, &interrupt_);
    const auto game = play_game(settings_, fixture, book_.opening(fixture.round),
                                {&seats.at(white), &seats.at(black)});
    if (game) record(*game, fixture);
  }

  // To be called with the lock held.
  void fail(const std::string& problem) {
    if (!failure_) failure_ = problem;
    interrupt_.raise();
  }

  std::optional<Fixture> next_fixture() {
    const std::lock_guard lock(mutex_);
    if (interrupt_.raised()) return std::nullopt;
    while (next_ < schedule_.games() && done_[static_cast<std::size_t>(next_)]) ++next_;
    if (next_ >= schedule_.games()) return std::nullopt;
    return schedule_.fixture(next_++);
  }

  void record(const GameRecord& game, const Fixture& fixture) {
    const std::string text = pgn_ ? match_pgn(game, fixture, settings_) : "";
    const std::lock_guard lock(mutex_);
    if (failure_ || decided_) return;  // it came too late to count
    // The PGN first: a game that is there and not in the journal is cut off when resuming.
    if (const Status status = write(text, game.summary); !status.ok()) {
      fail(status.error());
      return;
    }
    standings_.add(game.summary, fixture);
    if (listener_.on_game) listener_.on_game(game.summary, fixture, standings_);
    decide();
  }

  Status write(const std::string& pgn, const GameSummary& summary) {
    if (pgn_)
      if (Status status = pgn_->append(pgn); !status.ok()) return status;
    if (journal_) return journal_->add({summary, pgn_ ? pgn_->size() : 0});
    return Status::success();
  }

  void decide() {
    if (!settings_.sprt) return;
    const EngineStanding& first = standings_.engines()[0];
    const double llr = sprt_llr(first.pairs, first.games, *settings_.sprt);
    if (sprt_verdict(llr, *settings_.sprt) == SprtVerdict::Undecided) return;
    decided_ = true;
    interrupt_.raise();
  }

  const MatchSettings settings_;
  const MatchListener& listener_;
  const Interrupt& interrupt_;
  const Schedule schedule_;
  OpeningBook book_;

  std::mutex mutex_;  // guards what follows
  Standings standings_;
  std::vector<bool> done_;  // games that were over before
  int next_ = 0;
  std::unique_ptr<AppendFile> pgn_;
  std::unique_ptr<Journal> journal_;
  std::optional<std::string> failure_;
  bool decided_ = false;
};

}  // namespace

Result<MatchEnd> run_match(const MatchSettings& settings, const MatchListener& listener,
                           const Interrupt& interrupt) {
  return MatchRunner(settings, listener, interrupt).run();
}

}  // namespace aleph::lab
