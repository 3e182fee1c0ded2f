// What a file of Leela says, in its own words: the messages of its protobuf, with the fields that
// are needed to run a network. Names are those of the format. Nothing is decoded yet: layers point
// into the file's bytes, which must outlive them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace aleph::nets::leela {

enum class Encoding : std::uint8_t { Linear16 = 1, Float16 = 2, Bfloat16 = 3, Float32 = 4 };

// A tensor. One that the file does not have is empty.
struct Layer {
  float min_val = 0, max_val = 0;
  std::span<const std::byte> params;
  Encoding encoding = Encoding::Linear16;

  bool empty() const { return params.empty(); }
  std::size_t size() const { return params.size() / (encoding == Encoding::Float32 ? 4 : 2); }
};
std::vector<float> decoded(const Layer& layer);

struct ConvBlock {
  Layer weights, biases, bn_means, bn_stddivs /* variances, in truth */, bn_gammas, bn_betas;
};
struct SeUnit {
  Layer w1, b1, w2, b2;
};
struct Residual {
  ConvBlock conv1, conv2;
  SeUnit se;
};
struct Smolgen {
  Layer compress, dense1_w, dense1_b, ln1_gammas, ln1_betas, dense2_w, dense2_b, ln2_gammas,
      ln2_betas;
};
struct Mha {
  Layer q_w, q_b, k_w, k_b, v_w, v_b, dense_w, dense_b, rpe_q, rpe_k, rpe_v;
  Smolgen smolgen;
};
struct Ffn {
  Layer dense1_w, dense1_b, dense2_w, dense2_b;
};
struct EncoderLayer {
  Mha mha;
  Layer ln1_gammas, ln1_betas, ln2_gammas, ln2_betas;
  Ffn ffn;
};
struct PolicyHead {
  Layer ip_pol_w, ip_pol_b, ip2_pol_w, ip2_pol_b, ip3_pol_w, ip3_pol_b, ip4_pol_w;
  std::vector<EncoderLayer> pol_encoder;
  std::uint32_t pol_headcount = 0;
  ConvBlock policy1, policy;
  bool present = false;
};
struct ValueHead {
  Layer ip_val_w, ip_val_b, ip1_val_w, ip1_val_b, ip2_val_w, ip2_val_b;
  ConvBlock value;
  bool present = false;
};
struct PolicyHeads {
  Layer ip_pol_w, ip_pol_b;  // for heads without their own
  PolicyHead vanilla, optimistic_st, soft, opponent;
  bool present = false;
};
struct ValueHeads {
  ValueHead winner, q, st;
  bool present = false;
};
struct MovesLeftHead {
  Layer ip_mov_w, ip_mov_b, ip1_mov_w, ip1_mov_b, ip2_mov_w, ip2_mov_b;
  ConvBlock moves_left;
};

struct Weights {
  ConvBlock input;
  std::vector<Residual> residual;
  Layer ip_emb_w, ip_emb_b, ip_emb_preproc_w, ip_emb_preproc_b, ip_emb_ln_gammas, ip_emb_ln_betas,
      ip_mult_gate, ip_add_gate, ip_emb_ffn_ln_gammas, ip_emb_ffn_ln_betas, smolgen_w;
  Ffn ip_emb_ffn;
  std::vector<EncoderLayer> encoder;
  std::uint32_t headcount = 0;
  // Files with one head of a kind have its fields among the weights' own.
  PolicyHead policy;
  ValueHead value;
  MovesLeftHead moves_left;
  PolicyHeads policy_heads;
  ValueHeads value_heads;
  bool present = false;
};

// The numbers of the enums; 0 where the file has none.
struct NetworkFormat {
  std::uint64_t input = 0, output = 0, network = 0, policy = 0, value = 0, moves_left = 0;
  std::uint64_t default_activation = 0, smolgen_activation = 0, ffn_activation = 0;
  std::uint64_t input_embedding = 0;
  bool has_input_embedding = false;
  bool present = false;
};

struct TrainingParams {
  std::uint64_t training_steps = 0;
  float learning_rate = 0, mse_loss = 0, policy_loss = 0, accuracy = 0;
};

struct Net {
  std::string license;
  NetworkFormat format;
  TrainingParams training;
  Weights weights;
  bool has_onnx_model = false;
};

bool has_magic(std::span<const std::byte> protobuf);
Result<Net> parse_net(std::span<const std::byte> protobuf);

}  // namespace aleph::nets::leela
