#pragma once

namespace CLI {
class App;
}

namespace aleph::apps {

// aleph data label --in FILE --out DIR --engine CMD --depths 1,4,8: what an engine thinks of
// positions.
void add_data_label(CLI::App& data);

}  // namespace aleph::apps
