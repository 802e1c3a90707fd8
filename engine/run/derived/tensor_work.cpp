#include "engine/run/derived/tensor_work.hpp"

#include <algorithm>
#include <cstring>

#include "engine/emulator/cluster_rank.hpp"
#include "engine/emulator/companions.hpp"
#include "engine/run/placing.hpp"
#include "engine/trace/tensor_recorder.hpp"

namespace warplens::run {
namespace {

using trace::ElementNumber, trace::NumberedBuffer, trace::TensorWork;

// The inputs with elements of so many bytes.
std::vector<NumberedBuffer> numbered_buffers(const problem::Instance& instance, std::size_t bytes) {
  std::vector<NumberedBuffer> numbered;
  std::uint64_t first = 1;
  for (std::size_t b = 0; b < instance.buffers().size(); ++b) {
    const problem::Buffer& buffer = instance.buffers()[b];
    if (buffer.is_output || problem::size_in_bytes(buffer.type) != bytes) continue;
    numbered.push_back({b, static_cast<ElementNumber>(first), buffer.elements});
    first += buffer.elements;
  }
  return numbered;
}

std::uint64_t last_number(const std::vector<NumberedBuffer>& buffers) {
  return buffers.empty() ? 0 : buffers.back().first + buffers.back().elements - 1;
}

void write_digits(std::span<std::byte> bytes, const NumberedBuffer& buffer, trace::FactorBits factor,
                  int run) {
  const std::size_t each = static_cast<std::size_t>(factor.bits) / 8;
  for (std::uint64_t e = 0; e < buffer.elements; ++e) {
    const std::uint32_t element =
        trace::element_with_digit(static_cast<ElementNumber>(buffer.first + e), run, factor);
    std::memcpy(bytes.data() + e * each, &element, each);
  }
}

// Tensor maps name the buffer by where it lies.
void find_buffers(TensorWork& work, const std::vector<emulator::Allocation>& places) {
  for (std::vector<trace::BoxCopy>* boxes : {&work.boxes, &work.peers})
    for (trace::BoxCopy& box : *boxes)
      for (std::size_t b = 0; b < places.size(); ++b)
        if (box.map.address >= places[b].address && box.map.address < places[b].address + places[b].size)
          box.buffer = b;
}

struct Follow {
  const Run& run;
  std::uint64_t block;
  trace::FactorBits factor;
  const std::vector<NumberedBuffer>& buffers;
};

Result<TensorWork> follow(const Follow& what, int digit, const std::atomic<bool>& cancel) {
  const problem::Instance& instance = *what.run.job->instance;
  auto memory = emulator::GlobalMemory::create(memory_for(instance));
  if (!memory) return memory.error();
  const auto places = place_buffers(instance, *memory);
  if (!places) return places.error();
  for (const NumberedBuffer& buffer : what.buffers)
    write_digits(memory->bytes((*places)[buffer.buffer]), buffer, what.factor, digit);
  auto launch = launch_on(*places, *what.run.kernel, instance, what.run.plan().launch);
  if (!launch) return launch.error();
  const std::uint32_t shared = what.run.kernel->static_shared_bytes() + launch->dynamic_shared_bytes;
  const auto cluster = emulator::together_of(what.run.kernel->function()).cluster;
  const auto rank = [&](std::uint64_t block) {
    return emulator::rank_in_cluster(block, cluster, what.run.plan().launch.grid);
  };
  trace::TensorRecorder recorder(what.block, rank, what.factor, shared, *memory);
  launch->blocks = {what.block};
  launch->threads = 1;
  launch->watcher = &recorder;
  launch->stop_at_uninitialised = false;
  launch->cancel = &recorder.is_done();
  const auto outcome = what.run.kernel->run(*launch, *memory);
  if (!outcome) return outcome.error();
  if (cancel) return Error{"it was cancelled", ""};
  if (outcome->fault && !recorder.is_done()) return outcome->fault->error;
  TensorWork work = recorder.finish();
  find_buffers(work, *places);
  return work;
}

}  // namespace

Result<TensorWork> tensor_work_of(const Run& run, std::uint64_t block, const std::atomic<bool>& cancel) {
  constexpr std::uint64_t most_bytes = std::uint64_t{512} << 20;
  if (run.fault) return *run.fault;
  const ptx::Instruction* product = trace::first_product(run.kernel->function());
  if (product == nullptr)
    return Error{"this kernel multiplies without tensor cores",
                 "choose a kernel with mma, wmma or wgmma, such as tensor/04_mma_ldmatrix"};
  const problem::Instance& instance = *run.job->instance;
  if (memory_for(instance) > most_bytes)
    return Error{"there is too much data to follow its elements", "choose a smaller size"};
  const trace::FactorBits factor = trace::factor_bits(*product);
  if (factor.bits > 32)
    return Error{"the elements of products of doubles are not followed",
                 "choose a kernel that multiplies smaller numbers, such as tensor/04_mma_ldmatrix"};
  const auto buffers = numbered_buffers(instance, static_cast<std::size_t>(factor.bits) / 8);
  if (factor.bits < 8 || buffers.empty())
    return Error{"no input has elements of the type that the tensor cores multiply",
                 "choose a kernel that multiplies its inputs as they are, such as tensor/04_mma_ldmatrix"};
  auto work = follow({run, block, factor, buffers}, 0, cancel);
  if (!work) return work;
  for (int digit = 1; digit < trace::runs_for(factor, last_number(buffers)); ++digit) {
    const auto more = follow({run, block, factor, buffers}, digit, cancel);
    if (!more) return more;
    if (!trace::add_digits(*work, *more, digit * factor.digit()))
      return Error{"what this kernel does depends on the values of its data", "choose another kernel"};
  }
  work->buffers = buffers;
  return work;
}

}  // namespace warplens::run
