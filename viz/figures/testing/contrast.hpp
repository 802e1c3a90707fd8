// For the tests of figures: whether a scene can be read, in both themes, on what was drawn below each text
// and each mark. WCAG 2.1, 1.4.3 and 1.4.11: 4.5 for text, 3 for marks that mean something.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "viz/scene/scene.hpp"
#include "viz/scene/text_layout.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::figures {

class Contrast {
 public:
  Contrast(const scene::Scene& scene, const theme::Theme& theme, const scene::TextMeasure& measure)
      : theme_(theme), measure_(measure), ground_(scene::resolve(scene.background, theme)) {
    look_at(scene.root, {}, 1);
  }

 private:
  struct Fill {
    scene::Rect box;
    theme::Rgba color;
    bool is_mark = false;
  };

  static theme::Rgba over(theme::Rgba top, theme::Rgba below) {
    const double a = top.a / 255.0;
    const auto mix = [&](std::uint8_t x, std::uint8_t y) {
      return static_cast<std::uint8_t>(a * x + (1 - a) * y + 0.5);
    };
    return {mix(top.r, below.r), mix(top.g, below.g), mix(top.b, below.b)};
  }
  // What was drawn at a point so far. Nothing under an image, whose colours the scene does not know.
  std::optional<theme::Rgba> below(scene::Point at) const {
    theme::Rgba color = ground_;
    for (const Fill& fill : fills_)
      if (fill.box.contains(at)) color = over(fill.color, color);
    for (const scene::Rect& image : images_)
      if (image.contains(at)) return std::nullopt;
    return color;
  }

  bool is_on_mark(scene::Point at) const {
    const auto last = std::ranges::find_if(fills_.rbegin(), fills_.rend(),
                                           [&](const Fill& f) { return f.box.contains(at); });
    return last != fills_.rend() && last->is_mark;
  }

  // Grounds, lines and text are none; washes have an edge, which is what is seen of them.
  static bool is_mark(const scene::Color& color) {
    constexpr double wash = 0.3;
    return !color.fixed && color.token >= scene::Token::first_thread && color.alpha > wash;
  }

  void look_at(const scene::Group& group, scene::Point origin, double scale) {
    const scene::Point at = origin + group.origin * scale;
    const double inner = scale * group.scale;
    const auto placed = [&](const scene::Rect& r) {
      return scene::Rect{at.x + r.x * inner, at.y + r.y * inner, r.width * inner, r.height * inner};
    };
    for (const scene::Item& item : group.items) {
      if (const auto* nested = std::get_if<scene::Group>(&item.shape)) look_at(*nested, at, inner);
      if (const auto* image = std::get_if<scene::ImageShape>(&item.shape))
        images_.push_back(placed(image->rect));
      if (const auto* rect = std::get_if<scene::RectShape>(&item.shape); rect && rect->style.fill) {
        const scene::Rect box = placed(rect->rect);
        const bool mark = is_mark(*rect->style.fill);
        // Marks on each other differ in more than lightness.
        if (mark && !is_on_mark(box.center()))
          check(box.center(), *rect->style.fill, 3, item.id + " " + item.title);
        fills_.push_back({box, scene::resolve(*rect->style.fill, theme_), mark});
      }
      if (const auto* text = std::get_if<scene::TextShape>(&item.shape); text && !text->text.empty())
        check(placed(scene::place(*text, measure_).box).center(), text->style.color, 4.5, text->text);
    }
  }

  void check(scene::Point at, const scene::Color& color, double least, const std::string& what) const {
    const auto ground = below(at);
    if (!ground) return;
    const theme::Rgba seen = over(scene::resolve(color, theme_), *ground);
    if (seen == *ground) return;  // of the same colour as what it lies on, and part of it
    EXPECT_GE(theme::contrast(seen, *ground), least - 0.005)
        << theme_.name << ": '" << what << "' at " << at.x << ", " << at.y;
  }

  const theme::Theme& theme_;
  const scene::TextMeasure& measure_;
  theme::Rgba ground_;
  std::vector<Fill> fills_;
  std::vector<scene::Rect> images_;
};

inline void expect_contrast(const scene::Scene& scene, const scene::TextMeasure& measure) {
  for (const theme::Theme* theme : {&theme::dark(), &theme::light()}) Contrast(scene, *theme, measure);
}

}  // namespace warplens::figures
