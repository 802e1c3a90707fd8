#include "engine/run/derived/rounding.hpp"

#include "engine/run/placing.hpp"
#include "engine/trace/rounding_recorder.hpp"

namespace warplens::run {

Result<trace::WarpRounding> rounding_of(const Run& run, std::uint64_t block, std::uint32_t warp) {
  constexpr std::uint64_t most_bytes = std::uint64_t{512} << 20;
  if (run.fault) return *run.fault;
  const problem::Instance& instance = *run.job->instance;
  if (memory_for(instance) > most_bytes)
    return Error{"there is too much data to follow a warp's rounding once more", "choose a smaller size"};
  auto memory = emulator::GlobalMemory::create(memory_for(instance));
  if (!memory) return memory.error();
  const auto places = place_buffers(instance, *memory);
  if (!places) return places.error();
  auto launch = launch_on(*places, *run.kernel, instance, run.plan().launch);
  if (!launch) return launch.error();
  trace::RoundingRecorder recorder(block, warp);
  launch->blocks = {block};
  launch->threads = 1;
  launch->watcher = &recorder;
  launch->stop_at_uninitialised = false;
  const auto outcome = run.kernel->run(*launch, *memory);
  if (!outcome) return outcome.error();
  if (outcome->fault) return outcome->fault->error;
  trace::WarpRounding found = recorder.finish();
  if (found.worst() < 0)
    return Error{"no thread of this warp stores a sum of floats", "choose a kernel that adds floats up"};
  if (found.takes_from_others)
    return Error{"threads of this kernel add up what others have: only sums of one thread are followed",
                 "choose a kernel whose threads add up by themselves, such as sums/02_descending"};
  if (found.uses_functions)
    return Error{
        "threads of this kernel compute by quotients or functions: only sums and products are followed",
        "choose a kernel whose threads add up, such as sums/02_descending"};
  return found;
}

}  // namespace warplens::run
