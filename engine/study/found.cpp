#include "engine/study/found.hpp"

#include <utility>
#include "engine/run/derived/tensor_work.hpp"

namespace warplens::study {
namespace {

template <class Value>
std::shared_ptr<const Result<Value>> shared(Result<Value> value) {
  return std::make_shared<const Result<Value>>(std::move(value));
}

}  // namespace

SharedSchedule schedule_of(const run::Run& run, const std::atomic<bool>& cancel) {
  return shared(time::schedule_of(run, cancel));
}
SharedTimeline timeline_of(const run::Run& run, const std::atomic<bool>& cancel) {
  return shared(time::timeline_of(run, cancel));
}
SharedOverWarps over_warps_of(const run::Run& run, const std::atomic<bool>& cancel) {
  return shared(time::over_warps(run, cancel));
}

SharedSpeedMap speed_map_of(const run::Run& run, const time::MakeBuild& build) {
  auto map = time::empty_map(run.plan());
  const Status done = time::fill(map, run.job->instance, build, {});
  return shared(done ? Result<time::SpeedMap>(std::move(map)) : Result<time::SpeedMap>(done.error()));
}

SharedRounding rounding_of(const run::Run& run, std::size_t at, std::uint32_t warp, const run::Run* before,
                           const std::string& number) {
  const auto& blocks = run.trace->blocks();
  const std::uint64_t block = at < blocks.size() ? blocks[at].block : 0;
  auto own = run::rounding_of(run, block, warp);
  if (!own) return shared(Result<Rounding>(own.error()));
  Rounding rounding{*std::move(own)};
  if (before != nullptr)
    if (auto other = run::rounding_of(*before, block, warp))
      rounding.before = *std::move(other), rounding.number = number;
  return shared(Result<Rounding>(std::move(rounding)));
}

SharedTensor tensor_found(const run::Run& run, std::size_t block, const std::atomic<bool>& cancel) {
  auto work = run::tensor_work_of(run, run.trace->blocks()[block].block, cancel);
  if (cancel) return nullptr;
  auto found = std::make_shared<TensorFound>();
  if (work)
    found->work = std::make_shared<const trace::TensorWork>(*std::move(work));
  else
    found->why_not = work.error();
  return found;
}

}  // namespace warplens::study
