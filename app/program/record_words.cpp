#include "app/program/record_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "app/gpu/time_text.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/text.hpp"

namespace warplens::app {

std::string seconds_words(double seconds) { return seconds <= 0 ? "-" : time_words(seconds); }

std::string long_time_words(double seconds) {
  if (seconds == 3600) return "an hour";
  if (seconds == 1) return "a second";
  const bool in_minutes = seconds >= 120 && std::fmod(seconds, 60) == 0;
  return fmt::format("{:g} {}", in_minutes ? seconds / 60 : seconds, in_minutes ? "minutes" : "seconds");
}

std::string shape_words(const std::array<std::uint32_t, 3>& of) {
  if (of[2] > 1) return fmt::format("{}x{}x{}", of[0], of[1], of[2]);
  return of[1] > 1 ? fmt::format("{}x{}", of[0], of[1]) : fmt::format("{}", of[0]);
}

// "18,750 (1.00)": and how many times the ideal.
std::string over_ideal(std::uint64_t count, std::uint64_t ideal) {
  if (count == 0) return "-";
  return ideal == 0 ? grouped(count)
                    : fmt::format("{} ({:.2f})", grouped(count),
                                  static_cast<double>(count) / static_cast<double>(ideal));
}

std::uint64_t sectors(const emulator::Counts& counts) {
  return counts.global_load.sectors + counts.global_store.sectors;
}
std::uint64_t ideal_sectors(const emulator::Counts& counts) {
  return counts.global_load.ideal_sectors + counts.global_store.ideal_sectors;
}
std::uint64_t wavefronts(const emulator::Counts& counts) {
  return counts.shared_load.wavefronts + counts.shared_store.wavefronts;
}
std::uint64_t ideal_wavefronts(const emulator::Counts& counts) {
  return counts.shared_load.ideal_wavefronts + counts.shared_store.ideal_wavefronts;
}

std::string launches_words(const program::KernelRecord& kernel) {
  if (kernel.sampled > 0) return fmt::format("{} (sampled)", grouped(kernel.launches));
  return kernel.repeats == 0 ? grouped(kernel.launches)
                             : fmt::format("{} ({} run)", grouped(kernel.launches),
                                           grouped(kernel.launches - kernel.repeats));
}

std::string wavefronts_words(const program::KernelRecord& kernel) {
  const std::string words = over_ideal(wavefronts(kernel.counts), ideal_wavefronts(kernel.counts));
  const bool is_guess = wavefronts(kernel.counts) > 0 && kernel.vectorized_as_in_cubin == false;
  return is_guess ? words + ", a guess" : words;
}

std::string finding_words(const program::KernelRecord& kernel) {
  if (!kernel.not_executed.empty()) return "not executed";
  if (!kernel.findings.empty()) return std::string(check::name(kernel.findings.front().kind));
  return kernel.checked_blocks == 0 ? "not checked" : "none";
}

std::string shape_words(const program::Shape& shape) {
  return shape_words(shape.grid) + " x " + shape_words(shape.block);
}

std::string place_words(const Place& place) {
  if (place.file.empty()) return "-";
  return fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line);
}

std::string copies_words(const program::ProgramRecord& record) {
  std::vector<std::string> parts;
  for (std::size_t d = 0; d < kDirections.size(); ++d)
    if (const auto& one = record.copies[d]; one.copies > 0)
      parts.push_back(
          fmt::format("{} {} ({} bytes)", grouped(one.copies), kDirections[d], grouped(one.bytes)));
  return parts.empty() ? "" : fmt::format("copies: {}", fmt::join(parts, ", "));
}

std::string host_fault_words(const program::ProgramRecord& record) {
  return record.host_access.empty()
             ? ""
             : fmt::format(
                   "the host's own code used a device pointer ({}), as no GPU allows; copy with cudaMemcpy",
                   record.host_access);
}

std::vector<std::string> not_executed_words(const program::ProgramRecord& record) {
  std::vector<std::string> words;
  for (std::size_t k = 0; k < record.kernels.size(); ++k) {
    const program::KernelRecord& kernel = record.kernels[k];
    if (kernel.not_executed.empty()) continue;
    std::uint64_t launches = 0, first = 0;
    for (std::size_t l = 0; l < record.launches.size(); ++l)
      if (record.launches[l].kernel == k && record.launches[l].ran == program::Ran::not_executed &&
          launches++ == 0)
        first = l + 1;
    const std::string which = launches == 0 ? "launches"
                              : launches == 1
                                  ? fmt::format("launch {}", first)
                                  : fmt::format("launch {} and {} more", first, grouped(launches - 1));
    words.push_back(fmt::format(
        "error: not executed, so what the program says is not its result: {}, of {}, {}: {}", which,
        printable(kernel.title), shape_words(kernel.shape), printable(kernel.not_executed)));
  }
  return words;
}

std::vector<std::string> notes_of(const program::ProgramRecord& record) {
  std::vector<std::string> notes;
  if (!record.host_access.empty()) notes.push_back(host_fault_words(record));
  if (record.lost_print_bytes > 0)
    notes.push_back(
        fmt::format("{} bytes that kernels printed were not shown, as on a GPU; call cudaDeviceSynchronize() "
                    "before the end",
                    grouped(record.lost_print_bytes)));
  for (const auto& [name, library] : record.libraries)
    notes.push_back(fmt::format("{}: {} calls, computed on this processor, neither counted nor predicted",
                                printable(name), library.calls));
  for (const std::string& name : record.not_emulated)
    notes.push_back(fmt::format("not emulated: {}", printable(name)));
  for (std::string& words : not_executed_words(record)) notes.push_back(std::move(words));
  for (const std::string& problem : record.problems)
    notes.push_back(fmt::format("not understood: {}", printable(problem)));
  for (const program::KernelRecord& kernel : record.kernels)
    if (!kernel.not_checked.empty())
      notes.push_back(fmt::format("{}: not checked: {}", kernel.title, kernel.not_checked));
  if (std::ranges::any_of(record.kernels, [](const auto& kernel) { return kernel.sampled > 0; }))
    notes.emplace_back(
        "--sample: of large launches some blocks ran alone, so what the program computes and says is not its "
        "result");
  return notes;
}

std::vector<FoundIn> findings_of(const program::ProgramRecord& record) {
  std::vector<FoundIn> all;
  for (std::size_t k = 0; k < record.kernels.size(); ++k)
    for (const check::Finding& finding : record.kernels[k].findings) {
      const std::string place = to_string(Place{finding.file, finding.line, 0});
      all.push_back({k, &finding,
                     fmt::format("{}{}{}: {}, in {}: {}", place, place.empty() ? "" : ": ",
                                 check::name(finding.severity), check::name(finding.kind),
                                 record.kernels[k].title, printable(finding.message))});
    }
  return all;
}

}  // namespace warplens::app
