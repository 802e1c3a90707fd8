// What the names of an expression are about: a run and one of its accesses, or an access of no kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/analysis/access.hpp"
#include "engine/base/result.hpp"
#include "engine/explain/facts.hpp"
#include "engine/run/quantities/quantities.hpp"
#include "engine/run/run.hpp"

namespace warplens::lesson {

// Which access of a warp is meant: the one that shows what the step costs where all is empty; else the
// `number`-th (from 1) of those to this array with this operation.
struct AccessWish {
  std::string array = {}, op = {};  // op: "ld", "st" or empty
  std::optional<std::uint32_t> number = {};
  bool operator==(const AccessWish&) const = default;
};
// From 0, among all accesses of the warp. block: position in the trace. Error: the warp has none such.
Result<std::uint32_t> find_access(const run::Run& run, std::size_t block, std::uint32_t warp,
                                  const AccessWish& wish);

struct Subject {
  run::SharedRun run;  // complete, no fault; not null
  explain::AccessPlace place = {};
  run::ByHand by_hand = {};
};
// Where the run has recorded this block (linear index). Errors: it has not; as find_access.
Result<Subject> subject_of(run::SharedRun run, std::uint64_t block, std::uint32_t warp,
                           const AccessWish& wish);

// The playground's.
struct OwnAccess {
  analysis::WarpAccess access;
  bool global = true, shared = true;  // the memories that it is shown in
  device::Device device;
};

}  // namespace warplens::lesson
