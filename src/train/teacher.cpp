#include "train/teacher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "chess/movegen.h"
#include "chess/packed_position.h"
#include "nets/weights/net_file.h"

namespace aleph::train {
namespace {

using nets::HeadKind;

constexpr std::int32_t kSquares = 64;

std::optional<HeadKind> policy_kind(const nets::NetSpec& spec) {
  for (const nets::HeadSpec& head : spec.heads)
    if (nets::is_policy(head.kind)) return head.kind;
  return std::nullopt;
}

void softmax(std::span<float> numbers) {
  if (numbers.empty()) return;
  const float most = *std::max_element(numbers.begin(), numbers.end());
  double sum = 0;
  for (float& number : numbers) sum += number = std::exp(number - most);
  for (float& number : numbers) number = static_cast<float>(number / sum);
}

// The place that Samples::legal has for a move.
std::int32_t place_in_samples(const nets::LogitPlaces& places) {
  return places.second < 0 ? places.place : places.place * kSquares + places.second - kSquares;
}

std::optional<std::size_t> find_output(const nets::Graph& graph, HeadKind kind) {
  const nets::Graph::Output* const found = graph.find(kind);
  if (found == nullptr) return std::nullopt;
  return static_cast<std::size_t>(found - graph.outputs.data());
}

}  // namespace

struct Teacher::Seen {
  std::vector<chess::Position> positions;  // empty if they are not needed
  std::vector<float> planes, context;
  std::vector<std::int16_t> tokens;
  nets::Network::Inputs inputs;
  Answers answers;
  std::span<const float> answer(std::size_t output, std::size_t row, std::size_t rows) const {
    const std::size_t width = answers[output].size() / rows;
    return std::span(answers[output]).subspan(row * width, width);
  }
};

Result<Teacher> Teacher::make(const std::filesystem::path& file, const nets::NetSpec& student,
                              Wanted wanted) {
  Result<nets::NetFile> network = nets::read_network(file);
  if (!network.ok()) return Error{network.error()};
  Result<Teacher> teacher = make(network.value(), student, wanted);
  if (!teacher.ok()) return Error{fmt::format("{}: {}", file.string(), teacher.error())};
  return teacher;
}

Result<Teacher> Teacher::make(const nets::NetFile& file, const nets::NetSpec& student,
                              Wanted wanted) {
  Result<nets::Network> network = nets::Network::make(file);
  if (!network.ok()) return Error{network.error()};
  Result<nets::InputEncoder> encoder =
      nets::InputEncoder::make(file.spec.input, {.earlier_positions = false});
  if (!encoder.ok()) return Error{encoder.error()};
  Teacher teacher(network.take(), encoder.take());
  const nets::Graph& graph = teacher.network_.graph();
  const auto kind = policy_kind(file.spec), student_kind = policy_kind(student);
  if (wanted.policy) {
    if (!kind || !student_kind) return Error{"it has no policy that could be learned"};
    teacher.policy_ = find_output(graph, *kind);
    teacher.promotion_ = find_output(graph, HeadKind::Promotion4);
    Result<nets::MoveMap> map = nets::MoveMap::make(*kind, file.spec.input);
    Result<nets::MoveMap> student_map = nets::MoveMap::make(*student_kind, student.input);
    if (!map.ok()) return Error{map.error()};
    if (!student_map.ok()) return Error{student_map.error()};
    teacher.map_ = map.take();
    teacher.student_map_ = student_map.take();
  }
  if (wanted.value) {
    teacher.wdl_ = find_output(graph, HeadKind::Wdl);
    teacher.value_ = find_output(graph, HeadKind::Value);
    if (!teacher.wdl_ && !teacher.value_) return Error{"it has no value that could be learned"};
  }
  teacher.needs_positions_ =
      file.spec.input != student.input || (wanted.policy && kind != student_kind);
  return teacher;
}

void Teacher::make_room(Samples& samples) const {
  if (policy_) samples.teacher_policy.assign(samples.legal.size(), 0.0F);
  if (wdl_ || value_) samples.teacher_wdl.assign(3 * samples.size, 0.0F);
}

Status Teacher::see(const Samples& samples, Rows rows, Seen& seen) const {
  const auto part = [&](const auto& numbers) {
    const std::size_t width = numbers.size() / samples.size;
    return std::span(numbers).subspan(rows.first * width, rows.count * width);
  };
  if (!needs_positions_) {
    seen.inputs = {part(samples.planes), part(samples.tokens), part(samples.context)};
    return Status::success();
  }
  constexpr std::size_t kSize = chess::PackedPosition::kSize;
  if (samples.packed.size() != samples.size * kSize)
    return Error{"the teacher needs positions, which these samples do not have"};
  const nets::InputSizes& sizes = encoder_.sizes();
  const auto tokens = static_cast<std::size_t>(sizes.tokens);
  const auto context = static_cast<std::size_t>(sizes.context);
  seen.planes.resize(rows.count * sizes.plane_numbers());
  seen.tokens.resize(rows.count * tokens);
  seen.context.resize(rows.count * context);
  for (std::size_t i = 0; i < rows.count; ++i) {
    chess::PackedPosition packed;
    std::memcpy(packed.bytes.data(), samples.packed.data() + (rows.first + i) * kSize, kSize);
    Result<chess::Position> position = chess::unpack(packed);
    if (!position.ok()) return Error{position.error()};
    seen.positions.push_back(position.take());
    nets::GameContext game;
    if (!samples.rating.empty() && samples.rating[rows.first + i] > 0)
      game.rating = game.opponent_rating = samples.rating[rows.first + i];
    encoder_.encode(
        seen.positions.back(), game,
        std::span(seen.planes).subspan(i * sizes.plane_numbers(), sizes.plane_numbers()),
        std::span(seen.tokens).subspan(i * tokens, tokens),
        std::span(seen.context).subspan(i * context, context));
  }
  seen.inputs = {seen.planes, seen.tokens, seen.context};
  return Status::success();
}

// Both name moves in their own way, so that the moves themselves must be gone through. Promotions
// may be one place of the student's and several moves.
void Teacher::answer_row_by_moves(const chess::Position& position, std::span<const float> logits,
                                  std::span<const float> promotions,
                                  std::span<const std::int32_t> places,
                                  std::span<float> shares) const {
  std::vector<float> pieces(promotions.begin(), promotions.end());
  softmax(pieces);
  const chess::MoveList moves = chess::legal_moves(position);
  const auto here = map_->at(position), there = student_map_->at(position);
  std::vector<float> by_move;
  for (const chess::Move move : moves) {
    const nets::LogitPlaces at = here.places(move);
    float logit = logits[static_cast<std::size_t>(at.place)];
    if (at.second >= 0) logit += logits[static_cast<std::size_t>(at.second)];
    if (at.promotion >= 0 && !pieces.empty())
      logit += std::log(pieces[static_cast<std::size_t>(at.promotion)] + 1e-9F);
    by_move.push_back(logit);
  }
  softmax(by_move);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto place =
        std::find(places.begin(), places.end(), place_in_samples(there.places(moves[i])));
    if (place != places.end())
      shares[static_cast<std::size_t>(place - places.begin())] += by_move[i];
  }
}

void Teacher::answer_policy(const Seen& seen, Samples& samples, Rows rows) const {
  const bool pairs = map_->kind() == HeadKind::FromTo;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const auto begin = static_cast<std::size_t>(samples.legal_begin[rows.first + i]);
    const auto end = static_cast<std::size_t>(samples.legal_begin[rows.first + i + 1]);
    const auto places = std::span<const std::int32_t>(samples.legal).subspan(begin, end - begin);
    const auto shares = std::span(samples.teacher_policy).subspan(begin, end - begin);
    const auto logits = seen.answer(*policy_, i, rows.count);
    if (needs_positions_) {
      const auto promotions =
          promotion_ ? seen.answer(*promotion_, i, rows.count) : std::span<const float>();
      std::fill(shares.begin(), shares.end(), 0.0F);
      answer_row_by_moves(seen.positions[i], logits, promotions, places, shares);
      continue;
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto place = static_cast<std::size_t>(places[k]);
      shares[k] =
          pairs ? logits[place / kSquares] + logits[kSquares + place % kSquares] : logits[place];
    }
    softmax(shares);
  }
}

void Teacher::answer_wdl(const Seen& seen, Samples& samples, Rows rows) const {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const auto wdl = std::span(samples.teacher_wdl).subspan(3 * (rows.first + i), 3);
    if (wdl_) {
      const auto logits = seen.answer(*wdl_, i, rows.count);
      std::copy(logits.begin(), logits.end(), wdl.begin());
      softmax(wdl);
      continue;
    }
    // Of all that have this mean, the one with the most draws.
    const float value = std::clamp(seen.answer(*value_, i, rows.count)[0], -1.0F, 1.0F);
    wdl[0] = std::max(value, 0.0F);
    wdl[1] = 1 - std::abs(value);
    wdl[2] = std::max(-value, 0.0F);
  }
}

Status Teacher::answer(nets::Network::Workspace& workspace, Samples& samples, Rows rows) const {
  Seen seen;
  if (Status status = see(samples, rows, seen); !status.ok()) return status;
  const nets::Graph& graph = network_.graph();
  std::vector<std::span<float>> outputs(graph.outputs.size());
  seen.answers.resize(outputs.size());
  for (const auto output : {policy_, promotion_, wdl_, value_}) {
    if (!output) continue;
    const auto value = static_cast<std::size_t>(graph.outputs[*output].value);
    seen.answers[*output].resize(rows.count * graph.shapes[value].size());
    outputs[*output] = seen.answers[*output];
  }
  network_.run(workspace, rows.count, seen.inputs, outputs);
  if (policy_) answer_policy(seen, samples, rows);
  if (wdl_ || value_) answer_wdl(seen, samples, rows);
  return Status::success();
}

}  // namespace aleph::train
