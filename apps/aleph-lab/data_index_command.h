#pragma once

namespace CLI {
class App;
}

namespace aleph::apps {

// aleph data index FILE...: writes where games begin, for access by number. Adds the subcommand to
// `data`; it does its work when the words are parsed, as common/arguments.h says.
void add_data_index(CLI::App& data);

}  // namespace aleph::apps
