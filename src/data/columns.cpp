#include "data/columns.h"

#include <algorithm>

#include "base/overloaded.h"

namespace aleph::data {

std::size_t row_count(const Values& values) {
  return std::visit(Overloaded{
                        [](const Flags& flags) { return flags.values.size(); },
                        [](const FixedBytes& fixed) {
                          return fixed.width == 0 ? 0 : fixed.bytes.size() / fixed.width;
                        },
                        [](const FixedNumbers& fixed) {
                          return fixed.width == 0 ? 0 : fixed.numbers.size() / fixed.width;
                        },
                        [](const auto& plain) { return plain.size(); },
                    },
                    values);
}

const Column* Table::find(std::string_view name) const {
  const auto found = std::ranges::find(columns, name, &Column::name);
  return found == columns.end() ? nullptr : &*found;
}

}  // namespace aleph::data
