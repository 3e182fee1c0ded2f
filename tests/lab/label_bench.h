#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/child_process.h"
#include "data/byte_stream.h"
#include "data/columns.h"
#include "lab/label/label_run.h"
#include "support/shared_data.h"

// What tests of labelling share: an engine, positions it can play in, and a folder for the rows.
namespace aleph::test {

// An engine that says a score made of the position, and always plays e1f1. Its argument is a file
// that gets a line for each question. MISBEHAVE is replaced.
inline constexpr std::string_view kScript = R"(#!/bin/sh
while read -r line; do
  case "$line" in
    uci) printf 'id name Script\noption name MultiPV type spin default 1 min 1 max 9\nuciok\n' ;;
    isready) echo readyok ;;
    position*) fen="$line" ;;
    go*)
      echo "$fen" >> "$1"
      MISBEHAVE
      sum=$(printf %s "$fen" | cksum)
      sum=$((1 + ${sum%% *} % 500))
      echo "info depth 1 score cp $sum pv e1f1"
      echo "info depth 2 score cp 7777 upperbound pv e1f1"
      echo "info depth 4 multipv 1 score cp -$sum pv e1f1 e8e7"
      echo "info depth 4 multipv 2 score mate -3 pv e1d1 e8e7"
      echo "bestmove e1f1" ;;
    quit) exit 0 ;;
  esac
done
)";

// King and pawn against king, with the pawn on one of forty squares; e1f1 is always legal.
inline std::string pawn_fen(int i, std::string_view clocks = "0 1") {
  const int file = i % 8, rank = 2 + i / 8 % 5;
  std::string rows = "4k3";
  for (int row = 7; row >= 2; --row) {
    rows += '/';
    if (row != rank) {
      rows += '8';
      continue;
    }
    if (file > 0) rows += static_cast<char>('0' + file);
    rows += 'P';
    if (file < 7) rows += static_cast<char>('7' - file);
  }
  return fmt::format("{}/4K3 w - - {}", rows, clocks);
}

inline constexpr int kPawns = 40;

// A folder with an engine in it.
struct LabelBench {
  TemporaryFolder folder;
  lab::LabelSettings settings;
  Interrupt interrupt;

  explicit LabelBench(std::string_view misbehaviour = ":") {
    std::string script(kScript);
    script.replace(script.find("MISBEHAVE"), 9, misbehaviour);
    settings.engine.name = "script";
    settings.engine.command.words = {"sh", folder.write("engine.sh", script).string(), log()};
    settings.depths = {1, 2, 4, 8};
    settings.segment = 6;
    settings.timeouts.ready = std::chrono::seconds(60);
  }

  std::string log() const { return (folder.path() / "asked").string(); }
  std::filesystem::path out(const char* name = "out") const { return folder.path() / name; }

  lab::PositionList positions(const std::string& text) const {
    auto list = lab::read_positions(folder.write("positions.epd", text).string());
    if (!list.ok()) FAIL(list.error());
    return list.take();
  }
  lab::PositionList pawns() const {
    std::string text;
    for (int i = 0; i < kPawns; ++i) text += pawn_fen(i) + "\n";
    return positions(text);
  }

  Result<lab::LabelReport> run(const lab::PositionList& list, const char* name = "out",
                               const lab::LabelProgress& on_progress = {}) {
    lab::Alone alone;
    return lab::label_positions(list, settings, out(name), alone, interrupt, on_progress);
  }
  lab::LabelReport label(const lab::PositionList& list, const char* name = "out") {
    const auto report = run(list, name);
    if (!report.ok()) FAIL(report.error());
    CHECK(!report.value().stopped);
    return report.value();
  }

  std::vector<std::string> asked() const {
    const std::string text = data::read_text(log()).take();
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
      lines.push_back(text.substr(at, text.find('\n', at) - at));
    return lines;
  }
};

inline std::vector<int> scores_of(const data::Table& rows, std::size_t row) {
  const auto* const scores = rows.values<data::FixedNumbers>("scores");
  REQUIRE(scores != nullptr);
  const auto first = scores->numbers.begin() + static_cast<std::ptrdiff_t>(row * scores->width);
  return std::vector<int>(first, first + static_cast<std::ptrdiff_t>(scores->width));
}

}  // namespace aleph::test
