#include "train/checkpoint_file.h"

#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <string>

#include "base/rng.h"
#include "support/shared_data.h"

namespace aleph::train {
namespace {

namespace fs = std::filesystem;

CheckpointFile example() {
  CheckpointFile checkpoint;
  checkpoint.set_text("config", "steps: 10\n\xC3\xA9");
  checkpoint.set_text("empty", "");
  checkpoint.set_floats("weights", std::vector<float>{1.5F, -0.0F, 1e-30F});
  checkpoint.set_bytes("odd", std::as_bytes(std::span("abc", 3)));
  return checkpoint;
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

TEST_CASE("what goes into a checkpoint comes out of it") {
  const test::TemporaryFolder folder;
  const fs::path file = checkpoint_name(folder.path(), 1500);
  CHECK(file == folder.path() / "checkpoints" / "step-00001500.aleph");
  REQUIRE(example().write(file).ok());
  const auto read = CheckpointFile::read(file);
  REQUIRE(read.ok());
  REQUIRE(read.value().text("config") != nullptr);
  CHECK(*read.value().text("config") == "steps: 10\n\xC3\xA9");
  REQUIRE(read.value().text("empty") != nullptr);
  CHECK(read.value().text("other") == nullptr);
  const auto weights = read.value().floats("weights");
  REQUIRE(weights);
  const std::vector<float> expected{1.5F, -0.0F, 1e-30F};
  REQUIRE(weights->size() == 3);
  CHECK(std::memcmp(weights->data(), expected.data(), 12) == 0);
  CHECK_FALSE(read.value().floats("odd"));
  CHECK(read.value().bytes("odd").size() == 3);
  CHECK(read.value().bytes("none").empty());
  CHECK(read.value().file_bytes() == example().file_bytes());
}

TEST_CASE("a checkpoint that was cut at any byte is refused") {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "a.aleph";
  REQUIRE(example().write(file).ok());
  const std::string whole = content_of(file);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto part = std::as_bytes(std::span(whole.data(), size));
    CHECK_FALSE(CheckpointFile::parse(part).ok());
  }
  write(file, whole + "x");
  CHECK_FALSE(CheckpointFile::read(file).ok());
}

TEST_CASE("a checkpoint with a changed bit is refused") {
  const std::vector<std::byte> whole = example().file_bytes();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::vector<std::byte> changed = whole;
    changed[at] ^= static_cast<std::byte>(1 << at % 8);
    CHECK_FALSE(CheckpointFile::parse(changed).ok());
  }
}

TEST_CASE("foreign files are refused in one sentence") {
  const test::TemporaryFolder folder;
  const auto file = folder.write("step.aleph", "hello");
  const auto read = CheckpointFile::read(file);
  REQUIRE_FALSE(read.ok());
  CHECK(read.error() == file.string() + ": this is not a checkpoint");
  CHECK_FALSE(CheckpointFile::read(folder.path() / "none").ok());
}

TEST_CASE("the newest checkpoint that can be read is found, and old ones go") {
  const test::TemporaryFolder folder;
  const fs::path& run = folder.path();
  CHECK_FALSE(newest_checkpoint(run));
  for (const std::uint64_t step : {5, 10, 100, 99'999'999}) {
    CheckpointFile checkpoint;
    checkpoint.set_text("step", std::to_string(step));
    REQUIRE(checkpoint.write(checkpoint_name(run, step)).ok());
  }
  write(run / "checkpoints" / "step-00000100.aleph.AbCdEf", "left by a writer that was killed");
  write(run / "checkpoints" / "notes.txt", "not ours");
  CHECK(checkpoint_files(run).size() == 4);
  CHECK(*newest_checkpoint(run)->second.text("step") == "99999999");

  const fs::path newest = checkpoint_name(run, 99'999'999);
  write(newest, content_of(newest).substr(0, 40));
  CHECK(*newest_checkpoint(run)->second.text("step") == "100");
  CHECK(newest_checkpoint(run)->first == checkpoint_name(run, 100));

  remove_old_checkpoints(run, 2);
  CHECK(checkpoint_files(run) ==
        std::vector<fs::path>{checkpoint_name(run, 99'999'999), checkpoint_name(run, 100)});
  CHECK(fs::exists(run / "checkpoints" / "notes.txt"));
  CHECK_FALSE(fs::exists(run / "checkpoints" / "step-00000100.aleph.AbCdEf"));
}

}  // namespace
}  // namespace aleph::train
