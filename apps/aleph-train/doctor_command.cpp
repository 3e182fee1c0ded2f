#include "doctor_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "common/arguments.h"
#include "train/doctor.h"

namespace aleph::apps {

int run_doctor(Arguments arguments) {
  CLI::App app("Shows what training would run on, and measures it.", "aleph doctor");
  if (const auto over = parse_arguments(app, arguments)) return *over;

  const train::Examination found = train::examine();
  fmt::print("libtorch: {}\n", found.torch_version);
  fmt::print("threads: {}\n", found.threads);
  fmt::print("float matrix product, {0} x {0}, one thread: {1:.0f} GFLOP/s\n", train::kProductSize,
             found.gflops);
  if (const auto warning = train::warning_about(found))
    fmt::print(stderr, "aleph doctor: {}\n", *warning);
  return kDone;
}

}  // namespace aleph::apps
