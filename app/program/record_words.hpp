// What a program's launches came to, in the words of the report and of the window.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/program/host_lines.hpp"
#include "engine/program/program_record.hpp"

namespace warplens::app {

std::uint64_t sectors(const emulator::Counts& counts);
std::uint64_t ideal_sectors(const emulator::Counts& counts);
std::uint64_t wavefronts(const emulator::Counts& counts);
std::uint64_t ideal_wavefronts(const emulator::Counts& counts);
// "18,750 (1.00)": and how many times the ideal; "-": there are none.
std::string over_ideal(std::uint64_t count, std::uint64_t ideal);

std::string seconds_words(double seconds);                        // "-" where there is no time
std::string long_time_words(double seconds);                      // "an hour", "90 minutes", "45 seconds"
std::string shape_words(const std::array<std::uint32_t, 3>& of);  // "16x16"
std::string shape_words(const program::Shape& shape);             // "196 x 256"
std::string launches_words(const program::KernelRecord& kernel);  // "301 (2 run)"
std::string wavefronts_words(
    const program::KernelRecord& kernel);                        // as over_ideal(), "a guess" where they are
std::string finding_words(const program::KernelRecord& kernel);  // the worst one's; "none", "not checked"
std::string place_words(const Place& place);                     // "main.cu:57"; "-": not known

std::string copies_words(
    const program::ProgramRecord& record);  // "copies: 2 to the device (...)"; empty: none
// Launches that the emulator does not understand, a sentence a kernel and shape. They are errors, among the notes too.
std::vector<std::string> not_executed_words(const program::ProgramRecord& record);
// What else is to be known of it, a sentence each: what was not emulated, understood or checked.
std::vector<std::string> notes_of(const program::ProgramRecord& record);

struct FoundIn {
  std::size_t kernel = 0;  // of the record
  const check::Finding* finding = nullptr;
  std::string line;  // "scale.cu:12: error: out-of-bounds, in scale: ..."
};
// What the host's own code did that no GPU allows, among the notes too; empty: nothing.
std::string host_fault_words(const program::ProgramRecord& record);
std::vector<FoundIn> findings_of(const program::ProgramRecord& record);

// Of protocol::Direction: "to the device".
inline constexpr std::array<const char*, 4> kDirections = {"to the device", "to the host", "on the device",
                                                           "on the host"};

}  // namespace warplens::app
