#include "engine/gpu/driver/cupti.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "engine/base/shared_library.hpp"
#include "engine/base/toolkit_library.hpp"
#include "engine/gpu/driver/cupti_call.hpp"
#include "engine/gpu/driver/cupti_instructions.hpp"

namespace warplens::gpu {
namespace {

constexpr std::array<const char*, 3> kFileNames{"libcupti.so.13", "libcupti.so.12", "libcupti.so"};

// CUpti_ProfilerRange, CUpti_ProfilerReplayMode.
constexpr int kAutoRange = 1, kKernelReplay = 2;
constexpr int kMostPasses = 64;

struct ChipName {
  Head head;
  std::size_t device = 0;
  const char* name = nullptr;
};
struct HostInitialize {
  Head head;
  int profiler = 0;  // CUPTI_PROFILER_TYPE_RANGE_PROFILER
  const char* chip = nullptr;
  const std::uint8_t* availability = nullptr;
  void* host = nullptr;
};
// Of a host or a profiler alone, and how many bytes it wants, and where they are to go.
struct Of {
  Head head;
  void* object = nullptr;
};
struct ImageSize {
  Head head;
  void* object = nullptr;
  std::size_t bytes = 0;
};
struct Image {
  Head head;
  void* object = nullptr;
  std::size_t bytes = 0;
  std::uint8_t* data = nullptr;
};
struct AddMetrics {
  Head head;
  void* host = nullptr;
  const char** metrics = nullptr;
  std::size_t count = 0;
};
struct Enable {
  Head head;
  Handle context = nullptr;
  void* profiler = nullptr;
};
struct CounterDataSize {
  Head head;
  void* profiler = nullptr;
  const char** metrics = nullptr;
  std::size_t count = 0;
  std::size_t most_ranges = 1;
  std::uint32_t most_nodes = 1;
  std::size_t bytes = 0;
};
struct SetConfig {
  Head head;
  void* profiler = nullptr;
  std::size_t config_bytes = 0;
  const std::uint8_t* config = nullptr;
  std::size_t data_bytes = 0;
  std::uint8_t* data = nullptr;
  int range = kAutoRange;
  int replay = kKernelReplay;
  std::size_t most_ranges = 1;
  std::uint16_t nesting_levels = 1, least_level = 1;
  std::size_t pass = 0;
  std::uint16_t target_level = 0;
};
struct Stop {
  Head head;
  void* profiler = nullptr;
  std::size_t pass = 0, target_level = 0;
  std::uint8_t all_passes = 0;
};
struct Decode {
  Head head;
  void* profiler = nullptr;
  std::size_t dropped = 0;
};
struct DataInfo {
  Head head;
  const std::uint8_t* data = nullptr;
  std::size_t bytes = 0;
  std::size_t ranges = 0;
};
struct Evaluate {
  Head head;
  void* host = nullptr;
  const std::uint8_t* data = nullptr;
  std::size_t bytes = 0;
  std::size_t range = 0;
  const char** metrics = nullptr;
  std::size_t count = 0;
  double* values = nullptr;
};

}  // namespace

#define CUPTI_FUNCTIONS(F)                                         \
  F(int, cuptiGetResultString, (int code, const char** text))      \
  F(int, cuptiProfilerInitialize, (Head*))                         \
  F(int, cuptiProfilerDeInitialize, (Head*))                       \
  F(int, cuptiDeviceGetChipName, (ChipName*))                      \
  F(int, cuptiProfilerHostInitialize, (HostInitialize*))           \
  F(int, cuptiProfilerHostDeinitialize, (Of*))                     \
  F(int, cuptiProfilerHostConfigAddMetrics, (AddMetrics*))         \
  F(int, cuptiProfilerHostGetConfigImageSize, (ImageSize*))        \
  F(int, cuptiProfilerHostGetConfigImage, (Image*))                \
  F(int, cuptiProfilerHostEvaluateToGpuValues, (Evaluate*))        \
  F(int, cuptiRangeProfilerEnable, (Enable*))                      \
  F(int, cuptiRangeProfilerDisable, (Of*))                         \
  F(int, cuptiRangeProfilerGetCounterDataSize, (CounterDataSize*)) \
  F(int, cuptiRangeProfilerCounterDataImageInitialize, (Image*))   \
  F(int, cuptiRangeProfilerSetConfig, (SetConfig*))                \
  F(int, cuptiRangeProfilerStart, (Of*))                           \
  F(int, cuptiRangeProfilerStop, (Stop*))                          \
  F(int, cuptiRangeProfilerDecodeData, (Decode*))                  \
  F(int, cuptiRangeProfilerGetCounterDataInfo, (DataInfo*))

struct CuptiFunctions {
  WARPLENS_FUNCTION_TABLE(CUPTI_FUNCTIONS)
  Status check(int code, std::string_view call) const {
    return check_cupti(cuptiGetResultString, code, call);
  }
};

namespace {

// As CUPTI names it: "GH100".
Result<const char*> chip_name(const CuptiFunctions& f, const CountedLaunch& counted) {
  auto chip = sized(&ChipName::name);
  chip.device = static_cast<std::size_t>(counted.device);
  WARPLENS_CUPTI_TRY(cuptiDeviceGetChipName, chip);
  return chip.name;
}

// Which counters the hardware is to be set to, for these metrics.
Result<std::vector<std::uint8_t>> configure(const CuptiFunctions& f, void* host,
                                            std::vector<const char*>& names) {
  auto add = sized(&AddMetrics::count);
  add.host = host;
  add.metrics = names.data();
  add.count = names.size();
  WARPLENS_CUPTI_TRY(cuptiProfilerHostConfigAddMetrics, add);
  auto size = sized(&ImageSize::bytes);
  size.object = host;
  WARPLENS_CUPTI_TRY(cuptiProfilerHostGetConfigImageSize, size);
  std::vector<std::uint8_t> image(size.bytes);
  auto get = sized(&Image::data);
  get.object = host;
  get.bytes = image.size();
  get.data = image.data();
  WARPLENS_CUPTI_TRY(cuptiProfilerHostGetConfigImage, get);
  return image;
}

// Room for what is counted.
Result<std::vector<std::uint8_t>> counter_data(const CuptiFunctions& f, void* profiler,
                                               std::vector<const char*>& names) {
  auto size = sized(&CounterDataSize::bytes);
  size.profiler = profiler;
  size.metrics = names.data();
  size.count = names.size();
  WARPLENS_CUPTI_TRY(cuptiRangeProfilerGetCounterDataSize, size);
  std::vector<std::uint8_t> data(size.bytes);
  auto initialize = sized(&Image::data);
  initialize.object = profiler;
  initialize.bytes = data.size();
  initialize.data = data.data();
  WARPLENS_CUPTI_TRY(cuptiRangeProfilerCounterDataImageInitialize, initialize);
  return data;
}

// CUPTI itself repeats the kernel and puts its memory back where one pass is not enough.
Status run_passes(const CuptiFunctions& f, void* profiler, const std::function<Status()>& launch) {
  auto of_profiler = sized(&Of::object);
  of_profiler.object = profiler;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    WARPLENS_CUPTI_TRY(cuptiRangeProfilerStart, of_profiler);
    const Status launched = launch();
    auto stop = sized(&Stop::all_passes);
    stop.profiler = profiler;
    WARPLENS_CUPTI_TRY(cuptiRangeProfilerStop, stop);
    if (!launched) return launched;
    if (stop.all_passes != 0) return Done{};
  }
  return Error{fmt::format("the counters were not complete after {} launches", kMostPasses), ""};
}

Result<std::vector<std::uint8_t>> collect(const CuptiFunctions& f, const CountedLaunch& counted,
                                          std::span<const std::uint8_t> config,
                                          std::vector<const char*>& names) {
  auto enable = sized(&Enable::profiler);
  enable.context = counted.context;
  WARPLENS_CUPTI_TRY(cuptiRangeProfilerEnable, enable);
  auto disable = sized(&Of::object);
  disable.object = enable.profiler;
  const Undo disabled([&] { f.cuptiRangeProfilerDisable(&disable); });
  auto data = counter_data(f, enable.profiler, names);
  if (!data) return data.error();
  auto set = sized(&SetConfig::target_level);
  set.profiler = enable.profiler;
  set.config_bytes = config.size();
  set.config = config.data();
  set.data_bytes = data->size();
  set.data = data->data();
  WARPLENS_CUPTI_TRY(cuptiRangeProfilerSetConfig, set);
  if (const Status run = run_passes(f, enable.profiler, counted.launch); !run) return run.error();
  auto decode = sized(&Decode::dropped);
  decode.profiler = enable.profiler;
  WARPLENS_CUPTI_TRY(cuptiRangeProfilerDecodeData, decode);
  if (decode.dropped != 0) return Error{"CUPTI counted more than one launch", ""};
  return data;
}

Result<std::vector<double>> evaluate(const CuptiFunctions& f, void* host, std::span<const std::uint8_t> data,
                                     std::vector<const char*>& names) {
  auto info = sized(&DataInfo::ranges);
  info.data = data.data();
  info.bytes = data.size();
  WARPLENS_CUPTI_TRY(cuptiRangeProfilerGetCounterDataInfo, info);
  if (info.ranges != 1)
    return Error{fmt::format("CUPTI counted {} launches instead of one", info.ranges), ""};
  std::vector<double> values(names.size());
  auto evaluation = sized(&Evaluate::values);
  evaluation.host = host;
  evaluation.data = data.data();
  evaluation.bytes = data.size();
  evaluation.metrics = names.data();
  evaluation.count = names.size();
  evaluation.values = values.data();
  WARPLENS_CUPTI_TRY(cuptiProfilerHostEvaluateToGpuValues, evaluation);
  return values;
}

}  // namespace

Cupti::Cupti() : functions_(std::make_unique<CuptiFunctions>()) {}

Cupti::~Cupti() {
  auto end = Head{.size = sizeof(Head)};
  if (functions_->cuptiProfilerDeInitialize != nullptr) functions_->cuptiProfilerDeInitialize(&end);
}

Result<std::unique_ptr<Cupti>> Cupti::open(const std::vector<std::filesystem::path>& folders) {
  void* library = open_toolkit_library(folders, kFileNames);
  if (library == nullptr)
    return Error{"NVIDIA's counting library CUPTI is not installed",
                 "install the CUDA toolkit or 'pip install nvidia-cuda-cupti'"};
  std::unique_ptr<Cupti> cupti(new Cupti);
  CuptiFunctions& f = *cupti->functions_;
  if (f.bind_to(library) != nullptr) {
    f.cuptiProfilerDeInitialize = nullptr;
    return Error{"this CUPTI is older than 12.6", "install a newer CUDA toolkit"};
  }
  auto begin = Head{.size = sizeof(Head)};
  WARPLENS_CUPTI_TRY(cuptiProfilerInitialize, begin);
  cupti->instructions_ = InstructionCounter::bind_to(library);
  return cupti;
}

Result<std::vector<double>> Cupti::count(const CountedLaunch& counted, std::span<const std::string> metrics,
                                         int launches) const {
  const CuptiFunctions& f = *functions_;
  std::vector<const char*> names;
  for (const std::string& metric : metrics) names.push_back(metric.c_str());
  const auto chip = chip_name(f, counted);
  if (!chip) return chip.error();
  auto host = sized(&HostInitialize::host);
  host.chip = *chip;
  WARPLENS_CUPTI_TRY(cuptiProfilerHostInitialize, host);
  auto of_host = sized(&Of::object);
  of_host.object = host.host;
  const Undo released([&] { f.cuptiProfilerHostDeinitialize(&of_host); });
  const auto config = configure(f, host.host, names);
  if (!config) return config.error();
  std::vector<double> least(names.size(), std::numeric_limits<double>::infinity());
  for (int launch = 0; launch < launches; ++launch) {
    const auto data = collect(f, counted, *config, names);
    if (!data) return data.error();
    const auto values = evaluate(f, host.host, *data, names);
    if (!values) return values.error();
    std::ranges::transform(least, *values, least.begin(), [](double a, double b) { return std::min(a, b); });
  }
  return least;
}

Result<std::vector<double>> Cupti::count_instructions(const CountedLaunch& counted,
                                                      std::span<const std::string> metrics) const {
  if (!instructions_)
    return Error{"this CUPTI has no counts of instructions", "install a newer CUDA toolkit"};
  const auto chip = chip_name(*functions_, counted);
  if (!chip) return chip.error();
  return instructions_->count(counted, *chip, metrics);
}

}  // namespace warplens::gpu
