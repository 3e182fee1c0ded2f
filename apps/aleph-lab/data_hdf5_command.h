#pragma once

namespace CLI {
class App;
}

namespace aleph::apps {

// aleph data hdf5 import|export: LE22ct rows in HDF5 files. Adds the subcommand to `data`; it does
// its work when the words are parsed, as common/arguments.h says.
void add_data_hdf5(CLI::App& data);

}  // namespace aleph::apps
