// Tablebase files of our own making, with whatever values a test wants: what four pieces cannot
// show (cursed wins, distances above 255) and what fuzzing starts from.
// The writer knows the format by itself: runs of equal values are joined, the symbols get codes of
// two lengths, the codes go into blocks of 32 bytes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "chess/piece.h"
#include "chess/tablebase_file.h"
#include "chess/tablebase_index.h"
#include "chess/tablebase_material.h"

namespace aleph::test {

// The value of an index, for a file of the leading pawn and a side to move.
using MadeUpValue = std::function<int(int file, int side, std::uint64_t index)>;

struct MadeUpTable {
  chess::tablebase::Material material;
  chess::tablebase::TableKind kind = chess::tablebase::TableKind::Wdl;
  MadeUpValue value = [](int, int, std::uint64_t) { return 2; };
  bool single_value = false;                // value(file, side, 0) for all
  int flags = 0;                            // of DTZ values, for all parts
  std::array<std::vector<int>, 4> lists{};  // if the flags say so
};

// An order of the pieces that suits the numbering: what must lead, then the rest by kind.
inline std::vector<chess::Piece> made_up_order(chess::tablebase::Material material) {
  using namespace chess;
  std::vector<Piece> order, rest;
  const Piece kings[] = {Piece(Color::White, PieceType::King),
                         Piece(Color::Black, PieceType::King)};
  if (material.has_pawns()) {
    const Color leading = tablebase::leading_pawns_of(material);
    for (const Color color : {leading, ~leading})
      order.insert(order.end(), material.count(Piece(color, PieceType::Pawn)),
                   Piece(color, PieceType::Pawn));
  }
  order.insert(order.end(), std::begin(kings), std::end(kings));
  bool lone_leads = material.has_pawns();
  for (int i = Piece(Color::White, PieceType::Knight).index(); i < kings[0].index(); ++i) {
    const Piece piece = Piece::from_index(i);
    const bool leads = !lone_leads && material.count(piece) == 1;
    auto& list = leads ? order : rest;
    list.insert(list.end(), material.count(piece), piece);
    lone_leads |= leads;
  }
  order.insert(order.end(), rest.begin(), rest.end());
  return order;
}

inline chess::tablebase::Numbering made_up_numbering(chess::tablebase::Material material,
                                                     int file) {
  return chess::tablebase::Numbering::make(material, made_up_order(material), {0, 1}, file).take();
}

namespace detail {

inline void put_number(std::string& out, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 255);
}
inline void align(std::string& out, std::size_t step) {
  while (out.size() % step != 0) out += '\0';
}

// One part of a table, compressed.
class MadeUpPart {
 public:
  static constexpr int kBlockBits = 5, kSpanBits = 6;

  MadeUpPart(const std::vector<int>& values, int flags) {
    make_symbols(values);
    describe(flags);
    fill_blocks(values);
    make_sparse_index(values.size());
    // The number of blocks is known only now.
    std::string count;
    put_number(count, lengths_.size(), 4);
    description.replace(4, 4, count);
    for (const int length : lengths_) put_number(block_lengths, length - 1, 2);
  }

  std::string description, sparse_index, block_lengths, blocks;

 private:
  struct Symbol {
    int left, right, value, length;  // right < 0: the value itself
  };

  // Each value, and twice, four and eight times the value.
  void make_symbols(const std::vector<int>& values) {
    std::vector<int> kinds = values;
    std::sort(kinds.begin(), kinds.end());
    kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
    for (const int kind : kinds) {
      symbols_.push_back({kind, -1, kind, 1});
      for (int length = 2; length <= 8; length *= 2) {
        const int half = static_cast<int>(symbols_.size()) - 1;
        symbols_.push_back({half, half, kind, length});
      }
    }
    count_ = static_cast<int>(symbols_.size());
    longest_ = static_cast<int>(std::bit_width(static_cast<unsigned>(count_ - 1)));
    long_codes_ = 2 * count_ - (1 << longest_);
  }

  void describe(int flags) {
    const bool one_length = long_codes_ == count_;
    const int shortest = one_length ? longest_ : longest_ - 1;
    // The four zeros are for the number of blocks.
    for (const int byte : {flags, kBlockBits, kSpanBits, 0, 0, 0, 0, 0, longest_, shortest})
      put_number(description, byte, 1);
    if (!one_length) put_number(description, long_codes_, 2);
    put_number(description, 0, 2);
    put_number(description, count_, 2);
    for (const Symbol& symbol : symbols_)
      put_number(description, symbol.left | (symbol.right < 0 ? 0xFFF : symbol.right) << 12, 3);
    if (count_ % 2 != 0) description += '\0';
  }

  int longest_run(const std::vector<int>& values, std::size_t at) const {
    int best = 0;
    for (int i = 0; i < count_; ++i) {
      const Symbol& symbol = symbols_[i];
      if (symbol.value != values[at] || at + symbol.length > values.size()) continue;
      const auto run = values.begin() + static_cast<std::ptrdiff_t>(at);
      const bool fits =
          std::all_of(run, run + symbol.length, [&](int value) { return value == symbol.value; });
      if (fits && (symbols_[best].value != values[at] || symbol.length > symbols_[best].length))
        best = i;
    }
    return best;
  }

  void fill_blocks(const std::vector<int>& values) {
    std::vector<bool> bits;
    int in_block = 0;
    const auto close = [&] {
      bits.resize(8u << kBlockBits);
      for (std::size_t i = 0; i < bits.size(); i += 8) {
        int byte = 0;
        for (std::size_t j = 0; j < 8; ++j) byte = byte << 1 | bits[i + j];
        put_number(blocks, byte, 1);
      }
      lengths_.push_back(in_block);
      bits.clear();
      in_block = 0;
    };
    for (std::size_t at = 0; at < values.size();) {
      const int symbol = longest_run(values, at);
      const bool is_long = symbol < long_codes_;
      const int length = is_long ? longest_ : longest_ - 1;
      const int code = is_long ? symbol : symbol - long_codes_ + long_codes_ / 2;
      if (bits.size() + length > 8u << kBlockBits) close();
      for (int i = length - 1; i >= 0; --i) bits.push_back((code >> i & 1) != 0);
      in_block += symbols_[symbol].length;
      at += symbols_[symbol].length;
    }
    close();
  }

  void make_sparse_index(std::size_t size) {
    std::size_t block = 0, first = 0;
    for (std::size_t middle = 1u << (kSpanBits - 1); middle < size + (1u << (kSpanBits - 1));
         middle += 1u << kSpanBits) {
      while (block + 1 < lengths_.size() && first + lengths_[block] <= middle)
        first += lengths_[block++];
      put_number(sparse_index, block, 4);
      put_number(sparse_index, middle - first, 2);
    }
  }

  std::vector<Symbol> symbols_;
  int count_ = 0, longest_ = 0, long_codes_ = 0;
  std::vector<int> lengths_;
};

inline std::string made_up_header(const MadeUpTable& table, int files) {
  using namespace chess;
  const bool wdl = table.kind == tablebase::TableKind::Wdl;
  const bool both_have_pawns = table.material.count(Piece(Color::White, PieceType::Pawn)) > 0 &&
                               table.material.count(Piece(Color::Black, PieceType::Pawn)) > 0;
  std::string out;
  put_number(out, wdl ? 0x5D23E871 : 0xA50C66D7, 4);
  put_number(out, (table.material.is_symmetric() ? 0 : 1) | (files == 4 ? 2 : 0), 1);
  for (int file = 0; file < files; ++file) {
    put_number(out, 0x00, 1);
    if (both_have_pawns) put_number(out, 0x11, 1);
    for (const Piece piece : made_up_order(table.material)) {
      const int code = (index(piece.type()) + 1) | index(piece.color()) << 3;
      put_number(out, code | code << 4, 1);
    }
  }
  align(out, 2);
  return out;
}

inline void put_lists(std::string& out, const MadeUpTable& table) {
  const bool wide = (table.flags & 16) != 0;
  if (wide) align(out, 2);
  for (const std::vector<int>& list : table.lists) {
    put_number(out, list.size(), wide ? 2 : 1);
    for (const int entry : list) put_number(out, entry, wide ? 2 : 1);
  }
}

}  // namespace detail

// The bytes of the file.
inline std::string made_up_tablebase(const MadeUpTable& table) {
  using detail::MadeUpPart;
  const bool wdl = table.kind == chess::tablebase::TableKind::Wdl;
  const int files = table.material.has_pawns() ? 4 : 1;
  const int sides = wdl && !table.material.is_symmetric() ? 2 : 1;
  std::string out = detail::made_up_header(table, files);
  std::vector<MadeUpPart> parts;
  for (int file = 0; file < files; ++file)
    for (int side = 0; side < sides; ++side) {
      if (table.single_value) {
        detail::put_number(out, table.flags | 0x80, 1);
        detail::put_number(out, table.value(file, side, 0), 1);
        continue;
      }
      std::vector<int> values(made_up_numbering(table.material, file).size());
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = table.value(file, side, i);
      parts.emplace_back(values, table.flags);
      out += parts.back().description;
    }
  if (!wdl && (table.flags & 2) != 0)
    for (int file = 0; file < files; ++file) detail::put_lists(out, table);
  if (!wdl) detail::align(out, 2);
  for (const MadeUpPart& part : parts) out += part.sparse_index;
  for (const MadeUpPart& part : parts) out += part.block_lengths;
  for (const MadeUpPart& part : parts) {
    detail::align(out, 64);
    out += part.blocks;
  }
  detail::align(out, 64);
  return out + std::string(16, '\0');
}

}  // namespace aleph::test
