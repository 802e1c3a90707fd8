#include "engine/lesson/array_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "engine/instrument/counts.hpp"

namespace warplens::lesson {
namespace {

using emulator::AccessCounts, emulator::AccessKind;

bool goes_with(const report::Face& face, Kind kind) {
  return kind == Kind::any || face.is_shared == (kind == Kind::wavefronts);
}

void multiply(AccessCounts& counts, double by) {
  for (std::uint64_t* count : {&counts.requests, &counts.sectors, &counts.ideal_sectors, &counts.wavefronts,
                               &counts.ideal_wavefronts, &counts.bytes_used})
    *count = static_cast<std::uint64_t>(std::llround(static_cast<double>(*count) * by));
}

}  // namespace

std::string_view op_of(AccessKind kind) {
  return kind == AccessKind::store ? "st" : kind == AccessKind::atomic ? "atom" : "ld";
}

const report::Face* face_of(const report::AccessStory& story, const trace::Access& access) {
  if (access.active == 0 || access.space == ptx::Space::local) return nullptr;
  const std::uint64_t address = access.address[static_cast<std::size_t>(std::countr_zero(access.active))];
  const auto& faces = story.faces();
  const auto found = std::find_if(faces.begin(), faces.end(), [&](const report::Face& face) {
    return face.is_shared == (access.space == ptx::Space::shared) && report::has(face, address);
  });
  return found == faces.end() ? nullptr : &*found;
}

std::string array_names(const run::Run& run) {
  std::string names;
  std::set<std::string> said;
  for (const auto& story : run.stories)
    for (const report::Face& face : story->faces())
      if (!face.is_unused && said.insert(face.name).second) names += (names.empty() ? "" : ", ") + face.name;
  return names;
}

Result<AccessCounts> count_array(const Subject& subject, std::string_view array, std::string_view op,
                                 Kind kind) {
  const run::Run& run = *subject.run;
  const report::AccessStory& story = *run.stories[subject.place.block];
  const report::Face* face = nullptr;
  for (const report::Face& each : story.faces())
    if (face == nullptr && each.name == array && goes_with(each, kind)) face = &each;
  if (face == nullptr)
    return Error{fmt::format("{} has no array '{}'{}", run.plan().spec.id, array,
                             kind == Kind::sectors      ? " in global memory"
                             : kind == Kind::wavefronts ? " in shared memory"
                                                        : ""),
                 fmt::format("its arrays are {}", array_names(run))};
  AccessCounts sum;
  instrument::visit_counts(*run.trace, subject.place.block, *run.kernel, run.device(),
                           [&](const trace::Access& access, const AccessCounts& counts) {
                             if (!op.empty() && op_of(access.kind) != op) return;
                             if (face_of(story, access) == face) sum += counts;
                           });
  return sum;
}

AccessCounts count_memory(const run::Run& run, std::string_view memory, std::string_view op) {
  const emulator::Counts& counts = run.report.counts;
  AccessCounts sum;
  const auto add = [&](std::string_view of, std::string_view kind, const AccessCounts& more) {
    if (of == memory && (op.empty() || op == kind)) sum += more;
  };
  add("global", "ld", counts.global_load);
  add("global", "st", counts.global_store);
  add("global", "atom", counts.global_atomic);
  add("shared", "ld", counts.shared_load);
  add("shared", "st", counts.shared_store);
  add("shared", "atom", counts.shared_atomic);
  add("local", "ld", counts.local_load);
  add("local", "st", counts.local_store);
  if (const double more = run::grid_over_counted(run.report); more != 1) multiply(sum, more);
  return sum;
}

}  // namespace warplens::lesson
