#include "data/dataset/rows.h"

#include <algorithm>
#include <cassert>

#include "base/rng.h"
#include "data/dataset/growing_columns.h"
#include "nets/encode/legal_mask.h"
#include "nets/encode/tokens74.h"

namespace aleph::data {

namespace {

// What every schema knows about the game around a move.
struct GameColumns {
  Nullable<std::int16_t> rating, opponent_rating;
  Nullable<std::int8_t> result;
  std::vector<std::int16_t> ply;
  std::vector<std::int64_t> game_id;

  void add(const MoveInGame& move) {
    const auto side = static_cast<std::size_t>(chess::index(move.mover()));
    rating.add(move.facts.rating[side]);
    opponent_rating.add(move.facts.rating[side ^ 1]);
    result.add(move.facts.outcome(move.mover()));
    ply.push_back(static_cast<std::int16_t>(std::min<std::size_t>(move.ply, 32'767)));
    game_id.push_back(move.facts.id);
  }
  void take(Table& table) {
    table.columns.push_back(rating.take("rating"));
    table.columns.push_back(opponent_rating.take("opponent_rating"));
    table.columns.push_back(result.take("result"));
    table.columns.push_back(take_column("ply", ply));
    table.columns.push_back(take_column("game_id", game_id));
  }
};

class HumanWriter final : public RowWriter {
 public:
  explicit HumanWriter(const BuildSettings& settings)
      : normalization_(settings.normalization), store_masks_(settings.store_masks) {}

  bool add(const MoveInGame& move) override {
    const auto side = static_cast<std::size_t>(chess::index(move.mover()));
    if (!move.facts.rating[side]) return false;  // there is no word for an unknown rating
    const nets::HumanContext context{*move.facts.rating[side], move.facts.clock[move.ply],
                                     move.latest};
    const nets::Tokens74 tokens = encode_tokens74(move.position, context, normalization_);
    tokens_.numbers.insert(tokens_.numbers.end(), tokens.begin(), tokens.end());
    const chess::Move played = move.played.move;
    move_id_.push_back(
        static_cast<std::int16_t>(nets::from_to_id(move.position, played, normalization_)));
    promo_id_.push_back(static_cast<std::int8_t>(
        played.is_promotion() ? nets::promotion_id(played.promotion()) : -1));
    is_promotion_.values.push_back(played.is_promotion());
    if (store_masks_) {
      const auto mask = nets::LegalMask::of(move.position, normalization_);
      masks_.bytes.insert(masks_.bytes.end(), mask.bytes().begin(), mask.bytes().end());
    }
    add_packed(position_, move.position);
    clock_.add(move.facts.clock[move.ply]);
    think_time_.add(move.facts.think_time[move.ply]);
    increment_.add(move.facts.time_control
                       ? std::optional(move.facts.time_control->increment_seconds)
                       : std::nullopt);
    game_.add(move);
    return true;
  }

  Table take() override {
    Table table;
    table.columns.push_back(take_fixed("tokens", tokens_));
    table.columns.push_back(take_column("move_id", move_id_));
    table.columns.push_back(take_column("promo_id", promo_id_));
    table.columns.push_back({"is_promotion", std::exchange(is_promotion_, {}), {}});
    if (store_masks_) table.columns.push_back(take_fixed("legal_mask", masks_));
    table.columns.push_back(take_fixed("position", position_));
    table.columns.push_back(clock_.take("clock"));
    table.columns.push_back(think_time_.take("think_time"));
    table.columns.push_back(increment_.take("increment"));
    game_.take(table);
    return table;
  }

 private:
  nets::Normalization normalization_;
  bool store_masks_;
  FixedNumbers tokens_{nets::kTokens74, {}};
  std::vector<std::int16_t> move_id_;
  std::vector<std::int8_t> promo_id_;
  Flags is_promotion_;
  FixedBytes masks_{nets::LegalMask::kBytes, {}};
  FixedBytes position_ = empty_packed_column();
  Nullable<float> clock_, think_time_, increment_;
  GameColumns game_;
};

// An evaluation as centipawns from this side's view; mates lie beyond all of them.
std::optional<int> score_of(const std::optional<Evaluation>& evaluation, chess::Color side) {
  if (!evaluation) return std::nullopt;
  constexpr int kMate = 32'000, kLargest = 30'000;
  const int value = evaluation->value;
  const int white = !evaluation->is_mate ? std::clamp(value, -kLargest, kLargest)
                    : value > 0          ? kMate - std::min(value, 1000)
                                         : -kMate + std::min(-value, 1000);
  return side == chess::Color::White ? white : -white;
}

class PolicyWriter final : public RowWriter {
 public:
  bool add(const MoveInGame& move) override {
    add_packed(position_, move.position);
    move_.push_back(move.played.move.bits());
    score_.add(score_of(move.played.evaluation, move.mover()));
    game_.add(move);
    return true;
  }
  Table take() override {
    Table table;
    table.columns.push_back(take_fixed("position", position_));
    table.columns.push_back(take_column("move", move_));
    table.columns.push_back(score_.take("score"));
    game_.take(table);
    return table;
  }

 private:
  FixedBytes position_ = empty_packed_column();
  std::vector<std::int32_t> move_;  // the sixteen bits of chess::Move
  Nullable<std::int16_t> score_;    // after the move, the mover's view
  GameColumns game_;
};

// The position after a move and what an engine said of it.
class ScoreWriter final : public RowWriter {
 public:
  bool add(const MoveInGame& move) override {
    if (!move.played.evaluation) return false;
    chess::Position after = move.position;
    after.make(move.played.move);
    const chess::Color side = after.side_to_move();
    add_packed(position_, after);
    depths_.numbers.push_back(
        static_cast<std::int16_t>(std::min<int>(move.played.evaluation->depth, 32'767)));
    scores_.numbers.push_back(static_cast<std::int16_t>(*score_of(move.played.evaluation, side)));
    outcome_.add(move.facts.outcome(side));
    game_id_.push_back(move.facts.id);
    return true;
  }
  Table take() override {
    Table table;
    table.columns.push_back(take_fixed("position", position_));
    table.columns.push_back(take_fixed("depths", depths_));
    table.columns.push_back(take_fixed("scores", scores_));
    table.columns.push_back(outcome_.take("outcome"));
    table.columns.push_back(take_column("game_id", game_id_));
    return table;
  }

 private:
  FixedBytes position_ = empty_packed_column();
  FixedNumbers depths_{1, {}}, scores_{1, {}};
  Nullable<std::int8_t> outcome_;
  std::vector<std::int64_t> game_id_;
};

template <class T>
void keep(std::vector<T>& values, std::size_t width, const std::vector<std::uint8_t>& marks) {
  std::size_t to = 0;
  for (std::size_t row = 0; row < marks.size(); ++row) {
    if (marks[row] == 0) continue;
    if (to != row)
      std::move(values.begin() + static_cast<std::ptrdiff_t>(row * width),
                values.begin() + static_cast<std::ptrdiff_t>((row + 1) * width),
                values.begin() + static_cast<std::ptrdiff_t>(to * width));
    ++to;
  }
  values.resize(to * width);
}

}  // namespace

std::unique_ptr<RowWriter> make_row_writer(const BuildSettings& settings) {
  switch (settings.schema) {
    case Schema::Human: return std::make_unique<HumanWriter>(settings);
    case Schema::Policy: return std::make_unique<PolicyWriter>();
    case Schema::Score: return std::make_unique<ScoreWriter>();
  }
  return nullptr;
}

std::uint64_t row_key(const chess::Position& position, chess::Move move) {
  return Rng(position.key() ^ Rng(move.bits()).next()).next();
}

Table keep_rows(Table table, const std::vector<std::uint8_t>& marks) {
  assert(table.rows() == marks.size());
  for (Column& column : table.columns) {
    if (!column.missing.empty()) keep(column.missing, 1, marks);
    std::visit(
        [&marks](auto& values) {
          using T = std::remove_reference_t<decltype(values)>;
          if constexpr (std::is_same_v<T, Flags>)
            keep(values.values, 1, marks);
          else if constexpr (std::is_same_v<T, FixedBytes>)
            keep(values.bytes, values.width, marks);
          else if constexpr (std::is_same_v<T, FixedNumbers>)
            keep(values.numbers, values.width, marks);
          else
            keep(values, 1, marks);
        },
        column.values);
  }
  return table;
}

}  // namespace aleph::data
