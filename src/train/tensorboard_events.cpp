#include "train/tensorboard_events.h"

#include <array>
#include <bit>

#include "nets/onnx/wire_writer.h"

namespace aleph::train {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78;  // Castagnoli's, the lowest bit first

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? kPolynomial : 0);
    table[byte] = sum;
  }
  return table;
}
constexpr auto kTable = make_table();

template <class T>
std::string little_endian(T value) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    bytes.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
  return bytes;
}

// Field 1 of an Event, which WireWriter has no word for.
std::string wall_time_field(double seconds) {
  constexpr char kFixed64 = 1 << 3 | 1;
  return kFixed64 + little_endian(std::bit_cast<std::uint64_t>(seconds));
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t sum = 0xFFFFFFFF;
  for (const char c : bytes)
    sum = kTable[(sum ^ static_cast<unsigned char>(c)) & 0xFF] ^ (sum >> 8);
  return ~sum;
}

std::uint32_t masked_crc32c(std::string_view bytes) {
  return std::rotr(crc32c(bytes), 15) + 0xA282EAD8;
}

std::string tensorboard_record(std::string_view event) {
  const std::string length = little_endian(static_cast<std::uint64_t>(event.size()));
  return length + little_endian(masked_crc32c(length)) + std::string(event) +
         little_endian(masked_crc32c(event));
}

std::string tensorboard_first_record(double wall_time) {
  nets::WireWriter event;
  event.text(3, "brain.Event:2");
  return tensorboard_record(wall_time_field(wall_time) + event.bytes());
}

std::string tensorboard_scalars(double wall_time, std::uint64_t step,
                                std::span<const std::pair<std::string, double>> numbers) {
  nets::WireWriter summary;
  for (const auto& [tag, number] : numbers) {
    nets::WireWriter value;
    value.text(1, tag);
    value.real(2, static_cast<float>(number));
    summary.message(1, value);
  }
  nets::WireWriter event;
  event.number(2, static_cast<std::int64_t>(step));
  event.message(5, summary);
  return tensorboard_record(wall_time_field(wall_time) + event.bytes());
}

}  // namespace aleph::train
