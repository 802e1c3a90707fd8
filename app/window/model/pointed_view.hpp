// What the pointer is on in a picture of a run that is not the model's own: of one of two that are compared.
#pragma once

#include <string_view>

#include "app/window/model/pointed.hpp"

namespace warplens::app {

// The access that a picture shows. block: a position in the run's trace.
struct PointedView {
  const run::Run* run = nullptr;  // null: nothing is shown
  std::size_t block = 0;
  Selection selection = {};
};

// As pointed_at() of a model.
Pointed pointed_at(const PointedView& view, std::string_view id);

}  // namespace warplens::app
