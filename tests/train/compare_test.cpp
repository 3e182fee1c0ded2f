#include "train/compare.h"

#include <doctest/doctest.h>

#include <string>

#include "train/compare_tables.h"
#include "train/run_page.h"

namespace aleph::train {
namespace {

ComparedRun run_named(const std::string& name, std::uint64_t hits, double flops, double speed) {
  ComparedRun run;
  run.config.name = name;
  run.config.steps = 200;
  run.config.data.dataset = "sets/elite";
  run.report.steps = 200;
  run.report.samples = 51'200;
  run.report.parameters = 257'000;
  run.report.flops = flops;
  run.report.seconds = 51'200 / speed;
  run.report.validation.rows = 20'000;
  run.report.validation.legal1 = {hits, 20'000};
  run.report.validation.move = {hits / 2, 20'000};
  run.report.validation.legal1_by_phase["opening"] = {400, 1000};
  run.report.validation.legal1_by_rating["2400-2599"] = {300, 1000};
  run.report.stopped_because = "all steps are done";
  for (const std::uint64_t step : {100, 200}) {
    const double seconds = static_cast<double>(step) * 256 / speed;
    run.report.entries.push_back({LogEntry::Kind::Train,
                                  step,
                                  step * 256,
                                  seconds,
                                  {{"loss", 3.0}, {"samples_per_second", speed}}});
    run.report.entries.push_back(
        {LogEntry::Kind::Validation,
         step,
         step * 256,
         seconds,
         {{"loss", 2.5}, {"from", 0.5}, {"legal1", static_cast<double>(step) / 1000}}});
  }
  return run;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("configs that differ in more than the network are refused by name") {
  TrainConfig a;
  a.name = "a";
  a.steps = 10;
  TrainConfig b = a;
  b.name = "b";
  CHECK(check_comparable({a, b}).ok());
  CHECK_FALSE(check_comparable({a}).ok());
  const auto difference = [&](auto change) {
    TrainConfig changed = b;
    change(changed);
    const Status status = check_comparable({a, changed});
    return status.ok() ? std::string() : status.error();
  };
  CHECK(difference([](TrainConfig& c) { c.batch = 3; }) ==
        "a and b cannot be compared: batch differs");
  CHECK(has(difference([](TrainConfig& c) { c.steps = 11; }), "steps differs"));
  CHECK(has(difference([](TrainConfig& c) { c.seed = 11; }), "seed differs"));
  CHECK(has(difference([](TrainConfig& c) { c.data.dataset = "x"; }), "data.dataset differs"));
  CHECK(has(difference([](TrainConfig& c) { c.optimizer.beta2 = 0.5; }), "optimizer.beta2"));
  CHECK(has(difference([](TrainConfig& c) { c.schedule.kind = ScheduleConfig::Kind::Constant; }),
            "schedule.kind"));
  CHECK(has(difference([](TrainConfig& c) { c.name = "a"; }), "have the name a"));
  CHECK(difference([](TrainConfig& c) { c.schedule.rate = 0.5; }).empty());
}

TEST_CASE("a report concludes what its figures bear") {
  const std::vector<ComparedRun> runs{run_named("cnn", 7000, 33e6, 1400),
                                      run_named("transformer", 7400, 66e6, 700)};
  const auto sentences = conclusions(runs);
  REQUIRE(sentences.size() == 4);
  // 2 points; the error is 1.96 * sqrt(0.35 * 0.65 / 20000 + 0.37 * 0.63 / 20000) = 0.94 points.
  CHECK(sentences[0] ==
        "transformer is ahead of cnn by 2.00 ± 0.94 points of legal top-1 at the same number of "
        "samples.");
  CHECK(has(sentences[2], "transformer costs 2.00 times as many operations per position as cnn"));
  CHECK(has(sentences[2], "a sample took 2.00 times as long"));
  CHECK(has(sentences[3], "20.0 % (cnn) and 10.0 % (transformer)"));
}

TEST_CASE("a difference within its error is none, and the other way round is said so") {
  const std::vector<ComparedRun> close{run_named("cnn", 7000, 33e6, 1400),
                                       run_named("transformer", 7050, 33e6, 1400)};
  CHECK(has(conclusions(close)[0], "do not differ in legal top-1"));
  const std::vector<ComparedRun> behind{run_named("cnn", 7400, 33e6, 1400),
                                        run_named("transformer", 7000, 33e6, 1400)};
  CHECK(has(conclusions(behind)[0], "cnn is ahead of transformer by 2.00 ± 0.94"));
}

TEST_CASE("the Markdown has all tables, the page all curves, and nothing from outside") {
  const std::vector<ComparedRun> runs{run_named("cnn", 7000, 33e6, 1400),
                                      run_named("trans<former", 7400, 66e6, 700)};
  const std::string text = comparison_markdown(runs);
  for (const char* part :
       {"# cnn and trans<former, compared", "## What follows", "## Networks", "## At the end",
        "## Step by step", "## By phase of the game", "## By rating of the player", "| 257,000 |",
        "35.0 ± 0.7 %", "| 2400-2599 | 1,000 |", "| 200 |", "51,200 samples of elite"}) {
    INFO(part);
    CHECK(has(text, part));
  }
  const std::string page = comparison_html(runs);
  CHECK(has(page, "trans&lt;former"));
  CHECK_FALSE(has(page, "trans<former"));
  CHECK(has(page, "<svg"));
  CHECK_FALSE(has(page, "src="));
  CHECK_FALSE(has(page, "href="));
  CHECK_FALSE(has(page, "http-equiv"));
}

}  // namespace
}  // namespace aleph::train
