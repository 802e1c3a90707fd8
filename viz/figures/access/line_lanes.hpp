// Which lanes of the chosen warp execute a line that makes no access: a row for each turn of its loop,
// instead of the access figure.
#pragma once

#include "engine/explain/explain.hpp"
#include "viz/figures/access/access.hpp"

namespace warplens::figures {

scene::Scene line_scene(const run::Run& run, const Place& place, const AccessOptions& options,
                        scene::Size size, const scene::TextMeasure& measure);
// "24 of 32 lanes wait at the test on line 31".
explain::Explanation line_words(const run::Run& run, const Place& place);
// Whether the scene has a row for each warp of a block whose threads have roles.
bool shows_roles(const run::Run& run, const Place& place);
// Whether the scene counts the instructions of the lines, as these are what the run costs.
bool shows_instructions(const run::Run& run, const Place& place);

}  // namespace warplens::figures
