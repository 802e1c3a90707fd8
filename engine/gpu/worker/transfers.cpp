#include "engine/gpu/worker/transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <memory>
#include <numeric>
#include <span>

#include "engine/gpu/driver/device_memory.hpp"
#include "engine/gpu/driver/nvml.hpp"
#include "engine/gpu/driver/statistics.hpp"
#include "engine/gpu/worker/transfer_kernels.hpp"

namespace warplens::gpu {
namespace {

using measured::Spread10To90;
using SharedDriver = std::shared_ptr<const Driver>;

// CU_MEMHOSTALLOC_* and CU_STREAM_NON_BLOCKING of cuda.h
constexpr unsigned kMapped = 2, kWriteCombined = 4, kNonBlocking = 1;
constexpr unsigned kThreads = 256, kCopyBlocks = 1024;
constexpr int kLeastSamples = 5, kMostSamples = 100;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

using Stream = Lent<Handle, &DriverFunctions::cuStreamDestroy_v2>;
Result<Stream> make_stream(const SharedDriver& driver) {
  Handle stream = nullptr;
  WARPLENS_GPU_TRY(*driver, cuStreamCreate(&stream, kNonBlocking));
  return Stream(driver, stream);
}

// Host memory of one kind.
class HostBytes {
 public:
  static Result<HostBytes> allocate(const SharedDriver& driver, std::string_view kind, std::size_t bytes) {
    HostBytes made;
    if (kind == "pageable") {
      made.ordinary_ = std::make_unique<std::byte[]>(bytes);
      made.data_ = made.ordinary_.get();
      return made;
    }
    const unsigned flags = kind == "mapped" ? kMapped : kind == "write-combined" ? kWriteCombined : 0;
    void* data = nullptr;
    WARPLENS_GPU_TRY(*driver, cuMemHostAlloc(&data, bytes, flags));
    made.pinned_ = Pinned(driver, data);
    made.data_ = static_cast<std::byte*>(data);
    return made;
  }
  std::byte* data() const { return data_; }

 private:
  using Pinned = Lent<void*, &DriverFunctions::cuMemFreeHost>;
  std::unique_ptr<std::byte[]> ordinary_;
  Pinned pinned_;
  std::byte* data_ = nullptr;
};

// Runs `once` until its median is known well or its time is up; the first two are warm-up.
template <class Once>
Result<Spread10To90> time_of(double seconds, const Once& once) {
  std::vector<double> samples;
  const double end = now() + seconds;
  for (int i = -2; i < kMostSamples && (i < kLeastSamples || now() < end); ++i) {
    const double begin = now();
    if (const auto done = once(); !done) return done.error();
    if (i >= 0) samples.push_back(now() - begin);
  }
  const Statistics known = statistics_of(std::move(samples), 1);
  return Spread10To90{known.median, known.p10, known.p90};
}

class Bench {
 public:
  static Result<std::unique_ptr<Bench>> open(const TransferOptions& options) {
    auto driver = Driver::load();
    if (!driver) return driver.error();
    std::unique_ptr<Bench> made(new Bench(*std::move(driver), options));
    if (const auto ready = made->prepare(); !ready) return ready.error();
    return made;
  }
  ~Bench() {
    module_ = {}, device_ = {}, stream_ = {};
    if (has_context_) driver_->functions().cuDevicePrimaryCtxRelease_v2(cu_device_);
  }

  Result<measured::Transfers> measure(const std::function<void(std::string_view)>& say) {
    measured::Transfers all;
    if (const auto named = name(all); !named) return named.error();
    for (const std::string_view memory : measured::kHostMemories) {
      say(memory);
      if (const auto done = copies(memory, all.copies); !done) return done.error();
    }
    say("one copy against many");
    if (const auto done = pieces(all.pieces); !done) return done.error();
    say("copies beside kernels");
    if (const auto done = streams(all.streams); !done) return done.error();
    say("kernels beside each other");
    if (const auto done = kernels(all.kernels); !done) return done.error();
    return all;
  }

 private:
  Bench(SharedDriver driver, const TransferOptions& options)
      : driver_(std::move(driver)), options_(options) {}

  Status prepare() {
    Handle context = nullptr;
    WARPLENS_GPU_TRY(*driver_, cuDeviceGet(&cu_device_, options_.device));
    WARPLENS_GPU_TRY(*driver_, cuDevicePrimaryCtxRetain(&context, cu_device_));
    has_context_ = true;
    WARPLENS_GPU_TRY(*driver_, cuCtxSetCurrent(context));
    auto memory = DeviceMemory::allocate(driver_, options_.most_bytes);
    if (!memory) return memory.error();
    device_ = *std::move(memory);
    auto stream = make_stream(driver_);
    if (!stream) return stream.error();
    stream_ = *std::move(stream);
    auto module = Module::compile(driver_, transfer_kernels_ptx, 64);
    if (!module) return module.error();
    module_ = *std::move(module);
    WARPLENS_GPU_TRY(*driver_, cuModuleGetFunction(&copy_, module_.get(), kCopyKernel));
    WARPLENS_GPU_TRY(*driver_, cuModuleGetFunction(&work_, module_.get(), kWorkKernel));
    return Done{};
  }

  Status name(measured::Transfers& all) const {
    const auto devices = driver_->devices();
    if (!devices) return devices.error();
    const GpuDevice& device = devices->at(static_cast<std::size_t>(options_.device));
    all.device = device.name;
    if (const auto nvml = Nvml::open(device.pci_bus))
      all.driver = nvml->driver_version(), all.bus = nvml->bus();
    const std::time_t today = std::time(nullptr);
    std::array<char, 16> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d", std::gmtime(&today));
    all.date = text.data();
    return Done{};
  }

  Status wait(const Stream& stream) const {
    WARPLENS_GPU_TRY(*driver_, cuStreamSynchronize(stream.get()));
    return Done{};
  }

  Status launch(Handle function, unsigned blocks, Handle stream, std::array<void*, 3> parameters) const {
    WARPLENS_GPU_TRY(*driver_, cuLaunchKernel(function, blocks, 1, 1, kThreads, 1, 1, 0, stream,
                                              parameters.data(), nullptr));
    return Done{};
  }

  // Mapped memory is read or written by a kernel.
  Status copy(bool to_device, bool mapped, std::byte* host, std::uint64_t bytes) const {
    if (mapped) {
      DevicePointer ends[2] = {device_.pointer(), reinterpret_cast<DevicePointer>(host)};
      std::uint64_t count = bytes / 16;
      return launch(copy_, kCopyBlocks, stream_.get(),
                    {&ends[to_device ? 0 : 1], &ends[to_device ? 1 : 0], &count});
    }
    if (to_device) {
      WARPLENS_GPU_TRY(*driver_, cuMemcpyHtoDAsync_v2(device_.pointer(), host, bytes, stream_.get()));
    } else {
      WARPLENS_GPU_TRY(*driver_, cuMemcpyDtoHAsync_v2(host, device_.pointer(), bytes, stream_.get()));
    }
    return Done{};
  }
  Status copy_and_wait(bool to_device, bool mapped, std::byte* host, std::uint64_t bytes) const {
    if (const auto copied = copy(to_device, mapped, host, bytes); !copied) return copied;
    return wait(stream_);
  }

  // There and back, compared byte by byte.
  Status check(std::string_view memory, std::byte* host) const {
    const std::uint64_t bytes = std::min<std::uint64_t>(options_.most_bytes, 1 << 20);
    std::vector<std::byte> sent(bytes);
    for (std::size_t i = 0; i < bytes; ++i) sent[i] = static_cast<std::byte>(i * 2654435761u >> 13);
    std::memcpy(host, sent.data(), bytes);
    const bool mapped = memory == "mapped";
    if (const auto there = copy_and_wait(true, mapped, host, bytes); !there) return there;
    std::memset(host, 0, bytes);
    if (const auto back = copy_and_wait(false, mapped, host, bytes); !back) return back;
    if (std::memcmp(host, sent.data(), bytes) == 0) return Done{};
    return Error{fmt::format("what was copied with {} memory is not what came back", memory),
                 "check the GPU with another program"};
  }

  Status copies(std::string_view memory, std::vector<measured::CopyTime>& all) const {
    const auto host = HostBytes::allocate(driver_, memory, options_.most_bytes);
    if (!host) return host.error();
    std::memset(host->data(), 1, options_.most_bytes);  // so that the system gave every page
    if (const auto right = check(memory, host->data()); !right) return right;
    for (const std::string_view direction : measured::kDirections)
      for (std::uint64_t bytes = 1024; bytes <= options_.most_bytes; bytes *= 4) {
        const bool to_device = direction == measured::kDirections[0];
        const auto seconds = time_of(options_.seconds_each, [&] {
          return copy_and_wait(to_device, memory == "mapped", host->data(), bytes);
        });
        if (!seconds) return seconds.error();
        all.push_back({std::string(memory), std::string(direction), bytes, *seconds});
      }
    return Done{};
  }

  Status pieces(std::vector<measured::PiecesTime>& all) const {
    const std::uint64_t bytes = std::min<std::uint64_t>(options_.most_bytes, 1 << 24);
    const auto host = HostBytes::allocate(driver_, "pinned", bytes);
    if (!host) return host.error();
    for (std::uint64_t count = 1; count <= 16384; count *= 4) {
      const std::uint64_t each = bytes / count;
      const auto seconds = time_of(options_.seconds_each, [&]() -> Status {
        for (std::uint64_t i = 0; i < count; ++i)
          WARPLENS_GPU_TRY(*driver_, cuMemcpyHtoDAsync_v2(device_.pointer() + i * each,
                                                          host->data() + i * each, each, stream_.get()));
        return wait(stream_);
      });
      if (!seconds) return seconds.error();
      all.push_back({bytes, count, *seconds});
    }
    return Done{};
  }

  Status work(DevicePointer data, std::uint32_t count, std::uint32_t rounds, Handle stream) const {
    return launch(work_, (count + kThreads - 1) / kThreads, stream, {&data, &count, &rounds});
  }

  // So many rounds that working on the bytes takes about as long as bringing them.
  Result<std::uint32_t> rounds_for(std::byte* host, std::uint64_t bytes) const {
    const auto copying =
        time_of(options_.seconds_each, [&] { return copy_and_wait(true, false, host, bytes); });
    if (!copying) return copying.error();
    constexpr std::uint32_t kTrial = 4096;
    const auto working = time_of(options_.seconds_each, [&]() -> Status {
      const auto done = work(device_.pointer(), static_cast<std::uint32_t>(bytes / 4), kTrial, stream_.get());
      return done ? wait(stream_) : done;
    });
    if (!working) return working.error();
    return static_cast<std::uint32_t>(std::max(1.0, kTrial * copying->median / working->median));
  }

  // Copies one part of the data there, works on it and brings it back, with the moments between.
  Status queue_part(std::span<float> part, std::uint64_t offset, std::uint32_t rounds, const Stream& stream,
                    std::span<const Event> moments) const {
    const Handle s = stream.get();
    const DevicePointer device = device_.pointer() + offset * sizeof(float);
    WARPLENS_GPU_TRY(*driver_, cuEventRecord(moments[0].get(), s));
    WARPLENS_GPU_TRY(*driver_, cuMemcpyHtoDAsync_v2(device, part.data(), part.size_bytes(), s));
    WARPLENS_GPU_TRY(*driver_, cuEventRecord(moments[1].get(), s));
    if (const auto queued = work(device, static_cast<std::uint32_t>(part.size()), rounds, s); !queued)
      return queued;
    WARPLENS_GPU_TRY(*driver_, cuEventRecord(moments[2].get(), s));
    WARPLENS_GPU_TRY(*driver_, cuMemcpyDtoHAsync_v2(part.data(), device, part.size_bytes(), s));
    WARPLENS_GPU_TRY(*driver_, cuEventRecord(moments[3].get(), s));
    return Done{};
  }

  Result<measured::StreamsTime> one_streams(std::span<float> data, int count, std::uint32_t rounds) const {
    std::vector<Stream> streams;
    std::vector<Event> moments;
    for (int i = 0; i < count; ++i) {
      auto stream = make_stream(driver_);
      if (!stream) return stream.error();
      streams.push_back(*std::move(stream));
    }
    for (int i = 0; i < 1 + 4 * count; ++i) {
      auto event = Event::create(driver_);
      if (!event) return event.error();
      moments.push_back(*std::move(event));
    }
    const std::size_t part = data.size() / static_cast<std::size_t>(count);
    const auto seconds = time_of(options_.seconds_each, [&]() -> Status {
      WARPLENS_GPU_TRY(*driver_, cuEventRecord(moments[0].get(), streams[0].get()));
      for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const auto queued = queue_part(data.subspan(at * part, part), at * part, rounds, streams[at],
                                       std::span(moments).subspan(1 + 4 * at, 4));
        if (!queued) return queued;
      }
      for (const Stream& stream : streams)
        if (const auto done = wait(stream); !done) return done;
      return Done{};
    });
    if (!seconds) return seconds.error();
    measured::StreamsTime time{count, data.size_bytes(), seconds->median, {}};
    for (int i = 0; i < count; ++i)
      if (const auto read = add_items(std::span(moments), i, time.items); !read) return read.error();
    return time;
  }

  // Of the last time: what it did from when to when.
  Status add_items(std::span<const Event> moments, int stream,
                   std::vector<measured::StreamItem>& items) const {
    std::array<float, 4> at{};
    for (std::size_t k = 0; k < at.size(); ++k)
      WARPLENS_GPU_TRY(*driver_,
                       cuEventElapsedTime(&at[k], moments[0].get(),
                                          moments[1 + 4 * static_cast<std::size_t>(stream) + k].get()));
    const std::array<const char*, 3> names = {"to device", "kernel", "to host"};
    for (std::size_t k = 0; k < names.size(); ++k)
      items.push_back({stream, names[k], at[k] * 1e-3, at[k + 1] * 1e-3});
    return Done{};
  }

  Status streams(std::vector<measured::StreamsTime>& all) const {
    const std::uint64_t bytes = std::min<std::uint64_t>(options_.most_bytes, 1 << 26);
    const auto host = HostBytes::allocate(driver_, "pinned", bytes);
    if (!host) return host.error();
    const std::span data(reinterpret_cast<float*>(host->data()), bytes / sizeof(float));
    const auto rounds = rounds_for(host->data(), bytes);
    if (!rounds) return rounds.error();
    for (const int count : {1, 2, 4, 8}) {
      std::iota(data.begin(), data.end(), 0.0f);
      auto time = one_streams(data, count, *rounds);
      if (!time) return time.error();
      // After so many rounds of x / 2 + 1 every value is at its end, 2.
      if (std::any_of(data.begin(), data.end(), [](float x) { return std::abs(x - 2) > 1e-3f; }))
        return Error{fmt::format("what {} streams worked on is not right", count),
                     "check the GPU with another program"};
      all.push_back(*std::move(time));
    }
    return Done{};
  }

  Status kernels(std::vector<measured::KernelsTime>& all) const {
    constexpr std::uint32_t kRounds = 200'000;
    constexpr int kMost = 32;
    std::vector<Stream> streams;
    for (int i = 0; i < kMost; ++i) {
      auto stream = make_stream(driver_);
      if (!stream) return stream.error();
      streams.push_back(*std::move(stream));
    }
    for (const int count : {1, 2, 4, 8, 16, kMost})
      for (const int used : {1, count}) {
        const auto seconds = time_of(options_.seconds_each, [&]() -> Status {
          for (int i = 0; i < count; ++i) {
            const Handle stream = streams[static_cast<std::size_t>(i % used)].get();
            const auto queued = work(device_.pointer() + static_cast<std::uint64_t>(i) * kThreads * 4,
                                     kThreads, kRounds, stream);
            if (!queued) return queued;
          }
          for (int i = 0; i < used; ++i)
            if (const auto done = wait(streams[static_cast<std::size_t>(i)]); !done) return done;
          return Done{};
        });
        if (!seconds) return seconds.error();
        all.push_back({count, used, seconds->median});
        if (count == 1) break;
      }
    return Done{};
  }

  SharedDriver driver_;
  TransferOptions options_;
  int cu_device_ = 0;
  bool has_context_ = false;
  DeviceMemory device_;
  Stream stream_;
  Module module_;
  Handle copy_ = nullptr, work_ = nullptr;
};

}  // namespace

Result<measured::Transfers> measure_transfers(const TransferOptions& options,
                                              const std::function<void(std::string_view)>& say) {
  if (const auto bench = Bench::open(options); !bench)
    return bench.error();
  else
    return (*bench)->measure(say);
}

}  // namespace warplens::gpu
