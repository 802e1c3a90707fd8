// Tries to compile what was typed, beside the window and in another process, before the window shows it: no
// text that never ends reaches the window's own compiler, and every error is known, not the first alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/window/model/model.hpp"
#include "engine/base/latest_wins.hpp"
#include "engine/compile/trial.hpp"

namespace warplens::app {

class EditTrials {
 public:
  struct Ask {
    std::uint64_t version = 0;  // of the text
    std::string id, text;
    catalog::Values params, sizes;
    device::Device device;
  };
  struct Answer {
    std::uint64_t version = 0;
    std::vector<Error> errors;         // none: it compiles, or what is wrong shows without compiling
    std::optional<Error> failed = {};  // nothing was tried
  };

  // worker: see compile::TrialCompiler.
  EditTrials(std::vector<std::string> worker, std::function<void()> wake);

  void ask(Ask ask) { trials_.submit(std::move(ask)); }
  std::optional<Answer> take();

 private:
  compile::TrialCompiler compiler_;
  LatestWins<Ask, std::optional<Answer>> trials_;  // last: its thread uses the compiler
};

}  // namespace warplens::app
