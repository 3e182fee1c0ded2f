// The numbers of Leela's enums.
#pragma once

#include <cstdint>

namespace aleph::nets::leela {

enum NetworkNumber : std::uint64_t {
  kClassical = 1,
  kSe = 2,
  kClassicalWithHeads = 3,
  kSeWithHeads = 4,
  kOnnx = 5,
  kAttentionBody = 6,
  kAttentionBodyManyHeads = 7,
  kAttentionBodyLegacy = 134,
};
enum OutputNumber : std::uint64_t { kOutputClassical = 1, kOutputWdl = 2 };
enum PolicyNumber : std::uint64_t {
  kPolicyClassical = 1,
  kPolicyConvolution = 2,
  kPolicyAttention = 3,
};
enum ValueNumber : std::uint64_t { kValueClassical = 1, kValueWdl = 2 };
enum EmbeddingNumber : std::uint64_t { kPeNone = 0, kPeMap = 1, kPeDense = 2 };
enum ActivationNumber : std::uint64_t {
  kDefault = 0,
  kMish = 1,
  kRelu = 2,
  kNone = 3,
  kTanh = 4,
  kSigmoid = 5,
  kSelu = 6,
  kSwish = 7,
  kRelu2 = 8,
};

}  // namespace aleph::nets::leela
