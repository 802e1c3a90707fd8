#include "engine/lesson/subject.hpp"

#include <fmt/format.h>

#include "engine/explain/explain.hpp"
#include "engine/lesson/array_counts.hpp"

namespace warplens::lesson {
namespace {

std::string what(const AccessWish& wish) {
  const std::string_view kind = wish.op == "ld" ? "load" : wish.op == "st" ? "store" : "access";
  return wish.array.empty() ? std::string(kind) : fmt::format("{} of {}", kind, wish.array);
}

Error no_such_access(const run::Run& run, std::uint32_t warp, const AccessWish& wish, std::uint32_t found) {
  const std::string kernel = run.plan().spec.id;
  if (found > 0)
    return {fmt::format("warp {} of {} has only {} times a {}", warp, kernel, found, what(wish)),
            fmt::format("name a number from 1 to {}", found)};
  return {fmt::format("warp {} of {} has no {}", warp, kernel, what(wish)),
          fmt::format("its arrays are {}; or show another warp", array_names(run))};
}

}  // namespace

Result<std::uint32_t> find_access(const run::Run& run, std::size_t block, std::uint32_t warp,
                                  const AccessWish& wish) {
  if (wish == AccessWish{}) return explain::opening_access(run, block, warp);
  const report::AccessStory& story = *run.stories[block];
  const auto count = static_cast<std::uint32_t>(story.accesses().of_warp(warp).size());
  std::uint32_t found = 0;
  for (std::uint32_t access = 0; access < count; ++access) {
    const auto at = story.accesses().at(warp, access);
    if (!wish.op.empty() && wish.op != op_of(at->kind)) continue;
    if (!wish.array.empty()) {
      const report::Face* face = face_of(story, *at);
      if (face == nullptr || face->name != wish.array) continue;
    }
    if (++found == wish.number.value_or(1)) return access;
  }
  return no_such_access(run, warp, wish, found);
}

Result<Subject> subject_of(run::SharedRun run, std::uint64_t block, std::uint32_t warp,
                           const AccessWish& wish) {
  const auto recorded = run->trace->find_block(block);
  if (!recorded)
    return Error{fmt::format("block {} of {} did not run", block, run->plan().spec.id),
                 "choose a smaller size, or another block"};
  if (wish == AccessWish{}) warp = explain::opening_warp(*run, *recorded, warp);
  const auto access = find_access(*run, *recorded, warp, wish);
  if (!access) return access.error();
  return Subject{std::move(run), {*recorded, warp, *access}};
}

}  // namespace warplens::lesson
