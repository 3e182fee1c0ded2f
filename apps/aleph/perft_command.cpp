#include "perft_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "chess/fen.h"
#include "chess/perft.h"
#include "chess/uci_move.h"
#include "common/arguments.h"

namespace aleph::apps {

namespace {

std::string join(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

int run_perft(Arguments arguments) {
  CLI::App app("Counts the paths of legal moves of a given length, split by first move.",
               "aleph perft");
  int depth = 0;
  chess::PerftOptions options;
  bool no_bulk = false, chess960 = false;
  std::vector<std::string> fen_words;
  app.add_option("depth", depth, "length of the paths in plies")
      ->required()
      ->check(CLI::Range(1, 30));
  app.add_option("fen", fen_words, "position, quoted or not (default: the starting position)");
  app.add_option("--threads", options.threads, "first moves are shared between so many threads")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  app.add_option("--hash", options.cache_mebibytes,
                 "MiB of memory for counts already found (default: count every path)");
  app.add_flag("--no-bulk", no_bulk, "make the last move too instead of counting it");
  app.add_flag("--chess960", chess960, "write castling as king takes rook");
  if (const auto over = parse_arguments(app, arguments)) return *over;

  const std::string fen = fen_words.empty() ? std::string(chess::kStartFen) : join(fen_words);
  Result<chess::Position> position = chess::parse_fen(fen);
  if (!position.ok()) {
    fmt::print(stderr, "aleph: {}\n", position.error());
    return kWrongUsage;
  }
  chess::Position root = position.take();
  if (chess960) root.set_chess960(true);

  const auto start = std::chrono::steady_clock::now();
  options.bulk = !no_bulk;
  const auto entries = chess::perft_divide(root, depth, options);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  std::uint64_t total = 0;
  for (const chess::PerftEntry& entry : entries) {
    fmt::print("{}: {}\n", chess::to_uci(entry.move, root), entry.nodes);
    total += entry.nodes;
  }
  const double seconds = std::max(elapsed.count(), 1e-9);
  fmt::print("\nTime: {:.3f} s, {:.1f} million nodes per second\n", seconds,
             static_cast<double>(total) / seconds / 1e6);
  fmt::print("Nodes searched: {}\n", total);
  return kDone;
}

}  // namespace aleph::apps
