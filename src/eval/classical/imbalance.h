// What pieces are worth together or against each other, beyond the sum of their values.
#pragma once

#include "eval/classical/army.h"
#include "eval/classical/mg_eg.h"

namespace aleph::eval::classical {

// White's view.
MgEg material_imbalance(const Army& white, const Army& black);

}  // namespace aleph::eval::classical
