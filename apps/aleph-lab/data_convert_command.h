#pragma once

namespace CLI {
class App;
}

namespace aleph::apps {

// aleph data convert IN OUT: scored positions from one format of the trainers to another. Adds the
// subcommand to `data`; it does its work when the words are parsed, as common/arguments.h says.
void add_data_convert(CLI::App& data);

}  // namespace aleph::apps
