#include "train/nnue/nnue_checkpoint.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <string_view>

#include "base/little_endian.h"
#include "base/mapped_file.h"
#include "base/pending_file.h"
#include "base/sha256.h"

namespace aleph::train {
namespace {

static_assert(std::endian::native == std::endian::little, "floats are written as they are");

constexpr std::string_view kMagic = "ALEPH NNUE CHECKPOINT 1\n";

// Writes and keeps the sum of what it wrote.
class SummedOutput {
 public:
  explicit SummedOutput(const std::string& name) : file_(name, std::ios::binary) {}

  void write(std::span<const std::byte> bytes) {
    sum_.update(bytes);
    write_unsummed(bytes);
  }
  void write(std::uint64_t number) {
    std::array<std::byte, 8> bytes;
    store_little_endian(bytes.data(), number);
    write(bytes);
  }
  bool finish() {
    const Sha256::Digest digest = sum_.finish();
    write_unsummed(std::as_bytes(std::span(digest)));
    file_.close();
    return static_cast<bool>(file_);
  }

 private:
  void write_unsummed(std::span<const std::byte> bytes) {
    file_.write(reinterpret_cast<const char*>(bytes.data()),
                static_cast<std::streamsize>(bytes.size()));
  }

  std::ofstream file_;
  Sha256 sum_;
};

// Takes parts off the front of bytes; once too few are left, everything is empty.
class Input {
 public:
  explicit Input(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::span<const std::byte> take(std::uint64_t count) {
    if (count > rest_.size()) {
      bad_ = true;
      return {};
    }
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  std::uint64_t number() {
    const auto bytes = take(8);
    return bytes.empty() ? 0 : load_little_endian<std::uint64_t>(bytes.data());
  }
  bool good_end() const { return !bad_ && rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
  bool bad_ = false;
};

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace

Status save_checkpoint(const std::filesystem::path& path, const std::string& identity,
                       const NnueProgress& progress, const FloatArrays& arrays) {
  auto pending = PendingFile::beside(path);
  if (!pending.ok()) return Error{pending.error()};
  PendingFile file = pending.take();
  SummedOutput output(file.name());
  output.write(bytes_of(kMagic));
  output.write(identity.size());
  output.write(bytes_of(identity));
  for (const std::uint64_t number :
       {progress.steps, progress.epoch, progress.rows_given, progress.positions})
    output.write(number);
  for (const std::span<float> array : arrays) {
    output.write(array.size());
    output.write(std::as_bytes(array));
  }
  if (!output.finish()) return Error{fmt::format("cannot write {}", path.string())};
  return file.keep();
}

Result<NnueProgress> load_checkpoint(const std::filesystem::path& path, const std::string& identity,
                                     const FloatArrays& arrays) {
  const auto file = MappedFile::open(path);
  if (!file.ok()) return Error{file.error()};
  const std::span<const std::byte> bytes = file.value().bytes();
  const auto refuse = [&](const char* why) {
    return Error{fmt::format("{}: {}", path.string(), why)};
  };
  constexpr std::size_t kDigest = 32;
  if (bytes.size() < kMagic.size() + kDigest || !file.value().text().starts_with(kMagic))
    return refuse("this is no checkpoint of an NNUE run");
  const auto summed = bytes.first(bytes.size() - kDigest);
  Sha256 sum;
  sum.update(summed);
  const Sha256::Digest digest = sum.finish();
  if (std::memcmp(digest.data(), bytes.data() + summed.size(), kDigest) != 0)
    return refuse("the checkpoint is damaged");
  Input input(summed);
  input.take(kMagic.size());
  const auto stored = input.take(input.number());
  if (std::string_view(reinterpret_cast<const char*>(stored.data()), stored.size()) != identity)
    return refuse("the checkpoint belongs to a run with another config");
  NnueProgress progress;
  for (std::uint64_t* number :
       {&progress.steps, &progress.epoch, &progress.rows_given, &progress.positions})
    *number = input.number();
  for (const std::span<float> array : arrays) {
    const auto values = input.take(input.number() * sizeof(float));
    if (values.size() != array.size_bytes()) return refuse("the checkpoint has other arrays");
    std::memcpy(array.data(), values.data(), values.size());
  }
  if (!input.good_end()) return refuse("the checkpoint has other arrays");
  return progress;
}

}  // namespace aleph::train
