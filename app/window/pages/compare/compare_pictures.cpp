#include "app/window/pages/compare/compare_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.hpp"
#include "viz/figures/parts/parts.hpp"

namespace warplens::app {
namespace {

std::string name_of(const run::Plan& plan) {
  std::string text = plan.spec.title;
  for (const auto& [name, value] : plan.parameters) text += fmt::format("  {} = {}", name, value);
  return text;
}

}  // namespace

const scene::Scene* ComparePictures::picture(Comparison& comparison, Side side,
                                             const PerformanceData& performance, scene::Size size,
                                             const scene::TextMeasure& measure, const Audience& audience) {
  const figures::Figure& figure = comparison.figure();
  Half& half = halves_[static_cast<std::size_t>(side)];
  const auto key_of = [&](Side one) {
    const catalog::KernelSpec* spec = comparison.spec(one);
    const bool hides = spec != nullptr && audience.will_guess(spec->id);
    Key key{&figure, comparison.subject(one, performance, audience.look, audience.is_guessing, hides), size};
    key.subject.with_number = !audience.reads_cost;
    return key;
  };
  Key key = key_of(side), beside = key_of(side == Side::left ? Side::right : Side::left);
  if (key.subject.run == nullptr) {
    half = {};
    return nullptr;
  }
  if (key != half.key || beside != half.beside || !half.scene) {
    half.scene.reset(), half.says.clear();
    if (key.subject.is_recorded()) {
      figures::Subject subject = key.subject;
      if (beside.subject.is_recorded()) subject.beside = &beside.subject;
      half.scene = figures::draw_or_say(figure, subject, size, measure);
      if (audience.reads_cost && !audience.is_guessing && !figures::is_message(*half.scene))
        half.says = sentence(figures::what_it_says(figure, subject).explanation.what);
    }
    half.key = std::move(key), half.beside = std::move(beside);
  }
  return half.scene ? &*half.scene : nullptr;
}

std::optional<figures::Subject> ComparePictures::subject(const Half& half) const {
  if (!half.scene || figures::is_message(*half.scene) || !half.key.subject.is_recorded()) return std::nullopt;
  figures::Subject subject = half.key.subject;
  if (half.beside.subject.is_recorded()) subject.beside = &half.beside.subject;
  return subject;
}

std::optional<figures::Pick> ComparePictures::pick(Side side, scene::Point at,
                                                   const scene::TextMeasure& measure) const {
  const Half& half = halves_[static_cast<std::size_t>(side)];
  const auto shown = subject(half);
  return shown ? figures::pick(*half.key.figure, *shown, *half.scene, measure, at) : std::nullopt;
}

std::vector<scene::Rect> ComparePictures::places(Side side, std::span<const figures::CellId> cells,
                                                 const scene::TextMeasure& measure) const {
  const Half& half = halves_[static_cast<std::size_t>(side)];
  const auto shown = subject(half);
  return shown ? figures::places(*half.key.figure, *shown, *half.scene, measure, cells)
               : std::vector<scene::Rect>();
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
    both.root.text({x + figures::kMargin, 28}, name_of(half.key.subject.run->plan()),
                   figures::within(figures::heading(), half.scene->size.width - 2 * figures::kMargin));
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
