#include "evaluate_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/write_file.h"
#include "common/arguments.h"
#include "train/quantile/quantile_evaluate.h"

namespace aleph::apps {
namespace {

constexpr const char* kFooter = R"(
Example:
  aleph evaluate quantiles --net nets/qn-0123456789ab.qnnue --data labels --html calibration.html

Of the rows, those are judged whose games the network has not seen: its card tells how they were
split. The margins without a network that it is compared with are fitted on the others.
Exit code: 0 done, 1 failed, 2 wrong usage.)";

struct EvaluateWords {
  std::vector<std::string> data, search_data;
  std::string html, json;
};

int fail(const std::string& sentence) {
  fmt::print(stderr, "aleph evaluate: {}\n", sentence);
  return kFailed;
}

Status write_text(const std::string& file, const std::string& text) {
  return write_file(file, std::as_bytes(std::span(text)));
}

int evaluate(const train::QuantileEvaluation& evaluation, const EvaluateWords& words) {
  const auto verdict = train::evaluate_quantiles(evaluation);
  if (!verdict.ok()) return fail(verdict.error());
  const train::CalibrationReport& report = verdict.value().calibration;
  fmt::print("{}", train::calibration_text(report));
  if (!words.json.empty())
    if (const Status status = write_text(words.json, train::calibration_json(report)); !status.ok())
      return fail(status.error());
  if (!words.html.empty()) {
    const std::string page =
        train::calibration_page(report, "Calibration of " + verdict.value().name);
    if (const Status status = write_text(words.html, page); !status.ok())
      return fail(status.error());
  }
  return kDone;
}

}  // namespace

int run_evaluate(Arguments arguments) {
  using train::QuantilePart;
  const std::map<std::string, QuantilePart> parts{{"validation", QuantilePart::Validation},
                                                  {"train", QuantilePart::Training},
                                                  {"all", QuantilePart::All}};
  CLI::App app("Judges networks on labelled positions.", "aleph evaluate");
  app.require_subcommand(1);
  CLI::App* const quantiles =
      app.add_subcommand("quantiles", "coverage, sharpness and loss of a quantile network");
  quantiles->footer(kFooter);
  train::QuantileEvaluation evaluation;
  EvaluateWords words;
  quantiles->add_option("--net", evaluation.network, "the .qnnue file")->required();
  quantiles->add_option("--data", words.data, "datasets of the schema score");
  quantiles->add_option("--search-data", words.search_data,
                        "the same, of positions that searches met");
  quantiles->add_option("--base", evaluation.base,
                        "the .nnue it sits on, if that is not where networks are");
  quantiles->add_option("--part", evaluation.part, "validation (default), train or all")
      ->transform(CLI::CheckedTransformer(parts));
  quantiles->add_option("--cache", evaluation.cache, "a file to keep features in");
  quantiles->add_option("--html", words.html, "a page with reliability plots");
  quantiles->add_option("--json", words.json, "all numbers");
  if (const auto over = parse_arguments(app, arguments)) return *over;

  for (const std::string& folder : words.data) evaluation.data.push_back({folder, "", false});
  for (const std::string& folder : words.search_data) evaluation.data.push_back({folder, "", true});
  if (evaluation.data.empty()) {
    fmt::print(stderr, "aleph evaluate: --data or --search-data should name a dataset\n");
    return kWrongUsage;
  }
  return evaluate(evaluation, words);
}

}  // namespace aleph::apps
