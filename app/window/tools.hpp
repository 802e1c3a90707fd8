// What the window's tools keep from frame to frame: the comparison, the playground and what lies over them.
#pragma once

#include "app/window/actions/palette.hpp"
#include "app/window/pages/compare/compare_model.hpp"
#include "app/window/pages/compare/compare_pictures.hpp"
#include "app/window/pages/playground/playground_model.hpp"
#include "app/window/platform/clipboard.hpp"

namespace warplens::app {

struct Tools {
  Tools(Model& model, std::shared_ptr<const paint::Fonts> fonts)
      : comparison(model, {}), copier(std::move(fonts)) {}

  Comparison comparison;
  ComparePictures pictures;
  Playground playground;
  Palette palette;
  bool help_is_open = false;
  Copier copier;
};

}  // namespace warplens::app
