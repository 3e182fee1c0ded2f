#include "base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace aleph {
namespace {

constexpr std::size_t kBlock = 64;

alignas(16) constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t big_endian(const std::byte* bytes) {
  return std::to_integer<std::uint32_t>(bytes[0]) << 24 |
         std::to_integer<std::uint32_t>(bytes[1]) << 16 |
         std::to_integer<std::uint32_t>(bytes[2]) << 8 | std::to_integer<std::uint32_t>(bytes[3]);
}

// One of the 64 rounds. The eight words of the state change places at each one.
inline void mix_round(std::uint32_t (&s)[8], std::uint32_t input) {
  const std::uint32_t big1 = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
  const std::uint32_t choice = s[6] ^ (s[4] & (s[5] ^ s[6]));
  const std::uint32_t first = s[7] + big1 + choice + input;
  const std::uint32_t big0 = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
  const std::uint32_t majority = (s[0] & s[1]) | (s[2] & (s[0] | s[1]));
  s[7] = s[6], s[6] = s[5], s[5] = s[4], s[4] = s[3] + first;
  s[3] = s[2], s[2] = s[1], s[1] = s[0], s[0] = first + big0 + majority;
}

void mix_portable(std::uint32_t* state, const std::byte* blocks, std::size_t count) {
  for (; count != 0; --count, blocks += kBlock) {
    std::uint32_t words[16], s[8];
    for (int i = 0; i < 8; ++i) s[i] = state[i];
    for (int i = 0; i < 16; ++i) words[i] = big_endian(blocks + 4 * i);
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) mix_round(s, kRound[i] + words[i]);
    for (int group = 16; group < 64; group += 16) {
      // The message schedule lives in a ring of 16 words: a word needs only the 16 before it.
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i) {
        const std::uint32_t old = words[(i + 1) & 15], recent = words[(i + 14) & 15];
        const std::uint32_t small0 = std::rotr(old, 7) ^ std::rotr(old, 18) ^ (old >> 3);
        const std::uint32_t small1 = std::rotr(recent, 17) ^ std::rotr(recent, 19) ^ (recent >> 10);
        words[i] += small0 + words[(i + 9) & 15] + small1;
        mix_round(s, kRound[group + i] + words[i]);
      }
    }
    for (int i = 0; i < 8; ++i) state[i] += s[i];
  }
}

#if defined(__x86_64__)

bool has_sha_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return false;
  const bool sse41 = (c >> 19 & 1) != 0, ssse3 = (c >> 9 & 1) != 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  return sse41 && ssse3 && (b >> 29 & 1) != 0;
}

// The instructions want the state as the words (a b e f) and (c d g h), four rounds per step.
__attribute__((target("sha,sse4.1,ssse3"))) void mix_native(std::uint32_t* state,
                                                            const std::byte* blocks,
                                                            std::size_t count) {
  const __m128i swap_bytes = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i dcba = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state));
  const __m128i hgfe = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state + 4));
  const __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1), efgh = _mm_shuffle_epi32(hgfe, 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);

  for (; count != 0; --count, blocks += kBlock) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i words[4];
    for (int i = 0; i < 4; ++i)
      words[i] = _mm_shuffle_epi8(
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks + 16 * i)), swap_bytes);
#pragma GCC unroll 16
    for (int step = 0; step < 16; ++step) {
      __m128i& now = words[step & 3];
      const __m128i constant =
          _mm_load_si128(reinterpret_cast<const __m128i*>(kRound.data() + 4 * step));
      const __m128i input = _mm_add_epi32(now, constant);
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, input);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(input, 0x0E));
      if (step >= 12) continue;
      const __m128i next = words[(step + 1) & 3], before = words[(step + 3) & 3];
      const __m128i shifted = _mm_alignr_epi8(before, words[(step + 2) & 3], 4);
      now = _mm_add_epi32(_mm_sha256msg1_epu32(now, next), shifted);
      now = _mm_sha256msg2_epu32(now, before);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }

  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#endif

sha256_detail::MixBlocks best() {
  const auto native = sha256_detail::native();
  return native != nullptr ? native : mix_portable;
}

void mix(std::uint32_t* state, const std::byte* blocks, std::size_t count) {
  static const sha256_detail::MixBlocks chosen = best();
  chosen(state, blocks, count);
}

}  // namespace

sha256_detail::MixBlocks sha256_detail::portable() { return mix_portable; }

sha256_detail::MixBlocks sha256_detail::native() {
#if defined(__x86_64__)
  if (has_sha_instructions()) return mix_native;
#endif
  return nullptr;
}

void Sha256::update(std::span<const std::byte> bytes) {
  const std::size_t held = length_ % kBlock;
  length_ += bytes.size();
  if (held != 0) {
    const std::size_t taken = std::min(kBlock - held, bytes.size());
    std::copy_n(bytes.begin(), taken, pending_.begin() + held);
    bytes = bytes.subspan(taken);
    if (held + taken < kBlock) return;
    mix(state_.data(), pending_.data(), 1);
  }
  mix(state_.data(), bytes.data(), bytes.size() / kBlock);
  const auto rest = bytes.last(bytes.size() % kBlock);
  std::copy(rest.begin(), rest.end(), pending_.begin());
}

Sha256::Digest Sha256::finish() {
  const std::uint64_t bits = length_ * 8;
  std::array<std::byte, kBlock + 8> padding{std::byte{0x80}};
  const std::size_t zeros_end = (length_ % kBlock < 56 ? 56 : 120) - length_ % kBlock;
  for (int i = 0; i < 8; ++i)
    padding[zeros_end + i] = static_cast<std::byte>(bits >> (56 - 8 * i) & 0xFF);
  update(std::span(padding).first(zeros_end + 8));
  Digest digest{};
  for (int i = 0; i < 32; ++i)
    digest[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - i % 4 * 8));
  return digest;
}

std::string to_hex(const Sha256::Digest& digest) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string sha256_hex(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.update(bytes);
  return to_hex(hash.finish());
}

}  // namespace aleph
