// A worker for tests: a stand-in for the GPU that does what the kernel's name says, or the real one.
//   fake_worker fake|cuda
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <thread>

#include "engine/emulator/launch.hpp"
#include "engine/gpu/worker/worker.hpp"
#include "engine/instrument/record_buffer.hpp"
#include "engine/ptx/parser.hpp"
#include "engine/run/arguments.hpp"

namespace {

using namespace warplens;
using namespace warplens::gpu;

class FakeExecutor final : public Executor {
 public:
  System system() override {
    return {.devices = {{.index = 0, .name = "Fake 1", .compute_capability = 90, .pci_bus = "0"}},
            .driver = "1.2",
            .cuda_version = 13000,
            .reason = ""};
  }

  Status take(const Data& data, std::shared_ptr<SharedMemory> memory) override {
    data_ = data;
    memory_ = std::move(memory);
    return Done{};
  }

  Answer run(const Job& job, std::span<const std::byte> cubin, const Progress& progress) override {
    Answer answer;
    if (job.kernel_name == "stuck") std::this_thread::sleep_for(std::chrono::hours(1));
    progress("ready to launch");
    if (job.kernel_name == "fault")
      answer.fault = Fault{Fault::Kind::fault, "CUDA_ERROR_ILLEGAL_ADDRESS", {"it went astray", ""}};
    if (job.kernel_name == "refused") answer.error = Error{"too large", "make it smaller"};
    if (job.kernel_name == "hang") std::this_thread::sleep_for(std::chrono::hours(1));
    if (job.kernel_name == "crash") std::abort();
    if (job.kernel_name == "slow") {
      for (int stage = 0; stage < 6; ++stage) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        progress("a stage");
      }
    }
    count(job, answer);
    if (job.kernel_name == "copy" && job.extra) {
      if (const Status done = emulate(job, cubin, answer); !done) answer.error = done.error();
    } else if (job.kernel_name == "copy" || job.kernel_name == "counted") {
      copy(cubin);
    }
    if (job.kernel_name == "records" && job.extra) {
      // All that was sent comes back.
      answer.extra.assign(cubin.begin(), cubin.end());
      answer.places = {job.extra->bytes, job.extra->start_bytes, job.extra->records ? 1u : 0u};
    }
    if (job.timing)
      answer.timing = Timing{.kernel = statistics(), .conditions = {}, .cublas = {}, .cublas_name = ""};
    return answer;
  }

 private:
  static Statistics statistics() {
    return {.samples = 3, .launches_per_sample = 1, .median = 2, .p10 = 1, .p90 = 3, .seconds = {2, 1, 3}};
  }

  // As many as the metric's name has letters. Where the kernel is "counted": two requests of a sector each.
  static void count(const Job& job, Answer& answer) {
    const auto number = [&](const std::string& metric) {
      const double global = metric.find("_global_") == std::string::npos ? 0 : 2;
      return job.kernel_name == "counted" ? global : static_cast<double>(metric.size());
    };
    for (const std::string& metric : job.metrics) answer.counted.push_back(number(metric));
    for (const std::string& metric : job.instruction_metrics) answer.instructions.push_back(number(metric));
  }

  // The output becomes the first input, and stdout says how long the machine code is.
  void copy(std::span<const std::byte> cubin) {
    std::byte* base = memory_->bytes().data();
    std::memcpy(base + data_.result.offset, base + data_.initial.at(0).offset, data_.result.bytes);
    std::printf("%zu bytes of code\n", cubin.size());
  }

  std::span<std::byte> slot(const Slot& slot) { return memory_->bytes().subspan(slot.offset, slot.bytes); }

  // Text that was rewritten to record its accesses, run by the emulator with its buffers at addresses of
  // their own.
  Status emulate(const Job& job, std::span<const std::byte> code, Answer& answer) {
    const std::size_t text = code.size() - job.extra->start_bytes;
    ptx::Parsed parsed = ptx::parse({reinterpret_cast<const char*>(code.data()), text});
    if (!parsed.errors.empty()) return parsed.errors.front();
    const auto kernel = emulator::Kernel::prepare(
        std::make_shared<const ptx::Program>(std::move(parsed.program)), job.kernel_name, device_);
    if (!kernel) return kernel.error();
    auto memory = emulator::GlobalMemory::create(std::uint64_t{2} << 30);
    if (!memory) return memory.error();
    const emulator::Allocation extra = *memory->allocate("extra", job.extra->bytes);
    std::ranges::copy(code.subspan(text), memory->bytes(extra).begin());
    std::vector<emulator::Allocation> buffers;
    for (const Slot& initial : data_.initial) {
      buffers.push_back(*memory->allocate("buffer", initial.bytes));
      std::ranges::copy(slot(initial), memory->bytes(buffers.back()).begin());
      answer.places.push_back(buffers.back().address);
    }
    auto arguments = run::argument_bytes(job.arguments, (*kernel)->function(), buffers, extra.address);
    if (!arguments) return arguments.error();
    const emulator::Launch launch{.grid = job.launch.grid,
                                  .block = job.launch.block,
                                  .dynamic_shared_bytes = job.launch.dynamic_shared_bytes,
                                  .arguments = *std::move(arguments),
                                  .blocks = {},
                                  .observer = nullptr};
    const auto outcome = (*kernel)->run(launch, *memory);
    if (!outcome) return outcome.error();
    std::ranges::copy(memory->bytes(buffers[data_.output]), slot(data_.result).begin());
    auto brought = memory->bytes(extra);
    if (job.extra->records) brought = brought.first(instrument::filled_bytes(brought));
    answer.extra.assign(brought.begin(), brought.end());
    return Done{};
  }

  Data data_;
  std::shared_ptr<SharedMemory> memory_;
  device::Device device_;
};

}  // namespace

int main(int argc, char** argv) {
  Channel channel{Descriptor(3)};
  if (argc > 1 && std::string_view(argv[1]) == "cuda") {
    const auto executor = make_cuda_executor();
    serve(channel, *executor);
    std::fflush(nullptr);
    _exit(0);
  }
  FakeExecutor executor;
  serve(channel, executor);
}
