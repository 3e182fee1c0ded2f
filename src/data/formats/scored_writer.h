#pragma once

#include <string>

#include "base/result.h"
#include "data/formats/output_file.h"
#include "data/formats/scored_format.h"
#include "data/scored_position.h"

// Scored positions into a file.
//
//   auto opened = ScoredWriter::open("out.plain", ScoredFormat::Plain);
//   ScoredWriter writer = opened.take();
//   if (const Status status = writer.add(scored); !status.ok()) ++refused;
//   if (const Status status = writer.close(); !status.ok()) return fail(status.error());
namespace aleph::data {

// Binpack is read here, not written.
constexpr bool can_write(ScoredFormat format) { return format != ScoredFormat::Binpack; }

class ScoredWriter {
 public:
  // "-" is standard output. The file appears when it is closed. Fails with one sentence.
  static Result<ScoredWriter> open(const std::string& name, ScoredFormat format);

  // Says what the format cannot hold of a position, which is then left out.
  Status add(const ScoredPosition& scored);
  // Writing has failed (the disk is full): there is no use in adding more. close() says why.
  bool failed() const { return file_.failed(); }
  Status close();

 private:
  ScoredWriter(OutputFile file, ScoredFormat format);

  OutputFile file_;
  ScoredFormat format_;
  std::string pending_;  // records that are not yet written
};

}  // namespace aleph::data
