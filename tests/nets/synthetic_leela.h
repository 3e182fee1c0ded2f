// Files of Leela, small and made up, for tests that damage them.
#pragma once

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "base/rng.h"
#include "nets/onnx/wire_writer.h"

namespace aleph::test {

// What is done to a layer that the file would have.
struct LayerEdit {
  bool missing = false;
  std::optional<std::size_t> size = {};
  std::optional<int> encoding = {};  // 0 stays away
  std::optional<float> least = {};   // of LINEAR16
  bool all_ones = false;             // every byte 0xFF
  bool odd = false;                  // one byte too many
};

struct SyntheticLeela {
  bool transformer = false;
  std::uint64_t seed = 1;
  std::map<std::string, LayerEdit> edits = {};  // "residual.0.conv1.weights", "encoder.1.q_b"
  // Fields of NetworkFormat, over the usual ones.
  std::map<std::uint32_t, std::int64_t> format = {};
  std::int64_t heads = 2;
  int layers = 2;
  bool many_heads = false;  // named heads, of which there are vanilla and winner
  bool all_heads = false;   // then the others, too. In edits they are "soft.ip_pol_w", "q.ip_val_b"
  bool with_weights = true, with_onnx = false;

  std::string protobuf() const;
};

namespace detail {

using nets::WireWriter;

inline constexpr std::size_t kWidth = 8, kPlanes = 112, kHidden = 6, kChannels = 2, kGenerated = 3;

class LeelaMaker {
 public:
  explicit LeelaMaker(const SyntheticLeela& wanted) : wanted_(wanted), rng_(wanted.seed) {}

  std::string file() {
    WireWriter net;
    fixed32(net, 1, 0x1C0);
    net.text(2, "made up");
    WireWriter around;
    around.number(1, 1);
    around.message(2, format());
    net.message(4, around);
    if (wanted_.with_weights) net.message(10, wanted_.transformer ? transformer() : resnet());
    if (wanted_.with_onnx) net.message(11, WireWriter());
    return net.bytes();
  }

 private:
  static void fixed32(WireWriter& to, std::uint32_t field, std::uint32_t bits) {
    to.real(field, std::bit_cast<float>(bits));
  }

  WireWriter format() const {
    std::map<std::uint32_t, std::int64_t> fields{{1, 1}, {2, 2}, {5, 2}, {6, 1}};
    fields[3] = wanted_.many_heads ? 7 : wanted_.transformer ? 6 : 4;
    fields[4] = wanted_.transformer ? 3 : 2;
    if (wanted_.transformer) fields[10] = 1;
    for (const auto& [field, number] : wanted_.format) fields[field] = number;
    WireWriter message;
    for (const auto& [field, number] : fields) message.number(field, number);
    return message;
  }

  void layer(WireWriter& to, std::uint32_t field, const std::string& name, std::size_t size) {
    const auto found = wanted_.edits.find(name);
    static const LayerEdit kNone;
    const LayerEdit& edit = found == wanted_.edits.end() ? kNone : found->second;
    if (edit.missing) return;
    const std::size_t bytes = edit.size.value_or(size) * (edit.encoding == 4 ? 4 : 2);
    std::string params;
    for (std::size_t i = 0; i < bytes + (edit.odd ? 1 : 0); ++i)
      params.push_back(edit.all_ones ? '\xFF' : static_cast<char>(rng_.next() & 0x7F));
    WireWriter message;
    message.real(1, edit.least.value_or(name.ends_with("stddivs") ? 0.5F : -0.2F));
    message.real(2, name.ends_with("stddivs") ? 1.5F : 0.6F);
    message.text(3, params);
    if (edit.encoding) message.number(4, *edit.encoding);
    to.message(field, message);
  }

  WireWriter convolution(const std::string& name, std::size_t in, std::size_t out, std::size_t size,
                         bool batch_norm) {
    WireWriter block;
    layer(block, 1, name + ".weights", in * out * size * size);
    if (!batch_norm) {
      layer(block, 2, name + ".biases", out);
      return block;
    }
    layer(block, 3, name + ".bn_means", out);
    layer(block, 4, name + ".bn_stddivs", out);
    layer(block, 5, name + ".bn_gammas", out);
    layer(block, 6, name + ".bn_betas", out);
    return block;
  }

  WireWriter resnet() {
    WireWriter weights;
    weights.message(1, convolution("input", kPlanes, kWidth, 3, true));
    for (int i = 0; i < wanted_.layers; ++i) {
      const std::string name = fmt::format("residual.{}", i);
      WireWriter residual, se;
      residual.message(1, convolution(name + ".conv1", kWidth, kWidth, 3, true));
      residual.message(2, convolution(name + ".conv2", kWidth, kWidth, 3, true));
      layer(se, 1, name + ".se.w1", kWidth * kHidden);
      layer(se, 2, name + ".se.b1", kHidden);
      layer(se, 3, name + ".se.w2", kHidden * 2 * kWidth);
      layer(se, 4, name + ".se.b2", 2 * kWidth);
      residual.message(3, se);
      weights.message(2, residual);
    }
    weights.message(11, convolution("policy1", kWidth, kChannels, 3, true));
    weights.message(3, convolution("policy", kChannels, 80, 3, false));
    weights.message(6, convolution("value", kWidth, kChannels, 1, true));
    weights.message(12, convolution("moves_left", kWidth, kChannels, 1, true));
    value_layers(weights, 7, "", kChannels);
    moves_left_layers(weights);
    return weights;
  }

  void value_layers(WireWriter& to, std::uint32_t first, const std::string& name,
                    std::size_t channels) {
    layer(to, first, name + "ip1_val_w", channels * 64 * kHidden);
    layer(to, first + 1, name + "ip1_val_b", kHidden);
    layer(to, first + 2, name + "ip2_val_w", kHidden * 3);
    layer(to, first + 3, name + "ip2_val_b", 3);
  }
  void moves_left_layers(WireWriter& to) {
    layer(to, 13, "ip1_mov_w", kChannels * 64 * kHidden);
    layer(to, 14, "ip1_mov_b", kHidden);
    layer(to, 15, "ip2_mov_w", kHidden);
    layer(to, 16, "ip2_mov_b", 1);
  }

  WireWriter encoder(const std::string& name) {
    WireWriter message, mha, smolgen, ffn;
    for (const auto& [field, part] :
         {std::pair{1U, ".q"}, std::pair{3U, ".k"}, std::pair{5U, ".v"}, std::pair{7U, ".dense"}}) {
      layer(mha, field, name + part + "_w", kWidth * kWidth);
      layer(mha, field + 1, name + part + "_b", kWidth);
    }
    layer(smolgen, 1, name + ".compress", kWidth * kChannels);
    layer(smolgen, 2, name + ".dense1_w", 64 * kChannels * kHidden);
    layer(smolgen, 3, name + ".dense1_b", kHidden);
    layer(smolgen, 4, name + ".sm_ln1_gammas", kHidden);
    layer(smolgen, 5, name + ".sm_ln1_betas", kHidden);
    layer(smolgen, 6, name + ".dense2_w", kHidden * 2 * kGenerated);
    layer(smolgen, 7, name + ".dense2_b", 2 * kGenerated);
    layer(smolgen, 8, name + ".sm_ln2_gammas", 2 * kGenerated);
    layer(smolgen, 9, name + ".sm_ln2_betas", 2 * kGenerated);
    mha.message(9, smolgen);
    if (wanted_.edits.contains(name + ".rpe_q")) layer(mha, 10, name + ".rpe_q", 8);
    message.message(1, mha);
    layer(message, 2, name + ".ln1_gammas", kWidth);
    layer(message, 3, name + ".ln1_betas", kWidth);
    layer(ffn, 1, name + ".ffn1_w", kWidth * kHidden);
    layer(ffn, 2, name + ".ffn1_b", kHidden);
    layer(ffn, 3, name + ".ffn2_w", kWidth * kHidden);
    layer(ffn, 4, name + ".ffn2_b", kWidth);
    message.message(4, ffn);
    layer(message, 5, name + ".ln2_gammas", kWidth);
    layer(message, 6, name + ".ln2_betas", kWidth);
    return message;
  }

  // Fields of the named heads are numbered otherwise than those among the weights.
  void policy_layers(WireWriter& to, std::uint32_t embedding, std::uint32_t pairs,
                     std::uint32_t promotion, const std::string& name = "") {
    layer(to, embedding, name + "ip_pol_w", kWidth * kWidth);
    layer(to, embedding + 1, name + "ip_pol_b", kWidth);
    layer(to, pairs, name + "ip2_pol_w", kWidth * kWidth);
    layer(to, pairs + 1, name + "ip2_pol_b", kWidth);
    layer(to, pairs + 2, name + "ip3_pol_w", kWidth * kWidth);
    layer(to, pairs + 3, name + "ip3_pol_b", kWidth);
    layer(to, promotion, name + "ip4_pol_w", 4 * kWidth);
  }
  void value_head(WireWriter& to, std::uint32_t embedding, std::uint32_t rest,
                  const std::string& name = "") {
    layer(to, embedding, name + "ip_val_w", kWidth * kChannels);
    layer(to, embedding + 1, name + "ip_val_b", kChannels);
    value_layers(to, rest, name, kChannels);
  }
  void named_heads(WireWriter& weights) {
    WireWriter policies, values;
    // For heads without their own; only there if somebody speaks of it.
    if (wanted_.edits.contains("shared.ip_pol_w")) {
      layer(policies, 1, "shared.ip_pol_w", kWidth * kWidth);
      layer(policies, 2, "shared.ip_pol_b", kWidth);
    }
    constexpr std::array<std::string_view, 4> kPolicies{"", "optimistic.", "soft.", "opponent."};
    constexpr std::array<std::string_view, 3> kValues{"", "q.", "st."};
    for (std::uint32_t i = 0; i < (wanted_.all_heads ? kPolicies.size() : 1); ++i) {
      WireWriter policy;
      policy_layers(policy, 1, 3, 7, std::string(kPolicies[i]));
      policies.message(3 + i, policy);
    }
    for (std::uint32_t i = 0; i < (wanted_.all_heads ? kValues.size() : 1); ++i) {
      WireWriter value;
      value_head(value, 1, 3, std::string(kValues[i]));
      values.message(1 + i, value);
    }
    weights.message(44, values);
    weights.message(45, policies);
  }

  WireWriter transformer() {
    WireWriter weights;
    layer(weights, 25, "ip_emb_w", (kPlanes + 64) * kWidth);
    layer(weights, 26, "ip_emb_b", kWidth);
    layer(weights, 33, "ip_mult_gate", 64 * kWidth);
    layer(weights, 34, "ip_add_gate", 64 * kWidth);
    layer(weights, 35, "smolgen_w", 4096 * kGenerated);
    for (int i = 0; i < wanted_.layers; ++i)
      weights.message(27, encoder(fmt::format("encoder.{}", i)));
    weights.number(28, wanted_.heads);
    if (wanted_.many_heads) {
      named_heads(weights);
    } else {
      policy_layers(weights, 4, 17, 22);
      value_head(weights, 29, 7);
    }
    layer(weights, 31, "ip_mov_w", kWidth * kChannels);
    layer(weights, 32, "ip_mov_b", kChannels);
    moves_left_layers(weights);
    return weights;
  }

  const SyntheticLeela& wanted_;
  Rng rng_;
};

}  // namespace detail

inline std::string SyntheticLeela::protobuf() const { return detail::LeelaMaker(*this).file(); }

inline std::string gzipped(const std::string& content) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16;
  if (deflateInit2(&stream, 6, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib does not start");
  std::string packed(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace aleph::test
