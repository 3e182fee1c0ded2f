// The numbers of the classical terms: facts about Stockfish 15.1, which were tuned by play. Ranks
// and files count from 0; "edge" is the distance of a file from the edge, 0 to 3. A value that is
// taken off says so.
#pragma once

#include <array>

#include "chess/piece.h"
#include "eval/classical/mg_eg.h"

namespace aleph::eval::classical::weights {

using ByPieceType = std::array<MgEg, chess::kPieceTypes>;

// --- Mobility: by the number of squares a piece attacks in its side's mobility area.
inline constexpr std::array<MgEg, 9> kKnightMobility{{{-62, -79},
                                                      {-53, -57},
                                                      {-12, -31},
                                                      {-3, -17},
                                                      {3, 7},
                                                      {12, 13},
                                                      {21, 16},
                                                      {28, 21},
                                                      {37, 26}}};
inline constexpr std::array<MgEg, 14> kBishopMobility{{{-47, -59},
                                                       {-20, -25},
                                                       {14, -8},
                                                       {29, 12},
                                                       {39, 21},
                                                       {53, 40},
                                                       {53, 56},
                                                       {60, 58},
                                                       {62, 65},
                                                       {69, 72},
                                                       {78, 78},
                                                       {83, 87},
                                                       {91, 88},
                                                       {96, 98}}};
inline constexpr std::array<MgEg, 15> kRookMobility{{{-60, -82},
                                                     {-24, -15},
                                                     {0, 17},
                                                     {3, 43},
                                                     {4, 72},
                                                     {14, 100},
                                                     {20, 102},
                                                     {30, 122},
                                                     {41, 133},
                                                     {41, 139},
                                                     {41, 153},
                                                     {45, 160},
                                                     {57, 165},
                                                     {58, 170},
                                                     {67, 175}}};
inline constexpr std::array<MgEg, 28> kQueenMobility{
    {{-29, -49}, {-16, -29}, {-8, -8},   {-8, 17},   {18, 39},   {25, 54},   {23, 59},
     {37, 73},   {41, 76},   {54, 95},   {65, 95},   {68, 101},  {69, 124},  {70, 128},
     {70, 132},  {70, 133},  {71, 136},  {72, 140},  {74, 147},  {76, 149},  {90, 153},
     {104, 169}, {105, 171}, {106, 171}, {112, 178}, {114, 185}, {114, 187}, {119, 221}}};

// --- Pieces.
// For both minor pieces: knight first.
inline constexpr std::array<MgEg, 2> kOutpost{{{54, 34}, {31, 25}}};
inline constexpr std::array<MgEg, 2> kFarFromKing{{{9, 9}, {7, 9}}};  // off, for each step
inline constexpr MgEg kReachableOutpost{33, 19};
inline constexpr MgEg kIdleOutpost{0, 10};  // for each pawn on its half of the board
inline constexpr MgEg kMinorBehindPawn{18, 3};
// Off, by edge, for each own pawn on the bishop's shade.
inline constexpr std::array<MgEg, 4> kBishopPawns{{{3, 8}, {3, 9}, {2, 7}, {3, 7}}};
inline constexpr MgEg kBishopXrayPawns{4, 5};  // off, for each enemy pawn on its diagonals
inline constexpr MgEg kLongDiagonal{45, 0};
inline constexpr MgEg kCorneredBishop{50, 50};  // off, three or four times
inline constexpr MgEg kBishopOnKingRing{24, 0};
inline constexpr MgEg kRookOnKingRing{16, 0};
inline constexpr MgEg kRookOnHalfOpenFile{18, 8}, kRookOnOpenFile{49, 26};
inline constexpr MgEg kRookOnClosedFile{10, 5};  // off
inline constexpr MgEg kTrappedRook{55, 13};      // off; twice without castling rights
inline constexpr MgEg kQueenInSight{57, 19};     // off: one piece away from a slider's attack

// --- King safety.
// Units of danger: by piece type.
inline constexpr std::array<int, chess::kPieceTypes> kAttackerWeight{0, 76, 46, 45, 14, 0};
// The second if there are several.
using SafeCheck = std::array<int, 2>;
inline constexpr SafeCheck kKnightCheck{805, 1292}, kBishopCheck{650, 984}, kRookCheck{1071, 1886},
    kQueenCheck{730, 1128};
// Units of danger for each of these; those that are negative make the king safer.
inline constexpr int kDangerBase = 37;
inline constexpr int kWeakRingSquare = 183, kDoubtfulCheck = 148, kKingBlocker = 98;
inline constexpr int kAttackBesideKing = 69;
inline constexpr int kNoEnemyQueen = -873, kKnightBesideKing = -100, kFlankDefence = -4;
inline constexpr MgEg kPawnlessFlank{19, 97};  // off
inline constexpr MgEg kFlankAttack{8, 0};      // off, for each attacked square

// --- Shelter: by edge and rank of the rearmost pawn, rank 0 if there is none.
using Shelter = std::array<std::array<int, 7>, 4>;
inline constexpr Shelter kShelterStrength{{{-2, 85, 95, 53, 39, 23, 25},
                                           {-55, 64, 32, -55, -30, -11, -61},
                                           {-11, 75, 19, -6, 26, 9, -47},
                                           {-41, -11, -27, -58, -42, -66, -163}}};
inline constexpr Shelter kFreeStorm{{{94, -280, -170, 90, 59, 47, 53},  // off
                                     {43, -17, 128, 39, 26, -17, 15},
                                     {-9, 62, 170, 34, -5, -20, -11},
                                     {-27, -19, 106, 10, 2, -13, -24}}};
inline constexpr std::array<MgEg, 7> kBlockedStorm{
    // off
    {{0, 0}, {0, 0}, {64, 75}, {-3, 14}, {-12, 19}, {-7, 4}, {-10, 5}}};
// Off: [own pawns are missing on the king's file][the enemy's are].
inline constexpr std::array<std::array<MgEg, 2>, 2> kKingOnFile{
    {{{{-18, 11}, {-6, -3}}}, {{{0, 0}, {5, -4}}}}};
inline constexpr MgEg kShelterBase{5, 5};
inline constexpr int kKingToPawn = 16;  // off in the end game, for each step to the nearest pawn

// --- Pawns.
inline constexpr std::array<int, 7> kConnected{0, 3, 7, 7, 15, 54, 86};
inline constexpr int kSupport = 22;
inline constexpr MgEg kBackward{6, 19}, kIsolated{1, 20}, kUnopposed{15, 18};         // off
inline constexpr MgEg kDoubled{11, 51}, kDoubledEarly{17, 7}, kTwiceAttacked{2, 57};  // off
inline constexpr std::array<MgEg, 2> kBlockedPawn{{{-19, -8}, {-7, 3}}};  // from rank 4 on

// --- Passed pawns: by rank.
inline constexpr std::array<MgEg, 7> kPassedRank{
    {{0, 0}, {2, 38}, {15, 36}, {22, 50}, {64, 81}, {166, 184}, {284, 269}}};
inline constexpr MgEg kPassedFile{13, 8};  // off, for each step from the edge

// --- Threats: by the piece that is attacked.
inline constexpr ByPieceType kByMinor{{{6, 37}, {64, 50}, {82, 57}, {103, 130}, {81, 163}, {0, 0}}};
inline constexpr ByPieceType kByRook{{{3, 44}, {36, 71}, {44, 59}, {0, 39}, {60, 39}, {0, 0}}};
inline constexpr MgEg kByKing{24, 87}, kBySafePawn{167, 99}, kByPawnPush{48, 39};
inline constexpr MgEg kHanging{72, 40}, kGuardedByQueen{14, 0}, kRestricted{6, 7};
inline constexpr MgEg kKnightOnQueen{16, 11}, kSliderOnQueen{62, 21};

}  // namespace aleph::eval::classical::weights
