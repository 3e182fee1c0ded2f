#include "nets/weights/safetensors_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace aleph::nets {
namespace {

using Json = nlohmann::json;
constexpr std::string_view kMetadata = "__metadata__";

// Fed by the parser, piece by piece: no tree is made of a header that may be of any shape.
class HeaderSax final : public nlohmann::json_sax<Json> {
 public:
  Header header;
  std::string problem;

  bool key(std::string& name) override {
    if (place_ == Place::Top) {
      entry_name_ = name;
      return true;
    }
    key_ = name;
    return true;
  }
  bool start_object(std::size_t) override {
    if (place_ == Place::Outside) return place_ = Place::Top, true;
    if (place_ != Place::Top) return refuse();
    if (entry_name_ == kMetadata) return place_ = Place::Metadata, true;
    header.entries.push_back({entry_name_, {}, {}, {}, false});
    return place_ = Place::Entry, true;
  }
  bool end_object() override {
    place_ = place_ == Place::Top ? Place::Outside : Place::Top;
    return true;
  }
  bool start_array(std::size_t) override {
    if (place_ != Place::Entry || (key_ != "shape" && key_ != "data_offsets")) return refuse();
    if (key_ == "shape") header.entries.back().has_shape = true;
    return place_ = Place::Numbers, true;
  }
  bool end_array() override { return place_ = Place::Entry, true; }
  bool number_unsigned(std::uint64_t number) override {
    if (place_ != Place::Numbers) return refuse();
    HeaderEntry& entry = header.entries.back();
    std::vector<std::uint64_t>& numbers = key_ == "shape" ? entry.shape : entry.offsets;
    if (numbers.size() == kMostNumbers) return refuse();
    numbers.push_back(number);
    return true;
  }
  bool string(std::string& text) override {
    if (place_ == Place::Entry && key_ == "dtype") {
      header.entries.back().type = text;
      return true;
    }
    if (place_ != Place::Metadata) return refuse();
    if (header.metadata.emplace(key_, std::move(text)).second) return true;
    return refuse(fmt::format("the safetensors header has {} twice", aleph::quoted(key_)));
  }
  bool null() override { return refuse(); }
  bool boolean(bool) override { return refuse(); }
  bool number_integer(std::int64_t) override { return refuse(); }
  bool number_float(double, const std::string&) override { return refuse(); }
  bool binary(Json::binary_t&) override { return refuse(); }
  bool parse_error(std::size_t place, const std::string&, const Json::exception&) override {
    return refuse(fmt::format("the safetensors header is no JSON at its byte {}", place));
  }

 private:
  enum class Place { Outside, Top, Metadata, Entry, Numbers };
  static constexpr std::size_t kMostNumbers = 8;

  bool refuse() {
    return refuse(fmt::format("the safetensors header has something unexpected in {}",
                              aleph::quoted(entry_name_)));
  }
  bool refuse(std::string why) {
    problem = std::move(why);
    return false;
  }

  Place place_ = Place::Outside;
  std::string entry_name_, key_;
};

}  // namespace

Result<Header> parse_header(std::string_view text) {
  HeaderSax sax;
  if (!Json::sax_parse(text.begin(), text.end(), &sax)) return Error{std::move(sax.problem)};
  std::vector<std::string_view> names;
  for (const HeaderEntry& entry : sax.header.entries) names.push_back(entry.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    return Error{fmt::format("the safetensors header has {} twice", aleph::quoted(*twice))};
  return std::move(sax.header);
}

}  // namespace aleph::nets
