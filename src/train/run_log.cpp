#include "train/run_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "base/mapped_file.h"
#include "base/pending_file.h"
#include "base/write_file.h"
#include "train/run_page.h"
#include "train/tensorboard_events.h"

namespace aleph::train {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kEvents = "events.out.tfevents.";
constexpr auto kBetweenPages = std::chrono::seconds(5);

const char* kind_name(LogEntry::Kind kind) {
  return kind == LogEntry::Kind::Train ? "train" : "validation";
}

std::string json_line(const LogEntry& entry) {
  Json line{{"kind", kind_name(entry.kind)},
            {"step", entry.step},
            {"samples", entry.samples},
            {"seconds", entry.seconds}};
  for (const auto& [name, number] : entry.numbers) line[name] = number;
  return line.dump() + "\n";
}

// Nothing for a line that was cut short.
std::optional<LogEntry> entry_of(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  LogEntry entry;
  bool has_step = false;
  for (const auto& [name, value] : json.items()) {
    if (name == "kind") {
      entry.kind = value == "train" ? LogEntry::Kind::Train : LogEntry::Kind::Validation;
    } else if (name == "step" && value.is_number_unsigned()) {
      entry.step = value, has_step = true;
    } else if (name == "samples" && value.is_number_unsigned()) {
      entry.samples = value;
    } else if (name == "seconds" && value.is_number()) {
      entry.seconds = value;
    } else {
      // JSON has no word for what is not a number.
      entry.numbers.emplace_back(
          name, value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN());
    }
  }
  if (!has_step) return std::nullopt;
  return entry;
}

std::vector<LogEntry> read_entries(const fs::path& file, std::uint64_t up_to) {
  std::vector<LogEntry> entries;
  const auto content = MappedFile::open(file);
  if (!content.ok()) return entries;  // there is none yet
  std::string_view rest = content.value().text();
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) break;  // a program that was killed wrote this far
    if (auto entry = entry_of(rest.substr(0, end)); entry && entry->step <= up_to)
      entries.push_back(std::move(*entry));
    rest.remove_prefix(end + 1);
  }
  return entries;
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

Status append_to(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::app | std::ios::binary);
  out << text << std::flush;
  return out.good() ? Status::success() : Error{fmt::format("cannot write {}", file.string())};
}

class FileLog final : public RunLog {
 public:
  FileLog(fs::path run, std::string title, std::vector<LogEntry> entries)
      : run_(std::move(run)), title_(std::move(title)), entries_(std::move(entries)) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const double seconds = std::chrono::duration<double>(now).count();
    began_ = seconds - (entries_.empty() ? 0 : entries_.back().seconds);
    events_ = run_ / fmt::format("{}{:.0f}.aleph", kEvents, seconds);
  }
  // The page of a run that is over stays as it is.
  ~FileLog() override { static_cast<void>(write_page(false)); }

  // All files from the entries that stay.
  Status begin() {
    std::error_code ignored;
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(run_, ignored))
      if (entry.path().filename().string().starts_with(kEvents)) old.push_back(entry.path());
    for (const fs::path& file : old) fs::remove(file, ignored);
    remove_leftovers(run_, {".csv", ".jsonl", ".html", ".aleph", ".safetensors"});

    std::string lines, events = tensorboard_first_record(began_);
    for (const LogEntry& entry : entries_) {
      lines += json_line(entry);
      events += event_of(entry);
      learn_columns(entry);
    }
    if (Status status = write_file(run_ / "log.jsonl", bytes_of(lines)); !status.ok())
      return status;
    if (Status status = write_file(events_, bytes_of(events)); !status.ok()) return status;
    if (Status status = write_csv(); !status.ok()) return status;
    return write_page(true);
  }

  Status add(const LogEntry& entry) override {
    entries_.push_back(entry);
    if (Status status = append_to(run_ / "log.jsonl", json_line(entry)); !status.ok())
      return status;
    if (Status status = append_to(events_, event_of(entry)); !status.ok()) return status;
    const bool has_new_columns = learn_columns(entry);
    const Status table =
        has_new_columns ? write_csv() : append_to(run_ / "log.csv", csv_line(entry));
    if (!table.ok()) return table;
    if (entry.kind == LogEntry::Kind::Train && Clock::now() < next_page_) return Status::success();
    return write_page(true);
  }

  const std::vector<LogEntry>& entries() const override { return entries_; }

 private:
  // True if the entry has numbers that the table had no column for.
  bool learn_columns(const LogEntry& entry) {
    bool is_new = false;
    for (const auto& [name, number] : entry.numbers) {
      if (std::ranges::find(columns_, name) != columns_.end()) continue;
      columns_.push_back(name);
      is_new = true;
    }
    return is_new;
  }

  std::string csv_line(const LogEntry& entry) const {
    std::string line = fmt::format("{},{},{},{:.3f}", kind_name(entry.kind), entry.step,
                                   entry.samples, entry.seconds);
    for (const std::string& column : columns_) {
      line += ',';
      for (const auto& [name, number] : entry.numbers)
        if (name == column) line += fmt::format("{}", number);
    }
    return line + "\n";
  }

  Status write_csv() const {
    std::string text = "kind,step,samples,seconds";
    for (const std::string& column : columns_) text += "," + column;
    text += "\n";
    for (const LogEntry& entry : entries_) text += csv_line(entry);
    return write_file(run_ / "log.csv", bytes_of(text));
  }

  std::string event_of(const LogEntry& entry) const {
    std::vector<std::pair<std::string, double>> tagged;
    for (const auto& [name, number] : entry.numbers)
      tagged.emplace_back(fmt::format("{}/{}", kind_name(entry.kind), name), number);
    return tensorboard_scalars(began_ + entry.seconds, entry.step, tagged);
  }

  Status write_page(bool is_live) {
    next_page_ = Clock::now() + kBetweenPages;
    return write_file(run_ / "index.html", bytes_of(run_page(title_, entries_, is_live)));
  }

  fs::path run_;
  std::string title_;
  std::vector<LogEntry> entries_;
  std::vector<std::string> columns_;
  fs::path events_;
  double began_ = 0;  // the time of day at which seconds of the run are 0
  Clock::time_point next_page_;
};

}  // namespace

Result<std::unique_ptr<RunLog>> RunLog::open(const fs::path& run, const std::string& title,
                                             std::uint64_t after_step) {
  auto log = std::make_unique<FileLog>(run, title, read_entries(run / "log.jsonl", after_step));
  if (const Status status = log->begin(); !status.ok()) return Error{status.error()};
  return std::unique_ptr<RunLog>(std::move(log));
}

}  // namespace aleph::train
