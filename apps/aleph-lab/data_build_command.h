#pragma once

namespace CLI {
class App;
}

namespace aleph::apps {

// aleph data build --pgn FILE... --out DIR: a dataset out of games.
void add_data_build(CLI::App& data);

}  // namespace aleph::apps
