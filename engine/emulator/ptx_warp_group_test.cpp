// wgmma in every layout of its operands, from a few lines of PTX: the matrices are put into shared memory byte
// by byte, as a tensor copy would leave them, and small whole numbers make every sum exact.
#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <fstream>
#include <functional>

#include "engine/base/testing/places.hpp"
#include "engine/emulator/testing/emulator_support.hpp"

namespace warplens::emulator {
namespace {

constexpr std::uint32_t kSharedTiles = 32768, kGroupThreads = 128;

struct GroupOperand {
  std::uint32_t begin = 0, leading = 16, stride = 0;
  int swizzle = 0;  // bytes: 0, 32, 64, 128
  bool mn_major = false;
  std::uint64_t descriptor() const {
    const std::uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
    return begin >> 4 | std::uint64_t{leading >> 4} << 16 | std::uint64_t{stride >> 4} << 32 | mode << 62;
  }
  // By the tables of the ISA, apart from the emulator's own code.
  std::uint32_t place(std::uint32_t row, std::uint32_t k, std::uint32_t bytes) const {
    const std::uint32_t along = mn_major ? row : k, across = mn_major ? k : row;
    std::uint32_t at = 0;
    if (swizzle == 0) {
      const std::uint32_t chunk = along * bytes / 16, of_chunk = mn_major ? stride : leading,
                          of_eight = mn_major ? leading : stride;
      at = begin + chunk * of_chunk + across / 8 * of_eight + across % 8 * 16 + along * bytes % 16;
      return at;
    }
    const auto span = static_cast<std::uint32_t>(swizzle);
    at = begin + along * bytes / span * leading + across / 8 * stride + across % 8 * span +
         along * bytes % span;
    const std::uint32_t mask = span / 16 - 1;
    return at ^ ((at >> 7 & mask) << 4);
  }
};

struct ProductCase {
  std::string instruction = "m64n32k16.f32.bf16.bf16";
  std::uint32_t columns = 32, depth = 16, bytes = 2, registers = 16;
  GroupOperand a{.leading = 128, .stride = 256}, b{.begin = 16384, .leading = 128, .stride = 256};
  std::string tail = "1, 1, 1, 0, 0";  // scale of D, scales, majors
  bool a_in_registers = false;         // zeros
  std::string before = {}, between = {}, after = "wgmma.wait_group.sync.aligned 0;\n";
};

int value_a(std::uint32_t row, std::uint32_t k) { return static_cast<int>((row * 7 + k * 3) % 11) - 5; }
int value_b(std::uint32_t k, std::uint32_t column) { return static_cast<int>((column * 5 + k * 2) % 13) - 6; }

std::uint32_t bits_of_value(int value, const ProductCase& setup) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (setup.bytes == 4) return bits;
  if (setup.bytes == 2) return bits >> 16;
  return static_cast<std::uint32_t>(value) & 0xff;
}

std::vector<std::byte> shared_contents(const ProductCase& setup) {
  std::vector<std::byte> bytes(kSharedTiles);
  const auto put = [&](const GroupOperand& operand, std::uint32_t rows, auto value) {
    for (std::uint32_t row = 0; row < rows; ++row)
      for (std::uint32_t k = 0; k < setup.depth; ++k) {
        const std::uint32_t bits = bits_of_value(value(row, k), setup);
        const std::uint32_t place = operand.place(row, k, setup.bytes);
        if (place < kSharedTiles) std::memcpy(bytes.data() + place, &bits, setup.bytes);
      }
  };
  put(setup.a, 64, value_a);
  put(setup.b, setup.columns, [](std::uint32_t column, std::uint32_t k) { return value_b(k, column); });
  return bytes;
}

std::string list_of(std::uint32_t count) {
  std::string list;
  for (std::uint32_t i = 0; i < count; ++i) list += (i == 0 ? "{%s" : ", %s") + std::to_string(i);
  return list + "}";
}

std::string text_of(const ProductCase& setup) {
  std::string text =
      ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 "
      "out)\n{\n"
      ".reg .b32 %r<16>, %s<128>;\n.reg .b64 %d<16>;\n.reg .pred %p<4>;\n.shared .align 1024 .b8 tile[" +
      std::to_string(kSharedTiles) +
      "];\nmov.u32 %r0, %tid.x;\nld.param.u64 %d0, [in];\nld.param.u64 %d1, [out];\nmul.wide.u32 %d2, %r0, "
      "16;\n"
      "add.s64 %d3, %d0, %d2;\nmov.u64 %d4, tile;\nadd.s64 %d4, %d4, %d2;\n";
  for (std::uint32_t at = 0; at < kSharedTiles; at += kGroupThreads * 16)
    text += "ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%d3+" + std::to_string(at) +
            "];\nst.shared.v4.b32 [%d4+" + std::to_string(at) + "], {%r1, %r2, %r3, %r4};\n";
  text += "fence.proxy.async;\nbar.sync 0;\n";
  for (std::uint32_t i = 0; i < setup.registers; ++i) text += "mov.b32 %s" + std::to_string(i) + ", 0;\n";
  text += setup.before + "mov.u64 %d5, " + std::to_string(setup.a.descriptor()) + ";\nmov.u64 %d6, " +
          std::to_string(setup.b.descriptor()) +
          ";\nwgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned." + setup.instruction + " " +
          list_of(setup.registers) +
          (setup.a_in_registers ? ", {%r10, %r11, %r12, %r13}, %d6, " : ", %d5, %d6, ") + setup.tail + ";\n" +
          "wgmma.commit_group.sync.aligned;\n" + setup.between + setup.after + "mul.wide.u32 %d2, %r0, " +
          std::to_string(setup.registers * 4) + ";\nadd.s64 %d1, %d1, %d2;\n";
  for (std::uint32_t i = 0; i < setup.registers; ++i)
    text += "st.global.b32 [%d1+" + std::to_string(i * 4) + "], %s" + std::to_string(i) + ";\n";
  return text + "ret;\n}\n";
}

struct Multiplied {
  std::vector<std::uint32_t> out;
  std::string fault;
  Counters counters;
  std::uint32_t product_pc = 0;
};

Multiplied multiplied(const ProductCase& setup, std::uint32_t threads = kGroupThreads) {
  Bench bench(text_of(setup));
  EXPECT_EQ(bench.error(), "");
  if (!bench.error().empty()) return {};
  const auto in = bench.buffer("in", shared_contents(setup));
  const auto out = bench.buffer("out", std::vector<std::uint32_t>(threads * setup.registers));
  Launch launch;
  launch.block = {threads, 1, 1};
  launch.arguments = ArgumentList().add(in).add(out).bytes();
  const auto outcome = bench.run(launch);
  if (!outcome) return {{}, to_line(outcome.error()), {}, 0};
  Multiplied ran{bench.read<std::uint32_t>(out, threads * setup.registers),
                 outcome->fault ? to_line(outcome->fault->error) : "", outcome->counters, 0};
  const auto& code = bench.kernel()->function().code;
  while (code[ran.product_pc].opcode != ptx::Opcode::wgmma_mma_async) ++ran.product_pc;
  return ran;
}

// The result of thread t's register i, where sums are whole numbers in f32 or s32.
void expect_product(const ProductCase& setup, const Multiplied& ran, int factor = 1, int more = 0) {
  ASSERT_EQ(ran.fault, "");
  const bool whole = setup.bytes == 1;
  for (std::uint32_t t = 0; t < kGroupThreads; ++t)
    for (std::uint32_t i = 0; i < setup.registers; ++i) {
      const std::uint32_t row = t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8,
                          column = i / 4 * 8 + t % 4 * 2 + i % 2;
      int sum = more;
      for (std::uint32_t k = 0; k < setup.depth; ++k) sum += factor * value_a(row, k) * value_b(k, column);
      const std::uint32_t bits = ran.out[t * setup.registers + i];
      const int got = whole ? static_cast<int>(bits) : static_cast<int>(std::bit_cast<float>(bits));
      ASSERT_EQ(got, sum) << "row " << row << " column " << column;
    }
}

TEST(WarpGroup, ReadsEverySwizzleAlongK) {
  for (const int swizzle : {0, 32, 64, 128}) {
    ProductCase setup;
    setup.a.swizzle = setup.b.swizzle = swizzle;
    if (swizzle != 0) setup.a.stride = setup.b.stride = static_cast<std::uint32_t>(8 * swizzle);
    expect_product(setup, multiplied(setup));
  }
}

TEST(WarpGroup, ReadsEverySwizzleAlongTheOtherSide) {
  for (const int swizzle : {0, 32, 64, 128})
    for (const auto& [major_a, major_b] : {std::pair{true, true}, {true, false}, {false, true}}) {
      ProductCase setup;
      setup.tail = std::string("1, 1, 1, ") + (major_a ? "1, " : "0, ") + (major_b ? "1" : "0");
      for (GroupOperand* operand : {&setup.a, &setup.b}) {
        operand->swizzle = swizzle;
        operand->mn_major = operand == &setup.a ? major_a : major_b;
        if (swizzle == 0) continue;
        operand->stride = static_cast<std::uint32_t>(8 * swizzle);
        operand->leading = operand->mn_major ? 2 * operand->stride : 16;
      }
      if (swizzle == 0)
        setup.a.leading = setup.a.mn_major ? 2048 : 128, setup.a.stride = setup.a.mn_major ? 128 : 256;
      if (swizzle == 0)
        setup.b.leading = setup.b.mn_major ? 2048 : 128, setup.b.stride = setup.b.mn_major ? 128 : 256;
      expect_product(setup, multiplied(setup));
    }
}

TEST(WarpGroup, HasEveryWidth) {
  for (const std::uint32_t columns : {8u, 24u, 64u, 128u, 256u}) {
    ProductCase setup{.instruction = "m64n" + std::to_string(columns) + "k16.f32.bf16.bf16",
                      .columns = columns};
    setup.registers = columns / 2;
    expect_product(setup, multiplied(setup));
  }
}

TEST(WarpGroup, MultipliesOtherTypes) {
  ProductCase tf32{.instruction = "m64n32k8.f32.tf32.tf32", .depth = 8, .bytes = 4, .tail = "1, 1, 1"};
  expect_product(tf32, multiplied(tf32));
  ProductCase bytes{.instruction = "m64n32k32.s32.s8.s8", .depth = 32, .bytes = 1, .tail = "1"};
  expect_product(bytes, multiplied(bytes));
}

TEST(WarpGroup, TakesAFromRegisters) {
  ProductCase setup{.tail = "1, 1, 1, 0", .a_in_registers = true};
  // Row l / 4 has 2 in its first pair of the lanes l % 4 = 0, rows 8 further down 1 everywhere.
  setup.before =
      "and.b32 %r5, %r0, 3;\nsetp.eq.u32 %p2, %r5, 0;\nselp.b32 %r10, 0x40004000, 0, %p2;\nmov.b32 %r12, 0;\n"
      "mov.b32 %r11, 0x3f803f80;\nmov.b32 %r13, %r11;\n";
  const Multiplied ran = multiplied(setup);
  ASSERT_EQ(ran.fault, "");
  for (std::uint32_t t = 0; t < kGroupThreads; ++t)
    for (std::uint32_t i = 0; i < setup.registers; ++i) {
      const std::uint32_t column = i / 4 * 8 + t % 4 * 2 + i % 2;
      int sum = 0;
      if (i / 2 % 2 == 0) sum = 2 * (value_b(0, column) + value_b(1, column));
      for (std::uint32_t k = 0; i / 2 % 2 == 1 && k < 16; ++k) sum += value_b(k, column);
      ASSERT_EQ(std::bit_cast<float>(ran.out[t * setup.registers + i]), static_cast<float>(sum))
          << t << " " << i;
    }
}

TEST(WarpGroup, ScalesAndNegates) {
  ProductCase setup{.tail = "1, -1, 1, 0, 0"};
  expect_product(setup, multiplied(setup), -1);
  setup.tail = "1, -1, -1, 0, 0";
  expect_product(setup, multiplied(setup));
  // D = A B where the scale of D is false, else D = A B + D.
  for (std::uint32_t i = 0; i < setup.registers; ++i)
    setup.before += "mov.b32 %s" + std::to_string(i) + ", 0f42C80000;\n";
  setup.tail = "1, 1, 1, 0, 0";
  expect_product(setup, multiplied(setup), 1, 100);
  setup.before += "setp.ne.u32 %p1, %r0, %r0;\n";
  setup.tail = "%p1, 1, 1, 0, 0";
  expect_product(setup, multiplied(setup));
}

// Before the wait the accumulators hold what they held, and what is in shared memory then is multiplied.
TEST(WarpGroup, IsAsynchronous) {
  ProductCase early{.after = ""};
  const Multiplied old = multiplied(early);
  ASSERT_EQ(old.fault, "");
  for (const std::uint32_t word : old.out) ASSERT_EQ(word, 0u);
  ProductCase pending{.after = "wgmma.wait_group.sync.aligned 1;\n"};
  for (const std::uint32_t word : multiplied(pending).out) ASSERT_EQ(word, 0u);
  // A row of zeros over row 0 of A, after the product was issued.
  ProductCase late{.between =
                       "mov.u64 %d7, tile;\nmov.b32 %r5, 0;\nst.shared.v4.b32 [%d7], {%r5, %r5, %r5, %r5};\n"
                       "st.shared.v4.b32 [%d7+128], {%r5, %r5, %r5, %r5};\n"};
  const Multiplied ran = multiplied(late);
  ASSERT_EQ(ran.fault, "");
  EXPECT_EQ(ran.out[0], 0u);
  EXPECT_NE(ran.out[late.registers * 4], 0u);  // row 1
}

// (bytes of A + bytes of B) / 128 wavefronts for a warp group's instruction, none of them a load's.
TEST(WarpGroup, CountsItsOperands) {
  const Multiplied ran = multiplied({});
  EXPECT_EQ(ran.counters.instructions[ran.product_pc].wavefronts, (64 * 32 + 32 * 32) / 128u);
  EXPECT_EQ(ran.counters.instructions[ran.product_pc].executed, 4u);
  EXPECT_EQ(ran.counters.shared_load.wavefronts, 0u);
  EXPECT_EQ(ran.counters.tensor.group_products, 4u);
  EXPECT_EQ(ran.counters.tensor.operand_wavefronts, 24u);
  EXPECT_EQ(ran.counters.tensor.operations, 2u * 64 * 32 * 16);
}

// All rows of engine/analysis/testdata/h100_tma_wgmma.csv: neither layout nor start changes the wavefronts, of which a few
// are the test kernel's own.
TEST(WarpGroup, CountsWhatAnH100CountedInEveryCase) {
  constexpr std::uint64_t kOwn = 8;
  std::ifstream file(source_path("engine/analysis/testdata/h100_tma_wgmma.csv"));
  std::size_t cases = 0;
  for (std::string line; std::getline(file, line);) {
    unsigned columns = 0;
    if (std::sscanf(line.c_str(), "\"wgmma n%u ", &columns) != 1) continue;
    unsigned long times = 0, wavefronts = 0, products = 0;
    ASSERT_EQ(std::sscanf(line.c_str() + line.find('"', 1), "\",%lu,%lu,%*u,%*u,%*u,%*u,%*u,%lu", &times,
                          &wavefronts, &products),
              3)
        << line;
    ++cases;
    ProductCase setup{.instruction = "m64n" + std::to_string(columns) + "k16.f32.bf16.bf16",
                      .columns = columns};
    setup.registers = columns / 2;
    if (line.find("A registers") != std::string::npos) setup.a_in_registers = true, setup.tail = "1, 1, 1, 0";
    const Multiplied ran = multiplied(setup);
    ASSERT_EQ(ran.fault, "") << line;
    const std::uint64_t emulated = ran.counters.tensor.operand_wavefronts * times;
    EXPECT_GE(wavefronts, emulated) << line;
    EXPECT_LE(wavefronts, emulated + kOwn) << line;
    // One of each warp was the test kernel's own: kernels of the ladder have none beside their products.
    EXPECT_EQ(ran.counters.tensor.group_products * times + 4, products) << line;
  }
  EXPECT_EQ(cases, 28u);
}

TEST(WarpGroup, NeedsWholeGroupsAndMemory) {
  EXPECT_NE(multiplied({}, 96).fault.find("in a block of 3 warps"), std::string::npos);
  ProductCase outside;
  outside.b.stride = 8192;
  const Multiplied ran = multiplied(outside);
  EXPECT_NE(ran.fault.find("multiplies what its matrix descriptor finds at offset"), std::string::npos)
      << ran.fault;
  ProductCase part{.before = "setp.gt.u32 %p1, %r0, 4;\n@%p1 bra SKIP;\nwgmma.fence.sync.aligned;\nSKIP:\n"};
  EXPECT_NE(multiplied(part).fault.find("with only part of its warp"), std::string::npos);
}

TEST(WarpGroup, SetsRegistersInSteps) {
  EXPECT_EQ(
      multiplied({.before = "setmaxnreg.dec.sync.aligned.u32 40;\nsetmaxnreg.inc.sync.aligned.u32 232;\n"})
          .fault,
      "");
  EXPECT_NE(
      multiplied({.before = "setmaxnreg.inc.sync.aligned.u32 100;\n"}).fault.find("asks for 100 registers"),
      std::string::npos);
}

}  // namespace
}  // namespace warplens::emulator
