// The pieces of an access against its cost: every measured access, and random ones by the rules of every
// device.
#include "engine/analysis/pieces.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <set>

#include "engine/analysis/access_csv.hpp"
#include "engine/analysis/other_access.hpp"
#include "engine/analysis/testing/reference_counts.hpp"
#include "engine/analysis/testing/test_support.hpp"

namespace warplens::analysis {
namespace {

int words_of(int width) { return std::max(width, 4) / 4; }

// What must hold of the pieces whatever the rule: every lane is served once, with the words it asked for, and
// no bank gives two words in one wavefront.
void check_shared(const WarpAccess& access, const SharedPieces& pieces, bool folded) {
  std::uint32_t served = 0;
  std::map<int, bool> phases;
  for (const Wavefront& wavefront : pieces.wavefronts) {
    ASSERT_EQ(served & wavefront.lanes, 0u);
    served |= wavefront.lanes;
    std::set<int> banks;
    std::uint32_t lanes = 0;
    int lane_words = 0;
    for (const BankWord& word : wavefront.words) {
      ASSERT_EQ(word.bank, static_cast<int>(word.word % static_cast<unsigned>(pieces.banks)));
      ASSERT_TRUE(banks.insert(word.bank).second || folded);
      for (std::uint32_t mask = word.lanes; mask != 0; mask &= mask - 1) {
        const std::uint64_t first = access.address[static_cast<std::size_t>(std::countr_zero(mask))] / 4;
        ASSERT_TRUE(word.word >= first && word.word < first + static_cast<unsigned>(words_of(access.width)));
      }
      lanes |= word.lanes;
      lane_words += std::popcount(word.lanes);
    }
    ASSERT_EQ(lanes, wavefront.lanes);
    ASSERT_EQ(lane_words, std::popcount(lanes) * words_of(access.width));
    phases[wavefront.phase] = true;
  }
  ASSERT_EQ(served, access.active);
  ASSERT_EQ(static_cast<int>(phases.size()), pieces.phases);
}

void expect_equal(const SharedCounts& got, const SharedCounts& expected) {
  ASSERT_EQ(got.requests, expected.requests);
  ASSERT_EQ(got.wavefronts, expected.wavefronts);
  ASSERT_EQ(got.ideal_wavefronts, expected.ideal_wavefronts);
}

void expect_equal(const GlobalCounts& got, const GlobalCounts& expected) {
  ASSERT_EQ(got.requests, expected.requests);
  ASSERT_EQ(got.sectors, expected.sectors);
  ASSERT_EQ(got.ideal_sectors, expected.ideal_sectors);
  ASSERT_EQ(got.transactions, expected.transactions);
  ASSERT_EQ(got.bytes_moved, expected.bytes_moved);
  ASSERT_EQ(got.bytes_used, expected.bytes_used);
}

void check_global(const WarpAccess& access, const GlobalPieces& pieces) {
  std::uint32_t in_sectors = 0, in_transactions = 0;
  for (const Sector& sector : pieces.sectors) {
    in_sectors |= sector.lanes;
    for (std::uint32_t mask = sector.lanes; mask != 0; mask &= mask - 1)
      ASSERT_EQ(access.address[static_cast<std::size_t>(std::countr_zero(mask))] / 32, sector.id);
  }
  for (const Transaction& one : pieces.transactions) {
    ASSERT_EQ(one.address % one.size, 0u);
    ASSERT_LE(one.sectors, one.size / 32);
    in_transactions |= one.lanes;
    for (std::uint32_t mask = one.lanes; mask != 0; mask &= mask - 1)
      ASSERT_LT(access.address[static_cast<std::size_t>(std::countr_zero(mask))] - one.address, one.size);
  }
  ASSERT_EQ(in_sectors, access.active);
  ASSERT_EQ(in_transactions, access.active);
}

TEST(Pieces, EveryMeasuredSharedAccess) {
  const device::Device h100 = device_of("h100");
  const auto accesses = read_access_csv(testdata("h100_shared_wavefronts.csv"));
  const auto rows = measured_rows("h100_shared_wavefronts.csv");
  ASSERT_TRUE(accesses);
  ASSERT_EQ(accesses->size(), 1500u);
  for (std::size_t i = 0; i < accesses->size(); ++i) {
    const SharedPieces pieces = shared_pieces((*accesses)[i], h100);
    ASSERT_EQ(pieces.wavefronts.size(), std::stoul(rows[i].at("wavefronts"))) << "row " << i + 1;
    expect_equal(counts_of(pieces), count_shared((*accesses)[i], h100));
    check_shared((*accesses)[i], pieces, false);
  }
}

TEST(Pieces, EveryMeasuredGlobalAccess) {
  const device::Device h100 = device_of("h100");
  const auto accesses = read_access_csv(testdata("h100_global_sectors.csv"));
  const auto rows = measured_rows("h100_global_sectors.csv");
  ASSERT_TRUE(accesses);
  ASSERT_EQ(accesses->size(), 300u);
  for (std::size_t i = 0; i < accesses->size(); ++i) {
    const GlobalPieces pieces = global_pieces((*accesses)[i], h100);
    ASSERT_EQ(pieces.sectors.size(), std::stoul(rows[i].at("sectors"))) << "row " << i + 1;
    expect_equal(counts_of(pieces), count_global((*accesses)[i], h100));
    check_global((*accesses)[i], pieces);
  }
}

WarpAccess random_access(std::mt19937& random, std::vector<int> widths) {
  WarpAccess access;
  access.op = random() % 2 == 0 ? AccessOp::load : AccessOp::store;
  access.width = widths[random() % widths.size()];
  const std::uint32_t masks[] = {~0u, ~0u, 0xffffu, static_cast<std::uint32_t>(random()), 1u << random() % 32,
                                 0u};
  access.active = masks[random() % std::size(masks)];
  const std::uint64_t range[] = {8, 32, 100, 1000};
  const std::uint64_t limit = range[random() % 4], stride = random() % 40, start = random() % 64;
  const unsigned form = random() % 4;
  for (std::uint64_t lane = 0; lane < 32; ++lane)
    access.address[lane] = static_cast<unsigned>(access.width) * (form == 0   ? random() % limit
                                                                  : form == 1 ? start + lane
                                                                  : form == 2 ? lane / (1 + stride % 4)
                                                                              : start + lane * stride);
  return access;
}

TEST(Pieces, RandomAccessesByTheRulesOfEveryGeneration) {
  std::mt19937 random(11);
  for (const char* id : {"cc1.0", "cc1.3", "cc2.0", "cc3.5", "cc5.0", "cc9.0", "cc12.0"}) {
    const device::Device device = device_of(id);
    for (int i = 0; i < 4000; ++i) {
      const WarpAccess access = random_access(random, {1, 2, 4, 8, 16});
      const SharedPieces shared = shared_pieces(access, device);
      expect_equal(counts_of(shared), reference_shared(access, device));
      expect_equal(count_shared(access, device), reference_shared(access, device));
      if (device.compute_capability >= 30) check_shared(access, shared, device.compute_capability < 40);
      const GlobalPieces global = global_pieces(access, device);
      expect_equal(counts_of(global), reference_global(access, device));
      expect_equal(count_global(access, device), reference_global(access, device));
      check_global(access, global);
      if (HasFatalFailure()) FAIL() << id << " access " << i;
    }
  }
}

// Lane 0 alone: a line of 2.x, of which a store moves what it asks for; the least segment of 1.3; a sector.
TEST(Pieces, SectorsThatNobodyAskedForAreMovedToo) {
  WarpAccess access;
  access.op = AccessOp::load, access.width = 4, access.active = 1, access.address[0] = 128 + 64;
  const auto moved = [&](const char* id) { return moved_sectors(global_pieces(access, device_of(id))); };
  EXPECT_EQ(moved("cc2.0"), (std::set<std::uint64_t>{4, 5, 6, 7}));
  EXPECT_EQ(moved("cc1.3"), (std::set<std::uint64_t>{6}));
  EXPECT_EQ(moved("cc9.0"), (std::set<std::uint64_t>{6}));
  access.op = AccessOp::store;
  EXPECT_EQ(moved("cc2.0"), (std::set<std::uint64_t>{6}));
}

TEST(Pieces, MatrixRowsAndAtomicsSumUpToTheirEstimates) {
  std::mt19937 random(12);
  for (int i = 0; i < 4000; ++i) {
    WarpAccess rows = random_access(random, {16});
    const int matrices = 1 << random() % 3;
    rows.active = matrices == 4 ? ~0u : (1u << 8 * matrices) - 1;
    EXPECT_EQ(counts_of(matrix_pieces(rows)).wavefronts, matrix_wavefronts(rows));
    const WarpAccess atomic = random_access(random, {4, 8});
    EXPECT_EQ(counts_of(shared_atomic_pieces(atomic)).wavefronts, shared_atomic_wavefronts(atomic));
  }
}

TEST(Pieces, ATwoWayConflictAndABroadcast) {
  const device::Device h100 = device_of("h100");
  // Lanes 2 apart in words: lane l and lane l + 16 meet in bank 2 l.
  const SharedPieces strided = shared_pieces(analysis::strided(4, 8), h100);
  ASSERT_EQ(strided.wavefronts.size(), 2u);
  EXPECT_EQ(strided.wavefronts[0].lanes, 0x0000ffffu);
  EXPECT_EQ(strided.wavefronts[1].lanes, 0xffff0000u);
  const auto banks = bank_map(strided, 0);
  ASSERT_EQ(banks.size(), 32u);
  EXPECT_TRUE(banks[1].words.empty());
  ASSERT_EQ(banks[6].words.size(), 2u);
  EXPECT_EQ(banks[6].words[0].lanes, 1u << 3);
  EXPECT_EQ(banks[6].words[1].lanes, 1u << 19);
  EXPECT_EQ(banks[6].words[1].word, 38u);
  EXPECT_FALSE(banks[6].words[1].is_broadcast());

  const SharedPieces one = shared_pieces(analysis::strided(4, 0, 64), h100);
  ASSERT_EQ(one.wavefronts.size(), 1u);
  ASSERT_EQ(one.wavefronts[0].words.size(), 1u);
  EXPECT_TRUE(one.wavefronts[0].words[0].is_broadcast());
  EXPECT_EQ(one.wavefronts[0].words[0].lanes, ~0u);

  // 16 bytes a lane: four phases, none of them a conflict.
  const SharedPieces wide = shared_pieces(analysis::strided(16, 16), h100);
  EXPECT_EQ(wide.phases, 4);
  ASSERT_EQ(wide.wavefronts.size(), 4u);
  EXPECT_EQ(wide.wavefronts[2].phase, 2);
  EXPECT_EQ(wide.wavefronts[2].lanes, 0x00ff0000u);
  EXPECT_EQ(wide.wavefronts[2].words.size(), 32u);
}

}  // namespace
}  // namespace warplens::analysis
