#include "app/gpu/gpu_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "engine/base/speed.hpp"

namespace warplens::app {
namespace {

std::string milliseconds(double seconds) { return fmt::format("{:.5g} ms", seconds * 1e3); }

std::string describe(const gpu::Statistics& s) {
  return fmt::format("median {} (10 % {}, 90 % {}, least {}) of {} samples of {} launch{}",
                     milliseconds(s.median), milliseconds(s.p10), milliseconds(s.p90), milliseconds(s.least),
                     s.samples, s.launches_per_sample, s.launches_per_sample == 1 ? "" : "es");
}

std::string describe(const gpu::Conditions& c) {
  if (c.readings == 0) return "not known";
  return fmt::format(
      "{:.0f} MHz (lowest {:.0f}), memory {:.0f} MHz, {:.0f} W of {:.0f}, {:.0f} C, held back by {}",
      c.clock_mhz, c.lowest_clock_mhz, c.memory_clock_mhz, c.power_watts, c.power_limit_watts,
      c.temperature_celsius,
      c.throttle_reasons.empty() ? "nothing" : fmt::format("{}", fmt::join(c.throttle_reasons, ", ")));
}

Json of_device(const gpu::GpuDevice& device) {
  return {{"index", device.index},
          {"name", device.name},
          {"compute_capability",
           fmt::format("{}.{}", device.compute_capability / 10, device.compute_capability % 10)},
          {"multiprocessors", device.multiprocessors},
          {"clock_mhz", device.clock_mhz},
          {"memory_clock_mhz", device.memory_clock_mhz},
          {"memory_bus_bits", device.memory_bus_bits},
          {"memory_bytes", device.memory_bytes},
          {"l2_bytes", device.l2_bytes},
          {"shared_per_block_optin", device.shared_per_block_optin}};
}

}  // namespace

double gflops(const run::GpuReport& report, const gpu::Statistics& statistics) {
  return statistics.median > 0 ? report.operations / statistics.median * 1e-9 : 0;
}

measured::Rate rate_of(const run::GpuReport& report) {
  const double operations = gflops(report, report.timing.kernel);
  const double bytes =
      report.timing.kernel.median > 0 ? report.least_bytes / report.timing.kernel.median * 1e-9 : 0;
  if (!is_told_in_operations(operations, bytes)) return {bytes, kBytes};
  return {operations, report.has_whole_results ? kWholeNumbers : kFloatingPoint};
}

Json to_json(const gpu::Statistics& s) {
  return {{"median_seconds", s.median},   {"p10_seconds", s.p10},
          {"p90_seconds", s.p90},         {"least_seconds", s.least},
          {"samples", s.samples},         {"launches_per_sample", s.launches_per_sample},
          {"uncertainty", s.uncertainty}, {"sample_seconds", s.seconds}};
}

Json to_json(const gpu::Conditions& c) {
  if (c.readings == 0) return nullptr;
  return {{"clock_mhz", c.clock_mhz},
          {"lowest_clock_mhz", c.lowest_clock_mhz},
          {"memory_clock_mhz", c.memory_clock_mhz},
          {"power_watts", c.power_watts},
          {"power_limit_watts", c.power_limit_watts},
          {"temperature_celsius", c.temperature_celsius},
          {"held_back_by", c.throttle_reasons}};
}

Json to_json(const run::GpuReport& report) {
  const gpu::Timing& timing = report.timing;
  Json json = {
      {"chip", report.device},
      {"driver", report.driver},
      {"cuda", cuda_version_name(report.cuda_version)},
      {"timing", to_json(timing.kernel)},
      {"overall_seconds", timing.overall_seconds},
      {"gb_per_second", timing.kernel.median > 0 ? report.least_bytes / timing.kernel.median * 1e-9 : 0},
      {"repeatable", timing.repeatable},
      {"checked_elements", report.checked_elements},
      {"conditions", to_json(timing.conditions)},
      {"cublas", nullptr}};
  if (timing.cublas) {
    Json cublas = to_json(*timing.cublas);
    cublas["version"] = timing.cublas_name;
    cublas["gflops"] = gflops(report, *timing.cublas);
    cublas["verified"] = report.cublas_verified.value_or(false);
    json["cublas"] = std::move(cublas);
  }
  if (!report.not_checked.empty()) json["not_checked"] = report.not_checked;
  return json;
}

std::vector<TextRow> to_rows(const run::GpuReport& report) {
  const gpu::Timing& timing = report.timing;
  std::vector<TextRow> rows = {
      {"chip",
       fmt::format("{}, driver {}", report.device, report.driver.empty() ? "not known" : report.driver)},
      {"kernel time", describe(timing.kernel)},
      {"overall",
       fmt::format("{} with the data to the GPU and the result back", milliseconds(timing.overall_seconds))},
      {"throughput",
       fmt::format("{:.1f} GB/s of the bytes that any kernel must move",
                   timing.kernel.median > 0 ? report.least_bytes / timing.kernel.median * 1e-9 : 0)},
      {"clocks", describe(timing.conditions)}};
  if (!timing.repeatable)
    rows.push_back({"warning", "the last launch left another result than the first: a race?"});
  if (timing.cublas) {
    rows.push_back({"cuBLAS", fmt::format("{:.1f} {}, {}; {}", gflops(report, *timing.cublas),
                                          report.has_whole_results ? kWholeNumbers : kFloatingPoint,
                                          timing.cublas_name, describe(*timing.cublas))});
  } else if (!timing.cublas_name.empty()) {
    rows.push_back({"cuBLAS", timing.cublas_name});
  }
  if (!report.not_checked.empty())
    rows.push_back({"accesses", "not checked on the GPU: " + report.not_checked});
  return rows;
}

Json system_json(const gpu::System& system) {
  Json devices = Json::array();
  for (const auto& device : system.devices) devices.push_back(of_device(device));
  return {{"devices", devices},
          {"driver", system.driver},
          {"cuda", cuda_version_name(system.cuda_version)},
          {"reason", system.reason}};
}

std::string cuda_version_name(int version) {
  return version == 0 ? "" : fmt::format("{}.{}", version / 1000, version / 10 % 100);
}

}  // namespace warplens::app
