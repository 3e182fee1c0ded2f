#include "train/sample_source.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "chess/movegen.h"
#include "chess/packed_position.h"
#include "data/dataset/row_cursor.h"
#include "nets/encode/encoder.h"
#include "nets/encode/move_map.h"
#include "nets/spec/spec_yaml.h"
#include "train/sample_encoder.h"
#include "train/tiny_data.h"

namespace aleph::train {
namespace {

using data::Schema;

std::unique_ptr<SampleSource> open(const data::Dataset& dataset, const nets::NetSpec& spec,
                                   const SourceOptions& options) {
  auto source = SampleSource::open(dataset, spec, options);
  INFO((source.ok() ? "" : source.error()));
  REQUIRE(source.ok());
  return source.take();
}

Samples next(SampleSource& source) {
  auto samples = source.next();
  INFO((samples.ok() ? "" : samples.error()));
  REQUIRE(samples.ok());
  return samples.take();
}

bool same(const Samples& a, const Samples& b) {
  return a.size == b.size && a.planes == b.planes && a.tokens == b.tokens &&
         a.context == b.context && a.move == b.move && a.from == b.from && a.to == b.to &&
         a.promotion == b.promotion && a.legal == b.legal && a.legal_begin == b.legal_begin &&
         a.value == b.value && a.result == b.result && a.think_time == b.think_time &&
         a.quantile_target == b.quantile_target && a.rating == b.rating && a.pieces == b.pieces &&
         a.packed == b.packed;
}

// b behind a.
Samples joined(Samples a, const Samples& b) {
  const auto add = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  const auto legal_before = static_cast<std::int32_t>(a.legal.size());
  for (std::size_t i = 1; i < b.legal_begin.size(); ++i)
    a.legal_begin.push_back(legal_before + b.legal_begin[i]);
  a.size += b.size;
  add(a.planes, b.planes), add(a.tokens, b.tokens), add(a.context, b.context);
  add(a.move, b.move), add(a.from, b.from), add(a.to, b.to), add(a.promotion, b.promotion);
  add(a.legal, b.legal), add(a.value, b.value), add(a.result, b.result);
  add(a.think_time, b.think_time), add(a.quantile_target, b.quantile_target);
  add(a.rating, b.rating), add(a.pieces, b.pieces), add(a.packed, b.packed);
  return a;
}

nets::NetSpec spec_of(const std::string& text) {
  auto spec = nets::parse_spec_yaml(text, "net.yml");
  INFO((spec.ok() ? "" : spec.error()));
  REQUIRE(spec.ok());
  return spec.take();
}

nets::NetSpec human_model() {
  return spec_of(
      "input: {kind: tokens74}\n"
      "trunk: {kind: transformer, width: 16, layers: 1, heads: 2, feed_forward: 32}\n"
      "heads:\n  - {kind: move4096, from: cls}\n  - {kind: promotion4, from: cls}\n");
}

TEST_CASE("an epoch has every row once, and only the last batch is short") {
  const TinyData data;
  const data::Dataset dataset = data.open();
  SourceOptions options;
  options.rows = 50;
  options.repeat = false;
  options.keep_positions = true;
  const auto source = open(dataset, tiny_model(), options);
  const std::uint64_t rows = dataset.find("train")->rows();
  CHECK(source->rows() == rows);
  CHECK(dataset.find("train")->shards.size() > 3);  // else this says little
  std::multiset<std::string> seen, expected;
  std::uint64_t count = 0;
  for (Samples samples = next(*source); samples.size > 0; samples = next(*source)) {
    count += samples.size;
    CHECK(source->place() == SourcePlace{0, count});
    if (count < rows) CHECK(samples.size == 50);
    for (std::size_t i = 0; i < samples.size; ++i)
      seen.emplace(reinterpret_cast<const char*>(samples.packed.data()) + 32 * i, 32);
  }
  CHECK(count == rows);
  CHECK(next(*source).size == 0);
  auto cursor = data::RowCursor::open(dataset, "train", {"position"}).take();
  while (cursor.next()) {
    const auto* const column = cursor.table().values<data::FixedBytes>("position");
    expected.emplace(reinterpret_cast<const char*>(column->bytes.data()) + 32 * cursor.row(), 32);
  }
  CHECK(seen == expected);
}

TEST_CASE("samples say what the position and the move are") {
  const TinyData data;
  SourceOptions options;
  options.rows = 200;
  options.keep_positions = true;
  const auto source = open(data.open(), tiny_model(), options);
  const Samples samples = next(*source);
  const auto encoder = nets::InputEncoder::make(tiny_model().input, {}).take();
  const std::size_t planes = encoder.sizes().plane_numbers();
  REQUIRE(samples.planes.size() == 200 * planes);
  std::vector<float> expected(planes);
  for (std::size_t row = 0; row < samples.size; ++row) {
    chess::PackedPosition packed;
    std::copy_n(reinterpret_cast<const std::byte*>(samples.packed.data()) + 32 * row, 32,
                packed.bytes.begin());
    const chess::Position position = chess::unpack(packed).take();
    encoder.encode(position, {}, expected, {}, {});
    CHECK(std::equal(expected.begin(), expected.end(),
                     samples.planes.begin() + static_cast<std::ptrdiff_t>(row * planes)));
    std::set<std::int32_t> legal;
    chess::MoveList moves;
    chess::generate_all(position, moves);
    for (const chess::Move move : moves)
      legal.insert(nets::from_to_id(position, move, nets::Normalization::Flip));
    const auto begin = samples.legal.begin() + samples.legal_begin[row];
    const auto end = samples.legal.begin() + samples.legal_begin[row + 1];
    CHECK(std::set<std::int32_t>(begin, end) == legal);
    CHECK(static_cast<std::size_t>(end - begin) == legal.size());
    CHECK(legal.contains(samples.move[row]));
    CHECK(samples.move[row] == samples.from[row] * 64 + samples.to[row]);
    CHECK(samples.pieces[row] == position.board().occupied().count());
    const bool known = samples.result[row] >= 0;
    CHECK(samples.value[row] == (known ? 1.0F - static_cast<float>(samples.result[row]) : 0.0F));
    CHECK(samples.rating[row] >= 900);
  }
  CHECK(std::ranges::count(samples.result, -1) > 0);
  CHECK(std::ranges::count(samples.result, 0) > 0);
}

TEST_CASE("the same seed gives the same batches, another one others, and epochs differ") {
  const TinyData data;
  const data::Dataset dataset = data.open();
  SourceOptions options;
  options.rows = 100;
  const auto a = open(dataset, tiny_model(), options), b = open(dataset, tiny_model(), options);
  options.seed = 2;
  const auto other = open(dataset, tiny_model(), options);
  const Samples first = next(*a);
  CHECK(same(first, next(*b)));
  CHECK_FALSE(same(first, next(*other)));
  while (a->place().epoch == 0) {
    const Samples samples = next(*a);
    CHECK(samples.size == 100);  // also where an epoch ends and the next begins
    CHECK(same(samples, next(*b)));
  }
  REQUIRE(a->go_to({1, 0}).ok());
  CHECK_FALSE(same(first, next(*a)));
}

TEST_CASE("a source goes on from any place as another one would") {
  const TinyData data;
  const data::Dataset dataset = data.open();
  SourceOptions options;
  options.rows = 64;
  const auto whole = open(dataset, tiny_model(), options);
  std::vector<std::pair<SourcePlace, Samples>> batches;
  SourcePlace before;
  for (int i = 0; i < 40; ++i) {
    Samples samples = next(*whole);
    batches.emplace_back(before, std::move(samples));
    before = whole->place();
  }
  CHECK(before.epoch >= 1);
  const auto later = open(dataset, tiny_model(), options);
  for (const std::size_t i : {39U, 0U, 17U, 18U, 30U}) {
    REQUIRE(later->go_to(batches[i].first).ok());
    CHECK(later->place() == batches[i].first);
    CHECK(same(next(*later), batches[i].second));
    if (i + 1 < batches.size()) CHECK(same(next(*later), batches[i + 1].second));
  }
  CHECK_FALSE(later->go_to({0, 1'000'000'000}).ok());
}

TEST_CASE("the slices of several processes are the batches of one, at the same places") {
  const TinyData data;
  const data::Dataset dataset = data.open();
  for (const bool repeat : {true, false}) {
    SourceOptions options;
    options.rows = 33;
    options.repeat = repeat;
    const auto whole = open(dataset, tiny_model(), options);
    std::vector<std::unique_ptr<SampleSource>> parts;
    options.world = 3;
    for (options.rank = 0; options.rank < 3; ++options.rank)
      parts.push_back(open(dataset, tiny_model(), options));
    for (int i = 0; i < 60; ++i) {
      const Samples expected = next(*whole);
      Samples sum;
      for (const auto& part : parts) {
        const Samples slice = next(*part);
        CHECK(part->place() == whole->place());
        sum = slice.size == 0 ? sum : sum.size == 0 ? slice : joined(sum, slice);
      }
      CHECK(same(sum, expected));
      if (expected.size == 0) break;
    }
  }
}

TEST_CASE("the first rows of an epoch only") {
  const TinyData data;
  SourceOptions options;
  options.split = "test";
  options.rows = 40;
  options.most_rows = 70;
  options.repeat = false;
  const auto source = open(data.open(), tiny_model(), options);
  CHECK(source->rows() == 70);
  CHECK(next(*source).size == 40);
  CHECK(next(*source).size == 30);
  CHECK(next(*source).size == 0);
  REQUIRE(source->go_to({}).ok());
  CHECK(next(*source).size == 40);
}

TEST_CASE("human rows bring their tokens, promotions and times") {
  const TinyData data(Schema::Human);
  SourceOptions options;
  options.rows = 300;
  const auto source = open(data.open(), human_model(), options);
  const Samples samples = next(*source);
  CHECK(samples.tokens.size() == 300 * 74);
  CHECK(samples.planes.empty());
  CHECK(samples.tokens[0] == 13);
  CHECK(samples.think_time.size() == 300);
  CHECK(samples.from.empty());
  // Other inputs are made from the positions.
  const auto planes = open(data.open(), tiny_model(), options);
  const Samples other = next(*planes);
  CHECK(other.move == samples.move);
  CHECK(other.legal == samples.legal);
}

TEST_CASE("scored rows teach values and quantiles, not moves") {
  const TinyData data(Schema::Score);
  const auto value = spec_of(
      "input: {kind: planes18}\ntrunk: {kind: resnet, channels: 8, blocks: 1}\nheads:\n"
      "  - {kind: value, channels: 2}\n");
  SourceOptions options;
  options.rows = 20;
  const auto source = open(data.open(), value, options);
  const Samples samples = next(*source);
  CHECK(samples.move.empty());
  CHECK(samples.quantile_target.size() == 20);
  for (const float target : samples.quantile_target) CHECK((target > 0.2F && target < 0.8F));
  const auto refused = SampleSource::open(data.open(), tiny_model(), options);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().find("have no moves") != std::string::npos);
  CHECK(expected_score(0) == 0.5);
  CHECK(expected_score(400) == doctest::Approx(10.0 / 11));
  CHECK(expected_score(31'990) == doctest::Approx(1));
}

TEST_CASE("data that cannot teach a network is refused in one sentence") {
  const TinyData data;
  SourceOptions options;
  const auto tokens = SampleSource::open(data.open(), human_model(), options);
  REQUIRE_FALSE(tokens.ok());
  CHECK(tokens.error().find("tokens74 needs human") != std::string::npos);
  options.split = "other";
  const auto split = SampleSource::open(data.open(), tiny_model(), options);
  REQUIRE_FALSE(split.ok());
  CHECK(split.error().find("has no split other") != std::string::npos);
}

TEST_CASE("every policy head gets places that its own map gives") {
  const TinyData data;
  for (const std::string head : {"{kind: policy1858, channels: 2}", "{kind: attention4096}"}) {
    const auto spec = spec_of(
        "input: {kind: planes112}\ntrunk: {kind: transformer, width: 16, layers: 1, heads: 2, "
        "feed_forward: 32}\nheads:\n  - " +
        head + "\n");
    SourceOptions options;
    options.rows = 100;
    options.keep_positions = true;
    const auto source = open(data.open(), spec, options);
    const Samples samples = next(*source);
    const auto map = nets::MoveMap::make(spec.heads[0].kind, spec.input).take();
    for (std::size_t row = 0; row < samples.size; ++row) {
      chess::PackedPosition packed;
      std::copy_n(reinterpret_cast<const std::byte*>(samples.packed.data()) + 32 * row, 32,
                  packed.bytes.begin());
      const chess::Position position = chess::unpack(packed).take();
      const nets::LogitPlaces places{.place = samples.move[row],
                                     .promotion = samples.promotion[row]};
      const bool tells = spec.heads[0].kind == nets::HeadKind::Policy1858;
      CHECK(map.move(position, tells ? nets::LogitPlaces{.place = samples.move[row]} : places));
    }
  }
}

}  // namespace
}  // namespace aleph::train
