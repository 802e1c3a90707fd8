// A kernel at other sizes and with other data than it was asked for, to see whether it is right there as
// well.
#pragma once

#include <set>
#include <string>

#include "engine/check/finding.hpp"
#include "engine/run/run.hpp"

namespace warplens::run {

struct Trial {
  bool possible = false;  // the kernel file takes these sizes, and it would not take long
  bool right = false, unwritten = false;
  std::string what;  // went wrong
  int line = 0;
  check::ThreadPlace at;
};

using Fixed = std::set<std::string>;

class Trials {
 public:
  // job, kernel: must outlive it. tried: every trial that ran is added.
  // is_unknown: nobody has said what is right.
  Trials(const Job& job, const emulator::Kernel& kernel, Tried& tried, bool is_unknown = false);

  Trial at(const catalog::Values& sizes, problem::Pattern pattern = problem::Pattern::random) const;
  // The same where it takes no longer than some milliseconds, or a few.
  Trial cheap_at(const catalog::Values& sizes, problem::Pattern pattern = problem::Pattern::random) const;
  Trial quick_at(const catalog::Values& sizes, problem::Pattern pattern = problem::Pattern::random) const;
  // As cheap_at(), on the way to somewhere else: it is not added to what was tried.
  Trial search_at(const catalog::Values& sizes) const;
  // Sizes of which the file takes no other value.
  const Fixed& fixed() const { return fixed_; }
  std::size_t free() const { return job_.plan.sizes.size() - fixed_.size(); }
  // A grid in numbers is for the sizes that it was launched with, and for smaller ones.
  bool may_grow() const { return may_grow_; }
  // No larger than those that were asked for, where they may not be: multiples of `unit`, odd ones if they
  // can be.
  catalog::Values capped(catalog::Values sizes, std::int64_t unit) const;
  // What its sizes have to do with each other is not known then.
  bool is_of_unknown() const { return is_unknown_; }
  // Whether the grid is the file's, in numbers.
  bool is_as_launched() const;
  // Of a trial that went wrong.
  check::Finding finding(const Trial& trial, check::Kind kind, std::string message, std::string fix) const;

  const Job& job() const { return job_; }
  const emulator::Kernel& kernel() const { return kernel_; }

 private:
  struct Limits {
    double operations;
    std::uint64_t threads, bytes, instructions;  // of all warps
    bool is_noted = true;
  };
  void look_at(const problem::Instance& instance, const Plan& plan, Trial& trial) const;
  bool takes_long(const problem::Instance& instance, const catalog::LaunchShape& launch,
                  std::uint64_t instructions) const;
  Trial at(const catalog::Values& sizes, problem::Pattern pattern, const Limits& limits) const;
  void note(const catalog::Values& sizes) const;

  const Job& job_;
  const emulator::Kernel& kernel_;
  Tried& tried_;
  Fixed fixed_;
  bool may_grow_ = true, is_unknown_ = false;
};

std::uint64_t threads_of(const catalog::LaunchShape& launch);

// Where to begin to look for a mistake that only the output shows: of elements that are wrong the line whose
// arithmetic is executed most, of elements that nobody wrote the condition before the last store.
int line_to_begin(const ptx::Function& function, const emulator::Counters& counters, bool unwritten);

}  // namespace warplens::run
