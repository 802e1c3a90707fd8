#include "engine/ptx/modifiers.hpp"

#include <charconv>

namespace warplens::ptx {
namespace {

struct WordRow {
  std::string_view word;
  Group group;
  std::uint8_t value = 0;

  constexpr WordRow(std::string_view w, Group g) : word(w), group(g) {}
  constexpr WordRow(std::string_view w, Group g, auto v)
      : word(w), group(g), value(static_cast<std::uint8_t>(v)) {}
};

using G = Group;

// Semantics whose memory may be changed by other threads: value 1.
constexpr WordRow kWords[] = {
    {".pred", G::type, Type::pred},
    {".b8", G::type, Type::b8},
    {".b16", G::type, Type::b16},
    {".b32", G::type, Type::b32},
    {".b64", G::type, Type::b64},
    {".b128", G::type, Type::b128},
    {".u8", G::type, Type::u8},
    {".u16", G::type, Type::u16},
    {".u32", G::type, Type::u32},
    {".u64", G::type, Type::u64},
    {".s8", G::type, Type::s8},
    {".s16", G::type, Type::s16},
    {".s32", G::type, Type::s32},
    {".s64", G::type, Type::s64},
    {".f16", G::type, Type::f16},
    {".f16x2", G::type, Type::f16x2},
    {".bf16", G::type, Type::bf16},
    {".bf16x2", G::type, Type::bf16x2},
    {".tf32", G::type, Type::tf32},
    {".f32", G::type, Type::f32},
    {".f32x2", G::type, Type::f32x2},
    {".f64", G::type, Type::f64},
    {".u16x2", G::type, Type::u16x2},
    {".s16x2", G::type, Type::s16x2},
    {".e4m3", G::type, Type::e4m3},
    {".e5m2", G::type, Type::e5m2},
    {".s4", G::type, Type::s4},
    {".u4", G::type, Type::u4},
    {".b1", G::type, Type::b1},
    {".global", G::space, Space::global},
    {".shared", G::space, Space::shared},
    {".shared::cta", G::space, Space::shared},
    {".shared::cluster", G::space, Space::shared},
    {".local", G::space, Space::local},
    {".const", G::space, Space::constant},
    {".param", G::space, Space::param},
    {".param::entry", G::space, Space::param},
    {".param::func", G::space, Space::param},
    {".rn", G::rounding, Rounding::rn},
    {".rz", G::rounding, Rounding::rz},
    {".rm", G::rounding, Rounding::rm},
    {".rp", G::rounding, Rounding::rp},
    {".rna", G::rounding, Rounding::rna},
    {".rni", G::rounding, Rounding::rni},
    {".rzi", G::rounding, Rounding::rzi},
    {".rmi", G::rounding, Rounding::rmi},
    {".rpi", G::rounding, Rounding::rpi},
    {".eq", G::compare, Compare::eq},
    {".ne", G::compare, Compare::ne},
    {".lt", G::compare, Compare::lt},
    {".le", G::compare, Compare::le},
    {".gt", G::compare, Compare::gt},
    {".ge", G::compare, Compare::ge},
    {".lo", G::compare, Compare::lo},
    {".ls", G::compare, Compare::ls},
    {".hi", G::compare, Compare::hi},
    {".hs", G::compare, Compare::hs},
    {".equ", G::compare, Compare::equ},
    {".neu", G::compare, Compare::neu},
    {".ltu", G::compare, Compare::ltu},
    {".leu", G::compare, Compare::leu},
    {".gtu", G::compare, Compare::gtu},
    {".geu", G::compare, Compare::geu},
    {".num", G::compare, Compare::num},
    {".nan", G::compare, Compare::nan},
    {".and", G::bool_op, BoolOp::and_},
    {".or", G::bool_op, BoolOp::or_},
    {".xor", G::bool_op, BoolOp::xor_},
    {".lo", G::part, MulPart::lo},
    {".hi", G::part, MulPart::hi},
    {".wide", G::part, MulPart::wide},
    {".add", G::atomic, AtomicOp::add},
    {".inc", G::atomic, AtomicOp::inc},
    {".dec", G::atomic, AtomicOp::dec},
    {".min", G::atomic, AtomicOp::min},
    {".max", G::atomic, AtomicOp::max},
    {".and", G::atomic, AtomicOp::and_},
    {".or", G::atomic, AtomicOp::or_},
    {".xor", G::atomic, AtomicOp::xor_},
    {".exch", G::atomic, AtomicOp::exch},
    {".cas", G::atomic, AtomicOp::cas},
    {".popc", G::atomic, AtomicOp::popc},
    {".up", G::lane, LaneMode::up},
    {".down", G::lane, LaneMode::down},
    {".bfly", G::lane, LaneMode::bfly},
    {".idx", G::lane, LaneMode::idx},
    {".all", G::lane, LaneMode::all},
    {".any", G::lane, LaneMode::any},
    {".uni", G::lane, LaneMode::uni},
    {".ballot", G::lane, LaneMode::ballot},
    {".ca", G::cache, CacheOp::ca},
    {".cg", G::cache, CacheOp::cg},
    {".cs", G::cache, CacheOp::cs},
    {".lu", G::cache, CacheOp::lu},
    {".cv", G::cache, CacheOp::cv},
    {".wb", G::cache, CacheOp::wb},
    {".wt", G::cache, CacheOp::wt},
    {".nc", G::cache, CacheOp::nc},
    {".v2", G::vector, 2},
    {".v4", G::vector, 4},
    {".v8", G::vector, 8},
    {".row", G::layout, Layout::row},
    {".col", G::layout, Layout::col},
    {".a", G::fragment, Fragment::a},
    {".b", G::fragment, Fragment::b},
    {".c", G::fragment, Fragment::c},
    {".d", G::fragment, Fragment::d},
    {".x1", G::count, 1},
    {".x2", G::count, 2},
    {".x4", G::count, 4},
    {".f4e", G::permute, PermuteMode::f4e},
    {".b4e", G::permute, PermuteMode::b4e},
    {".rc8", G::permute, PermuteMode::rc8},
    {".ecl", G::permute, PermuteMode::ecl},
    {".ecr", G::permute, PermuteMode::ecr},
    {".rc16", G::permute, PermuteMode::rc16},
    {".finite", G::test, TestProperty::finite},
    {".infinite", G::test, TestProperty::infinite},
    {".number", G::test, TestProperty::number},
    {".notanumber", G::test, TestProperty::notanumber},
    {".normal", G::test, TestProperty::normal},
    {".subnormal", G::test, TestProperty::subnormal},
    {".ftz", G::ftz},
    {".sat", G::saturate},
    {".satfinite", G::saturate, 1},
    {".approx", G::approximate},
    {".full", G::full},
    {".uni", G::uniform},
    {".to", G::to},
    {".trans", G::trans},
    {".NaN", G::nan},
    {".relu", G::relu},
    {".xorsign", G::xor_sign},
    {".abs", G::abs},
    {".clamp", G::wrap, 1},
    {".wrap", G::wrap, 0},
    {".l", G::direction, 1},
    {".r", G::direction, 0},
    {".cc", G::carry},
    {".sync", G::sync},
    {".aligned", G::sync},
    {".noftz", G::noftz},
    {".shiftamt", G::shift_amount},
    {".weak", G::semantics, 0},
    {".sc", G::semantics, 0},
    {".acq_rel", G::semantics, 1},
    {".volatile", G::semantics, 1},
    {".relaxed", G::semantics, 1},
    {".acquire", G::semantics, 1},
    {".release", G::semantics, 1},
    {".mmio", G::semantics, 1},
    {".cta", G::scope},
    {".cluster", G::scope},
    {".gpu", G::scope},
    {".sys", G::scope},
    {".gl", G::scope},
    {".L1", G::level},
    {".L2", G::level},
    {".L2::evict_last", G::level},
    {".L2::evict_normal", G::level},
    {".popc", G::detail},
    {".launch_dependents", G::detail},
    {".wait", G::detail},
    {".proxy", G::detail},
    {".alias", G::detail},
    {".async", G::detail},
    {".mbarrier_init", G::detail},
    {".global", G::detail},
    {".shared::cta", G::detail},
    {".shared::cluster", G::detail},
};

bool take_number(std::string_view& text, char letter, std::uint16_t& number) {
  if (text.empty() || text[0] != letter) return false;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// m16n8k16, m8n8
bool shape_of(std::string_view word, std::array<std::uint16_t, 3>& shape) {
  if (!take_number(word, 'm', shape[0]) || !take_number(word, 'n', shape[1])) return false;
  return word.empty() || (take_number(word, 'k', shape[2]) && word.empty());
}

bool is_hint(std::string_view word) {
  return word.starts_with("L1::") || word.starts_with("L2::") || word.starts_with("level::") ||
         word == "unified";
}

}  // namespace

bool find_modifier(std::string_view word, Groups allowed, Modifier& found) {
  for (const WordRow& row : kWords)
    if ((allowed & bit(row.group)) != 0 && row.word.substr(1) == word) {
      found = {row.group, row.value, {}};
      return true;
    }
  found = {Group::shape, 0, {}};
  if ((allowed & bit(Group::shape)) != 0 && shape_of(word, found.shape)) return true;
  found.group = Group::hint;
  return (allowed & bit(Group::hint)) != 0 && is_hint(word);
}

std::string_view word_of(Group group, std::uint8_t value) {
  for (const WordRow& row : kWords)
    if (row.group == group && row.value == value) return row.word;
  return {};
}

namespace {

// The modifiers that are there or not: the field each sets. PTX ISA 9.7, under each instruction.
struct FlagRow {
  Group group;
  bool Instruction::*field;
};
constexpr FlagRow kFlags[] = {
    {G::ftz, &Instruction::ftz},
    {G::approximate, &Instruction::approximate},
    {G::full, &Instruction::full_range},
    {G::uniform, &Instruction::uniform},
    {G::to, &Instruction::to_space},
    {G::trans, &Instruction::transposed},
    {G::nan, &Instruction::nan},
    {G::relu, &Instruction::relu},
    {G::xor_sign, &Instruction::xor_sign_abs},
    {G::carry, &Instruction::carry_out},
    {G::shift_amount, &Instruction::shift_amount},
};

}  // namespace

void apply(const Modifier& modifier, Groups seen, Instruction& in) {
  const auto value = modifier.value;
  for (const FlagRow& row : kFlags)
    if (row.group == modifier.group) in.*row.field = true;
  switch (modifier.group) {
    case G::space:
      in.space = static_cast<Space>(value);
      break;
    case G::rounding:
      in.rounding = static_cast<Rounding>(value);
      break;
    case G::compare:
      in.compare = static_cast<Compare>(value);
      break;
    case G::bool_op:
      in.bool_op = static_cast<BoolOp>(value);
      break;
    case G::part:
      in.part = static_cast<MulPart>(value);
      break;
    case G::atomic:
      in.atomic = static_cast<AtomicOp>(value);
      break;
    case G::lane:
      in.lane_mode = static_cast<LaneMode>(value);
      break;
    case G::cache:
      in.cache = static_cast<CacheOp>(value);
      break;
    case G::layout:
      ((seen & bit(G::layout)) != 0 ? in.layout_b : in.layout_a) = static_cast<Layout>(value);
      break;
    case G::fragment:
      in.fragment = static_cast<Fragment>(value);
      break;
    case G::permute:
      in.permute = static_cast<PermuteMode>(value);
      break;
    case G::test:
      in.test = static_cast<TestProperty>(value);
      break;
    case G::vector:
      in.vector = value;
      break;
    case G::count:
      in.matrix_count = value;
      break;
    case G::shape:
      in.shape = modifier.shape;
      break;
    case G::semantics:
      in.is_volatile |= value != 0;
      break;
    case G::wrap:
      in.clamp = value != 0;
      break;
    case G::direction:
      in.left = value != 0;
      break;
    case G::saturate:
      // On a conversion .satfinite keeps to the finite values of the type; on a matrix product it is .sat by
      // another name.
      (value != 0 && in.opcode == Opcode::cvt ? in.saturate_finite : in.saturate) = true;
      break;
    default:
      break;  // a flag, a type, or what changes nothing here: scopes, cache hints, .aligned
  }
}

Type type_of(std::string_view directive) {
  Modifier found;
  if (directive.empty() || !find_modifier(directive.substr(1), bit(Group::type), found)) return Type::none;
  return static_cast<Type>(found.value);
}

bool space_of(std::string_view directive, Space& space) {
  Modifier found;
  if (directive.empty() || !find_modifier(directive.substr(1), bit(Group::space), found)) return false;
  space = static_cast<Space>(found.value);
  return true;
}

}  // namespace warplens::ptx
