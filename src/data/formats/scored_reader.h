#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "data/formats/record_input.h"
#include "data/formats/scored_format.h"
#include "data/scored_position.h"

// Scored positions out of a file, one after the other, whichever of the formats it has. Every
// position that is handed out is legal, and so is its move if it has one. A record that is neither
// is counted and passed over.
//
//   auto opened = open_scored("positions.binpack");
//   if (!opened.ok()) return fail(opened.error());
//   const std::unique_ptr<ScoredReader> reader = opened.take();
//   for (ScoredPosition scored; reader->next(scored);) use(scored);
//   for (const std::string& sentence : reader->tally().problems()) print(sentence);
//   if (const auto problem = reader->input_problem()) print(*problem);
namespace aleph::data {

// How many records there were, and what was wrong with the first bad ones.
class RecordTally {
 public:
  static constexpr std::size_t kMostProblems = 10;

  void add_good() { ++good_; }
  void add_bad(std::string sentence) {
    ++bad_;
    if (problems_.size() < kMostProblems) problems_.push_back(std::move(sentence));
  }

  std::uint64_t good() const { return good_; }
  // Where a file does not tell the length of what is damaged, the loss counts as one.
  std::uint64_t bad() const { return bad_; }
  const std::vector<std::string>& problems() const { return problems_; }  // each names the place

 private:
  std::uint64_t good_ = 0, bad_ = 0;
  std::vector<std::string> problems_;
};

class ScoredReader {
 public:
  explicit ScoredReader(RecordInput input) : input_(std::move(input)) {}
  ScoredReader(const ScoredReader&) = delete;
  ScoredReader& operator=(const ScoredReader&) = delete;
  virtual ~ScoredReader() = default;

  // False at the end; then `out` is as it was.
  virtual bool next(ScoredPosition& out) = 0;
  virtual ScoredFormat format() const = 0;

  const RecordTally& tally() const { return tally_; }
  // Why the bytes ended early (an archive that is damaged, a disk that fails): asked at the end.
  std::optional<std::string> input_problem() const { return input_.problem(); }
  const RecordInput& input() const { return input_; }

 protected:
  RecordInput input_;
  RecordTally tally_;
};

// Opens a file in the format given, or else in the one that its name or its first bytes tell. "-"
// is standard input, whose format must be given. Fails with one sentence.
Result<std::unique_ptr<ScoredReader>> open_scored(
    const std::string& name, std::optional<ScoredFormat> format = std::nullopt);

std::unique_ptr<ScoredReader> read_scored(RecordInput input, ScoredFormat format);

}  // namespace aleph::data
