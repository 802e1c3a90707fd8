#include "engine/instrument/access_guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/instrument/entry_text.hpp"
#include "engine/instrument/memory_sides.hpp"
#include "engine/ptx/source_place.hpp"

namespace warplens::instrument {
namespace {

using ptx::Function, ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::Program, ptx::Space;

// The head of the buffer; after it comes the number of bytes behind each pointer.
struct GuardHead {
  std::uint64_t found = 0;  // 1 + the site that was first, kMisaligned added where it is that; 0: none
  std::uint64_t address = 0;
  std::uint32_t block = 0, thread = 0;
  std::uint64_t limit = 0;  // nanoseconds that a thread may run
  // What malloc() returned so far lies in [heap_low, heap_high); which of it, kHeapMap says.
  std::uint64_t heap_low = ~std::uint64_t{0}, heap_high = 0;
  std::uint64_t is_shared = 0;  // whether `address`, taken as a generic one, is one of shared memory
};
static_assert(sizeof(GuardHead) == 56);
constexpr std::uint64_t kMisaligned = std::uint64_t{1} << 32;

// The system keeps so much of a block's shared memory to itself since 8.0, at its beginning (CUDA C++
// Programming Guide, table of limits), and %total_smem_size need not count it: what lies less than that
// behind the end is let through.
constexpr int kReservedShared = 1024;

// Behind all else, of kernels that allocate: a bit for each 16 bytes of the heap, to which malloc() aligns,
// by their address modulo 8 MB, which is the heap's size where the host does not set another (CUDA C++
// Programming Guide, "Heap Memory Allocation"). What was freed stays marked.
constexpr std::uint64_t kHeapMapBytes = (std::uint64_t{8} << 20) / 16 / 8;
constexpr int kHeapGrain = 4;  // powers of two: bytes of a bit ...
constexpr int kHeapWord = 9;   // ... and of a word of 32 bits

constexpr int kGridWorkspace = 64;  // bytes that grid.sync() counts in, and more

bool is_malloc(const Program& program, const Instruction& i) {
  return i.opcode == Opcode::call && i.operands.size() > 1 && i.operands[1].kind == Operand::Kind::function &&
         program.functions[i.operands[1].symbol].name == "malloc";
}

bool reads_workspace(const Function& function) {
  return std::ranges::any_of(function.code, [](const Instruction& i) {
    return std::ranges::any_of(i.operands,
                               [](const Operand& o) { return o.special == ptx::Special::envreg2; });
  });
}

// Its blocks are launched in clusters, so that shared addresses have the block's rank in them.
bool is_in_clusters(const Function& function) {
  return function.cluster[0] != 0 || std::ranges::any_of(function.code, [](const Instruction& i) {
           return i.opcode == Opcode::mapa || i.opcode == Opcode::barrier_cluster_arrive;
         });
}

class Rewriter {
 public:
  Rewriter(std::string_view text, const ParsedEntry& parsed)
      : text_(text),
        program_(parsed.program),
        entry_(parsed.entry()),
        sides_(parsed.program, parsed.entry()),
        whole_grid_(reads_workspace(entry_)),
        in_clusters_(is_in_clusters(entry_)) {
    result_.in_clusters = in_clusters_;
  }

  Result<AccessGuard> run() {
    const auto place = find_entry(text_, entry_);
    if (!place) return place.error();
    find_ranges();
    if (const auto found = find_what_is_left_out(); !found) return found.error();
    const std::string parameter = entry_.name + "_warplens_guard";
    std::vector<Insertion> insertions{one_more_parameter(*place, parameter),
                                      {place->code_begin, beginning(parameter)}};
    for (std::size_t pc = 0; pc < entry_.code.size(); ++pc) {
      std::string inserted = before(entry_.code[pc], static_cast<std::uint32_t>(pc));
      if (!inserted.empty()) insertions.push_back({place->instructions[pc], std::move(inserted) + "\t"});
      if (!is_malloc(program_, entry_.code[pc])) continue;
      const auto grown = after_malloc(*place, pc);
      if (!grown) return grown.error();
      insertions.push_back(*grown);
    }
    insertions.push_back({place->body_end, ending()});
    result_.ptx = insert(text_, std::move(insertions));
    return std::move(result_);
  }

 private:
  // Memory that may be used: behind pointers, and variables that the code names (naming another one here
  // would make the compiler keep it).
  void find_ranges() {
    for (std::size_t i = 0; i < entry_.parameters.size(); ++i)
      if (entry_.parameters[i].size == 8) result_.pointers.push_back(i);
    for (const Instruction& i : entry_.code)
      for (const Operand& operand : i.operands) {
        if (operand.kind != Operand::Kind::global_symbol) continue;
        const Space space = program_.variables[operand.symbol].space;
        if (space != Space::global && space != Space::constant) continue;
        if (std::ranges::find(variables_, operand.symbol) == variables_.end())
          variables_.push_back(operand.symbol);
      }
  }

  // Where memory is allocated in a function that is called, its addresses are not known here.
  Status find_what_is_left_out() {
    const auto say = [&](std::string_view what) {
      if (std::ranges::find(result_.left_out, what) == result_.left_out.end())
        result_.left_out.emplace_back(what);
    };
    for (const Instruction& i : entry_.code) {
      result_.allocates |= is_malloc(program_, i);
      if (i.opcode == Opcode::cp_async_bulk) say("bulk copies");
      if (i.opcode == Opcode::wmma_load || i.opcode == Opcode::wmma_store) say("wmma.load and wmma.store");
      if (i.space == Space::local && !sides_.of(i).empty()) say("local memory");
      if (uses_shared_barrier(i)) say("barriers in shared memory");
      if (i.opcode == Opcode::call && !is_of_the_system(i)) say("functions that the compiler did not inline");
    }
    for (const Function& function : program_.functions)
      if (&function != &entry_ &&
          std::ranges::any_of(function.code, [&](const Instruction& i) { return is_malloc(program_, i); }))
        return Error{"memory is allocated in " + function.name + ", which the compiler did not inline",
                     "declare it __forceinline__"};
    return Done{};
  }

  static bool uses_shared_barrier(const Instruction& i) {
    return ptx::is_memory_or_cluster_barrier(i.opcode) &&
           std::ranges::any_of(i.operands, [](const Operand& o) { return o.is_memory; });
  }

  // printf, assert, malloc: they have no code.
  bool is_of_the_system(const Instruction& call) const {
    const Operand& callee = call.operands[1];
    return callee.kind == Operand::Kind::function && program_.functions[callee.symbol].code.empty();
  }

  // Behind `ld.param %rd, [retval0]`, which follows a call: the heap is known to reach from there.
  Result<Insertion> after_malloc(const EntryText& place, std::size_t call) const {
    const auto is = [&](std::size_t pc, Opcode opcode) {
      return entry_.code[pc].opcode == opcode && entry_.code[pc].space == Space::param;
    };
    const Error unknown{"a call of malloc() is not as the compiler writes them", ""};
    if (call == 0 || call + 1 >= entry_.code.size() || !is(call - 1, Opcode::st) || !is(call + 1, Opcode::ld))
      return unknown;
    const std::string bytes = sides_.name(entry_.code[call - 1].operands[1]);
    const std::string at = sides_.name(entry_.code[call + 1].operands[0]);
    const std::size_t end = text_.find(';', place.instructions[call + 1]);
    if (bytes == at || end == std::string_view::npos) return unknown;
    return Insertion{
        end + 1,
        fmt::format(
            "\n\t{{\n\t.reg .pred %warplens_any;\n\t.reg .b64 %warplens_spare, %warplens_end;\n"
            "\tadd.u64 %warplens_end, {0}, {1};\n\tsetp.ne.u64 %warplens_any, {0}, 0;\n"
            "\tsetp.ne.and.u64 %warplens_any, %warplens_end, {0}, %warplens_any;\n"
            "\t@%warplens_any atom.global.min.u64 %warplens_spare, [%warplens_buffer+{2}], {0};\n"
            "\t@%warplens_any atom.global.max.u64 %warplens_spare, [%warplens_buffer+{3}], %warplens_end;\n",
            at, bytes, offsetof(GuardHead, heap_low), offsetof(GuardHead, heap_high)) +
            mark_heap(at, call) + "\tmembar.gl;\n\t}\n"};
  }

  std::size_t heap_map() const { return sizeof(GuardHead) + 8 * result_.pointers.size(); }

  // Where %warplens_any: sets the bits of [at, %warplens_end), a word of the map a turn.
  std::string mark_heap(std::string_view at, std::size_t call) const {
    return fmt::format(
        "\t{{\n\t.reg .pred %warplens_more;\n\t.reg .b32 %warplens_bits, %warplens_shift, %warplens_old;\n"
        "\t.reg .b64 %warplens_bit, %warplens_last, %warplens_word_end, %warplens_place;\n"
        "\t@!%warplens_any bra $WARPLENS_MARKED_{1};\n"
        "\tshr.u64 %warplens_bit, {0}, {2};\n\tsub.u64 %warplens_last, %warplens_end, 1;\n"
        "\tshr.u64 %warplens_last, %warplens_last, {2};\n$WARPLENS_MARK_{1}:\n"
        "\tor.b64 %warplens_word_end, %warplens_bit, 31;\n"
        "\tcvt.u32.u64 %warplens_shift, %warplens_bit;\n\tand.b32 %warplens_shift, %warplens_shift, 31;\n"
        "\tmov.u32 %warplens_bits, -1;\n\tshl.b32 %warplens_bits, %warplens_bits, %warplens_shift;\n"
        "\tmin.u64 %warplens_place, %warplens_word_end, %warplens_last;\n"
        "\tsub.u64 %warplens_place, %warplens_word_end, %warplens_place;\n"
        "\tcvt.u32.u64 %warplens_shift, %warplens_place;\n"
        "\tshl.b32 %warplens_bits, %warplens_bits, %warplens_shift;\n"
        "\tshr.u32 %warplens_bits, %warplens_bits, %warplens_shift;\n"
        "\tshl.b64 %warplens_place, %warplens_bit, {2};\n{3}"
        "\tatom.global.or.b32 %warplens_old, [%warplens_place+{4}], %warplens_bits;\n"
        "\tadd.u64 %warplens_bit, %warplens_word_end, 1;\n"
        "\tsetp.le.u64 %warplens_more, %warplens_bit, %warplens_last;\n"
        "\t@%warplens_more bra $WARPLENS_MARK_{1};\n$WARPLENS_MARKED_{1}:\n\t}}\n",
        at, call, kHeapGrain, to_heap_word("%warplens_place"), heap_map());
  }

  // From an address to where the map's word with its bit stands, less heap_map().
  static std::string to_heap_word(std::string_view address) {
    return fmt::format(
        "\tshr.u64 {0}, {0}, {1};\n\tand.b64 {0}, {0}, {2};\n\tshl.b64 {0}, {0}, 2;\n"
        "\tadd.u64 {0}, {0}, %warplens_buffer;\n",
        address, kHeapWord, kHeapMapBytes / 4 - 1);
  }

  std::size_t known_ranges() const { return result_.pointers.size() + variables_.size(); }
  std::size_t ranges() const { return known_ranges() + (whole_grid_ ? 1 : 0); }

  std::string beginning(std::string_view parameter) const {
    std::string text =
        "\n\t.reg .b64 %warplens_buffer, %warplens_born, %warplens_limit, %warplens_shared;\n"
        "\t.reg .b64 %warplens_stop, %warplens_stop_address;\n";
    for (std::size_t r = 0; r < ranges(); ++r)
      text += fmt::format("\t.reg .b64 %warplens_base_{0}, %warplens_size_{0};\n", r);
    // Once one thread was stopped the launch is over: blocks that come later have nothing to do.
    text += fmt::format(
        "\t{{\n\t.reg .pred %warplens_over;\n\t.reg .b32 %warplens_word;\n"
        "\tmov.u64 %warplens_born, %globaltimer;\n"
        "\tld.param.u64 %warplens_buffer, [{}];\n\tcvta.to.global.u64 %warplens_buffer, %warplens_buffer;\n"
        "\tld.volatile.global.u64 %warplens_stop, [%warplens_buffer];\n"
        "\tsetp.ne.u64 %warplens_over, %warplens_stop, 0;\n\t@%warplens_over exit;\n"
        "\tld.global.u64 %warplens_limit, [%warplens_buffer+{}];\n"
        "\tmov.u32 %warplens_word, %total_smem_size;\n\tcvt.u64.u32 %warplens_shared, %warplens_word;\n"
        "\tadd.u64 %warplens_shared, %warplens_shared, {};\n",
        parameter, offsetof(GuardHead, limit), kReservedShared);
    for (std::size_t r = 0; r < ranges(); ++r) text += load_range(r);
    return text + "\t}\n";
  }

  std::string load_range(std::size_t r) const {
    if (r == known_ranges())  // as cooperative_groups/details/driver_abi.h takes it
      return fmt::format(
          "\t{{\n\t.reg .b32 %warplens_low, %warplens_high;\n"
          "\tmov.u32 %warplens_low, %envreg2;\n\tmov.u32 %warplens_high, %envreg1;\n"
          "\tmov.b64 %warplens_base_{0}, {{%warplens_low, %warplens_high}};\n\t}}\n"
          "\tmov.u64 %warplens_size_{0}, {1};\n",
          r, kGridWorkspace);
    if (r >= result_.pointers.size()) {
      const ptx::Variable& variable = program_.variables[variables_[r - result_.pointers.size()]];
      // Constants are read through generic addresses too.
      return fmt::format(
          "\tmov.u64 %warplens_base_{0}, {1};\n\tcvta.{2}.u64 %warplens_base_{0}, %warplens_base_{0};\n"
          "\tmov.u64 %warplens_size_{0}, {3};\n",
          r, variable.name, variable.space == Space::constant ? "const" : "global", variable.size);
    }
    return fmt::format(
        "\tld.param.u64 %warplens_base_{0}, [{1}];\n"
        "\tcvta.to.global.u64 %warplens_base_{0}, %warplens_base_{0};\n"
        "\tld.global.u64 %warplens_size_{0}, [%warplens_buffer+{2}];\n",
        r, entry_.parameters[result_.pointers[r]].name, sizeof(GuardHead) + 8 * r);
  }

  std::string before(const Instruction& i, std::uint32_t pc) {
    if (branches_back(i, pc)) return look_at_the_time(pc);
    std::string text;
    for (const MemorySide& side : sides_.of(i))
      if (side.space != Space::local) text += check(i, pc, side);
    return text;
  }

  bool branches_back(const Instruction& i, std::uint32_t pc) const {
    const auto back = [pc](std::uint32_t target) { return target <= pc; };
    if (i.opcode == Opcode::bra)
      return std::ranges::any_of(i.operands, [&](const Operand& operand) {
        return operand.kind == Operand::Kind::label && back(operand.target);
      });
    if (i.opcode != Opcode::brx_idx) return false;
    return std::ranges::any_of(i.operands, [&](const Operand& operand) {
      return operand.kind == Operand::Kind::label &&
             std::ranges::any_of(entry_.branch_tables[operand.target].targets, back);
    });
  }

  std::string add_site(const GuardSite& site) {
    result_.sites.push_back(site);
    result_.places.push_back(ptx::place_of(program_, entry_, site.pc));
    return fmt::format("\tmov.u64 %warplens_stop, {};\n", result_.sites.size());
  }

  std::string look_at_the_time(std::uint32_t pc) {
    return "{\n\t.reg .pred %warplens_bad;\n\t.reg .b64 %warplens_spare;\n"
           "\tmov.u64 %warplens_spare, %globaltimer;\n"
           "\tsub.s64 %warplens_spare, %warplens_spare, %warplens_born;\n"
           "\tsetp.gt.s64 %warplens_bad, %warplens_spare, %warplens_limit;\n" +
           add_site({.pc = pc, .loop = true}) +
           "\tmov.u64 %warplens_stop_address, 0;\n\t@%warplens_bad bra $WARPLENS_STOP;\n\t}\n";
  }

  std::string check(const Instruction& i, std::uint32_t pc, const MemorySide& side) {
    std::string text =
        "{\n\t.reg .pred %warplens_only, %warplens_guard, %warplens_fits, %warplens_mine, %warplens_bad;\n"
        "\t.reg .b32 %warplens_word;\n\t.reg .b64 %warplens_address, %warplens_spare;\n";
    text += sides_.address(*side.memory);
    text += add_site({pc, false, side.space, side.kind, side.width});
    text += fits(side);
    text += fmt::format(
        "\tnot.pred %warplens_bad, %warplens_fits;\n"
        "\tand.b64 %warplens_spare, %warplens_address, {};\n"
        "\tsetp.ne.and.u64 %warplens_mine, %warplens_spare, 0, %warplens_fits;\n"
        "\t@%warplens_mine or.b64 %warplens_stop, %warplens_stop, {:#x};\n"
        "\tor.pred %warplens_bad, %warplens_bad, %warplens_mine;\n",
        side.width - 1, kMisaligned);
    text += only_where_it_runs(i, side);
    return text +
           "\tmov.u64 %warplens_stop_address, %warplens_address;\n"
           "\t@%warplens_bad bra $WARPLENS_STOP;\n\t}\n";
  }

  std::string only_where_it_runs(const Instruction& i, const MemorySide& side) const {
    if (side.narrowed)
      return sides_.narrow(i, side) + "\tand.pred %warplens_bad, %warplens_bad, %warplens_only;\n";
    if (!i.predicated) return "";
    return fmt::format(
        "\t{}.pred %warplens_guard, {};\n\tand.pred %warplens_bad, %warplens_bad, %warplens_guard;\n",
        i.guard_negated ? "not" : "mov", entry_.registers[i.guard].name);
  }

  // Statements that set %warplens_fits: all bytes of the access are where they may be.
  std::string fits(const MemorySide& side) const {
    if (side.space == Space::shared && in_clusters_)
      return "\tsetp.ne.u32 %warplens_fits, 0, 0;\n\tmov.u64 %warplens_spare, %warplens_address;\n"
             "\tsetp.eq.u32 %warplens_mine, 0, 0;\n" +
             fits_in_cluster(side);
    if (side.space == Space::shared)
      return "\tmov.u64 %warplens_spare, %warplens_address;\n" + to_last_byte(side) +
             "\tsetp.lt.u64 %warplens_fits, %warplens_spare, %warplens_shared;\n";
    std::string text = "\tsetp.ne.u32 %warplens_fits, 0, 0;\n";
    for (std::size_t r = 0; r < ranges(); ++r)
      text += fmt::format(
          "\tsub.u64 %warplens_spare, %warplens_address, %warplens_base_{0};\n"
          "\tsetp.lt.u64 %warplens_mine, %warplens_spare, %warplens_size_{0};\n"
          "\tadd.u64 %warplens_spare, %warplens_spare, {1};\n"
          "\tsetp.lt.and.u64 %warplens_mine, %warplens_spare, %warplens_size_{0}, %warplens_mine;\n"
          "\tor.pred %warplens_fits, %warplens_fits, %warplens_mine;\n",
          r, side.width - 1);
    if (result_.allocates) text += fits_in_heap(side);
    return side.space == Space::generic ? text + fits_by_its_window(side) : text;
  }

  // An access that is a multiple of its width lies in one or two pieces of 16 bytes: the first and the last
  // byte tell.
  std::string fits_in_heap(const MemorySide& side) const {
    return fmt::format(
        "\tld.volatile.global.u64 %warplens_spare, [%warplens_buffer+{0}];\n"
        "\tsetp.ge.u64 %warplens_mine, %warplens_address, %warplens_spare;\n"
        "\tld.volatile.global.u64 %warplens_spare, [%warplens_buffer+{1}];\n"
        "\tsub.s64 %warplens_spare, %warplens_spare, {2};\n"
        "\tsetp.lt.and.s64 %warplens_mine, %warplens_address, %warplens_spare, %warplens_mine;\n{3}{4}"
        "\tor.pred %warplens_fits, %warplens_fits, %warplens_mine;\n",
        offsetof(GuardHead, heap_low), offsetof(GuardHead, heap_high), side.width - 1, is_marked(0),
        is_marked(side.width - 1));
  }

  // %warplens_mine stays true where the heap's map has the byte that stands so far behind the address.
  std::string is_marked(int behind) const {
    return fmt::format(
        "\t{{\n\t.reg .b32 %warplens_bits;\n\tadd.u64 %warplens_spare, %warplens_address, {0};\n"
        "\tshr.u64 %warplens_spare, %warplens_spare, {1};\n\tcvt.u32.u64 %warplens_word, %warplens_spare;\n"
        "\tand.b32 %warplens_word, %warplens_word, 31;\n\tshl.b64 %warplens_spare, %warplens_spare, {1};\n{2}"
        "\tld.volatile.global.u32 %warplens_bits, [%warplens_spare+{3}];\n"
        "\tshr.u32 %warplens_bits, %warplens_bits, %warplens_word;\n"
        "\tand.b32 %warplens_bits, %warplens_bits, 1;\n"
        "\tsetp.ne.and.u32 %warplens_mine, %warplens_bits, 0, %warplens_mine;\n\t}}\n",
        behind, kHeapGrain, to_heap_word("%warplens_spare"), heap_map());
  }

  // Where %warplens_mine: the shared address in %warplens_spare is in what one of the cluster's blocks has.
  static std::string fits_in_cluster(const MemorySide& side) {
    return fmt::format(
        "\t{{\n\t.reg .b32 %warplens_rank, %warplens_blocks, %warplens_first, %warplens_zero;\n"
        "\tcvt.u32.u64 %warplens_word, %warplens_spare;\n\tmov.u32 %warplens_zero, 0;\n"
        "\tmov.u32 %warplens_first, 0;\n"
        "\tgetctarank.shared::cluster.u32 %warplens_rank, %warplens_word;\n"
        "\tmov.u32 %warplens_blocks, %cluster_nctarank;\n"
        "\tsetp.lt.and.u32 %warplens_mine, %warplens_rank, %warplens_blocks, %warplens_mine;\n"
        "\t@%warplens_mine mapa.shared::cluster.u32 %warplens_first, %warplens_zero, %warplens_rank;\n"
        "\t@%warplens_mine mapa.shared::cluster.u32 %warplens_word, %warplens_word, %warplens_rank;\n"
        "\tsub.u32 %warplens_word, %warplens_word, %warplens_first;\n"
        "\tcvt.u64.u32 %warplens_spare, %warplens_word;\n"
        "\tadd.u64 %warplens_spare, %warplens_spare, {};\n"
        "\tsetp.lt.and.u64 %warplens_mine, %warplens_spare, %warplens_shared, %warplens_mine;\n"
        "\tor.pred %warplens_fits, %warplens_fits, %warplens_mine;\n\t}}\n",
        side.width - 1);
  }

  static std::string to_last_byte(const MemorySide& side) {
    return fmt::format("\tadd.u64 %warplens_spare, %warplens_spare, {};\n", side.width - 1);
  }

  // Of a generic address that is not one of global memory.
  std::string fits_by_its_window(const MemorySide& side) const {
    const std::string is_local =
        "\tisspacep.local %warplens_mine, %warplens_address;\n"
        "\tor.pred %warplens_fits, %warplens_fits, %warplens_mine;\n";
    if (in_clusters_)
      return "\tmov.u64 %warplens_spare, %warplens_address;\n"
             "\tisspacep.shared::cluster %warplens_mine, %warplens_address;\n"
             "\t@%warplens_mine cvta.to.shared::cluster.u64 %warplens_spare, %warplens_spare;\n" +
             fits_in_cluster(side) + is_local;
    return "\tmov.u64 %warplens_spare, %warplens_address;\n"
           "\tisspacep.shared %warplens_mine, %warplens_address;\n"
           "\t@%warplens_mine cvta.to.shared.u64 %warplens_spare, %warplens_spare;\n" +
           to_last_byte(side) +
           "\tsetp.lt.and.u64 %warplens_mine, %warplens_spare, %warplens_shared, %warplens_mine;\n"
           "\tor.pred %warplens_fits, %warplens_fits, %warplens_mine;\n" +
           is_local;
  }

  // What falls off the body's end returns, as before.
  std::string ending() const {
    return "\tret;\n$WARPLENS_STOP:\n\t{\n\t.reg .pred %warplens_first;\n"
           "\t.reg .b32 %warplens_block, %warplens_thread, %warplens_word;\n\t.reg .b64 %warplens_spare;\n"
           "\tatom.global.cas.b64 %warplens_spare, [%warplens_buffer], 0, %warplens_stop;\n"
           "\tsetp.eq.u64 %warplens_first, %warplens_spare, 0;\n" +
           is_shared_address() + linear_block("%warplens_block", "%warplens_word") +
           linear_thread("%warplens_thread", "%warplens_word") +
           fmt::format(
               "\t@%warplens_first st.global.u64 [%warplens_buffer+{}], %warplens_spare;\n"
               "\t@%warplens_first st.global.u64 [%warplens_buffer+{}], %warplens_stop_address;\n"
               "\t@%warplens_first st.global.v2.u32 [%warplens_buffer+{}], {{%warplens_block, "
               "%warplens_thread}};\n"
               "\texit;\n\t}}\n",
               offsetof(GuardHead, is_shared), offsetof(GuardHead, address), offsetof(GuardHead, block));
  }

  // %warplens_spare: 1 where the address that stopped the thread is a generic one of shared memory, else 0.
  std::string is_shared_address() const {
    return fmt::format(
        "\t{{\n\t.reg .pred %warplens_mine;\n\tisspacep.shared{} %warplens_mine, %warplens_stop_address;\n"
        "\tselp.u64 %warplens_spare, 1, 0, %warplens_mine;\n\t}}\n",
        in_clusters_ ? "::cluster" : "");
  }

  std::string_view text_;
  const Program& program_;
  const Function& entry_;
  MemorySides sides_;
  bool whole_grid_, in_clusters_;
  std::vector<ptx::SymbolId> variables_;
  AccessGuard result_;
};

bool is_shared(const GuardSite& site, const GuardHead& head) {
  return site.space == Space::shared || (site.space == Space::generic && head.is_shared != 0);
}

bool in_heap(const GuardSite& site, const GuardHead& head) {
  return !is_shared(site, head) && head.heap_low <= head.address && head.address < head.heap_high;
}

}  // namespace

Result<AccessGuard> with_access_guard(std::string_view ptx, std::string_view entry) {
  const auto parsed = parse_entry(ptx, entry);
  if (!parsed) return parsed.error();
  return Rewriter(ptx, *parsed).run();
}

std::vector<std::byte> guard_start(const AccessGuard& guard,
                                   std::span<const std::uint64_t> bytes_of_parameter,
                                   std::uint64_t thread_limit) {
  const GuardHead head{.limit = thread_limit};
  std::vector<std::byte> start(sizeof head + 8 * guard.pointers.size() +
                               (guard.allocates ? kHeapMapBytes : 0));
  std::memcpy(start.data(), &head, sizeof head);
  for (std::size_t p = 0; p < guard.pointers.size(); ++p) {
    const std::size_t parameter = guard.pointers[p];
    const std::uint64_t bytes = parameter < bytes_of_parameter.size() ? bytes_of_parameter[parameter] : 0;
    std::memcpy(start.data() + sizeof head + 8 * p, &bytes, sizeof bytes);
  }
  return start;
}

Result<std::optional<GuardFinding>> read_guard(const AccessGuard& guard, std::span<const std::byte> buffer) {
  GuardHead head;
  if (buffer.size() < sizeof head) return Error{"the check of a kernel's accesses did not come back", ""};
  std::memcpy(&head, buffer.data(), sizeof head);
  if (head.found == 0) return std::optional<GuardFinding>();
  const std::uint64_t number = (head.found & ~kMisaligned) - 1;
  if (number >= guard.sites.size())
    return Error{"the check of a kernel's accesses is not of this kernel", ""};
  const auto site = static_cast<std::size_t>(number);
  GuardFinding found{.site = guard.sites[site],
                     .place = guard.places[site],
                     .is_shared = is_shared(guard.sites[site], head),
                     .in_heap = in_heap(guard.sites[site], head),
                     .address = head.address,
                     .block = head.block,
                     .thread = head.thread};
  if (found.site.loop) found.kind = GuardFinding::Kind::endless;
  if ((head.found & kMisaligned) != 0) found.kind = GuardFinding::Kind::misaligned;
  return std::optional(found);
}

}  // namespace warplens::instrument
