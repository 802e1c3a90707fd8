// The kernel's source with what each line cost in the gutter (requests, sectors of global memory, wavefronts
// of shared memory, share of the warp instructions), and beside it the PTX that the lines became. The marked
// line shows its PTX; a marked instruction shows its line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/sass/machine_listing.hpp"
#include "viz/figures/code/code_listing.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/parts/subject.hpp"

namespace warplens::figures {

// Title of the column beside the source, which is shown if the subject has a schedule and asks for it.
inline constexpr std::string_view kTimeColumn = "warps' time";
// And of how often warps executed a line, for a class.
inline constexpr std::string_view kExecutedColumn = "instructions";

// What is marked; what is left out follows from the other.
struct CodeMark {
  int line = 0;                          // of the kernel file, 0: that of the instruction
  std::optional<std::uint32_t> pc = {};  // of the PTX; empty: the busiest one of the line
};

// With the line of the instruction, or an instruction of the line: the one that accesses memory most, else
// the one executed most. In a device function that was inlined, the line of the kernel that calls it.
CodeMark completed(const run::Run& run, CodeMark mark);

// machine: stands instead of the PTX where it is not null.
// Rows have the ids "line:28" and "pc:12", of machine code "sass:13". Where the code is longer than the
// figure, the part around the mark. PTX stands beside the source, below it in a tall figure, and is left out
// of a small one.
scene::Scene code_scene(const run::Run& run, CodeMark mark, scene::Size size,
                        const scene::TextMeasure& measure, const sass::Listing* machine = nullptr);

// Rows "line,executed,share,global_requests,sectors,shared_requests,wavefronts,source,lane_efficiency".
std::string code_csv(const run::Run& run);
// Rows "address,line,stall,yield,write_barrier,read_barrier,waits,...": -1 for no barrier.
std::string machine_csv(const sass::Listing& machine);

// A text that is being written, for a class: the part around the marked lines, in a type that it reads, no higher than it needs.
scene::Scene text_for_a_class(const std::vector<ListedLine>& lines, scene::Size size,
                              const scene::TextMeasure& measure);

// For the table of figures: marked is the instruction of the chosen access.
Result<scene::Scene> draw_code(const Subject& subject, scene::Size size, const scene::TextMeasure& measure);
Result<std::string> code_table(const Subject& subject);

}  // namespace warplens::figures
