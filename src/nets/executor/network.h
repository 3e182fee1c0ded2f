// A network that is ready to run: steps fused, weights laid out as the kernels want them. Read-only
// and shared by all threads; what a run needs besides is in a workspace, one for each thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "nets/graph/graph.h"
#include "nets/weights/net_file.h"

namespace aleph::nets {

namespace kernels {
struct Kernels;
}

enum class Precision : std::uint8_t { Fp32, Int8 };

class Network {
 public:
  class Workspace {
   public:
    struct Memory;
    explicit Workspace(std::unique_ptr<Memory> memory);
    ~Workspace();
    Memory& memory() { return *memory_; }

   private:
    std::unique_ptr<Memory> memory_;
  };
  // Any number of positions, one behind the other. What the input does not have is empty.
  struct Inputs {
    std::span<const float> planes;         // rows * width of each position
    std::span<const std::int16_t> tokens;  // of each position
    std::span<const float> context;
  };

  // Int8 of a file with fp32 weights: they are quantised here.
  static Result<Network> make(const NetFile& file, Precision precision = Precision::Fp32);
  // Of a graph that need not have a description: spec() is then empty. kernels: null for the best
  // that this processor can run.
  static Result<Network> make(Graph graph, const Tensors& tensors, Precision precision,
                              const kernels::Kernels* kernels = nullptr);
  Network(Network&&) noexcept;
  Network& operator=(Network&&) noexcept;
  ~Network();

  const NetSpec& spec() const;
  const Graph& graph() const;
  Precision precision() const;

  // For batches of up to this many positions; larger ones are run in parts. Nothing is allocated
  // after this.
  std::unique_ptr<Workspace> workspace(std::size_t most_positions) const;
  // Output i of the graph for all positions, one behind the other, goes into outputs[i]; an empty
  // span: it is not wanted.
  void run(Workspace& workspace, std::size_t positions, const Inputs& inputs,
           std::span<const std::span<float>> outputs) const;

 private:
  struct Plan;
  explicit Network(std::unique_ptr<Plan> plan);
  std::unique_ptr<Plan> plan_;
};

// The slow twin: every step by the book, in the order of the graph. `values` gets all of them, for
// tests that look inside; null: only the outputs are returned.
std::vector<std::vector<float>> run_by_the_book(const Graph& graph, const Tensors& tensors,
                                                const Network::Inputs& one_position,
                                                std::vector<std::vector<float>>* values = nullptr);

}  // namespace aleph::nets
