#include "nets/spec/spec_file.h"

#include <fmt/format.h>

#include "base/mapped_file.h"
#include "nets/spec/spec_json.h"
#include "nets/spec/spec_yaml.h"

namespace aleph::nets {

Result<NetSpec> read_spec_file(const std::filesystem::path& file) {
  const Result<MappedFile> content = MappedFile::open(file);
  if (!content.ok()) return Error{content.error()};
  const std::string_view text = content.value().text();
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos || text[first] != '{') return read_spec_yaml(file);
  Result<NetSpec> spec = parse_spec_json(text);
  if (!spec.ok()) return Error{fmt::format("{}: {}", file.string(), spec.error())};
  return spec;
}

}  // namespace aleph::nets
