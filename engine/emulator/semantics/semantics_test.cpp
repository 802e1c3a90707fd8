#include "engine/emulator/semantics/semantics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/base/testing/places.hpp"
#include "engine/emulator/semantics/semantics_detail.hpp"
#include "engine/emulator/testing/semantics_forms.hpp"
#include "engine/ptx/parser.hpp"

namespace warplens::emulator {
namespace {

using namespace detail;
using ptx::MulPart;

constexpr std::uint32_t kInputsOfDigest = 2048;

Form form(std::string text, std::string sources = "TT", std::string destination = "T") {
  return {std::move(text), std::move(destination), std::move(sources), false, false};
}
LaneResult run(const Form& f, const LaneInputs& in) {
  const ptx::Instruction i = instruction_of(f);
  const LaneFunction function = lane_function(i);
  if (function == nullptr) {
    ADD_FAILURE() << f.text << " has no function";
    return {};
  }
  return function(i, in);
}
std::uint64_t value(const Form& f, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0,
                    std::uint64_t d = 0) {
  return run(f, {a, b, c, d, false, 0}).value;
}
std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

// ---- Every form ----

TEST(LaneFunction, KnowsEveryScalarFormOfTheIsa) {
  const auto forms = all_forms();
  EXPECT_GT(forms.size(), 1700u);
  for (const Form& f : forms) {
    const ptx::Instruction i = instruction_of(f);
    EXPECT_NE(i.opcode, Opcode::none) << f.text;
    EXPECT_NE(lane_function(i), nullptr) << f.text;
  }
}

TEST(LaneFunction, IsNullForWhatIsNotScalar) {
  for (const Opcode opcode :
       {Opcode::none, Opcode::cvta, Opcode::isspacep, Opcode::ld, Opcode::st, Opcode::bra, Opcode::shfl,
        Opcode::mma, Opcode::atom, Opcode::bar_sync, Opcode::call}) {
    ptx::Instruction i;
    i.opcode = opcode;
    i.type = Type::u32;
    EXPECT_EQ(lane_function(i), nullptr) << static_cast<int>(opcode);
  }
}

TEST(LaneFunction, IsNullForFormsThatDoNotExist) {
  for (const char* text : {"mul.wide.u64", "mul24.lo.u64", "sqrt.rn.f16", "sin.f64", "lop3.b64", "prmt.b64",
                           "bfe.u16", "abs.u32", "setp.u32", "rsqrt.f32", "cvt.f16x2.f32", "clz.u32"}) {
    EXPECT_EQ(lane_function(instruction_of(form(text, "S"))), nullptr) << text;
  }
}

// Results of an NVIDIA H100 (sm_90, driver 580, ptxas 13.0) for the series of inputs_of: bit for bit.
TEST(LaneFunction, EqualsAnH100OnEveryExactForm) {
  std::map<std::string, std::uint64_t> measured;
  std::ifstream file(source_path("engine/emulator/testdata/h100_lane_digests.csv"));
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const auto comma = line.find(',');
    measured[line.substr(0, comma)] = std::stoull(line.substr(comma + 1), nullptr, 16);
  }
  EXPECT_GT(measured.size(), 1600u);
  std::size_t compared = 0;
  for (const Form& f : all_forms()) {
    const auto row = measured.find(f.text);
    if (f.needs_sm_100 || row == measured.end()) continue;
    const ptx::Instruction i = instruction_of(f);
    const LaneFunction function = lane_function(i);
    ASSERT_NE(function, nullptr);
    Digest digest;
    for (std::uint32_t k = 0; k < kInputsOfDigest; ++k) digest.add(i, function(i, inputs_of(f, i, k)));
    EXPECT_EQ(digest.value(), row->second) << f.text;
    ++compared;
  }
  EXPECT_EQ(compared, measured.size());
}

TEST(LaneFunction, IgnoresBitsAboveTheOperandsAndStaysInsideTheResult) {
  for (const Form& f : all_forms()) {
    const ptx::Instruction i = instruction_of(f);
    const LaneFunction function = lane_function(i);
    const int width = bits_of(operand_type(i, f.destination[0]));
    for (std::uint32_t k = 0; k < 64; ++k) {
      const LaneInputs clean = inputs_of(f, i, k);
      LaneInputs dirty = clean;
      std::uint64_t* const slots[] = {&dirty.a, &dirty.b, &dirty.c, &dirty.d, &dirty.e};
      for (std::size_t s = 0; s < f.sources.size(); ++s) {
        const int bits_used = bits_of(operand_type(i, f.sources[s]));
        if (bits_used < 64) *slots[s] |= 0xa5a5a5a5a5a5a5a5ull << bits_used;
      }
      const LaneResult expected = function(i, clean), result = function(i, dirty);
      EXPECT_EQ(result.value, expected.value) << f.text;
      EXPECT_EQ(result.second, expected.second) << f.text;
      EXPECT_EQ(result.carry, expected.carry) << f.text;
      EXPECT_EQ(result.value, zero_extend(result.value, width)) << f.text;
    }
  }
}

// ---- The same through the PTX reader ----

std::string register_name(Type type, std::size_t k) {
  const int width = bits_of(type);
  const char* kind = type == Type::pred ? "%p" : width <= 16 ? "%h" : width == 32 ? "%r" : "%q";
  return kind + std::to_string(k);
}
// "mad.lo.u32 %r0, %r1, %r2, %r3;" with the form's own register widths; an immediate is 150.
std::string line_of(const Form& f, const ptx::Instruction& i) {
  std::string line = f.text;
  for (std::size_t k = 0; k < f.destination.size(); ++k) {
    line += (k == 0 ? " " : "|") + register_name(operand_type(i, f.destination[k]), k);
  }
  for (std::size_t k = 0; k < f.sources.size(); ++k) {
    line += f.sources[k] == 'I' ? ", 150" : ", " + register_name(operand_type(i, f.sources[k]), k + 2);
  }
  return line + ";\n";
}

TEST(LaneFunction, OfAParsedLineIsThatOfTheForm) {
  std::string text =
      ".version 9.0\n.target sm_100\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<9>;\n.reg .b64 %q<9>;\n";
  const std::vector<Form> forms = all_forms();
  for (const Form& f : forms) text += line_of(f, instruction_of(f));
  const ptx::Parsed parsed = ptx::parse(text + "ret;\n}\n");
  for (const Error& error : parsed.errors) ADD_FAILURE() << to_line(error);
  ASSERT_EQ(parsed.program.functions.size(), 1u);
  const auto& code = parsed.program.functions[0].code;
  ASSERT_EQ(code.size(), forms.size() + 1);
  for (std::size_t n = 0; n < forms.size(); ++n) {
    const ptx::Instruction expected = instruction_of(forms[n]);
    const LaneFunction function = lane_function(code[n]);
    ASSERT_NE(function, nullptr) << forms[n].text;
    for (std::uint32_t k = 0; k < 128; ++k) {
      const LaneInputs in = inputs_of(forms[n], expected, k);
      const LaneResult by_hand = lane_function(expected)(expected, in), by_text = function(code[n], in);
      ASSERT_EQ(by_text.value, by_hand.value) << forms[n].text;
      ASSERT_EQ(by_text.second, by_hand.second) << forms[n].text;
      ASSERT_EQ(by_text.carry, by_hand.carry) << forms[n].text;
    }
  }
}

// ---- Integers, against C++ and the ISA's own loops ----

TEST(Integer, ArithmeticAgreesWithTheHost) {
  std::mt19937_64 random(1);
  for (int k = 0; k < 20000; ++k) {
    const auto a = static_cast<std::uint32_t>(random() >> (random() % 32)),
               b = static_cast<std::uint32_t>(random());
    const auto c = static_cast<std::uint32_t>(random());
    const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
    EXPECT_EQ(value(form("mad.lo.u32", "TTT"), a, b, c), a * b + c);
    EXPECT_EQ(value(form("mul.hi.u32"), a, b), static_cast<std::uint64_t>(a) * b >> 32);
    EXPECT_EQ(value(form("mul.wide.s32", "TT", "W"), a, b),
              static_cast<std::uint64_t>(static_cast<std::int64_t>(sa) * sb));
    EXPECT_EQ(value(form("sad.u32", "TTT"), a, b, c), (a > b ? a - b : b - a) + c);
    if (b != 0 && !(sb == -1 && sa == INT32_MIN)) {
      EXPECT_EQ(value(form("div.s32"), a, b), static_cast<std::uint32_t>(sa / sb));
      EXPECT_EQ(value(form("rem.s32"), a, b), static_cast<std::uint32_t>(sa % sb));
    }
  }
}

TEST(Integer, EdgesOfDivisionAndSaturation) {
  EXPECT_EQ(value(form("div.s32"), 0x80000000, 0xffffffff), 0x80000000u);
  EXPECT_EQ(value(form("div.u32"), 7, 0), 0xffffffffu);
  EXPECT_EQ(value(form("add.sat.s32"), 0x7fffffff, 1), 0x7fffffffu);
  EXPECT_EQ(value(form("sub.sat.s32"), 0x80000000, 1), 0x80000000u);
  EXPECT_EQ(value(form("abs.s16", "T"), 0x8000), 0x8000u);
  EXPECT_EQ(value(form("mul24.hi.u32"), 0xffffff, 0xffffff), 0xfffffe00u);
}

TEST(Integer, CarryChainsAddAndSubtract128Bits) {
  std::mt19937_64 random(2);
  for (int k = 0; k < 2000; ++k) {
    const auto wide = [&] { return UnsignedWide{random()} << 64 | (random() >> (random() % 64)); };
    const UnsignedWide a = wide(), b = wide();
    for (const bool subtract : {false, true}) {
      const UnsignedWide expected = subtract ? a - b : a + b;
      bool carry = false;
      for (int word = 0; word < 4; ++word) {
        const char* text = subtract ? (word == 0 ? "sub.cc.u32" : "subc.cc.u32")
                                    : (word == 0 ? "add.cc.u32" : "addc.cc.u32");
        const LaneInputs in{static_cast<std::uint32_t>(a >> (32 * word)),
                            static_cast<std::uint32_t>(b >> (32 * word)),
                            0,
                            0,
                            carry,
                            0};
        const LaneResult result = run(form(text), in);
        EXPECT_EQ(result.value, static_cast<std::uint32_t>(expected >> (32 * word)));
        carry = result.carry;
      }
      EXPECT_EQ(carry, subtract ? a < b : expected < a);
    }
  }
}

std::uint64_t bfe_by_the_isa(bool is_signed, int msb, std::uint64_t a, int pos, int len) {
  const bool sign = is_signed && len != 0 && (a >> std::min(pos + len - 1, msb) & 1) != 0;
  std::uint64_t d = 0;
  for (int i = 0; i <= msb; ++i) {
    const bool bit = i < len && pos + i <= msb ? (a >> (pos + i) & 1) != 0 : sign;
    d |= static_cast<std::uint64_t>(bit) << i;
  }
  return d;
}
TEST(Integer, BitFieldsFollowTheIsasLoop) {
  std::mt19937_64 random(3);
  for (int pos = 0; pos < 256; pos += pos < 70 ? 1 : 37) {
    for (int len = 0; len < 256; len += len < 70 ? 1 : 41) {
      const std::uint64_t a = random(), b = random();
      const auto p = static_cast<std::uint64_t>(pos), l = static_cast<std::uint64_t>(len);
      EXPECT_EQ(value(form("bfe.u32", "TUU"), a, p, l),
                bfe_by_the_isa(false, 31, zero_extend(a, 32), pos, len));
      EXPECT_EQ(value(form("bfe.s32", "TUU"), a, p, l),
                bfe_by_the_isa(true, 31, zero_extend(a, 32), pos, len));
      EXPECT_EQ(value(form("bfe.s64", "TUU"), a, p, l), bfe_by_the_isa(true, 63, a, pos, len));
      std::uint64_t inserted = b;
      for (int i = 0; i < len && pos + i <= 63; ++i)
        inserted = (inserted & ~(1ull << (pos + i))) | (a >> i & 1) << (pos + i);
      EXPECT_EQ(value(form("bfi.b64", "TTUU"), a, b, p, l), inserted);
    }
  }
}

TEST(Integer, Lop3LooksUpEveryTable) {
  for (unsigned table = 0; table < 256; ++table) {
    // 0xf0, 0xcc and 0xaa run through all eight combinations, so the low byte of the result is the table
    // itself.
    EXPECT_EQ(value(form("lop3.b32", "TTTI"), 0xf0, 0xcc, 0xaa, table) & 0xff, table);
  }
}

TEST(Integer, ShiftsClampOrWrap) {
  EXPECT_EQ(value(form("shl.b32", "TU"), 1, 31), 0x80000000u);
  EXPECT_EQ(value(form("shl.b32", "TU"), 1, 32), 0u);
  EXPECT_EQ(value(form("shr.s32", "TU"), 0x80000000, 200), 0xffffffffu);
  EXPECT_EQ(value(form("shr.u64", "TU"), ~0ull, 64), 0u);
  EXPECT_EQ(value(form("shf.l.clamp.b32", "TTU"), 0x11111111, 0x22222222, 40), 0x11111111u);
  EXPECT_EQ(value(form("shf.l.wrap.b32", "TTU"), 0x11111111, 0x22222222, 36), 0x22222221u);
  EXPECT_EQ(value(form("shf.r.clamp.b32", "TTU"), 0x11111111, 0x22222222, 32), 0x22222222u);
  EXPECT_EQ(value(form("shf.r.wrap.b32", "TTU"), 0x11111111, 0x22222222, 32), 0x11111111u);
}

TEST(Integer, PermuteModesAreTheIsasTables) {
  const std::uint64_t a = 0x83020100, b = 0x07060584;  // byte k holds k, bytes 3 and 4 are negative
  EXPECT_EQ(value(form("prmt.b32", "TTU"), a, b, 0x7531), 0x07058301u);
  EXPECT_EQ(value(form("prmt.b32", "TTU"), a, b, 0xbc08), 0xffff0000u);
  EXPECT_EQ(value(form("prmt.b32.f4e", "TTU"), a, b, 1), 0x84830201u);
  EXPECT_EQ(value(form("prmt.b32.b4e", "TTU"), a, b, 1), 0x06070001u);
  EXPECT_EQ(value(form("prmt.b32.rc8", "TTU"), a, b, 2), 0x02020202u);
  EXPECT_EQ(value(form("prmt.b32.ecl", "TTU"), a, b, 2), 0x83020202u);
  EXPECT_EQ(value(form("prmt.b32.ecr", "TTU"), a, b, 1), 0x01010100u);
  EXPECT_EQ(value(form("prmt.b32.rc16", "TTU"), a, b, 1), 0x83028302u);
}

// ---- Floats ----

struct Mode {
  const char* name;
  int host;
};
constexpr Mode kModes[] = {
    {"rn", FE_TONEAREST},
#ifdef FE_UPWARD  // WebAssembly rounds to nearest alone; there the digests hold the other modes
    {"rz", FE_TOWARDZERO},
    {"rm", FE_DOWNWARD},
    {"rp", FE_UPWARD},
#endif
};

// What the host's own unit says under a rounding mode. NaN becomes the GPU's.
std::uint32_t host_float(int mode, const std::function<float()>& operation) {
  std::fesetround(mode);
  volatile const float result = operation();
  std::fesetround(FE_TONEAREST);
  return std::isnan(result) ? 0x7fffffffu : bits(result);
}

TEST(Float, EveryRoundingModeAgreesWithTheHost) {
  for (const Mode& mode : kModes) {
    for (const char* name : {"add", "sub", "mul", "div", "fma", "sqrt", "rcp"}) {
      const std::string op = name;
      const int sources = op == "fma" ? 3 : op == "sqrt" || op == "rcp" ? 1 : 2;
      const Form f = form(op + "." + mode.name + ".f32", std::string(static_cast<std::size_t>(sources), 'T'));
      const ptx::Instruction i = instruction_of(f);
      for (std::uint32_t k = 0; k < 20000; ++k) {
        const LaneInputs in = inputs_of(f, i, k);
        volatile float a = std::bit_cast<float>(static_cast<std::uint32_t>(in.a));
        volatile float b = std::bit_cast<float>(static_cast<std::uint32_t>(in.b));
        volatile float c = std::bit_cast<float>(static_cast<std::uint32_t>(in.c));
        const std::uint32_t expected = host_float(mode.host, [&]() -> float {
          if (op == "add") return a + b;
          if (op == "sub") return a - b;
          if (op == "mul") return a * b;
          if (op == "div") return a / b;
          if (op == "fma") return std::fmaf(a, b, c);
          if (op == "rcp") return 1.0f / a;
          return std::sqrt(a);
        });
        ASSERT_EQ(run(f, in).value, expected)
            << f.text << std::hex << " " << in.a << " " << in.b << " " << in.c;
      }
    }
  }
}

TEST(Float, AProductTooSmallForADoubleKeepsItsSign) {
  EXPECT_EQ(value(form("fma.rn.f64", "TTT"), bits(-0x1p-700), bits(0x1p-700), bits(0.0)), bits(-0.0));
  EXPECT_EQ(value(form("fma.rn.f64", "TTT"), bits(0x1p-700), bits(0x1p-700), bits(-0.0)), bits(0.0));
  EXPECT_EQ(value(form("fma.rn.f64", "TTT"), bits(-0.0), bits(1.0), bits(0.0)), bits(0.0));
}

TEST(Float, LeavesTheHostsRoundingModeAlone) {
  std::fesetround(FE_TONEAREST);
  for (const Form& f : all_forms()) run(f, inputs_of(f, instruction_of(f), 5));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(Float, DoubleRoundsInTheNamedDirection) {
  const std::uint64_t one = bits(1.0), tiny = bits(0x1p-200);
  EXPECT_EQ(value(form("add.rn.f64"), one, tiny), one);
  EXPECT_EQ(value(form("add.rp.f64"), one, tiny), one + 1);
  EXPECT_EQ(value(form("sub.rm.f64"), one, tiny), one - 1);
  EXPECT_EQ(value(form("sub.rz.f64"), one, tiny), one - 1);
  EXPECT_EQ(value(form("div.rp.f64"), one, bits(3.0)), bits(1.0 / 3) + 1);
  EXPECT_EQ(value(form("div.rm.f64"), one, bits(3.0)), bits(1.0 / 3));
  EXPECT_EQ(value(form("add.rm.f64"), one, bits(-1.0)), bits(-0.0));
}

TEST(Float, SaturationAndFlushing) {
  EXPECT_EQ(value(form("add.sat.f32"), bits(0.75f), bits(0.75f)), bits(1.0f));
  EXPECT_EQ(value(form("add.sat.f32"), bits(-0.0f), bits(-0.0f)), 0u);
  EXPECT_EQ(value(form("add.sat.f32"), 0x7fc00000, bits(1.0f)), 0u);
  EXPECT_EQ(value(form("add.ftz.f32"), 0x80000001, bits(-0.0f)), 0x80000000u);
  EXPECT_EQ(value(form("add.f32"), 0x00000001, 0x00000001), 2u);
  // 2^-126 (1 - 2^-24) is a subnormal rounded up to the smallest normal, yet flushed; 2^-126 (1 - 2^-46) is
  // not.
  EXPECT_EQ(value(form("mul.rn.ftz.f32"), 0x3f7fffff, 0x00800000), 0u);
  EXPECT_EQ(value(form("mul.rn.f32"), 0x3f7fffff, 0x00800000), 0x00800000u);
  EXPECT_EQ(value(form("mul.rn.ftz.f32"), 0x3f000001, 0x00fffffe), 0x00800000u);
}

TEST(Float, MinMaxOfNanAndZeros) {
  const std::uint64_t nan = 0x7fc00001, one = bits(1.0f);
  EXPECT_EQ(value(form("min.f32"), nan, one), one);
  EXPECT_EQ(value(form("max.f32"), one, nan), one);
  EXPECT_EQ(value(form("min.f32"), nan, nan), 0x7fffffffu);
  EXPECT_EQ(value(form("min.NaN.f32"), nan, one), 0x7fffffffu);
  EXPECT_EQ(value(form("min.f32"), 0, 0x80000000), 0x80000000u);
  EXPECT_EQ(value(form("max.f32"), 0x80000000, 0), 0u);
  EXPECT_EQ(value(form("max.xorsign.abs.f32"), bits(-3.0f), bits(2.0f)), bits(-3.0f));
  EXPECT_EQ(value(form("min.xorsign.abs.f32"), bits(-3.0f), bits(-2.0f)), bits(2.0f));
  EXPECT_EQ(value(form("max.f32", "TTT"), bits(1.0f), bits(5.0f), bits(3.0f)), bits(5.0f));
}

// Every pair of the special values, all f16 operations, against exact arithmetic in double: a sum or product
// of two f16 values has fewer than 53 bits, so rounding it once is right by definition.
TEST(Float, HalfAddsAndMultipliesExhaustivelyInOneOperand) {
  for (const std::uint64_t b :
       {0x0000u, 0x8000u, 0x0001u, 0x03ffu, 0x0400u, 0x3555u, 0x3c00u, 0xbc01u, 0x7bffu, 0x7c00u}) {
    for (std::uint64_t a = 0; a < 0x10000; ++a) {
      const double x = to_double(a, kF16), y = to_double(b, kF16);
      const auto ieee = [&](double exact) { return from_double(exact, kF16); };
      ASSERT_EQ(value(form("add.rn.f16"), a, b), ieee(x + y)) << std::hex << a << " " << b;
      ASSERT_EQ(value(form("mul.rn.f16"), a, b), ieee(x * y)) << std::hex << a << " " << b;
    }
  }
}

// ---- Conversions ----

TEST(Convert, HalfToEveryIntegerExhaustively) {
  struct Range {
    const char* type;
    double low, high;
  };
  const Range ranges[] = {{"u8", 0, 255},
                          {"s8", -128, 127},
                          {"u16", 0, 65535},
                          {"s16", -32768, 32767},
                          {"s32", -2147483648.0, 2147483647.0}};
  for (const Range& r : ranges) {
    const Form f = form(std::string("cvt.rni.") + r.type + ".f16", "S");
    const ptx::Instruction i = instruction_of(f);
    for (std::uint64_t a = 0; a < 0x10000; ++a) {
      const double x = to_double(a, kF16);
      const double whole = std::isnan(x) ? 0 : std::clamp(std::nearbyint(x), r.low, r.high);
      const auto expected =
          zero_extend(static_cast<std::uint64_t>(static_cast<std::int64_t>(whole)), bits_of(i.type));
      ASSERT_EQ(run(f, {a, 0, 0, 0, false, 0}).value, expected) << f.text << " " << std::hex << a;
    }
  }
}

TEST(Convert, FloatToIntegerAtTheEnds) {
  const std::uint64_t nan = 0x7fc00000;
  EXPECT_EQ(value(form("cvt.rzi.s32.f32", "S"), bits(3e9f)), 0x7fffffffu);
  EXPECT_EQ(value(form("cvt.rzi.s32.f32", "S"), bits(-3e9f)), 0x80000000u);
  EXPECT_EQ(value(form("cvt.rzi.u32.f32", "S"), bits(-1.0f)), 0u);
  EXPECT_EQ(value(form("cvt.rzi.s32.f32", "S"), nan), 0u);
  EXPECT_EQ(value(form("cvt.rzi.s64.f32", "S"), nan), 0x8000000000000000u);
  EXPECT_EQ(value(form("cvt.rzi.s32.f64", "S"), bits(std::nan(""))), 0x80000000u);
  EXPECT_EQ(value(form("cvt.rmi.s32.f32", "S"), bits(-0.5f)), 0xffffffffu);
  EXPECT_EQ(value(form("cvt.rpi.s32.f32", "S"), bits(0.5f)), 1u);
  EXPECT_EQ(value(form("cvt.rni.s32.f32", "S"), bits(2.5f)), 2u);
  EXPECT_EQ(value(form("cvt.rzi.u64.f64", "S"), bits(0x1p64)), ~0ull);
  EXPECT_EQ(value(form("cvt.rpi.ftz.s32.f32", "S"), 1), 0u);
}

TEST(Convert, IntegersToFloatsAgreeWithTheHost) {
  std::mt19937_64 random(4);
  for (int k = 0; k < 20000; ++k) {
    const std::uint64_t a = random() >> (random() % 64);
    const auto s = static_cast<std::int64_t>(a * (k % 2 == 0 ? 1 : ~0ull));
    for (const Mode& mode : kModes) {
      volatile std::int64_t source = s;
      const std::uint32_t expected = host_float(mode.host, [&] { return static_cast<float>(source); });
      ASSERT_EQ(value(form(std::string("cvt.") + mode.name + ".f32.s64", "S"), static_cast<std::uint64_t>(s)),
                expected)
          << s;
    }
    EXPECT_EQ(value(form("cvt.rn.f64.u64", "S"), a), bits(static_cast<double>(a)));
  }
}

TEST(Convert, PacksTheFirstSourceHigh) {
  EXPECT_EQ(value(form("cvt.rn.f16x2.f32", "SS"), bits(1.0f), bits(-2.0f)), 0x3c00c000u);
  EXPECT_EQ(value(form("cvt.rn.bf16x2.f32", "SS"), bits(1.0f), bits(-2.0f)), 0x3f80c000u);
  EXPECT_EQ(value(form("cvt.rn.satfinite.e4m3x2.f32", "SS"), bits(1.0f), bits(1e6f)), 0x387eu);
  EXPECT_EQ(value(form("cvt.rn.f16x2.e4m3x2", "H"), 0x387e), 0x3c005f00u);
  EXPECT_EQ(value(form("cvt.rna.tf32.f32", "S"), 0x3f801000), 0x3f802000u);
  EXPECT_EQ(value(form("cvt.rn.relu.f16x2.f32", "SS"), bits(-1.0f), bits(2.0f)), 0x00004000u);
  EXPECT_EQ(value(form("cvt.pack.sat.u8.s32.b32", "NNB"), 300, 0xffffffff, 0xabcd), 0xabcdff00u);
}

TEST(Move, PacksElementsFromTheLowEnd) {
  ptx::Instruction i;
  i.opcode = Opcode::mov;
  i.type = Type::b64;
  i.destinations = 1;
  i.operands.resize(2);
  i.operands[0].kind = ptx::Operand::Kind::reg;
  i.operands[1].kind = ptx::Operand::Kind::vector;
  i.operands[1].elements.resize(2);
  const LaneInputs in{0x11111111, 0x22222222, 0xffff3333, 0x4444, false, 0};
  ASSERT_NE(lane_function(i), nullptr);
  EXPECT_EQ(lane_function(i)(i, in).value, 0x2222222211111111u);
  i.operands[1].elements.resize(4);
  EXPECT_EQ(lane_function(i)(i, in).value, 0x4444333322221111u);
  std::swap(i.operands[0], i.operands[1]);
  EXPECT_EQ(lane_function(i), nullptr) << "an unpack is the caller's";
}

TEST(Compare, OrderedUnorderedAndCombined) {
  const std::uint64_t nan = 0x7fc00000, one = bits(1.0f);
  for (const char* text : {"eq", "ne", "lt", "le", "gt", "ge", "num"}) {
    EXPECT_EQ(run(form(std::string("setp.") + text + ".f32", "TT", "PP"), {nan, one, 0, 0, false, 0}).value,
              0u)
        << text;
  }
  for (const char* text : {"equ", "neu", "ltu", "leu", "gtu", "geu", "nan"}) {
    const LaneResult r =
        run(form(std::string("setp.") + text + ".f32", "TT", "PP"), {nan, one, 0, 0, false, 0});
    EXPECT_EQ(r.value, 1u) << text;
    EXPECT_EQ(r.second, 0u) << text;
  }
  const LaneResult r = run(form("setp.lt.and.f32", "TTP", "PP"), {one, one, 1, 0, false, 0});
  EXPECT_EQ(r.value, 0u);
  EXPECT_EQ(r.second, 1u);
  EXPECT_EQ(value(form("setp.lo.u32", "TT", "PP"), 1, 0xffffffff), 1u);
  EXPECT_EQ(value(form("setp.lt.s32", "TT", "PP"), 1, 0xffffffff), 0u);
  EXPECT_EQ(value(form("set.eq.f32.u32", "SS"), 4, 4), bits(1.0f));
  EXPECT_EQ(value(form("set.lt.u32.f16x2", "SS"), 0x3c004000, 0x40004000), 0xffff0000u);
}

// ---- Approximations: the ISA's tables exactly, the rest within its error ----

TEST(Approximate, SpecialValuesAreTheIsasTables) {
  const std::uint64_t inf = 0x7f800000, minus_inf = 0xff800000, nan = 0x7fffffff, minus_zero = 0x80000000,
                      subnormal = 0x80000001;
  struct Case {
    const char* text;
    std::uint64_t in, out;
  };
  const Case cases[] = {{"rcp.approx.f32", minus_inf, minus_zero},
                        {"rcp.approx.f32", minus_zero, minus_inf},
                        {"rcp.approx.f32", 0, inf},
                        {"rcp.approx.ftz.f32", subnormal, minus_inf},
                        {"sqrt.approx.f32", minus_inf, nan},
                        {"sqrt.approx.f32", minus_zero, minus_zero},
                        {"sqrt.approx.f32", 0xbf800000, nan},
                        {"sqrt.approx.ftz.f32", subnormal, minus_zero},
                        {"rsqrt.approx.f32", minus_zero, minus_inf},
                        {"rsqrt.approx.f32", inf, 0},
                        {"rsqrt.approx.f32", minus_inf, nan},
                        {"rsqrt.approx.ftz.f32", subnormal, minus_inf},
                        {"sin.approx.f32", minus_inf, nan},
                        {"sin.approx.f32", minus_zero, minus_zero},
                        {"sin.approx.ftz.f32", subnormal, minus_zero},
                        {"cos.approx.f32", inf, nan},
                        {"cos.approx.f32", minus_zero, 0x3f800000},
                        {"lg2.approx.f32", 0, minus_inf},
                        {"lg2.approx.f32", minus_inf, nan},
                        {"lg2.approx.f32", inf, inf},
                        {"lg2.approx.ftz.f32", subnormal, minus_inf},
                        {"ex2.approx.f32", minus_inf, 0},
                        {"ex2.approx.f32", inf, inf},
                        {"ex2.approx.f32", minus_zero, 0x3f800000},
                        {"tanh.approx.f32", minus_inf, 0xbf800000},
                        {"tanh.approx.f32", subnormal, subnormal},
                        {"ex2.approx.f32", 0x7fc00001, nan}};
  for (const Case& c : cases)
    EXPECT_EQ(value(form(c.text, "T"), c.in), c.out) << c.text << " " << std::hex << c.in;
  EXPECT_EQ(value(form("div.approx.f32"), inf, bits(0x1p127f)), nan);
  EXPECT_EQ(value(form("div.approx.f32"), bits(-1.0f), bits(0x1p127f)), minus_zero);
  EXPECT_EQ(value(form("div.full.f32"), bits(0x1p127f), bits(0x1p127f)), bits(1.0f));
}

TEST(Approximate, StaysWithinTheErrorOfTheIsa) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> angles(-3.14159f, 3.14159f), exponents(-20, 20);
  for (int k = 0; k < 20000; ++k) {
    const float x = angles(random), e = exponents(random), y = std::exp2(exponents(random));
    const auto result = [](const char* text, float v) {
      return static_cast<double>(
          std::bit_cast<float>(static_cast<std::uint32_t>(value(form(text, "T"), bits(v)))));
    };
    EXPECT_NEAR(result("sin.approx.f32", x), std::sin(static_cast<double>(x)), 0x1p-20);
    EXPECT_NEAR(result("cos.approx.f32", x), std::cos(static_cast<double>(x)), 0x1p-20);
    EXPECT_NEAR(result("lg2.approx.f32", y), std::log2(static_cast<double>(y)), 0x1p-18);
    EXPECT_NEAR(result("ex2.approx.f32", e) / std::exp2(static_cast<double>(e)), 1, 0x1p-22);
    EXPECT_NEAR(result("tanh.approx.f32", x), std::tanh(static_cast<double>(x)), 0x1p-11);
    EXPECT_NEAR(result("rsqrt.approx.f32", y) * std::sqrt(static_cast<double>(y)), 1, 0x1p-22);
  }
}

}  // namespace
}  // namespace warplens::emulator
