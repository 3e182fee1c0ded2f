#pragma once

#include <string>
#include <string_view>

// Text of unknown encoding, made UTF-8. Old PGN files are Latin-1, as the standard wants; new ones
// are UTF-8; none say which.
namespace aleph::data {

// Well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

// Appends text: as it is if it is UTF-8, otherwise with every byte taken for a Latin-1 character.
void append_as_utf8(std::string_view text, std::string& out);

}  // namespace aleph::data
