// The pictures of the programming guides and of the classic lectures, and the rules against their plain
// definition.
#include "engine/analysis/access.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "engine/analysis/testing/test_support.hpp"

namespace warplens::analysis {
namespace {

struct Traffic {
  int transactions, bytes;
  bool operator==(const Traffic&) const = default;
  friend void PrintTo(const Traffic& t, std::ostream* out) {
    *out << t.transactions << " of " << t.bytes << " bytes";
  }
};
Traffic global(const char* device, const WarpAccess& access) {
  const GlobalCounts cost = count_global(access, device_of(device));
  EXPECT_EQ(cost.requests, 1);
  EXPECT_EQ(cost.bytes_moved, 32 * cost.sectors);
  return {cost.transactions, cost.bytes_moved};
}
WarpAccess swapped(WarpAccess access, int a, int b) {
  std::swap(access.address[a], access.address[b]);
  return access;
}

// Guide 4.2, figure F-1, left column: "aligned and sequential", addresses from 128 on.
TEST(Coalescing, AlignedAndSequential) {
  const WarpAccess access = strided(4, 4, 128);
  EXPECT_EQ(global("1.0", access), (Traffic{2, 128}));
  EXPECT_EQ(global("1.3", access), (Traffic{2, 128}));
  EXPECT_EQ(global("2.0", access), (Traffic{1, 128}));
  EXPECT_EQ(global("h100", access), (Traffic{4, 128}));
}

// Figure F-1, middle: "aligned and non-sequential" costs 32 transactions of 32 bytes before 1.2, nothing
// after.
TEST(Coalescing, PermutedWithinEachHalfWarp) {
  const WarpAccess access = swapped(swapped(strided(4, 4, 128), 3, 4), 20, 21);
  EXPECT_EQ(global("1.0", access), (Traffic{32, 1024}));
  EXPECT_EQ(global("1.1", access), (Traffic{32, 1024}));
  EXPECT_EQ(global("1.2", access), (Traffic{2, 128}));
  EXPECT_EQ(global("2.0", access), (Traffic{1, 128}));
}

TEST(Coalescing, HalfWarpsAreIndependent) {
  EXPECT_EQ(global("1.0", swapped(strided(4, 4), 3, 4)), (Traffic{17, 16 * 32 + 64}));
}

// Figure F-1, right: "misaligned and sequential": 128 + 64 + 32 bytes on 1.2 and 1.3, two lines on 2.x.
TEST(Coalescing, MisalignedByOneWord) {
  const WarpAccess access = strided(4, 4, 132);
  EXPECT_EQ(global("1.0", access), (Traffic{32, 1024}));
  EXPECT_EQ(global("1.3", access), (Traffic{3, 128 + 64 + 32}));
  EXPECT_EQ(global("2.0", access), (Traffic{2, 256}));
  EXPECT_EQ(global("8.6", access), (Traffic{5, 160}));
}

TEST(Coalescing, SomeLanesDoNotTakePart) {
  WarpAccess access = strided(4, 4);
  access.active = 0xfff7ff7du;
  EXPECT_EQ(global("1.0", access), (Traffic{2, 128}));
  access.active = 0x0000f000u;  // lanes 12 to 15: still the one aligned segment of that half-warp
  EXPECT_EQ(global("1.0", access), (Traffic{1, 64}));
  EXPECT_EQ(global("1.3", access), (Traffic{1, 32}));
  access.active = 0x00000003u;
  EXPECT_EQ(global("1.0", swapped(access, 0, 1)), (Traffic{2, 64}));
}

// float3: three reads of stride 12. Lectures: uncoalesced, ten times slower, on 1.0.
TEST(Coalescing, StructureOfTwelveBytes) {
  EXPECT_EQ(global("1.0", strided(4, 12)), (Traffic{32, 1024}));
  EXPECT_EQ(global("1.3", strided(4, 12)), (Traffic{4, 128 + 64 + 64 + 128}));
  EXPECT_EQ(global("2.0", strided(4, 12)), (Traffic{3, 384}));
  EXPECT_EQ(global("h100", strided(4, 12)), (Traffic{12, 384}));
}

TEST(Coalescing, StrideOfTwoWords) {
  EXPECT_EQ(global("1.0", strided(4, 8)), (Traffic{32, 1024}));
  EXPECT_EQ(global("1.3", strided(4, 8)), (Traffic{2, 256}));
  EXPECT_EQ(global("2.0", strided(4, 8)), (Traffic{2, 256}));
  EXPECT_EQ(global("h100", strided(4, 8)), (Traffic{8, 256}));
}

TEST(Coalescing, EightAndSixteenBytesALane) {
  EXPECT_EQ(global("1.0", strided(8, 8)), (Traffic{2, 256}));
  EXPECT_EQ(global("1.0", strided(16, 16)), (Traffic{4, 512}));
  EXPECT_EQ(global("1.0", strided(8, 8, 64)), (Traffic{32, 1024}));  // segments of 8-byte words start at 128
  EXPECT_EQ(global("1.3", strided(16, 16)), (Traffic{4, 512}));
  EXPECT_EQ(global("2.0", strided(16, 16)), (Traffic{4, 512}));
  // Half-warps ask for one line each, though it is the same line.
  EXPECT_EQ(global("2.0", strided(8, 0)), (Traffic{2, 256}));
}

TEST(Coalescing, BytesAndShortsNeverCoalesceBefore12) {
  EXPECT_EQ(global("1.0", strided(1, 1)), (Traffic{32, 1024}));
  EXPECT_EQ(global("1.3", strided(1, 1)), (Traffic{2, 64}));
  EXPECT_EQ(global("1.3", strided(2, 2)), (Traffic{2, 64}));
  EXPECT_EQ(global("1.3", strided(2, 4)), (Traffic{2, 128}));
}

TEST(Coalescing, AllLanesOneWord) {
  EXPECT_EQ(global("1.0", strided(4, 0)), (Traffic{32, 1024}));
  EXPECT_EQ(global("1.3", strided(4, 0)), (Traffic{2, 64}));
  EXPECT_EQ(global("2.0", strided(4, 0)), (Traffic{1, 128}));
  EXPECT_EQ(global("h100", strided(4, 0)), (Traffic{1, 32}));
}

TEST(Coalescing, FermiStoresGoToL2InSectors) {
  WarpAccess store = strided(4, 128);
  store.op = AccessOp::store;
  EXPECT_EQ(global("2.0", store), (Traffic{32, 1024}));
  store.op = AccessOp::load;
  EXPECT_EQ(global("2.0", store), (Traffic{32, 4096}));
}

TEST(Coalescing, IdealCountsDistinctBytes) {
  const device::Device h100 = device_of("h100");
  EXPECT_EQ(count_global(strided(4, 128), h100).ideal_sectors, 4);
  EXPECT_EQ(count_global(strided(4, 128), h100).bytes_used, 128);
  EXPECT_EQ(count_global(strided(4, 0), h100).bytes_used, 4);
  EXPECT_EQ(count_global(strided(16, 16), h100).ideal_sectors, 16);
}

TEST(Access, NoActiveLaneCostsNothing) {
  WarpAccess access = strided(4, 4);
  access.active = 0;
  for (const char* id : {"1.0", "1.3", "2.0", "3.0", "h100"}) {
    const GlobalCounts g = count_global(access, device_of(id));
    const SharedCounts s = count_shared(access, device_of(id));
    EXPECT_EQ(g.requests + g.sectors + g.transactions + g.bytes_used + g.ideal_sectors, 0) << id;
    EXPECT_EQ(s.requests + s.wavefronts + s.ideal_wavefronts, 0) << id;
  }
}

struct Waves {
  int wavefronts, ideal;
  bool operator==(const Waves&) const = default;
  friend void PrintTo(const Waves& w, std::ostream* out) { *out << w.wavefronts << " of ideal " << w.ideal; }
};
Waves shared(const char* device, const WarpAccess& access) {
  const SharedCounts cost = count_shared(access, device_of(device));
  EXPECT_EQ(cost.requests, 1);
  return {cost.wavefronts, cost.ideal_wavefronts};
}

// The lectures' bank pictures, 16 banks and half-warps: a wavefront each is free of conflicts.
TEST(Banks, StridesOnTeslaChips) {
  EXPECT_EQ(shared("1.0", strided(4, 4)), (Waves{2, 2}));
  EXPECT_EQ(shared("1.0", strided(4, 8)), (Waves{4, 2}));    // 2-way
  EXPECT_EQ(shared("1.3", strided(4, 32)), (Waves{16, 2}));  // stride 8: 8-way
  EXPECT_EQ(shared("1.3", strided(4, 64)), (Waves{32, 2}));  // a column of a 16-word tile: 16-way
  EXPECT_EQ(shared("1.3", strided(4, 68)), (Waves{2, 2}));   // the same tile padded to 17
  EXPECT_EQ(shared("1.3", strided(4, 12)), (Waves{2, 2}));   // float3 member: odd stride
}

TEST(Banks, PermutationAndBroadcastOnTeslaChips) {
  const auto permuted = access_of(AccessOp::load, 4, ~0u, [](int lane) { return 4 * (lane * 5 % 16); });
  EXPECT_EQ(shared("1.0", permuted), (Waves{2, 2}));
  EXPECT_EQ(shared("1.0", strided(4, 0)), (Waves{2, 2}));
  // Guide 4.2, figure F-3, middle: five lanes share a word of bank 5, the others have banks of their own.
  const auto shared_word = access_of(AccessOp::load, 4, 0xffffu, [](int lane) {
    return 4 * (lane == 3 || lane == 4 || lane == 6 || lane == 7 || lane == 9 ? 5 : lane);
  });
  EXPECT_EQ(shared("1.0", shared_word), (Waves{1, 1}));
  // Only one word is broadcast at a time: eight lanes on each of two words take two steps; from 2.0 on one.
  const auto two_words = access_of(AccessOp::load, 4, 0xffffu, [](int lane) { return 4 * (lane % 2); });
  EXPECT_EQ(shared("1.0", two_words), (Waves{2, 1}));
  EXPECT_EQ(shared("2.0", two_words), (Waves{1, 1}));
}

TEST(Banks, BytesAndWideWordsOnTeslaChips) {
  EXPECT_EQ(shared("1.0", strided(1, 1)), (Waves{8, 2}));  // char[tid]: four lanes a bank
  EXPECT_EQ(shared("1.0", strided(1, 4)), (Waves{2, 2}));  // char[4 * tid]: none
  EXPECT_EQ(shared("1.0", strided(8, 8)), (Waves{8, 4}));  // two requests of stride 2: 2-way each
  EXPECT_EQ(shared("1.0", strided(16, 16)), (Waves{32, 8}));
}

TEST(Banks, StoresOnTeslaChips) {
  WarpAccess store = strided(4, 0);
  store.op = AccessOp::store;
  EXPECT_EQ(shared("1.0", store), (Waves{2, 2}));  // one of the lanes writes
  store = strided(4, 8);
  store.op = AccessOp::store;
  EXPECT_EQ(shared("1.0", store), (Waves{4, 2}));
  store = strided(1, 1);
  store.op = AccessOp::store;
  EXPECT_EQ(shared("1.0", store), (Waves{8, 2}));
}

TEST(Banks, FermiHas32BanksAndWholeWarps) {
  EXPECT_EQ(shared("2.0", strided(4, 4)), (Waves{1, 1}));
  EXPECT_EQ(shared("2.0", strided(4, 8)), (Waves{2, 1}));  // figure F-2, middle
  EXPECT_EQ(shared("2.0", strided(4, 128)), (Waves{32, 1}));
  EXPECT_EQ(shared("2.0", strided(1, 1)), (Waves{1, 1}));    // char[tid]: no longer a conflict
  EXPECT_EQ(shared("2.0", strided(8, 8)), (Waves{2, 2}));    // double[tid]: by half-warps
  EXPECT_EQ(shared("2.0", strided(16, 16)), (Waves{8, 4}));  // 128-bit: one way more in each quarter-warp
}

TEST(Banks, KeplerPairsWordsOfA64WordSegment) {
  EXPECT_EQ(shared("3.5", strided(4, 4)), (Waves{1, 1}));
  EXPECT_EQ(shared("3.5", strided(4, 8)), (Waves{1, 1}));  // figure F-2, middle: no conflict on 3.0
  EXPECT_EQ(shared("3.5", strided(4, 128)), (Waves{16, 1}));
  EXPECT_EQ(shared("3.5", strided(8, 8)), (Waves{1, 1}));
  EXPECT_EQ(shared("3.5", strided(16, 16)), (Waves{2, 2}));
}

TEST(Banks, WideLoadsAreIdealAtTwoAndFourWavefronts) {
  EXPECT_EQ(shared("h100", strided(8, 8)), (Waves{2, 2}));
  EXPECT_EQ(shared("h100", strided(16, 16)), (Waves{4, 4}));
  EXPECT_EQ(shared("h100", strided(4, 128)), (Waves{32, 1}));
  EXPECT_EQ(shared("h100", strided(4, 132)), (Waves{1, 1}));
  EXPECT_EQ(shared("h100", strided(2, 2)), (Waves{1, 1}));
  EXPECT_EQ(shared("h100", strided(1, 1)), (Waves{1, 1}));
}

TEST(Banks, PhasesMergeForLoadsOfEqualPairsOnly) {
  const auto pairs = [](AccessOp op) {
    return access_of(op, 16, ~0u, [](int lane) { return 16 * (lane / 2); });
  };
  EXPECT_EQ(shared("h100", pairs(AccessOp::load)), (Waves{2, 2}));
  EXPECT_EQ(shared("h100", pairs(AccessOp::store)), (Waves{4, 4}));
  const auto pairs_of_two =
      access_of(AccessOp::load, 8, ~0u, [](int lane) { return 8 * (lane / 4 * 2 + lane % 2); });
  EXPECT_EQ(shared("h100", pairs_of_two), (Waves{1, 1}));
  EXPECT_EQ(shared("h100", swapped(pairs(AccessOp::load), 1, 31)), (Waves{4, 4}));
}

// Random accesses with few or many collisions, any mask.
WarpAccess drawn(std::mt19937& random) {
  const int width = 1 << random() % 5;
  const auto span = 1u << (2 + random() % 9);
  const auto mask = random() % 3 == 0 ? 0xffffffffu : static_cast<std::uint32_t>(random());
  const auto op = random() % 2 ? AccessOp::load : AccessOp::store;
  const unsigned repeat = 1u << random() % 3;
  std::array<std::uint64_t, 32> element{};
  for (auto& e : element) e = random() % span;
  return access_of(op, width, mask, [&](int lane) {
    return element[static_cast<unsigned>(lane) / repeat] * static_cast<unsigned>(width);
  });
}

// ways() as hardware/README.md defines it, on 4-byte words.
int plain_ways(const WarpAccess& access, int first, int lanes) {
  std::map<std::uint64_t, std::set<std::uint64_t>> words_of_bank;
  std::size_t most = 0;
  for (int lane = first; lane < first + lanes; ++lane)
    for (int byte = 0; byte < access.width && (access.active >> lane & 1) != 0; ++byte) {
      const std::uint64_t word = (access.address[lane] + static_cast<unsigned>(byte)) / 4;
      words_of_bank[word % 32].insert(word);
      most = std::max(most, words_of_bank[word % 32].size());
    }
  return static_cast<int>(most);
}
bool plain_merge(const WarpAccess& access, int distance) {
  for (int lane = 0; lane < 32; ++lane) {
    const int other = lane ^ distance;
    if ((access.active >> lane & 1) && (access.active >> other & 1) &&
        access.address[lane] != access.address[other])
      return false;
  }
  return true;
}

TEST(Access, SharedRuleEqualsItsDefinition) {
  const device::Device h100 = device_of("h100");
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    const WarpAccess access = drawn(random);
    int lanes = access.width == 16 ? 8 : access.width == 8 ? 16 : 32;
    if (access.op == AccessOp::load && lanes < 32 && (plain_merge(access, 1) || plain_merge(access, 2)))
      lanes *= 2;
    int wavefronts = 0, ideal = 0;
    for (int first = 0; first < 32; first += lanes) {
      wavefronts += plain_ways(access, first, lanes);
      ideal += plain_ways(access, first, lanes) > 0;
    }
    const SharedCounts cost = count_shared(access, h100);
    ASSERT_EQ(cost.wavefronts, wavefronts) << i;
    ASSERT_EQ(cost.ideal_wavefronts, ideal) << i;
  }
}

TEST(Access, GlobalRuleEqualsItsDefinition) {
  const device::Device h100 = device_of("h100");
  std::mt19937 random(8);
  for (int i = 0; i < 20000; ++i) {
    const WarpAccess access = drawn(random);
    std::set<std::uint64_t> sectors, bytes;
    for (int lane = 0; lane < 32; ++lane)
      for (int byte = 0; byte < access.width && (access.active >> lane & 1) != 0; ++byte) {
        bytes.insert(access.address[lane] + static_cast<unsigned>(byte));
        sectors.insert((access.address[lane] + static_cast<unsigned>(byte)) / 32);
      }
    const GlobalCounts cost = count_global(access, h100);
    ASSERT_EQ(cost.sectors, static_cast<int>(sectors.size())) << i;
    ASSERT_EQ(cost.bytes_used, static_cast<int>(bytes.size())) << i;
    ASSERT_EQ(cost.ideal_sectors, static_cast<int>((bytes.size() + 31) / 32)) << i;
  }
}

// What must hold on every device: nothing is cheaper than ideal, and every byte asked for is moved.
TEST(Access, EveryDeviceMovesAtLeastWhatIsAsked) {
  for (const char* id : {"1.0", "1.3", "2.1", "3.7", "5.2", "7.0", "8.9", "12.1"}) {
    const device::Device device = device_of(id);
    std::mt19937 random(9);
    for (int i = 0; i < 3000; ++i) {
      const WarpAccess access = drawn(random);
      const GlobalCounts g = count_global(access, device);
      const SharedCounts s = count_shared(access, device);
      ASSERT_GE(g.bytes_moved, g.bytes_used) << id;
      ASSERT_GE(g.sectors, g.ideal_sectors) << id;
      ASSERT_GE(s.wavefronts, s.ideal_wavefronts) << id;
      ASSERT_EQ(g.requests, access.active != 0) << id;
    }
  }
}

}  // namespace
}  // namespace warplens::analysis
