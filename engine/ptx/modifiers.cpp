#include "engine/ptx/modifiers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <type_traits>

namespace warplens::ptx {
namespace {

using G = Group;

// The words of a group in the order of their values, from `first` on; or words that all have that value.
struct GroupRow {
  Group group;
  std::string_view words;
  std::uint8_t first = 1;
  bool same = false;
};
constexpr GroupRow kGroups[] = {
    {G::type,
     ".pred .b8 .b16 .b32 .b64 .b128 .u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64 .f16 .f16x2 .bf16 .bf16x2 .tf32 "
     ".f32 .f32x2 .f64 .u16x2 .s16x2 .e4m3 .e5m2 .s4 .u4 .b1 .e4m3x2 .e5m2x2"},
    {G::space, ".global .shared .local .const .param"},
    {G::space, ".shared::cta .shared::cluster", static_cast<std::uint8_t>(Space::shared), true},
    {G::space, ".param::entry .param::func", static_cast<std::uint8_t>(Space::param), true},
    {G::rounding, ".rn .rz .rm .rp .rna .rni .rzi .rmi .rpi"},
    {G::compare, ".eq .ne .lt .le .gt .ge .lo .ls .hi .hs .equ .neu .ltu .leu .gtu .geu .num .nan"},
    {G::bool_op, ".and .or .xor"},
    {G::part, ".lo .hi .wide"},
    {G::atomic, ".add .inc .dec .min .max .and .or .xor .exch .cas .popc"},
    {G::lane, ".up .down .bfly .idx .all .any .uni .ballot"},
    {G::cache, ".ca .cg .cs .lu .cv .wb .wt .nc"},
    {G::vector, ".v2", 2},
    {G::vector, ".v4", 4},
    {G::vector, ".v8", 8},
    {G::layout, ".row .col"},
    {G::fragment, ".a .b .c .d"},
    {G::count, ".x1 .x2"},
    {G::count, ".x4", 4},
    {G::permute, ".f4e .b4e .rc8 .ecl .ecr .rc16"},
    {G::test, ".finite .infinite .number .notanumber .normal .subnormal"},
    {G::ftz, ".ftz"},
    {G::saturate, ".sat .satfinite", 0},
    {G::approximate, ".approx"},
    {G::full, ".full"},
    {G::uniform, ".uni"},
    {G::to, ".to"},
    {G::trans, ".trans"},
    {G::nan, ".NaN"},
    {G::relu, ".relu"},
    {G::xor_sign, ".xorsign"},
    {G::abs, ".abs"},
    {G::wrap, ".wrap .clamp", 0},
    {G::direction, ".r .l", 0},
    {G::carry, ".cc"},
    {G::sync, ".sync .aligned", 0, true},
    {G::noftz, ".noftz"},
    {G::shift_amount, ".shiftamt"},
    {G::semantics, ".weak .sc", 0, true},
    {G::semantics, ".acq_rel .volatile .relaxed .acquire .release .mmio", 1, true},  // others may change it
    {G::scope, ".cta", 1, true},
    {G::scope, ".cluster .gpu .sys .gl", 0, true},
    {G::level, ".L1 .L2 .L2::evict_last .L2::evict_normal .tensormap", 0, true},
    {G::dimension, ".1d .2d .3d .4d .5d"},
    {G::detail,
     ".popc .launch_dependents .wait .proxy .alias .async .mbarrier_init .global .shared::cta "
     ".shared::cluster .mbarrier::complete_tx::bytes .bulk_group .read .tile .multicast::cluster",
     0, true},
};

struct WordRow {
  std::string_view word;
  Group group = Group::detail;
  std::uint8_t value = 0;
};
consteval std::size_t count_words() {
  std::size_t count = 0;
  for (const GroupRow& row : kGroups)
    count += 1 + static_cast<std::size_t>(std::ranges::count(row.words, ' '));
  return count;
}
consteval auto words_of_groups() {
  std::array<WordRow, count_words()> rows;
  auto next = rows.begin();
  for (const GroupRow& group : kGroups) {
    std::uint8_t value = group.first;
    for (std::string_view left = group.words; !left.empty(); value += group.same ? 0 : 1) {
      const std::size_t end = std::min(left.find(' '), left.size());
      *next++ = {left.substr(0, end), group.group, value};
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }
  return rows;
}
constexpr auto kWords = words_of_groups();

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

template <auto kField>
void set(Instruction& in, std::uint8_t value) {
  using Field = std::remove_reference_t<decltype(in.*kField)>;
  in.*kField = static_cast<Field>(value);
}
// The field that each modifier sets to its value. PTX ISA 9.7, under each instruction.
struct FieldRow {
  Group group;
  void (*set)(Instruction& in, std::uint8_t value);
};
constexpr FieldRow kFields[] = {
    {G::space, set<&Instruction::space>},
    {G::rounding, set<&Instruction::rounding>},
    {G::compare, set<&Instruction::compare>},
    {G::bool_op, set<&Instruction::bool_op>},
    {G::part, set<&Instruction::part>},
    {G::atomic, set<&Instruction::atomic>},
    {G::lane, set<&Instruction::lane_mode>},
    {G::cache, set<&Instruction::cache>},
    {G::fragment, set<&Instruction::fragment>},
    {G::permute, set<&Instruction::permute>},
    {G::test, set<&Instruction::test>},
    {G::vector, set<&Instruction::vector>},
    {G::count, set<&Instruction::matrix_count>},
    {G::dimension, set<&Instruction::dimensions>},
    {G::wrap, set<&Instruction::clamp>},
    {G::direction, set<&Instruction::left>},
    {G::ftz, set<&Instruction::ftz>},
    {G::approximate, set<&Instruction::approximate>},
    {G::full, set<&Instruction::full_range>},
    {G::uniform, set<&Instruction::uniform>},
    {G::to, set<&Instruction::to_space>},
    {G::trans, set<&Instruction::transposed>},
    {G::nan, set<&Instruction::nan>},
    {G::relu, set<&Instruction::relu>},
    {G::xor_sign, set<&Instruction::xor_sign_abs>},
    {G::carry, set<&Instruction::carry_out>},
    {G::shift_amount, set<&Instruction::shift_amount>},
    {G::scope, set<&Instruction::block_scope>},
};

}  // namespace

void apply(const Modifier& modifier, Groups seen, Instruction& in) {
  const auto value = modifier.value;
  for (const FieldRow& row : kFields)
    if (row.group == modifier.group) row.set(in, value);
  switch (modifier.group) {
    case G::layout:
      ((seen & bit(G::layout)) != 0 ? in.layout_b : in.layout_a) = static_cast<Layout>(value);
      break;
    case G::shape:
      in.shape = modifier.shape;
      break;
    case G::semantics:
      in.is_volatile |= value != 0;
      break;
    case G::saturate:
      // On a conversion .satfinite keeps to the finite values of the type; on a matrix product it is .sat by
      // another name.
      (value != 0 && in.opcode == Opcode::cvt ? in.saturate_finite : in.saturate) = true;
      break;
    default:
      break;  // a type, or what changes nothing here: scopes, cache hints, .aligned
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
