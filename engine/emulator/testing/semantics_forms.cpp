#include "engine/emulator/testing/semantics_forms.hpp"

#include <sstream>
#include <string_view>
#include <utility>

#include "engine/emulator/semantics/semantics_detail.hpp"

namespace warplens::emulator {
namespace {

using namespace detail;
using ptx::BoolOp, ptx::Compare, ptx::MulPart, ptx::PermuteMode, ptx::TestProperty;

struct Row {
  const char* pattern;  // with {a,b} alternatives, also empty ones
  const char* destination;
  const char* sources;
  bool approximate = false;
  bool needs_sm_100 = false;
};

#define INTS "{u16,u32,u64,s16,s32,s64}"
#define CVT_INTS "{u8,u16,u32,u64,s8,s16,s32,s64}"
#define DIRECTED "{.rn,.rz,.rm,.rp}"

// PTX ISA 9.0, sections 9.7.1 to 9.7.9, in their order.
const Row kRows[] = {
    // 9.7.1 integer
    {"{add,sub}." INTS, "T", "TT"},
    {"add.{u16x2,s16x2}", "T", "TT"},
    {"{add,sub}.sat.s32", "T", "TT"},
    {"mul.{lo,hi}." INTS, "T", "TT"},
    {"mul.wide.{u16,u32,s16,s32}", "W", "TT"},
    {"mad.{lo,hi}." INTS, "T", "TTT"},
    {"mad.wide.{u16,u32,s16,s32}", "W", "TTW"},
    {"mad.hi.sat.s32", "T", "TTT"},
    {"mul24.{lo,hi}.{u32,s32}", "T", "TT"},
    {"mad24.{lo,hi}.{u32,s32}", "T", "TTT"},
    {"mad24.hi.sat.s32", "T", "TTT"},
    {"sad." INTS, "T", "TTT"},
    {"{div,rem}." INTS, "T", "TT"},
    {"{abs,neg}.{s16,s32,s64}", "T", "T"},
    {"{min,max}." INTS, "T", "TT"},
    {"{min,max}.{u16x2,s16x2,relu.s16x2,relu.s32}", "T", "TT"},
    {"{popc,clz}.{b32,b64}", "U", "T"},
    {"bfind.{u32,u64,s32,s64,shiftamt.u32,shiftamt.u64,shiftamt.s32,shiftamt.s64}", "U", "T"},
    {"fns.b32", "B", "TUN"},
    {"brev.{b32,b64}", "T", "T"},
    {"bfe.{u32,u64,s32,s64}", "T", "TUU"},
    {"bfi.{b32,b64}", "T", "TTUU"},
    {"szext.{clamp,wrap}.{u32,s32}", "T", "TU"},
    {"bmsk.{clamp,wrap}.b32", "T", "UU"},
    {"dp4a.{u32,s32}.{u32,s32}", "B", "BBB"},
    {"dp2a.{lo,hi}.{u32,s32}.{u32,s32}", "B", "BBB"},
    // 9.7.2 extended precision
    {"{add,sub}.cc.{u32,s32,u64,s64}", "T", "TT"},
    {"{addc,subc}{,.cc}.{u32,s32,u64,s64}", "T", "TT"},
    {"mad.{lo,hi}.cc.{u32,s32,u64,s64}", "T", "TTT"},
    {"madc.{lo,hi}{,.cc}.{u32,s32,u64,s64}", "T", "TTT"},
    // 9.7.3 floating point
    {"testp.{finite,infinite,number,notanumber,normal,subnormal}.{f32,f64}", "P", "T"},
    {"copysign.{f32,f64}", "T", "TT"},
    {"{add,sub}{,.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32", "T", "TT"},
    {"{add,sub,mul}{,.rn,.rz,.rm,.rp}.f64", "T", "TT"},
    {"mul{,.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32", "T", "TT"},
    {"fma" DIRECTED "{,.ftz}{,.sat}.f32", "T", "TTT"},
    {"fma" DIRECTED ".f64", "T", "TTT"},
    {"mad" DIRECTED "{,.ftz}{,.sat}.f32", "T", "TTT"},
    {"mad" DIRECTED ".f64", "T", "TTT"},
    {"div" DIRECTED "{,.ftz}.f32", "T", "TT"},
    {"div" DIRECTED ".f64", "T", "TT"},
    {"{div.approx,div.full}{,.ftz}.f32", "T", "TT", true},
    {"{rcp,sqrt}" DIRECTED "{,.ftz}.f32", "T", "T"},
    {"{rcp,sqrt}" DIRECTED ".f64", "T", "T"},
    {"{rcp,sqrt,rsqrt,sin,cos,lg2,ex2}.approx{,.ftz}.f32", "T", "T", true},
    {"{rcp.approx.ftz,rsqrt.approx,rsqrt.approx.ftz}.f64", "T", "T", true},
    {"tanh.approx.f32", "T", "T", true},
    {"{abs,neg}{,.ftz}.f32", "T", "T"},
    {"{abs,neg}.f64", "T", "T"},
    {"{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f32", "T", "TT"},
    {"{min,max}{,.ftz}{,.NaN}.f32", "T", "TTT", false, true},
    {"{min,max}.f64", "T", "TT"},
    {"{add,sub,mul}" DIRECTED "{,.ftz}.f32x2", "T", "TT", false, true},
    {"fma" DIRECTED "{,.ftz}.f32x2", "T", "TTT", false, true},
    // 9.7.4 half precision
    {"{add,sub,mul}{,.rn}{,.ftz}{,.sat}.{f16,f16x2}", "T", "TT"},
    {"{add,sub,mul}{,.rn}.{bf16,bf16x2}", "T", "TT"},
    {"fma.rn{,.ftz}{,.sat,.relu}.{f16,f16x2}", "T", "TTT"},
    {"fma.rn{,.relu}.{bf16,bf16x2}", "T", "TTT"},
    {"{neg,abs}{,.ftz}.{f16,f16x2}", "T", "T"},
    {"{neg,abs}.{bf16,bf16x2}", "T", "T"},
    {"{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.{f16,f16x2}", "T", "TT"},
    {"{min,max}{,.NaN}{,.xorsign.abs}.{bf16,bf16x2}", "T", "TT"},
    {"{tanh,ex2}.approx.{f16,f16x2}", "T", "T", true},
    {"{tanh.approx,ex2.approx.ftz}.{bf16,bf16x2}", "T", "T", true},
    // 9.7.5 mixed precision
    {"{add,sub}" DIRECTED "{,.sat}.f32.{f16,bf16}", "T", "ST", false, true},
    {"fma" DIRECTED "{,.sat}.f32.{f16,bf16}", "T", "SST", false, true},
    // 9.7.6 and 9.7.7 comparison and selection
    {"setp.{eq,ne}.{b16,b32,b64}", "PP", "TT"},
    {"setp.{eq,ne,lt,le,gt,ge}." INTS, "PP", "TT"},
    {"setp.{lo,ls,hi,hs}.{u16,u32,u64}", "PP", "TT"},
    {"setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.ftz}.{f32,f16x2}", "PP", "TT"},
    {"setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.ftz}.f16", "P", "TT"},
    {"setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.bf16", "P", "TT"},
    {"setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.{f64,bf16x2}", "PP", "TT"},
    {"setp.{lt,geu}.{and,or,xor}.{f32,f16x2}", "PP", "TTP"},
    {"setp.ge.{and,or,xor}.{u32,s64,f64}", "PP", "TTP"},
    {"set.{eq,ne,lt,le,gt,ge}.{u32,s32,f32}." INTS, "T", "SS"},
    {"set.{eq,ne}.{u32,s32,f32}.{b16,b32,b64}", "T", "SS"},
    {"set.{eq,neu,lt,geu,num,nan}{,.ftz}.{u32,s32,f32}.f32", "T", "SS"},
    {"set.{eq,neu,lt,geu,num,nan}.{u32,s32,f32}.f64", "T", "SS"},
    {"set.{le,gtu}.{and,or,xor}.{u32,s32,f32}.f32", "T", "SSP"},
    {"set.{eq,neu,lt,geu,num,nan}{,.ftz}.{f16,u16,s16,u32,s32}.f16", "T", "SS"},
    {"set.{eq,neu,lt,geu,num,nan}.{bf16,u16,s16,u32,s32}.bf16", "T", "SS"},
    {"set.{eq,neu,lt,geu,num,nan}{,.ftz}.{f16x2,u32,s32}.f16x2", "T", "SS"},
    {"set.{eq,neu,lt,geu,num,nan}.{bf16x2,u32,s32}.bf16x2", "T", "SS"},
    {"selp.{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}", "T", "TTP"},
    {"slct.{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.s32", "T", "TTN"},
    {"slct{,.ftz}.{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.f32", "T", "TTF"},
    // 9.7.8 logic and shift
    {"{and,or,xor}.{pred,b16,b32,b64}", "T", "TT"},
    {"not.{pred,b16,b32,b64}", "T", "T"},
    {"cnot.{b16,b32,b64}", "T", "T"},
    {"lop3.b32", "T", "TTTI"},
    {"lop3.{and,or}.b32", "TP", "TTTIP"},
    {"shf.{l,r}.{clamp,wrap}.b32", "T", "TTU"},
    {"shl.{b16,b32,b64}", "T", "TU"},
    {"shr.{b16,b32,b64,u16,u32,u64,s16,s32,s64}", "T", "TU"},
    {"prmt.b32{,.f4e,.b4e,.rc8,.ecl,.ecr,.rc16}", "T", "TTU"},
    // 9.7.9 moves and conversions
    {"mov.{pred,b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}", "T", "T"},
    {"cvt." CVT_INTS "." CVT_INTS, "T", "S"},
    {"cvt.sat.u8.{u16,u32,u64,s8,s16,s32,s64}", "T", "S"},
    {"cvt.sat.u16.{u32,u64,s8,s16,s32,s64}", "T", "S"},
    {"cvt.sat.u32.{u64,s8,s16,s32,s64}", "T", "S"},
    {"cvt.sat.u64.{s8,s16,s32,s64}", "T", "S"},
    {"cvt.sat.s8.{u8,u16,u32,u64,s16,s32,s64}", "T", "S"},
    {"cvt.sat.s16.{u16,u32,u64,s32,s64}", "T", "S"},
    {"cvt.sat.s32.{u32,u64,s64}", "T", "S"},
    {"cvt.sat.s64.u64", "T", "S"},
    {"cvt{.rni,.rzi,.rmi,.rpi}." CVT_INTS ".{f16,f32,f64}", "T", "S"},
    {"cvt{.rni,.rzi,.rmi,.rpi}." INTS ".bf16", "T", "S"},
    {"cvt{.rni,.rzi}{,.ftz}.sat." CVT_INTS ".f32", "T", "S"},
    {"cvt" DIRECTED ".{f16,f32,f64}." CVT_INTS, "T", "S"},
    {"cvt" DIRECTED ".bf16." INTS, "T", "S"},
    {"cvt.rn.sat.{f16,f32,f64}." CVT_INTS, "T", "S"},
    {"cvt{,.rni,.rzi,.rmi,.rpi}{,.sat}.{f16.f16,f64.f64}", "T", "S"},
    {"cvt{,.rni,.rzi,.rmi,.rpi}{,.ftz}{,.sat}.f32.f32", "T", "S"},
    {"cvt{,.sat}{.f32.f16,.f64.f16,.f64.f32}", "T", "S"},
    {"cvt{.f32.bf16,.ftz.f32.f16,.ftz.f64.f32}", "T", "S"},
    {"cvt" DIRECTED "{,.sat}{.f16.f32,.f16.f64,.f32.f64}", "T", "S"},
    {"cvt{.rn,.rz}.ftz{.f16.f32,.f32.f64}", "T", "S"},
    {"cvt{.rn,.rz}{,.relu}.bf16.f32", "T", "S"},
    {"cvt{.rn,.rz}.relu.f16.f32", "T", "S"},
    {"cvt" DIRECTED ".bf16.{f16,f64}", "T", "S"},
    {"cvt{.rn,.rz}{,.relu}.{f16x2,bf16x2}.f32", "T", "SS"},
    {"cvt{.rna,.rn,.rz,.rn.relu,.rz.relu}.tf32.f32", "T", "S"},
    {"cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2}.f32", "H", "SS"},
    {"cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2}.f16x2", "H", "S"},
    {"cvt.rn{,.relu}.f16x2.{e4m3x2,e5m2x2}", "T", "H"},
    {"cvt.pack.sat.{u16,s16}.s32", "B", "NN"},
    {"cvt.pack.sat.{u8,s8,u4,s4}.s32.b32", "B", "NNB"},
};

// "a{b,c}d" -> abd, acd; every brace, from the left.
void expand(const std::string& pattern, std::vector<std::string>& out) {
  const auto open = pattern.find('{');
  if (open == std::string::npos) {
    out.push_back(pattern);
    return;
  }
  const auto close = pattern.find('}', open);
  std::istringstream choices(pattern.substr(open + 1, close - open - 1) + ",");
  for (std::string choice; std::getline(choices, choice, ',');) {
    expand(pattern.substr(0, open) + choice + pattern.substr(close + 1), out);
  }
}

template <class E>
using Words = std::vector<std::pair<std::string_view, E>>;
template <class E>
bool look_up(const Words<E>& words, std::string_view word, E& out) {
  for (const auto& [name, value] : words) {
    if (name != word) continue;
    out = value;
    return true;
  }
  return false;
}

const Words<Opcode>& opcodes() {
  static const Words<Opcode> words = {
      {"add", Opcode::add},           {"sub", Opcode::sub},
      {"addc", Opcode::addc},         {"subc", Opcode::subc},
      {"mul", Opcode::mul},           {"mad", Opcode::mad},
      {"madc", Opcode::madc},         {"mul24", Opcode::mul24},
      {"mad24", Opcode::mad24},       {"sad", Opcode::sad},
      {"div", Opcode::div},           {"rem", Opcode::rem},
      {"abs", Opcode::abs},           {"neg", Opcode::neg},
      {"min", Opcode::min},           {"max", Opcode::max},
      {"popc", Opcode::popc},         {"clz", Opcode::clz},
      {"bfind", Opcode::bfind},       {"fns", Opcode::fns},
      {"brev", Opcode::brev},         {"bfe", Opcode::bfe},
      {"bfi", Opcode::bfi},           {"szext", Opcode::szext},
      {"bmsk", Opcode::bmsk},         {"dp4a", Opcode::dp4a},
      {"dp2a", Opcode::dp2a},         {"testp", Opcode::testp},
      {"copysign", Opcode::copysign}, {"fma", Opcode::fma},
      {"rcp", Opcode::rcp},           {"sqrt", Opcode::sqrt},
      {"rsqrt", Opcode::rsqrt},       {"sin", Opcode::sin},
      {"cos", Opcode::cos},           {"lg2", Opcode::lg2},
      {"ex2", Opcode::ex2},           {"tanh", Opcode::tanh},
      {"setp", Opcode::setp},         {"set", Opcode::set},
      {"selp", Opcode::selp},         {"slct", Opcode::slct},
      {"and", Opcode::and_},          {"or", Opcode::or_},
      {"xor", Opcode::xor_},          {"not", Opcode::not_},
      {"cnot", Opcode::cnot},         {"lop3", Opcode::lop3},
      {"shf", Opcode::shf},           {"shl", Opcode::shl},
      {"shr", Opcode::shr},           {"prmt", Opcode::prmt},
      {"mov", Opcode::mov},           {"cvt", Opcode::cvt},
  };
  return words;
}

const Words<Type>& types() {
  static const Words<Type> words = {
      {"pred", Type::pred},     {"b16", Type::b16},       {"b32", Type::b32},     {"b64", Type::b64},
      {"u8", Type::u8},         {"u16", Type::u16},       {"u32", Type::u32},     {"u64", Type::u64},
      {"s8", Type::s8},         {"s16", Type::s16},       {"s32", Type::s32},     {"s64", Type::s64},
      {"u4", Type::u4},         {"s4", Type::s4},         {"f16", Type::f16},     {"f16x2", Type::f16x2},
      {"bf16", Type::bf16},     {"bf16x2", Type::bf16x2}, {"tf32", Type::tf32},   {"f32", Type::f32},
      {"f32x2", Type::f32x2},   {"f64", Type::f64},       {"u16x2", Type::u16x2}, {"s16x2", Type::s16x2},
      {"e4m3x2", Type::e4m3x2}, {"e5m2x2", Type::e5m2x2},
  };
  return words;
}

const Words<bool Instruction::*>& flags() {
  static const Words<bool Instruction::*> words = {
      {"ftz", &Instruction::ftz},
      {"sat", &Instruction::saturate},
      {"approx", &Instruction::approximate},
      {"full", &Instruction::full_range},
      {"NaN", &Instruction::nan},
      {"relu", &Instruction::relu},
      {"clamp", &Instruction::clamp},
      {"cc", &Instruction::carry_out},
      {"l", &Instruction::left},
      {"shiftamt", &Instruction::shift_amount},
      {"satfinite", &Instruction::saturate_finite},
      {"xorsign", &Instruction::xor_sign_abs},
  };
  return words;
}

bool apply_enum(Instruction& i, std::string_view word) {
  static const Words<Rounding> roundings = {
      {"rn", Rounding::rn},   {"rz", Rounding::rz},   {"rm", Rounding::rm},
      {"rp", Rounding::rp},   {"rna", Rounding::rna}, {"rni", Rounding::rni},
      {"rzi", Rounding::rzi}, {"rmi", Rounding::rmi}, {"rpi", Rounding::rpi}};
  static const Words<BoolOp> bool_ops = {{"and", BoolOp::and_}, {"or", BoolOp::or_}, {"xor", BoolOp::xor_}};
  static const Words<Compare> compares = {
      {"eq", Compare::eq},   {"ne", Compare::ne},   {"lt", Compare::lt},   {"le", Compare::le},
      {"gt", Compare::gt},   {"ge", Compare::ge},   {"equ", Compare::equ}, {"neu", Compare::neu},
      {"ltu", Compare::ltu}, {"leu", Compare::leu}, {"gtu", Compare::gtu}, {"geu", Compare::geu},
      {"num", Compare::num}, {"nan", Compare::nan}, {"ls", Compare::ls},   {"hs", Compare::hs}};
  static const Words<PermuteMode> permutes = {{"f4e", PermuteMode::f4e}, {"b4e", PermuteMode::b4e},
                                              {"rc8", PermuteMode::rc8}, {"ecl", PermuteMode::ecl},
                                              {"ecr", PermuteMode::ecr}, {"rc16", PermuteMode::rc16}};
  static const Words<TestProperty> tests = {
      {"finite", TestProperty::finite}, {"infinite", TestProperty::infinite},
      {"number", TestProperty::number}, {"notanumber", TestProperty::notanumber},
      {"normal", TestProperty::normal}, {"subnormal", TestProperty::subnormal}};
  static const Words<MulPart> parts = {{"lo", MulPart::lo}, {"hi", MulPart::hi}, {"wide", MulPart::wide}};
  if (i.opcode == Opcode::setp || i.opcode == Opcode::set) {
    static const Words<Compare> unsigned_only = {{"lo", Compare::lo}, {"hi", Compare::hi}};
    if (look_up(unsigned_only, word, i.compare) || look_up(compares, word, i.compare)) return true;
  }
  return look_up(roundings, word, i.rounding) || look_up(bool_ops, word, i.bool_op) ||
         look_up(permutes, word, i.permute) || look_up(tests, word, i.test) || look_up(parts, word, i.part);
}

std::uint64_t mix(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

std::uint64_t special_float(const FloatFormat& format, std::uint64_t random, bool edges) {
  static const double values[] = {
      0,        0.25,     0.5,     0.75,      1,       1.5,     2,       2.5,     3,
      3.5,      4.5,      7.5,     127,       127.5,   128.5,   255,     255.5,   256.5,
      32767,    32767.5,  32768,   65503,     65504,   65519.9, 65520,   65535.5, 0x1p31,
      0x1p32,   0x1p63,   0x1p64,  448,       463.9,   464.1,   57344,   0x1p-24, 0x1p-25,
      0x1p-126, 0x1p-149, 0x1p-14, 0x1.8p-25, 0x1p126, 0x1p127, 1.0 / 3, 10,      3.14159265358979};
  const std::uint64_t codes[] = {format.smallest_normal(),
                                 format.smallest_normal() - (1ull << format.padding),
                                 1ull << format.padding,
                                 format.largest_finite(),
                                 format.infinity(),
                                 format.infinity() + (1ull << format.padding),
                                 format.infinity() | format.smallest_normal() >> 1,
                                 format.sign_bit() - 1,
                                 format.smallest_normal() + (1ull << format.padding),
                                 3ull << format.padding,
                                 format.one() - (1ull << format.padding),
                                 format.one() + (1ull << format.padding),
                                 format.one(),
                                 format.one() - format.smallest_normal() + (1ull << format.padding),
                                 2 * format.smallest_normal() - (2ull << format.padding),
                                 0};
  const std::uint64_t sign = (random & 1) != 0 ? format.sign_bit() : 0;
  const std::uint64_t pick = random >> 8;
  if (edges || (random & 6) == 0) return sign | codes[pick % std::size(codes)];
  std::uint64_t bits = from_double(values[pick % std::size(values)], format);
  if ((random & 24) == 8) bits += 1ull << format.padding;
  if ((random & 24) == 16 && bits != 0) bits -= 1ull << format.padding;
  return sign | bits;
}

std::uint64_t random_float(const FloatFormat& format, std::uint64_t random) {
  const int total = format.exponent_bits + format.mantissa_bits + format.padding + 1;
  std::uint64_t bits = zero_extend(mix(random), total);
  if ((random & 1) != 0) {  // an exponent near that of 1, so that sums really round
    const int spread =
        format.mantissa_bits + 4 < format.bias() ? format.mantissa_bits + 4 : format.bias() - 1;
    const auto exponent = static_cast<std::uint64_t>(format.bias() - spread / 2) +
                          (random >> 3) % static_cast<unsigned>(spread);
    bits = (bits & ~format.infinity()) | exponent << (format.mantissa_bits + format.padding);
  }
  return bits >> format.padding << format.padding;
}

std::uint64_t random_integer(int bits, std::uint64_t random) {
  static const std::uint64_t values[] = {0,
                                         1,
                                         2,
                                         3,
                                         4,
                                         7,
                                         8,
                                         15,
                                         16,
                                         23,
                                         24,
                                         31,
                                         32,
                                         33,
                                         63,
                                         64,
                                         65,
                                         127,
                                         128,
                                         255,
                                         256,
                                         0x7fff,
                                         0x8000,
                                         0xffff,
                                         0x10000,
                                         0x7fffff,
                                         0x800000,
                                         0xffffff,
                                         0x7fffffff,
                                         0x80000000,
                                         0xffffffff,
                                         0x100000000,
                                         0x7fffffffffffffff,
                                         0x8000000000000000};
  std::uint64_t value = mix(random);
  if ((random & 3) == 0) value = values[(random >> 8) % std::size(values)];
  if ((random & 3) == 1) value = 0 - values[(random >> 8) % std::size(values)];
  if ((random & 3) == 2) value >>= (random >> 8) % 64;
  return zero_extend(value, bits);
}

// edges: nothing but the ends of the format's ranges.
std::uint64_t input_of(Type type, std::uint64_t random, bool edges) {
  const int bits = bits_of(type);
  if (!is_floating(type)) return random_integer(bits, random);
  const FloatFormat& format = format_of(type);
  const auto one = [&](std::uint64_t r) {
    return edges || (r & 0x40) != 0 ? special_float(format, r >> 7, edges) : random_float(format, r >> 7);
  };
  if (!is_pair(type)) return one(random);
  return one(random) | one(mix(random)) << (bits / 2);
}

}  // namespace

std::vector<Form> all_forms() {
  std::vector<Form> forms;
  for (const Row& row : kRows) {
    std::vector<std::string> texts;
    expand(row.pattern, texts);
    for (auto& text : texts)
      forms.push_back({std::move(text), row.destination, row.sources, row.approximate, row.needs_sm_100});
  }
  return forms;
}

ptx::Instruction instruction_of(const Form& form) {
  Instruction i;
  std::istringstream words(form.text);
  std::string word;
  std::getline(words, word, '.');
  look_up(opcodes(), word, i.opcode);
  while (std::getline(words, word, '.')) {
    if (i.opcode == Opcode::cvt && word == "pack") {
      i.opcode = Opcode::cvt_pack;
      continue;
    }
    bool Instruction::*flag = nullptr;
    Type type = Type::none;
    if (look_up(flags(), word, flag)) {
      i.*flag = true;
    } else if (look_up(types(), word, type)) {
      (i.type == Type::none ? i.type : i.source_type == Type::none ? i.source_type : type) = type;
    } else {
      apply_enum(i, word);
    }
  }
  i.destinations = static_cast<std::uint8_t>(form.destination.size());
  for (std::uint32_t k = 0; k < form.destination.size() + form.sources.size(); ++k) {
    ptx::Operand operand;
    operand.kind = ptx::Operand::Kind::reg;
    operand.register_id = k;
    i.operands.push_back(operand);
  }
  return i;
}

ptx::Type operand_type(const ptx::Instruction& i, char letter) {
  switch (letter) {
    case 'T':
      return i.type;
    case 'S':
      return i.source_type;
    case 'W':
      if (i.type == Type::u16 || i.type == Type::s16) return i.type == Type::u16 ? Type::u32 : Type::s32;
      return i.type == Type::u32 ? Type::u64 : Type::s64;
    case 'U':
      return Type::u32;
    case 'P':
      return Type::pred;
    case 'F':
      return Type::f32;
    case 'I':
      return Type::u8;
    case 'H':
      return Type::b16;
    case 'D':
      return Type::b64;
    case 'N':
      return Type::s32;
    default:
      return Type::b32;
  }
}

LaneInputs inputs_of(const Form& form, const ptx::Instruction& instruction, std::uint32_t index) {
  std::uint64_t seed = 0;
  for (const char c : form.text) seed = mix(seed ^ static_cast<unsigned char>(c));
  LaneInputs in;
  std::uint64_t* const slots[] = {&in.a, &in.b, &in.c, &in.d, &in.e};
  for (std::size_t k = 0; k < form.sources.size(); ++k) {
    const bool immediate = form.sources[k] == 'I';  // the same for every lane
    *slots[k] = input_of(operand_type(instruction, form.sources[k]),
                         mix(seed + (immediate ? 0 : 8 * index) + k), index % 4 == 3);
  }
  in.carry = (mix(seed + 8 * index + 7) & 1) != 0;
  return in;
}

void Digest::add(const ptx::Instruction& instruction, const LaneResult& result) {
  add_word(result.value);
  if (instruction.carry_out) add_word(result.carry ? 1 : 0);
  if (instruction.destinations == 2) add_word(result.second);
}

void Digest::add_word(std::uint64_t word) {
  for (int k = 0; k < 64; k += 8) hash_ = (hash_ ^ (word >> k & 0xff)) * 0x100000001b3ull;
}

}  // namespace warplens::emulator
