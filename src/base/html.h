// Text for web pages.
#pragma once

#include <string>
#include <string_view>

namespace aleph {

// Text from outside, fit to stand anywhere in a page, also within quotes of an attribute. Control
// characters become spaces. UTF-8 stays as it is.
std::string html_escaped(std::string_view text);

}  // namespace aleph
