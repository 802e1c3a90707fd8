// What a model is opened with.
#pragma once

#include <functional>
#include <optional>

#include "app/window/model/edited.hpp"
#include "app/window/model/gpu_runs.hpp"

namespace warplens::app {

struct ModelOptions {
  std::function<void()> wake = {};  // called from workers when there is something to draw
  // Where somebody waits for the newest run: the other steps of the ladder, and what is compiled ahead of
  // time, leave it the processor.
  bool gives_way = false;
  // How the process that uses GPUs is started; nothing: none is looked for.
  std::optional<gpu::Client::Options> gpu_worker = {};
  std::optional<EditedText> edited = {};  // the state's kernel as it was typed, where it was never saved
};

}  // namespace warplens::app
