#include "nnue/import/wasm_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

namespace aleph::nnue {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::array<unsigned char, 8> kMagic{0x00, 'a', 's', 'm', 1, 0, 0, 0};
constexpr std::uint8_t kCodeSection = 10, kDataSection = 11;
constexpr std::uint8_t kI32Const = 0x41, kEnd = 0x0B, kPrefixed = 0xFC;
constexpr std::uint32_t kMemoryInit = 8;

// Reads a module from the front. After a failure every further read fails too.
class Reader {
 public:
  explicit Reader(Bytes bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return bytes_.empty(); }

  Bytes take(std::size_t count) {
    if (count > bytes_.size()) return fail(), Bytes{};
    const Bytes taken = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return taken;
  }

  std::uint8_t take_byte() {
    const Bytes byte = take(1);
    return byte.empty() ? std::uint8_t{0} : std::to_integer<std::uint8_t>(byte[0]);
  }

  // LEB128 of at most 32 bits. A signed one is wanted for addresses, whose top bit may be set.
  std::uint32_t take_u32() { return static_cast<std::uint32_t>(take_leb(false)); }
  std::uint32_t take_i32() { return static_cast<std::uint32_t>(take_leb(true)); }

 private:
  std::uint64_t take_leb(bool is_signed) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      const std::uint64_t byte = take_byte();
      value |= (byte & 0x7F) << shift;
      if ((byte & 0x80) != 0) continue;
      if (is_signed && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << (shift + 7);
      return value;
    }
    return fail(), 0;
  }
  void fail() {
    ok_ = false;
    bytes_ = {};
  }

  Bytes bytes_;
  bool ok_ = true;
};

struct Segment {
  Bytes bytes;
  std::optional<std::uint32_t> address;  // of active ones
};

// Some bytes and where they go.
struct Piece {
  std::uint64_t address = 0;
  Bytes bytes;
};

struct Module {
  Bytes code;
  std::vector<Segment> segments;
};

// The constant offset of an active segment; nothing if it is not a constant. Only constant
// expressions of one instruction are written by compilers.
std::optional<std::uint32_t> read_offset(Reader& reader) {
  const std::uint8_t instruction = reader.take_byte();
  const std::uint32_t value = reader.take_i32();
  const bool ended = reader.take_byte() == kEnd;
  if (!ended || instruction != kI32Const) return std::nullopt;
  return value;
}

Result<std::vector<Segment>> read_segments(Bytes section) {
  Reader reader(section);
  std::vector<Segment> segments;
  const std::uint32_t count = reader.take_u32();
  for (std::uint32_t i = 0; i < count && reader.ok(); ++i) {
    const std::uint32_t kind = reader.take_u32();  // 0 active, 1 passive, 2 active in memory N
    if (kind > 2) return Error{"a data segment of the module is of an unknown kind"};
    Segment segment;
    if (kind == 2) reader.take_u32();
    if (kind != 1) segment.address = read_offset(reader);
    segment.bytes = reader.take(reader.take_u32());
    if (reader.ok()) segments.push_back(segment);
  }
  if (!reader.ok()) return Error{"the data section of the module is cut short"};
  return segments;
}

Result<Module> read_module(Bytes file) {
  Reader reader(file);
  reader.take(kMagic.size());
  Module module;
  while (reader.ok() && !reader.at_end()) {
    const std::uint8_t id = reader.take_byte();
    const Bytes section = reader.take(reader.take_u32());
    if (!reader.ok()) break;
    if (id == kCodeSection) module.code = section;
    if (id != kDataSection) continue;
    Result<std::vector<Segment>> segments = read_segments(section);
    if (!segments.ok()) return Error{segments.error()};
    module.segments = segments.take();
  }
  if (!reader.ok()) return Error{"the WebAssembly module is cut short"};
  return module;
}

struct MemoryInit {
  std::uint32_t to = 0, from = 0, count = 0, segment = 0;
};

// The instruction sequence that starts here, if it is one.
std::optional<MemoryInit> read_memory_init(Bytes code) {
  Reader reader(code);
  MemoryInit init;
  for (std::uint32_t* value : {&init.to, &init.from, &init.count}) {
    if (reader.take_byte() != kI32Const) return std::nullopt;
    *value = reader.take_i32();
  }
  if (reader.take_byte() != kPrefixed || reader.take_u32() != kMemoryInit) return std::nullopt;
  init.segment = reader.take_u32();
  if (reader.take_byte() != 0 || !reader.ok()) return std::nullopt;
  return init;
}

// Instructions are not followed one by one: the sequence is long enough not to appear by chance,
// and it must fit a passive segment.
void add_passive_pieces(const Module& module, std::vector<Piece>& pieces) {
  constexpr std::size_t kLongest = 3 * 6 + 1 + 5 + 5 + 1;
  std::vector<bool> placed(module.segments.size(), false);
  for (std::size_t at = 0; at < module.code.size(); ++at) {
    if (module.code[at] != std::byte{kI32Const}) continue;
    const Bytes rest = module.code.subspan(at);
    const auto init = read_memory_init(rest.first(std::min(rest.size(), kLongest)));
    if (!init || init->segment >= module.segments.size() || placed[init->segment]) continue;
    const Segment& segment = module.segments[init->segment];
    const bool inside = std::uint64_t{init->from} + init->count <= segment.bytes.size();
    if (segment.address || !inside || init->count == 0) continue;
    placed[init->segment] = true;
    pieces.push_back({init->to, segment.bytes.subspan(init->from, init->count)});
  }
}

std::vector<Piece> place_segments(const Module& module) {
  std::vector<Piece> pieces;
  for (const Segment& segment : module.segments)
    if (segment.address && !segment.bytes.empty())
      pieces.push_back({*segment.address, segment.bytes});
  const auto is_passive = [](const Segment& segment) { return !segment.address.has_value(); };
  if (std::ranges::any_of(module.segments, is_passive)) add_passive_pieces(module, pieces);
  return pieces;
}

}  // namespace

bool is_wasm(Bytes file) {
  return file.size() >= kMagic.size() &&
         std::memcmp(file.data(), kMagic.data(), kMagic.size()) == 0;
}

Result<LargeArray<std::byte>> wasm_static_memory(Bytes file) {
  if (!is_wasm(file)) return Error{"this is not a WebAssembly module"};
  const Result<Module> module = read_module(file);
  if (!module.ok()) return Error{module.error()};
  const std::vector<Piece> pieces = place_segments(module.value());
  if (pieces.empty()) return LargeArray<std::byte>();

  std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), last = 0;
  for (const Piece& piece : pieces) {
    first = std::min(first, piece.address);
    last = std::max(last, piece.address + piece.bytes.size());
  }
  // A module can claim addresses 4 GiB apart in ten bytes; no real one is mostly zeros.
  const std::uint64_t allowed = 4 * std::uint64_t{file.size()} + (16U << 20);
  if (last - first > allowed)
    return Error{fmt::format("the module spreads {} bytes over {} bytes of memory", file.size(),
                             last - first)};
  LargeArray<std::byte> memory(last - first);
  for (const Piece& piece : pieces)
    std::memcpy(memory.data() + (piece.address - first), piece.bytes.data(), piece.bytes.size());
  return memory;
}

}  // namespace aleph::nnue
