#include "engine/gpu/driver/cupti_instructions.hpp"

#include <algorithm>
#include <cstdint>

#include "engine/base/shared_library.hpp"
#include "engine/gpu/driver/cupti_call.hpp"

namespace warplens::gpu {
namespace {

constexpr std::uint8_t kOfWholeGpu = 0;  // CUpti_SassMetrics_OutputGranularity

struct MetricDetails {
  std::uint64_t id = 0;
  const char* name = nullptr;
  const char* description = nullptr;
};
struct GetProperties {
  Head head;
  const char* chip = nullptr;
  const char* name = nullptr;
  MetricDetails metric;
};
struct MetricConfig {
  std::uint64_t id = 0;
  std::uint8_t granularity = kOfWholeGpu;
};
struct SetConfig {
  Head head;
  std::size_t count = 0;
  MetricConfig* configs = nullptr;
  std::uint32_t device = 0;
};
struct UnsetConfig {
  Head head;
  std::uint32_t device = 0;
};
struct Enable {
  Head head;
  Handle context = nullptr;
  std::uint8_t lazily = 0;
};
struct Disable {
  Head head;
  Handle context = nullptr;
  std::size_t dropped = 0;
};
struct DataProperties {
  Head head;
  Handle context = nullptr;
  std::size_t records = 0, instances = 0;
};
struct Value {
  std::uint64_t id = 0, value = 0;
};
// One patched instruction.
struct Record {
  Head head;
  std::uint32_t cubin = 0, function = 0;
  const char* function_name = nullptr;
  std::uint32_t offset = 0;
  Value* values = nullptr;
};
struct FlushData {
  Head head;
  Handle context = nullptr;
  std::size_t records = 0, instances = 0;
  Record* data = nullptr;
};

}  // namespace

#define INSTRUCTION_FUNCTIONS(F)                               \
  F(int, cuptiGetResultString, (int code, const char** text))  \
  F(int, cuptiSassMetricsGetProperties, (GetProperties*))      \
  F(int, cuptiSassMetricsSetConfig, (SetConfig*))              \
  F(int, cuptiSassMetricsUnsetConfig, (UnsetConfig*))          \
  F(int, cuptiSassMetricsEnable, (Enable*))                    \
  F(int, cuptiSassMetricsDisable, (Disable*))                  \
  F(int, cuptiSassMetricsGetDataProperties, (DataProperties*)) \
  F(int, cuptiSassMetricsFlushData, (FlushData*))

struct InstructionFunctions {
  WARPLENS_FUNCTION_TABLE(INSTRUCTION_FUNCTIONS)
  Status check(int code, std::string_view call) const {
    return check_cupti(cuptiGetResultString, code, call);
  }
};

namespace {

Result<std::vector<MetricConfig>> configs_of(const InstructionFunctions& f, const char* chip,
                                             std::span<const std::string> metrics) {
  std::vector<MetricConfig> configs;
  for (const std::string& metric : metrics) {
    auto get = sized(&GetProperties::metric);
    get.chip = chip;
    get.name = metric.c_str();
    WARPLENS_CUPTI_TRY(cuptiSassMetricsGetProperties, get);
    configs.push_back({.id = get.metric.id});
  }
  return configs;
}

// The sum over all instructions, of each metric.
Result<std::vector<double>> sums_of(const InstructionFunctions& f, Handle context,
                                    std::span<const MetricConfig> configs) {
  auto properties = sized(&DataProperties::instances);
  properties.context = context;
  WARPLENS_CUPTI_TRY(cuptiSassMetricsGetDataProperties, properties);
  std::vector<double> sums(configs.size());
  if (properties.records == 0) return sums;
  const std::size_t of_record = std::max(properties.instances, configs.size());
  std::vector<Value> values(properties.records * of_record);
  std::vector<Record> records(properties.records);
  for (std::size_t r = 0; r < records.size(); ++r) {
    records[r].head.size = sizeof(Record);
    records[r].values = values.data() + r * of_record;
  }
  auto flush = sized(&FlushData::instances);  // so the documentation has it: without the last
  flush.context = context;
  flush.records = properties.records;
  flush.instances = properties.instances;
  flush.data = records.data();
  WARPLENS_CUPTI_TRY(cuptiSassMetricsFlushData, flush);
  for (const Value& value : values) {
    const auto config = std::ranges::find(configs, value.id, &MetricConfig::id);
    if (config != configs.end())
      sums[static_cast<std::size_t>(config - configs.begin())] += static_cast<double>(value.value);
  }
  return sums;
}

}  // namespace

InstructionCounter::InstructionCounter() : functions_(std::make_unique<InstructionFunctions>()) {}
InstructionCounter::~InstructionCounter() = default;

std::unique_ptr<InstructionCounter> InstructionCounter::bind_to(void* library) {
  std::unique_ptr<InstructionCounter> counter(new InstructionCounter);
  return counter->functions_->bind_to(library) == nullptr ? std::move(counter) : nullptr;
}

Result<std::vector<double>> InstructionCounter::count(const CountedLaunch& counted, const char* chip,
                                                      std::span<const std::string> metrics) const {
  const InstructionFunctions& f = *functions_;
  auto configs = configs_of(f, chip, metrics);
  if (!configs) return configs.error();
  const auto device = static_cast<std::uint32_t>(counted.device);
  auto set = sized(&SetConfig::device);
  set.count = configs->size();
  set.configs = configs->data();
  set.device = device;
  WARPLENS_CUPTI_TRY(cuptiSassMetricsSetConfig, set);
  auto unset = sized(&UnsetConfig::device);
  unset.device = device;
  const Undo no_config([&] { f.cuptiSassMetricsUnsetConfig(&unset); });
  auto enable = sized(&Enable::lazily);
  enable.context = counted.context;
  WARPLENS_CUPTI_TRY(cuptiSassMetricsEnable, enable);
  auto disable = sized(&Disable::dropped);
  disable.context = counted.context;
  const Undo disabled([&] { f.cuptiSassMetricsDisable(&disable); });
  if (const Status launched = counted.launch(); !launched) return launched.error();
  return sums_of(f, counted.context, *configs);
}

}  // namespace warplens::gpu
