#include "uci/options.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"

namespace aleph::uci {
namespace {

using engine::EngineConfig;

const Option& option(std::string_view name) {
  for (const Option& candidate : options())
    if (candidate.name == name) return candidate;
  FAIL("no such option: ", std::string(name));
  return options()[0];
}

EngineConfig after(std::string_view arguments) {
  EngineConfig config;
  const auto request = parse_setoption(arguments);
  REQUIRE_MESSAGE(request.ok(), arguments);
  set(request.value(), config);
  return config;
}

TEST_CASE("every option has a name of its own and says what it is for") {
  std::set<std::string> names;
  for (const Option& candidate : options()) {
    INFO(std::string(candidate.name));
    std::string lower(candidate.name);
    std::transform(lower.begin(), lower.end(), lower.begin(), to_lower);
    CHECK(names.insert(lower).second);
    CHECK(!candidate.help.empty());
    // UCI cannot tell these words from its own.
    for (const std::string_view word : split_words(candidate.name))
      CHECK((word != "name" && word != "value" && word != "type" && word != "default"));
  }
  // What GUIs expect of every engine, and what fastchess asks for.
  for (const std::string_view name : {"Hash", "Threads", "Clear Hash", "Ponder", "MultiPV",
                                      "Move Overhead", "SyzygyPath", "UCI_Chess960"})
    CHECK(option(name).name == name);
}

TEST_CASE("options are declared as UCI wants it") {
  CHECK(declare(option("Hash")) == "option name Hash type spin default 64 min 1 max 1048576");
  CHECK(declare(option("Threads")) == "option name Threads type spin default 1 min 1 max 1024");
  CHECK(declare(option("Clear Hash")) == "option name Clear Hash type button");
  CHECK(declare(option("Ponder")) == "option name Ponder type check default false");
  CHECK(declare(option("Syzygy50MoveRule")) ==
        "option name Syzygy50MoveRule type check default true");
  CHECK(declare(option("EvalFile")) == "option name EvalFile type string default <empty>");
}

TEST_CASE("every declaration follows from the defaults, which are within their bounds") {
  const EngineConfig defaults;
  for (const Option& candidate : options()) {
    INFO(std::string(candidate.name));
    const std::string head = fmt::format("option name {} type ", candidate.name);
    if (const auto* spin = std::get_if<Spin>(&candidate.kind)) {
      const int value = defaults.*spin->field;
      CHECK((spin->low <= value && value <= spin->high));
      CHECK(declare(candidate) ==
            head + fmt::format("spin default {} min {} max {}", value, spin->low, spin->high));
    } else if (const auto* check = std::get_if<Check>(&candidate.kind)) {
      CHECK(declare(candidate) ==
            head + "check default " + (defaults.*check->field ? "true" : "false"));
    } else if (std::holds_alternative<Text>(candidate.kind)) {
      CHECK(declare(candidate).starts_with(head + "string default "));
      CHECK(!declare(candidate).ends_with(' '));
    } else if (const auto* tuned = std::get_if<Tuned>(&candidate.kind)) {
      CHECK(declare(candidate) == head + fmt::format("spin default {} min {} max {}",
                                                     defaults.numbers.*tuned->field, tuned->low,
                                                     tuned->high));
    } else {
      CHECK(declare(candidate) == head + "button");
    }
  }
}

TEST_CASE("every option can be set, to its bounds and back") {
  for (const Option& candidate : options()) {
    INFO(std::string(candidate.name));
    const std::string start = fmt::format("name {} value ", candidate.name);
    if (const auto* spin = std::get_if<Spin>(&candidate.kind)) {
      for (const int value : {spin->low, spin->high})
        CHECK(after(start + std::to_string(value)).*spin->field == value);
      for (const long value : {spin->low - 1L, spin->high + 1L})
        CHECK(!parse_setoption(start + std::to_string(value)).ok());
      for (const std::string value : {"", "x", "1.0", "true", "99999999999999999999"})
        CHECK(!parse_setoption(start + value).ok());
    } else if (const auto* check = std::get_if<Check>(&candidate.kind)) {
      CHECK(after(start + "true").*check->field);
      CHECK(!(after(start + "false").*check->field));
      CHECK(after(start + "True").*check->field);
      for (const std::string value : {"", "1", "yes", "truefalse"})
        CHECK(!parse_setoption(start + value).ok());
    } else if (const auto* text = std::get_if<Text>(&candidate.kind)) {
      CHECK(after(start + "some text").*text->field == "some text");
      CHECK((after(start + "<empty>").*text->field).empty());
      CHECK((after(start).*text->field).empty());
    } else if (const auto* tuned = std::get_if<Tuned>(&candidate.kind)) {
      for (const int value : {tuned->low, tuned->high})
        CHECK(after(start + std::to_string(value)).numbers.*tuned->field == value);
      CHECK(!parse_setoption(start + std::to_string(tuned->high + 1L)).ok());
    } else {
      CHECK(parse_setoption(fmt::format("name {}", candidate.name)).ok());
    }
  }
}

TEST_CASE("one option does not change another") {
  const EngineConfig defaults, config = after("name MultiPV value 3");
  CHECK(config.lines == 3);
  CHECK(config.hash_mib == defaults.hash_mib);
  CHECK(config.threads == defaults.threads);
  CHECK(config.overhead_ms == defaults.overhead_ms);
}

TEST_CASE("names ignore case and blanks around them; there are aliases") {
  CHECK(after("name hash value 7").hash_mib == 7);
  CHECK(after("name  HASH   value   7  ").hash_mib == 7);
  CHECK(after("name Move Overhead value 123").overhead_ms == 123);
  CHECK(after("name MoveOverhead value 123").overhead_ms == 123);
  CHECK(after("name move overhead value 123").overhead_ms == 123);
  CHECK(parse_setoption("name ClearHash").value().option->name == "Clear Hash");
}

TEST_CASE("texts keep their blanks and the word value") {
  CHECK(after("name SyzygyPath value /a b:/c value d").syzygy_path == "/a b:/c value d");
  CHECK(after("name EvalFile value C:\\my nets\\x.nnue").eval_file == "C:\\my nets\\x.nnue");
}

TEST_CASE("what is no option is refused with a sentence") {
  for (const std::string text :
       {"", "Hash value 3", "name", "name value 3", "name NoSuchOption value 3", "name Has value 3",
        "name Hash", "name Hash 3", "value 3 name Hash", "name Hash value 3 4"}) {
    CAPTURE(text);
    const auto request = parse_setoption(text);
    REQUIRE(!request.ok());
    CHECK(!request.error().empty());
    CHECK(request.error().find('\n') == std::string::npos);
  }
  CHECK(parse_setoption("name Foo value 1").error().find("'Foo'") != std::string::npos);
  CHECK(parse_setoption("name Hash value 0").error() ==
        "Hash must be a number from 1 to 1048576, not '0'");
}

bool is_tuned(const Option& candidate) { return std::holds_alternative<Tuned>(candidate.kind); }

TEST_CASE("the table of all options has a row for each that is not for tuning") {
  const std::string table = describe_options();
  for (const Option& candidate : options())
    CHECK((table.find(fmt::format("| `{}`", candidate.name)) != std::string::npos) ==
          !is_tuned(candidate));
  CHECK(std::count(table.begin(), table.end(), '\n') ==
        static_cast<std::ptrdiff_t>(options().size() + 2) -
            std::ranges::count_if(options(), is_tuned));
}

TEST_CASE("the numbers of the search are options in a build for tuning, and in no other") {
  CHECK(std::ranges::count_if(options(), is_tuned) ==
        (search::kTuning ? static_cast<std::ptrdiff_t>(search::kTunables.size()) : 0));
  CHECK(parse_setoption("name FutilityMargin value 100").ok() == search::kTuning);
}

TEST_CASE("the list for SPSA has a line for each number, as OpenBench reads it") {
  const std::string text = describe_tunables();
  CHECK(std::count(text.begin(), text.end(), '\n') ==
        static_cast<std::ptrdiff_t>(search::kTunables.size()));
  const search::SearchNumbers numbers;
  for (const search::Tunable& number : search::kTunables)
    CHECK(text.find(fmt::format("{}, int, {}, {}, {}, ", number.name, numbers.*number.field,
                                number.low, number.high)) != std::string::npos);
  CHECK(text.starts_with("AspirationWidth, int, 7, 3, 25, 1.1, 0.002\n"));
}

}  // namespace
}  // namespace aleph::uci
