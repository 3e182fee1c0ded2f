#include "binpack_encoder.h"

#include <algorithm>
#include <bitset>
#include <cstdlib>
#include <vector>

#include "chess/attacks.h"
#include "data/formats/result_view.h"

namespace aleph::test {

using namespace chess;
using data::ScoredPosition;

namespace {

std::string two_bytes(unsigned number) {
  return {static_cast<char>(number >> 8 & 255), static_cast<char>(number & 255)};
}

unsigned folded(int number) {
  return static_cast<unsigned>(number < 0 ? -2 * number - 1 : 2 * number);
}

// The lowest `count` bits of a number, the highest of them first.
std::string bits_of(unsigned number, int count) {
  std::string bits;
  for (int i = count - 1; i >= 0; --i) bits += (number >> i & 1) != 0 ? '1' : '0';
  return bits;
}

// "The n-th of so many", in as few bits as can tell them apart.
std::string choice_bits(std::size_t n, std::size_t choices) {
  int count = 0;
  while ((std::size_t{1} << count) < choices) ++count;
  return bits_of(static_cast<unsigned>(n), count);
}

unsigned nibble_of(const Setup& setup, Square square) {
  const Piece piece = *setup.pieces[static_cast<std::size_t>(square.index())];
  const Color color = piece.color();
  if (setup.en_passant && piece == Piece(~setup.side_to_move, PieceType::Pawn) &&
      backward_of(*setup.en_passant, setup.side_to_move) == square)
    return 12;
  for (const auto& rook : setup.castling_rooks)
    if (rook == square) return color == Color::White ? 13 : 14;
  if (piece == Piece(Color::Black, PieceType::King) && setup.side_to_move == Color::Black)
    return 15;
  return static_cast<unsigned>(piece.index());
}

unsigned move_bits(Move move) {
  if (!move) return 0;
  const auto both = static_cast<unsigned>(move.from().index() << 8 | move.to().index() << 2);
  if (move.is_promotion())
    return 1U << 14 | both |
           static_cast<unsigned>(index(move.promotion()) - index(PieceType::Knight));
  if (move.is_castling()) return 2U << 14 | both;
  if (move.is_en_passant()) return 3U << 14 | both;
  return both;
}

// Where the piece on `from` may go if kings did not matter, in the order of the squares.
std::vector<Square> targets_of(const Position& position, Square from) {
  const Color us = position.side_to_move();
  const Piece piece = position.piece_on(from);
  std::vector<Square> targets;
  for (int i = 0; i < 64; ++i) {
    const Square to = Square::from_index(i);
    const auto taken = position.piece_at(to);
    if (taken && taken->color() == us) continue;
    if (piece.type() != PieceType::Pawn) {
      if (attacks_of(piece.type(), from, position.occupied()).has(to)) targets.push_back(to);
      continue;
    }
    const int files = std::abs(to.file() - from.file());
    const int ranks = to.relative_rank(us) - from.relative_rank(us);
    const bool takes = files == 1 && ranks == 1 && (taken || position.en_passant() == to);
    const bool steps = files == 0 && ranks == 1 && !taken;
    const bool leaps = files == 0 && ranks == 2 && from.relative_rank(us) == 1 && !taken &&
                       position.is_empty(forward_of(from, us));
    if (takes || steps || leaps) targets.push_back(to);
  }
  return targets;
}

std::string move_text(const Position& position, Move move) {
  const Color us = position.side_to_move();
  std::vector<Square> ours;
  for (int i = 0; i < 64; ++i)
    if (const auto piece = position.piece_at(Square::from_index(i)); piece && piece->color() == us)
      ours.push_back(Square::from_index(i));
  const auto place_in = [](const std::vector<Square>& squares, Square square) {
    return static_cast<std::size_t>(std::ranges::find(squares, square) - squares.begin());
  };
  const std::string which = choice_bits(place_in(ours, move.from()), ours.size());

  const std::vector<Square> targets = targets_of(position, move.from());
  const PieceType type = position.piece_on(move.from()).type();
  if (type == PieceType::King) {
    const bool queenside = position.castling().has(us, CastlingSide::Queen);
    const bool kingside = position.castling().has(us, CastlingSide::King);
    const std::size_t choices = targets.size() + (queenside ? 1 : 0) + (kingside ? 1 : 0);
    std::size_t n = place_in(targets, move.to());
    if (move.is_castling()) {
      const bool to_king_side = move.to().file() > move.from().file();
      n = targets.size() + (to_king_side && queenside ? 1 : 0);
    }
    return which + choice_bits(n, choices);
  }
  const std::size_t n = place_in(targets, move.to());
  if (!move.is_promotion()) return which + choice_bits(n, targets.size());
  const auto promotion =
      static_cast<std::size_t>(index(move.promotion()) - index(PieceType::Knight));
  return which + choice_bits(4 * n + promotion, 4 * targets.size());
}

bool follows(const ScoredPosition& before, const ScoredPosition& after) {
  if (!before.move || before.result != after.result || *before.ply + 1 != *after.ply) return false;
  Position position = before.position;
  position.make(before.move);
  return position.setup() == after.position.setup();
}

}  // namespace

std::string binpack_stem(const ScoredPosition& scored) {
  const Setup setup = scored.position.setup();
  std::string occupied, nibbles;
  for (int rank = 7; rank >= 0; --rank) {
    unsigned row = 0;
    for (int file = 7; file >= 0; --file)
      row = row << 1 |
            (setup.pieces[static_cast<std::size_t>(Square::at(file, rank).index())] ? 1 : 0);
    occupied += static_cast<char>(row);
  }
  std::vector<unsigned> codes;
  for (int i = 0; i < 64; ++i)
    if (setup.pieces[static_cast<std::size_t>(i)])
      codes.push_back(nibble_of(setup, Square::from_index(i)));
  codes.resize(32);
  for (std::size_t i = 0; i < codes.size(); i += 2)
    nibbles += static_cast<char>(codes[i] | codes[i + 1] << 4);
  const int points = *data::points_of(scored.result, setup.side_to_move);
  return occupied + nibbles + two_bytes(move_bits(scored.move)) + two_bytes(folded(scored.score)) +
         two_bytes(*scored.ply | folded(points) << 14) +
         two_bytes(static_cast<unsigned>(setup.halfmove_clock));
}

std::string binpack_chunk(const std::string& content) {
  const auto size = static_cast<std::uint32_t>(content.size());
  std::string chunk = "BINP";
  for (int shift = 0; shift < 32; shift += 8) chunk += static_cast<char>(size >> shift & 255);
  return chunk + content;
}

std::string bytes_of_bits(std::string bits) {
  while (bits.size() % 8 != 0) bits += '0';
  std::string bytes;
  for (std::size_t i = 0; i < bits.size(); i += 8)
    bytes += static_cast<char>(std::bitset<8>(bits, i, 8).to_ulong());
  return bytes;
}

std::string binpack_score_bits(int difference) {
  unsigned left = folded(static_cast<std::int16_t>(difference));
  std::string bits;
  do {
    bits += left > 15 ? '1' : '0';
    bits += bits_of(left & 15, 4);
    left >>= 4;
  } while (left > 0);
  return bits;
}

void BinpackEncoder::add(const ScoredPosition& scored) {
  if (!stem_.empty() && follows(*last_, scored)) {
    bits_ += move_text(scored.position, scored.move);
    bits_ += binpack_score_bits(scored.score + last_->score);
    ++moves_;
  } else {
    end_chain();
    stem_ = binpack_stem(scored);
    ++chains_;
  }
  last_ = scored;
}

void BinpackEncoder::end_chain() {
  if (stem_.empty()) return;
  content_ += stem_ + two_bytes(moves_) + bytes_of_bits(bits_);
  stem_.clear();
  bits_.clear();
  moves_ = 0;
}

void BinpackEncoder::end_chunk() {
  end_chain();
  file_ += binpack_chunk(content_);
  content_.clear();
}

std::string BinpackEncoder::finish() {
  end_chunk();
  return file_;
}

}  // namespace aleph::test
