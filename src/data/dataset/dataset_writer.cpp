#include "data/dataset/dataset_writer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>

#include "base/write_file.h"
#include "data/parquet/parquet_writer.h"

namespace aleph::data {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr int kFormat = 1;
constexpr const char* kSplit = "train";

}  // namespace

Result<DatasetWriter> DatasetWriter::open(const fs::path& folder, Schema schema,
                                          DatasetOrigin origin) {
  auto pending = PendingFolder::beside(folder);
  if (!pending.ok()) return Error{pending.error()};
  return DatasetWriter(pending.take(), schema, std::move(origin));
}

Status DatasetWriter::add(const Table& rows) {
  if (rows.rows() == 0) return Status::success();
  const std::string name = fmt::format("{}-{:05}.parquet", kSplit, shards_.size());
  if (Status status = write_parquet(rows, folder_.path() / name); !status.ok()) return status;
  shards_.push_back({name, rows.rows()});
  rows_ += rows.rows();
  return Status::success();
}

Status DatasetWriter::close(std::map<std::string, std::uint64_t> counts,
                            const std::vector<std::string>& problems) {
  counts["rows"] = rows_;
  Json shards = Json::array();
  for (const WrittenShard& shard : shards_)
    shards.push_back(Json{{"file", shard.file}, {"rows", shard.rows}});
  const Json source{{"file", fs::path(origin_.file).filename().string()},
                    {"bytes", origin_.bytes ? Json(*origin_.bytes) : Json()}};
  const Json split{{"name", kSplit}, {"rows", rows_}, {"shards", shards}};
  // Readers want a normalization, although these schemas have nothing that is seen by a side.
  const Json settings{
      {"schema", to_text(schema_)}, {"normalization", "flip"}, {"converted_from", origin_.format}};
  const Json description{{"format", kFormat},    {"complete", true},
                         {"settings", settings}, {"sources", Json::array({source})},
                         {"counts", counts},     {"splits", Json::array({split})},
                         {"problems", problems}};
  // File names may hold bytes that JSON cannot: they are shown as something else.
  const std::string text = description.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  const Status written =
      write_file(folder_.path() / "dataset.json", std::as_bytes(std::span(text)));
  return written.ok() ? folder_.keep() : written;
}

}  // namespace aleph::data
