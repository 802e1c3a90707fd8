#include "engine/explain/facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <span>

namespace warplens::explain {
namespace {

int first_lane(std::uint32_t lanes) { return std::countr_zero(lanes); }

// The distance between neighbouring active lanes where all pairs (a, a + 1) that `counts` takes have the
// same.
template <class Counts>
std::optional<std::int64_t> common_distance(const trace::Access& access, Counts counts) {
  std::optional<std::int64_t> distance;
  for (std::size_t lane = 0; lane + 1 < 32; ++lane) {
    if ((access.active >> lane & 3) != 3 || !counts(lane)) continue;
    const auto here = static_cast<std::int64_t>(access.address[lane + 1] - access.address[lane]);
    if (distance && *distance != here) return std::nullopt;
    distance = here;
  }
  return distance;
}

void find_strides(Facts& facts) {
  facts.stride = common_distance(facts.access, [](std::size_t) { return true; });
  for (const int row : {16, 8, 4, 2}) {
    if (facts.stride) return;
    facts.stride = common_distance(
        facts.access, [&](std::size_t lane) { return (lane + 1) % static_cast<std::size_t>(row) != 0; });
    facts.row_lanes = row;
  }
}

bool is_at_one_address(const trace::Access& access) {
  const std::uint64_t first = access.address[static_cast<std::size_t>(first_lane(access.active))];
  for (std::size_t lane = 0; lane < 32; ++lane)
    if ((access.active >> lane & 1) != 0 && access.address[lane] != first) return false;
  return std::popcount(access.active) > 1;
}

const report::Face* face_at(const report::AccessStory& story, const trace::Access& access) {
  const std::uint64_t address = access.address[static_cast<std::size_t>(first_lane(access.active))];
  for (const report::Face& face : story.faces())
    if (face.is_shared == (access.space == ptx::Space::shared) && report::element_of(face, address))
      return &face;
  return nullptr;
}

// Whether lane + 1 goes one row down: in a matrix by its pitch, in shared memory by the length of its rows.
bool goes_down_a_row(const Facts& facts) {
  if (facts.face == nullptr || !facts.stride) return false;
  const report::Face& face = *facts.face;
  const std::int64_t row = (face.is_shared                     ? face.fold
                            : face.fold == 0 && face.row_major ? face.pitch
                                                               : 0) *
                           static_cast<std::int64_t>(face.element_bytes);
  return row > facts.access.width && *facts.stride == row;
}

void count_warps(Facts& facts, const AccessPlace& place) {
  const auto& block = facts.run.plan().launch.block;
  const auto threads = static_cast<int>(block[0] * block[1] * block[2]);
  facts.block_warps = (threads + 31) / 32;
  facts.working_warps = 1, facts.working_lanes = facts.lanes;
  // A full warp wastes nothing, and a block that is smaller than a warp cannot do better.
  if (facts.lanes == 32 || threads < 32) return;
  facts.working_warps = facts.working_lanes = 0;
  for (const trace::Access& each : facts.story.accesses().together(place.warp, place.access)) {
    facts.working_warps += each.active != 0 ? 1 : 0;
    facts.working_lanes += std::popcount(each.active);
    facts.is_even &= each.active == 0 || std::popcount(each.active) == facts.lanes;
  }
}

bool reaches_edge(const report::AccessStory& story) {
  return std::any_of(story.faces().begin(), story.faces().end(), [](const report::Face& face) {
    return face.covered_rows > face.rows || face.covered_columns > face.columns;
  });
}

// What stands between the parentheses behind "if" in a line; empty where there is no such thing.
std::string condition_in(std::string_view line) {
  const std::size_t at = line.find("if (");
  if (at == std::string_view::npos || (at > 0 && std::isalnum(static_cast<unsigned char>(line[at - 1])) != 0))
    return "";
  int depth = 0;
  for (std::size_t i = at + 3; i < line.size(); ++i) {
    depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
    if (depth == 0) return std::string(line.substr(at + 4, i - at - 4));
  }
  return "";
}

}  // namespace

std::string condition_at(const run::Run& run, int line) {
  const auto text = [&](int l) {
    return l >= 1 && static_cast<std::size_t>(l) <= run.source_lines.size()
               ? run.source_lines[static_cast<std::size_t>(l - 1)]
               : std::string_view();
  };
  const std::string own = condition_in(text(line));
  if (!own.empty()) return own;
  const std::string_view above = text(line - 1);
  const std::size_t end = above.find_last_not_of(" \t");
  return end != std::string_view::npos && (above[end] == ')' || above[end] == '{') ? condition_in(above) : "";
}

std::string elsewhere_words(const run::Run& run, const trace::Access& access) {
  const std::vector<std::uint32_t> ranks = report::ranks_elsewhere(access);
  if (ranks.empty()) return "";
  if (ranks.size() == 1) {
    const auto& grid = run.plan().launch.grid;
    const std::uint64_t other =
        emulator::block_of_rank(access.block, ranks.front(), run.kernel->together().cluster, grid);
    return fmt::format("block {} of the cluster, ({}, {}, {}) of the grid", ranks.front(), other % grid[0],
                       other / grid[0] % grid[1], other / grid[0] / grid[1]);
  }
  const std::span<const std::uint32_t> before(ranks.data(), ranks.size() - 1);
  return fmt::format("blocks {} and {} of the cluster", fmt::join(before, ", "), ranks.back());
}

std::string verb(const Facts& f) {
  switch (f.access.kind) {
    case emulator::AccessKind::store:
      return "writes";
    case emulator::AccessKind::atomic:
      return "updates";
    case emulator::AccessKind::async_copy:
      return "copies";
    case emulator::AccessKind::load:
      break;
  }
  return "reads";
}

std::string verb_of_several(const Facts& f) {
  return f.access.kind == emulator::AccessKind::async_copy ? "copy" : verb(f).substr(0, verb(f).size() - 1);
}

std::optional<Facts> facts_at(const run::Run& run, const AccessPlace& place) {
  const report::AccessStory& story = *run.stories[place.block];
  const auto access = story.accesses().at(place.warp, place.access);
  if (!access || access->active == 0) return std::nullopt;
  Facts facts{
      .run = run,
      .story = story,
      .access = *access,
      .pieces = report::access_pieces(*access, run.kernel->function().code[access->pc], run.device())};
  facts.elsewhere = elsewhere_words(run, *access);
  facts.lanes = std::popcount(access->active);
  facts.face = face_at(story, *access);
  facts.array = facts.face == nullptr ? "memory" : facts.face->name;
  if (!facts.pieces.is_shared) {
    const analysis::GlobalCounts counts = analysis::counts_of(facts.pieces.global);
    facts.used = counts.bytes_used, facts.moved = counts.bytes_moved;
  }
  facts.is_broadcast = is_at_one_address(*access);
  find_strides(facts);
  if (run.plan().launch.block[0] == 1) facts.walker = "threadIdx.y";
  facts.walks_down = goes_down_a_row(facts);
  count_warps(facts, place);
  facts.reaches_edge = reaches_edge(story);
  facts.line = run.kernel_lines[access->pc];
  facts.condition = condition_at(run, facts.line);
  return facts;
}

}  // namespace warplens::explain
