#pragma once

namespace CLI {
class App;
}

namespace aleph::apps {

// aleph data gen --games N --nodes N --out DIR: positions with scores and outcomes from self-play.
void add_data_gen(CLI::App& data);

}  // namespace aleph::apps
