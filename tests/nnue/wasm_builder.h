// Small WebAssembly modules that carry given memory, made as compilers make them: runs of zeros
// left out, data in active or passive segments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aleph::test {

enum class SegmentKind { Active, ActiveInMemory, Passive };

class WasmBuilder {
 public:
  using Bytes = std::vector<std::byte>;

  explicit WasmBuilder(SegmentKind kind) : kind_(kind) {}

  void add_segment(std::uint32_t address, std::span<const std::byte> data) {
    if (kind_ == SegmentKind::Passive) add_memory_init(address, data.size());
    append_unsigned(data_, kind_ == SegmentKind::Active           ? 0
                           : kind_ == SegmentKind::ActiveInMemory ? 2
                                                                  : 1);
    if (kind_ == SegmentKind::ActiveInMemory) append_unsigned(data_, 0);
    if (kind_ != SegmentKind::Passive) {
      append_const(data_, address);
      append_byte(data_, 0x0B);
    }
    append_unsigned(data_, data.size());
    data_.insert(data_.end(), data.begin(), data.end());
    ++segments_;
  }

  // Memory from address on; a run of eight or more zeros starts a new segment.
  void add_memory(std::uint32_t address, std::span<const std::byte> memory) {
    constexpr std::ptrdiff_t kRun = 8;
    const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
    for (auto first = std::find_if_not(memory.begin(), memory.end(), is_zero);
         first != memory.end();) {
      const auto run = std::search_n(first, memory.end(), kRun, std::byte{0});
      add_segment(address + static_cast<std::uint32_t>(first - memory.begin()), {first, run});
      first = std::find_if_not(run, memory.end(), is_zero);
    }
  }

  Bytes module() const {
    Bytes out;
    for (const int byte : {0x00, 0x61, 0x73, 0x6D, 1, 0, 0, 0}) append_byte(out, byte);
    Bytes body{std::byte{0}};  // no locals
    body.insert(body.end(), code_.begin(), code_.end());
    append_byte(body, 0x0B);
    Bytes code;
    append_unsigned(code, 1);
    append_unsigned(code, body.size());
    code.insert(code.end(), body.begin(), body.end());
    append_section(out, 10, code);
    Bytes data;
    append_unsigned(data, segments_);
    data.insert(data.end(), data_.begin(), data_.end());
    append_section(out, 11, data);
    return out;
  }

 private:
  static void append_byte(Bytes& out, int byte) { out.push_back(static_cast<std::byte>(byte)); }
  static void append_unsigned(Bytes& out, std::size_t value) {
    for (; value > 127; value >>= 7) append_byte(out, static_cast<int>(value & 127) | 128);
    append_byte(out, static_cast<int>(value));
  }
  static void append_const(Bytes& out, std::uint32_t number) {
    auto value = static_cast<std::int32_t>(number);
    append_byte(out, 0x41);
    for (; value < -64 || value > 63; value >>= 7) append_byte(out, (value & 127) | 128);
    append_byte(out, value & 127);
  }
  static void append_section(Bytes& out, int id, const Bytes& content) {
    append_byte(out, id);
    append_unsigned(out, content.size());
    out.insert(out.end(), content.begin(), content.end());
  }
  void add_memory_init(std::uint32_t address, std::size_t count) {
    append_const(code_, address);
    append_const(code_, 0);
    append_const(code_, static_cast<std::uint32_t>(count));
    append_byte(code_, 0xFC);
    append_unsigned(code_, 8);
    append_unsigned(code_, segments_);
    append_byte(code_, 0);
  }

  SegmentKind kind_;
  Bytes code_, data_;
  std::size_t segments_ = 0;
};

inline std::vector<std::byte> wasm_with(SegmentKind kind, std::span<const std::byte> memory,
                                        std::uint32_t address = 1024) {
  WasmBuilder builder(kind);
  builder.add_memory(address, memory);
  return builder.module();
}

}  // namespace aleph::test
