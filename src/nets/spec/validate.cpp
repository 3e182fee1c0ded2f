#include "nets/spec/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "nets/spec/fields.h"
#include "nets/spec/names.h"
#include "nets/spec/problem.h"

namespace aleph::nets {
namespace {

using Form = HeadSpec::Form;
using From = HeadSpec::From;
using Positions = EmbeddingSpec::Positions;

bool has_tokens(const InputSpec& input) {
  return input.kind == InputKind::Tokens69 || input.kind == InputKind::Tokens74;
}

// Visits all fields and keeps the first that is out of its range.
class RangeChecker {
 public:
  explicit RangeChecker(std::string path) : path_(std::move(path)) {}

  template <class Spec>
  void check(const Spec& spec) {
    visit_fields(*this, spec);
  }
  const std::optional<SpecProblem>& problem() const { return problem_; }

  template <class Enum>
  void choice(const char* name, const Enum& value, bool = false) {
    need(!name_of(value).empty(), name, "it is not one of the choices");
  }
  template <class Enum>
  void optional_choice(const char* name, const std::optional<Enum>& value) {
    if (value) choice(name, *value);
  }
  void whole(const char* name, const int& value, Whole range) {
    need(value >= range.low && value <= range.high, name,
         fmt::format("{} is not a number from {} to {}", value, range.low, range.high));
  }
  void decimal(const char* name, const double& value, Decimal range) {
    need(value >= range.low && value <= range.high, name,
         fmt::format("{} is not a number from {} to {}", value, range.low, range.high));
  }
  void flag(const char*, const bool&) {}
  template <class Spec>
  void part(const char* name, const Spec& spec) {
    RangeChecker inner(path_of(path_, name));
    inner.check(spec);
    if (!problem_) problem_ = inner.problem();
  }
  template <class Spec>
  void optional_part(const char* name, const std::optional<Spec>& spec) {
    if (spec) part(name, *spec);
  }

 private:
  void need(bool condition, const char* name, const std::string& otherwise) {
    if (!condition && !problem_) problem_ = SpecProblem{path_of(path_, name), otherwise};
  }

  std::string path_;
  std::optional<SpecProblem> problem_;
};

template <class Spec>
std::optional<SpecProblem> check_ranges(const Spec& spec, std::string path) {
  RangeChecker checker(std::move(path));
  checker.check(spec);
  return checker.problem();
}

std::optional<SpecProblem> check_input(const InputSpec& input) {
  const std::string_view name = name_of(input.kind);
  constexpr std::array kFormats{1, 2, 3, 4, 5, 132, 133};
  if (std::ranges::find(kFormats, input.format) == kFormats.end())
    return SpecProblem{
        "input.format",
        fmt::format("Leela has no format {}: there are 1 to 5, 132 and 133", input.format)};
  if (input.format != 1 && input.kind != InputKind::Planes112)
    return SpecProblem{"input.format", fmt::format("{} has no formats", name)};
  const bool flips = input.kind == InputKind::Planes112 || input.kind == InputKind::Boards96;
  if (flips && input.normalization != Normalization::Flip)
    return SpecProblem{"input.normalization", fmt::format("{} is always flipped", name)};
  return std::nullopt;
}

std::optional<SpecProblem> check_embedding(const InputSpec& input, const EmbeddingSpec& embedding) {
  const auto problem = [](const char* field, std::string sentence) {
    return SpecProblem{path_of("trunk.embedding", field), std::move(sentence)};
  };
  const bool boards = input.kind == InputKind::Boards96;
  if (boards != (embedding.rating_width > 0))
    return problem("rating_width", boards ? "boards96 has two ratings, which need a width"
                                          : fmt::format("{} has no ratings", name_of(input.kind)));
  const bool dense = embedding.positions == Positions::Dense;
  if (dense != (embedding.dense_width > 0))
    return problem("dense_width",
                   dense ? "dense positions need a width" : "it is only for dense positions");
  if (dense && input.kind != InputKind::Planes112)
    return problem("positions", "dense positions need planes112");
  if (!has_tokens(input)) {
    if (embedding.scaled) return problem("scaled", "only tokens are scaled");
    return std::nullopt;
  }
  constexpr auto kTables = "tokens have tables of words instead";
  if (embedding.positions == Positions::Map) return problem("positions", kTables);
  if (embedding.activation != Activation::None) return problem("activation", kTables);
  if (embedding.norm) return problem("norm", kTables);
  if (embedding.gates) return problem("gates", kTables);
  if (embedding.feed_forward > 0) return problem("feed_forward", kTables);
  return std::nullopt;
}

std::optional<SpecProblem> check_trunk(const InputSpec& input, const ResnetSpec&) {
  if (has_tokens(input) || input.kind == InputKind::Boards96)
    return SpecProblem{"trunk.kind",
                       fmt::format("a resnet cannot take {}, only planes", name_of(input.kind))};
  return std::nullopt;
}

std::optional<SpecProblem> check_trunk(const InputSpec& input, const TransformerSpec& trunk) {
  const bool own = trunk.attention_width > 0;
  const int width = own ? trunk.attention_width : trunk.width;
  if (width % trunk.heads != 0)
    return SpecProblem{"trunk.heads", fmt::format("{} does not divide {} {}", trunk.heads,
                                                  own ? "attention_width" : "width", width)};
  if (trunk.relative_bias && has_tokens(input))
    return SpecProblem{"trunk.relative_bias",
                       fmt::format("the rows of {} are not all squares", name_of(input.kind))};
  if (trunk.final_norm_kind && !trunk.final_norm)
    return SpecProblem{"trunk.final_norm_kind", "there is no final norm"};
  return check_embedding(input, trunk.embedding);
}

// Heads of which the answer is a linear layer, those with queries and keys, and the rest.
bool has_pairs(const HeadSpec& head) {
  return head.kind == HeadKind::Attention4096 || head.kind == HeadKind::Policy4352 ||
         head.form == Form::Attention;
}
bool has_output_layer(const HeadSpec& head) {
  return !has_pairs(head) && head.kind != HeadKind::FromTo && head.form != Form::Convolution;
}

class HeadChecker {
 public:
  HeadChecker(const NetSpec& spec, const HeadSpec& head) : spec_(spec), head_(head) {}

  // The field and the sentence; the field is empty if all is well.
  std::pair<std::string, std::string> check() {
    check_start();
    check_layers();
    check_pairs();
    return {field_, sentence_};
  }

 private:
  void need(bool condition, const char* field, const std::string& otherwise) {
    if (condition || !field_.empty()) return;
    field_ = field;
    sentence_ = otherwise;
  }

  void check_start() {
    const std::string_view kind = name_of(head_.kind);
    need(head_.form == Form::Linear || head_.kind == HeadKind::Policy1858, "form",
         fmt::format("only policy1858 has forms, not {}", kind));
    need(head_.from == From::Squares || has_output_layer(head_), "from",
         fmt::format("{} needs the squares", kind));
    need(head_.from != From::Cls || spec_.input.kind == InputKind::Tokens74, "from",
         fmt::format("{} has no CLS token", name_of(spec_.input.kind)));
    need(!head_.norm || head_.from == From::Mean, "norm", "only a mean can have a norm");
    need(!head_.activated_logits || head_.kind == HeadKind::FromTo, "activated_logits",
         fmt::format("only fromto has them, not {}", kind));
  }

  void check_layers() {
    need(head_.channels == 0 || head_.from == From::Squares, "channels",
         "only a head that begins with the squares has a layer for each");
    need(head_.channels > 0 || head_.form != Form::Convolution, "channels",
         "the convolution needs channels");
    need(head_.hidden == 0 || has_output_layer(head_), "hidden",
         fmt::format("{} has no hidden layer", describe()));
  }

  void check_pairs() {
    const bool pairs = has_pairs(head_);
    need(head_.width == 0 || pairs, "width", describe() + " has no queries and keys");
    need(head_.biases || pairs, "biases", describe() + " has no queries and keys");
    need(head_.encoders == 0 || pairs, "encoders", describe() + " has no encoders");
    if (head_.encoders == 0) return;
    const int width = head_.channels > 0 ? head_.channels : trunk_width();
    need(width % head_.encoder_heads == 0, "encoder_heads",
         fmt::format("{} does not divide the width {}", head_.encoder_heads, width));
    need(head_.encoder_feed_forward > 0, "encoder_feed_forward", "the encoders need it");
  }

  std::string describe() const {
    const std::string kind(name_of(head_.kind));
    if (head_.kind != HeadKind::Policy1858) return kind;
    return fmt::format("{} of form {}", kind, name_of(head_.form));
  }
  int trunk_width() const {
    const auto* const resnet = std::get_if<ResnetSpec>(&spec_.trunk);
    return resnet != nullptr ? resnet->channels : std::get_if<TransformerSpec>(&spec_.trunk)->width;
  }

  const NetSpec& spec_;
  const HeadSpec& head_;
  std::string field_, sentence_;
};

std::optional<SpecProblem> check_heads(const NetSpec& spec) {
  if (spec.heads.empty()) return SpecProblem{"heads", "a network needs at least one"};
  for (std::size_t i = 0; i < spec.heads.size(); ++i) {
    const HeadSpec& head = spec.heads[i];
    const std::string path = path_of("heads", i);
    if (auto problem = check_ranges(head, path)) return problem;
    for (std::size_t j = 0; j < i; ++j)
      if (spec.heads[j].kind == head.kind)
        return SpecProblem{path_of(path, "kind"),
                           fmt::format("{} is there twice", name_of(head.kind))};
    auto [field, sentence] = HeadChecker(spec, head).check();
    if (!field.empty()) return SpecProblem{path_of(path, field), sentence};
  }
  return std::nullopt;
}

}  // namespace

std::string path_of(const std::string& parent, const std::string& key) {
  const auto is_plain = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || c == '_'; };
  const bool plain = !key.empty() && key.size() <= 40 && std::ranges::all_of(key, is_plain);
  const std::string name = plain ? key : aleph::quoted(key);
  return parent.empty() ? name : parent + "." + name;
}

std::string path_of(const std::string& parent, std::size_t place) {
  return fmt::format("{}[{}]", parent, place);
}

std::optional<SpecProblem> find_problem(const NetSpec& spec) {
  if (auto problem = check_ranges(spec.input, "input")) return problem;
  if (auto problem = check_input(spec.input)) return problem;
  const auto problem = std::visit(
      [&](const auto& trunk) {
        auto found = check_ranges(trunk, "trunk");
        return found ? found : check_trunk(spec.input, trunk);
      },
      spec.trunk);
  return problem ? problem : check_heads(spec);
}

Status validate(const NetSpec& spec) {
  const auto problem = find_problem(spec);
  return problem ? Status(Error{problem->message()}) : Status::success();
}

}  // namespace aleph::nets
