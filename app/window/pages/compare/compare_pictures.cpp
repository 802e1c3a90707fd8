#include "app/window/pages/compare/compare_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/window/figure/figure_canvas.hpp"
#include "viz/figures/parts/parts.hpp"

namespace warplens::app {
namespace {

std::string name_of(const RunPlan& plan) {
  std::string text = plan.spec.title;
  for (const auto& [name, value] : plan.parameters) text += fmt::format("  {} = {}", name, value);
  return text;
}

}  // namespace

const scene::Scene* ComparePictures::picture(const Comparison& comparison, Side side,
                                             const std::string& figure, const figures::AccessOptions& access,
                                             scene::Size size, const scene::TextMeasure& measure) {
  Half& half = halves_[static_cast<std::size_t>(side)];
  const auto key_of = [&](Side one) {
    return Key{comparison.shared_run(one),
               figure,
               comparison.selection(one),
               comparison.trace_block(one),
               comparison.banks(one),
               access,
               size};
  };
  Key key = key_of(side), beside = key_of(side == Side::left ? Side::right : Side::left);
  if (key.run == nullptr) {
    half = {};
    return nullptr;
  }
  if (key != half.key || beside != half.beside || !half.scene) {
    const auto input_of = [&](const Key& of) {
      return FigureInput{*of.run, of.trace_block, of.selection, of.banks, size, measure, access};
    };
    FigureInput input = input_of(key);
    const bool both = beside.run != nullptr && beside.trace_block < beside.run->stories.size();
    const std::optional<FigureInput> other = both ? std::optional(input_of(beside)) : std::nullopt;
    if (other) input.beside = &*other;
    half.scene = draw_figure(figure, input);
    half.key = std::move(key), half.beside = std::move(beside);
  }
  return half.scene ? &*half.scene : nullptr;
}

std::optional<scene::Scene> ComparePictures::together() const {
  constexpr double head = 40, gap = 16;
  double width = -gap, height = 0;
  for (const Half& half : halves_) {
    if (!half.scene) return std::nullopt;
    width += half.scene->size.width + gap;
    height = std::max(height, half.scene->size.height);
  }
  scene::Scene both{{width, head + height}};
  double x = 0;
  for (const Half& half : halves_) {
    both.root.text({x + figures::margin, 28}, name_of(half.key.run->job.plan),
                   figures::within(figures::heading(), half.scene->size.width - 2 * figures::margin));
    scene::Group side = half.scene->root;
    side.origin = {x, head};
    side.clip = scene::Rect{0, 0, half.scene->size.width, half.scene->size.height};
    both.root.group(std::move(side));
    x += half.scene->size.width + gap;
  }
  const double middle = halves_[0].scene->size.width + gap / 2;
  both.root.line({middle, 12}, {middle, head + height - 12}, {theme::Token::line});
  return both;
}

}  // namespace warplens::app
