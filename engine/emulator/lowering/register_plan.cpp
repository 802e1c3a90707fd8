#include "engine/emulator/lowering/register_plan.hpp"

#include <algorithm>
#include <map>

namespace warplens::emulator {

using ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::Type;

namespace {

bool is_int32(Type t) { return t == Type::s32 || t == Type::u32 || t == Type::b32; }
bool is_int64(Type t) { return t == Type::s64 || t == Type::u64 || t == Type::b64; }

bool plain_f32(const Instruction& i) {
  return i.type == Type::f32 && (i.rounding == ptx::Rounding::none || i.rounding == ptx::Rounding::rn) &&
         !i.ftz && !i.saturate && i.source_type == Type::none;
}

bool plain_f64(const Instruction& i) {
  return i.type == Type::f64 && (i.rounding == ptx::Rounding::none || i.rounding == ptx::Rounding::rn);
}

std::optional<Hot> pick(const Instruction& i, Hot int32, Hot int64) {
  if (i.saturate || i.carry_out) return std::nullopt;
  if (is_int32(i.type)) return int32;
  if (is_int64(i.type)) return int64;
  return std::nullopt;
}

std::optional<Hot> hot_add(const Instruction& i, Hot int32, Hot int64, Hot f32, Hot f64) {
  if (plain_f32(i)) return f32;
  if (plain_f64(i)) return f64;
  return pick(i, int32, int64);
}

std::optional<Hot> hot_multiply(const Instruction& i) {
  if (i.type == Type::f32) return plain_f32(i) ? std::optional(Hot::mul_f32) : std::nullopt;
  if (i.type == Type::f64) return plain_f64(i) ? std::optional(Hot::mul_f64) : std::nullopt;
  if (i.part == ptx::MulPart::wide) {
    if (i.type == Type::s32) return Hot::mul_wide_s32;
    if (i.type == Type::u32) return Hot::mul_wide_u32;
    return std::nullopt;
  }
  return i.part == ptx::MulPart::lo ? pick(i, Hot::mul32, Hot::mul64) : std::nullopt;
}

std::optional<Hot> hot_multiply_add(const Instruction& i) {
  if (i.type == Type::f32)
    return plain_f32(i) && i.opcode == Opcode::fma ? std::optional(Hot::fma_f32) : std::nullopt;
  if (i.type == Type::f64) return plain_f64(i) ? std::optional(Hot::fma_f64) : std::nullopt;
  if (i.part == ptx::MulPart::wide) {
    if (i.type == Type::s32) return Hot::mad_wide_s32;
    if (i.type == Type::u32) return Hot::mad_wide_u32;
    return std::nullopt;
  }
  return i.part == ptx::MulPart::lo ? pick(i, Hot::mad32, Hot::mad64) : std::nullopt;
}

// Rounded to the nearest, as this processor rounds; approximate forms are the device's own.
std::optional<Hot> hot_quotient(const Instruction& i, Hot f32, Hot f64) {
  if (i.rounding != ptx::Rounding::rn) return std::nullopt;
  if (plain_f32(i)) return f32;
  if (plain_f64(i)) return f64;
  return std::nullopt;
}

std::optional<Hot> hot_min_max(const Instruction& i) {
  const bool min = i.opcode == Opcode::min;
  if (i.operands.size() != 3 || i.relu) return std::nullopt;
  if (i.type == Type::s32) return min ? Hot::min_s32 : Hot::max_s32;
  if (i.type == Type::u32) return min ? Hot::min_u32 : Hot::max_u32;
  if (i.type == Type::f32 && !i.ftz && !i.nan && !i.xor_sign_abs) return min ? Hot::min_f32 : Hot::max_f32;
  return std::nullopt;
}

std::optional<Hot> hot_move(const Instruction& i) {
  if (i.operands.size() != 2 || i.operands[0].kind != Operand::Kind::reg ||
      i.operands[1].kind == Operand::Kind::vector)
    return std::nullopt;
  if (is_int32(i.type) || i.type == Type::f32) return Hot::mov32;
  if (is_int64(i.type) || i.type == Type::f64) return Hot::mov64;
  return std::nullopt;
}

std::optional<Hot> hot_convert(const Instruction& i) {
  if (i.saturate || i.ftz) return std::nullopt;
  const Type from = i.source_type;
  if (is_int64(i.type)) {
    if (from == Type::s32) return Hot::cvt_s64_s32;
    if (from == Type::u32) return Hot::cvt_u64_u32;
    if (is_int64(from)) return Hot::mov64;
  }
  if (is_int32(i.type)) {
    if (is_int64(from)) return Hot::cvt_u32_u64;
    if (is_int32(from)) return Hot::mov32;
  }
  const bool is_nearest = i.rounding == ptx::Rounding::rn;
  if (i.type == Type::f32 && is_nearest) {
    if (from == Type::s32) return Hot::cvt_f32_s32;
    if (from == Type::u32) return Hot::cvt_f32_u32;
    if (from == Type::f64) return Hot::cvt_f32_f64;
  }
  if (i.type == Type::f64 && from == Type::f32 && i.rounding == ptx::Rounding::none) return Hot::cvt_f64_f32;
  if (i.type == Type::f64 && is_nearest) {
    if (from == Type::s32) return Hot::cvt_f64_s32;
    if (from == Type::u32) return Hot::cvt_f64_u32;
    if (from == Type::s64) return Hot::cvt_f64_s64;
    if (from == Type::u64) return Hot::cvt_f64_u64;
  }
  return std::nullopt;
}

std::optional<Hot> hot_shift_right(const Instruction& i) {
  if (i.type == Type::s32) return Hot::shr_s32;
  if (i.type == Type::u32 || i.type == Type::b32) return Hot::shr_u32;
  if (i.type == Type::u64 || i.type == Type::b64) return Hot::shr_u64;
  if (i.type == Type::s64) return Hot::shr_s64;
  return std::nullopt;
}

}  // namespace

int register_bytes(Type type) {
  if (type == Type::pred) return 0;
  return ptx::size_in_bytes(type) > 4 ? 8 : 4;
}

std::optional<Hot> hot_of(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::add:
      return hot_add(i, Hot::add32, Hot::add64, Hot::add_f32, Hot::add_f64);
    case Opcode::sub:
      return hot_add(i, Hot::sub32, Hot::sub64, Hot::sub_f32, Hot::sub_f64);
    case Opcode::mul:
      return hot_multiply(i);
    case Opcode::mad:
    case Opcode::fma:
      return hot_multiply_add(i);
    case Opcode::div:
      return hot_quotient(i, Hot::div_f32, Hot::div_f64);
    case Opcode::rcp:
      return hot_quotient(i, Hot::rcp_f32, Hot::rcp_f64);
    case Opcode::sqrt:
      return hot_quotient(i, Hot::sqrt_f32, Hot::sqrt_f64);
    case Opcode::min:
    case Opcode::max:
      return hot_min_max(i);
    case Opcode::mov:
      return hot_move(i);
    case Opcode::cvt:
      return hot_convert(i);
    case Opcode::and_:
      return pick(i, Hot::and32, Hot::and64);
    case Opcode::or_:
      return pick(i, Hot::or32, Hot::or64);
    case Opcode::xor_:
      return is_int32(i.type) ? std::optional(Hot::xor32) : std::nullopt;
    case Opcode::not_:
      return is_int32(i.type) ? std::optional(Hot::not32) : std::nullopt;
    case Opcode::neg:
      if (i.type == Type::f32) return i.ftz ? std::nullopt : std::optional(Hot::neg_f32);
      if (i.type == Type::f64) return Hot::neg_f64;
      return i.type == Type::s32 ? std::optional(Hot::neg32) : std::nullopt;
    case Opcode::abs:
      if (i.type == Type::f64) return Hot::abs_f64;
      return i.type == Type::f32 && !i.ftz ? std::optional(Hot::abs_f32) : std::nullopt;
    case Opcode::shl:
      return pick(i, Hot::shl32, Hot::shl64);
    case Opcode::shr:
      return hot_shift_right(i);
    default:
      return std::nullopt;
  }
}

std::span<const int, 4> hot_bytes(Hot hot) {
  constexpr int u32 = 4, s32 = 4, f32 = 4, u64 = 8, s64 = 8, f64 = 8;
  static constexpr int kBytes[][4] = {
#define ROW(name, d, a, b, c, value) {d, a, b, c},
      WARPLENS_HOT_OPS(ROW)
#undef ROW
  };
  return kBytes[static_cast<std::size_t>(hot)];
}

bool fits_handler(const Instruction& i, Hot hot, const ptx::Function& function) {
  const auto bytes = hot_bytes(hot);
  for (std::size_t k = 0; k < i.operands.size() && k < bytes.size(); ++k) {
    const Operand& operand = i.operands[k];
    if (operand.kind == Operand::Kind::special && bytes[k] != 4) return false;
    if (operand.kind == Operand::Kind::reg &&
        register_bytes(function.registers[operand.register_id].type) != bytes[k])
      return false;
  }
  return true;
}

std::optional<HotCompare> hot_compare_of(const Instruction& i) {
  using C = ptx::Compare;
  if (i.opcode != Opcode::setp || i.destinations != 1 || i.ftz) return std::nullopt;
  struct Row {
    C compare;
    HotCompare s32, u32, s64, u64, f32, f64;
  };
  using H = HotCompare;
  static constexpr Row rows[] = {
      {C::eq, H::eq_32, H::eq_32, H::eq_64, H::eq_64, H::eq_f32, H::eq_f64},
      {C::ne, H::ne_32, H::ne_32, H::ne_64, H::ne_64, H::ne_f32, H::ne_f64},
      {C::lt, H::lt_s32, H::lt_u32, H::lt_s64, H::lt_u64, H::lt_f32, H::lt_f64},
      {C::le, H::le_s32, H::le_u32, H::le_s64, H::le_u64, H::le_f32, H::le_f64},
      {C::gt, H::gt_s32, H::gt_u32, H::gt_s64, H::gt_u64, H::gt_f32, H::gt_f64},
      {C::ge, H::ge_s32, H::ge_u32, H::ge_s64, H::ge_u64, H::ge_f32, H::ge_f64},
      {C::lo, H::count, H::lt_u32, H::count, H::lt_u64, H::count, H::count},
      {C::ls, H::count, H::le_u32, H::count, H::le_u64, H::count, H::count},
      {C::hi, H::count, H::gt_u32, H::count, H::gt_u64, H::count, H::count},
      {C::hs, H::count, H::ge_u32, H::count, H::ge_u64, H::count, H::count},
      {C::equ, H::count, H::count, H::count, H::count, H::equ_f32, H::equ_f64},
      {C::neu, H::count, H::count, H::count, H::count, H::neu_f32, H::neu_f64},
      {C::ltu, H::count, H::count, H::count, H::count, H::ltu_f32, H::ltu_f64},
      {C::leu, H::count, H::count, H::count, H::count, H::leu_f32, H::leu_f64},
      {C::gtu, H::count, H::count, H::count, H::count, H::gtu_f32, H::gtu_f64},
      {C::geu, H::count, H::count, H::count, H::count, H::geu_f32, H::geu_f64},
  };
  for (const Row& row : rows) {
    if (row.compare != i.compare) continue;
    H found = H::count;
    if (i.type == Type::s32) found = row.s32;
    if (i.type == Type::u32 || i.type == Type::b32) found = row.u32;
    if (i.type == Type::s64) found = row.s64;
    if (i.type == Type::u64 || i.type == Type::b64) found = row.u64;
    if (i.type == Type::f32) found = row.f32;
    if (i.type == Type::f64) found = row.f64;
    return found == H::count ? std::nullopt : std::optional(found);
  }
  return std::nullopt;
}

std::optional<Hot> affine_of(const Instruction& i) {
  if (i.opcode == Opcode::cvta) return register_bytes(i.type) == 8 ? std::optional(Hot::add64) : std::nullopt;
  const auto hot = hot_of(i);
  return hot && has_affine_handler(*hot) ? hot : std::nullopt;
}

bool is_uniform_load(const Instruction& i) {
  using ptx::Space;
  if (i.opcode != Opcode::ld && i.opcode != Opcode::ldu) return false;
  return i.space == Space::global || i.space == Space::shared || i.space == Space::constant;
}

SpecialClasses special_classes(std::span<const std::uint32_t, 3> block) {
  SpecialClasses classes;
  const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
  for (std::size_t d = 0; d < 3; ++d) {
    const auto tid = [&](std::uint64_t t) {
      return static_cast<std::int64_t>(d == 0   ? t % block[0]
                                       : d == 1 ? t / block[0] % block[1]
                                                : t / block[0] / block[1]);
    };
    RegisterClass worst = RegisterClass::uniform;
    for (std::uint64_t first = 0; first < threads; first += 32) {
      const std::uint64_t end = std::min<std::uint64_t>(first + 32, threads);
      const std::int64_t stride = end - first > 1 ? tid(first + 1) - tid(first) : 0;
      for (std::uint64_t t = first; t < end; ++t)
        if (tid(t) != tid(first) + stride * static_cast<std::int64_t>(t - first))
          worst = RegisterClass::varying;
      if (stride != 0) worst = std::max(worst, RegisterClass::affine);
    }
    classes.tid[d] = worst;
  }
  return classes;
}

RegisterClass class_of(ptx::Special special, const SpecialClasses& classes) {
  using S = ptx::Special;
  if (special >= S::tid_x && special <= S::tid_z)
    return classes.tid[static_cast<std::size_t>(special) - static_cast<std::size_t>(S::tid_x)];
  if (special == S::laneid) return classes.laneid;
  const bool is_mask = special >= S::lanemask_eq && special <= S::lanemask_gt;
  return is_mask ? RegisterClass::varying : RegisterClass::uniform;
}

namespace {

class Inference {
 public:
  Inference(const ptx::Function& function, const SpecialClasses& special, const BitSet& forced)
      : function_(function), special_(special), classes_(function.registers.size(), RegisterClass::uniform) {
    forced.for_each([&](std::size_t r) { classes_[r] = RegisterClass::varying; });
  }

  std::vector<RegisterClass> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Instruction& instruction : function_.code) changed |= visit(instruction);
    }
    return std::move(classes_);
  }

 private:
  bool visit(const Instruction& instruction) {
    if (instruction.destinations == 0) return false;
    registers_of(instruction, written_, read_);
    if (written_.empty()) return false;
    RegisterClass result = computed(instruction);
    if (written_.size() > 1)  // a vector load fills all its registers in the same way
      for (auto r : written_)
        result = classes_[r] == RegisterClass::varying ? RegisterClass::varying : result;
    bool changed = false;
    for (auto r : written_) {
      // A predicate is a mask in every class; only "the same in all lanes" matters.
      if (classes_[r] >= result) continue;
      classes_[r] = result;
      changed = true;
    }
    return changed;
  }

  RegisterClass class_of_operand(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::reg:
      case Operand::Kind::address:
        return classes_[operand.register_id];
      case Operand::Kind::special:
        return class_of(operand.special, special_);
      case Operand::Kind::vector: {
        RegisterClass worst = RegisterClass::uniform;
        for (const Operand& e : operand.elements) worst = std::max(worst, class_of_operand(e));
        return worst;
      }
      default:
        return RegisterClass::uniform;
    }
  }

  RegisterClass computed(const Instruction& i) const {
    RegisterClass worst = RegisterClass::uniform;
    for (std::size_t s = i.destinations; s < i.operands.size(); ++s)
      worst = std::max(worst, class_of_operand(i.operands[s]));
    if (is_uniform_load(i) || (i.opcode == Opcode::ld && i.space == ptx::Space::param))
      return worst == RegisterClass::uniform ? RegisterClass::uniform : RegisterClass::varying;
    const bool clock =
        i.opcode == Opcode::mov && i.operands.size() == 2 && i.operands[1].kind == Operand::Kind::special;
    if (worst == RegisterClass::uniform && (i.opcode == Opcode::cvta || clock)) return worst;
    if (worst == RegisterClass::uniform && i.operands[0].kind != Operand::Kind::vector && !i.carry_out &&
        i.opcode != Opcode::addc && i.opcode != Opcode::subc && i.opcode != Opcode::madc &&
        lane_function(i) != nullptr)
      return worst;
    if (worst != RegisterClass::affine) return RegisterClass::varying;
    return affine_result(i);
  }

  // At least one operand is affine, none is varying.
  RegisterClass affine_result(const Instruction& i) const {
    const auto op = affine_of(i);
    const auto hot = hot_of(i);
    if (!op || (hot && !fits_handler(i, *hot, function_))) return RegisterClass::varying;
    const auto is_affine = [&](std::size_t s) {
      return class_of_operand(i.operands[s]) == RegisterClass::affine;
    };
    const bool both_vary = (multiplies(*op) && is_affine(1) && is_affine(2)) || (shifts(*op) && is_affine(2));
    return both_vary ? RegisterClass::varying : RegisterClass::affine;
  }

  const ptx::Function& function_;
  const SpecialClasses& special_;
  std::vector<RegisterClass> classes_;
  std::vector<ptx::RegisterId> written_, read_;
};

}  // namespace

std::vector<RegisterClass> infer_classes(const ptx::Function& function, const SpecialClasses& special,
                                         const BitSet& forced) {
  return Inference(function, special, forced).run();
}

namespace {

struct LiveRange {
  ptx::RegisterId id = 0;
  std::uint32_t begin = 0xffffffffu, end = 0;
};

// The registers of asynchronous products are used until some wait for them.
template <class Touch>
void keep_until_waited_for(const ptx::Function& function, Touch touch) {
  std::vector<std::uint32_t> waits;
  for (std::uint32_t pc = 0; pc < function.code.size(); ++pc)
    if (function.code[pc].opcode == Opcode::wgmma_wait_group) waits.push_back(pc);
  std::vector<ptx::RegisterId> written, read;
  for (const Instruction& instruction : function.code) {
    if (instruction.opcode != Opcode::wgmma_mma_async) continue;
    registers_of(instruction, written, read);
    for (const std::uint32_t pc : waits)
      for (auto r : read) touch(r, pc);
  }
}

// The hull of each register's live range: registers live across a loop are live at all of its blocks.
std::vector<LiveRange> live_ranges(const ptx::Function& function, const Flow& flow) {
  std::vector<LiveRange> ranges(function.registers.size());
  for (std::size_t r = 0; r < ranges.size(); ++r) ranges[r].id = static_cast<ptx::RegisterId>(r);
  const auto touch = [&](std::size_t r, std::uint32_t pc) {
    ranges[r].begin = std::min(ranges[r].begin, pc);
    ranges[r].end = std::max(ranges[r].end, pc);
  };
  std::vector<ptx::RegisterId> written, read;
  for (const BasicBlock& block : flow.blocks()) {
    block.live_in.for_each([&](std::size_t r) { touch(r, block.begin); });
    block.live_out.for_each([&](std::size_t r) { touch(r, block.end); });
    for (std::uint32_t pc = block.begin; pc < block.end; ++pc) {
      registers_of(function.code[pc], written, read);
      for (auto r : written) touch(r, pc);
      for (auto r : read) touch(r, pc);
    }
  }
  keep_until_waited_for(function, touch);
  std::sort(ranges.begin(), ranges.end(), [](const LiveRange& a, const LiveRange& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.id < b.id;
  });
  return ranges;
}

void rename(Operand& operand, const std::vector<ptx::RegisterId>& to) {
  if (operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::address)
    operand.register_id = to[operand.register_id];
  for (Operand& element : operand.elements) rename(element, to);
}

}  // namespace

Renamed share_registers(const ptx::Function& function, const std::vector<RegisterClass>& classes) {
  Renamed result;
  result.function = function;
  result.function.registers.clear();
  const Flow flow(function);
  std::vector<ptx::RegisterId> to(function.registers.size(), 0);
  std::vector<std::uint32_t> free_from;  // of each new register
  using Key = std::pair<RegisterClass, int>;
  std::map<Key, std::vector<ptx::RegisterId>> pools;
  for (const LiveRange& range : live_ranges(function, flow)) {
    if (range.begin == 0xffffffffu) continue;  // never used
    auto& pool = pools[{classes[range.id], register_bytes(function.registers[range.id].type)}];
    auto fit = std::find_if(pool.begin(), pool.end(),
                            [&](ptx::RegisterId r) { return free_from[r] <= range.begin; });
    if (fit == pool.end()) {
      const auto fresh = static_cast<ptx::RegisterId>(result.function.registers.size());
      result.function.registers.push_back(function.registers[range.id]);
      result.classes.push_back(classes[range.id]);
      result.members.emplace_back();
      free_from.push_back(0);
      fit = pool.insert(pool.end(), fresh);
    }
    free_from[*fit] = range.end + 1;
    result.members[*fit].push_back(range.id);
    to[range.id] = *fit;
  }
  for (Instruction& instruction : result.function.code) {
    if (instruction.predicated) instruction.guard = to[instruction.guard];
    for (Operand& operand : instruction.operands) rename(operand, to);
  }
  return result;
}

}  // namespace warplens::emulator
