#include "engine/explain/glossary/glossary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/run/quantities/quantities.hpp"

namespace warplens::explain {
namespace {

// Sources: CUDA C++ Programming Guide; PTX ISA; the glossary of Nsight Compute.
constexpr std::array kConcepts = {
    Term{"Accumulator", "registers in which sums grow over a loop, such as those of the elements of C",
         "accumulator,accumulators"},
    Term{"Active lanes", "the lanes of a warp that take part in an instruction; the others are masked off",
         "active lane,active lanes"},
    Term{"Arithmetic intensity", "operations that a kernel makes for each byte that it moves",
         "arithmetic intensity"},
    Term{"Atomic", "a read, a change and a write of one address that no other thread can come between",
         "atomic,atomics,atomically"},
    Term{"Bandwidth", "the bytes that a memory or a bus can move in a second", "bandwidth,bandwidths"},
    Term{"Bank",
         "one of 32 slices of shared memory (16 on the first devices); each gives one word of 4 bytes at a "
         "time",
         "bank,banks"},
    Term{"Bank conflict", "lanes that want different words of one bank, which gives them one after the other",
         "bank conflict,bank conflicts,conflict,conflicts"},
    Term{"Barrier",
         "a line of a kernel at which each thread waits until all threads of its block have come: "
         "__syncthreads()",
         "barrier,barriers"},
    Term{"bf16",
         "a floating-point number of 16 bits: the range of float, with a precision of 8 bits instead of 24",
         "bf16,bfloat16"},
    Term{"Block", "threads that run on one multiprocessor and have shared memory in common",
         "thread block,thread blocks"},
    Term{"Broadcast", "one word that goes to several lanes in one turn", "broadcast,broadcasts"},
    Term{"Cache", "fast memory that keeps copies of what was lately asked for; on a GPU L1 and L2",
         "cache,caches,cached"},
    Term{"Cluster",
         "blocks that run at the same time on multiprocessors that lie together, and reach each other’s "
         "shared memory (from Hopper on)",
         "cluster,clusters"},
    Term{"Coalesced", "lanes ask for bytes side by side, so that few sectors bring them",
         "coalesced,coalescing,uncoalesced"},
    Term{"Compute-bound", "limited by arithmetic, not by memory: right of the ridge of the roofline",
         "compute-bound,compute bound"},
    Term{"cp.async",
         "a copy from global to shared memory that passes no register and that no thread waits for until it "
         "wants to (from Ampere on)",
         "cp.async"},
    Term{"Divergence", "lanes of one warp that go different ways, so that the others wait",
         "divergence,diverge,diverges,divergent"},
    Term{"Double buffer",
         "two places for a tile: one is computed with while the next tile comes into the other",
         "double buffer,double buffers,double buffering,double-buffered"},
    Term{"Emulated",
         "counted while the kernel ran on this computer’s processor, step by step; marked with a ring",
         "emulated"},
    Term{"FLOP", "one addition or multiplication of floating-point numbers; a multiply-add is two",
         "flop,flops"},
    Term{"Fragment",
         "the part of a tile that one warp holds in registers for the tensor cores, some elements in each "
         "lane",
         "fragment,fragments"},
    Term{"Global memory", "the memory of the whole GPU (DRAM), which all threads reach, by way of the caches",
         "global memory"},
    Term{"Grid", "all blocks of one launch", "grid,grids"},
    Term{"Ideal", "the fewest sectors or wavefronts that could bring the bytes asked for", "ideal"},
    Term{"Kernel", "a function for the GPU: each thread of the grid executes it", "kernel,kernels"},
    Term{"L1",
         "the cache of one multiprocessor, before L2; on most GPUs it shares its place with shared memory",
         "l1"},
    Term{"L2", "the cache of the whole GPU, between the multiprocessors and global memory", "l2"},
    Term{"Lane", "one of the 32 threads of a warp", "lane,lanes"},
    Term{"Latency", "the time from the start of an operation until its result is there", "latency,latencies"},
    Term{"ldmatrix",
         "an instruction with which a warp loads tiles of 8 rows of 16 bytes from shared memory as fragments",
         "ldmatrix"},
    Term{"Local memory",
         "what belongs to one thread but lies in global memory: spilled registers, and arrays that have no "
         "place in registers",
         "local memory"},
    Term{"Loop unrolling",
         "several rounds of a loop written one after the other: fewer branches and more that does not wait "
         "for each other",
         "unrolling,unrolled,unroll,unrolls"},
    Term{"Machine code",
         "the instructions that a multiprocessor executes, made from PTX; its text is called SASS",
         "machine code,sass"},
    Term{"mbarrier",
         "a barrier that lies in shared memory: it counts threads that have arrived and bytes that have come",
         "mbarrier,mbarriers"},
    Term{"Measured here", "measured on the GPU of this computer; marked with a diamond", "measured here"},
    Term{"Memory-bound",
         "limited by the bytes that memory can move, not by arithmetic: left of the ridge of the roofline",
         "memory-bound,memory bound"},
    Term{"mma",
         "an instruction with which the tensor cores multiply two small tiles and add the product to a third",
         "mma,mma.sync"},
    Term{"Multicast", "one copy that TMA brings into the shared memory of several blocks of a cluster",
         "multicast"},
    Term{"Multiply-add",
         "a × b + c in one instruction and with one rounding (FMA); it counts as two operations",
         "multiply-add,multiply-adds,fma"},
    Term{"Multiprocessor", "one of the processors of a GPU (SM); it holds several blocks at a time",
         "multiprocessor,multiprocessors,sm,sms"},
    Term{"Occupancy", "warps that a multiprocessor holds at once, of those that it has room for",
         "occupancy"},
    Term{"Padding", "unused elements at the end of each row, which move the next row on to other banks",
         "padding"},
    Term{"Peak", "the most that a device can do in a second, by its data sheet", "peak,peaks"},
    Term{"Pipeline",
         "steps that work at the same time on different tiles: one is loaded while another is computed with",
         "pipeline,pipelines,pipelined"},
    Term{"Predicted", "what the model of time says, without a GPU; marked with a hollow square", "predicted"},
    Term{"PTX instruction",
         "an instruction of the text between source and machine code; the machine may need several for it",
         "ptx instruction,ptx instructions"},
    Term{"Race",
         "threads use one address, at least one of them writes, and nothing says who comes first: the result "
         "is left to chance",
         "race,races,data race,data races"},
    Term{"Recorded", "measured earlier on a real GPU and kept in a file; marked with a dot", "recorded"},
    Term{"Reduction", "many values made into one, such as their sum or their largest",
         "reduction,reductions"},
    Term{"Register",
         "room for 32 bits that one thread has for itself: the fastest memory; the more each thread needs, "
         "the fewer warps fit",
         "register,registers"},
    Term{"Request", "one access of one warp: a memory instruction with an address for each lane",
         "request,requests"},
    Term{"Roofline",
         "the most speed that memory and arithmetic of a device allow, by how much is computed for each byte",
         "roofline,roof"},
    Term{"Scheduler",
         "a part of a multiprocessor (most have four) that starts the next instruction of a warp that need "
         "not wait",
         "scheduler,schedulers"},
    Term{"Sector", "32 bytes of global memory: the least that a load brings", "sector,sectors"},
    Term{"Shared memory", "fast memory on a multiprocessor that the threads of one block have in common",
         "shared memory"},
    Term{"Shuffle", "an instruction that hands registers from lane to lane of a warp, without memory",
         "shuffle,shuffles"},
    Term{"Spill", "a value that does not fit into a thread’s registers and is kept in memory instead",
         "spill,spills,spilled"},
    Term{"Stall", "time in which a warp cannot go on, as it waits for a value, a barrier or a busy unit",
         "stall,stalls,stalled"},
    Term{"Stride", "how far apart the addresses of neighbouring lanes are, or those of rows",
         "stride,strides,strided"},
    Term{"Swizzle",
         "another order of the elements of each row in shared memory, which avoids bank conflicts without "
         "padding",
         "swizzle,swizzles,swizzled,swizzling"},
    Term{"Tail", "the time at the end in which some multiprocessors have no block left", "tail"},
    Term{"Tensor core",
         "a unit of a multiprocessor that multiplies small matrices and adds the product to a third (from "
         "Volta on)",
         "tensor core,tensor cores"},
    Term{"Thread", "one run of the kernel’s text, with registers and an index of its own", "thread,threads"},
    Term{"Tile", "a rectangle of a matrix that a block, a warp or a thread works on at a time",
         "tile,tiles,tiled,tiling"},
    Term{"TMA",
         "Tensor Memory Accelerator: a unit that copies whole tiles between global and shared memory when "
         "one thread asks for it (from Hopper on)",
         "tma"},
    Term{"Warp", "32 threads that execute each instruction together", "warp,warps"},
    Term{"Warp group", "four warps, one after the other in their block, that execute wgmma together",
         "warp group,warp groups,warpgroup"},
    Term{"Wave", "as many blocks as all multiprocessors hold at a time", "wave,waves"},
    Term{"Wavefront", "one turn of shared memory; lanes that want other words of one bank need more turns",
         "wavefront,wavefronts"},
    Term{"wgmma",
         "an instruction of Hopper: four warps multiply tiles on the tensor cores, which read them from "
         "shared memory (A from registers, too)",
         "wgmma"},
};

char to_small(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// As a dictionary has words: capitals are no letters of their own.
bool by_alphabet(std::string_view a, std::string_view b) {
  return std::ranges::lexicographical_compare(a, b, {}, to_small, to_small);
}

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

// Where the form stands as whole words; npos where it does not. text: in small letters.
std::size_t find_words(std::string_view text, std::string_view form) {
  for (std::size_t at = text.find(form); at != std::string_view::npos; at = text.find(form, at + 1)) {
    const std::size_t end = at + form.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return at;
  }
  return std::string_view::npos;
}

// The first place of any form; the longest one where several begin there.
TermPlace place_of(std::string_view text, const Term& term) {
  TermPlace first{std::string_view::npos, 0, &term};
  for (std::string_view left = term.forms; !left.empty();) {
    const std::size_t end = std::min(left.find(','), left.size());
    const std::string_view form = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    const std::size_t at = find_words(text, form);
    if (at < first.at || (at == first.at && form.size() > first.length))
      first.at = at, first.length = form.size();
  }
  return first;
}

}  // namespace

std::span<const Term> glossary() {
  static const std::vector<Term> all = [] {
    std::vector<Term> terms(kConcepts.begin(), kConcepts.end());
    for (const run::Quantity& row : run::quantities())
      if (!row.forms.empty()) terms.push_back({row.title, row.meaning, row.forms});
    std::ranges::sort(terms, by_alphabet, &Term::word);
    return terms;
  }();
  return all;
}

const Term& term(std::string_view word) { return *std::ranges::find(glossary(), word, &Term::word); }

std::string sentence_of(const Term& term) { return fmt::format("{}: {}", term.word, term.meaning); }

std::vector<TermPlace> terms_in(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), to_small);
  std::vector<TermPlace> places;
  for (const Term& each : glossary())
    if (const TermPlace place = place_of(small, each); place.at != std::string_view::npos)
      places.push_back(place);
  std::ranges::sort(places, [](const TermPlace& a, const TermPlace& b) {
    return a.at != b.at ? a.at < b.at : a.length > b.length;
  });
  // "bank" within "bank conflict" is not said twice.
  std::vector<TermPlace> apart;
  for (const TermPlace& place : places)
    if (apart.empty() || place.at >= apart.back().at + apart.back().length) apart.push_back(place);
  return apart;
}

}  // namespace warplens::explain
