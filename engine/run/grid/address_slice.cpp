#include "engine/run/grid/address_slice.hpp"

#include <algorithm>

#include "engine/emulator/flow/flow.hpp"
#include "engine/run/grid/moved_constants.hpp"

namespace warplens::run {
namespace {

using ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::RegisterId, ptx::Space, ptx::Special;

enum class Part : std::uint8_t {
  control,    // where a warp goes, and which of its lanes go together
  access,     // told to observers
  computing,  // left out where nothing of the above needs it: it writes registers, or shared memory, or waits
  unknown,
};

Part part_of_access(const Instruction& i) {
  if (i.is_volatile) return Part::unknown;
  if (i.space == Space::shared) return Part::computing;
  if (i.space == Space::generic) return Part::unknown;  // shared memory too
  if (i.space != Space::param) return Part::access;
  if (i.opcode != Opcode::ld) return Part::unknown;
  return i.operands[1].kind == Operand::Kind::parameter_symbol ? Part::computing : Part::access;
}

// Of a barrier in shared memory. Whoever waits goes on in the end, whatever happens until then.
bool waits(Opcode opcode) {
  return opcode >= Opcode::mbarrier_test_wait && opcode <= Opcode::mbarrier_try_wait_parity;
}
bool is_of_barrier(Opcode opcode) {
  return opcode >= Opcode::mbarrier_init && opcode <= Opcode::mbarrier_try_wait_parity;
}
bool is_arithmetic(Opcode opcode) { return opcode >= Opcode::abs && opcode <= Opcode::mov; }

Part part_of(const Instruction& i) {
  if (is_arithmetic(i.opcode) || is_of_barrier(i.opcode)) return Part::computing;
  switch (i.opcode) {
    case Opcode::bra:
    case Opcode::brx_idx:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::trap:
    case Opcode::bar_warp_sync:
      return Part::control;
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
    case Opcode::atom:
    case Opcode::red:
      return part_of_access(i);
    case Opcode::cp_async:
    case Opcode::cp_async_bulk_tensor:
      return Part::access;
    case Opcode::wmma_load:
    case Opcode::wmma_store:
      return i.space == Space::shared ? Part::computing : Part::unknown;
    case Opcode::prefetch:
    case Opcode::prefetchu:
    case Opcode::discard:
    case Opcode::applypriority:
    case Opcode::cp_async_commit_group:
    case Opcode::cp_async_wait_group:
    case Opcode::cp_async_wait_all:
    case Opcode::activemask:
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::elect:
    case Opcode::bar_sync:
    case Opcode::bar_arrive:
    case Opcode::bar_red:
    case Opcode::membar:
    case Opcode::fence:
    case Opcode::nanosleep:
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::movmatrix:
    case Opcode::mma:
    case Opcode::mma_sp:
    case Opcode::wmma_mma:
    case Opcode::pragma_:
    case Opcode::mapa:
    case Opcode::fence_proxy_async:
    case Opcode::griddepcontrol:
    case Opcode::setmaxnreg:
    case Opcode::barrier_cluster_arrive:
    case Opcode::barrier_cluster_wait:
    case Opcode::wgmma_fence:
    case Opcode::wgmma_commit_group:
    case Opcode::wgmma_wait_group:
    case Opcode::wgmma_mma_async:
    case Opcode::cp_async_bulk_commit_group:
    case Opcode::cp_async_bulk_wait_group:
    case Opcode::cp_async_bulk_prefetch:
    case Opcode::cp_async_bulk_prefetch_tensor:
      return Part::computing;
    default:
      return Part::unknown;
  }
}

bool is_of_the_moment(Special special) {
  return special == Special::smid || special == Special::nsmid || special == Special::pm ||
         (special >= Special::clock && special <= Special::globaltimer_hi);
}

// Whether its result is the same whatever memory holds and whichever warp is the first.
bool is_certain(const Instruction& i) {
  if (waits(i.opcode)) return true;
  if (i.opcode == Opcode::ld) return i.space == Space::param || i.space == Space::constant;
  const bool of_lanes = i.opcode == Opcode::shfl || i.opcode == Opcode::vote || i.opcode == Opcode::match ||
                        i.opcode == Opcode::redux;
  return (is_arithmetic(i.opcode) || of_lanes) &&
         std::ranges::none_of(i.operands, [](const Operand& operand) {
           return operand.kind == Operand::Kind::special && is_of_the_moment(operand.special);
         });
}

bool reads_carry(const Instruction& i) {
  return i.opcode == Opcode::addc || i.opcode == Opcode::subc || i.opcode == Opcode::madc;
}

class Slicer {
 public:
  explicit Slicer(const ptx::Function& function)
      : function_(function), needed_(function.registers.size()), kept_(function.code.size()) {}

  // False: something in it is not certain.
  bool find() {
    for (std::size_t pc = 0; pc < kept_.size(); ++pc)
      if (!begin_with(pc)) return false;
    while (keep_what_is_needed()) {
    }
    return std::ranges::all_of(function_.code,
                               [&](const Instruction& i) { return !writes_needed(i) || is_certain(i); });
  }

  // Its code, and the places of that in the whole code.
  std::pair<ptx::Function, std::vector<std::uint32_t>> make() {
    ptx::Function slice = function_;
    slice.code.clear();
    std::vector<std::uint32_t> position, pcs;  // of each instruction, in the slice; of each of the slice's
    for (std::uint32_t pc = 0; pc < kept_.size(); ++pc) {
      position.push_back(static_cast<std::uint32_t>(slice.code.size()));
      if (kept_[pc]) add(function_.code[pc], slice);
      pcs.resize(slice.code.size(), pc);
    }
    position.push_back(static_cast<std::uint32_t>(slice.code.size()));
    for (Instruction& i : slice.code)
      for (Operand& operand : i.operands)
        if (operand.kind == Operand::Kind::label && i.opcode != Opcode::brx_idx)
          operand.target = position[operand.target];
    for (ptx::BranchTable& table : slice.branch_tables)
      for (std::uint32_t& target : table.targets) target = position[target];
    return {std::move(slice), std::move(pcs)};
  }

 private:
  void need(const Operand& operand) {
    if (operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::address)
      needed_.set(operand.register_id);
    for (const Operand& element : operand.elements) need(element);
  }

  bool begin_with(std::size_t pc) {
    const Instruction& i = function_.code[pc];
    const Part part = part_of(i);
    if (part == Part::unknown || (i.opcode == Opcode::brx_idx && of_functions(i))) return false;
    if (i.opcode == Opcode::cp_async && !is_plain_copy(i)) return false;
    if (part == Part::computing) return true;
    kept_[pc] = true;
    if (i.predicated) needed_.set(i.guard);
    if (i.opcode == Opcode::cp_async) {
      need(i.operands[1]);
      if (i.operands.size() > 3) need(i.operands[3]);
    } else if (i.opcode == Opcode::cp_async_bulk_tensor) {
      for (const Operand& operand : told_of_box(i)) need(operand);
    } else {
      for (const Operand& operand : i.operands)
        if (part == Part::control || operand.is_memory) need(operand);
    }
    return true;
  }

  bool of_functions(const Instruction& i) const {
    return function_.branch_tables[i.operands.back().target].of_functions;
  }
  // Of so many bytes as an immediate says, or none.
  bool is_plain_copy(const Instruction& i) const {
    if (i.operands[2].kind != Operand::Kind::immediate) return false;
    if (i.operands.size() <= 3 || i.operands[3].kind == Operand::Kind::immediate) return true;
    return i.operands[3].kind == Operand::Kind::reg &&
           function_.registers[i.operands[3].register_id].type != ptx::Type::pred;
  }

  bool writes_needed(const Instruction& i) {
    emulator::registers_of(i, written_, read_);
    return std::ranges::any_of(written_, [&](RegisterId r) { return needed_.test(r); }) ||
           (i.carry_out && carry_);
  }

  bool keep_what_is_needed() {
    bool grew = false;
    for (std::size_t pc = kept_.size(); pc-- > 0;) {
      const Instruction& i = function_.code[pc];
      if (kept_[pc] || !writes_needed(i)) continue;
      kept_[pc] = grew = true;
      if (i.predicated) needed_.set(i.guard);
      if (waits(i.opcode)) continue;
      for (const RegisterId r : read_) needed_.set(r);
      carry_ |= reads_carry(i);
    }
    return grew;
  }

  static Operand register_operand(RegisterId id) {
    Operand operand;
    operand.kind = Operand::Kind::reg;
    operand.register_id = id;
    return operand;
  }
  static Operand immediate(std::uint64_t bits) {
    Operand operand;
    operand.kind = Operand::Kind::immediate;
    operand.bits = bits;
    return operand;
  }

  // [target], [map, {...}], [barrier] {, mask}, or [map, {...}], [source]: the map with its coordinates, and the mask.
  static std::vector<Operand> told_of_box(const Instruction& i) {
    const std::size_t map = i.operands.size() == 2 ? 0 : 1;
    std::vector<Operand> told{i.operands[map]};
    if (i.operands.size() > 3) told.push_back(i.operands[3]);
    return told;
  }

  void add(const Instruction& i, ptx::Function& slice) {
    if (i.opcode == Opcode::cp_async) return add_copy(i, slice);
    if (waits(i.opcode)) return slice.code.push_back(has_waited(i));
    if (i.opcode == Opcode::cp_async_bulk_tensor) {
      Instruction told = i;
      told.opcode = Opcode::cp_async_bulk_prefetch_tensor;
      told.operands = told_of_box(i);
      return slice.code.push_back(std::move(told));
    }
    slice.code.push_back(i);
    if (i.opcode != Opcode::st) return;
    Operand& data = slice.code.back().operands[1];
    if (data.kind == Operand::Kind::vector)
      std::ranges::fill(data.elements, immediate(0));
    else
      data = immediate(0);
  }

  // A load of the same bytes, of the lanes that copy any.
  void add_copy(const Instruction& copy, ptx::Function& slice) {
    const auto new_register = [&](ptx::Type type) {
      slice.registers.push_back({"%slice", type});
      return static_cast<RegisterId>(slice.registers.size() - 1);
    };
    Instruction load = copy;
    load.opcode = Opcode::ld;
    load.type = ptx::Type::b32;
    load.vector = static_cast<std::uint8_t>(copy.operands[2].bits / 4);
    load.destinations = 1;
    Operand loaded;
    loaded.kind = Operand::Kind::vector;
    for (int e = 0; e < load.vector; ++e)
      loaded.elements.push_back(register_operand(new_register(ptx::Type::b32)));
    load.operands = {load.vector == 1 ? loaded.elements[0] : loaded, copy.operands[1]};
    if (copy.operands.size() > 3) {
      load.predicated = true;
      load.guard = new_register(ptx::Type::pred);
      load.guard_negated = false;
      slice.code.push_back(copies_any(copy, load.guard));
    }
    slice.code.push_back(std::move(load));
  }

  // The predicate of a wait that is over.
  static Instruction has_waited(const Instruction& wait) {
    Instruction over;
    over.opcode = Opcode::setp;
    over.type = ptx::Type::u32;
    over.compare = ptx::Compare::eq;
    over.location = wait.location;
    over.ptx_line = wait.ptx_line;
    over.destinations = 1;
    over.predicated = wait.predicated;
    over.guard = wait.guard;
    over.guard_negated = wait.guard_negated;
    over.operands = {wait.operands[0], immediate(0), immediate(0)};
    return over;
  }

  static Instruction copies_any(const Instruction& copy, RegisterId result) {
    Instruction any;
    any.opcode = Opcode::setp;
    any.type = ptx::Type::u32;
    any.compare = ptx::Compare::ne;
    any.location = copy.location;
    any.ptx_line = copy.ptx_line;
    any.destinations = 1;
    any.operands = {register_operand(result), copy.operands[3], immediate(0)};
    if (copy.predicated) {
      any.bool_op = ptx::BoolOp::and_;
      any.operands.push_back(register_operand(copy.guard));
      any.operands.back().negated = copy.guard_negated;
    }
    return any;
  }

  const ptx::Function& function_;
  emulator::BitSet needed_;  // registers
  bool carry_ = false;       // needed too
  std::vector<bool> kept_;   // by pc
  std::vector<RegisterId> written_, read_;
};

}  // namespace

std::optional<AddressSlice> address_slice(const emulator::Kernel& kernel, const device::Device& device) {
  if (kernel.together().whole_grid) return std::nullopt;
  const ptx::Function function_of_kernel = with_moved_constants(kernel.function());
  Slicer slicer(function_of_kernel);
  if (!slicer.find()) return std::nullopt;
  auto [function, pcs] = slicer.make();
  auto program = std::make_shared<ptx::Program>();
  const ptx::Program& whole = kernel.program();
  program->isa_version = whole.isa_version;
  program->target = whole.target;
  program->files = whole.files;
  program->variables = whole.variables;
  program->functions = {std::move(function)};
  const auto prepared = emulator::Kernel::prepare(program, program->functions[0].name, device);
  if (!prepared) return std::nullopt;
  return AddressSlice{*prepared, std::move(pcs)};
}

}  // namespace warplens::run
