// From what `warplens export` is told to what the figure is drawn from. Prints nothing.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "app/base/workspace.hpp"
#include "app/commands/export_options.hpp"
#include "engine/base/cancel.hpp"
#include "engine/study/study.hpp"
#include "viz/figures/figure.hpp"

namespace warplens::app {

// What whoever asks wants to hear of on the way.
struct PictureTelling {
  std::function<std::shared_ptr<const void>()> at_work = [] { return nullptr; };  // kept while a kernel runs
  std::function<void()> wrong = [] {};                                            // its result is wrong
  std::function<void(const run::Run&)> notice = [](const run::Run&) {};  // of the run as it is judged
  std::function<void(const Error&)> warning = [](const Error&) {};
};

struct PictureSources {
  const Workspace& workspace;
  const ExportOptions& options;
  const figures::Figure& figure;
  study::Library& library;
  bool is_film = false;
  PictureTelling tell = {};
  // Draws the recorded blocks of a run that is not kept yet, where those alone can be run; the totals, and
  // what they say, are of the whole run.
  bool is_early = false;
  const std::atomic<bool>& cancel = kNeverCancelled;
};

// Whether its picture needs no more than the recorded blocks: nothing that is found out of the whole run.
bool is_drawn_early(const figures::Figure& figure);

// Errors: options that are not legal, what does not compile or run, what the figure has nothing to draw of.
Result<figures::Subject> subject_of(const PictureSources& sources);

}  // namespace warplens::app
