#include "data_convert_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/progress.h"
#include "common/command_table.h"
#include "data/dataset/scored_dataset.h"
#include "data/formats/scored_reader.h"
#include "data/formats/scored_writer.h"

namespace aleph::apps {
namespace {

using data::ScoredDatasetReader, data::ScoredDatasetWriter;
using data::ScoredFormat, data::ScoredReader, data::ScoredWriter;

constexpr const char* kDataset = "dataset";

struct ConvertArguments {
  std::string in, out, from, to;  // formats: empty if the name of the file tells
  std::string split;              // of a dataset; empty: all
  std::uint64_t limit = 0;        // 0: all
};

struct Outcome {
  std::uint64_t written = 0, refused = 0;
  std::string first_refusal;
};

// Prints why, and ends the command.
[[noreturn]] void fail(const std::string& sentence) {
  fmt::print(stderr, "aleph: {}\n", sentence);
  throw CLI::RuntimeError(kFailed);
}

template <class T>
T require(Result<T> result) {
  if (!result.ok()) fail(result.error());
  return result.take();
}

bool is_folder(const std::string& name) {
  std::error_code ignored;
  return std::filesystem::is_directory(name, ignored);
}

bool reads_dataset(const ConvertArguments& arguments) {
  return arguments.from.empty() ? is_folder(arguments.in) : arguments.from == kDataset;
}

// A folder that is there will be refused, and that says more than to ask for its format.
bool writes_dataset(const ConvertArguments& arguments) {
  if (!arguments.to.empty()) return arguments.to == kDataset;
  return arguments.out.ends_with('/') || is_folder(arguments.out);
}

ScoredFormat output_format(const ConvertArguments& arguments) {
  auto format = data::parse_scored_format(arguments.to);
  if (!format) format = data::format_by_name(arguments.out);
  if (!format)
    throw CLI::ValidationError("--to",
                               "is needed: the name of OUT does not tell whether it is to be "
                               "bulletformat, plain or a dataset");
  if (!data::can_write(*format))
    throw CLI::ValidationError("OUT", "cannot be binpack, which is read here and not written");
  return *format;
}

// How far a reader has come: bytes of a file, rows of a dataset.
std::uint64_t all_of(const ScoredReader& reader) { return reader.input().file_bytes().value_or(0); }
std::uint64_t done_of(const ScoredReader& reader) { return reader.input().file_bytes_read(); }
std::uint64_t all_of(const ScoredDatasetReader& reader) { return reader.rows(); }
std::uint64_t done_of(const ScoredDatasetReader& reader) { return reader.rows_read(); }

template <class Reader, class Writer>
Outcome copy(const std::string& name, Reader& reader, Writer& writer, std::uint64_t limit) {
  constexpr std::uint64_t kBetweenUpdates = 1024;
  Progress progress(name, all_of(reader));
  Outcome outcome;
  data::ScoredPosition scored;
  while ((limit == 0 || outcome.written < limit) && !writer.failed() && reader.next(scored)) {
    const Status added = writer.add(scored);
    if (added.ok()) {
      ++outcome.written;
    } else if (++outcome.refused == 1) {
      outcome.first_refusal = added.error();
    }
    if (outcome.written % kBetweenUpdates == 0) progress.update(done_of(reader));
  }
  return outcome;
}

void print_problems(const std::string& name, const data::RecordTally& tally,
                    const Outcome& outcome) {
  for (const std::string& sentence : tally.problems()) fmt::print(stderr, "{}\n", sentence);
  if (tally.bad() > tally.problems().size())
    fmt::print(stderr, "{}: {} more bad records\n", name,
               with_thousands(tally.bad() - tally.problems().size()));
  if (outcome.refused > 0)
    fmt::print(stderr, "{} positions were left out; of the first: {}\n",
               with_thousands(outcome.refused), outcome.first_refusal);
}

void print_counts(std::FILE* to, const Outcome& outcome, const data::RecordTally& tally) {
  fmt::print(to, "{} positions written, {} bad records\n", with_thousands(outcome.written),
             with_thousands(tally.bad()));
}

std::unique_ptr<ScoredReader> open_file(const ConvertArguments& arguments) {
  return require(data::open_scored(arguments.in, data::parse_scored_format(arguments.from)));
}

// What was read before a problem is kept.
template <class Reader>
void into_file(const ConvertArguments& arguments, const std::string& name, Reader& reader) {
  ScoredWriter writer = require(ScoredWriter::open(arguments.out, output_format(arguments)));
  const Outcome outcome = copy(name, reader, writer, arguments.limit);
  print_problems(name, reader.tally(), outcome);
  if (const Status closed = writer.close(); !closed.ok()) fail(closed.error());
  print_counts(arguments.out == "-" ? stderr : stdout, outcome, reader.tally());
}

void file_to_file(const ConvertArguments& arguments) {
  output_format(arguments);  // wrong words count more than a file that is not there
  const std::unique_ptr<ScoredReader> reader = open_file(arguments);
  into_file(arguments, reader->input().name(), *reader);
  if (const auto problem = reader->input_problem()) fail(*problem);
}

void dataset_to_file(const ConvertArguments& arguments) {
  output_format(arguments);
  ScoredDatasetReader reader = require(ScoredDatasetReader::open(arguments.in, arguments.split));
  into_file(arguments, arguments.in, reader);
  if (reader.problem()) fail(*reader.problem());
}

// If the file cannot be read to its end, there will be no dataset: it must not look whole.
void file_to_dataset(const ConvertArguments& arguments) {
  const std::unique_ptr<ScoredReader> reader = open_file(arguments);
  const data::RecordInput& input = reader->input();
  ScoredDatasetWriter writer = require(ScoredDatasetWriter::open(
      arguments.out,
      {std::string(data::name_of(reader->format())), input.name(), input.file_bytes()}));
  const Outcome outcome = copy(input.name(), *reader, writer, arguments.limit);
  const data::RecordTally& tally = reader->tally();
  print_problems(input.name(), tally, outcome);
  if (const auto problem = reader->input_problem()) fail(*problem);
  const Status closed =
      writer.close({{"bad_records", tally.bad()}, {"left_out", outcome.refused}}, tally.problems());
  if (!closed.ok()) fail(closed.error());
  print_counts(stdout, outcome, tally);
}

void run_convert(const ConvertArguments& arguments) {
  const bool from_dataset = reads_dataset(arguments), to_dataset = writes_dataset(arguments);
  if (!arguments.split.empty() && !from_dataset)
    throw CLI::ValidationError("--split", "goes with a dataset as IN");
  if (from_dataset && to_dataset)
    throw CLI::ValidationError("OUT", "must be a file if IN is a dataset");
  if (to_dataset && arguments.out == "-")
    throw CLI::ValidationError("OUT", "must be a folder: a dataset cannot go to standard output");
  if (from_dataset)
    dataset_to_file(arguments);
  else if (to_dataset)
    file_to_dataset(arguments);
  else
    file_to_file(arguments);
}

}  // namespace

void add_data_convert(CLI::App& data) {
  CLI::App* const command = data.add_subcommand(
      "convert", "Copies scored positions between the formats of the trainers and datasets.");
  command->footer(
      "\nFormats: plain (Stockfish's text: .plain, .txt), bulletformat (32-byte records: .bullet), "
      "binpack\n"
      "(Stockfish's chains: .binpack, only read), dataset (a folder of score rows; as OUT it is "
      "new, and its\n"
      "name may end with / instead of --to). What IN is can be told by its first bytes, too.\n"
      "IN may be compressed with zstd, gzip or bzip2; bulletformat only if its name says so. "
      "Every\n"
      "position and move is checked: bad records are listed on standard error and passed over.\n"
      "bulletformat keeps no castling rights, en passant, clocks, moves and colours. Of a row with "
      "several\n"
      "scores, files get the last one. The exit code is 1 if IN cannot be read to its end, or OUT "
      "not be\nwritten.");
  const auto arguments = std::make_shared<ConvertArguments>();  // lives as long as the callback
  std::vector<std::string> readable, writable;
  for (const ScoredFormat format : data::kScoredFormats) {
    readable.emplace_back(data::name_of(format));
    if (data::can_write(format)) writable.emplace_back(data::name_of(format));
  }
  readable.emplace_back(kDataset);
  writable.emplace_back(kDataset);
  command->add_option("IN", arguments->in, "the file or folder to read; - is standard input")
      ->required();
  command->add_option("OUT", arguments->out, "the one to write; - is standard output")->required();
  command->add_option("--from", arguments->from, "the format of IN")
      ->check(CLI::IsMember(readable));
  command->add_option("--to", arguments->to, "the format of OUT")->check(CLI::IsMember(writable));
  command->add_option("--split", arguments->split, "only this part of a dataset");
  command->add_option("--limit", arguments->limit, "positions to write at most [all]")
      ->check(CLI::PositiveNumber);
  command->callback([arguments] { run_convert(*arguments); });
}

}  // namespace aleph::apps
