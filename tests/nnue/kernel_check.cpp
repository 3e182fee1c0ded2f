#include "nnue/kernel_check.h"

#include <array>
#include <istream>
#include <ostream>

#include "base/rng.h"

namespace aleph::test {
namespace {

using nnue::Kernels;
using nnue::WidthKernels;

template <class T>
AlignedVector<T> random_values(Rng& rng, std::size_t count, int low, int high) {
  AlignedVector<T> values(count);
  for (T& value : values)
    value = static_cast<T>(low +
                           static_cast<int>(rng.below(static_cast<std::uint64_t>(high - low) + 1)));
  return values;
}

class Checker {
 public:
  Checker(const Kernels& tested, const WidthKernels& kernels, const WidthKernels& scalar, Rng& rng)
      : name_(std::string(tested.name) + ", width " + std::to_string(kernels.width)),
        kernels_(kernels),
        scalar_(scalar),
        width_(static_cast<std::size_t>(kernels.width)),
        rng_(rng) {}

  void check_updates() {
    // added words, removed words, added bytes, removed bytes
    const std::array<std::array<std::uint32_t, 4>, 12> shapes{{{0, 0, 0, 0},
                                                               {1, 1, 0, 0},
                                                               {1, 2, 0, 0},
                                                               {2, 2, 0, 0},
                                                               {2, 1, 0, 0},
                                                               {0, 3, 0, 0},
                                                               {32, 0, 0, 0},
                                                               {1, 1, 1, 0},
                                                               {1, 1, 0, 2},
                                                               {1, 2, 5, 6},
                                                               {7, 9, 11, 13},
                                                               {0, 0, 3, 3}}};
    for (const auto& shape : shapes)
      for (const int range : {300, 32'767}) check_update(shape, range);
  }

  void check_forward() {
    for (const int range : {40, 150, 400, 32'767}) {
      const auto mover = random_values<std::int16_t>(rng_, width_, -range - 1, range);
      const auto other = random_values<std::int16_t>(rng_, width_, -range - 1, range);
      for (int clip_kind = 0; clip_kind < 2; ++clip_kind) {
        const auto features = check_transform(mover, other, clip_kind);
        for (int shape = 0; shape < 2; ++shape)
          for (const int weight : {8, 127}) check_propagate(features, shape, weight);
      }
    }
    check_propagate({AlignedVector<std::uint8_t>(width_, 0), {}}, 0, 127);
    Features full{AlignedVector<std::uint8_t>(width_, 127), {}};
    for (std::size_t block = 0; block < width_ / 4; ++block)
      full.blocks.push_back(static_cast<std::uint16_t>(block));
    check_propagate(full, 0, 127);
    check_propagate(full, 1, 127);
  }

  std::vector<std::string> take_differences() { return std::move(differences_); }

 private:
  struct Features {
    AlignedVector<std::uint8_t> bytes;
    std::vector<std::uint16_t> blocks;
  };

  void differ(const std::string& what) { differences_.push_back(name_ + ": " + what); }

  void check_update(const std::array<std::uint32_t, 4>& counts, int range) {
    const auto from = random_values<std::int16_t>(rng_, width_, -range - 1, range);
    std::vector<AlignedVector<std::int16_t>> words;
    std::vector<AlignedVector<std::int8_t>> bytes;
    std::array<std::vector<const std::int16_t*>, 2> word_rows;
    std::array<std::vector<const std::int8_t*>, 2> byte_rows;
    for (std::size_t part = 0; part < 2; ++part) {
      for (std::uint32_t i = 0; i < counts[part]; ++i) {
        words.push_back(random_values<std::int16_t>(rng_, width_, -range - 1, range));
        word_rows[part].push_back(words.back().data());
      }
      for (std::uint32_t i = 0; i < counts[2 + part]; ++i) {
        bytes.push_back(random_values<std::int8_t>(rng_, width_, -128, 127));
        byte_rows[part].push_back(bytes.back().data());
      }
    }
    const nnue::RowChanges changes{
        word_rows[0].data(), word_rows[1].data(), byte_rows[0].data(), byte_rows[1].data(),
        counts[0],           counts[1],           counts[2],           counts[3]};
    AlignedVector<std::int16_t> expected(width_), found(width_), also(width_), in_place = from;
    scalar_.update(from.data(), changes, expected.data(), nullptr);
    kernels_.update(from.data(), changes, found.data(), nullptr);
    const std::string what = "update by " + std::to_string(counts[0]) + " and " +
                             std::to_string(counts[1]) + " rows, " + std::to_string(counts[2]) +
                             " and " + std::to_string(counts[3]) + " byte rows";
    if (found != expected) differ(what);
    kernels_.update(from.data(), changes, found.data(), also.data());
    if (found != expected || also != expected) differ(what + ", into two places");
    kernels_.update(in_place.data(), changes, in_place.data(), nullptr);
    if (in_place != expected) differ(what + ", in place");
  }

  Features check_transform(const AlignedVector<std::int16_t>& mover,
                           const AlignedVector<std::int16_t>& other, int clip_kind) {
    const auto run = [&](const WidthKernels& kernels) {
      Features features{AlignedVector<std::uint8_t>(width_),
                        std::vector<std::uint16_t>(nnue::kMostBlocks)};
      features.blocks.resize(kernels.transform[clip_kind](
          mover.data(), other.data(), features.bytes.data(), features.blocks.data()));
      return features;
    };
    const Features expected = run(scalar_), found = run(kernels_);
    if (found.bytes != expected.bytes) differ("transformed bytes");
    if (found.blocks != expected.blocks) differ("list of blocks that are not zero");
    return expected;
  }

  void check_propagate(const Features& features, int shape, int range) {
    const std::size_t first_outputs = shape == 0 ? 16 : 32;
    const auto first_bias = random_values<std::int32_t>(rng_, first_outputs, -90'000, 90'000);
    const auto first = random_values<std::int8_t>(rng_, width_ * first_outputs, -range - 1, range);
    const auto second_bias = random_values<std::int32_t>(rng_, 32, -9'000, 9'000);
    const auto second = random_values<std::int8_t>(rng_, 2 * first_outputs * 32, -range - 1, range);
    auto third = random_values<std::int8_t>(rng_, 128, -range - 1, range);
    if (shape == 0)
      for (std::size_t i = 32; i < 128; ++i) third[i] = 0;
    const nnue::PackedStack stack{first_bias.data(), first.data(), second_bias.data(),
                                  second.data(),     third.data(), 1234};
    const auto count = static_cast<std::uint32_t>(features.blocks.size());
    const std::int32_t expected =
        scalar_.propagate[shape](stack, features.bytes.data(), features.blocks.data(), count);
    const std::int32_t found =
        kernels_.propagate[shape](stack, features.bytes.data(), features.blocks.data(), count);
    if (found != expected)
      differ("dense layers of shape " + std::to_string(shape) + ": " + std::to_string(found) +
             " instead of " + std::to_string(expected));
  }

  std::string name_;
  const WidthKernels& kernels_;
  const WidthKernels& scalar_;
  std::size_t width_;
  Rng& rng_;
  std::vector<std::string> differences_;
};

template <class T>
void write_numbers(const T& values, std::ostream& out) {
  for (const auto value : values) out << static_cast<long>(value) << ' ';
  out << '\n';
}

template <class T>
AlignedVector<T> read_numbers(std::istream& in, std::size_t count) {
  AlignedVector<T> values(count);
  for (T& value : values) {
    long number = 0;
    in >> number;
    value = static_cast<T>(number);
  }
  return values;
}

}  // namespace

std::vector<std::string> random_differences(const Kernels& tested, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::string> all;
  for (int i = 0; i < nnue::kWidthCount; ++i) {
    Checker checker(tested, tested.widths[i], nnue::scalar_kernels().widths[i], rng);
    checker.check_updates();
    checker.check_forward();
    for (std::string& difference : checker.take_differences()) all.push_back(std::move(difference));
  }
  return all;
}

void write_sample(const KernelSample& sample, std::ostream& out) {
  out << sample.width << ' ' << sample.clip_kind << ' ' << sample.shape << ' ' << sample.third_bias
      << ' ' << sample.expected.size() << '\n';
  write_numbers(sample.first_bias, out);
  write_numbers(sample.second_bias, out);
  write_numbers(sample.first_weight, out);
  write_numbers(sample.second_weight, out);
  write_numbers(sample.third_weight, out);
  for (std::size_t i = 0; i < sample.expected.size(); ++i) {
    out << sample.expected[i] << '\n';
    write_numbers(sample.mover[i], out);
    write_numbers(sample.other[i], out);
  }
}

KernelSample read_sample(std::istream& in) {
  KernelSample sample;
  std::size_t positions = 0;
  if (!(in >> sample.width >> sample.clip_kind >> sample.shape >> sample.third_bias >> positions))
    return {};
  const std::size_t outputs = sample.shape == 0 ? 16 : 32;
  const auto width = static_cast<std::size_t>(sample.width);
  sample.first_bias = read_numbers<std::int32_t>(in, outputs);
  sample.second_bias = read_numbers<std::int32_t>(in, 32);
  sample.first_weight = read_numbers<std::int8_t>(in, width * outputs);
  sample.second_weight = read_numbers<std::int8_t>(in, 2 * outputs * 32);
  sample.third_weight = read_numbers<std::int8_t>(in, sample.shape == 0 ? 64 : 128);
  for (std::size_t i = 0; i < positions; ++i) {
    std::int32_t expected = 0;
    in >> expected;
    sample.expected.push_back(expected);
    sample.mover.push_back(read_numbers<std::int16_t>(in, width));
    sample.other.push_back(read_numbers<std::int16_t>(in, width));
  }
  return sample;
}

std::vector<std::string> sample_differences(const Kernels& tested, const KernelSample& sample) {
  std::vector<std::string> differences;
  const nnue::WidthKernels* kernels = nullptr;
  for (int i = 0; i < nnue::kWidthCount; ++i)
    if (nnue::kWidths[i] == sample.width) kernels = &tested.widths[i];
  if (kernels == nullptr) return {"no kernels for width " + std::to_string(sample.width)};
  AlignedVector<std::uint8_t> bytes(static_cast<std::size_t>(sample.width));
  std::vector<std::uint16_t> blocks(nnue::kMostBlocks);
  for (std::size_t i = 0; i < sample.expected.size(); ++i) {
    const std::uint32_t count = kernels->transform[sample.clip_kind](
        sample.mover[i].data(), sample.other[i].data(), bytes.data(), blocks.data());
    const std::int32_t found =
        kernels->propagate[sample.shape](sample.stack(), bytes.data(), blocks.data(), count);
    if (found != sample.expected[i])
      differences.push_back(std::string(tested.name) + ", width " + std::to_string(sample.width) +
                            ": " + std::to_string(found) + " instead of " +
                            std::to_string(sample.expected[i]));
  }
  return differences;
}

}  // namespace aleph::test
