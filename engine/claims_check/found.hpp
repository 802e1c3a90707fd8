// What is found for one quantity, and what the measures look at.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/claims_check/check.hpp"
#include "engine/explain/claims/quantity.hpp"

namespace warplens::claims_check {

// Over all that the quantity is about: lanes, rows of lanes, warps, sectors, words.
struct Found {
  double least = 0, most = 0, mean = 0;
};
inline Found one(double value) { return {value, value, value}; }
// Nothing where there is none of them.
std::optional<Found> over(const std::vector<double>& values);

struct Subject {
  const run::Run& run;
  const Place& place;
  const explain::Claim& claim;
};
using Measured = std::optional<Found>;
using Measure = Measured (*)(const Subject&);

// Nothing for an access that the warp does not make.
std::optional<trace::Access> access_of(const Subject& s);
// Positions among the accesses of the block, in order: those of the warp.
std::vector<std::uint32_t> events_of_warp(const Subject& s);
// The array that the access's first lane is in, as the report lays it out; null outside of all.
const report::Face* array_of(const Subject& s, const trace::Access& access);
const report::Face* array_named(const Subject& s, const std::string& name);
std::vector<std::uint64_t> addresses_of(const trace::Access& access);  // of active lanes
bool is_shared(const trace::Access& access);

// By first principles: what the device does with one access, and the fewest that could do. Nothing for
// atomics, matrices and copies, whose rules are fits.
struct Cost {
  double units = 0, least = 0;  // sectors, or wavefronts
};
Cost cost_of(const trace::Access& access, const device::Device& device);
// Of shared memory: lanes next to each other that are served in one phase.
std::size_t lanes_together(const trace::Access& access, const device::Device& device);

struct Row {
  explain::Quantity quantity;
  Measure measure;
};
// Null if it cannot be measured.
Measure measure_of(explain::Quantity quantity);
std::vector<Row> access_measures();
std::vector<Row> block_measures();
std::vector<Row> kernel_measures();
std::vector<Row> instruction_measures();

}  // namespace warplens::claims_check
