#include "nnue/architecture.h"

#include <array>

#include "nnue/architecture_hash.h"

namespace aleph::nnue {
namespace {

constexpr auto kHalfKA = FeatureFamily::HalfKAv2Hm;
constexpr auto kPieces = FeatureFamily::PieceHm;

// SFNNv4 and SFNNv5 differ only in how the second dense layer is used: same hashes, same size. The
// reader tells them apart by their weights; the first of two equals must be the later one.
constexpr std::array kKnown{
    with_hashes({.name = "SFNNv5",
                 .engine = "Stockfish 15.1",
                 .width = 1024,
                 .family = kHalfKA,
                 .compressed = false}),
    with_hashes({.name = "SFNNv4",
                 .engine = "Stockfish 15",
                 .width = 1024,
                 .family = kHalfKA,
                 .stack = StackKind::V4,
                 .compressed = false}),
    with_hashes({.name = "SFNNv6", .engine = "Stockfish 16", .width = 1536, .family = kHalfKA}),
    with_hashes({.name = "SFNNv8", .engine = "Stockfish 16.1", .width = 2560, .family = kHalfKA}),
    with_hashes(
        {.name = "SFNNv9", .engine = "Stockfish 17 and 17.1", .width = 3072, .family = kHalfKA}),
    with_hashes({.name = "SFNNv8 small",
                 .engine = "Stockfish 16.1 to 18 (small network)",
                 .width = 128,
                 .family = kHalfKA}),
    with_hashes({.name = "SFNNv10",
                 .engine = "Stockfish 18",
                 .width = 1024,
                 .family = kHalfKA,
                 .threats = ThreatKind::Full18,
                 .clip = 255,
                 .shift = 9}),
    with_hashes({.name = "SFNNv16",
                 .engine = "Stockfish 19",
                 .width = 1024,
                 .family = kHalfKA,
                 .threats = ThreatKind::Full19,
                 .pawn_pairs = true,
                 .stack = StackKind::V16,
                 .clip = 255,
                 .shift = 9}),
    with_hashes({.name = "lite 256",
                 .engine = "stockfish.js 17.1 and 18 lite",
                 .width = 256,
                 .family = kHalfKA}),
    with_hashes({.name = "lite P_hm",
                 .engine = "stockfish.js 19 lite",
                 .width = 1024,
                 .family = kPieces,
                 .stack = StackKind::V16,
                 .clip = 255,
                 .shift = 9}),
};

// The hashes that the published files carry.
constexpr bool carries(int row, std::uint32_t version, std::uint32_t file,
                       std::uint32_t transformer, std::uint32_t stack) {
  const Architecture& a = kKnown[row];
  return a.version_word == version && file_hash(a) == file &&
         a.feature_transformer_hash == transformer && a.stack_hash == stack;
}
static_assert(carries(0, 0x7AF32F20, 0x1C102EF2, 0x7F2344B8, 0x63336A4A));
static_assert(carries(1, 0x7AF32F20, 0x1C102EF2, 0x7F2344B8, 0x63336A4A));
static_assert(carries(2, 0x7AF32F20, 0x1C102B72, 0x7F2340B8, 0x63336BCA));
static_assert(kKnown[3].stack_hash == 0x633368CA);
static_assert(carries(4, 0x7AF32F20, 0x1C1020F2, 0x7F2354B8, 0x6333744A));
static_assert(carries(5, 0x7AF32F20, 0x1C103C92, 0x7F234DB8, 0x6333712A));
static_assert(carries(6, 0x7AF32F20, 0xEC102EF2, 0x8F2344B8, 0x63336A4A));
static_assert(carries(7, 0x6A448AFA, 0xA85B2205, 0xCB685313, 0x63337116));
static_assert(carries(8, 0x7AF32F20, 0x1C103EB2, 0x7F234EB8, 0x6333700A));
static_assert(carries(9, 0x6A448AFA, 0x0C1035AE, 0x6F2344B8, 0x63337116));

}  // namespace

std::span<const Architecture> known_architectures() { return kKnown; }

}  // namespace aleph::nnue
