// The bytes of TensorBoard's event files: records with checksums, each an Event of protobuf.
//
//   record: length (8 bytes), masked CRC-32C of those, the event, masked CRC-32C of it
//   Event: 1 wall_time (double), 2 step (varint), 3 file_version (text), 5 summary
//   Summary: 1 value, many; Value: 1 tag (text), 2 simple_value (float)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace aleph::train {

// CRC-32C (Castagnoli), not masked.
std::uint32_t crc32c(std::string_view bytes);
// As records have it: rotated, plus a constant, so that checksums of checksums work.
std::uint32_t masked_crc32c(std::string_view bytes);

std::string tensorboard_record(std::string_view event);
// Every file begins with this record.
std::string tensorboard_first_record(double wall_time);
// Numbers of one step, under their tags.
std::string tensorboard_scalars(double wall_time, std::uint64_t step,
                                std::span<const std::pair<std::string, double>> numbers);

}  // namespace aleph::train
