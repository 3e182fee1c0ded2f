#include "lab/match/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>

#include "base/text.h"
#include "base/write_file.h"
#include "lab/match/fingerprint.h"

namespace aleph::lab {
namespace {

constexpr std::string_view kMagic = "aleph-match 1";

std::vector<std::string_view> split_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

std::string without_tabs(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

// Takes numbers off the front of a list of fields.
class FieldReader {
 public:
  explicit FieldReader(std::span<const std::string_view> fields) : fields_(fields) {}

  std::string_view text() {
    if (at_ >= fields_.size()) {
      ok_ = false;
      return "";
    }
    return fields_[at_++];
  }
  template <class Int>
  Int number() {
    const auto value = parse_integer<Int>(text());
    if (!value) ok_ = false;
    return value.value_or(Int{});
  }
  void expect(bool condition) { ok_ = ok_ && condition; }
  bool ok() const { return ok_ && at_ == fields_.size(); }

 private:
  std::span<const std::string_view> fields_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

std::string totals_fields(const SideTotals& totals) {
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}", totals.moves, totals.depth_sum,
                     totals.moves_with_depth, totals.nodes, totals.time.count(),
                     totals.time_with_nodes.count(), totals.pv_lines, totals.bad_pv_lines);
}

SideTotals read_totals(FieldReader& reader) {
  SideTotals totals;
  totals.moves = reader.number<std::uint64_t>();
  totals.depth_sum = reader.number<std::uint64_t>();
  totals.moves_with_depth = reader.number<std::uint64_t>();
  totals.nodes = reader.number<std::uint64_t>();
  totals.time = Microseconds(reader.number<std::int64_t>());
  totals.time_with_nodes = Microseconds(reader.number<std::int64_t>());
  totals.pv_lines = reader.number<std::uint64_t>();
  totals.bad_pv_lines = reader.number<std::uint64_t>();
  return totals;
}

std::string header(const std::vector<std::string>& settings) {
  std::string text = fmt::format("{}\n", kMagic);
  for (const std::string& setting : settings) text += fmt::format("setting\t{}\n", setting);
  return text;
}

struct Content {
  std::vector<std::string> settings;
  std::vector<JournalEntry> games;
  std::uint64_t whole_bytes = 0;  // up to the last line end
};

Result<Content> read_content(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) return Error{fmt::format("cannot read {}", name)};
  Content content;
  std::string_view rest = text;
  for (std::size_t number = 1; rest.find('\n') != std::string_view::npos; ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    content.whole_bytes += line.size() + 1;
    if (number == 1) {
      if (line != kMagic) return Error{fmt::format("{} is not the state of a match", name)};
    } else if (line.starts_with("setting\t")) {
      content.settings.emplace_back(line.substr(8));
    } else if (const auto entry = parse_journal_line(line)) {
      content.games.push_back(*entry);
    } else {
      return Error{fmt::format("{}:{}: cannot be understood: {}", name, number, quoted(line))};
    }
  }
  if (content.whole_bytes == 0) return Error{fmt::format("{} is not the state of a match", name)};
  return content;
}

// Whether the match is the one that the file is about.
Status compare(std::vector<std::string> before, std::vector<std::string> now, bool count_programs,
               const std::string& name) {
  const auto is_program = [](const std::string& line) { return line.starts_with(kProgramOf); };
  if (!count_programs)
    for (std::vector<std::string>* lines : {&before, &now}) std::erase_if(*lines, is_program);
  const auto [was, is] = std::ranges::mismatch(before, now);
  if (was == before.end() && is == now.end()) return Status::success();
  const std::string old_line = was != before.end() ? *was : "nothing";
  const std::string new_line = is != now.end() ? *is : "nothing";
  if (is_program(new_line) && (is_program(old_line) || was == before.end()))
    return Error{
        fmt::format("cannot resume: {} was written with another program, '{}', where there is now "
                    "'{}'; --force-resume goes on all the same",
                    name, old_line, new_line)};
  return Error{fmt::format(
      "cannot resume: {} was written for another match, with '{}' where there is now '{}'", name,
      old_line, new_line)};
}

}  // namespace

std::string to_line(const JournalEntry& entry) {
  const GameSummary& game = entry.game;
  return fmt::format("game\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", game.number,
                     data::to_text(game.result), to_text(game.kind), game.plies, entry.pgn_end,
                     totals_fields(game.sides[0]), totals_fields(game.sides[1]),
                     without_tabs(game.reason), without_tabs(game.bad_pv));
}

std::optional<JournalEntry> parse_journal_line(std::string_view line) {
  const std::vector<std::string_view> fields = split_fields(line);
  FieldReader reader(fields);
  JournalEntry entry;
  GameSummary& game = entry.game;
  reader.expect(reader.text() == "game");
  game.number = reader.number<int>();
  reader.expect(game.number >= 0);
  const auto result = data::parse_result(reader.text());
  reader.expect(result.has_value());
  game.result = result.value_or(data::GameResult::Unknown);
  const auto kind = parse_end_kind(reader.text());
  reader.expect(kind.has_value());
  game.kind = kind.value_or(EndKind::Rules);
  game.plies = reader.number<int>();
  entry.pgn_end = reader.number<std::uint64_t>();
  for (SideTotals& side : game.sides) side = read_totals(reader);
  game.reason = reader.text();
  game.bad_pv = reader.text();
  if (!reader.ok()) return std::nullopt;
  return entry;
}

Result<Journal> Journal::begin(const std::string& name, const std::vector<std::string>& settings) {
  if (std::filesystem::exists(name))
    return Error{fmt::format(
        "{} belongs to an earlier match: continue that with --resume, or remove the file", name)};
  const std::string text = header(settings);
  const Status written = write_file(name, std::as_bytes(std::span(text.data(), text.size())));
  if (!written.ok()) return Error{written.error()};
  return resume(name, settings);
}

Result<Journal> Journal::resume(const std::string& name, const std::vector<std::string>& settings,
                                Programs programs) {
  if (!std::filesystem::exists(name)) return begin(name, settings);
  Result<Content> read = read_content(name);
  if (!read.ok()) return Error{read.error()};
  Content content = read.take();
  const bool count_programs = programs == Programs::MustBeTheSame;
  if (Status same = compare(content.settings, settings, count_programs, name); !same.ok())
    return Error{same.error()};
  Result<AppendFile> file = AppendFile::open(name);
  if (!file.ok()) return Error{file.error()};
  AppendFile opened = file.take();
  if (const Status cut = opened.truncate(content.whole_bytes); !cut.ok()) return Error{cut.error()};
  return Journal(std::move(opened), std::move(content.games));
}

}  // namespace aleph::lab
