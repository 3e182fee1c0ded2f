// Input: the description of a match in YAML.
#include "lab/match/config.h"
#include "require.h"

using namespace aleph;
using namespace aleph::lab;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<MatchDescription> match =
      parse_match_config(std::string(fuzz::text_of(data, size)), "match.yml");
  if (!match.ok()) {
    require(match.error().starts_with("match.yml"), "a message names the file");
    require(match.error().size() < 500, "a message has a sensible length");
    for (const char c : match.error())
      require(c >= ' ' && c <= '~', "a message is one line of ASCII");
    return 0;
  }
  for (const Words& engine : match.value().engines)
    for (const std::string& word : engine) require(check_engine_word(word).ok(), "words are good");
  require(match.value().concurrency >= 1, "numbers are within their range");
  // What is missing may be given on the command line, so this may fail.
  const Result<MatchSettings> settings = understand(match.value());
  require(!settings.ok() || settings.value().rounds >= 1, "a match has games");
  return 0;
}
