// Another network whose answers are learned. It is run as the engine runs it; it need not look at
// positions, nor name moves, as the student does.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "chess/position.h"
#include "nets/encode/encoder.h"
#include "nets/encode/move_map.h"
#include "nets/executor/network.h"
#include "train/model.h"
#include "train/samples.h"

namespace aleph::train {

class Teacher {
 public:
  // Reads the file. Fails if it cannot answer what is wanted of it.
  struct Wanted {
    bool policy = false, value = false;
  };
  static Result<Teacher> make(const std::filesystem::path& file, const nets::NetSpec& student,
                              Wanted wanted);
  static Result<Teacher> make(const nets::NetFile& file, const nets::NetSpec& student,
                              Wanted wanted);

  // True: samples must have `packed`, since the teacher sees positions otherwise than the student.
  bool needs_positions() const { return needs_positions_; }

  // One for each thread, for so many rows.
  std::unique_ptr<nets::Network::Workspace> workspace(std::size_t rows) const {
    return network_.workspace(rows);
  }
  // Fills teacher_policy and teacher_wdl of these rows; they are as long as they must be already
  // (make_room).
  Status answer(nets::Network::Workspace& workspace, Samples& samples, Rows rows) const;
  void make_room(Samples& samples) const;

 private:
  Teacher(nets::Network network, nets::InputEncoder encoder)
      : network_(std::move(network)), encoder_(std::move(encoder)) {}

  struct Seen;  // what it is given, and what it answers
  Status see(const Samples& samples, Rows rows, Seen& seen) const;
  void answer_policy(const Seen& seen, Samples& samples, Rows rows) const;
  void answer_row_by_moves(const chess::Position& position, std::span<const float> logits,
                           std::span<const float> promotions, std::span<const std::int32_t> places,
                           std::span<float> shares) const;
  void answer_wdl(const Seen& seen, Samples& samples, Rows rows) const;

  nets::Network network_;
  nets::InputEncoder encoder_;
  bool needs_positions_ = false;
  std::optional<nets::MoveMap> map_, student_map_;
  std::optional<std::size_t> policy_, promotion_, wdl_, value_;  // outputs of the network
};

}  // namespace aleph::train
