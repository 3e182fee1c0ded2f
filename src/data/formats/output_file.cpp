#include "data/formats/output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace aleph::data {
namespace {

std::string cannot_write(const std::string& name) {
  return fmt::format("cannot write {}: {}", name, std::generic_category().message(errno));
}

}  // namespace

OutputFile::OutputFile(std::FILE* file, std::optional<PendingFile> pending)
    : file_(file), pending_(std::move(pending)) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : file_(std::exchange(other.file_, nullptr)),
      pending_(std::move(other.pending_)),
      problem_(std::move(other.problem_)) {}

OutputFile::~OutputFile() {
  if (file_ != nullptr && pending_) std::fclose(file_);
}

Result<OutputFile> OutputFile::open(const std::string& name) {
  if (name == "-") return OutputFile(stdout, std::nullopt);
  Result<PendingFile> made = PendingFile::beside(name);
  if (!made.ok()) return Error{made.error()};
  PendingFile pending = made.take();
  std::FILE* const file = std::fopen(pending.name().c_str(), "wb");
  if (file == nullptr) return Error{cannot_write(name)};
  return OutputFile(file, std::move(pending));
}

void OutputFile::note_problem() {
  if (problem_.empty())
    problem_ = cannot_write(pending_ ? pending_->target().string() : "standard output");
}

void OutputFile::write(std::string_view bytes) {
  if (failed() || bytes.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) note_problem();
}

Status OutputFile::close() {
  if (!failed() && std::fflush(file_) != 0) note_problem();
  if (pending_ && std::fclose(std::exchange(file_, nullptr)) != 0) note_problem();
  if (failed()) return Error{problem_};
  return pending_ ? pending_->keep() : Status::success();
}

}  // namespace aleph::data
