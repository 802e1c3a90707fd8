// The worker's side: takes requests from the channel and has an executor do them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "engine/gpu/worker/channel.hpp"
#include "engine/gpu/worker/shared_memory.hpp"
#include "engine/gpu/worker/wire.hpp"

namespace warplens::gpu {

// Called whenever something was finished: the timeout of the other side starts again. First of all when the
// kernel is about to be launched: what comes before is the driver's own time, see Client::Options.
using Progress = std::function<void(std::string_view stage)>;

// What does the work: the GPU's, or a stand-in of a test.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual System system() = 0;
  // Replaces the data of before.
  virtual Status take(const Data& data, std::shared_ptr<SharedMemory> memory) = 0;
  // code: a cubin or PTX text, and behind it the first job.extra->start_bytes of the extra buffer.
  virtual Answer run(const Job& job, std::span<const std::byte> code, const Progress& progress) = 0;
};

// Serves until the other side hangs up, or a kernel has faulted: no call of that process succeeds after it,
// and the driver documents no way out but its end (CUDA_ERROR_ILLEGAL_ADDRESS and its kin).
void serve(Channel& channel, Executor& executor);

// Makes the executor that uses the GPU.
std::unique_ptr<Executor> make_cuda_executor();

}  // namespace warplens::gpu
