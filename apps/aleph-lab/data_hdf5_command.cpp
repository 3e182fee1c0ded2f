#include "data_hdf5_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/progress.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "common/command_table.h"
#include "data/byte_stream.h"
#include "data/dataset/move_dataset.h"
#include "data/le22ct_file.h"
#include "data/le22ct_games.h"
#include "data/le22ct_stats.h"
#include "data/pgn_reader.h"

namespace aleph::apps {
namespace {

using data::Le22ctCoding;
using data::Le22ctRow;

constexpr const char* kStandard = "standard";
constexpr const char* kChessTransformers = "chess-transformers";

// The option has been checked.
Le22ctCoding coding_of(const std::string& name) {
  return name == kStandard ? Le22ctCoding::Standard : Le22ctCoding::ChessTransformers;
}

struct ImportArguments {
  std::string file, dataset = data::kLe22ctDataset, coding = kStandard;
  std::string out, to;  // where legal rows go: an HDF5 file, a folder; empty: nowhere
  std::size_t errors = 10, show = 0;
};

struct ExportArguments {
  std::vector<std::string> games;
  std::string folder, split;  // of a dataset, if there are no games
  std::string out, coding = kStandard;
  data::Le22ctSelection selection;  // without its coding
};

// Prints why, and ends the command.
[[noreturn]] void fail(const std::string& sentence) {
  fmt::print(stderr, "aleph: {}\n", sentence);
  throw CLI::RuntimeError(kFailed);
}

void require(const Status& status) {
  if (!status.ok()) fail(status.error());
}

template <class T>
T require(Result<T> result) {
  if (!result.ok()) fail(result.error());
  return result.take();
}

// Where legal rows go. Refuses before any row is read.
class ImportOutput {
 public:
  explicit ImportOutput(const ImportArguments& arguments) {
    std::error_code problem;  // then the size is not known
    const std::uintmax_t bytes = std::filesystem::file_size(arguments.file, problem);
    if (!arguments.out.empty()) file_ = require(data::Le22ctWriter::create(arguments.out));
    if (!arguments.to.empty())
      folder_.emplace(require(data::MoveDatasetWriter::open(
          arguments.to, {"le22ct", arguments.file,
                         problem ? std::nullopt : std::optional<std::uint64_t>(bytes)})));
  }

  Status add(const data::PositionAndMove& read) {
    if (folder_)
      if (Status added = folder_->add(read.position, read.move); !added.ok()) return added;
    if (!file_) return Status::success();
    const auto standard = data::to_row(read.position, read.move);
    return standard.ok() ? file_->add(standard.value()) : Status(Error{standard.error()});
  }

  void finish(const data::Le22ctStats& stats) {
    if (file_) require(file_->finish());
    if (folder_) require(folder_->close({{"illegal", stats.illegal}}, stats.problems));
  }

 private:
  std::optional<data::Le22ctWriter> file_;
  std::optional<data::MoveDatasetWriter> folder_;
};

void run_import(const ImportArguments& arguments) {
  const data::Le22ctReader reader =
      require(data::Le22ctReader::open(arguments.file, arguments.dataset));
  ImportOutput output(arguments);
  const Le22ctCoding coding = coding_of(arguments.coding);
  data::Le22ctStats stats;
  Progress progress("rows", reader.rows());
  require(reader.for_each_row([&](const Le22ctRow& row) -> Status {
    const auto read = data::position_and_move(row, coding);
    stats.add(read, arguments.errors);
    progress.update(stats.rows);
    if (!read.ok()) return Status::success();
    const auto& [position, move] = read.value();
    if (stats.rows <= arguments.show)
      fmt::print("row {}: {} {}\n", stats.rows - 1, chess::to_fen(position),
                 chess::to_uci(move, position));
    return output.add(read.value());
  }));
  progress.wipe();
  for (const std::string& problem : stats.problems)
    fmt::print(stderr, "{}: {}\n", arguments.file, problem);
  if (stats.problems.size() < stats.illegal)
    fmt::print(stderr, "{}: {} more illegal rows\n", arguments.file,
               with_thousands(stats.illegal - stats.problems.size()));
  output.finish(stats);
  fmt::print("{}", stats.text());
}

// The rows of one file of games; returns how many games could not be read.
std::uint64_t export_file(const std::string& name, data::Le22ctGames& games,
                          data::Le22ctWriter& writer) {
  data::PgnReader reader(require(data::ByteStream::open(name, {.read_ahead = true})),
                         {.read_commands = false});
  Progress progress(reader.stream()->name(), reader.stream()->file_bytes().value_or(0));
  for (data::Game game; reader.next(game);) {
    for (const Le22ctRow& row : games.rows_of(game)) require(writer.add(row));
    progress.update(reader.stream()->file_bytes_read());
  }
  progress.wipe();
  if (const auto problem = reader.stream_problem()) fmt::print(stderr, "aleph: {}\n", *problem);
  return reader.bad_games();
}

void print_count(const char* what, std::uint64_t number) {
  fmt::print("{:<16}{:>14}\n", what, with_thousands(number));
}

void export_games(const ExportArguments& arguments) {
  data::Le22ctWriter writer = require(data::Le22ctWriter::create(arguments.out));
  data::Le22ctSelection selection = arguments.selection;
  selection.coding = coding_of(arguments.coding);
  data::Le22ctGames games(selection);
  std::uint64_t bad_games = 0;
  for (const std::string& name : arguments.games) bad_games += export_file(name, games, writer);
  require(writer.finish());
  const auto& tally = games.tally();
  print_count("games", tally.games);
  print_count("bad games", bad_games);
  print_count("selected games", tally.selected_games);
  print_count("rows", tally.rows);
  print_count("underpromotions", tally.underpromotions);
  print_count("left out", tally.chess960);
}

// A dataset that cannot be read to its end gives no file: it must not look whole.
void export_dataset(const ExportArguments& arguments) {
  auto reader = require(data::MoveDatasetReader::open(arguments.folder, arguments.split));
  data::Le22ctWriter writer = require(data::Le22ctWriter::create(arguments.out));
  const Le22ctCoding coding = coding_of(arguments.coding);
  std::uint64_t underpromotions = 0, chess960 = 0;
  Progress progress("rows", reader.rows());
  for (data::PositionAndMove read; reader.next(read);) {
    progress.update(reader.rows_read());
    const auto row = data::to_row(read.position, read.move, coding);
    if (!row.ok()) {
      ++chess960;
      continue;
    }
    require(writer.add(row.value()));
    underpromotions += data::is_underpromotion(read.move);
  }
  progress.wipe();
  for (const std::string& problem : reader.tally().problems()) fmt::print(stderr, "{}\n", problem);
  if (reader.problem()) fail(*reader.problem());
  const std::uint64_t rows = writer.rows();
  require(writer.finish());
  print_count("rows", rows);
  print_count("bad rows", reader.tally().bad());
  print_count("underpromotions", underpromotions);
  print_count("left out", chess960);
}

void run_export(const ExportArguments& arguments) {
  if (arguments.games.empty() == arguments.folder.empty())
    throw CLI::ValidationError("--pgn or --data", "is needed, and one of them only");
  if (!arguments.folder.empty())
    export_dataset(arguments);
  else
    export_games(arguments);
}

void add_coding(CLI::App& command, std::string& coding) {
  command.add_option("--coding", coding, "which numbers mean what (docs/formats/le22ct.md)")
      ->check(CLI::IsMember({kStandard, kChessTransformers}))
      ->capture_default_str();
}

void add_import(CLI::App& hdf5) {
  const auto in = std::make_shared<ImportArguments>();  // lives as long as the callback
  CLI::App* const command =
      hdf5.add_subcommand("import", "Reads rows, checks that each is legal, and counts.");
  command->footer(
      "\nIllegal rows are listed on standard error (the first row is 0) and left out of --out and "
      "--to; the\nexit code is 1 only if the file cannot be read, or the others not be written.");
  command->add_option("file", in->file, "the HDF5 file")->required();
  command->add_option("--dataset", in->dataset, "the table in it")->capture_default_str();
  add_coding(*command, in->coding);
  command->add_option("--out", in->out, "write the legal rows to this HDF5 file, standard coding");
  command->add_option("--to", in->to, "write the legal rows to this new dataset, as policy rows");
  command->add_option("--errors", in->errors, "illegal rows to list")->capture_default_str();
  command->add_option("--show", in->show, "so many rows, from the first, as FEN and move");
  command->callback([in] { run_import(*in); });
}

void add_export(CLI::App& hdf5) {
  const auto in = std::make_shared<ExportArguments>();
  CLI::App* const command =
      hdf5.add_subcommand("export", "Writes positions and moves of games or a dataset as rows.");
  command->footer(
      "\nGames and rows that cannot be read are counted and passed over. LE22ct does not tell "
      "which "
      "piece a\npawn becomes: underpromotions will be read as queens. Positions with castling "
      "rights "
      "of Chess960\nare left out.");
  CLI::Option* const pgn = command->add_option(
      "--pgn", in->games, "PGN files, plain or compressed; - is standard input");
  CLI::Option* const folder =
      command->add_option("--data", in->folder, "a dataset of policy or human rows");
  command->add_option("--split", in->split, "only this part of it")->needs(folder);
  command->add_option("--out", in->out, "the HDF5 file to write")->required();
  command->add_flag("--only-checkmates", in->selection.only_checkmates, "only games that end so")
      ->needs(pgn);
  command->add_flag("--only-winner", in->selection.only_winner, "only moves of the side that won")
      ->needs(pgn);
  command->add_option("--min-elo", in->selection.min_elo, "only games of two players rated so")
      ->needs(pgn);
  add_coding(*command, in->coding);
  command->callback([in] { run_export(*in); });
}

}  // namespace

void add_data_hdf5(CLI::App& data) {
  CLI::App* const hdf5 = data.add_subcommand(
      "hdf5", "LE22ct rows in HDF5 files: import checks them and makes a dataset, export writes.");
  hdf5->require_subcommand(1);
  add_import(*hdf5);
  add_export(*hdf5);
}

}  // namespace aleph::apps
