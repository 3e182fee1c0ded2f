#include "nets/leela/architecture.h"
#include "nets/leela/format_numbers.h"

namespace aleph::nets::leela {
namespace {

// Files from before there were formats.
NetworkFormat oldest() {
  NetworkFormat format;
  format.input = 1;
  format.output = kOutputClassical;
  format.network = kClassicalWithHeads;
  format.policy = kPolicyClassical;
  format.value = kValueClassical;
  return format;
}

}  // namespace

NetworkFormat corrected(NetworkFormat format, const Weights& weights) {
  if (!format.present) format = oldest();
  if (format.network == kClassical || format.network == kSe) {
    format.network = format.network == kClassical ? kClassicalWithHeads : kSeWithHeads;
    format.policy = kPolicyClassical;
    format.value = kValueClassical;
  }
  // The first transformers called themselves residual networks.
  if (format.network == kSeWithHeads && !weights.encoder.empty()) {
    format.network = kAttentionBody;
    if (!weights.smolgen_w.empty()) {
      format.ffn_activation = kRelu2;
      format.smolgen_activation = kSwish;
    }
  }
  if (format.network == kAttentionBodyLegacy) format.network = kAttentionBodyManyHeads;
  if (format.network == kAttentionBody && weights.policy_heads.present &&
      weights.value_heads.present) {
    format.network = kAttentionBodyManyHeads;
    format.input_embedding = kPeDense;
  } else if (format.network == kAttentionBody && !format.has_input_embedding) {
    format.input_embedding = kPeMap;
  }
  return format;
}

}  // namespace aleph::nets::leela
