#include "support/zstd_text.h"

#include <zstd.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace aleph::test {

std::string read_zstd(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string packed{std::istreambuf_iterator<char>(in), {}};
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                     ZSTD_freeDCtx);
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, 27);  // as the data's README asks
  std::string text, chunk(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer input{packed.data(), packed.size(), 0};
  std::size_t left = 1;
  while (input.pos < input.size) {
    ZSTD_outBuffer output{chunk.data(), chunk.size(), 0};
    left = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(left))
      throw std::runtime_error(file.string() + ": " + ZSTD_getErrorName(left));
    text.append(chunk, 0, output.pos);
  }
  while (left != 0) {
    ZSTD_outBuffer output{chunk.data(), chunk.size(), 0};
    left = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(left) || output.pos == 0)
      throw std::runtime_error(file.string() + ": missing, cut short or damaged");
    text.append(chunk, 0, output.pos);
  }
  return text;
}

std::vector<std::string> read_zstd_lines(const std::filesystem::path& file) {
  std::istringstream in(read_zstd(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

}  // namespace aleph::test
