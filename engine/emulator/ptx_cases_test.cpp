// Instructions that are neither arithmetic nor plain memory accesses, one short case each: shuffles, votes,
// atomics, barriers, copies, packing, special registers. Expected values are computed here, apart from the
// emulator's own code.
#include <algorithm>
#include <bit>
#include <functional>

#include "engine/emulator/testing/ptx_trial.hpp"

namespace warplens::emulator {
namespace {

// ---- warp

TEST(Warp, ShufflesOfEveryModeAndSegment) {
  const Words in = random_words(64);
  for (const char* mode : {"up", "down", "bfly", "idx"}) {
    for (const std::uint32_t width : {32u, 16u, 8u, 4u, 2u, 1u}) {
      for (const std::uint32_t b : {0u, 1u, 3u, 5u, 16u, 31u}) {
        const std::uint32_t clamp = std::string(mode) == "up" ? 0 : 31, c = (32 - width) << 8 | clamp;
        const Words out = run("ld.global.b32 %r1, [%in];\nshfl.sync." + std::string(mode) +
                                  ".b32 %r2|%p1, %r1, " + std::to_string(b) + ", " + std::to_string(c) +
                                  ", -1;\nselp.b32 %r3, 1, 0, %p1;\nst.global.v2.b32 [%out], {%r2, %r3};\n",
                              in);
        ASSERT_FALSE(out.empty());
        for (std::uint32_t t = 0; t < 64; ++t) {
          const int lane = static_cast<int>(t % 32),
                    first = lane / static_cast<int>(width) * static_cast<int>(width);
          const int last = first + static_cast<int>(width) - 1, d = static_cast<int>(b);
          // CUDA C++ Programming Guide, "Warp Shuffle Functions", in terms of width.
          const int from = std::string(mode) == "up"     ? lane - d
                           : std::string(mode) == "down" ? lane + d
                           : std::string(mode) == "bfly" ? lane ^ d
                                                         : first + d % static_cast<int>(width);
          const bool inside = std::string(mode) == "up" ? from >= first : from <= last;
          const std::uint32_t source = inside ? t / 32 * 32 + static_cast<std::uint32_t>(from) : t;
          ASSERT_EQ(out[t * 8], in[source * 8]) << mode << " " << width << " " << b << " thread " << t;
          ASSERT_EQ(out[t * 8 + 1], inside ? 1u : 0u) << mode << " " << width << " " << b << " thread " << t;
        }
      }
    }
  }
}

TEST(Warp, VotesMatchesAndReductions) {
  Words in = random_words(64);
  for (std::uint32_t t = 0; t < 64; ++t) in[t * 8] %= 5, in[t * 8 + 1] = t < 32 ? 7 : 8;
  const Words out =
      run("ld.global.b32 %r1, [%in];\nld.global.b32 %r2, [%in+4];\nsetp.gt.u32 %p1, %r1, 2;\n"
          "vote.sync.ballot.b32 %r3, %p1, -1;\nst.global.b32 [%out], %r3;\n"
          "vote.sync.ballot.b32 %r3, !%p1, -1;\nmatch.any.sync.b32 %r4, %r1, -1;\nst.global.v2.b32 [%out+8], "
          "{%r3, %r4};\n"
          "match.all.sync.b32 %r5|%p2, %r2, -1;\nmatch.all.sync.b32 %r6|%p3, %r1, -1;\nselp.b32 %r7, 1, 0, "
          "%p2;\n@%p3 add.u32 %r7, %r7, 2;\n"
          "st.global.v2.b32 [%out+16], {%r5, %r7};\nactivemask.b32 %r8;\nelect.sync %r9|%p4, -1;\n@%p4 "
          "add.u32 %r8, %r8, 1;\n"
          "st.global.b32 [%out+24], %r8;\nst.global.b32 [%out+4], %r6;\n",
          in);
  for (std::uint32_t t = 0; t < 64; ++t) {
    std::uint32_t ballot = 0, same = 0;
    for (std::uint32_t l = 0; l < 32; ++l) {
      const std::uint32_t v = in[(t / 32 * 32 + l) * 8];
      ballot |= v > 2 ? 1u << l : 0;
      same |= v == in[t * 8] ? 1u << l : 0;
    }
    EXPECT_EQ(out[t * 8], ballot);
    EXPECT_EQ(out[t * 8 + 1], 0u);
    EXPECT_EQ(out[t * 8 + 2], ~ballot);
    EXPECT_EQ(out[t * 8 + 3], same);
    EXPECT_EQ(out[t * 8 + 4], ~0u);
    EXPECT_EQ(out[t * 8 + 5], 1u);
    EXPECT_EQ(out[t * 8 + 6], t % 32 == 0 ? 0u : ~0u);
  }
}

// What tiles of cooperative groups do: each quarter of the warp gives its own mask to the same instruction.
TEST(Warp, LanesWithOneMaskAreAGroup) {
  Words in = random_words(64, 5);
  for (std::uint32_t t = 0; t < 64; ++t)
    in[t * 8] %= t % 16 < 8 ? 3 : 1, in[t * 8 + 1] = 0xffu << t % 32 / 8 * 8;
  const Words out = run(
      "ld.global.b32 %r1, [%in];\nld.global.b32 %r2, [%in+4];\nsetp.gt.u32 %p1, %r1, 0;\n"
      "vote.sync.ballot.b32 %r3, %p1, %r2;\nmatch.any.sync.b32 %r4, %r1, %r2;\n"
      "redux.sync.add.u32 %r5, %r1, %r2;\nelect.sync %r6|%p4, %r2;\n"
      "st.global.v4.b32 [%out], {%r3, %r4, %r5, %r6};\nvote.sync.any.pred %p2, %p1, %r2;\n"
      "vote.sync.all.pred %p3, %p1, %r2;\nmatch.all.sync.b32 %r7|%p5, %r1, %r2;\nselp.b32 %r8, 1, 0, %p2;\n"
      "@%p3 add.u32 %r8, %r8, 2;\n@%p4 add.u32 %r8, %r8, 4;\n@%p5 add.u32 %r8, %r8, 8;\n"
      "st.global.v2.b32 [%out+16], {%r7, %r8};\n",
      in);
  for (std::uint32_t t = 0; t < 64; ++t) {
    const std::uint32_t first = t / 8 * 8, mask = in[t * 8 + 1];
    std::uint32_t ballot = 0, same = 0, total = 0;
    for (std::uint32_t other = first; other < first + 8; ++other) {
      const std::uint32_t value = in[other * 8], bit = 1u << other % 32;
      ballot |= value > 0 ? bit : 0;
      same |= value == in[t * 8] ? bit : 0;
      total += value;
    }
    EXPECT_EQ(out[t * 8], ballot);
    EXPECT_EQ(out[t * 8 + 1], same);
    EXPECT_EQ(out[t * 8 + 2], total);
    EXPECT_EQ(out[t * 8 + 3], first % 32);
    EXPECT_EQ(out[t * 8 + 4], same == mask ? mask : 0);
    EXPECT_EQ(out[t * 8 + 5],
              (ballot != 0) + 2u * (ballot == mask) + 4u * (t == first) + 8u * (same == mask));
  }
}

TEST(Warp, ReductionsOfEveryOperation) {
  const Words in = random_words(64, 3);
  struct Op {
    const char* name;
    std::function<std::uint32_t(std::uint32_t, std::uint32_t)> combine;
  };
  const auto s = [](std::uint32_t v) { return static_cast<std::int32_t>(v); };
  const Op ops[] = {
      {"add.u32", [](auto a, auto b) { return a + b; }},
      {"add.s32", [](auto a, auto b) { return a + b; }},
      {"min.u32", [](auto a, auto b) { return std::min(a, b); }},
      {"max.u32", [](auto a, auto b) { return std::max(a, b); }},
      {"min.s32", [s](auto a, auto b) { return s(a) < s(b) ? a : b; }},
      {"max.s32", [s](auto a, auto b) { return s(a) > s(b) ? a : b; }},
      {"and.b32", [](auto a, auto b) { return a & b; }},
      {"or.b32", [](auto a, auto b) { return a | b; }},
      {"xor.b32", [](auto a, auto b) { return a ^ b; }},
  };
  for (const Op& op : ops) {
    const Words out = run("ld.global.b32 %r1, [%in];\nredux.sync." + std::string(op.name) +
                              " %r2, %r1, -1;\nst.global.b32 [%out], %r2;\n",
                          in);
    for (std::uint32_t t = 0; t < 64; ++t) {
      std::uint32_t total = in[t / 32 * 256];
      for (std::uint32_t l = 1; l < 32; ++l) total = op.combine(total, in[(t / 32 * 32 + l) * 8]);
      ASSERT_EQ(out[t * 8], total) << op.name;
    }
  }
}

// ---- atomics: all threads on few words, the old values all different where the operation makes them so

template <class T>
struct Update {
  const char* name;
  std::function<T(T, T)> apply;
};
template <class T>
void check_atomics(const std::vector<Update<T>>& updates) {
  Words in = random_words(64, 9);
  for (std::uint32_t t = 0; t < 64; t += 3) in[t * 8] %= 50, in[t * 8 + 1] = 0;  // also some small numbers
  const std::string r = sizeof(T) == 8 ? "%d" : "%r", bits = std::to_string(sizeof(T) * 8);
  for (const Update<T>& update : updates) {
    for (const bool shared : {false, true}) {
      // Word 0 of the block: in the output of thread 0 at byte 16, or in shared memory. Lanes go in ascending
      // order.
      std::string text = "ld.global.b" + bits + " " + r + "1, [%in];\nmov.b" + bits + " " + r +
                         "2, 100;\nld.param.u64 %d5, [out];\nadd.s64 %d5, %d5, 16;\n";
      if (shared) text += "mov.u64 %d5, tile;\n";
      const std::string space = shared ? "shared" : "global";
      text +=
          "setp.eq.u32 %p1, %t, 0;\n@%p1 st." + space + ".b" + bits + " [%d5], " + r + "2;\nbar.sync 0;\n";
      text += "setp.lt.u32 %p2, %t, 32;\n@%p2 atom." + space + "." + update.name + " " + r + "3, [%d5], " +
              r + "1;\nbar.sync 0;\n";
      text += "@!%p2 red." + space + "." + update.name + " [%d5], " + r + "1;\nbar.sync 0;\nld." + space +
              ".b" + bits + " " + r + "4, [%d5];\n";
      text +=
          "@%p2 st.global.b" + bits + " [%out], " + r + "3;\nst.global.b" + bits + " [%out+8], " + r + "4;\n";
      const Words out = run(text, in, {.open = 0b11});
      ASSERT_FALSE(out.empty()) << text;
      T value = 100;
      for (std::uint32_t t = 0; t < 64; ++t) {
        if (t < 32) {
          ASSERT_EQ(static_cast<T>(bits_at(out, t, 0, sizeof(T))), value) << update.name << " thread " << t;
        }
        value = update.apply(value, static_cast<T>(bits_at(in, t, 0, sizeof(T))));
      }
      ASSERT_EQ(static_cast<T>(bits_at(out, 5, 8, sizeof(T))), value) << update.name;
    }
  }
}

TEST(Atomics, EveryIntegerOperation) {
  check_atomics<std::uint32_t>({{"add.u32", [](auto a, auto b) { return a + b; }},
                                {"and.b32", [](auto a, auto b) { return a & b; }},
                                {"or.b32", [](auto a, auto b) { return a | b; }},
                                {"xor.b32", [](auto a, auto b) { return a ^ b; }},
                                {"min.u32", [](auto a, auto b) { return std::min(a, b); }},
                                {"max.u32", [](auto a, auto b) { return std::max(a, b); }},
                                {"inc.u32", [](auto a, auto b) { return a >= b ? 0 : a + 1; }},
                                {"dec.u32", [](auto a, auto b) { return a == 0 || a > b ? b : a - 1; }}});
  check_atomics<std::int32_t>({{"min.s32", [](auto a, auto b) { return std::min(a, b); }},
                               {"max.s32", [](auto a, auto b) { return std::max(a, b); }},
                               {"add.s32", [](auto a, auto b) {
                                  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) +
                                                                   static_cast<std::uint32_t>(b));
                                }}});
  check_atomics<std::uint64_t>({{"add.u64", [](auto a, auto b) { return a + b; }},
                                {"and.b64", [](auto a, auto b) { return a & b; }},
                                {"or.b64", [](auto a, auto b) { return a | b; }},
                                {"xor.b64", [](auto a, auto b) { return a ^ b; }},
                                {"min.u64", [](auto a, auto b) { return std::min(a, b); }},
                                {"max.u64", [](auto a, auto b) { return std::max(a, b); }}});
  check_atomics<std::int64_t>({{"min.s64", [](auto a, auto b) { return std::min(a, b); }},
                               {"max.s64", [](auto a, auto b) { return std::max(a, b); }}});
}

TEST(Atomics, FloatsExchangeAndCompare) {
  Words in = random_words(64, 4);
  for (std::uint32_t t = 0; t < 64; ++t) {
    in[t * 8] = std::bit_cast<std::uint32_t>(static_cast<float>(t) * 0.37f - 3);
    const double d = t * 0.61 - 9;
    std::memcpy(&in[t * 8 + 2], &d, 8);
    in[t * 8 + 4] = 0x3c003800u + t * 0x00010001u;  // two halves
  }
  const Words out =
      run("mov.u64 %d5, tile;\nsetp.eq.u32 %p1, %t, 0;\nmov.b64 %d1, 0;\n@%p1 st.shared.v2.b64 [%d5], {%d1, "
          "%d1};\n@%p1 st.shared.v2.b64 [%d5+16], {%d1, %d1};\n"
          "bar.sync 0;\nld.global.f32 %f1, [%in];\natom.shared.add.f32 %f2, [%d5], %f1;\nld.global.b64 %d2, "
          "[%in+8];\n"
          "atom.shared.add.f64 %d3, [%d5+8], %d2;\nld.global.b32 %r3, [%in+16];\natom.shared.add.noftz.f16x2 "
          "%r4, [%d5+4], %r3;\n"
          "atom.shared.exch.b32 %r5, [%d5+16], %t;\nadd.u32 %r6, %t, 1;\natom.shared.cas.b32 %r7, [%d5+20], "
          "%t, %r6;\n"
          "st.global.f32 [%out], %f2;\nst.global.b32 [%out+4], %r5;\nst.global.b64 [%out+8], "
          "%d3;\nst.global.v2.b32 [%out+16], {%r7, %r4};\n",
          in, {.open = 0b111111});
  float sum = 0;
  double wide = 0;
  for (std::uint32_t t = 0; t < 64; ++t) {
    EXPECT_EQ(out[t * 8], std::bit_cast<std::uint32_t>(sum)) << t;
    EXPECT_EQ(out[t * 8 + 1], t == 0 ? 0 : t - 1);
    EXPECT_EQ(bits_at(out, t, 8, 8), std::bit_cast<std::uint64_t>(wide)) << t;
    EXPECT_EQ(out[t * 8 + 4], t);  // each finds what the one before it left
    sum += std::bit_cast<float>(in[t * 8]);
    double d = 0;
    std::memcpy(&d, &in[t * 8 + 2], 8);
    wide += d;
  }
  EXPECT_EQ(out[5], 0u);
  EXPECT_EQ(out[8 + 5], in[4]);  // 0 + the first pair of halves
}

// ---- barriers

TEST(Barriers, Reductions) {
  Words in = random_words(70, 5);
  in.resize(70 * 8);
  for (std::uint32_t t = 0; t < 70; ++t) in[t * 8] %= 3;
  const Words out =
      run("ld.global.b32 %r1, [%in];\nsetp.eq.u32 %p1, %r1, 1;\nbar.red.popc.u32 %r2, 0, "
          "%p1;\nbar.red.popc.u32 %r3, 0, !%p1;\n"
          "bar.red.and.pred %p2, 0, %p1;\nbar.red.or.pred %p3, 0, %p1;\nselp.b32 %r4, 1, 0, %p2;\nselp.b32 "
          "%r5, 1, 0, %p3;\n"
          "st.global.v4.b32 [%out], {%r2, %r3, %r4, %r5};\n",
          in, {{70, 1, 1}});
  std::uint32_t count = 0;
  for (std::uint32_t t = 0; t < 70; ++t) count += in[t * 8] == 1 ? 1 : 0;
  for (std::uint32_t t = 0; t < 70; ++t) {
    EXPECT_EQ(out[t * 8], count);
    EXPECT_EQ(out[t * 8 + 1], 70 - count);
    EXPECT_EQ(out[t * 8 + 2], 0u);
    EXPECT_EQ(out[t * 8 + 3], 1u);
  }
}

TEST(Barriers, CountsAreOfWholeWarps) {
  // 40 threads are two warps: a barrier for 64 is complete with them.
  Words in(40 * 8, 0);
  const Words out = run("bar.sync 3, 64;\nst.global.b32 [%out], %t;\n", in, {{40, 1, 1}});
  for (std::uint32_t t = 0; t < 40; ++t) EXPECT_EQ(out[t * 8], t);
}

// ---- cp.async

TEST(AsyncCopies, ArriveWhenTheirGroupIsWaitedFor) {
  const Words in = random_words(64, 6);
  const std::string before =
      "mov.u32 %r9, 111;\ncvt.u32.u64 %r1, %tile;\nst.shared.v4.b32 [%r1], {%r9, %r9, %r9, %r9};\n"
      "cp.async.ca.shared.global [%r1], [%in], 4;\ncp.async.commit_group;\ncp.async.ca.shared.global "
      "[%r1+4], [%in+4], 4;\n"
      "cp.async.commit_group;\ncp.async.ca.shared.global [%r1+8], [%in+8], 4;\ncp.async.commit_group;\n"
      "cp.async.ca.shared.global [%r1+12], [%in+12], 4;\n";
  const std::string after =
      "ld.shared.v4.b32 {%r2, %r3, %r4, %r5}, [%r1];\nst.global.v4.b32 [%out], {%r2, %r3, %r4, %r5};\n";
  const struct {
    const char* wait;
    std::size_t arrived;
  } waits[] = {{"", 0},
               {"cp.async.wait_group 3;\n", 0},
               {"cp.async.wait_group 2;\n", 1},
               {"cp.async.wait_group 1;\n", 2},
               {"cp.async.wait_group 0;\n", 3},
               {"cp.async.wait_all;\n", 4}};
  for (const auto& wait : waits) {
    const Words out = run(before + wait.wait + after, in, {.open = 0b1111u << wait.arrived & 0b1111u});
    for (std::uint32_t t = 0; t < 64; ++t)
      for (std::size_t w = 0; w < 4; ++w)
        ASSERT_EQ(out[t * 8 + w], w < wait.arrived ? in[t * 8 + w] : 111u) << wait.wait << " word " << w;
  }
}

TEST(AsyncCopies, OfSomeBytesOrNone) {
  const Words in = random_words(64, 7);
  const Words out =
      run("cvt.u32.u64 %r1, %tile;\nand.b32 %r2, %t, 15;\nand.b32 %r3, %t, 3;\nsetp.eq.u32 %p1, %r3, 0;\n"
          "cp.async.cg.shared.global [%r1], [%in], 16, %r2;\ncp.async.wait_all;\nld.shared.v4.b32 {%r4, %r5, "
          "%r6, %r7}, [%r1];\n"
          "st.global.v4.b32 [%out], {%r4, %r5, %r6, %r7};\n",
          in);
  for (std::uint32_t t = 0; t < 64; ++t)
    for (std::uint32_t b = 0; b < 16; ++b)
      ASSERT_EQ(bits_at(out, t, b, 1), b < t % 16 ? bits_at(in, t, b, 1) : 0) << t;
}

// ---- packing, selecting, branching

TEST(Moves, PackAndUnpack) {
  const Words in = random_words(64, 8);
  const Words out =
      run("ld.global.b64 %d1, [%in];\nmov.b64 {%r1, %r2}, %d1;\nmov.b64 %d2, {%r2, %r1};\nst.global.b64 "
          "[%out], %d2;\n"
          "mov.b32 {%h1, %h2}, %r1;\nmov.b32 %r3, {%h2, %h1};\nst.global.b32 [%out+8], %r3;\nmov.b64 {%h3, "
          "%h4, %h5, %h6}, %d1;\n"
          "mov.b64 %d3, {%h6, %h5, %h4, %h3};\nst.global.b64 [%out+16], %d3;\nmov.b64 {_, %r4}, "
          "%d1;\nst.global.b32 [%out+12], %r4;\n",
          in);
  for (std::uint32_t t = 0; t < 64; ++t) {
    const std::uint32_t a = in[t * 8], b = in[t * 8 + 1];
    EXPECT_EQ(out[t * 8], b);
    EXPECT_EQ(out[t * 8 + 1], a);
    EXPECT_EQ(out[t * 8 + 2], a >> 16 | a << 16);
    EXPECT_EQ(out[t * 8 + 3], b);
    EXPECT_EQ(out[t * 8 + 4], b >> 16 | b << 16);
    EXPECT_EQ(out[t * 8 + 5], a >> 16 | a << 16);
  }
}

// A predicate that all lanes compute from the same values, but that only some lanes have written last.
TEST(Moves, SelectByPredicatesThatPartedLanesSet) {
  const Words out =
      run("setp.eq.u32 %p1, %n, 4;\nsetp.lt.u32 %p2, %t, 9;\n@%p2 bra L;\nsetp.eq.u32 %p1, %n, "
          "5;\nL:\nselp.b32 %r1, 10, 20, %p1;\n"
          "selp.b64 %d1, 30, 40, !%p1;\nlop3.or.b32 %r2|%p3, %n, %n, %n, 0, %p1;\nselp.b32 %r3, 1, 0, "
          "%p3;\nst.global.v2.b32 [%out], {%r1, %r3};\n"
          "st.global.b64 [%out+8], %d1;\n@%p1 mov.u32 %r4, 77;\n@!%p1 mov.u32 %r4, 88;\nst.global.b32 "
          "[%out+16], %r4;\n",
          Words(64 * 8));
  for (std::uint32_t t = 0; t < 64; ++t) {
    EXPECT_EQ(out[t * 8], t < 9 ? 20u : 10u) << t;
    EXPECT_EQ(out[t * 8 + 1], t < 9 ? 0u : 1u) << t;
    EXPECT_EQ(out[t * 8 + 2], t < 9 ? 30u : 40u) << t;
    EXPECT_EQ(out[t * 8 + 4], t < 9 ? 88u : 77u) << t;
  }
}

// setp with a predicate: of lanes and uniform, negated, into the register that it reads, by some lanes only.
TEST(Moves, ComparesCombineWithAPredicate) {
  struct Case {
    std::string text;  // sets %p1 of %r1, %r2 and %p2, which is %odd
    bool (*f)(std::uint32_t a, std::uint32_t b, bool odd, std::uint32_t t);
  };
  const Case cases[] = {
      {"setp.lt.and.u32 %p1, %r1, %r2, %p2;", [](auto a, auto b, bool q, auto) { return a < b && q; }},
      {"setp.lt.or.u32 %p1, %r1, %r2, %p2;", [](auto a, auto b, bool q, auto) { return a < b || q; }},
      {"setp.lt.xor.u32 %p1, %r1, %r2, %p2;", [](auto a, auto b, bool q, auto) { return (a < b) != q; }},
      {"setp.lt.and.u32 %p1, %r1, %r2, !%p2;", [](auto a, auto b, bool q, auto) { return a < b && !q; }},
      {"setp.lt.or.u32 %p1, %r1, %r2, !%p2;", [](auto a, auto b, bool q, auto) { return a < b || !q; }},
      {"mov.pred %p1, %p2; setp.lt.and.u32 %p1, %r1, %r2, %p1;",
       [](auto a, auto b, bool q, auto) { return a < b && q; }},
      {"mov.pred %p1, %p2; setp.lt.xor.u32 %p1, %r1, %r2, !%p1;",
       [](auto a, auto b, bool q, auto) { return (a < b) != !q; }},
      {"setp.eq.and.u32 %p1, %n, 5, %p2;", [](auto, auto, bool q, auto) { return q; }},
      {"setp.ne.or.u32 %p1, %n, 5, !%p2;", [](auto, auto, bool q, auto) { return !q; }},
      {"setp.eq.u32 %p1, %n, 5; setp.lt.u32 %p3, %t, 9; @%p3 setp.lt.and.u32 %p1, %r1, %r2, %p2;",
       [](auto a, auto b, bool q, auto t) { return t >= 9 || (a < b && q); }},
  };
  const Words in = random_words(64);
  for (const Case& one : cases) {
    const Words out = run("ld.global.v2.b32 {%r1, %r2}, [%in];\nmov.pred %p2, %odd;\n" + one.text +
                              "\nselp.b32 %r3, 1, 0, %p1;\nst.global.b32 [%out], %r3;\n",
                          in);
    ASSERT_FALSE(out.empty()) << one.text;
    for (std::uint32_t t = 0; t < 64; ++t)
      EXPECT_EQ(out[t * 8], one.f(in[t * 8], in[t * 8 + 1], t % 2 == 1, t) ? 1u : 0u) << one.text << t;
  }
}

TEST(Moves, Isspacep) {
  const Words out =
      run("cvta.shared.u64 %d1, %tile;\ncvta.local.u64 %d2, %mine;\nisspacep.shared %p1, "
          "%d1;\nisspacep.local %p2, %d1;\nisspacep.global %p3, %d1;\n"
          "selp.b32 %r1, 1, 0, %p1;\n@%p2 add.u32 %r1, %r1, 2;\n@%p3 add.u32 %r1, %r1, 4;\nisspacep.shared "
          "%p1, %d2;\nisspacep.local %p2, %d2;\n"
          "isspacep.global %p3, %d2;\nselp.b32 %r2, 1, 0, %p1;\n@%p2 add.u32 %r2, %r2, 2;\n@%p3 add.u32 %r2, "
          "%r2, 4;\n"
          "isspacep.global %p3, %in;\nselp.b32 %r3, 4, 0, %p3;\nst.global.b32 [%out], %r1;\nst.global.v2.b32 "
          "[%out+8], {%r2, %r3};\n",
          Words(64 * 8));
  for (std::uint32_t t = 0; t < 64; ++t) {
    EXPECT_EQ(out[t * 8], 1u);
    EXPECT_EQ(out[t * 8 + 2], 2u);
    EXPECT_EQ(out[t * 8 + 3], 4u);
  }
}

TEST(SpecialRegisters, InBlocksOfEveryShape) {
  for (const auto& block : {std::array<std::uint32_t, 3>{32, 1, 1},
                            {7, 5, 3},
                            {33, 2, 1},
                            {1, 1, 1},
                            {1, 40, 1},
                            {2, 1, 30},
                            {64, 2, 1},
                            {16, 2, 2}}) {
    const std::uint32_t threads = block[0] * block[1] * block[2];
    const Words out = run(
        // The block's own number of the thread, from the three indices.
        "mov.u32 %r1, %tid.y;\nmov.u32 %r2, %tid.z;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, "
        "%ntid.y;\nmad.lo.u32 %r5, %r2, %r4, %r1;\n"
        "mad.lo.u32 %r5, %r5, %r3, %t;\nld.param.u64 %out, [out];\nmul.wide.u32 %o, %r5, 32;\nadd.s64 %out, "
        "%out, %o;\n"
        "st.global.v4.b32 [%out], {%t, %r1, %r2, %r5};\nmov.u32 %r6, %laneid;\nmov.u32 %r7, "
        "%lanemask_lt;\nmov.u32 %r8, %lanemask_ge;\n"
        "mov.u32 %r9, %lanemask_eq;\nadd.u32 %r7, %r7, %r9;\nxor.b32 %r7, %r7, %r8;\nmov.u32 %r10, "
        "%nwarpid;\nmov.u32 %r11, WARP_SZ;\n"
        "mad.lo.u32 %r10, %r10, 1000, %r11;\nst.global.v2.b32 [%out+16], {%r6, %r7};\nst.global.b32 "
        "[%out+24], %r10;\n",
        Words(threads * 8), {block});
    for (std::uint32_t t = 0; t < threads; ++t) {
      ASSERT_EQ(out[t * 8], t % block[0]);
      ASSERT_EQ(out[t * 8 + 1], t / block[0] % block[1]);
      ASSERT_EQ(out[t * 8 + 2], t / block[0] / block[1]);
      ASSERT_EQ(out[t * 8 + 3], t);
      const std::uint32_t lane = t % 32, eq = 1u << lane;
      ASSERT_EQ(out[t * 8 + 4], lane);
      ASSERT_EQ(out[t * 8 + 5], ((eq - 1) + eq) ^ (0u - eq));
      ASSERT_EQ(out[t * 8 + 6], 64 * 1000 + 32);
    }
  }
}

// ---- wmma, counted as the machine makes it (measured on an H100): ldmatrix from shared memory, words from and to
// global memory

struct WmmaCounts {
  AccessCounts load, store;
  std::uint64_t products = 0;
};
WmmaCounts wmma_counts(const std::string& text) {
  Bench bench(
      kHead +
      ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n.reg .b64 %d<4>;\n.reg .b32 "
      "%a<9>, %b<9>, %c<9>;\n.shared .align 16 .b8 s[4096];\nld.param.u64 %d0, [in];\nld.param.u64 %d1, "
      "[out];\nmov.u64 %d2, s;\n" +
      text + "ret;\n}\n");
  EXPECT_EQ(bench.error(), "");
  const auto in = bench.buffer("in", Words(1 << 16)), out = bench.buffer("out", Words(1 << 16));
  Launch launch;
  launch.block = {32, 1, 1};
  launch.stop_at_uninitialised = false;
  launch.arguments = ArgumentList().add(in).add(out).add(std::uint32_t{0}).bytes();
  const auto outcome = bench.run(launch);
  if (!outcome || outcome->fault) return ADD_FAILURE() << text, WmmaCounts();
  const Counters& c = outcome->counters;
  AccessCounts load = c.global_load, store = c.global_store;
  load += c.shared_load;
  return {load, store, c.tensor.half_products};
}
const std::string kFragmentOfA = "{%a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8}",
                  kFragmentOfSums = "{%c1, %c2, %c3, %c4}";

TEST(WmmaCounts, AreThoseOfTheMachine) {
  const auto global =
      wmma_counts("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " + kFragmentOfA + ", [%d0], 512;\n")
          .load;
  EXPECT_EQ(global.requests, 4u);
  EXPECT_EQ(global.sectors, 32u);
  const auto shared = [](int stride) {
    return wmma_counts("wmma.load.b.sync.aligned.col.m16n16k16.shared.f16 " + kFragmentOfA + ", [%d2], " +
                       std::to_string(stride) + ";\n")
        .load;
  };
  EXPECT_EQ(shared(32).requests, 1u);
  EXPECT_EQ(shared(32).wavefronts, 16u);  // rows of 64 bytes
  EXPECT_EQ(shared(40).wavefronts, 4u);   // and 16 more
  const auto stored = wmma_counts(
      "mov.b32 %c1, 0;\nmov.b32 %c2, 0;\nmov.b32 %c3, 0;\nmov.b32 %c4, 0;\n"
      "wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%d1], " +
      kFragmentOfSums + ", 512;\n");
  EXPECT_EQ(stored.store.requests, 4u);
  EXPECT_EQ(stored.store.sectors, 32u);
}

}  // namespace
}  // namespace warplens::emulator
