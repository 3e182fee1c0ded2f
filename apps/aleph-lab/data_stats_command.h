#pragma once

namespace CLI {
class App;
}

namespace aleph::apps {

// aleph data stats DIR: what is in a dataset.
void add_data_stats(CLI::App& data);

}  // namespace aleph::apps
