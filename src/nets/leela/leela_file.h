// Networks of Leela Chess Zero: .pb and .pb.gz.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/result.h"
#include "nets/weights/net_file.h"

namespace aleph::nets {

// Which heads are taken from a file that has several.
struct LeelaHeads {
  std::string_view policy = "vanilla";  // vanilla, optimistic, soft, opponent
  std::string_view value = "winner";    // winner, q, st
};

bool looks_like_leela(std::span<const std::byte> file);

// Checked as read_network says. The description's name stays empty: the file does not know it.
Result<NetFile> parse_leela(std::span<const std::byte> file, const LeelaHeads& heads = {});

}  // namespace aleph::nets
