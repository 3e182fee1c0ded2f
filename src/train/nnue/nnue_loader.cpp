#include "train/nnue/nnue_loader.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "chess/move.h"
#include "chess/packed_position.h"
#include "data/batch/batch_reader.h"
#include "data/dataset/packed_column.h"

namespace aleph::train {

using chess::Board;

namespace {

bool in_check(const Board& board) {
  const chess::Color us = board.side_to_move();
  return board.is_attacked(board.king(us), ~us, board.occupied());
}

bool takes_or_promotes(const Board& board, chess::Move move) {
  return move.is_promotion() || move.is_en_passant() ||
         (!move.is_castling() && board.occupied().has(move.to()));
}

}  // namespace

float target_of(const NnueConfig& config, int score, const int* outcome) {
  const double units = score * config.score_unit;
  const double expected = 1 / (1 + std::exp(-units / config.score_scale));
  if (outcome == nullptr) return static_cast<float>(expected);
  return static_cast<float>(config.lambda * expected +
                            (1 - config.lambda) * (0.5 + 0.5 * *outcome));
}

struct NnueLoader::State {
  NnueConfig config;
  data::BatchReader reader;
  BatchBuilder builder;

  Result<LoadedBatch> load();
  Status add_rows(const data::Table& table);
};

Status NnueLoader::State::add_rows(const data::Table& table) {
  const data::FixedBytes* const positions = data::packed_column(table);
  const auto* const scores = table.values<data::FixedNumbers>("scores");
  if (positions == nullptr || scores == nullptr || scores->width == 0)
    return Error{config.data.folder + ": the columns are not those of the schema score"};
  const data::Column* const outcome = table.find("outcome");
  const auto* const outcomes = table.values<std::vector<std::int8_t>>("outcome");
  const data::Column* const move = table.find("move");
  const auto* const moves = table.values<std::vector<std::int32_t>>("move");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const int score = scores->numbers[row * scores->width + scores->width - 1];  // the deepest
    if (std::abs(score) > config.score_limit) continue;
    const auto plain = chess::unpack_board(data::packed_at(*positions, row));
    if (!plain || in_check(plain->board)) continue;
    if (moves != nullptr && !move->is_missing(row) &&
        takes_or_promotes(plain->board,
                          chess::Move::from_bits(static_cast<std::uint16_t>((*moves)[row]))))
      continue;
    const bool known = outcomes != nullptr && !outcome->is_missing(row);
    const int points = known ? (*outcomes)[row] : 0;
    builder.add(nnue::Placement::of(plain->board), plain->board.side_to_move(),
                target_of(config, score, known ? &points : nullptr));
  }
  return Status::success();
}

Result<LoadedBatch> NnueLoader::State::load() {
  while (true) {
    const auto table = reader.next();
    if (!table.ok()) return Error{table.error()};
    const bool over = table.value().rows() == 0;
    if (!over)
      if (const Status status = add_rows(table.value()); !status.ok()) return Error{status.error()};
    if (over || builder.positions() > 0) return LoadedBatch{builder.take(), reader.rows_given()};
  }
}

NnueLoader::NnueLoader(std::unique_ptr<State> state) : state_(std::move(state)) {}
NnueLoader::NnueLoader(NnueLoader&&) noexcept = default;
NnueLoader::~NnueLoader() {
  if (ahead_.valid()) ahead_.wait();  // it works on the state
}

Result<NnueLoader> NnueLoader::open(const NnueConfig& config, const NnueConfig::Data& source,
                                    bool shuffle, std::uint64_t epoch, std::uint64_t skipped) {
  const auto dataset = data::Dataset::open(source.folder);
  if (!dataset.ok()) return Error{dataset.error()};
  if (dataset.value().schema != data::Schema::Score)
    return Error{fmt::format("{} holds {} rows, and it takes score rows", source.folder,
                             data::to_text(dataset.value().schema))};
  data::BatchOptions options;
  options.rows = static_cast<std::size_t>(config.batch);
  options.shuffle = shuffle;
  options.seed = config.seed;
  options.epoch = epoch;
  options.files_at_once = static_cast<std::size_t>(config.shuffle_files);
  options.make_masks = false;
  options.columns = {"position", "scores"};
  if (config.lambda < 1) options.columns.push_back("outcome");
  if (config.skip_captures) options.columns.push_back("move");
  auto reader = data::BatchReader::open(dataset.value(), source.split, options);
  if (!reader.ok()) return Error{reader.error()};
  auto state = std::make_unique<State>(State{config, reader.take(), {}});
  if (const Status status = state->reader.skip(skipped); !status.ok()) return Error{status.error()};
  return NnueLoader(std::move(state));
}

std::uint64_t NnueLoader::rows() const { return state_->reader.rows(); }

Result<std::vector<SampledPosition>> sample_positions(const NnueConfig::Data& source,
                                                      std::size_t count) {
  const auto dataset = data::Dataset::open(source.folder);
  if (!dataset.ok()) return Error{dataset.error()};
  data::BatchOptions options;
  options.columns = {"position"};
  options.files_at_once = 1;
  auto opened = data::BatchReader::open(dataset.value(), source.split, options);
  if (!opened.ok()) return Error{opened.error()};
  data::BatchReader reader = opened.take();
  std::vector<SampledPosition> sample;
  while (sample.size() < count) {
    const auto table = reader.next();
    if (!table.ok()) return Error{table.error()};
    const data::FixedBytes* const positions = data::packed_column(table.value());
    if (positions == nullptr) break;  // the end
    for (std::size_t row = 0; row < table.value().rows() && sample.size() < count; ++row) {
      const auto plain = chess::unpack_board(data::packed_at(*positions, row));
      if (!plain || in_check(plain->board)) continue;
      sample.push_back({nnue::Placement::of(plain->board), plain->board.side_to_move()});
    }
  }
  return sample;
}

Result<LoadedBatch> NnueLoader::next() {
  State* const state = state_.get();
  const auto begin = [state] {
    return std::async(std::launch::async, [state] { return state->load(); });
  };
  if (!ahead_.valid()) ahead_ = begin();
  Result<LoadedBatch> loaded = ahead_.get();
  if (loaded.ok() && loaded.value().batch.positions() > 0) ahead_ = begin();
  return loaded;
}

}  // namespace aleph::train
