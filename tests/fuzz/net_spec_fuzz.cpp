// Input: the description of a network, as JSON if it begins with a brace, as YAML otherwise.
#include "nets/graph/build.h"
#include "nets/graph/check.h"
#include "nets/spec/spec_json.h"
#include "nets/spec/spec_yaml.h"
#include "require.h"

using namespace aleph;
using namespace aleph::nets;
using fuzz::require;

namespace {

void check_message(const std::string& message) {
  require(!message.empty() && message.size() < 500, "a message has a sensible length");
  for (const char c : message) require(c >= ' ' && c <= '~', "a message is one line of ASCII");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  const bool json = text.starts_with('{');
  const Result<NetSpec> spec = json ? parse_spec_json(text) : parse_spec_yaml(text, "net.yml");
  if (!spec.ok()) {
    require(json || spec.error().starts_with("net.yml:"), "a message names the file");
    check_message(spec.error());
    return 0;
  }
  const Result<Graph> graph = build_graph(spec.value());
  require(graph.ok(), "what was read can be built");
  require(check_graph(graph.value()).ok(), "a graph holds together");
  require(graph.value().parameters() <= kMostParameters, "networks have a sensible size");
  const Result<NetSpec> again = parse_spec_json(spec_to_json(spec.value()));
  require(again.ok() && again.value() == spec.value(), "JSON comes back as it was");
  const Result<NetSpec> from_yaml = parse_spec_yaml(spec_to_yaml(spec.value()), "net.yml");
  require(from_yaml.ok() && from_yaml.value() == spec.value(), "YAML comes back as it was");
  return 0;
}
