#include "app/window/model/machine_code.hpp"

namespace warplens::app {

void choose_instruction(Model& model, int pc) {
  const run::Run* run = model.run();
  if (run == nullptr || pc < 0 || static_cast<std::size_t>(pc) >= run->instructions.size()) return;
  Selection& selection = model.state.selection;
  const std::size_t count = model.events().size();
  for (std::size_t i = 1; i <= count; ++i) {
    const std::size_t at = (selection.shown_step() + i) % count;
    if (run->trace->pc(model.trace_block(), model.events()[at]) != static_cast<std::uint32_t>(pc)) continue;
    selection.step = static_cast<std::uint32_t>(at);
    selection.line = 0;
    return;
  }
  model.choose_line(run->instructions[static_cast<std::size_t>(pc)].line);
}

}  // namespace warplens::app
