// The threads of a block by what they do where they have roles: who has tiles copied, who multiplies, who has
// tiles taken out. A row for each warp, instead of the lanes of one.
#pragma once

#include "engine/explain/roles.hpp"
#include "viz/figures/parts/look.hpp"
#include "viz/scene/scene.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::figures {

scene::Scene roles_scene(const explain::Roles& roles, Look look, scene::Size size,
                         const scene::TextMeasure& measure);

}  // namespace warplens::figures
