#include "nets/spec/spec_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/text.h"
#include "nets/spec/read_spec.h"

namespace aleph::nets {
namespace {

using Json = nlohmann::ordered_json;

// The library takes the last of several fields of one name; we take none.
class RepeatedKeys {
 public:
  bool operator()(Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) seen_.emplace_back();
    if (event == Json::parse_event_t::object_end) seen_.pop_back();
    if (event == Json::parse_event_t::key) {
      const std::string& key = parsed.get_ref<const std::string&>();
      if (!seen_.back().insert(key).second && repeated_.empty()) repeated_ = aleph::quoted(key);
    }
    return true;
  }
  // Quoted; empty if there is none.
  const std::string& repeated() const { return repeated_; }

 private:
  std::vector<std::set<std::string>> seen_;
  std::string repeated_;
};

}  // namespace

Result<NetSpec> parse_spec_json(std::string_view text) {
  if (text.size() > kLongestSpec)
    return Error{fmt::format("{} bytes are too many for a description", text.size())};
  RepeatedKeys keys;
  Json tree;
  try {
    tree = Json::parse(text, [&](int, Json::parse_event_t event, const Json& parsed) {
      return keys(event, parsed);
    });
  } catch (const Json::parse_error& problem) {
    return Error{fmt::format("this is not JSON: byte {} makes no sense", problem.byte)};
  } catch (const Json::out_of_range&) {
    return Error{"this is not JSON: a number is too large"};
  }
  if (!keys.repeated().empty()) return Error{keys.repeated() + " is there twice"};
  NetSpec spec;
  if (const auto problem = read_spec(tree, spec)) return Error{problem->message()};
  return spec;
}

std::string spec_to_json(const NetSpec& spec, int indent) { return write_spec(spec).dump(indent); }

}  // namespace aleph::nets
