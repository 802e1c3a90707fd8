// Which step of a ladder is on screen, and which one it is judged against.
#pragma once

#include <cstddef>
#include <optional>

namespace warplens::app {

class Model;

// Of the state's kernel among the steps of its ladder; how many there are where it is none of them.
std::size_t step_index(const Model& model);
// As catalog::judged_against(); of a copy that is edited its original.
std::optional<std::size_t> judged_against(const Model& model, std::size_t index);

}  // namespace warplens::app
