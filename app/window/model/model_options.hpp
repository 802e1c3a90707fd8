// What a model is opened with; and a kernel's text as it stands in the editor, saved or not, which is shown
// and run in place of its file's.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/window/model/gpu_runs.hpp"
#include "engine/catalog/kernel_spec.hpp"

namespace warplens::app {

struct EditedText {
  std::string id;             // the path of its file, which may not be there yet
  std::string original = {};  // the kernel of the program that it is a copy of; empty: none
  std::string text = {};
  std::string saved = {};  // what the file has; empty: there is none, or it is a copy
};

struct EditedKernel {
  std::string original;
  catalog::KernelSpec spec;                  // of the newest text that could be read
  std::optional<catalog::KernelSpec> saved;  // to compare it with; its id is no file's
};

// What the saved text of an edited kernel is called, beside the edited one.
inline std::string saved_id(const std::string& id) { return id + " (saved)"; }

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
