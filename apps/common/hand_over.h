#pragma once

#include <string_view>

#include "common/command_table.h"

// Lets the program beside this one do the work, so that a person only ever types "aleph".
namespace aleph::apps {

// Becomes the sibling, with the same words; returns only if that fails, after saying why.
int hand_over(std::string_view program_name, const Sibling& sibling, Arguments words);

}  // namespace aleph::apps
