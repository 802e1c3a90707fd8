// The words of the glossary in a picture, so that a window can mark and explain them.
#pragma once

#include <vector>

#include "engine/explain/glossary/glossary.hpp"
#include "viz/scene/scene.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::figures {

struct SceneTerm {
  scene::Rect box;   // of the word, scene coordinates
  double below = 0;  // where a line below it stands
  const explain::Term* term = nullptr;
};
// Each word at its first place among the texts, in the order in which they are drawn; code has none.
std::vector<SceneTerm> terms_in(const scene::Scene& scene, const scene::TextMeasure& measure);

}  // namespace warplens::figures
