#include "train/quantile/feature_builder.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/progress.h"
#include "base/rng.h"
#include "chess/move.h"
#include "chess/packed_position.h"
#include "data/dataset/dataset.h"
#include "data/dataset/packed_column.h"
#include "data/dataset/row_cursor.h"
#include "nnue/net_store.h"
#include "train/run_export.h"

namespace aleph::train {
namespace {

constexpr int kFirstMate = 30'001;  // scores from here on are mates

// The columns of a table of rows. Those that may not be there are null.
struct ScoreColumns {
  const data::FixedBytes* position = nullptr;
  const data::FixedNumbers* scores = nullptr;
  const data::Column *move = nullptr, *game = nullptr;
  const data::Flags* in_search = nullptr;

  static std::optional<ScoreColumns> of(const data::Table& table) {
    ScoreColumns columns{data::packed_column(table), table.values<data::FixedNumbers>("scores"),
                         table.find("move"), table.find("game_id"),
                         table.values<data::Flags>("in_search")};
    if (columns.position == nullptr || columns.scores == nullptr || columns.scores->width == 0)
      return std::nullopt;
    return columns;
  }
  chess::Move move_at(std::size_t row) const {
    const auto* const moves =
        move == nullptr ? nullptr : std::get_if<std::vector<std::int32_t>>(&move->values);
    if (moves == nullptr || move->is_missing(row)) return {};
    return chess::Move::from_bits(static_cast<std::uint16_t>((*moves)[row]));
  }
  std::optional<std::int64_t> game_at(std::size_t row) const {
    const auto* const games =
        game == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(&game->values);
    if (games == nullptr || game->is_missing(row)) return std::nullopt;
    return (*games)[row];
  }
};

bool takes_or_promotes(const chess::Board& board, chess::Move move) {
  return move.is_promotion() || move.is_en_passant() ||
         (!move.is_castling() && board.occupied().has(move.to()));
}

// Equal positions belong together when there are no games to tell.
std::int64_t hash_of(const chess::PackedPosition& packed) {
  std::uint64_t hash = 0;
  for (const std::byte byte : packed.bytes)
    hash = Rng(hash ^ static_cast<std::uint64_t>(byte)).next();
  return static_cast<std::int64_t>(hash);
}

class Builder {
 public:
  Builder(const FeatureRequest& request, const std::shared_ptr<const nnue::Model>& base,
          std::filesystem::path file, bool talk)
      : request_(request), evaluator_(base), file_(std::move(file)), talk_(talk) {}

  Status build(const std::vector<data::Dataset>& datasets, const std::string& identity) {
    for (std::size_t i = 0; i < datasets.size(); ++i)
      if (Status status = read(datasets[i], request_.sources[i]); !status.ok()) return status;
    const std::string where = request_.sources.front().folder;
    if (!writer_ || writer_->rows() == 0) return Error{where + ": no row holds a label to learn"};
    if (mates_ == writer_->rows())
      return Error{where + ": all labels are mates, from which no doubt can be learnt"};
    return writer_->finish(identity);
  }
  std::uint64_t left_out() const { return left_out_; }

 private:
  Status read(const data::Dataset& dataset, const QuantileSource& source) {
    auto opened = data::RowCursor::open(dataset, source.split,
                                        {"position", "scores", "move", "game_id", "in_search"});
    if (!opened.ok()) return Error{opened.error()};
    data::RowCursor cursor = opened.take();
    Progress bar("positions", cursor.rows());
    std::optional<ScoreColumns> columns;
    while (cursor.next()) {
      if (cursor.row() == 0) columns = ScoreColumns::of(cursor.table());
      if (!columns) return Error{source.folder + ": the columns are not those of the schema score"};
      if (Status status = add(*columns, cursor.row(), source); !status.ok()) return status;
      if (talk_) bar.update(cursor.rows_passed());
    }
    if (cursor.problem()) return Error{*cursor.problem()};
    return Status::success();
  }

  // The scores of a row that count, to a width that all rows share.
  Result<std::span<const std::int16_t>> scores_of(const ScoreColumns& columns, std::size_t row,
                                                  const QuantileSource& source) const {
    const std::size_t width = columns.scores->width;
    const std::span<const std::int16_t> all(columns.scores->numbers.data() + row * width, width);
    if (request_.target == QuantileTarget::Deep) return all.last(1);
    if (scores_ != 0 && scores_ != width)
      return Error{fmt::format("{}: rows have {} scores, and those before it {}", source.folder,
                               width, scores_)};
    return all;
  }

  Status add(const ScoreColumns& columns, std::size_t row, const QuantileSource& source) {
    const auto scores = scores_of(columns, row, source);
    if (!scores.ok()) return Error{scores.error()};
    if (!writer_) {
      scores_ = scores.value().size();
      auto writer = FeatureCacheWriter::open(
          file_, static_cast<std::size_t>(evaluator_.architecture().width), scores_);
      if (!writer.ok()) return Error{writer.error()};
      writer_ = std::make_unique<FeatureCacheWriter>(writer.take());
    }
    const chess::PackedPosition packed = data::packed_at(*columns.position, row);
    const auto unpacked = chess::unpack(packed);
    if (!unpacked.ok()) {
      ++left_out_;
      return Status::success();
    }
    const chess::Position& position = unpacked.value();
    CachedRow cached = facts_of(position, columns.move_at(row), source);
    if (columns.in_search != nullptr && columns.in_search->values[row] != 0)
      cached.flags |= CachedRow::kInSearch;
    if (request_.skip_checks && cached.has(CachedRow::kInCheck)) return Status::success();
    const auto game = columns.game_at(row);
    cached.game = game ? *game : hash_of(packed);
    if (game) cached.flags |= CachedRow::kHasGame;
    if (std::abs(int{scores.value().back()}) >= kFirstMate) {
      cached.flags |= CachedRow::kMateScore;
      ++mates_;
    }
    writer_->add(cached, evaluator_.transformed(position), scores.value());
    return Status::success();
  }

  CachedRow facts_of(const chess::Position& position, chess::Move move,
                     const QuantileSource& source) {
    CachedRow row;
    const chess::Board& board = position.board();
    const chess::Color us = board.side_to_move();
    const nnue::RawOutput raw = evaluator_.evaluate(position);
    row.raw = raw.psqt + raw.positional;
    row.bucket = static_cast<std::uint8_t>(nnue::bucket_for(board.occupied().count()));
    row.phase = static_cast<std::uint8_t>(phase_of(board));
    if (board.is_attacked(board.king(us), ~us, board.occupied())) row.flags |= CachedRow::kInCheck;
    if (move) row.flags |= CachedRow::kHasMove;
    if (move && takes_or_promotes(board, move)) row.flags |= CachedRow::kTakes;
    if (source.in_search) row.flags |= CachedRow::kInSearch;
    return row;
  }

  const FeatureRequest& request_;
  nnue::Evaluator evaluator_;
  std::filesystem::path file_;
  bool talk_;
  std::unique_ptr<FeatureCacheWriter> writer_;
  std::size_t scores_ = 0;
  std::uint64_t left_out_ = 0, mates_ = 0;
};

}  // namespace

Result<std::shared_ptr<const nnue::Model>> load_base(const std::string& name) {
  const nnue::NetworkPlaces places = nnue::NetworkPlaces::of_this_machine();
  const bool inside = name == "embedded";
  if (inside && !places.embedded) return Error{"no network is embedded in this program"};
  const auto source = nnue::find_network(inside ? places.embedded->name : name, places);
  if (!source.ok()) return Error{source.error()};
  auto network = nnue::load_network(source.value());
  if (!network.ok()) return Error{network.error()};
  return std::make_shared<const nnue::Model>(std::make_shared<const nnue::Network>(network.take()));
}

int phase_of(const chess::Board& board) {
  using chess::PieceType;
  const auto count = [&](PieceType type) { return board.pieces(type).count(); };
  const int material = 3 * (count(PieceType::Knight) + count(PieceType::Bishop)) +
                       5 * count(PieceType::Rook) + 9 * count(PieceType::Queen);
  return material >= 50 ? 0 : material > 22 ? 1 : 2;
}

Result<FeatureCache> cached_features(const FeatureRequest& request,
                                     const std::shared_ptr<const nnue::Model>& base,
                                     const std::filesystem::path& file, bool talk) {
  nlohmann::ordered_json identity{{"base", base->network().sha256},
                                  {"target", to_text(request.target)},
                                  {"skip_checks", request.skip_checks}};
  std::vector<data::Dataset> datasets;
  for (const QuantileSource& source : request.sources) {
    auto dataset = data::Dataset::open(source.folder);
    if (!dataset.ok()) return Error{dataset.error()};
    if (dataset.value().schema != data::Schema::Score)
      return Error{fmt::format("{} holds {} rows, and it takes score rows", source.folder,
                               data::to_text(dataset.value().schema))};
    identity["data"].push_back({{"content", describe_data(dataset.value())},
                                {"split", source.split},
                                {"in_search", source.in_search}});
    datasets.push_back(dataset.take());
  }
  const std::string wanted = identity.dump();
  if (std::filesystem::exists(file))
    if (auto cache = FeatureCache::open(file); cache.ok() && cache.value().identity() == wanted)
      return cache;
  Builder builder(request, base, file, talk);
  if (const Status status = builder.build(datasets, wanted); !status.ok())
    return Error{status.error()};
  if (talk && builder.left_out() > 0)
    fmt::print(stderr, "{} rows hold no position and were left out\n", builder.left_out());
  return FeatureCache::open(file);
}

bool is_validation(const CachedRow& row, const QuantileSplit& split) {
  Rng rng(static_cast<std::uint64_t>(row.game) ^ Rng(split.seed).next());
  return rng.uniform() < split.validation_share;
}

SplitRows split_rows(const FeatureCache& cache, const QuantileSplit& split) {
  SplitRows rows;
  for (std::size_t i = 0; i < cache.rows(); ++i)
    (is_validation(cache.row(i), split) ? rows.validation : rows.train)
        .push_back(static_cast<std::uint32_t>(i));
  return rows;
}

}  // namespace aleph::train
