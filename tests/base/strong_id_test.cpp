#include "base/strong_id.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <type_traits>
#include <unordered_set>

using GameId = aleph::StrongId<struct GameIdTag>;
using RowId = aleph::StrongId<struct RowIdTag, std::uint16_t>;

static_assert(!std::is_convertible_v<int, GameId> && !std::is_convertible_v<GameId, RowId>);
static_assert(!std::is_constructible_v<GameId, RowId>, "one id is never another one");
static_assert(sizeof(RowId) == sizeof(std::uint16_t));

TEST_CASE("ids compare, sort, count up and hash") {
  CHECK(GameId(3) == GameId(3));
  CHECK(GameId(3) < GameId(4));
  CHECK(GameId().value() == 0);
  CHECK(RowId(7).next() == RowId(8));
  const std::unordered_set<GameId> seen{GameId(1), GameId(2), GameId(1)};
  CHECK(seen.size() == 2);
}
