// The one way to ask what can be known of a run: for callers that wait Library::now(), for the window Inquiry::of(), once a frame.
//
//   study::Library library(runner);
//   const study::Known known = library.now({.run = run}, {study::Fact::payoffs, study::Fact::schedule});
//
// Each thing is found out once and kept by what it is of: text, parameters, sizes, device and recorded blocks, never by a pointer.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/cancel.hpp"
#include "engine/base/memo.hpp"
#include "engine/explain/against.hpp"
#include "engine/run/runner.hpp"
#include "engine/sass/nvdisasm.hpp"
#include "engine/study/facts.hpp"

namespace warplens::study {

// The run's step among those that it is taught with. What it points to must live while it is asked about.
struct StepOf {
  std::vector<const catalog::KernelSpec*> steps = {};
  std::size_t here = 0;  // position of the run's step
  // Position of the step that another one is judged against; empty: there is none.
  std::function<std::optional<std::size_t>(std::size_t)> judged_against = {};
  catalog::Ladder taught = {};
  const measured::RecordedSpeeds* recorded = nullptr;  // on the run's device; null: nothing is

  std::optional<std::size_t> other() const { return judged_against ? judged_against(here) : std::nullopt; }
};

// Two launches of which is asked why one is quicker.
struct Launches {
  run::Request step, other;
  std::optional<double> times = {};  // the speed over that of the other, measured; empty: by the model
  std::string called = {};           // the other: "step 2"
};

struct Question {
  run::SharedRun run = {};             // null: nothing is known of it
  std::size_t block = 0;               // a position in its trace
  std::uint32_t warp = 0;              // of that block
  const StepOf* ladder = nullptr;      // null: it is of none
  const Launches* launches = nullptr;  // of Fact::against; null: there is no other
};

class Library {
 public:
  struct Options {
    bool in_background = false;  // behind what somebody waits for: on one thread, and giving way to runs
    sass::Disassembler::Options disassembler = {};
  };
  explicit Library(std::shared_ptr<run::Runner> runner) : Library(std::move(runner), Options()) {}
  Library(std::shared_ptr<run::Runner> runner, Options options);
  // The runner must outlive this.
  Library(run::Runner& runner, Options options)
      : Library(std::shared_ptr<run::Runner>(std::shared_ptr<void>(), &runner), std::move(options)) {}

  // Waits. What was cancelled is null.
  Known now(const Question& question, Facts facts, const std::atomic<bool>& cancel = kNeverCancelled);

  run::Runner& runner() const { return *runner_; }
  const std::shared_ptr<run::Runner>& shared_runner() const { return runner_; }
  explain::Sides& sides() { return sides_; }
  bool in_background() const { return options_.in_background; }
  SharedListing list(const run::Run& run);

  // For an Inquiry: what is kept of a fact under its key, and what a worker has to do to find it out.
  std::optional<Known> kept(Fact fact, const std::string& key) { return memo(fact).kept(key); }
  void keep(Fact fact, const std::string& key, Known known) { memo(fact).keep(key, std::move(known)); }
  Asked<Known>::Job job(Fact fact, const std::string& key, const Question& question);

 private:
  Memo<Known>& memo(Fact fact) { return *memos_[static_cast<std::size_t>(fact)]; }

  std::shared_ptr<run::Runner> runner_;
  Options options_;
  explain::Sides sides_;
  std::array<std::unique_ptr<Memo<Known>>, kFacts> memos_;
  std::mutex disassembling_;  // guards the next
  sass::Disassembler disassembler_;
};

// What is asked of the runs that one place shows, polled once a frame. The newest question about a fact wins.
class Inquiry {
 public:
  // wake: called from workers when there is more to know; may be empty.
  Inquiry(std::shared_ptr<Library> library, std::function<void()> wake);
  // What is known by now.
  Known of(const Question& question, Facts facts);
  // Whether one of these was still being found out when of() last returned. What a worker found since then nobody has seen: it is
  // awaited still, though nobody is at work on it.
  bool is_awaited(Facts facts) const { return awaited_ - facts != awaited_; }
  // Nobody waits for this any more: what is known of it stays, the rest is found out when somebody asks again.
  void rest(Fact fact) { slot(fact).rest(), awaited_ = awaited_ - fact; }
  // How long the oldest of these has been at work; empty if none is.
  std::optional<double> busy_seconds(Facts facts) const;
  std::optional<double> busy_seconds() const;
  Library& library() const { return *library_; }

 private:
  Asked<Known>& slot(Fact fact) { return *slots_[static_cast<std::size_t>(fact)]; }

  std::shared_ptr<Library> library_;
  std::array<std::unique_ptr<Asked<Known>>, kFacts> slots_;
  Facts awaited_;
};

// Of two runs of which the same can be known, the same.
std::string key_of(const run::Run& run);
// The key of a fact; empty: nothing can be known of it yet, or at all.
std::string key_of(Fact fact, const Question& question);

}  // namespace warplens::study
