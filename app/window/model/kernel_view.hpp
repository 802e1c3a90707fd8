// One kernel under the user's hands: its sliders, its newest run or why there is none, and the accesses of
// one warp. The ladder has one, a comparison two. What is chosen is in the state, and is handed in.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/latest_wins.hpp"
#include "engine/catalog/choices.hpp"
#include "engine/run/runner.hpp"

namespace warplens::app {

// A slider: a parameter, its values, and which of them are legal beside the others.
struct Slider {
  catalog::Parameter parameter;
  std::vector<catalog::Choice> choices;
  std::int64_t value = 0;
};
// One for each parameter of the kernel, at these values or else their defaults.
std::vector<Slider> sliders_at(catalog::Choices& choices, const catalog::Values& values);

class KernelView {
 public:
  // What is chosen of a kernel, for the time of a call.
  struct Choice {
    const catalog::KernelSpec& spec;
    const catalog::Values& params;
    const catalog::Values& sizes;
    const device::Device& device;
  };

  // wake: called from a worker when there is something to draw. pause: see LatestWins.
  KernelView(std::shared_ptr<run::Runner> runner, std::function<void()> wake,
             std::chrono::milliseconds pause = {});

  // Asks for a run with the nearest values that the device takes, unless that was asked for last.
  void ask(const Choice& choice, std::uint64_t block);
  bool is_asked(const Choice& choice, std::uint64_t block) const;
  const run::Request* asked() const { return asked_ ? &*asked_ : nullptr; }
  void run_again() { again_ = true; }  // the next ask() runs what was asked for last too
  // Records that the run has this block, if it does not have the one that was asked for.
  void settle_block(std::uint64_t block);
  void cancel();
  bool is_cancelled() const { return is_cancelled_; }  // and not asked for again
  // A frame with the newest answer was given to the renderer.
  void note_frame() { runs_->shown(); }

  // Takes what the worker finished; true if there was something. If there is no run for this device, a run of
  // another device is dropped.
  bool take();
  // If the newest run had to take other values because of the device, sets params to these values and returns
  // a sentence that says so; else returns an empty text.
  std::string follow(catalog::Values& params);

  // The newest run, which may be older than what was asked for; null before the first.
  const run::SharedRun& run() const { return run_; }
  // Why what was asked for has no run, or where it stopped: judged is that run as it is shown, or null.
  std::optional<Error> error(const run::Run* judged) const;
  void fail(Error error) { error_ = std::move(error); }
  bool is_answered() const { return is_answered_; }  // the run is of what was asked for
  std::optional<double> busy_seconds() const { return runs_->busy_seconds(); }

  // Brings the sliders up to date; true if they have changed.
  bool refresh_sliders(const Choice& choice);
  // Does the same after compiling ahead of time has shown which values the device takes.
  bool learn_limits(const Choice& choice);
  const std::vector<Slider>& sliders() const { return sliders_; }
  bool has_sliders() const { return choices_.has_value(); }
  void forget_sliders() { choices_.reset(), sliders_.clear(); }

  // The accesses of a warp in a block of this run, or in the recorded one that is nearest.
  void look_at(const run::SharedRun& run, std::uint64_t block, std::uint32_t warp);
  // The accesses, as positions in the trace's list of events.
  const std::vector<std::uint32_t>& events() const { return events_; }
  std::size_t trace_block() const { return trace_block_; }

  // Keeps the parameters of the kernel that is left; returns those that this kernel had when it was left.
  catalog::Values change_kernel(const std::string& left, const catalog::Values& params,
                                const std::string& id);

 private:
  struct SlidersOf {
    std::string kernel, code, device;
    catalog::Values sizes;
    bool operator==(const SlidersOf&) const = default;
  };
  catalog::Limits limits(const Choice& choice) const;

  std::shared_ptr<run::Runner> runner_;
  std::function<void()> wake_;
  std::unique_ptr<LatestWins<run::Request, Result<run::SharedRun>>> runs_;
  std::optional<run::Request> asked_;
  std::optional<Result<run::SharedRun>> kept_;  // that was there when it was asked for
  bool again_ = false, is_answered_ = false, is_cancelled_ = false;
  run::SharedRun run_;
  std::optional<Error> error_;
  std::optional<catalog::Choices> choices_;
  SlidersOf choices_of_;
  catalog::Values sliders_of_;
  std::uint64_t limits_known_ = 0;  // the runner's known().version() that the sliders are of
  std::vector<Slider> sliders_;
  std::vector<std::uint32_t> events_;
  std::size_t trace_block_ = 0;
  std::map<std::string, catalog::Values> remembered_;
};

}  // namespace warplens::app
