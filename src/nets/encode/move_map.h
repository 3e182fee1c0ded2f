// Where the logit of a legal move is in what a policy head answers, and back.
//
//   const MoveMap map = MoveMap::make(HeadKind::Policy1858, spec.input).take();
//   const auto here = map.at(position);
//   for (const Move move : legal_moves(position)) logit = output[here.places(move).place];
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "chess/position.h"
#include "nets/encode/leela_symmetry.h"
#include "nets/spec/net_spec.h"

namespace aleph::nets {

// Heads that have a logit for every move. Promotion4 only adds to those of others.
constexpr bool is_policy(HeadKind kind) {
  return kind <= HeadKind::Policy4352 && kind != HeadKind::Promotion4;
}

// The logit of a move is the number at `place` of the head's output, plus the one at `second` if
// there is one (FromTo: origins are 0 to 63, targets 64 to 127). Heads that do not tell promotions
// apart leave that to Promotion4: if the network has it, the number at `promotion` of its output
// says how likely the piece is.
struct LogitPlaces {
  int place = 0;
  int second = -1;
  int promotion = -1;  // only for promotions, and heads that do not tell them apart
  friend bool operator==(const LogitPlaces&, const LogitPlaces&) = default;
};

// Lc0's goldens of formats 3 and up have an error in the squares of moves (leela_symmetry.h).
enum class Transposition : std::uint8_t { Right, AsLc0Errs };

class MoveMap {
 public:
  // Fails if the head does not answer moves.
  static Result<MoveMap> make(HeadKind kind, const InputSpec& input,
                              Transposition transposition = Transposition::Right);

  HeadKind kind() const { return kind_; }
  int outputs() const;  // numbers of the head

  // What is found out about a position once, for all its moves. No longer good when either changes.
  class At {
   public:
    LogitPlaces places(chess::Move move) const;  // the move must be legal

   private:
    friend class MoveMap;
    At(const MoveMap& map, const chess::Position& position);
    chess::Square seen(chess::Square square) const;
    chess::Square unseen(chess::Square square) const;  // back

    const MoveMap& map_;
    const chess::Position& position_;
    LeelaSymmetry symmetry_;
  };
  At at(const chess::Position& position) const { return At(*this, position); }

  // The legal move with these places, if there is one.
  std::optional<chess::Move> move(const chess::Position& position, const LogitPlaces& places) const;

 private:
  MoveMap(HeadKind kind, const InputSpec& input, Transposition transposition);

  HeadKind kind_;
  Normalization normalization_;
  bool canonical_;
  Transposition transposition_;
};

// The same for one move and for heads of which one number is the whole logit, but for Promotion4:
// all but FromTo.
int policy_index(HeadKind kind, const chess::Position& position, chess::Move move,
                 const InputSpec& input = {});

}  // namespace aleph::nets
