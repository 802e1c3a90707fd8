#include "app/window/kit/scene_painter.hpp"

namespace warplens::app {

ScenePainter::ScenePainter(std::shared_ptr<const paint::Fonts> fonts)
    : fonts_(std::move(fonts)), painter_(fonts_, textures_) {}

void ScenePainter::begin_frame() {
  textures_.next_frame();
  painter_.begin_frame();
}

void ScenePainter::end_frame() { painter_.end_frame(); }

}  // namespace warplens::app
