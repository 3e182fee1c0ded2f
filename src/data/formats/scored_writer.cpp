#include "data/formats/scored_writer.h"

#include <fmt/format.h>

#include <utility>

#include "data/formats/bulletformat.h"
#include "data/formats/plain.h"

namespace aleph::data {
namespace {

constexpr std::size_t kBlock = 1 << 16;

}  // namespace

ScoredWriter::ScoredWriter(OutputFile file, ScoredFormat format)
    : file_(std::move(file)), format_(format) {}

Result<ScoredWriter> ScoredWriter::open(const std::string& name, ScoredFormat format) {
  if (!can_write(format))
    return Error{
        fmt::format("cannot write {}: {} is read here, not written", name, name_of(format))};
  Result<OutputFile> file = OutputFile::open(name);
  if (!file.ok()) return Error{file.error()};
  return ScoredWriter(file.take(), format);
}

Status ScoredWriter::add(const ScoredPosition& scored) {
  const Status status = format_ == ScoredFormat::Bulletformat ? append_bullet(scored, pending_)
                                                              : append_plain(scored, pending_);
  if (pending_.size() >= kBlock) {
    file_.write(pending_);
    pending_.clear();
  }
  return status;
}

Status ScoredWriter::close() {
  file_.write(pending_);
  pending_.clear();
  return file_.close();
}

}  // namespace aleph::data
