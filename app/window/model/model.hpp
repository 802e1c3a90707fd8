// What the window knows, without anything drawn: state, catalog, the newest run, and the workers that bring
// them up to date. Panels edit `state`; update() notices and asks the workers.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/workspace.hpp"
#include "app/state/state.hpp"
#include "app/window/model/gpu_runs.hpp"
#include "app/window/model/judged_run.hpp"
#include "app/window/model/kernel_view.hpp"
#include "app/window/model/ladder_traffic.hpp"
#include "app/window/model/model_options.hpp"
#include "app/window/model/pointed.hpp"
#include "engine/base/latest_wins.hpp"
#include "engine/catalog/ladders.hpp"
#include "engine/run/runner.hpp"

namespace warplens::app {

class Model {
 public:
  // Errors: no kernel folder or device table, an unknown kernel or device in the state.
  static Result<std::unique_ptr<Model>> open(const CommonOptions& common, State state, ModelOptions options);

  State state;
  Pointing pointing;  // what the pointer is on
  // Takes what the workers finished and asks for what the state now needs. True where anything changed.
  bool update();
  void note_frame() { was_drawn_ = true; }  // the renderer has what the last update() took
  void look_for_changes();                  // of kernel files, on a worker
  const std::vector<std::string>& ladders() const { return ladders_; }
  std::string ladder() const;                             // of the state's kernel: "matmul"
  std::vector<const catalog::KernelSpec*> steps() const;  // of that ladder
  const catalog::Ladders& taught() const { return taught_; }
  const catalog::KernelSpec& spec() const { return spec_; }
  const catalog::Catalog& catalog() const { return catalog_; }
  std::shared_ptr<run::Runner> runner() const { return runner_; }  // for other views too, on their workers
  // What can be known of runs beside them, for all parts of the window.
  const std::shared_ptr<study::Library>& library() const { return library_; }
  const std::function<void()>& wake() const { return wake_; }  // by workers, for a frame; may be empty
  const device::DeviceTable& device_table() const { return devices_; }
  const device::Device& device() const { return device_; }
  const std::vector<Slider>& sliders() const { return view_->sliders(); }
  std::vector<std::pair<std::string, std::int64_t>> sizes() const;  // in the order of the problem
  // What steps move at the state's size: all steps if they are on screen, else those that may come next.
  const LadderTraffic& ladder_traffic() const { return *ladder_traffic_; }
  void count_steps(bool all, bool with_time);
  const std::filesystem::path& home() const { return home_; }  // of kernels and assets
  // The newest run, see JudgedRun; null before the first. It may be older than the state (is_current()), or a
  // preview whose counts follow. Its accesses are the GPU's where the state asks for them and they are there.
  const run::Run* run() const { return pictured_.get(); }
  run::SharedRun shared_run() const { return pictured_; }
  const run::SharedRun& counted_run() const { return counted_; }  // without what the checkers found
  bool is_checking() const { return judged_->is_busy(); }
  std::optional<Error> error() const { return view_->error(pictured_.get()); }  // no run, or where it stopped
  // Says that the device takes other values than the state's, which were used, and why; empty if it does not.
  const std::string& gave_way() const { return gave_way_; }
  void note(std::string text) { note_ = std::move(text); }  // the same once, with those of other views
  std::optional<std::string> take_note() { return std::exchange(note_, {}); }
  bool is_current() const;  // whether the run, a preview perhaps, is that of the state
  std::optional<double> busy_seconds() const { return view_->busy_seconds(); }  // of an incomplete run
  void cancel() { view_->cancel(); }
  bool is_cancelled() const { return view_->is_cancelled(); }

  // What the chosen one made of the newest run where the state's engine is gpu.
  const GpuRuns& gpus() const { return *gpus_; }
  // The GPU's answer for the run on screen; null until it has come, and if no GPU was asked.
  const GpuAnswer* gpu_answer() const;
  void choose_gpu(int index);  // the engine becomes it, the rules those of its compute capability
  // The accesses of the chosen warp in the chosen block, as positions in the trace's list of events.
  const std::vector<std::uint32_t>& events() const { return view_->events(); }
  std::size_t trace_block() const { return view_->trace_block(); }
  std::uint32_t shown_access() const;           // the chosen one, or the nearest that the open figure shows
  std::optional<trace::Access> access() const;  // that one, which every part of the window shows
  std::uint64_t blocks() const;
  std::uint32_t warps() const;
  void choose_ladder(const std::string&name), choose_kernel(const std::string&id);
  void choose_step(std::ptrdiff_t away);  // the next (1) or previous (-1) kernel of the ladder
  void set_parameter(const std::string&name, std::int64_t value),
      set_size(const std::string&name, std::int64_t value);
  void choose_device(const std::string& id);  // the engine becomes the emulator
  void run_again();
  // Shows this text as the kernel of its id. Error: it is no kernel file; what was shown stays.
  Status show_text(const EditedText& text);
  // Shows a launch of a program, whose spec has it (catalog::RecordedLaunch). Error: as find_problem(); nothing changes.
  Status show_launch(catalog::KernelSpec launch);
  const catalog::KernelSpec* launch() const;  // that one, where the state's kernel is it; else null
  // The state without what only this window can know: a launch is there again when its program has run.
  State state_to_keep() const;
  const CommonOptions& common() const { return common_; }
  const EditedKernel* edited() const { return edited_ ? &*edited_ : nullptr; }
  // A kernel of the catalog, the edited one, or the saved text of that. Error: as Catalog::find.
  Result<catalog::KernelSpec> find(std::string_view id) const;
  Status adopt(State next);  // Error: an unknown kernel or device; nothing changes then
  // The next access behind the chosen one that comes from this line, or from what it calls; round the end.
  void choose_line(int line), choose_warp(std::uint32_t warp);  // a warp without accesses too
  void move_step(std::ptrdiff_t by);

 private:
  Model() = default;
  void start_workers(compile::Compiler compiler);
  Status adopt_kernel();
  KernelView::Choice choice() const { return {spec_, state.params, state.size, device_}; }
  void refresh_events(), refresh_step();
  void adopt_catalog(catalog::Catalog catalog);
  Status read_text(const EditedText& text);
  void ask_for_run(), note_move(), compile_ahead(), ask_for_traffic(), ask_gpu();
  bool take_run(), take_answers(), choose_pictured(), opens_elsewhere() const;
  CommonOptions common_;
  std::filesystem::path home_;
  catalog::Catalog catalog_;
  catalog::Ladders taught_;
  device::DeviceTable devices_;
  std::vector<std::string> ladders_;
  catalog::KernelSpec spec_;
  std::optional<EditedKernel> edited_;
  std::optional<catalog::KernelSpec> launch_;  // that was shown last
  std::string kernel_before_;                  // the state's, before any was
  problem::SharedProblem problem_ = nullptr;
  device::Device device_;
  std::unique_ptr<KernelView> view_;
  run::SharedRun counted_, pictured_;  // its run, or the same with the GPU's accesses; and as it is judged
  std::unique_ptr<JudgedRun> judged_;
  std::optional<std::string> note_;
  std::string gave_way_;
  Selection shown_;                                                        // what events() was made for
  std::optional<std::pair<Selection, std::optional<ptx::Space>>> opened_;  // and in which memory
  std::uint32_t last_step_ = 0;                                            // of the newest run
  double asked_again_ = 0;  // when, in seconds, until that run is there; 0: it is
  std::function<void()> wake_;
  bool gives_way_ = false, counts_all_ = false, counts_time_ = false, moved_up_ = false;
  bool was_drawn_ = false, ahead_is_due_ = false;        // see note_frame; compile_ahead, once all is drawn
  bool opened_on_preview_ = false, is_looking_ = false;  // no new look before its answer was taken
  std::string moved_;  // the slider that was moved last; empty where something else changed
  std::shared_ptr<run::Runner> runner_;
  std::shared_ptr<study::Library> library_;
  std::unique_ptr<LadderTraffic> ladder_traffic_;
  std::unique_ptr<LatestWins<int, std::optional<catalog::Catalog>>> files_;
  std::unique_ptr<GpuRuns> gpus_;
  GpuRuns::Asked gpu_asked_;
};

}  // namespace warplens::app
