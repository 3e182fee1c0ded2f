#include "nets/graph/build.h"

#include <fmt/format.h>

#include "nets/graph/parts.h"
#include "nets/spec/validate.h"

namespace aleph::nets {

Result<Graph> build_graph(const NetSpec& spec) {
  if (Status status = validate(spec); !status.ok()) return Error{status.error()};
  GraphBuilder builder;
  const Features features = add_trunk(builder, spec);
  for (const HeadSpec& head : spec.heads) add_head(builder, features, head);
  Result<Graph> graph = builder.finish();
  if (graph.ok() && graph.value().parameters() > kMostParameters)
    return Error{fmt::format("the network has {} parameters, more than the {} there may be",
                             graph.value().parameters(), kMostParameters)};
  return graph;
}

}  // namespace aleph::nets
