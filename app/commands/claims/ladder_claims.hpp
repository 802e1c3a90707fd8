// What the pictures of a whole ladder say of a run's step: its speeds step by step, over sizes, and against what
// the device allows; with what a checker needs to find the same.
#pragma once

#include <functional>

#include "app/commands/claims/claims_of.hpp"
#include "viz/figures/parts/subject.hpp"

namespace warplens::app {

// figure: its id. Words with their claims, as it says them.
using SayOfLadder = std::function<void(std::string_view figure, const explain::Explanation& said)>;
// The other steps are predicted where nothing is recorded of them at the run's size.
void say_ladder(const run::Run& run, const InLadder& ladder, explain::Sides& sides,
                claims_check::Beside& beside, const SayOfLadder& say);

// The map of the first so many sets of parameters, which beside gets too; null where the kernel has no choice.
std::shared_ptr<const Result<time::SpeedMap>> map_of_few(const run::Run& run, const InLadder& ladder,
                                                         const OtherSets& sets, explain::Sides& sides,
                                                         claims_check::Beside& beside);

// Of another kernel, at the run's size on its device.
run::Request request_of(const run::Run& run, const catalog::KernelSpec& spec, const catalog::Values& values);
// Of another step, as it is compared with the run.
run::Request request_beside(const run::Run& run, const catalog::KernelSpec& spec);

}  // namespace warplens::app
