// Loads and stores of every width, type, vector, space and address shape, through the whole emulator.
#include "engine/emulator/testing/ptx_trial.hpp"

namespace warplens::emulator {
namespace {

// ---- memory

struct MemoryType {
  const char* type;
  int bytes;
  bool is_signed;
};
const MemoryType kTypes[] = {{"b8", 1, false},  {"u8", 1, false},  {"s8", 1, true},   {"b16", 2, false},
                             {"u16", 2, false}, {"s16", 2, true},  {"b32", 4, false}, {"u32", 4, false},
                             {"s32", 4, true},  {"f32", 4, false}, {"b64", 8, false}, {"u64", 8, false},
                             {"s64", 8, true},  {"f64", 8, false}};

TEST(Memory, EveryTypeIntoRegistersOfEveryWidth) {
  const Words in = random_words(64);
  for (const MemoryType& m : kTypes) {
    for (const int width : {2, 4, 8}) {
      if (width < m.bytes) continue;
      const std::string r = width == 2 ? "%h1" : width == 4 ? "%r1" : "%d1", bits = std::to_string(width * 8);
      const Words out = run("ld.global." + std::string(m.type) + " " + r + ", [%in+8];\nst.global.b" + bits +
                                " [%out+8], " + r + ";\nst.global." + m.type + " [%out+16], " + r + ";\n",
                            in);
      ASSERT_FALSE(out.empty());
      for (std::uint32_t t = 0; t < 64; ++t) {
        std::uint64_t value = bits_at(in, t, 8, m.bytes);
        EXPECT_EQ(bits_at(out, t, 16, m.bytes), value) << m.type;
        if (m.is_signed && m.bytes < 8 && ((value >> (m.bytes * 8 - 1)) & 1) != 0)
          value |= ~std::uint64_t{0} << (m.bytes * 8);
        if (width < 8) value &= (std::uint64_t{1} << (width * 8)) - 1;
        ASSERT_EQ(bits_at(out, t, 8, width), value) << m.type << " into " << width << " bytes, thread " << t;
      }
    }
  }
}

// Every space, vector length and element width, with addresses that are the same, in a row or anywhere.
TEST(Memory, EverySpaceVectorAndAddress) {
  const Words in = random_words(64);
  struct Space {
    const char* name;
    const char* base;
    bool written_first;
  };
  const Space spaces[] = {{"global", "%in", false}, {"shared", "%tile", true}, {"local", "%mine", true}};
  for (const Space& space : spaces) {
    for (const bool generic : {false, true}) {
      for (const int bytes : {1, 2, 4, 8}) {
        for (const int count : {1, 2, 4}) {
          if (bytes * count > 16) continue;
          std::string registers;
          for (int e = 0; e < count; ++e)
            registers += std::string(e == 0 ? "" : ", ") +
                         (bytes == 8   ? "%d"
                          : bytes == 4 ? "%r"
                                       : "%h") +
                         std::to_string(e + 1);
          if (count > 1) registers = "{" + registers + "}";
          const std::string vector = count == 1 ? "" : ".v" + std::to_string(count),
                            type = ".b" + std::to_string(bytes * 8);
          std::string text = "mov.u64 %d9, " + std::string(space.base) + ";\n";
          if (space.written_first)
            text += "ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%in];\nst." + std::string(space.name) +
                    ".v4.b32 [%d9], {%r1, %r2, %r3, %r4};\n";
          const std::string in_space = generic ? "" : "." + std::string(space.name);
          if (generic) text += "cvta." + std::string(space.name) + ".u64 %d9, %d9;\n";
          text += "ld" + in_space + vector + type + " " + registers + ", [%d9];\nst.global" + vector + type +
                  " [%out], " + registers + ";\n";
          // And a store in the space, read back word by word.
          text += "st" + in_space + vector + type + " [%d9], " + registers + ";\nld" + in_space +
                  ".b32 %r9, [%d9];\nst.global.b32 [%out+16], %r9;\n";
          const Words out = run(text, in);
          ASSERT_FALSE(out.empty()) << text;
          for (std::uint32_t t = 0; t < 64; ++t) {
            for (int b = 0; b < bytes * count; ++b)
              ASSERT_EQ(bits_at(out, t, static_cast<std::uint32_t>(b), 1),
                        bits_at(in, t, static_cast<std::uint32_t>(b), 1))
                  << text;
            ASSERT_EQ(bits_at(out, t, 16, 4), bits_at(in, t, 0, 4)) << text;
          }
        }
      }
    }
  }
}

TEST(Memory, AddressesOfEveryShape) {
  const Words in = random_words(64);
  // thread -> byte offset into the block's 2048 bytes of input
  struct Shape {
    const char* text;  // gives %d9
    std::uint32_t (*offset)(std::uint32_t);
  };
  const Shape shapes[] = {
      {"cvt.u64.u32 %d9, %n;\nshl.b64 %d9, %d9, 4;\n", [](std::uint32_t) { return 80u; }},
      {"mul.wide.u32 %d9, %t, 4;\n", [](std::uint32_t t) { return 4 * t; }},
      {"mul.wide.u32 %d9, %t, 16;\n", [](std::uint32_t t) { return 16 * t; }},
      {"sub.u32 %r1, 63, %t;\nmul.wide.u32 %d9, %r1, 8;\n", [](std::uint32_t t) { return 8 * (63 - t); }},
      {"mul.lo.u32 %r1, %t, -8;\ncvt.s64.s32 %d9, %r1;\nadd.s64 %d9, %d9, 1024;\n",
       [](std::uint32_t t) { return 1024 - 8 * t; }},
      {"shl.b32 %r1, %t, 40;\ncvt.u64.u32 %d9, %r1;\n", [](std::uint32_t) { return 0u; }},
      {"mul.lo.u32 %r1, %t, %t;\nand.b32 %r1, %r1, 255;\nmul.wide.u32 %d9, %r1, 4;\n",
       [](std::uint32_t t) { return 4 * (t * t & 255); }},
      {"shr.u32 %r1, %t, 2;\nmul.wide.u32 %d9, %r1, 16;\n", [](std::uint32_t t) { return t / 4 * 16; }},
      // 32-bit wraparound of an affine value before it is widened: -16, 0, 16, ...
      {"mad.lo.u32 %r1, %t, 16, -16;\nmul.wide.u32 %d9, %r1, 1;\nand.b64 %d9, %d9, 1023;\n",
       [](std::uint32_t t) { return (16 * t - 16) & 1023; }},
      {"mad.lo.u32 %r1, %t, 268435456, 16;\nmul.wide.u32 %d9, %r1, 1;\nand.b64 %d9, %d9, 1023;\n",
       [](std::uint32_t) { return 16u; }},
  };
  for (const Shape& shape : shapes) {
    for (const int width : {4, 8, 16}) {
      const std::string data = width == 4   ? ".b32 %r2"
                               : width == 8 ? ".b64 %d2"
                                            : ".v4.b32 {%r2, %r3, %r4, %r5}";
      const std::string store = width == 4   ? ".b32 [%out], %r2"
                                : width == 8 ? ".b64 [%out], %d2"
                                             : ".v4.b32 [%out], {%r2, %r3, %r4, %r5}";
      const std::string align = "and.b64 %d9, %d9, " + std::to_string(-width) + ";\n";
      const std::string block = "ld.param.u64 %d8, [in];\n";  // the block's input
      std::string text = shape.text + align + block + "add.s64 %d7, %d8, %d9;\nld.global" + data +
                         ", [%d7];\nst.global" + store + ";\n";
      // The same out of shared memory with 32-bit addresses, and with an offset in the instruction.
      text +=
          "ld.global.v4.b32 {%r2, %r3, %r4, %r5}, [%in];\nst.shared.v4.b32 [%tile], {%r2, %r3, %r4, %r5};\n"
          "ld.global.v4.b32 {%r2, %r3, %r4, %r5}, [%in+16];\nst.shared.v4.b32 [%tile+16], {%r2, %r3, %r4, "
          "%r5};\nbar.sync 0;\n"
          "cvt.u32.u64 %r8, %d9;\nmov.u32 %r7, tile;\nadd.u32 %r8, %r8, %r7;\nsub.u32 %r8, %r8, "
          "32;\nld.shared.b32 %r9, [%r8+32];\nst.global.b32 "
          "[%out+16], %r9;\n";
      const Words out = run(text, in);
      ASSERT_FALSE(out.empty()) << text;
      for (std::uint32_t t = 0; t < 64; ++t) {
        const std::uint32_t at =
            shape.offset(t) / static_cast<std::uint32_t>(width) * static_cast<std::uint32_t>(width);
        for (std::uint32_t b = 0; b < static_cast<std::uint32_t>(width); b += 4)
          ASSERT_EQ(bits_at(out, t, b, 4), bits_at(in, 0, at + b, 4)) << text << " thread " << t;
        ASSERT_EQ(bits_at(out, t, 16, 4), bits_at(in, 0, at, 4)) << text << " thread " << t;
      }
    }
  }
}

TEST(Memory, ConstantsAndVariables) {
  const Words out =
      run("mov.u64 %d1, fixed;\nand.b32 %r1, %t, 15;\ncvt.u64.u32 %d2, %r1;\nadd.s64 %d1, %d1, "
          "%d2;\nld.const.s8 %r2, [%d1];\n"
          "st.global.b32 [%out], %r2;\nld.const.u32 %r3, [fixed+8];\nst.global.b32 [%out+4], "
          "%r3;\nld.global.u16 %r4, [table+2];\n"
          "st.global.b32 [%out+8], %r4;\nld.const.v2.u16 {%h1, %h2}, [fixed+4];\nmov.b32 %r5, {%h2, "
          "%h1};\nst.global.b32 [%out+12], %r5;\n"
          "cvta.const.u64 %d3, %d1;\nld.u8 %r6, [%d3];\nst.global.b32 [%out+16], %r6;\n",
          random_words(64));
  const std::uint8_t fixed[] = {1, 2, 3, 4, 5, 6, 7, 8, 200, 201, 202, 203, 252, 253, 254, 255};
  for (std::uint32_t t = 0; t < 64; ++t) {
    EXPECT_EQ(out[t * 8], static_cast<std::uint32_t>(static_cast<std::int8_t>(fixed[t % 16])));
    EXPECT_EQ(out[t * 8 + 1], 0xcbcac9c8u);
    EXPECT_EQ(out[t * 8 + 2], 0x0607u);
    EXPECT_EQ(out[t * 8 + 3], 0x06050807u);
    EXPECT_EQ(out[t * 8 + 4], fixed[t % 16]);
  }
}

TEST(Memory, RegistersThatAreTheirOwnAddress) {
  // The value read is the poison that was really stored; the register that gets it holds the address.
  const Words out =
      run("mul.lo.u32 %r1, %t, %t;\nand.b32 %r1, %r1, 63;\nshl.b32 %r2, %t, 2;\nmov.b32 %r3, "
          "0xfff1bad5;\nst.shared.b32 [%r2], %r3;\n"
          "bar.sync 0;\nshl.b32 %r1, %r1, 2;\nld.shared.b32 %r1, [%r1];\nst.global.b32 [%out], %r1;\n"
          "bar.sync 0;\nxor.b32 %r4, %t, 5;\nshl.b32 %r4, %r4, 3;\nst.shared.v2.b32 [%r4], {%r4, "
          "%r3};\nld.shared.v2.b32 "
          "{%r5, %r4}, [%r4];\n"
          "st.global.v2.b32 [%out+8], {%r5, %r4};\n",
          random_words(64));
  for (std::uint32_t t = 0; t < 64; ++t) {
    EXPECT_EQ(out[t * 8], 0xfff1bad5u);
    EXPECT_EQ(out[t * 8 + 2], (t ^ 5) * 8);
    EXPECT_EQ(out[t * 8 + 3], 0xfff1bad5u);
  }
}

}  // namespace
}  // namespace warplens::emulator
