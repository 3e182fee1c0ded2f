// Which shape a step makes of the shapes it is given.
#pragma once

#include "base/result.h"
#include "nets/graph/graph.h"

namespace aleph::nets {

// graph.shapes are those of the steps before this one. Fails, with a sentence that begins with the
// kind of step, if it names a value or tensor that is not there, or one of another shape.
Result<Shape> shape_of(const Step& step, const Graph& graph);

// "Linear", "Attention" ...
const char* name_of(const Step& step);

}  // namespace aleph::nets
