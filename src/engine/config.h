// The wishes of the user, as plain data. An Engine brings itself in line with them when it must.
#pragma once

#include <string>

#include "search/alpha_beta/params.h"

namespace aleph::engine {

struct EngineConfig {
  int hash_mib = 64;
  int threads = 1;
  int lines = 1;
  int overhead_ms = 20;
  std::string eval_file;    // name or path of a network; empty: the usual one
  std::string policy_file;  // name or path of a dense network; empty: none

  std::string quantile_file;    // name or path of a quantile network; empty: none
  bool use_quantiles = true;    // whether the search looks at them
  bool show_quantiles = false;  // of the root, after each iteration

  std::string syzygy_path;  // empty: no tablebases
  int syzygy_probe_depth = 1, syzygy_probe_limit = 7;
  bool syzygy_fifty_move_rule = true;

  bool limit_strength = false;
  int elo = 3190;

  bool ponder = false;  // whether the GUI will ask to ponder: nothing depends on it
  bool chess960 = false;
  bool show_wdl = false;
  bool analyse = false;
  bool minimal = false;  // report only the last line of a search
  std::string opponent;

  search::SearchNumbers numbers;  // only a build for tuning can have others
};

}  // namespace aleph::engine
