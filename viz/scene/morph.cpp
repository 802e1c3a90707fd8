#include "viz/scene/morph.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

namespace warplens::scene {

// An item of either picture, or of both; of groups in both, what is inside.
struct Morph::Node {
  const Item* from = nullptr;
  const Item* to = nullptr;
  // Beside another that has the same partner: it goes to its place while it fades, or comes from there.
  enum class Way : std::uint8_t { whole, folds, unfolds } way = Way::whole;
  std::vector<Node> inside = {};
};

namespace {

double mixed(double a, double b, double t) { return a + (b - a) * t; }
Point mixed(Point a, Point b, double t) { return {mixed(a.x, b.x, t), mixed(a.y, b.y, t)}; }
Rect mixed(const Rect& a, const Rect& b, double t) {
  return {mixed(a.x, b.x, t), mixed(a.y, b.y, t), mixed(a.width, b.width, t), mixed(a.height, b.height, t)};
}

// --- fading

void fade(Color& color, double by) { color.alpha *= by; }
void fade(Style& style, double by) {
  if (style.fill) fade(*style.fill, by);
  if (style.stroke) fade(style.stroke->color, by);
}
void fade(Group& group, double by);
struct Fade {
  double by;
  void operator()(RectShape& s) const { fade(s.style, by); }
  void operator()(LineShape& s) const { fade(s.stroke.color, by); }
  void operator()(PathShape& s) const { fade(s.style, by); }
  void operator()(TextShape& s) const { fade(s.style.color, by); }
  void operator()(ImageShape& s) const { s.alpha *= by; }
  void operator()(Group& s) const { fade(s, by); }
};
void fade(Group& group, double by) {
  for (Item& item : group.items) std::visit(Fade{by}, item.shape);
}

// Words go at once: half faded they stand in the way of those that come.
void drop_texts(Group& group) {
  std::erase_if(group.items, [](const Item& item) { return std::holds_alternative<TextShape>(item.shape); });
  for (Item& item : group.items)
    if (auto* inside = std::get_if<Group>(&item.shape)) drop_texts(*inside);
}

// What is on its way out is nothing to point at any more.
void forget_names(Item& item) {
  item.id.clear(), item.title.clear();
  if (auto* group = std::get_if<Group>(&item.shape))
    for (Item& inside : group->items) forget_names(inside);
}
void leave(Item& item) {
  forget_names(item);
  if (auto* group = std::get_if<Group>(&item.shape)) drop_texts(*group);
}

// Moves the words of a group out of it, into `words` with its place and clip, where nothing that is on its
// way passes over them.
void lift_words(Group& group, Group& words) {
  std::vector<Item> shapes;
  for (Item& item : group.items) {
    if (std::holds_alternative<TextShape>(item.shape)) {
      words.items.push_back(std::move(item));
      continue;
    }
    if (auto* inside = std::get_if<Group>(&item.shape)) {
      Group lifted;
      lifted.origin = inside->origin, lifted.scale = inside->scale;
      lifted.clip = inside->clip, lifted.clip_radius = inside->clip_radius;
      lift_words(*inside, lifted);
      if (!lifted.items.empty()) words.items.push_back({std::move(lifted)});
    }
    shapes.push_back(std::move(item));
  }
  group.items = std::move(shapes);
}

// --- counting

struct Number {
  double value = 0;
  int decimals = 0;
  bool has_commas = false;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The number that begins at `at`, which is moved behind it. Commas stand before three digits.
Number read_number(std::string_view text, std::size_t& at) {
  Number number;
  std::string digits;
  bool after_point = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    const bool digit_follows = at + 1 < text.size() && is_digit(text[at + 1]);
    if (is_digit(c)) {
      digits += c;
      number.decimals += after_point ? 1 : 0;
    } else if (c == ',' && digit_follows && !after_point && at + 3 < text.size() && is_digit(text[at + 2]) &&
               is_digit(text[at + 3])) {
      number.has_commas = true;
    } else if (c == '.' && digit_follows && !after_point) {
      digits += c, after_point = true;
    } else {
      break;
    }
  }
  number.value = std::strtod(digits.c_str(), nullptr);
  return number;
}

std::string written(const Number& number) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", number.decimals, number.value);
  std::string digits = text;
  if (!number.has_commas) return digits;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t i = point; i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

// The text with '#' for each number; the numbers go behind.
std::string pattern_of(std::string_view text, std::vector<Number>& numbers) {
  std::string pattern;
  for (std::size_t at = 0; at < text.size();)
    if (is_digit(text[at]))
      pattern += '#', numbers.push_back(read_number(text, at));
    else
      pattern += text[at++];
  return pattern;
}

// Without the letter by which "32 sectors" and "1 sector" differ.
std::string singular(std::string_view pattern) {
  const auto is_letter = [&](std::size_t at) {
    return at < pattern.size() && std::isalpha(static_cast<unsigned char>(pattern[at])) != 0;
  };
  std::string text;
  for (std::size_t at = 0; at < pattern.size(); ++at)
    if (pattern[at] != 's' || at == 0 || !is_letter(at - 1) || is_letter(at + 1)) text += pattern[at];
  return text;
}

// --- which items belong together

// Of an item without an id: what it looks like, apart from its colours.
std::string look_of(const Item& item, bool by_words) {
  const auto number = [](double value) { return std::to_string(std::lround(value * 8)) + " "; };
  const auto point = [&](Point p) { return number(p.x) + number(p.y); };
  const auto box = [&](const Rect& r) { return point({r.x, r.y}) + number(r.width) + number(r.height); };
  struct Look {
    const decltype(number)& num;
    const decltype(point)& at;
    const decltype(box)& in;
    bool by_words;
    std::string operator()(const RectShape& s) const { return "r" + in(s.rect); }
    std::string operator()(const LineShape& s) const { return "l" + at(s.from) + at(s.to); }
    std::string operator()(const PathShape& s) const {
      std::string text = "p";
      for (const Segment& segment : s.path.segments) text += at(segment.to);
      return text;
    }
    std::string operator()(const TextShape& s) const {
      return by_words ? "w" + s.text
                      : "t" + at(s.at) + num(s.style.size) + num(static_cast<double>(s.style.anchor));
    }
    std::string operator()(const ImageShape& s) const { return "i" + in(s.rect); }
    std::string operator()(const Group&) const { return "g"; }
  };
  return std::visit(Look{number, point, box, by_words}, item.shape);
}

std::string key_of(const Item& item, bool by_words) {
  const std::string kind = std::to_string(item.shape.index());
  return item.id.empty() ? kind + look_of(item, by_words) : kind + "#" + item.id;
}

// Of a text: its words, whatever its numbers are.
std::string words_of(const Item& item) {
  std::vector<Number> ignored;
  return singular(pattern_of(std::get<TextShape>(item.shape).text, ignored));
}

bool is_worth_following(const Item& item) {
  const auto* text = std::get_if<TextShape>(&item.shape);
  constexpr std::size_t least = 5;  // numbers and the like stand in many places
  return text != nullptr && item.id.empty() && text->text.size() >= least;
}

// "sector" of "sector:1284": what has no partner of its own id stands for others of its kind. A rectangle
// without an id stands for the others of its group where that has one: the marks in the row of a lane.
std::string kind_of(const Item& item, bool in_named) {
  if (in_named && item.id.empty() && std::holds_alternative<RectShape>(item.shape)) return "rect";
  const auto colon = item.id.find(':');
  if (colon == std::string::npos) return "";
  return std::to_string(item.shape.index()) + item.id.substr(0, colon);
}

// Which items of two groups belong together.
template <class Node>
class Pairing {
 public:
  Pairing(const Group& from, const Group& to, bool in_named = false)
      : from_(from), to_(to), in_named_(in_named), of_from_(from.items.size()), of_to_(to.items.size()) {
    match([](const Item& item) { return key_of(item, false); });
    match([](const Item& item) { return is_worth_following(item) ? key_of(item, true) : ""; });
    match([](const Item& item) { return is_worth_following(item) ? words_of(item) : ""; });
    fold_kinds();
  }

  // What goes stands below what comes.
  std::vector<Node> nodes() {
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < of_from_.size(); ++i)
      if (of_from_[i] == nullptr) nodes.push_back({&from_.items[i], nullptr});
    nodes.insert(nodes.end(), extras_.begin(), extras_.end());
    for (std::size_t i = 0; i < of_to_.size(); ++i) {
      Node node{of_to_[i], &to_.items[i]};
      if (std::ranges::any_of(unfolding_, [&](std::size_t u) { return u == i; }))
        node.way = Node::Way::unfolds;
      if (node.from != nullptr)
        if (const auto* inside = std::get_if<Group>(&node.to->shape))
          node.inside = Pairing(std::get<Group>(node.from->shape), *inside, !node.to->id.empty()).nodes();
      nodes.push_back(std::move(node));
    }
    return nodes;
  }

 private:
  void join(std::size_t f, std::size_t t) { of_from_[f] = &to_.items[t], of_to_[t] = &from_.items[f]; }

  // Those of one key in the order in which they stand; an empty key is none.
  template <class Key>
  void match(Key key) {
    std::map<std::string, std::vector<std::size_t>> open;
    for (std::size_t t = to_.items.size(); t-- > 0;)
      if (of_to_[t] == nullptr) open[key(to_.items[t])].push_back(t);
    for (std::size_t f = 0; f < from_.items.size(); ++f) {
      const std::string name = of_from_[f] == nullptr ? key(from_.items[f]) : "";
      const auto found = open.find(name);
      if (name.empty() || found == open.end() || found->second.empty()) continue;
      join(f, found->second.back());
      found->second.pop_back();
    }
  }

  // 32 sectors that become 4 others: eight go to the place of one; and the other way round.
  void fold_kinds() {
    std::map<std::string, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> kinds;
    for (std::size_t f = 0; f < of_from_.size(); ++f)
      if (of_from_[f] == nullptr) kinds[kind_of(from_.items[f], in_named_)].first.push_back(f);
    for (std::size_t t = 0; t < of_to_.size(); ++t)
      if (of_to_[t] == nullptr) kinds[kind_of(to_.items[t], in_named_)].second.push_back(t);
    kinds.erase("");
    for (const auto& [kind, both] : kinds) {
      const auto& [goes, comes] = both;
      if (goes.empty() || comes.empty()) continue;
      for (std::size_t i = 0; i < std::max(goes.size(), comes.size()); ++i) {
        const std::size_t f = goes.size() >= comes.size() ? goes[i] : goes[i * goes.size() / comes.size()],
                          t = comes.size() >= goes.size() ? comes[i] : comes[i * comes.size() / goes.size()];
        if (of_to_[t] == nullptr && of_from_[f] == nullptr) {
          join(f, t);
        } else if (of_to_[t] == nullptr) {
          of_to_[t] = &from_.items[f];
          unfolding_.push_back(t);
        } else {
          of_from_[f] = &to_.items[t];
          extras_.push_back(extra(f, t));
        }
      }
    }
  }

  // Its inside stays what it is: it is on its way out.
  Node extra(std::size_t f, std::size_t t) const {
    return {&from_.items[f], &to_.items[t], Node::Way::folds};
  }

  const Group &from_, &to_;
  bool in_named_;                             // the two have an id
  std::vector<const Item*> of_from_, of_to_;  // the partner of each item; null: none
  std::vector<std::size_t> unfolding_;        // of `to`
  std::vector<Node> extras_;
};

// --- the way of one item

// Where the coordinates of a group begin on the scene, and their size.
struct Frame {
  Point origin;
  double scale = 1;
  Point on_scene(Point p) const { return origin + p * scale; }
  Frame inside(Point at, double by) const { return {on_scene(at), scale * by}; }
};

// Of the way. with_rest: with what is on its way out. now, there: of the group that is drawn, on its way and
// where it goes to.
struct Share {
  double of = 0;
  bool with_rest = true;
  Frame now = {}, there = {};
  operator double() const { return of; }
  // Of the second picture, at its place there although its group is still on the way.
  Point settled(Point p) const { return (there.on_scene(p) - now.origin) * (1 / now.scale); }
};

// One style on the way; empty if the two cannot be joined, as with two colours.
std::optional<Style> mixed(const Style& a, const Style& b, const Share& t) {
  const auto same = [](const Color& x, const Color& y) { return x.token == y.token && x.fixed == y.fixed; };
  if (a.fill.has_value() != b.fill.has_value() || a.stroke.has_value() != b.stroke.has_value())
    return std::nullopt;
  Style style = b;
  if (a.fill) {
    if (!same(*a.fill, *b.fill)) return std::nullopt;
    style.fill->alpha = mixed(a.fill->alpha, b.fill->alpha, t);
  }
  if (a.stroke) {
    if (!same(a.stroke->color, b.stroke->color) || a.stroke->dash != b.stroke->dash) return std::nullopt;
    style.stroke->color.alpha = mixed(a.stroke->color.alpha, b.stroke->color.alpha, t);
    style.stroke->width = mixed(a.stroke->width, b.stroke->width, t);
  }
  return style;
}

bool is_solid(const Style& style) { return style.fill && style.fill->alpha >= 1; }

// A shape at its place on the way, in the look of either picture: the second over the first.
template <class Shape>
void add_both(Group& out, const Item& name, Shape first, Shape second, const Share& t, bool covers) {
  if (t.with_rest) {
    Fade{covers ? 1 : 1 - t}(first);
    Fade{t}(second);
    out.items.push_back({std::move(first)});
  }
  out.items.push_back({std::move(second), name.id, name.title});
}

void add(Group& out, const Item& name, const RectShape& a, const RectShape& b, const Share& t) {
  RectShape shape{mixed(a.rect, b.rect, t), mixed(a.radius, b.radius, t), b.style};
  if (const auto style = mixed(a.style, b.style, t)) {
    shape.style = *style;
    out.items.push_back({std::move(shape), name.id, name.title});
    return;
  }
  RectShape first = shape;
  first.style = a.style;
  add_both(out, name, std::move(first), std::move(shape), t, is_solid(a.style) && is_solid(b.style));
}

void add(Group& out, const Item& name, const LineShape& a, const LineShape& b, const Share& t) {
  LineShape shape{mixed(a.from, b.from, t), mixed(a.to, b.to, t), b.stroke};
  if (const auto style = mixed(Style{.stroke = a.stroke}, Style{.stroke = b.stroke}, t)) {
    shape.stroke = *style->stroke;
    out.items.push_back({std::move(shape), name.id, name.title});
    return;
  }
  LineShape first = shape;
  first.stroke = a.stroke;
  add_both(out, name, std::move(first), std::move(shape), t, false);
}

void add(Group& out, const Item& name, const PathShape& a, const PathShape& b, const Share& t) {
  const auto& from = a.path.segments;
  PathShape first = a, second = b;
  const bool alike = std::ranges::equal(from, b.path.segments, {}, &Segment::kind, &Segment::kind);
  for (std::size_t i = 0; alike && i < from.size(); ++i) {
    Segment& segment = second.path.segments[i];
    segment.to = mixed(from[i].to, segment.to, t);
    segment.control_1 = mixed(from[i].control_1, segment.control_1, t);
    segment.control_2 = mixed(from[i].control_2, segment.control_2, t);
  }
  if (alike) first.path = second.path;
  const auto style = alike ? mixed(a.style, b.style, t) : std::nullopt;
  if (style) {
    second.style = *style;
    out.items.push_back({std::move(second), name.id, name.title});
    return;
  }
  add_both(out, name, std::move(first), std::move(second), t,
           alike && is_solid(a.style) && is_solid(b.style));
}

// Words are at their place at once, and in their last form; only numbers are on the way. A colour comes over
// the other one.
void add(Group& out, const Item& name, const TextShape& a, const TextShape& b, const Share& t) {
  TextShape shape = b;
  shape.at = t.settled(b.at);
  if (counts_to(a.text, b.text)) {
    shape.text = counted_text(a.text, b.text, t);
    if (!(a.style.color == b.style.color) && t.with_rest) {
      TextShape first = shape;
      first.style.color = a.style.color;
      out.items.push_back({std::move(first)});
      fade(shape.style.color, t);
    }
  }
  out.items.push_back({std::move(shape), name.id, name.title});
}

void add(Group& out, const Item& name, const ImageShape& a, const ImageShape& b, const Share& t) {
  ImageShape first = a, second = b;
  first.rect = second.rect = mixed(a.rect, b.rect, t);
  if (a.pixels->fingerprint == b.pixels->fingerprint) {
    out.items.push_back({std::move(second), name.id, name.title});
    return;
  }
  add_both(out, name, std::move(first), std::move(second), t, true);
}

template <class Node>
void add_all(Group& out, const std::vector<Node>& nodes, const Share& t);

template <class Node>
void add_group(Group& out, const Node& node, const Group& from, const Group& to, const Share& t) {
  Group group;
  group.origin = mixed(from.origin, to.origin, t);
  group.scale = mixed(from.scale, to.scale, t);
  if (from.clip && to.clip) group.clip = mixed(*from.clip, *to.clip, t);
  group.clip_radius = to.clip_radius;
  const Share inside{t.of, t.with_rest, t.now.inside(group.origin, group.scale),
                     t.there.inside(to.origin, to.scale)};
  if (node.way == Node::Way::folds)
    group.items = from.items;
  else
    add_all(group, node.inside, inside);
  if (node.way != Node::Way::whole) drop_texts(group);
  out.items.push_back({std::move(group), node.to->id, node.to->title});
}

// Words that come, and groups with words in them, are at their place.
void settle(Item& item, const Share& t) {
  if (auto* text = std::get_if<TextShape>(&item.shape)) text->at = t.settled(text->at);
  if (auto* group = std::get_if<Group>(&item.shape)) group->origin = t.settled(group->origin);
}

// Of an item in both.
template <class Node>
void add_on_way(Group& out, const Node& node, const Share& t) {
  std::visit(
      [&](const auto& to) {
        using S = std::decay_t<decltype(to)>;
        const auto& from = std::get<S>(node.from->shape);
        if constexpr (std::is_same_v<S, Group>)
          add_group(out, node, from, to, t);
        else
          add(out, *node.to, from, to, t);
      },
      node.to->shape);
}

template <class Node>
void add_node(Group& out, const Node& node, const Share& t) {
  using Way = typename Node::Way;
  const std::size_t first = out.items.size();
  if (node.from != nullptr && node.to != nullptr)
    add_on_way(out, node, t);
  else
    out.items.push_back(node.to == nullptr ? *node.from : *node.to);
  const bool goes = node.to == nullptr || node.way == Way::folds,
             comes = node.from == nullptr || node.way == Way::unfolds;
  if (!goes && !comes) return;
  const bool is_text =
      std::holds_alternative<TextShape>(node.to == nullptr ? node.from->shape : node.to->shape);
  if (node.from == nullptr) settle(out.items.back(), t);
  if (goes && (!t.with_rest || is_text)) return out.items.resize(first);
  for (std::size_t i = first; i < out.items.size(); ++i) {
    if (!is_text) std::visit(Fade{goes ? 1 - t : t}, out.items[i].shape);
    if (goes) leave(out.items[i]);
  }
}

template <class Node>
void add_all(Group& out, const std::vector<Node>& nodes, const Share& t) {
  for (const Node& node : nodes) add_node(out, node, t);
}

}  // namespace

double eased(double share) {
  const double t = std::clamp(share, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

bool counts_to(std::string_view from, std::string_view to) {
  std::vector<Number> ignored;
  return singular(pattern_of(from, ignored)) == singular(pattern_of(to, ignored));
}

std::string counted_text(std::string_view from, std::string_view to, double share) {
  std::vector<Number> first, second;
  const std::string before = pattern_of(from, first), after = pattern_of(to, second);
  if (from == to || share >= 1 || !counts_to(from, to)) return std::string(to);
  const std::string& pattern = before.size() > after.size() ? before : after;  // the plural
  std::string text;
  std::size_t n = 0;
  for (const char c : pattern) {
    if (c != '#' || n >= second.size()) {
      text += c;
      continue;
    }
    Number now = second[n];
    now.value = mixed(first[n].value, second[n].value, share);
    now.has_commas = first[n].has_commas || second[n].has_commas;
    text += written(now);
    ++n;
  }
  return text;
}

Morph::Morph(Scene from, Scene to)
    : from_(std::move(from)), to_(std::move(to)), root_(std::make_unique<Node>()) {
  root_->inside = Pairing<Node>(from_.root, to_.root).nodes();
}
Morph::~Morph() = default;

Scene Morph::at(double share, bool with_rest) const {
  if (share >= 1) return to_;
  Scene scene(to_.size, to_.background);
  scene.root.origin = to_.root.origin, scene.root.scale = to_.root.scale, scene.root.clip = to_.root.clip;
  add_all(scene.root, root_->inside, Share{std::max(share, 0.0), with_rest});
  Group words;
  if (with_rest) lift_words(scene.root, words);
  for (Item& item : words.items) scene.root.items.push_back(std::move(item));
  return scene;
}

void Tween::show(Scene next, double now, double seconds) {
  if (end_ != nullptr && seconds > 0 && end_->size == next.size && end_->background == next.background) {
    // What was on its way out is gone: with each picture that comes too early there would be more of it.
    Scene from = is_moving(now) ? morph_->at(eased((now - since_) / seconds_), false) : *end_;
    morph_ = std::make_unique<Morph>(std::move(from), next);
    since_ = now, seconds_ = seconds;
  } else {
    morph_.reset();
  }
  end_ = std::make_unique<Scene>(std::move(next));
}

void Tween::clear() { end_.reset(), morph_.reset(); }

Scene Tween::at(double now) const {
  if (!is_moving(now)) return *end_;
  return morph_->at(eased((now - since_) / seconds_));
}

}  // namespace warplens::scene
