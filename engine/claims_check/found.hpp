// What is found for one quantity, and what the measures look at.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
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
  const Beside* beside = nullptr;
};
// Counted once for all sentences of a run that speak of it; each time where nobody keeps it. key: all that it
// depends on beside the run, and what it is.
template <class Make>
auto once(const Subject& s, const std::string& key, Make make) {
  using Made = decltype(make());
  if (s.beside == nullptr) return make();
  std::shared_ptr<const void>& known = s.beside->counted[key];
  if (known == nullptr) known = std::make_shared<const Made>(make());
  return *static_cast<const Made*>(known.get());
}
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

// By pc: executed behind a test that the source has further down, and only one way from there.
std::vector<bool> moved_behind_tests(const Subject& s);

// By first principles: what the device does with one access, and the fewest that could do. Nothing for
// atomics, matrices and copies, whose rules are fits.
struct Cost {
  double units = 0, least = 0;  // sectors, or wavefronts
};
Cost cost_of(const trace::Access& access, const run::Run& run);
// That use the shared memory of another block of the cluster: their addresses are beyond what an SM has.
std::uint32_t lanes_elsewhere(const trace::Access& access);
// Of shared memory: lanes next to each other that are served in one phase.
std::size_t lanes_together(const trace::Access& access, const device::Device& device);

struct Row {
  explain::Quantity quantity;
  Measure measure;
};
// Null if it cannot be measured.
Measure measure_of(explain::Quantity quantity);
std::vector<Row> about_measures();
std::vector<Row> access_measures();
std::vector<Row> block_measures();
std::vector<Row> kernel_measures();
std::vector<Row> instruction_measures();
std::vector<Row> step_measures();
std::vector<Row> time_measures();
std::vector<Row> gain_measures();
std::vector<Row> device_measures();
std::vector<Row> figure_measures();
std::vector<Row> flow_measures();
std::vector<Row> role_measures();
std::vector<Row> rounding_measures();
std::vector<Row> step_time_measures();
std::vector<Row> ladder_measures();
std::vector<Row> choice_measures();
std::vector<Row> tensor_measures();
std::vector<Row> tile_measures();

// Of the step that the run's is judged against; null where it is not known.
const Beside::Step* other_step(const Subject& s);
const Beside::Step* own_step(const Subject& s);
const Beside::Step* step_named(const Subject& s, const std::string& kernel);
// As predicted from the run; null where it is not known.
const time::Prediction* predicted(const Subject& s);
// Of a unit, "idle", "starts" or "atomics", of the time; nothing of another name.
std::optional<double> busy_share(const time::Prediction& prediction, const std::string& name);
// Empty: the model gives this cause the share that is claimed, and it carries half of the change, alone or
// with another one of these.
std::string wrong_in_cause(const Subject& subject, const explain::Claims& all);

}  // namespace warplens::claims_check
