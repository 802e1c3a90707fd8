// The executor of the worker process that really uses the GPU.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/gpu/driver/cublas.hpp"
#include "engine/gpu/driver/cupti.hpp"
#include "engine/gpu/driver/tensor_maps.hpp"
#include "engine/gpu/worker/measure.hpp"
#include "engine/gpu/worker/worker.hpp"
#include "engine/instrument/record_buffer.hpp"

namespace warplens::gpu {
namespace {

// So many launches are counted and the least is told: while the L1 cache is busy with other data, shared
// accesses are tried again, which the counters of its data stage have too, another number each launch.
constexpr int kCountedLaunches = 3;
constexpr int kMaxDynamicShared = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES

// Memory of the host that the GPU copies from and to at full speed. Where the system refuses, copies are
// slower but right.
class Pinned {
 public:
  Pinned(std::shared_ptr<const Driver> driver, std::shared_ptr<SharedMemory> memory)
      : driver_(std::move(driver)), memory_(std::move(memory)) {
    const auto bytes = memory_->bytes();
    registered_ = driver_->functions().cuMemHostRegister_v2(bytes.data(), bytes.size(), 0) == 0;
  }
  ~Pinned() {
    if (registered_) driver_->functions().cuMemHostUnregister(memory_->bytes().data());
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  std::byte* at(const Slot& slot) const { return memory_->bytes().data() + slot.offset; }

 private:
  std::shared_ptr<const Driver> driver_;
  std::shared_ptr<SharedMemory> memory_;
  bool registered_ = false;
};

bool fits(const Data& data) {
  const auto inside = [&](const Slot& slot) {
    return slot.offset <= data.bytes && slot.bytes <= data.bytes - slot.offset;
  };
  return data.output < data.initial.size() && inside(data.result) && inside(data.yardstick) &&
         data.result.bytes == data.initial[data.output].bytes && data.yardstick.bytes == data.result.bytes &&
         std::all_of(data.initial.begin(), data.initial.end(), inside);
}

class CudaExecutor final : public Executor {
 public:
  ~CudaExecutor() override { release(); }

  System system() override {
    System system;
    if (const auto ready = load(); !ready) {
      system.reason = ready.error().message;
      return system;
    }
    auto devices = driver_->devices();
    if (!devices) {
      system.reason = devices.error().message;
      return system;
    }
    system.devices = *std::move(devices);
    if (system.devices.empty()) system.reason = "no GPU can be used: the driver lists none";
    system.cuda_version = driver_->version();
    if (const auto nvml = Nvml::open("")) system.driver = nvml->driver_version();
    return system;
  }

  Status take(const Data& data, std::shared_ptr<SharedMemory> memory) override {
    if (!fits(data)) return Error{"the buffers do not fit in their memory", ""};
    buffers_.clear();
    pinned_.reset();
    data_ = data;
    memory_ = std::move(memory);
    return Done{};
  }

  Answer run(const Job& job, std::span<const std::byte> code, const Progress& progress) override {
    Answer answer;
    const auto done = run_steps(job, code, progress, answer);
    extra_ = {};
    if (done) return answer;
    answer.timing.reset();
    if (fault_.has_value())
      answer.fault = fault_;
    else
      answer.error = done.error();
    return answer;
  }

 private:
  Status load() {
    if (driver_) return Done{};
    auto driver = Driver::load();
    if (!driver) return driver.error();
    driver_ = *std::move(driver);
    return Done{};
  }

  // The primary context, which cuBLAS and OpenGL interoperation use too.
  Status use(int ordinal) {
    if (const auto ready = load(); !ready) return ready;
    if (device_.index == ordinal && context_ != nullptr) return Done{};
    release();
    auto devices = driver_->devices();
    if (!devices) return devices.error();
    if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= devices->size())
      return Error{fmt::format("there is no GPU {}", ordinal), "see those that are with 'warplens gpus'"};
    device_ = (*devices)[static_cast<std::size_t>(ordinal)];
    int device = 0;
    WARPLENS_GPU_TRY(*driver_, cuDeviceGet(&device, ordinal));
    WARPLENS_GPU_TRY(*driver_, cuDevicePrimaryCtxRetain(&context_, device));
    cu_device_ = device;
    WARPLENS_GPU_TRY(*driver_, cuCtxSetCurrent(context_));
    WARPLENS_GPU_TRY(*driver_, cuStreamCreate(&stream_, 1));  // CU_STREAM_NON_BLOCKING
    return Done{};
  }

  void release() {
    if (context_ == nullptr) return;
    cublas_.reset();
    buffers_.clear();
    yardstick_ = {};
    extra_ = {};
    pinned_.reset();
    if (stream_ != nullptr) driver_->functions().cuStreamDestroy_v2(stream_);
    driver_->functions().cuDevicePrimaryCtxRelease_v2(cu_device_);
    stream_ = context_ = nullptr;
  }

  // Errors of what was launched arrive here.
  Status wait() {
    const int code = driver_->functions().cuStreamSynchronize(stream_);
    if (code == 0) return Done{};
    const Error error{
        fmt::format("the kernel stopped on the GPU: {} ({})", driver_->text_of(code), driver_->name_of(code)),
        ""};
    fault_ = Fault{Fault::Kind::fault, driver_->name_of(code), error};
    return error;
  }

  Status place_buffers() {
    if (!pinned_) pinned_ = std::make_unique<Pinned>(driver_, memory_);
    if (!buffers_.empty()) return Done{};
    for (const Slot& slot : data_.initial) {
      auto memory = DeviceMemory::allocate(driver_, slot.bytes);
      if (!memory) return memory.error();
      buffers_.push_back(*std::move(memory));
    }
    auto yardstick = DeviceMemory::allocate(driver_, data_.yardstick.bytes);
    if (!yardstick) return yardstick.error();
    yardstick_ = *std::move(yardstick);
    return Done{};
  }

  // Inputs, and the poison of the output.
  Status upload() {
    for (std::size_t b = 0; b < buffers_.size(); ++b) {
      const Slot& slot = data_.initial[b];
      WARPLENS_GPU_TRY(*driver_,
                       cuMemcpyHtoDAsync_v2(buffers_[b].pointer(), pinned_->at(slot), slot.bytes, stream_));
    }
    return Done{};
  }

  Status download(const DeviceMemory& from, const Slot& to) {
    WARPLENS_GPU_TRY(*driver_, cuMemcpyDtoHAsync_v2(pinned_->at(to), from.pointer(), to.bytes, stream_));
    return Done{};
  }

  Status prepare(const Job& job) {
    if (memory_ == nullptr || job.data != data_.id)
      return Error{"a run was asked for without its buffers", "start it again"};
    if (const auto ready = use(job.device); !ready) return ready;
    if (const auto placed = place_buffers(); !placed) return placed;
    bool is_there = true;
    for (const auto& argument : job.arguments)
      problem::for_each_buffer(argument, [&](const problem::BufferArgument& buffer, std::string_view) {
        is_there = is_there && buffer.buffer < buffers_.size();
      });
    if (!is_there) return Error{"an argument names a buffer that is not there", ""};
    return Done{};
  }

  Result<Handle> function_of(const Job& job, const Module& module) {
    Handle function = nullptr;
    WARPLENS_GPU_TRY(*driver_, cuModuleGetFunction(&function, module.get(), job.kernel_name.c_str()));
    const auto dynamic = static_cast<int>(job.launch.dynamic_shared_bytes);
    // More than 48 KB is had by asking (CUDA C++ Programming Guide, shared memory of 7.x and later).
    const int code = driver_->functions().cuFuncSetAttribute(function, kMaxDynamicShared, dynamic);
    if (code != 0)
      return Error{
          fmt::format("the GPU does not give {} bytes of dynamic shared memory to a block (it has {} in "
                      "all)",
                      dynamic, device_.shared_per_block_optin),
          "choose smaller tiles"};
    return function;
  }

  // The code of a job, without what follows it.
  static std::span<const std::byte> code_of(const Job& job, std::span<const std::byte> attachment) {
    const std::size_t behind =
        job.extra ? std::min<std::size_t>(job.extra->start_bytes, attachment.size()) : 0;
    return attachment.first(attachment.size() - behind);
  }

  Status place_extra(const Job& job, std::span<const std::byte> attachment) {
    if (!job.extra) return Done{};
    const std::span<const std::byte> start = attachment.subspan(code_of(job, attachment).size());
    if (start.size() > job.extra->bytes) return Error{"the extra buffer is smaller than its start", ""};
    auto memory = DeviceMemory::allocate(driver_, job.extra->bytes);
    if (!memory) return memory.error();
    extra_ = *std::move(memory);
    if (!job.extra->records)
      WARPLENS_GPU_TRY(*driver_, cuMemsetD8Async(extra_.pointer(), 0, job.extra->bytes, stream_));
    if (!start.empty())
      WARPLENS_GPU_TRY(*driver_, cuMemcpyHtoDAsync_v2(extra_.pointer(), start.data(), start.size(), stream_));
    return wait();
  }

  Status fetch(std::span<std::byte> to, DevicePointer from) {
    WARPLENS_GPU_TRY(*driver_, cuMemcpyDtoHAsync_v2(to.data(), from, to.size(), stream_));
    return wait();
  }

  Status fetch_extra(const Job& job, Answer& answer) {
    if (!job.extra) return Done{};
    for (const DeviceMemory& buffer : buffers_) answer.places.push_back(buffer.pointer());
    std::uint64_t bytes = job.extra->bytes;
    if (job.extra->records) {
      std::array<std::byte, sizeof(instrument::Head)> head{};
      if (bytes < head.size()) return Error{"the extra buffer has no head", ""};
      if (const auto fetched = fetch(head, extra_.pointer()); !fetched) return fetched;
      bytes = std::min(bytes, instrument::filled_bytes(head));
    }
    answer.extra.resize(bytes);
    return fetch(answer.extra, extra_.pointer());
  }

  Status launch(const Job& job, Handle function) {
    std::vector<DevicePointer> pointers(job.arguments.size());
    std::vector<std::uint64_t> numbers(job.arguments.size());  // the bytes in front are the argument
    std::vector<EncodedMap> maps(job.arguments.size());
    std::vector<std::vector<std::byte>> structs(job.arguments.size());
    std::vector<std::uint64_t> addresses;
    for (const DeviceMemory& buffer : buffers_) addresses.push_back(buffer.pointer());
    std::vector<void*> parameters;
    for (std::size_t i = 0; i < job.arguments.size(); ++i) {
      if (const auto* buffer = std::get_if<problem::BufferArgument>(&job.arguments[i])) {
        pointers[i] = buffers_[buffer->buffer].pointer() + buffer->offset;
        parameters.push_back(&pointers[i]);
      } else if (const auto* mapped = std::get_if<problem::TensorMapArgument>(&job.arguments[i])) {
        auto map = encode_map(*driver_, mapped->map, buffers_[mapped->buffer].pointer());
        if (!map) return map.error();
        maps[i] = *map;
        parameters.push_back(&maps[i]);
      } else if (const auto* object = std::get_if<problem::StructArgument>(&job.arguments[i])) {
        structs[i] = problem::bytes_of(*object, addresses);
        parameters.push_back(structs[i].data());
      } else {
        numbers[i] = problem::number_of(job.arguments[i]).bits;
        parameters.push_back(&numbers[i]);
      }
    }
    DevicePointer extra = extra_.pointer();
    if (job.extra) parameters.push_back(&extra);
    const auto& [grid, block, shared] = job.launch;
    if (job.cooperative) {
      WARPLENS_GPU_TRY(*driver_,
                       cuLaunchCooperativeKernel(function, grid[0], grid[1], grid[2], block[0], block[1],
                                                 block[2], shared, stream_, parameters.data()));
      return Done{};
    }
    WARPLENS_GPU_TRY(*driver_, cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1],
                                              block[2], shared, stream_, parameters.data(), nullptr));
    return Done{};
  }

  Status run_steps(const Job& job, std::span<const std::byte> code, const Progress& progress,
                   Answer& answer) {
    if (const auto ready = prepare(job); !ready) return ready;
    if (const auto sent = upload(); !sent) return sent;
    if (const auto sent = wait(); !sent) return sent;
    if (const auto placed = place_extra(job, code); !placed) return placed;
    const auto module = Module::make(driver_, code_of(job, code), job.launch);
    if (!module) return module.error();
    const auto function = function_of(job, *module);
    if (!function) return function.error();
    // Opening these may take a second, which is not the kernel's.
    Timing timing;
    const auto nvml = job.timing ? Nvml::open(device_.pci_bus) : nullptr;
    const bool with_cublas = job.timing && job.product && open_cublas(job, timing);
    progress("ready to launch");
    if (const auto launched = launch(job, *function); !launched) return launched;
    if (const auto ended = wait(); !ended) return ended;
    progress("launched");
    if (const auto fetched = download(buffers_[data_.output], data_.result); !fetched) return fetched;
    if (const auto fetched = wait(); !fetched) return fetched;
    if (const auto fetched = fetch_extra(job, answer); !fetched) return fetched;
    if (!job.metrics.empty()) return count(job, *function, progress, answer);
    if (!job.timing) return Done{};
    if (const auto timed = time(job, *function, bench(nvml.get(), progress), with_cublas, timing); !timed)
      return timed;
    answer.timing = std::move(timing);
    return with_cublas ? fetch_yardstick(answer) : Done{};
  }

  Status count(const Job& job, Handle function, const Progress& progress, Answer& answer) {
    const auto cupti = Cupti::open(folders_of(job));
    if (!cupti) return cupti.error();
    const auto fresh_launch = [&]() -> Status {
      if (const auto sent = upload(); !sent) return sent;
      if (const auto launched = launch(job, function); !launched) return launched;
      const auto ended = wait();
      progress("counted");
      return ended;
    };
    auto counted = (*cupti)->count({context_, cu_device_, fresh_launch}, job.metrics, kCountedLaunches);
    if (!counted) return counted.error();
    answer.counted = *std::move(counted);
    if (job.instruction_metrics.empty()) return Done{};
    // Older libraries and devices cannot; then there are only the counters.
    if (auto own =
            (*cupti)->count_instructions({context_, cu_device_, fresh_launch}, job.instruction_metrics))
      answer.instructions = *std::move(own);
    return Done{};
  }

  Status fetch_yardstick(Answer& answer) {
    if (const auto fetched = download(yardstick_, data_.yardstick); !fetched) return fetched;
    if (const auto fetched = wait(); !fetched) return fetched;
    answer.has_yardstick = true;
    return Done{};
  }

  Bench bench(Nvml* nvml, const Progress& progress) {
    return {.driver = driver_,
            .stream = stream_,
            .wait = [this] { return wait(); },
            .nvml = nvml,
            .progress = &progress,
            .l2_bytes = device_.l2_bytes};
  }

  Status time(const Job& job, Handle function, const Bench& tools, bool with_cublas, Timing& timing) {
    std::vector<Contender> contenders;
    contenders.push_back({.launch = [this, &job, function] { return launch(job, function); }});
    if (with_cublas) {
      contenders.push_back({.launch = [this, &product = *job.product] { return yardstick(product); }});
    }
    if (const auto done = measure(tools, *job.timing, contenders); !done) return done;
    timing.kernel = statistics_of(contenders[0].samples, contenders[0].launches);
    if (contenders.size() > 1) timing.cublas = statistics_of(contenders[1].samples, contenders[1].launches);
    if (const auto done = compare_last(timing); !done) return done;
    if (const auto done = time_overall(tools, job, function, timing); !done) return done;
    if (tools.nvml != nullptr) timing.conditions = tools.nvml->conditions();
    return Done{};
  }

  static std::vector<std::filesystem::path> folders_of(const Job& job) {
    return {job.library_folders.begin(), job.library_folders.end()};
  }

  bool open_cublas(const Job& job, Timing& timing) {
    if (!cublas_) {
      auto opened = Cublas::open(folders_of(job), stream_);
      if (!opened) {
        timing.cublas_name = opened.error().message;
        return false;
      }
      cublas_ = *std::move(opened);
    }
    timing.cublas_name = cublas_->name();
    return true;
  }

  Status yardstick(const Product& product) {
    return cublas_->multiply(product, buffers_[product.left].pointer(), buffers_[product.right].pointer(),
                             yardstick_.pointer());
  }

  // Whether the launches after the first left the same result: a race often shows here.
  Status compare_last(Timing& timing) {
    if (data_.accumulates) return Done{};
    if (const auto fetched = download(buffers_[data_.output], data_.yardstick); !fetched) return fetched;
    if (const auto fetched = wait(); !fetched) return fetched;
    timing.repeatable =
        std::memcmp(pinned_->at(data_.yardstick), pinned_->at(data_.result), data_.result.bytes) == 0;
    return Done{};
  }

  // As the tables of the NCSA lectures have it: data to the GPU, kernel, result back.
  Status time_overall(const Bench& tools, const Job& job, Handle function, Timing& timing) {
    std::vector<double> seconds;
    for (int turn = 0; turn < 3; ++turn) {
      const auto one = seconds_of(tools, [&]() -> Status {
        for (std::size_t b = 0; b < buffers_.size(); ++b) {
          if (b == data_.output && !data_.accumulates) continue;
          const Slot& slot = data_.initial[b];
          WARPLENS_GPU_TRY(
              *driver_, cuMemcpyHtoDAsync_v2(buffers_[b].pointer(), pinned_->at(slot), slot.bytes, stream_));
        }
        if (const auto launched = launch(job, function); !launched) return launched;
        return download(buffers_[data_.output], data_.yardstick);
      });
      if (!one) return one.error();
      seconds.push_back(*one);
      (*tools.progress)("timed with transfers");
    }
    timing.overall_seconds = statistics_of(seconds, 1).median;
    return Done{};
  }

  std::shared_ptr<const Driver> driver_;
  GpuDevice device_;
  int cu_device_ = 0;
  Handle context_ = nullptr, stream_ = nullptr;
  Data data_;
  std::shared_ptr<SharedMemory> memory_;
  std::unique_ptr<Pinned> pinned_;
  std::vector<DeviceMemory> buffers_;
  DeviceMemory yardstick_;
  DeviceMemory extra_;  // of the run in hand
  std::unique_ptr<Cublas> cublas_;
  std::optional<Fault> fault_;
};

}  // namespace

std::unique_ptr<Executor> make_cuda_executor() { return std::make_unique<CudaExecutor>(); }

}  // namespace warplens::gpu
