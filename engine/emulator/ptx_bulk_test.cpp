// Copies by tensor maps and bulk stores, one short case each: where the bytes of a box come to lie, what they
// are counted as, and what is refused.
#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <fstream>
#include <optional>

#include "engine/base/testing/places.hpp"
#include "engine/emulator/execution/bulk_reduction.hpp"
#include "engine/emulator/lowering/lowering.hpp"
#include "engine/emulator/testing/emulator_support.hpp"
#include "engine/tensor/tensor_map.hpp"

namespace warplens::emulator {
namespace {

using tensor::MapType, tensor::Swizzle, tensor::TensorMap;

constexpr std::uint32_t kTile = 8192;  // bytes of shared memory that are shown

struct CopyCase {
  std::string body = {};  // after the barrier at [%r9] was made; %p0: thread 0
  TensorMap map{
      .type = MapType::u16, .dimensions = 2, .extent = {100, 40}, .stride = {2, 208}, .box = {64, 16}};
  std::uint32_t blocks = 1;
  std::string cluster = {};
  std::size_t elements = 8192;  // of the matrix and what is behind it
};
const std::string kWaitForBytes =
    "WAIT:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r9], 0;\n@!%p1 bra WAIT;\n";
// Thread 0 expects the bytes and copies; all wait.
std::string load_box(const std::string& coordinates, std::uint64_t bytes,
                     const std::string& dimensions = "2d") {
  return "@%p0 mbarrier.arrive.expect_tx.shared.b64 %d7, [%r9], " + std::to_string(bytes) +
         ";\n@%p0 cp.async.bulk.tensor." + dimensions +
         ".shared::cluster.global.mbarrier::complete_tx::bytes [%r8], [%d6, {" + coordinates +
         "}], [%r9];\n" + kWaitForBytes;
}
const std::string kShowTile =
    "mov.u64 %d3, tile;\nmul.wide.u32 %d4, %r0, 256;\nadd.s64 %d3, %d3, %d4;\nadd.s64 %d5, %d1, %d4;\n"
    "mad.lo.u32 %r1, %r7, 8192, 0;\ncvt.u64.u32 %d4, %r1;\nadd.s64 %d5, %d5, %d4;\nmov.u32 %r2, 0;\nSHOW:\n"
    "ld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [%d3];\nst.global.v4.b32 [%d5], {%r3, %r4, %r5, %r6};\n"
    "add.s64 %d3, %d3, 16;\nadd.s64 %d5, %d5, 16;\nadd.u32 %r2, %r2, 16;\nsetp.lt.u32 %p2, %r2, 256;\n@%p2 "
    "bra SHOW;\n";

struct Copied {
  std::vector<std::uint16_t> shown, memory;
  std::string fault;
  InstructionCounters counts;  // of the copy
  Counters counters;
};

bool copies_box(ptx::Opcode opcode) {
  return opcode == ptx::Opcode::cp_async_bulk_tensor || opcode == ptx::Opcode::cp_reduce_async_bulk_tensor ||
         opcode == ptx::Opcode::cp_reduce_async_bulk || opcode == ptx::Opcode::cp_async_bulk;
}

Copied copied(CopyCase setup) {
  const std::string text =
      ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .align 64 .b8 map[128], "
      ".param .u64 "
      "out, .param .u64 in)\n" +
      setup.cluster +
      "{\n.reg .b32 %r<16>;\n.reg .b64 %d<16>;\n.reg .b16 %h<4>;\n.reg .pred %p<4>;\n.shared .align 1024 .b8 "
      "tile[8192];\n"
      ".shared .align 8 .b8 bar[8];\nmov.u32 %r0, %tid.x;\nmov.u32 %r7, %ctaid.x;\nld.param.u64 %d1, [out];\n"
      "ld.param.u64 %d2, [in];\nmov.u64 %d6, map;\ncvta.param.u64 %d6, %d6;\n"
      "mov.u64 %d0, bar;\ncvt.u32.u64 %r9, %d0;\nmov.u64 %d0, tile;\ncvt.u32.u64 %r8, %d0;\nsetp.eq.u32 %p0, "
      "%r0, 0;\n"
      "mov.b32 %r3, 0;\nmul.wide.u32 %d4, %r0, 256;\nadd.s64 %d3, %d0, %d4;\nmov.u32 %r2, 0;\nCLEAR:\n"
      "st.shared.v4.b32 [%d3], {%r3, %r3, %r3, %r3};\nadd.s64 %d3, %d3, 16;\nadd.u32 %r2, %r2, 16;\n"
      "setp.lt.u32 %p2, %r2, 256;\n@%p2 bra CLEAR;\n@%p0 mbarrier.init.shared.b64 [%r9], 1;\nbar.sync 0;\n" +
      setup.body + "ret;\n}\n";
  Bench bench(text);
  EXPECT_EQ(bench.error(), "");
  if (!bench.error().empty()) return {};
  std::vector<std::uint16_t> contents(setup.elements);
  for (std::size_t i = 0; i < contents.size(); ++i) contents[i] = static_cast<std::uint16_t>(i + 1);
  const auto in = bench.buffer("in", contents);
  const auto out = bench.buffer("out", std::vector<std::uint16_t>(setup.blocks * kTile / 2));
  setup.map.address += in;
  const auto map = tensor::encode(setup.map);
  Launch launch;
  launch.grid = {setup.blocks, 1, 1};
  launch.block = {32, 1, 1};
  launch.arguments = ArgumentList().add(map).add(out).add(in).bytes();
  const auto outcome = bench.run(launch);
  if (!outcome) return {{}, {}, to_line(outcome.error()), {}, {}};
  Copied ran{bench.read<std::uint16_t>(out, setup.blocks * kTile / 2),
             bench.read<std::uint16_t>(in, setup.elements),
             outcome->fault ? to_line(outcome->fault->error) : "",
             {},
             outcome->counters};
  const auto& code = bench.kernel()->function().code;
  for (std::size_t pc = 0; pc < code.size(); ++pc)
    if (copies_box(code[pc].opcode)) ran.counts = outcome->counters.instructions[pc];
  return ran;
}

// The element of the matrix, 0 outside.
std::uint16_t at(int column, int row) {
  if (column < 0 || column >= 100 || row < 0 || row >= 40) return 0;
  return static_cast<std::uint16_t>(row * 104 + column + 1);
}

TEST(TensorCopy, BringsTheBoxWithZerosOutside) {
  for (const auto& [x, y] : {std::pair{0, 0}, {8, 3}, {64, 30}, {-16, -4}, {104, 0}}) {
    const Copied ran =
        copied({.body = load_box(std::to_string(x) + ", " + std::to_string(y), 2048) + kShowTile});
    ASSERT_EQ(ran.fault, "");
    for (int row = 0; row < 16; ++row)
      for (int column = 0; column < 64; ++column)
        ASSERT_EQ(ran.shown[static_cast<std::size_t>(row * 64 + column)], at(x + column, y + row))
            << row << " " << column;
  }
}

TEST(TensorCopy, SwizzlesTheRows) {
  for (const auto& [swizzle, width] :
       {std::pair{Swizzle::b32, 16}, {Swizzle::b64, 32}, {Swizzle::b128, 64}}) {
    CopyCase setup;
    setup.map.swizzle = swizzle;
    setup.map.box[0] = static_cast<std::uint32_t>(width);
    setup.body = load_box("16, 2", static_cast<std::uint64_t>(width) * 32) + kShowTile;
    const Copied ran = copied(setup);
    ASSERT_EQ(ran.fault, "");
    for (int row = 0; row < 16; ++row)
      for (int column = 0; column < width; ++column) {
        const auto linear = static_cast<std::uint32_t>((row * width + column) * 2);
        const std::uint32_t mask = static_cast<std::uint32_t>(width) * 2 / 16 - 1;
        const std::uint32_t place = linear ^ (linear >> 7 & mask) << 4;
        ASSERT_EQ(ran.shown[place / 2], at(16 + column, 2 + row)) << row << " " << column;
      }
  }
}

TEST(TensorCopy, HasOneToFiveDimensions) {
  CopyCase line{
      .map = {.type = MapType::u16, .dimensions = 1, .extent = {4000}, .stride = {2}, .box = {256}}};
  line.body = load_box("512", 512, "1d") + kShowTile;
  const Copied one = copied(line);
  ASSERT_EQ(one.fault, "");
  EXPECT_EQ(one.shown[0], 513u);
  EXPECT_EQ(one.shown[255], 768u);
  CopyCase five{.map = {.type = MapType::u16,
                        .dimensions = 5,
                        .extent = {8, 4, 4, 4, 4},
                        .stride = {2, 16, 64, 256, 1024},
                        .box = {8, 2, 2, 2, 2}}};
  five.body = load_box("0, 1, 2, 0, 3", 256, "5d") + kShowTile;
  const Copied ran = copied(five);
  ASSERT_EQ(ran.fault, "");
  for (std::uint32_t i = 0; i < 128; ++i) {
    const std::uint32_t a = i / 8 % 2 + 1, b = i / 16 % 2 + 2, c = i / 32 % 2, d = i / 64 + 3;
    const std::uint32_t element = i % 8 + a * 8 + b * 32 + c * 128 + d * 512;
    EXPECT_EQ(ran.shown[i], d < 4 ? element + 1 : 0) << i;
  }
}

// Measured on an H100: rows of the box by the sectors of each, in pieces of 128 bytes, also outside.
TEST(TensorCopy, CountsSectorsAsAnH100) {
  struct Case {
    std::uint64_t columns, pitch;
    std::uint32_t width, height;
    int x, y;
    std::uint64_t sectors;
  };
  for (const Case& each : {Case{1024, 2048, 64, 4, 0, 0, 16},
                           {1024, 2048, 64, 4, 8, 0, 20},
                           {1024, 2048, 64, 4, 16, 0, 16},
                           {1024, 2048, 64, 4, 1000, 0, 20},
                           {1024, 2048, 64, 4, 1024, 0, 16},
                           {1024, 2048, 64, 4, -16, -16, 16},
                           {1024, 2048, 8, 4, 0, 0, 4},
                           {1024, 2048, 256, 2, 8, 0, 40},
                           {1000, 2000, 64, 4, 0, 0, 18}}) {
    CopyCase setup;
    setup.map.extent = {each.columns, 8};
    setup.map.stride = {2, each.pitch};
    setup.map.box = {each.width, each.height};
    setup.body =
        load_box(std::to_string(each.x) + ", " + std::to_string(each.y), each.width * each.height * 2);
    const Copied ran = copied(setup);
    ASSERT_EQ(ran.fault, "");
    EXPECT_EQ(ran.counts.sectors, each.sectors) << each.width << " at " << each.x;
    EXPECT_EQ(ran.counts.requests, 1u);
    EXPECT_EQ(ran.counters.global_load.sectors, 0u);
  }
}

const std::string kFillTile =
    "mov.u64 %d3, tile;\nmul.wide.u32 %d4, %r0, 64;\nadd.s64 %d3, %d3, %d4;\nadd.u32 %r3, %r0, 0x90000;\n"
    "st.shared.b32 [%d3], %r3;\nst.shared.b32 [%d3+4], %r3;\nfence.proxy.async;\nbar.sync 0;\n";
const std::string kStoreBox =
    "@%p0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%d6, {96, 38}], [%r8];\n"
    "@%p0 cp.async.bulk.commit_group;\n";

TEST(TensorStore, WritesWhatIsInside) {
  const Copied ran = copied({.body = kFillTile + kStoreBox + "@%p0 cp.async.bulk.wait_group.read 0;\n"});
  ASSERT_EQ(ran.fault, "");
  // Columns 96 to 99 of rows 38 and 39; row 1 of the tile is written by thread 2.
  EXPECT_EQ(ran.memory[38 * 104 + 96], 0u);
  EXPECT_EQ(ran.memory[38 * 104 + 97], 9u);
  EXPECT_EQ(ran.memory[39 * 104 + 98], 2u);
  EXPECT_EQ(ran.memory[39 * 104 + 100], 39u * 104 + 101);
  EXPECT_EQ(ran.memory[37 * 104 + 96], 37u * 104 + 97);
  EXPECT_EQ(ran.counts.sectors, 2u);
}

// The tile is read when the store is waited for: what overwrites it before comes out.
TEST(TensorStore, ReadsTheTileLate) {
  const std::string overwrite = "@%p0 st.shared.b32 [%r8], 7;\n",
                    wait = "@%p0 cp.async.bulk.wait_group.read 0;\n";
  EXPECT_EQ(copied({.body = kFillTile + kStoreBox + wait + overwrite}).memory[38 * 104 + 97], 9u);
  EXPECT_EQ(copied({.body = kFillTile + kStoreBox + overwrite + wait}).memory[38 * 104 + 96], 7u);
  EXPECT_EQ(copied({.body = kFillTile + kStoreBox + overwrite}).memory[38 * 104 + 96],
            7u);  // at the latest at the end
}

TEST(TensorStore, AddsToWhatIsThere) {
  const Copied ran = copied(
      {.body = kFillTile + "@%p0 cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%d6, {96, "
                           "38}], [%r8];\n@%p0 cp.async.bulk.commit_group;\n"});
  ASSERT_EQ(ran.fault, "");
  EXPECT_EQ(ran.memory[38 * 104 + 97], 38u * 104 + 98 + 9);
  const Copied line = copied(
      {.body = kFillTile + "@%p0 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d2], [%r8], "
                           "16;\n@%p0 cp.async.bulk.commit_group;\n"});
  ASSERT_EQ(line.fault, "");
  EXPECT_EQ(line.memory[1], 2u + 9);
}

// ---- what an H100 counted (engine/analysis/testdata/h100_tma_wgmma.csv)

struct MeasuredCopy {
  std::string name;
  bool stores = false;
  std::uint64_t times = 0, wavefronts = 0, load_sectors = 0, store_sectors = 0, requests = 0;
  CopyCase setup;
  int x = 0, y = 0;
};

std::optional<MeasuredCopy> measured_copy(const std::string& line) {
  MeasuredCopy row;
  char kind[8] = {};
  unsigned columns = 0, rows = 0, pitch = 0, width = 0, height = 0, swizzle = 0;
  unsigned long times = 0, wavefronts = 0, loads = 0, stores = 0, requests = 0;
  const int read = std::sscanf(
      line.c_str(), "\"TMA %7s matrix %ux%u pitch %u box %ux%u at %d,%d swizzle %u\",%lu,%lu,%lu,%lu,%lu",
      kind, &columns, &rows, &pitch, &width, &height, &row.x, &row.y, &swizzle, &times, &wavefronts, &loads,
      &stores, &requests);
  if (read != 14) return std::nullopt;
  row.name = line.substr(1, line.find('"', 1) - 1);
  row.stores = std::string(kind) == "store";
  row.times = times, row.wavefronts = wavefronts, row.load_sectors = loads, row.store_sectors = stores;
  row.requests = requests;
  row.setup.map.extent = {columns, rows};
  row.setup.map.stride = {2, pitch};
  row.setup.map.box = {width, height};
  row.setup.map.swizzle = static_cast<Swizzle>(swizzle);
  row.setup.elements = std::size_t{pitch} / 2 * rows + 4096;
  return row;
}

TEST(TensorCopy, CountsWhatAnH100CountedInEveryCase) {
  std::ifstream file(source_path("engine/analysis/testdata/h100_tma_wgmma.csv"));
  std::size_t cases = 0;
  for (std::string line; std::getline(file, line);) {
    auto row = measured_copy(line);
    if (!row) continue;
    ++cases;
    const std::string at = std::to_string(row->x) + ", " + std::to_string(row->y);
    row->setup.body = row->stores ? "@%p0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%d6, {" +
                                        at + "}], [%r8];\n@%p0 cp.async.bulk.commit_group;\n"
                                  : load_box(at, tensor::box_bytes(row->setup.map));
    const Copied ran = copied(row->setup);
    ASSERT_EQ(ran.fault, "") << row->name;
    EXPECT_EQ(ran.counters.tensor.load_sectors * row->times, row->load_sectors) << row->name;
    EXPECT_EQ(ran.counters.tensor.store_sectors * row->times, row->store_sectors) << row->name;
    EXPECT_EQ(ran.counters.tensor.copy_requests * row->times, row->requests) << row->name;
  }
  EXPECT_EQ(cases, 28u);
}

// Both blocks of the cluster get the box at the same place, and each its own barrier hears of it.
TEST(TensorCopy, BringsItToSeveralBlocks) {
  const std::string expect = "@%p0 mbarrier.arrive.expect_tx.shared.b64 %d7, [%r9], 2048;\n";
  const std::string meet = "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";
  const std::string copy =
      "setp.eq.u32 %p3, %r7, 0;\nand.pred %p3, %p3, %p0;\nmov.u16 %h1, 3;\n@%p3 "
      "cp.async.bulk.tensor.2d.shared::cluster."
      "global.mbarrier::complete_tx::bytes.multicast::cluster [%r8], [%d6, {0, 5}], [%r9], %h1;\n";
  const Copied ran = copied({.body = expect + meet + copy + kWaitForBytes + kShowTile + meet,
                             .blocks = 2,
                             .cluster = ".reqnctapercluster 2, 1, 1\n"});
  ASSERT_EQ(ran.fault, "");
  for (const std::size_t block : {0u, 1u})
    for (int row = 0; row < 16; ++row)
      ASSERT_EQ(ran.shown[block * kTile / 2 + static_cast<std::size_t>(row) * 64 + 3], at(3, 5 + row));
}

// The box's sectors, as each row of the file has them.
TEST(TensorCopy, ForSeveralBlocksCountsWhatAnH200Counted) {
  std::ifstream file(source_path("engine/analysis/testdata/h200_multicast_boxes.csv"));
  std::size_t cases = 0;
  for (std::string line; std::getline(file, line);) {
    unsigned offset = 0, columns = 0, rows = 0, width = 0, swizzle = 0, stride = 0;
    unsigned long to_one = 0, to_both = 0;
    int x = 0;
    if (std::sscanf(line.c_str(), "%u,%u,%u,%u,%u,%d,%u,%lu,%lu", &offset, &columns, &rows, &width, &swizzle,
                    &x, &stride, &to_one, &to_both) != 9)
      continue;
    ++cases;
    CopyCase setup{.blocks = 2, .cluster = ".reqnctapercluster 2, 1, 1\n", .elements = 64 * 4096};
    setup.map.type = MapType::u8, setup.map.address = offset;
    setup.map.extent = {columns, 64}, setup.map.stride = {1, stride}, setup.map.box = {width, rows};
    setup.map.swizzle = swizzle == 128 ? Swizzle::b128 : Swizzle::none;
    const std::string bytes = std::to_string(width * rows),
                      meet = "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";
    for (const bool both : {false, true}) {
      setup.body = "setp.eq.u32 %p3, %r7, 0;\nand.pred %p3, %p3, %p0;\n" +
                   std::string(both ? "@%p0" : "@%p3") +
                   " mbarrier.arrive.expect_tx.shared.b64 %d7, [%r9], " + bytes + ";\n" +
                   (both ? ""
                         : "not.pred %p2, %p3;\nand.pred %p2, %p2, %p0;\n@%p2 mbarrier.arrive.shared.b64 "
                           "%d7, [%r9];\n") +
                   meet +
                   "mov.u16 %h1, 3;\n@%p3 "
                   "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes" +
                   (both ? ".multicast::cluster" : "") + " [%r8], [%d6, {" + std::to_string(x) +
                   ", 0}], [%r9]" + (both ? ", %h1;\n" : ";\n") + kWaitForBytes + meet;
      const Copied ran = copied(setup);
      ASSERT_EQ(ran.fault, "") << line;
      EXPECT_EQ(ran.counters.tensor.load_sectors, both ? to_both : to_one) << line;
    }
  }
  EXPECT_EQ(cases, 104u);
}

TEST(TensorCopy, RefusesWhatTheHardwareDoes) {
  EXPECT_NE(copied({.body = load_box("4, 0", 2048)})
                .fault.find("begins at column 4, byte 8 of its row: an illegal instruction"),
            std::string::npos);
  CopyCase moved{.body = "add.u32 %r8, %r8, 64;\n" + load_box("0, 0", 2048)};
  EXPECT_NE(copied(moved).fault.find("to an offset in shared memory, 64, which is no multiple of 128"),
            std::string::npos);
  EXPECT_NE(copied({.body = "mov.u64 %d6, %d2;\n" + load_box("0, 0", 2048)})
                .fault.find("by a tensor map that is none"),
            std::string::npos);
  EXPECT_NE(copied({.body = load_box("0", 2048, "1d")})
                .fault.find("a tensor map of 2 dimensions with 1 coordinates"),
            std::string::npos);
  // Of the bytes that were expected some never come.
  EXPECT_NE(copied({.body = load_box("0, 0", 4096)}).fault.find("and 2,048 bytes are to come"),
            std::string::npos);
}

// A reduction does to each element what an atomic of its type does.
TEST(BulkReductions, AreAtomicsOfTheirElements) {
  using ptx::AtomicOp, ptx::Type;
  for (const Type type :
       {Type::u16, Type::u32, Type::s32, Type::u64, Type::s64, Type::f16, Type::f32, Type::f64, Type::bf16})
    for (const AtomicOp operation : {AtomicOp::add, AtomicOp::min, AtomicOp::max}) {
      ASSERT_TRUE(reduces(operation, type));
      ptx::Instruction atomic;
      atomic.opcode = ptx::Opcode::red, atomic.atomic = operation, atomic.type = type;
      EXPECT_NE(atomic_handler(atomic), nullptr)
          << static_cast<int>(type) << " " << static_cast<int>(operation);
    }
}

}  // namespace
}  // namespace warplens::emulator
