#include "train/run_log.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <string>

#include "base/little_endian.h"
#include "support/shared_data.h"
#include "train/tensorboard_events.h"

namespace aleph::train {
namespace {

namespace fs = std::filesystem;
using Kind = LogEntry::Kind;

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t lines_of(const fs::path& file) {
  const std::string content = content_of(file);
  return static_cast<std::size_t>(std::count(content.begin(), content.end(), '\n'));
}

LogEntry train_entry(std::uint64_t step, double loss) {
  return {Kind::Train, step, step * 10, static_cast<double>(step) / 4, {{"loss", loss}}};
}

LogEntry validation_entry(std::uint64_t step, double legal1) {
  return {Kind::Validation, step, step * 10, 1.5, {{"loss", 2.0}, {"legal1", legal1}}};
}

std::unique_ptr<RunLog> open(const fs::path& run, std::uint64_t after) {
  auto log = RunLog::open(run, "a <run>", after);
  INFO((log.ok() ? "" : log.error()));
  REQUIRE(log.ok());
  return log.take();
}

// Reads what TensorBoard would: the few fields that are written.
struct ReadEvent {
  double wall_time = 0;
  std::uint64_t step = 0;
  std::string version;
  std::map<std::string, float> values;
};

std::uint64_t varint(std::string_view& rest) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(rest.at(0));
    rest.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
}

std::string_view taken(std::string_view& rest, std::size_t size) {
  const std::string_view part = rest.substr(0, size);
  REQUIRE(part.size() == size);
  rest.remove_prefix(size);
  return part;
}

void read_value(std::string_view message, ReadEvent& event) {
  std::string tag;
  float number = 0;
  while (!message.empty()) {
    const std::uint64_t key = varint(message);
    if (key == (1 << 3 | 2)) {
      tag = taken(message, varint(message));
    } else {
      REQUIRE(key == (2 << 3 | 5));
      std::memcpy(&number, taken(message, 4).data(), 4);
    }
  }
  event.values[tag] = number;
}

ReadEvent read_event(std::string_view message) {
  ReadEvent event;
  while (!message.empty()) {
    const std::uint64_t key = varint(message);
    if (key == (1 << 3 | 1)) {
      std::memcpy(&event.wall_time, taken(message, 8).data(), 8);
    } else if (key == 2 << 3) {
      event.step = varint(message);
    } else if (key == (3 << 3 | 2)) {
      event.version = taken(message, varint(message));
    } else {
      REQUIRE(key == (5 << 3 | 2));
      std::string_view summary = taken(message, varint(message));
      while (!summary.empty()) {
        REQUIRE(varint(summary) == (1 << 3 | 2));
        read_value(taken(summary, varint(summary)), event);
      }
    }
  }
  return event;
}

std::uint32_t number_of(std::string_view four) {
  return load_little_endian<std::uint32_t>(reinterpret_cast<const std::byte*>(four.data()));
}

std::vector<ReadEvent> read_events(const fs::path& run) {
  std::vector<ReadEvent> events;
  int files = 0;
  for (const auto& entry : fs::directory_iterator(run)) {
    if (!entry.path().filename().string().starts_with("events.out.tfevents.")) continue;
    ++files;
    const std::string content = content_of(entry.path());
    std::string_view rest = content;
    while (!rest.empty()) {
      const std::string_view length = taken(rest, 8);
      CHECK(number_of(taken(rest, 4)) == masked_crc32c(length));
      const std::string_view event = taken(rest, number_of(length));
      CHECK(number_of(taken(rest, 4)) == masked_crc32c(event));
      events.push_back(read_event(event));
    }
  }
  CHECK(files == 1);
  return events;
}

TEST_CASE("CRC-32C as RFC 3720 has it") {
  CHECK(crc32c("") == 0);
  CHECK(crc32c("123456789") == 0xE3069283);
  CHECK(crc32c(std::string(32, '\0')) == 0x8A9136AA);
  CHECK(crc32c(std::string(32, '\xFF')) == 0x62A8AB43);
}

TEST_CASE("a log has a line for each entry, in every file") {
  const test::TemporaryFolder folder;
  {
    const auto log = open(folder.path(), 0);
    REQUIRE(log->add(train_entry(1, 3.5)).ok());
    REQUIRE(log->add(train_entry(2, 3.25)).ok());
    CHECK(content_of(folder.path() / "index.html").find("http-equiv=\"refresh\"") !=
          std::string::npos);
    REQUIRE(log->add(validation_entry(2, 0.125)).ok());
    REQUIRE(log->add(train_entry(3, std::numeric_limits<double>::quiet_NaN())).ok());
    CHECK(log->entries().size() == 4);
  }
  CHECK(content_of(folder.path() / "log.csv") ==
        "kind,step,samples,seconds,loss,legal1\n"
        "train,1,10,0.250,3.5,\n"
        "train,2,20,0.500,3.25,\n"
        "validation,2,20,1.500,2,0.125\n"
        "train,3,30,0.750,nan,\n");
  CHECK(lines_of(folder.path() / "log.jsonl") == 4);
  CHECK(content_of(folder.path() / "log.jsonl").find("\"loss\":null") != std::string::npos);
  const auto events = read_events(folder.path());
  REQUIRE(events.size() == 5);
  CHECK(events[0].version == "brain.Event:2");
  CHECK(events[0].wall_time > 1.6e9);
  CHECK(events[2].step == 2);
  CHECK(events[2].values.at("train/loss") == 3.25F);
  CHECK(events[3].values.at("validation/legal1") == 0.125F);
  CHECK(std::isnan(events[4].values.at("train/loss")));
  const std::string page = content_of(folder.path() / "index.html");
  CHECK(page.find("a &lt;run&gt;") != std::string::npos);
  CHECK(page.find("<path") != std::string::npos);
  CHECK(page.find("http-equiv=\"refresh\"") == std::string::npos);  // it is over
  CHECK(page.find("src=") == std::string::npos);
  CHECK(page.find("href=") == std::string::npos);
}

TEST_CASE("a log that goes on loses what is behind the step, and a line that was cut") {
  const test::TemporaryFolder folder;
  {
    const auto log = open(folder.path(), 0);
    for (std::uint64_t step = 1; step <= 6; ++step)
      REQUIRE(log->add(train_entry(step, 1.0 / static_cast<double>(step))).ok());
    REQUIRE(log->add(validation_entry(4, 0.5)).ok());
  }
  std::ofstream(folder.path() / "log.jsonl", std::ios::app) << "{\"kind\":\"train\",\"st";
  const auto log = open(folder.path(), 4);
  CHECK(log->entries().size() == 5);
  CHECK(lines_of(folder.path() / "log.jsonl") == 5);
  CHECK(lines_of(folder.path() / "log.csv") == 6);
  REQUIRE(log->add(train_entry(5, 0.2)).ok());
  CHECK(log->entries().back().step == 5);
  CHECK(log->entries()[2].numbers[0].second == 1.0 / 3);  // to the last bit
  CHECK(lines_of(folder.path() / "log.jsonl") == 6);
  CHECK(lines_of(folder.path() / "log.csv") == 7);
  const auto events = read_events(folder.path());
  REQUIRE(events.size() == 7);
  CHECK(events.back().step == 5);
}

TEST_CASE("a log in a folder that is not there is an error, not a crash") {
  const test::TemporaryFolder folder;
  const auto file = folder.write("file", "");
  CHECK_FALSE(RunLog::open(file / "run", "x", 0).ok());
}

}  // namespace
}  // namespace aleph::train
