// Test support: a few lines of PTX run in fast and in general code with every instruction set. Each thread
// has 32 bytes of input at %in, of output at %out and of shared memory at %tile, and 64 of local memory at
// %mine.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "engine/emulator/testing/emulator_support.hpp"

namespace warplens::emulator {

inline const std::string kHead =
    ".version 8.7\n.target sm_90\n.address_size 64\n.const .align 16 .b8 fixed[16] = {1, 2, 3, 4, 5, 6, 7, "
    "8, 200, 201, 202, "
    "203, 252, 253, 254, 255};\n.global .align 8 .b8 table[8] = {9, 8, 7, 6, 5, 4, 3, 2};\n";
inline const std::string kBody =
    ".reg .b16 %h<16>;\n.reg .b32 %r<32>, %t, %n, %mark;\n.reg .b64 %d<16>, %in, %out, %o, %tile, "
    "%mine;\n.reg .f32 %f<8>;\n"
    ".reg .pred %p<8>, %odd;\n.shared .align 16 .b8 tile[2048];\n.local .align 16 .b8 mine[64];\n"
    "mov.u32 %t, %tid.x;\nld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nld.param.u32 %n, [n];\n"
    "mul.wide.u32 %o, %t, 32;\nadd.s64 %out, %out, %o;\nadd.s64 %in, %in, %o;\nmov.u64 %tile, tile;\nadd.s64 "
    "%tile, %tile, %o;\n"
    "mov.u64 %mine, mine;\nmov.u32 %mark, 0;\nand.b32 %r0, %t, 1;\nsetp.ne.s32 %odd, %r0, 0;\n";
// Writes %mark while the odd lanes, which still need it, wait: from here on the warp runs the general code.
inline const std::string kGeneral = "@%odd bra GENERAL;\nmov.u32 %mark, 1;\nGENERAL:\n";

using Words = std::vector<std::uint32_t>;
inline constexpr std::size_t kWords = 8;  // of input and of output, a thread

struct Trial {
  std::array<std::uint32_t, 3> block{64, 1, 1};
  std::uint32_t n = 5;
  // Words of a thread that PTX leaves open, a bit each: what an atomic returns depends on the order of the
  // lanes, and a copy may arrive before it is waited for. A GPU may give others than the emulator.
  unsigned open = 0;
};

// Who wants to know of every trial that was run: ptx_trials.cpp writes them to a file, for a GPU to run them
// too.
struct TrialListener {
  virtual ~TrialListener() = default;
  virtual void on_trial(const std::string& ptx, const Words& in, const Trial& trial, const Words& out) = 0;
};
inline TrialListener*& trial_listener() {
  static TrialListener* listener = nullptr;
  return listener;
}

// Runs text in fast and in general code with every instruction set; all must give the same words. The general
// code gives up lanes' order nowhere, so there is one result.
inline Words run(const std::string& text, const Words& in, Trial trial = {}) {
  Words first;
  for (const bool general : {false, true}) {
    for (const Isa isa : {Isa::sse2, Isa::avx2, Isa::avx512}) {
      if (isa > best_isa()) continue;
      const std::string whole =
          kHead + ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n" + kBody +
          (general ? kGeneral : "") + text + "st.global.u32 [%out+28], %mark;\nret;\n}\n";
      Bench bench(whole);
      EXPECT_EQ(bench.error(), "");
      if (!bench.error().empty()) return {};
      const auto a = bench.buffer("in", in), b = bench.buffer("out", Words(in.size()));
      Launch launch;
      launch.block = trial.block;
      launch.isa = isa;
      launch.arguments = ArgumentList().add(a).add(b).add(trial.n).bytes();
      const auto outcome = bench.run(launch);
      EXPECT_TRUE(outcome) << to_line(outcome.error());
      if (!outcome) return {};
      EXPECT_FALSE(outcome->fault) << to_line(outcome->fault->error);
      if (outcome->fault) return {};
      Words out = bench.read<std::uint32_t>(b, in.size());
      for (std::size_t t = 0; t * kWords < out.size(); ++t) out[t * kWords + 7] = 0;  // %mark
      if (first.empty()) first = out;
      if (trial_listener() != nullptr && isa == Isa::sse2) trial_listener()->on_trial(whole, in, trial, out);
      EXPECT_EQ(out, first) << text << (general ? "general code, " : "fast code, ") << name(isa);
    }
  }
  return first;
}

inline Words random_words(std::uint32_t threads, unsigned seed = 1) {
  std::mt19937 random(seed);
  Words words(threads * kWords);
  for (auto& word : words) word = static_cast<std::uint32_t>(random());
  return words;
}

inline std::uint64_t bits_at(const Words& words, std::uint32_t thread, std::uint32_t byte, int bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, reinterpret_cast<const char*>(words.data()) + thread * 32 + byte,
              static_cast<std::size_t>(bytes));
  return bits;
}

}  // namespace warplens::emulator
