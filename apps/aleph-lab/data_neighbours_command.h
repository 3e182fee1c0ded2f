#pragma once

namespace CLI {
class App;
}

namespace aleph::apps {

// Adds "data neighbours": labelled positions around given ones.
void add_data_neighbours(CLI::App& data);

}  // namespace aleph::apps
