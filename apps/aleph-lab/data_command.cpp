#include "data_command.h"

#include <CLI/CLI.hpp>

#include "common/arguments.h"
#include "data_build_command.h"
#include "data_convert_command.h"
#include "data_gen_command.h"
#include "data_hdf5_command.h"
#include "data_index_command.h"
#include "data_label_command.h"
#include "data_look_command.h"
#include "data_neighbours_command.h"
#include "data_stats_command.h"

namespace aleph::apps {

int run_data(Arguments arguments) {
  CLI::App app("From games to datasets, and a look into them.", "aleph data");
  app.require_subcommand(1);
  add_data_index(app);
  add_data_build(app);
  add_data_look(app);
  add_data_stats(app);
  add_data_label(app);
  add_data_neighbours(app);
  add_data_gen(app);
  add_data_convert(app);
  add_data_hdf5(app);
  return parse_arguments(app, arguments).value_or(kDone);
}

}  // namespace aleph::apps
