// Rows of the golden files, as far as tests of several folders need them.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/text.h"
#include "chess/fen.h"
#include "nnue/output.h"

namespace aleph::test {

inline std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

// All lines but those that begin with '#', cut at tabs.
inline std::vector<std::vector<std::string>> read_tsv(const std::filesystem::path& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') rows.push_back(split_at(line, '\t'));
  return rows;
}

inline std::vector<std::int64_t> parse_integers(const std::string& text) {
  std::vector<std::int64_t> numbers;
  for (const std::string& part : split_at(text, ','))
    if (!part.empty()) numbers.push_back(std::stoll(part));
  return numbers;
}

// What one network says about a position.
struct GoldenOutput {
  nnue::AllBuckets buckets;
  std::uint64_t features_hash = 0;
};

struct GoldenRow {
  int game = -1, ply = -1;  // only in the files of games
  std::string move;
  std::string fen;
  int bucket = 0;
  GoldenOutput output;
  std::optional<GoldenOutput> small;          // of the small network
  std::map<std::string, std::string> values;  // "nnue" -> "69"; as in the column "internal values"
  std::string printed_nnue, printed_final;
};

inline GoldenOutput parse_output(const std::vector<std::string>& fields, std::size_t first) {
  GoldenOutput output;
  const auto psqt = parse_integers(fields.at(first));
  const auto positional = parse_integers(fields.at(first + 1));
  for (std::size_t b = 0; b < output.buckets.size(); ++b)
    output.buckets[b] = {static_cast<std::int32_t>(psqt.at(b)),
                         static_cast<std::int32_t>(positional.at(b))};
  output.features_hash = std::stoull(fields.at(first + 2), nullptr, 16);
  return output;
}

// <version>_positions.tsv or <version>_games.tsv.
inline std::vector<GoldenRow> read_golden(const std::filesystem::path& path) {
  std::vector<GoldenRow> rows;
  for (const auto& fields : read_tsv(path)) {
    GoldenRow row;
    std::size_t next = 0;
    if (fields[0].find('/') == std::string::npos) {
      row.game = std::stoi(fields.at(0));
      row.ply = std::stoi(fields.at(1));
      row.move = fields.at(2);
      next = 3;
    }
    row.fen = fields.at(next);
    row.bucket = std::stoi(fields.at(next + 1));
    row.output = parse_output(fields, next + 2);
    next += 5;
    if (fields.size() >= next + 6) {
      row.small = parse_output(fields, next);
      next += 3;
    }
    if (fields.size() > next)
      for (const std::string& word : split_at(fields[next], ' ')) {
        const std::size_t equals = word.find('=');
        if (equals != std::string::npos)
          row.values[word.substr(0, equals)] = word.substr(equals + 1);
      }
    if (fields.size() > next + 1) row.printed_nnue = fields[next + 1];
    if (fields.size() > next + 2) row.printed_final = fields[next + 2];
    rows.push_back(std::move(row));
  }
  return rows;
}

inline chess::Position position_of(const std::string& fen) {
  auto position = chess::parse_fen(fen);
  if (!position.ok()) throw std::runtime_error(fen + ": " + position.error());
  return position.take();
}

// FNV-1a with the offset basis that the golden files use (not the usual one).
template <class Bytes>
std::uint64_t fnv1a(const Bytes& bytes) {
  std::uint64_t hash = 1'469'598'103'934'665'603ULL;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 1'099'511'628'211ULL;
  return hash;
}

}  // namespace aleph::test
