#include "train/sample_encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "chess/movegen.h"
#include "chess/packed_position.h"
#include "data/dataset/packed_column.h"
#include "nets/encode/from_to.h"
#include "nets/encode/tokens74.h"

namespace aleph::train {
namespace {

using chess::Move;
using chess::Position;
using data::Column;
using data::Schema;
using data::Table;
using nets::HeadKind;
using nets::InputKind;

// A small number of a row; nothing where it has none.
template <class T>
std::optional<T> number_at(const Table& table, const char* name, std::size_t row) {
  const Column* const column = table.find(name);
  if (column == nullptr || column->is_missing(row)) return std::nullopt;
  const auto* const values = std::get_if<std::vector<T>>(&column->values);
  if (values == nullptr) return std::nullopt;
  return (*values)[row];
}

const char* result_column(Schema schema) { return schema == Schema::Score ? "outcome" : "result"; }

const char* move_column(Schema schema) { return schema == Schema::Human ? "move_id" : "move"; }

// The number by which Samples name a move: one, for every kind of head.
std::int32_t place_of(const nets::LogitPlaces& places) {
  return places.second < 0 ? places.place : places.place * 64 + (places.second - 64);
}

// Promotions can share a place; then it is there already.
void add_once(std::vector<std::int32_t>& places, std::size_t begin, std::int32_t place) {
  const auto first = places.begin() + static_cast<std::ptrdiff_t>(begin);
  if (std::find(first, places.end(), place) == places.end()) places.push_back(place);
}

}  // namespace

double expected_score(int centipawns) { return 1 / (1 + std::pow(10.0, -centipawns / 400.0)); }

Result<SampleEncoder> SampleEncoder::make(const data::Dataset& dataset, const nets::NetSpec& spec,
                                          bool keep_positions) {
  auto input = nets::InputEncoder::make(
      spec.input, {.fill = nets::HistoryFill::FenOnly, .earlier_positions = false});
  if (!input.ok()) return Error{input.error()};
  const std::string where = dataset.path.string();
  if (spec.input.kind == InputKind::Tokens74) {
    if (dataset.schema != Schema::Human)
      return Error{fmt::format(
          "{} has the schema {}, but tokens74 needs human: clocks and last moves are only there",
          where, data::to_text(dataset.schema))};
    if (dataset.normalization != spec.input.normalization)
      return Error{
          fmt::format("the tokens of {} are normalised in another way than the network's "
                      "input: build it again with the other --normalization",
                      where)};
  }
  SampleEncoder encoder(dataset, input.take());
  encoder.keep_positions_ = keep_positions;
  for (const nets::HeadSpec& head : spec.heads) {
    if (!nets::is_policy(head.kind) || encoder.policy_) continue;
    auto map = nets::MoveMap::make(head.kind, spec.input);
    if (!map.ok()) return Error{map.error()};
    encoder.policy_ = map.take();
  }
  return encoder;
}

std::vector<std::string> SampleEncoder::columns() const {
  if (schema_ == Schema::Score) return {};
  std::vector<std::string> names{"position", "rating", "opponent_rating", "result",
                                 move_column(schema_)};
  if (schema_ == Schema::Human) {
    names.insert(names.end(), {"promo_id", "think_time"});
    if (input_.spec().kind == InputKind::Tokens74) names.emplace_back("tokens");
  }
  return names;
}

Status SampleEncoder::check(const Table& table) const {
  if (data::packed_column(table) == nullptr) return Error{"its rows have no positions"};
  if (policy_ && table.find(move_column(schema_)) == nullptr)
    return Error{"its rows have no moves, so that no policy can be learned from them"};
  return Status::success();
}

bool SampleEncoder::is_usable(const Table& table, std::size_t row) const {
  if (!policy_) return true;
  const Column* const moves = table.find(move_column(schema_));
  return moves != nullptr && !moves->is_missing(row);
}

Result<Move> SampleEncoder::played(const Table& table, std::size_t row,
                                   const Position& position) const {
  std::optional<Move> move;
  if (schema_ == Schema::Human) {
    const auto id = number_at<std::int16_t>(table, "move_id", row);
    const auto piece = number_at<std::int8_t>(table, "promo_id", row);
    if (id && piece) move = nets::legal_move_of(position, *id, *piece, normalization_);
  } else if (const auto bits = number_at<std::int32_t>(table, "move", row)) {
    chess::MoveList moves;
    chess::generate_all(position, moves);
    for (const Move legal : moves)
      if (legal.bits() == static_cast<std::uint32_t>(*bits)) move = legal;
  }
  if (!move) return Error{"a row has a move that is not legal in its position"};
  return *move;
}

Status SampleEncoder::append(const Table& table, std::size_t row, Samples& samples) const {
  const data::FixedBytes& packed = *data::packed_column(table);
  const auto position = chess::unpack(data::packed_at(packed, row));
  if (!position.ok()) return Error{position.error()};
  if (policy_) {
    const auto move = played(table, row, position.value());
    if (!move.ok()) return Error{move.error()};
    append_move(position.value(), move.value(), samples);
  }
  append_input(table, row, position.value(), samples);
  append_outcome(table, row, samples);
  samples.pieces.push_back(static_cast<std::uint8_t>(position.value().board().occupied().count()));
  if (keep_positions_) {
    const auto bytes = std::span(packed.bytes).subspan(row * packed.width, packed.width);
    samples.packed.insert(samples.packed.end(), bytes.begin(), bytes.end());
  }
  ++samples.size;
  return Status::success();
}

void SampleEncoder::append_input(const Table& table, std::size_t row, const Position& position,
                                 Samples& samples) const {
  const auto rating = number_at<std::int16_t>(table, "rating", row);
  samples.rating.push_back(rating.value_or(-1));
  if (input_.spec().kind == InputKind::Tokens74) {
    const auto* const stored = table.values<data::FixedNumbers>("tokens");
    const auto words = std::span(stored->numbers).subspan(row * stored->width, stored->width);
    samples.tokens.insert(samples.tokens.end(), words.begin(), words.end());
    return;
  }
  const nets::InputSizes& sizes = input_.sizes();
  // As many more numbers at the end of a list.
  const auto grown = [](auto& numbers, std::size_t count) {
    numbers.resize(numbers.size() + count);
    return std::span(numbers).last(count);
  };
  nets::GameContext context;
  context.rating = rating.value_or(1500);
  context.opponent_rating = number_at<std::int16_t>(table, "opponent_rating", row).value_or(1500);
  input_.encode(position, context, grown(samples.planes, sizes.plane_numbers()),
                grown(samples.tokens, static_cast<std::size_t>(sizes.tokens)),
                grown(samples.context, static_cast<std::size_t>(sizes.context)));
}

void SampleEncoder::append_move(const Position& position, Move move, Samples& samples) const {
  const auto here = policy_->at(position);
  const nets::LogitPlaces places = here.places(move);
  samples.move.push_back(place_of(places));
  if (policy_->kind() == HeadKind::FromTo) {
    samples.from.push_back(places.place);
    samples.to.push_back(places.second - 64);
  }
  samples.promotion.push_back(
      static_cast<std::int8_t>(move.is_promotion() ? nets::promotion_id(move.promotion()) : -1));
  if (samples.legal_begin.empty()) samples.legal_begin.push_back(0);
  const std::size_t begin = samples.legal.size();
  chess::MoveList moves;
  chess::generate_all(position, moves);
  for (const Move legal : moves) {
    const std::int32_t place = place_of(here.places(legal));
    if (legal.is_promotion())
      add_once(samples.legal, begin, place);
    else
      samples.legal.push_back(place);
  }
  samples.legal_begin.push_back(static_cast<std::int32_t>(samples.legal.size()));
}

void SampleEncoder::append_outcome(const Table& table, std::size_t row, Samples& samples) const {
  const auto result = number_at<std::int8_t>(table, result_column(schema_), row);
  samples.value.push_back(static_cast<float>(result.value_or(0)));
  samples.result.push_back(static_cast<std::int8_t>(result ? 1 - *result : -1));
  if (schema_ == Schema::Human)
    samples.think_time.push_back(number_at<float>(table, "think_time", row).value_or(-1));
  if (schema_ != Schema::Score) return;
  const auto* const scores = table.values<data::FixedNumbers>("scores");
  if (scores == nullptr || scores->width == 0) return;
  const int score = scores->numbers[(row + 1) * scores->width - 1];
  samples.quantile_target.push_back(static_cast<float>(expected_score(score)));
}

}  // namespace aleph::train
