#include "viz/figures/parts/terms.hpp"

#include <set>

#include "viz/scene/text_layout.hpp"

namespace warplens::figures {
namespace {

using namespace scene;

class Search {
 public:
  explicit Search(const TextMeasure& measure) : measure_(measure) {}

  void look_in(const Group& group, Point origin, double scale) {
    for (const Item& item : group.items) {
      if (const auto* inner = std::get_if<Group>(&item.shape))
        look_in(*inner, origin + inner->origin * scale, scale * inner->scale);
      const auto* text = std::get_if<TextShape>(&item.shape);
      if (text != nullptr && text->style.family == Family::text) look_at(*text, origin, scale);
    }
  }
  std::vector<SceneTerm> take() { return std::move(found_); }

 private:
  void look_at(const TextShape& shape, Point origin, double scale) {
    const auto places = explain::terms_in(shape.text);
    if (places.empty()) return;
    const PlacedText placed = place(shape, measure_);
    if (placed.text != shape.text) return;  // it was cut
    for (const explain::TermPlace& word : places) {
      if (!seen_.insert(word.term).second) continue;
      const std::string_view text = placed.text;
      const double before = measure_.width(text.substr(0, word.at), shape.style);
      const double wide = measure_.width(text.substr(word.at, word.length), shape.style);
      const Point left = origin + Point{placed.baseline.x + before, placed.box.y} * scale;
      found_.push_back({{left.x, left.y, wide * scale, placed.box.height * scale},
                        origin.y + (placed.baseline.y + 3.5) * scale,
                        word.term});
    }
  }

  const TextMeasure& measure_;
  std::set<const explain::Term*> seen_;
  std::vector<SceneTerm> found_;
};

}  // namespace

std::vector<SceneTerm> terms_in(const scene::Scene& scene, const scene::TextMeasure& measure) {
  Search search(measure);
  search.look_in(scene.root, scene.root.origin, scene.root.scale);
  return search.take();
}

}  // namespace warplens::figures
