#pragma once

#include <compare>
#include <cstddef>
#include <functional>

// An integer that cannot be mistaken for another one: a game number is not a row number.
//
//   using GameId = StrongId<struct GameIdTag>;
//   GameId first(0);  first.value();
//
// Ids compare, sort and hash; they do not add. Costs nothing over the integer itself.
namespace aleph {

template <class Tag, class Rep = std::size_t>
class StrongId {
 public:
  constexpr StrongId() = default;
  explicit constexpr StrongId(Rep value) : value_(value) {}
  constexpr Rep value() const { return value_; }
  constexpr StrongId next() const { return StrongId(static_cast<Rep>(value_ + 1)); }
  friend constexpr auto operator<=>(StrongId, StrongId) = default;

 private:
  Rep value_ = 0;
};

}  // namespace aleph

template <class Tag, class Rep>
struct std::hash<aleph::StrongId<Tag, Rep>> {
  std::size_t operator()(aleph::StrongId<Tag, Rep> id) const {
    return std::hash<Rep>{}(id.value());
  }
};
