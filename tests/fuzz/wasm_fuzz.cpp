// The importer, on WebAssembly modules and on anything else.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "nnue/import/net_finder.h"
#include "nnue/import/wasm_memory.h"
#include "nnue/synthetic_network.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace aleph;
  const auto file = std::as_bytes(std::span(data, size));
  nnue::FinderListener listener;
  listener.on_network = [](const nnue::FoundNetwork& network) -> Status {
    if (network.bytes.empty() || network.sha256.size() != 64) std::abort();
    return Status::success();
  };
  listener.on_problem = [](const std::filesystem::path&, const std::string& sentence) {
    if (sentence.find('\n') != std::string::npos) std::abort();
  };
  if (!nnue::find_networks_in(file, "fuzz.wasm", listener, test::kTinyArchitectures).ok())
    std::abort();
  return 0;
}
