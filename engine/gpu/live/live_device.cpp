#include "engine/gpu/live/live_device.hpp"

#include <algorithm>
#include <cstring>

#include "engine/gpu/driver/tensor_maps.hpp"
#include "engine/gpu/live/live_slices.hpp"

namespace warplens::gpu {
namespace {

constexpr int kMultiprocessors = 16;  // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
constexpr int kMaxDynamicShared = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
constexpr unsigned kNonBlocking = 1;  // CU_STREAM_NON_BLOCKING
constexpr std::uint32_t ring_entries = 1 << 16;

}  // namespace

Result<std::shared_ptr<const PrimaryContext>> PrimaryContext::retain(int device) {
  auto driver = Driver::load();
  if (!driver) return driver.error();
  std::shared_ptr<PrimaryContext> made(new PrimaryContext);
  Handle context = nullptr;
  WARPLENS_GPU_TRY(**driver, cuDeviceGet(&made->cu_device_, device));
  WARPLENS_GPU_TRY(**driver, cuDevicePrimaryCtxRetain(&context, made->cu_device_));
  made->driver_ = *std::move(driver);
  return std::shared_ptr<const PrimaryContext>(std::move(made));
}

PrimaryContext::~PrimaryContext() {
  if (driver_) driver_->functions().cuDevicePrimaryCtxRelease_v2(cu_device_);
}

Result<HostMemory> HostMemory::allocate(std::shared_ptr<const Driver> driver, std::size_t bytes) {
  void* data = nullptr;
  WARPLENS_GPU_TRY(*driver, cuMemAllocHost_v2(&data, std::max<std::size_t>(bytes, 1)));
  std::memset(data, 0, bytes);
  return HostMemory(std::move(driver), data);
}

Result<std::unique_ptr<LiveDevice>> LiveDevice::open(const LiveRequest& request) {
  auto driver = Driver::load();
  if (!driver) return driver.error();
  std::unique_ptr<LiveDevice> made(new LiveDevice);
  made->driver_ = *std::move(driver);
  made->shape_ = request.launch;
  made->instance_ = request.instance;
  made->cooperative_ = request.cooperative;
  if (const auto done = made->open_context(request.device); !done) return done.error();
  if (const auto done = made->open_streams(); !done) return done.error();
  if (const auto done = made->load_code(request); !done) return done.error();
  if (const auto done = made->place_buffers(request); !done) return done.error();
  if (const auto done = made->place_records(); !done) return done.error();
  return made;
}

LiveDevice::~LiveDevice() {
  if (context_ == nullptr) return;
  const DriverFunctions& f = driver_->functions();
  wait();
  for (const Handle stream : {stream_, show_stream_}) {
    if (stream != nullptr) f.cuStreamDestroy_v2(stream);
  }
  modules_.clear();
  buffers_.clear();
  placed_.clear();
  for (DeviceMemory* memory : {&initial_output_, &result_, &ring_, &times_, &seen_}) *memory = DeviceMemory();
  f.cuDevicePrimaryCtxRelease_v2(cu_device_);
}

void LiveDevice::wait() const {
  const DriverFunctions& f = driver_->functions();
  f.cuCtxSetCurrent(context_);
  for (const Handle stream : {stream_, show_stream_}) {
    if (stream != nullptr) f.cuStreamSynchronize(stream);
  }
}

// The primary context, which OpenGL interoperation uses too.
Status LiveDevice::open_context(int device) {
  WARPLENS_GPU_TRY(*driver_, cuDeviceGet(&cu_device_, device));
  WARPLENS_GPU_TRY(*driver_, cuDeviceGetAttribute(&multiprocessors_, kMultiprocessors, cu_device_));
  WARPLENS_GPU_TRY(*driver_, cuDevicePrimaryCtxRetain(&context_, cu_device_));
  return enter();
}

Status LiveDevice::enter() const {
  WARPLENS_GPU_TRY(*driver_, cuCtxSetCurrent(context_));
  return Done{};
}

// The window's copies go first wherever blocks of a launch end, so that a frame does not wait for a kernel.
Status LiveDevice::open_streams() {
  int least = 0, greatest = 0;
  WARPLENS_GPU_TRY(*driver_, cuCtxGetStreamPriorityRange(&least, &greatest));
  WARPLENS_GPU_TRY(*driver_, cuStreamCreateWithPriority(&stream_, kNonBlocking, least));
  WARPLENS_GPU_TRY(*driver_, cuStreamCreateWithPriority(&show_stream_, kNonBlocking, greatest));
  return Done{};
}

Result<Handle> LiveDevice::load(const std::string& code, const std::string& name,
                                std::uint32_t dynamic_shared) {
  auto module = Module::make(driver_, std::as_bytes(std::span(code)), shape_);
  if (!module) return module.error();
  Handle function = nullptr;
  WARPLENS_GPU_TRY(*driver_, cuModuleGetFunction(&function, module->get(), name.c_str()));
  WARPLENS_GPU_TRY(*driver_,
                   cuFuncSetAttribute(function, kMaxDynamicShared, static_cast<int>(dynamic_shared)));
  modules_.push_back(*std::move(module));
  return function;
}

Status LiveDevice::load_code(const LiveRequest& request) {
  const auto take = [&](Handle& into, const std::string& code, const std::string& name,
                        std::uint32_t shared) -> Status {
    const auto loaded = load(code, name, shared);
    if (!loaded) return loaded.error();
    into = *loaded;
    return Done{};
  };
  const std::uint32_t shared = request.launch.dynamic_shared_bytes;
  if (const auto done = take(kernel_, request.code, request.kernel_name, shared); !done) return done;
  if (const auto done = take(stamp_, live_kernels_ptx, stamp_kernel, 0); !done) return done;
  if (const auto done = take(place_, live_kernels_ptx, place_kernel, 0); !done) return done;
  if (!request.timed_ptx.empty() && blocks() <= most_blocks_watched) {
    if (const auto done = take(timed_, request.timed_ptx, request.kernel_name, shared); !done) return done;
  }
  if (request.sliced_ptx.empty()) return Done{};
  if (const auto done = take(sliced_, request.sliced_ptx, request.kernel_name, shared); !done) return done;
  std::size_t bytes = 0;
  WARPLENS_GPU_TRY(*driver_,
                   cuModuleGetGlobal_v2(&first_block_, &bytes, modules_.back().get(), first_block_variable));
  return Done{};
}

Status LiveDevice::place_buffers(const LiveRequest& request) {
  for (std::size_t b = 0; b < instance_->buffers().size(); ++b) {
    const auto& buffer = instance_->buffers()[b];
    const auto initial = instance_->initial(b);
    auto memory = DeviceMemory::allocate(driver_, initial.size());
    if (!memory) return memory.error();
    WARPLENS_GPU_TRY(*driver_,
                     cuMemcpyHtoDAsync_v2(memory->pointer(), initial.data(), initial.size(), stream_));
    buffers_.push_back(*std::move(memory));
    if (!buffer.is_output || output_bytes_ != 0) continue;
    output_ = b;
    output_bytes_ = initial.size();
    if (buffer.type == problem::ElementType::f32 && !request.sliced_ptx.empty())
      layout_.elements = buffer.elements;
  }
  for (DeviceMemory* copy : {&initial_output_, &result_}) {
    auto memory = DeviceMemory::allocate(driver_, output_bytes_);
    if (!memory) return memory.error();
    *copy = *std::move(memory);
    WARPLENS_GPU_TRY(*driver_, cuMemcpyDtoDAsync_v2(copy->pointer(), output(), output_bytes_, stream_));
  }
  return Done{};
}

Status LiveDevice::place_records() {
  layout_.launches = ring_entries;
  layout_.blocks = has_timeline() ? static_cast<std::uint32_t>(blocks()) : 0;
  const auto zeros = [&](DeviceMemory& into, std::size_t bytes) -> Status {
    auto memory = DeviceMemory::allocate(driver_, bytes);
    if (!memory) return memory.error();
    into = *std::move(memory);
    WARPLENS_GPU_TRY(*driver_, cuMemsetD8Async(into.pointer(), 0, std::max<std::size_t>(bytes, 1), stream_));
    return Done{};
  };
  if (const auto done = zeros(ring_, kTexel * ring_entries); !done) return done;
  if (const auto done = zeros(seen_, sizeof(Seen)); !done) return done;
  if (const auto done = zeros(times_, has_timeline() ? block_time_bytes * blocks() : 0); !done) return done;
  placed_.resize(placed_buffers);
  for (DeviceMemory& placed : placed_) {
    if (const auto done = zeros(placed, kTexel * layout_.blocks); !done) return done;
  }
  return Done{};
}

std::uint64_t LiveDevice::blocks() const { return catalog::blocks_in_grid(shape_); }

Status LiveDevice::start(Handle function, const std::array<std::uint32_t, 3>& grid, DevicePointer output,
                         DevicePointer extra) {
  const auto& arguments = instance_->arguments();
  std::vector<DevicePointer> pointers(arguments.size());
  std::vector<std::uint64_t> numbers(arguments.size());  // the bytes in front are the argument
  std::vector<EncodedMap> maps(arguments.size());
  std::vector<std::vector<std::byte>> structs(arguments.size());
  std::vector<std::uint64_t> addresses;
  for (std::size_t b = 0; b < buffers_.size(); ++b)
    addresses.push_back(b == output_ ? output : buffers_[b].pointer());
  std::vector<void*> parameters;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (const auto* buffer = std::get_if<problem::BufferArgument>(&arguments[i])) {
      pointers[i] =
          (buffer->buffer == output_ ? output : buffers_[buffer->buffer].pointer()) + buffer->offset;
      parameters.push_back(&pointers[i]);
    } else if (const auto* mapped = std::get_if<problem::TensorMapArgument>(&arguments[i])) {
      auto map = encode_map(*driver_, mapped->map,
                            (mapped->buffer == output_ ? output : buffers_[mapped->buffer].pointer()));
      if (!map) return map.error();
      maps[i] = *map;
      parameters.push_back(&maps[i]);
    } else if (const auto* object = std::get_if<problem::StructArgument>(&arguments[i])) {
      structs[i] = problem::bytes_of(*object, addresses);
      parameters.push_back(structs[i].data());
    } else {
      numbers[i] = problem::number_of(arguments[i]).bits;
      parameters.push_back(&numbers[i]);
    }
  }
  if (extra != 0) parameters.push_back(&extra);
  const auto& block = shape_.block;
  if (cooperative_) {
    WARPLENS_GPU_TRY(
        *driver_, cuLaunchCooperativeKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                            shape_.dynamic_shared_bytes, stream_, parameters.data()));
    return Done{};
  }
  WARPLENS_GPU_TRY(*driver_,
                   cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                  shape_.dynamic_shared_bytes, stream_, parameters.data(), nullptr));
  return Done{};
}

Status LiveDevice::launch() { return start(kernel_, shape_.grid, output(), 0); }

Status LiveDevice::stamp(std::uint32_t ends, std::uint32_t begins) {
  DevicePointer ring = ring_.pointer();
  void* parameters[] = {&ring, &ends, &begins};
  WARPLENS_GPU_TRY(*driver_, cuLaunchKernel(stamp_, 1, 1, 1, 1, 1, 1, 0, stream_, parameters, nullptr));
  return Done{};
}

Status LiveDevice::watch(int into) {
  DevicePointer times = times_.pointer(), rows = placed(into), seen = seen_.pointer();
  auto count = static_cast<std::uint32_t>(blocks()), shown = layout_.blocks;
  WARPLENS_GPU_TRY(*driver_, cuMemsetD8Async(times, 0, block_time_bytes * blocks(), stream_));
  WARPLENS_GPU_TRY(*driver_, cuMemsetD8Async(seen, 0, sizeof(Seen), stream_));
  WARPLENS_GPU_TRY(*driver_, cuMemsetD8Async(rows, 0, kTexel * layout_.blocks, stream_));
  if (const auto done = start(timed_, shape_.grid, output(), times); !done) return done;
  void* parameters[] = {&times, &count, &shown, &rows, &seen};
  WARPLENS_GPU_TRY(*driver_, cuLaunchKernel(place_, static_cast<unsigned>(multiprocessors_), 1, 1,
                                            place_threads, 1, 1, 0, stream_, parameters, nullptr));
  return Done{};
}

Status LiveDevice::slice(std::uint64_t first, std::uint64_t count) {
  WARPLENS_GPU_TRY(*driver_, cuMemsetD32Async(first_block_, static_cast<unsigned>(first), 1, stream_));
  return start(sliced_, {static_cast<std::uint32_t>(count), 1, 1}, result(), 0);
}

Status LiveDevice::restore(DevicePointer to) {
  WARPLENS_GPU_TRY(*driver_, cuMemcpyDtoDAsync_v2(to, initial_output_.pointer(), output_bytes_, stream_));
  return Done{};
}
Status LiveDevice::restore_result() { return restore(result()); }
Status LiveDevice::restore_output() { return restore(output()); }

Status LiveDevice::copy(void* to, DevicePointer from, std::size_t bytes) {
  WARPLENS_GPU_TRY(*driver_, cuMemcpyDtoHAsync_v2(to, from, bytes, stream_));
  return Done{};
}

Result<std::vector<PlacedBlock>> LiveDevice::placed_blocks(int which) const {
  std::vector<PlacedBlock> blocks(layout_.blocks);
  if (const auto entered = enter(); !entered) return entered.error();
  WARPLENS_GPU_TRY(*driver_,
                   cuMemcpyDtoHAsync_v2(blocks.data(), placed(which), kTexel * blocks.size(), show_stream_));
  WARPLENS_GPU_TRY(*driver_, cuStreamSynchronize(show_stream_));
  return blocks;
}

Status LiveDevice::record(const Event& event) {
  WARPLENS_GPU_TRY(*driver_, cuEventRecord(event.get(), stream_));
  return Done{};
}

}  // namespace warplens::gpu
