#include "data/dataset/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/overloaded.h"
#include "base/progress.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/names.h"
#include "chess/packed_position.h"
#include "chess/san.h"
#include "chess/uci_move.h"
#include "data/dataset/packed_column.h"
#include "data/duckdb_session.h"
#include "nets/encode/from_to.h"
#include "nets/encode/tokens74.h"

namespace aleph::data {

namespace {

struct Place {
  const Shard* shard;
  std::uint64_t row;
};
std::optional<Place> find(const Dataset& dataset, std::string_view split, std::uint64_t row) {
  for (const DatasetSplit& part : dataset.splits) {
    if (!split.empty() && part.name != split) continue;
    for (const Shard& shard : part.shards) {
      if (row < shard.rows) return Place{&shard, row};
      row -= shard.rows;
    }
  }
  return std::nullopt;
}

std::string board_text(const chess::Position& position) {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    text += fmt::format("  {} ", rank + 1);
    for (int file = 0; file < 8; ++file) {
      const auto piece = position.piece_at(chess::Square::at(file, rank));
      text += ' ';
      text += !piece                                  ? '.'
              : piece->color() == chess::Color::White ? chess::letter_of(piece->type())
                                                      : chess::lower_letter_of(piece->type());
    }
    text += '\n';
  }
  return text + "     a b c d e f g h\n";
}

// Words of the vocabulary as a person would say them.
std::string word_text(int word) {
  using namespace nets::vocabulary;
  constexpr std::string_view kLetters = ".PNBRQKpnbrqk";
  if (word < kCls) return std::string(1, kLetters[static_cast<std::size_t>(word)]);
  if (word == kCls) return "CLS";
  if (word < kRating) {
    const int rights = word - kCastling;
    std::string text;
    for (int i = 0; i < 4; ++i)
      if ((rights & 8 >> i) != 0) text += "KQkq"[i];
    return "castling " + (text.empty() ? "-" : text);
  }
  if (word < kClock) {
    const int bucket = word - kRating;
    if (bucket == 0) return "rating below 1000";
    if (bucket == nets::kRatingBuckets - 1) return "rating 2500 or more";
    return fmt::format("rating {}-{}", 900 + 100 * bucket, 1000 + 100 * bucket);
  }
  constexpr std::array<std::string_view, 3> kShort{"below 10 s", "10-30 s", "30-60 s"};
  const int bucket = word - kClock;
  if (bucket < 3) return fmt::format("clock {}", kShort[static_cast<std::size_t>(bucket)]);
  if (bucket == nets::kUnknownClock) return "clock unknown";
  if (bucket == nets::kUnknownClock - 1) return "clock 15 min or more";
  return fmt::format("clock {}-{} min", bucket - 2, bucket - 1);
}

std::string tokens_text(const std::vector<std::int16_t>& tokens) {
  std::string text = fmt::format("{:<16}", "tokens");
  for (std::size_t i = 0; i < tokens.size(); ++i) text += fmt::format("{} ", tokens[i]);
  text += fmt::format("\n{:<16}", "in words");
  for (std::size_t i = 65; i < 68; ++i) text += word_text(tokens[i]) + "; ";
  text += "last moves, seen by the mover:";
  for (std::size_t i = 68; i < tokens.size(); ++i) {
    if (tokens[i] == nets::vocabulary::kNoMove) {
      text += " -";
      continue;
    }
    const auto from = chess::Square::from_index(tokens[i] / 64);
    const auto to = chess::Square::from_index(tokens[i] % 64);
    text += fmt::format(" {}{}", chess::square_name(from), chess::square_name(to));
  }
  return text + "\n";
}

std::string legal_moves_text(const chess::Position& position, nets::Normalization normalization) {
  chess::MoveList moves;
  chess::generate_all(position, moves);
  std::string text = fmt::format("{:<16}", fmt::format("{} legal moves", moves.size()));
  for (const chess::Move move : moves)
    text += fmt::format("{} ({}) ", to_san(move, position),
                        nets::from_to_id(position, move, normalization));
  return text + "\n";
}

// The one value of a column that has a single row.
std::string value_text(const Column& column) {
  if (column.is_missing(0)) return "not known";
  return std::visit(
      Overloaded{
          [](const Flags& flags) { return std::string(flags.values[0] != 0 ? "yes" : "no"); },
          [](const std::vector<std::string>& texts) { return texts[0]; },
          [](const FixedBytes& fixed) { return fmt::format("{} bytes", fixed.width); },
          [](const FixedNumbers& fixed) {
            return fmt::format("{}", fmt::join(fixed.numbers, " "));
          },
          [](const auto& numbers) { return fmt::format("{}", numbers[0]); },
      },
      column.values);
}

std::optional<chess::Move> target_of(const Table& row, const chess::Position& position,
                                     nets::Normalization normalization) {
  if (const auto* const id = row.values<std::vector<std::int16_t>>("move_id")) {
    const auto* const promotion = row.values<std::vector<std::int8_t>>("promo_id");
    return nets::legal_move_of(position, (*id)[0], promotion ? (*promotion)[0] : -1, normalization);
  }
  const Column* const played = row.find("move");
  if (played == nullptr || played->is_missing(0)) return std::nullopt;  // the game is over
  if (const auto* const bits = std::get_if<std::vector<std::int32_t>>(&played->values))
    return chess::Move::from_bits(static_cast<std::uint16_t>((*bits)[0]));
  return std::nullopt;
}

std::string describe(const Dataset& dataset, const Table& row, const chess::Position& position) {
  std::string text = board_text(position) + "\n";
  text += fmt::format("{:<16}{}\n", "FEN", to_fen(position));
  if (const auto move = target_of(row, position, dataset.normalization))
    text += fmt::format("{:<16}{}\n", "target", to_san(*move, position));
  for (const Column& column : row.columns) {
    if (column.name == "tokens")
      text += tokens_text(std::get<FixedNumbers>(column.values).numbers);
    else if (column.name != "position" && column.name != "legal_mask")
      text += fmt::format("{:<16}{}\n", column.name, value_text(column));
  }
  return text + legal_moves_text(position, dataset.normalization);
}

}  // namespace

Result<std::string> view_row(const Dataset& dataset, std::string_view split, std::uint64_t row) {
  const auto place = find(dataset, split, row);
  if (!place)
    return Error{
        fmt::format("there is no row {}: the first is 0, and there are {}", row,
                    with_thousands(split.empty() ? dataset.rows() : dataset.find(split)->rows()))};
  auto session = DuckDbSession::open();
  if (!session.ok()) return Error{session.error()};
  DuckDbSession duckdb = session.take();
  const auto found = duckdb.query(
      fmt::format("SELECT * FROM read_parquet({}, hive_partitioning = false) LIMIT 1 OFFSET {}",
                  sql_text(place->shard->file.string()), place->row));
  if (!found.ok()) return Error{found.error()};
  const FixedBytes* const bytes = packed_column(found.value());
  if (found.value().rows() != 1 || bytes == nullptr)
    return Error{place->shard->file.string() + " has no such row with a position"};
  const auto position = chess::unpack(packed_at(*bytes, 0));
  if (!position.ok()) return Error{position.error()};
  return describe(dataset, found.value(), position.value());
}

}  // namespace aleph::data
