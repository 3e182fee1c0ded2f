#pragma once

namespace CLI {
class App;
}

namespace aleph::apps {

// aleph data sql | validate | view | read DIR: a look into a dataset.
void add_data_look(CLI::App& data);

}  // namespace aleph::apps
