#include "eval/classical/terms_table.h"

#include <fmt/format.h>

#include <string_view>

namespace aleph::eval::classical {

namespace {

constexpr std::string_view kLine = "+------------+-------------+-------------+-------------+\n";
constexpr std::array<std::string_view, kTerms> kNames{
    "Material", "Imbalance",   "Pawns",   "Knights", "Bishops", "Rooks",    "Queens",
    "Mobility", "King safety", "Threats", "Passed",  "Space",   "Winnable", "Total"};

bool belongs_to_sides(Term term) {
  return term != Term::Material && term != Term::Imbalance && term != Term::Winnable &&
         term != Term::Total;
}

}  // namespace

std::string format_terms(const Evaluation& evaluation, int units_per_pawn) {
  const auto cell = [units_per_pawn](MgEg score) {
    return fmt::format("{:5.2f} {:5.2f}", static_cast<double>(score.mg) / units_per_pawn,
                       static_cast<double>(score.eg) / units_per_pawn);
  };
  std::string text = " Contributing terms for the classical eval:\n";
  text += fmt::format("{}|    Term    |    White    |    Black    |    Total    |\n", kLine);
  text += fmt::format("|            |   MG    EG  |   MG    EG  |   MG    EG  |\n{}", kLine);
  for (int i = 0; i < kTerms; ++i) {
    const Term term{static_cast<std::uint8_t>(i)};
    const bool sides = belongs_to_sides(term);
    const Evaluation::Sides& scores = evaluation[term];
    if (term == Term::Total) text += kLine;
    text += fmt::format("|{:>11} | {} | {} | {} |\n", kNames[i],
                        sides ? cell(scores.white) : " ----  ----",
                        sides ? cell(scores.black) : " ----  ----", cell(scores.difference()));
  }
  return text + std::string(kLine);
}

}  // namespace aleph::eval::classical
