// How each thing that can be known of a run alone is found out, on the calling thread. Those that take long return early, with an
// error, where they are cancelled.
#pragma once

#include <atomic>
#include <string>

#include "engine/base/cancel.hpp"
#include "engine/study/facts.hpp"

namespace warplens::study {

// Takes as long as running some of its blocks.
SharedSchedule schedule_of(const run::Run& run, const std::atomic<bool>& cancel = kNeverCancelled);
SharedTimeline timeline_of(const run::Run& run, const std::atomic<bool>& cancel = kNeverCancelled);
// As long as some predictions.
SharedOverWarps over_warps_of(const run::Run& run, const std::atomic<bool>& cancel = kNeverCancelled);
// As long as running one of its blocks a few times. block: a position in the run's trace. Null where it was cancelled.
SharedTensor tensor_found(const run::Run& run, std::size_t block,
                          const std::atomic<bool>& cancel = kNeverCancelled);
// All of it: as long as compiling each set takes.
SharedSpeedMap speed_map_of(const run::Run& run, const time::MakeBuild& build);
// As long as running one of its blocks. block: a position in the run's trace. before: a run of the step that it is judged against;
// null where there is none.
SharedRounding rounding_of(const run::Run& run, std::size_t block, std::uint32_t warp,
                           const run::Run* before = nullptr, const std::string& number = {});

}  // namespace warplens::study
