#include "nnue/embedded.h"

// ALEPH_EMBEDDED_NAME and ALEPH_EMBEDDED_ASKED_FOR come from cmake/embed_network.cmake, together
// with the two symbols.
#ifdef ALEPH_EMBEDDED_NAME
extern "C" const std::byte aleph_embedded_network_begin[];
extern "C" const std::byte aleph_embedded_network_end[];
#endif

namespace aleph::nnue {

std::optional<EmbeddedNetwork> embedded_network() {
#ifdef ALEPH_EMBEDDED_NAME
  return EmbeddedNetwork{ALEPH_EMBEDDED_NAME,
                         {aleph_embedded_network_begin, aleph_embedded_network_end},
                         ALEPH_EMBEDDED_ASKED_FOR};
#else
  return std::nullopt;
#endif
}

}  // namespace aleph::nnue
