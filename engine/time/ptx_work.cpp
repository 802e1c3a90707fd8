#include "engine/time/ptx_work.hpp"

#include <algorithm>
#include <optional>

#include "engine/emulator/semantics/matrix.hpp"

namespace warplens::time {
namespace {

using ptx::Opcode, ptx::Type;

bool is_wide(Type type) { return type == Type::b64 || type == Type::u64 || type == Type::s64; }
bool is_integer(Type type) { return type != Type::f64 && !ptx::is_float(type); }

PtxWork of(Unit unit, int count = 1) { return {{{{unit, static_cast<std::uint8_t>(count)}}}}; }

PtxWork sum(Type type) {
  if (type == Type::f64) return of(Unit::fp64);
  if (ptx::is_float(type)) return of(Unit::fma);
  return of(Unit::alu, is_wide(type) ? 2 : 1);
}

// mul and mad, fma.
PtxWork product(const ptx::Instruction& i) {
  if (!is_integer(i.type)) return sum(i.type);
  if (!is_wide(i.type) || i.part == ptx::MulPart::wide) return of(Unit::fma_heavy);
  return of(Unit::fma_heavy, i.part == ptx::MulPart::hi ? 8 : 4);
}

PtxWork quotient(const ptx::Instruction& i) {
  if (i.type == Type::f64) return {{{{Unit::special, 1}, {Unit::fp64, 8}, {Unit::alu, 3}}}};
  if (i.type == Type::f32 && (i.approximate || i.full_range)) return {{{{Unit::special, 1}, {Unit::fma, 2}}}};
  if (i.type == Type::f32) return {{{{Unit::special, 1}, {Unit::fma, 5}, {Unit::alu, 1}, {Unit::none, 3}}}};
  if (is_wide(i.type)) return {{{{Unit::special, 4}, {Unit::fma_heavy, 20}, {Unit::alu, 40}}}};
  return {{{{Unit::special, 3}, {Unit::fma_heavy, 5}, {Unit::alu, 7}}}};
}

// rcp, sqrt, rsqrt.
PtxWork root(const ptx::Instruction& i) {
  if (i.type == Type::f64) return {{{{Unit::special, 1}, {Unit::fp64, 7}, {Unit::alu, 3}}}};
  if (i.approximate || i.opcode == Opcode::rsqrt) return {{{{Unit::special, 1}, {Unit::fma, 1}}}};
  return {{{{Unit::special, 1}, {Unit::fma, 4}, {Unit::alu, 2}, {Unit::none, 2}}}};
}

// sin, cos, ex2, lg2, tanh.
PtxWork function(const ptx::Instruction& i) {
  if (i.opcode == Opcode::tanh || i.ftz) return of(Unit::special);
  if (i.opcode == Opcode::sin || i.opcode == Opcode::cos) return {{{{Unit::special, 1}, {Unit::fma, 1}}}};
  return {{{{Unit::special, 1}, {Unit::fma, 2}, {Unit::alu, 1}}}};
}

// A wmma is products of 16 x 8, or of 8 x 8 of f64.
int products_of(const ptx::Instruction& wmma) {
  const auto [m, n, k] = wmma.shape;
  return std::max(1, m * n / 128);
}

PtxWork conversion(const ptx::Instruction& i) {
  if (is_integer(i.type) && is_integer(i.source_type))
    return ptx::size_in_bytes(i.type) <= 2 || i.type == Type::s64 ? of(Unit::alu) : PtxWork{};
  if (i.type == Type::tf32)
    return {{{{Unit::alu, 1}, {Unit::fma_heavy, 1}}}};  // FSETP, and half a unit added
  return of(Unit::special);
}

PtxWork comparison(Type type) {
  if (type == Type::f64) return of(Unit::fp64);
  return of(Unit::alu, is_wide(type) ? 2 : 1);
}

PtxWork movement(const ptx::Instruction& i) {
  const bool special = i.operands.size() > 1 && i.operands[1].kind == ptx::Operand::Kind::special;
  return special ? of(Unit::special) : PtxWork{};
}

// What differs on 1.x and 2.x; empty if it does not. Wide integers are addresses there.
std::optional<PtxWork> work_on_old(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::mov:
      return movement(i).instructions() > 0 ? of(Unit::alu) : PtxWork{};
    case Opcode::mul:
    case Opcode::mad:
      if (!is_integer(i.type) || i.part != ptx::MulPart::wide) return std::nullopt;
      return i.operands.back().kind == ptx::Operand::Kind::immediate || i.operands.size() < 3
                 ? of(Unit::alu)
                 : of(Unit::fma_heavy);
    case Opcode::mul24:
    case Opcode::mad24:
      return of(Unit::fma);
    case Opcode::div:
    case Opcode::rem:  // "tens of instructions on 1.x"
      if (!is_integer(i.type) || is_wide(i.type)) return std::nullopt;
      return PtxWork{{{{Unit::special, 3}, {Unit::fma_heavy, 6}, {Unit::alu, 24}}}};
    case Opcode::cvt:
      return is_integer(i.type) && is_integer(i.source_type) ? std::optional(PtxWork{}) : std::nullopt;
    case Opcode::add:
    case Opcode::sub:
    case Opcode::setp:
    case Opcode::shl:
      return is_wide(i.type) ? std::optional(of(Unit::alu)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

int PtxWork::instructions() const {
  int sum = 0;
  for (const Piece& piece : pieces) sum += piece.count;
  return sum;
}

PtxWork work_of(const ptx::Instruction& i, bool old) {
  if (old)
    if (const auto work = work_on_old(i)) return *work;
  switch (i.opcode) {
    case Opcode::mov:
      return movement(i);
    case Opcode::cvta:
    case Opcode::pragma_:
      return {};
    case Opcode::ld:
      return i.space == ptx::Space::param ? PtxWork{} : of(Unit::memory);
    case Opcode::st:
    case Opcode::ldu:
    case Opcode::atom:
    case Opcode::red:
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::cp_async:
    case Opcode::cp_async_bulk:
    case Opcode::cp_async_bulk_tensor:
    case Opcode::cp_reduce_async_bulk:
    case Opcode::cp_reduce_async_bulk_tensor:
      return of(Unit::memory);
    case Opcode::cvt:
      return conversion(i);
    case Opcode::add:
    case Opcode::sub:
      return sum(i.type);
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::fma:
      return product(i);
    case Opcode::div:
    case Opcode::rem:
      return quotient(i);
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
      return root(i);
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::ex2:
    case Opcode::lg2:
    case Opcode::tanh:
      return function(i);
    case Opcode::neg:
    case Opcode::abs:
      return ptx::is_float(i.type) ? PtxWork{} : of(Unit::alu);
    case Opcode::setp:
    case Opcode::set:
      return comparison(i.opcode == Opcode::set ? i.source_type : i.type);
    case Opcode::mul24:
    case Opcode::mad24:
      return {{{{Unit::alu, 2}, {Unit::fma_heavy, 1}}}};
    case Opcode::dp4a:
    case Opcode::dp2a:
      return of(Unit::fma_heavy);
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::bfind:
    case Opcode::brev:
      return of(Unit::special);
    case Opcode::shfl:
      return of(Unit::shuffle);
    case Opcode::wmma_load:
    case Opcode::wmma_store:
      return of(Unit::memory, emulator::wmma_accesses(i).number);
    case Opcode::mma:
    case Opcode::mma_sp:
    case Opcode::wgmma_mma_async:
      return of(Unit::tensor);
    case Opcode::wmma_mma:
      return of(Unit::tensor, products_of(i));
    case Opcode::bar_sync:
    case Opcode::bar_arrive:
    case Opcode::bar_red:
    case Opcode::mbarrier_init:
    case Opcode::mbarrier_arrive:
    case Opcode::mbarrier_arrive_expect_tx:
    case Opcode::mbarrier_expect_tx:
    case Opcode::cp_async_mbarrier_arrive:
    case Opcode::cp_async_mbarrier_arrive_noinc:
    case Opcode::mbarrier_test_wait:
    case Opcode::mbarrier_test_wait_parity:
    case Opcode::mbarrier_try_wait:
    case Opcode::mbarrier_try_wait_parity:
    case Opcode::barrier_cluster_arrive:
    case Opcode::barrier_cluster_wait:
    case Opcode::cp_async_bulk_commit_group:
    case Opcode::cp_async_bulk_wait_group:
    case Opcode::wgmma_fence:
    case Opcode::wgmma_commit_group:
    case Opcode::wgmma_wait_group:
    case Opcode::fence_proxy_async:
    case Opcode::setmaxnreg:
    case Opcode::bra:
    case Opcode::exit:
    case Opcode::ret:
    case Opcode::cp_async_commit_group:
    case Opcode::cp_async_wait_group:
    case Opcode::cp_async_wait_all:
    case Opcode::membar:
    case Opcode::fence:
      return of(Unit::none);
    default:
      return of(Unit::alu, is_wide(i.type) ? 2 : 1);
  }
}

PtxWork work_at(const ptx::Function& function, std::uint32_t pc,
                const std::vector<emulator::VectorizedAccess>& accesses, bool old) {
  if (pc < accesses.size() && accesses[pc].leader != pc) return {};
  return work_of(function.code[pc], old);
}

}  // namespace warplens::time
