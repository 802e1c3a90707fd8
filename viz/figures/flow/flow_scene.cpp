#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/measured/recorded_speeds.hpp"
#include "viz/figures/flow/flow.hpp"
#include "viz/figures/flow/flow_words.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/parts/hatching.hpp"

namespace warplens::figures {
namespace {

constexpr double kHead = 58, kColumnGap = 24, kLine = 17;
constexpr double kLeastPipe = 3;  // pixels, of what is not nothing
constexpr double kWidestPipe = 210;
constexpr double kSlant = 0.8;  // of a plane's height, to the right at its top
constexpr double kPacket = 9, kPacketLength = 7, kPacketPitch = 21;

// Where the planes lie: global memory, L2, L1 beside shared memory, registers; those that the device has.
enum Level : std::size_t { kMemory, kL2, kL1, kRegisters, kLevels };

struct Plane {
  bool exists = false;
  double top = 0, height = 0, left = 0, right = 0;  // in the middle of its height
  double bottom() const { return top + height; }
  Point at(double across, double down) const {
    const double shift = kSlant * height * (0.5 - down);
    return {left + across * (right - left) + shift, top + down * height};
  }
};

struct Layout {
  Rect picture;  // without the names of the planes
  Rect names;
  std::array<Plane, kLevels> planes = {};
  double global = 0, shared = 0;  // x of the two columns of pipes
  double widest = 0;              // a pipe may be
  double label = 0;               // width of what is said of a pipe
  double pixels_a_byte = 0;
  // Whether a pipe would be thinner than can be seen.
  bool has_least_pipe(const Flow& flow) const {
    return std::ranges::any_of(flow.pipes, [&](const Pipe& pipe) {
      return pipe.bytes() > 0 && pipe.bytes() * pixels_a_byte < kLeastPipe;
    });
  }
  // A stage has no room beside the planes: their names stand on them.
  bool names_on_planes() const { return names.width == 0; }
};

double end_of(const Plane& plane) { return plane.bottom() + 5; }
double start_of(const Plane& plane) { return plane.top - 5; }

// A pipe's own traffic, what it may be at most, and that of the step before have one scale.
double most_bytes(const Flow& flow) {
  double most = 0;
  for (const Pipe& pipe : flow.pipes)
    most = std::max({most, pipe.bytes(), pipe.most, pipe.before.value_or(0)});
  return most;
}

void place_planes(Layout& layout, const Flow& flow) {
  layout.planes[kMemory].exists = layout.planes[kRegisters].exists = true;
  layout.planes[kL2].exists = flow.has_l2;
  layout.planes[kL1].exists = flow.has_l1 || flow.uses_shared;
  // The last gap has most to say.
  double gaps = 0.6;
  for (const Plane& plane : layout.planes) gaps += plane.exists ? 1 : 0;
  const double count = gaps - 0.6;
  const double height = std::clamp(layout.picture.height * 0.4 / count, 26.0, 56.0);
  const double gap = (layout.picture.height - count * height) / (gaps - 1);
  double top = layout.picture.y, taper = 0;
  for (std::size_t level = 0; level < kLevels; ++level) {
    Plane& plane = layout.planes[level];
    if (!plane.exists) continue;
    const double inset = layout.picture.width * taper + kSlant * height / 2;
    plane.top = top, plane.height = height;
    plane.left = layout.picture.x + inset, plane.right = layout.picture.right() - inset;
    const bool is_last_gap = level == (layout.planes[kL1].exists ? kL1 : flow.has_l2 ? kL2 : kMemory);
    top += height + (is_last_gap ? 1.6 * gap : gap);
    taper += 0.035;
  }
}

// most: bytes that are as wide as a pipe may be.
Layout layout_of(const Flow& flow, const Rect& room, double most, Look look) {
  constexpr double least = 420;
  Layout layout;
  const bool narrow = room.width < least || is_large(look);
  const double names = narrow ? 0 : std::clamp(room.width * 0.24, 148.0, 250.0);
  layout.picture = {room.x, room.y, room.width - names - (narrow ? 0 : kColumnGap), room.height};
  layout.names = {room.right() - names, room.y, names, room.height};
  place_planes(layout, flow);
  const double width = layout.picture.width;
  layout.label = std::clamp(width * 0.27, narrow ? 72.0 : 112.0, 220.0);
  layout.widest = std::min((width - 2 * layout.label - 4 * 12) / 2, kWidestPipe);
  const double middle = layout.picture.x + width / 2;
  layout.global = middle - layout.widest / 2 - 12;
  layout.shared = middle + layout.widest / 2 + 12;
  layout.pixels_a_byte = most > 0 ? layout.widest / most : 0;
  return layout;
}

void draw_plane(Group& group, const Plane& plane, double from, double to, bool is_used) {
  const auto corners = [&](double a, double b, double c, double d) {
    return std::vector<Point>{plane.at(a, c), plane.at(b, c), plane.at(b, d), plane.at(a, d)};
  };
  group.polygon(corners(from, to, 0, 1), {.fill = Color{Token::panel}});
  constexpr int rows = 2;
  const double wide = (to - from) * (plane.right - plane.left);
  const int columns = std::max(2, 2 * static_cast<int>(wide / 64));
  const double cell = (to - from) / columns;
  for (int row = 0; row < rows && is_used; ++row)
    for (int column = row % 2; column < columns; column += 2)
      group.polygon(corners(from + cell * column, from + cell * (column + 1), row / 2.0, (row + 1) / 2.0),
                    {.fill = Color{Token::raised}});
  const scene::Stroke around = is_used ? scene::Stroke{edge(), 1} : scene::Stroke{edge(), 1, {4, 4}};
  group.polygon(corners(from, to, 0, 1), {.stroke = around});
}

// The longest name that has room in the middle of a part of a plane, on a ground that hides the cells behind
// it.
void draw_on_plane(Group& group, const Plane& plane, double across, double share,
                   const std::vector<std::string>& names, const scene::TextMeasure& measure) {
  const double room = share * (plane.right - plane.left) - kSlant * plane.height;
  const auto fits = [&](const std::string& name) { return measure.width(name, caption()) <= room; };
  const auto found = std::ranges::find_if(names, fits);
  const std::string& text = found == names.end() ? names.back() : *found;
  const double width = measure.width(text, caption());
  const Point at = plane.at(across, 0.5);
  group.rect({at.x - width / 2 - 6, at.y - 9, width + 12, 18}, {.fill = Token::panel}, 4);
  group.text({at.x - width / 2, at.y + 4.5}, text, caption(Token::text));
}

// Where it is sparse without the planes that nothing passes.
void draw_planes(Group& group, const Layout& layout, const Flow& flow, Look look,
                 const scene::TextMeasure& measure) {
  for (std::size_t level = 0; level < kLevels; ++level) {
    const Plane& plane = layout.planes[level];
    if (!plane.exists) continue;
    if (level != kL1) {
      draw_plane(group, plane, 0, 1, true);
      if (layout.names_on_planes())
        draw_on_plane(group, plane, 0.5, 1,
                      {level == kMemory ? "Global memory"
                       : level == kL2   ? "L2"
                                        : "Registers"},
                      measure);
      continue;
    }
    if (flow.has_l1) {
      const bool is_used = flow.find(Pipe::Id::l2_l1) != nullptr;
      draw_plane(group, plane, 0, 0.49, is_used);
      draw_on_plane(group, plane, 0.245, 0.49, {is_used || is_sparse(look) ? "L1" : "L1, not used", "L1"},
                    measure);
    }
    if (is_sparse(look) && !flow.uses_shared) continue;
    draw_plane(group, plane, 0.51, 1, flow.uses_shared);
    draw_on_plane(group, plane, 0.755, 0.49,
                  {flow.uses_shared ? "Shared memory" : "Shared memory, not used",
                   flow.uses_shared ? "Shared" : "not used"},
                  measure);
  }
}

// Where a pipe stands.
struct PipePlace {
  double x = 0, top = 0, bottom = 0;
  bool label_left = true;
};
PipePlace place_of(const Layout& layout, const Flow& flow, Pipe::Id id) {
  const auto& planes = layout.planes;
  const Plane& above_registers = flow.has_l1 ? planes[kL1] : flow.has_l2 ? planes[kL2] : planes[kMemory];
  switch (id) {
    case Pipe::Id::memory_l2:
      return {layout.global, end_of(planes[kMemory]), start_of(planes[kL2])};
    case Pipe::Id::l2_l1:
      return {layout.global, end_of(planes[kL2]), start_of(planes[kL1])};
    case Pipe::Id::l2_shared:
      return {layout.shared, end_of(flow.has_l2 ? planes[kL2] : planes[kMemory]), start_of(planes[kL1]),
              false};
    case Pipe::Id::global_registers:
      return {layout.global, end_of(above_registers), start_of(planes[kRegisters])};
    case Pipe::Id::shared_registers:
      break;
  }
  return {layout.shared, end_of(planes[kL1]), start_of(planes[kRegisters]), false};
}

// Packets are spread over a band so that there are as many as its width is large; each goes from one end to
// the other as the phase goes round.
void draw_packets(Group& group, const Rect& band, Color color, bool is_down, double phase) {
  const int lanes = std::max(1, static_cast<int>(band.width / (kPacket + 1)));
  const double lane = band.width / lanes;
  const double wide = std::min(lane - std::min(lane * 0.25, 2.0), kPacket);
  const double density = std::min(1.0, lane / kPacket);
  const int count = std::max(1, static_cast<int>(std::lround(band.height / kPacketPitch * density)));
  for (int i = 0; i < lanes; ++i)
    for (int p = 0; p < count; ++p) {
      // Lanes are staggered by the golden ratio, which leaves no rows to be seen.
      const double at = std::fmod((p + phase + std::fmod(i * 0.618034, 1.0)) / count, 1.0);
      const double way = (is_down ? at : 1 - at) * (band.height - kPacketLength);
      group.rect({band.x + lane * (i + 0.5) - wide / 2, band.y + way, wide, kPacketLength}, {.fill = color},
                 std::min(2.0, wide / 3));
    }
}

// Of a pipe that is wide enough to have some.
std::optional<scene::Stroke> wall(const Rect& rect, Token token) {
  constexpr double least = 5;
  return rect.width < least ? std::nullopt : std::optional(scene::Stroke{Color{token, 0.8}});
}

// From the left: what goes to the registers and is needed, what comes back, what a better access would not
// move.
void draw_pipe(Group& group, const Layout& layout, const Flow& flow, const Pipe& pipe, double phase) {
  const PipePlace place = place_of(layout, flow, pipe.id);
  const double height = place.bottom - place.top;
  const auto pixels = [&](double bytes) {
    return bytes > 0 ? std::max(bytes * layout.pixels_a_byte, kLeastPipe) : 0;
  };
  const double down = pixels(pipe.down - pipe.wasted_down), up = pixels(pipe.up - pipe.wasted_up),
               wasted = pixels(pipe.wasted());
  double x = place.x - (down + up + wasted) / 2;
  const auto band = [&](double width) {
    const Rect rect{x, place.top, width, height};
    x += width;
    return rect;
  };
  const auto outline = [&](double bytes, Color color) {
    const double width = std::max(pixels(bytes), 3.0);
    group.rect({place.x - width / 2, place.top, width, height},
               {.stroke = scene::Stroke{color, 1.2, {5, 4}}});
  };
  if (pipe.most > 0) outline(pipe.most, Color{Token::dim});
  if (down > 0) {
    const Rect rect = band(down);
    group.rect(rect, {.fill = Color{Token::first_warp, 0.3}, .stroke = wall(rect, Token::first_warp)});
    draw_packets(group, rect, Token::first_warp, true, phase);
  }
  if (up > 0) {
    const Rect rect = band(up);
    group.rect(rect, {.fill = Color{Token::first_block, 0.25}, .stroke = wall(rect, Token::first_block)});
    draw_packets(group, rect, Token::first_block, false, phase);
  }
  if (wasted > 0) add_hatched(group, band(wasted));
  if (pipe.before.value_or(0) > 0) outline(*pipe.before, Color{Token::accent});
}

void draw_label(Group& group, const Layout& layout, const PipePlace& place,
                const std::vector<LabelLine>& lines) {
  const double height = 20 + kLine * static_cast<double>(lines.size() - 1);
  double y = (place.top + place.bottom - height) / 2 + 14;
  const double x = place.label_left ? place.x - layout.widest / 2 - 12 : place.x + layout.widest / 2 + 12;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const TextStyle style = lines[i].style;
    group.text({x, y}, lines[i].text, place.label_left ? at_end(style) : style);
    y += i == 0 ? 18 : kLine;
  }
}

void draw_pipes(Group& group, const Layout& layout, const FlowWords& words, double phase,
                const scene::TextMeasure& measure) {
  const Flow& flow = words.flow;
  for (std::size_t i = 0; i < flow.pipes.size(); ++i) {
    const Pipe& pipe = flow.pipes[i];
    const PipePlace place = place_of(layout, flow, pipe.id);
    Group one;
    draw_pipe(one, layout, flow, pipe, phase);
    if (flow.narrow == i) {
      const double width = std::max(pipe.bytes() * layout.pixels_a_byte, kLeastPipe) + 8;
      one.rect({place.x - width / 2, place.top, width, place.bottom - place.top},
               {.stroke = scene::Stroke{words.narrow_color(), 2}}, 3);
    }
    group.group(std::move(one)).named(fmt::format("pipe:{}", name_of(pipe.id)), words.title_of(pipe));
    draw_label(group, layout, place, words.label_of(i, layout.label, place.bottom - place.top, measure));
  }
}

// Notes beside a plane, in as many lines as have room there.
std::vector<std::string> note_lines(const std::vector<std::string>& notes, const Layout& layout, double room,
                                    const scene::TextMeasure& measure) {
  const auto most = static_cast<std::size_t>(std::max(0.0, (room - 24) / kLine));
  std::vector<std::string> lines;
  for (const std::string& note : notes) {
    const auto more = scene::wrapped(note, layout.names.width, caption(), measure);
    if (lines.size() + more.size() <= most) lines.insert(lines.end(), more.begin(), more.end());
  }
  return lines;
}

void draw_names(Group& group, const Layout& layout, const FlowWords& words,
                const scene::TextMeasure& measure) {
  if (layout.names_on_planes()) return;
  double room = layout.picture.height, free = layout.names.y;  // free: from there on
  double above = -1e9;
  for (const Plane& plane : layout.planes) {
    if (!plane.exists) continue;
    room = std::min(room, plane.top - above), above = plane.top;
  }
  for (std::size_t level = 0; level < kLevels; ++level) {
    const Plane& plane = layout.planes[level];
    if (!plane.exists) continue;
    const auto [name, notes] = level == kMemory ? words.memory()
                               : level == kL2   ? words.l2()
                               : level == kL1   ? words.on_chip()
                                                : words.registers();
    const auto lines = note_lines(notes, layout, room, measure);
    const double height = 20 + kLine * static_cast<double>(lines.size());
    double y = std::clamp(plane.top + (plane.height - height) / 2, free,
                          std::max(free, layout.names.bottom() - height + 4)) +
               14;
    free = y + height - 10;
    group.text({layout.names.x, y}, name, within(heading(), layout.names.width));
    for (const std::string& line : lines)
      group.text({layout.names.x, y += kLine}, line, within(caption(), layout.names.width));
  }
}

// A pattern of a pipe with its meaning.
struct FlowKey {
  enum class Look : std::uint8_t { band, hatched, outline } look;
  Color color;
  std::string text;
};

std::vector<FlowKey> keys_of(const FlowWords& words) {
  using Look = FlowKey::Look;
  const auto any = [&](auto condition) { return std::ranges::any_of(words.flow.pipes, condition); };
  // Packets show which way they go, and ranges beside the outlines what passes at most.
  const bool brief = is_brief(words.look);
  std::vector<FlowKey> keys;
  const auto add = [&](Look look, Color color, const std::string& text) {
    keys.push_back({look, color, text});
  };
  const bool goes_back = any([](const Pipe& pipe) { return pipe.up > 0; });
  if (!brief) add(Look::band, Token::first_warp, "to the registers");
  if (!brief && goes_back) add(Look::band, Token::first_block, "back");
  if (any([](const Pipe& pipe) { return pipe.wasted() > 0; }))
    add(Look::hatched, Token::costly, brief ? "wasted" : "more than the ideal");
  if (!brief && any([](const Pipe& pipe) { return pipe.most > 0; }))
    add(Look::outline, Token::dim, "at most");
  if (any([](const Pipe& pipe) { return pipe.before.has_value(); }))
    add(Look::outline, Token::accent, "step " + words.before->number);
  return keys;
}

// How wide so many bytes are, at the right end of a row of this width. Returns what it leaves of that.
double draw_scale(Group& group, Point at, double width, const Layout& layout, const FlowWords& words,
                  double most, const scene::TextMeasure& measure) {
  const auto [amount, said] = words.scale_mark(most);
  const double pixels = amount * words.flow.parts(words.per) * layout.pixels_a_byte;
  if (!(pixels > 0)) return width;
  std::string text = said;
  if (!is_brief(words.look) && layout.has_least_pipe(words.flow))
    text += fmt::format("; thinner pipes are drawn {:.0f} pixels wide", kLeastPipe);
  if (pixels + measure.width(text, caption()) + 8 > width) text = said;
  const double wide = pixels + 8 + measure.width(text, caption());
  if (wide > width) return width;
  const double x = at.x + width - wide, y = at.y + 7;
  group.polyline({{x, y - 5}, {x, y + 5}}, {Token::text, 1.5});
  group.polyline({{x, y}, {x + pixels, y}}, {Token::text, 1.5});
  group.polyline({{x + pixels, y - 5}, {x + pixels, y + 5}}, {Token::text, 1.5});
  group.text({x + pixels + 8, at.y + 11}, text, caption(is_large(words.look) ? Token::text : Token::dim));
  return width - wide - 20;
}

void draw_keys(Group& group, Point at, const std::vector<FlowKey>& keys, double width,
               const scene::TextMeasure& measure) {
  double x = at.x;
  for (const FlowKey& key : keys) {
    const double wide = 26 + measure.width(key.text, caption());
    if (x + wide > at.x + width) return;
    const Rect box{x, at.y, 16, 12};
    if (key.look == FlowKey::Look::band) group.rect(box, {.fill = key.color}, 2);
    if (key.look == FlowKey::Look::hatched) add_hatched(group, box);
    if (key.look == FlowKey::Look::outline)
      group.rect(box.inset(0.5), {.stroke = scene::Stroke{key.color, 1.2, {4, 3}}});
    group.text({x + 24, at.y + 11}, key.text, caption());
    x += wide + 20;
  }
}

}  // namespace

scene::Scene flow_scene(const run::Run& run, const Flow& flow, const Subject& subject, scene::Size size,
                        const scene::TextMeasure& measure) {
  scene::Scene scene{size};
  Group& root = scene.root;
  const Rect area = inner_area(size);
  const FlowWords words{run,
                        flow,
                        subject.known.before.get(),
                        subject.flow.per,
                        subject.look,
                        subject.recorded_seconds,
                        subject.known.payoffs.get(),
                        subject.hides_speed};
  // A headline says this.
  const bool has_head = has_words(subject.look);
  const explain::Explanation said = has_head ? words.explanation() : explain::Explanation{};
  const double head = has_head ? kHead : 0;
  if (has_head) {
    root.text({area.x, area.y + 18}, words.title(), within(sized(heading(), 20), area.width));
    root.text({area.x, area.y + 40}, words.subtitle(area.width, measure), within(caption(), area.width));
  }
  double strip = explanation_height(said, {}, area.width, measure), most = most_bytes(flow);
  if (subject.flow.per == FlowOptions::Per::operation) most = std::max(most, flow.widest);
  // Two pictures beside each other have one scale.
  if (subject.beside != nullptr && subject.beside->run != nullptr && subject.beside->run->complete) {
    const Flow other = flow_of(*subject.beside->run, nullptr);
    const FlowWords others{*subject.beside->run,
                           other,
                           nullptr,
                           subject.flow.per,
                           Look::file,
                           0,
                           subject.beside->known.payoffs.get()};
    most = std::max(most, most_bytes(other) / other.parts(subject.flow.per) * flow.parts(subject.flow.per));
    if (has_head) strip = std::max(strip, explanation_height(others.explanation(), {}, area.width, measure));
  }
  const Rect room{area.x, area.y + head, area.width, area.height - head - strip - 16 - 30};
  const Layout layout = layout_of(flow, room, most, subject.look);
  draw_planes(root, layout, flow, subject.look, measure);
  draw_pipes(root, layout, words, subject.flow.phase - std::floor(subject.flow.phase), measure);
  draw_names(root, layout, words, measure);
  const Point below{area.x, room.bottom() + 14};
  draw_keys(root, below, keys_of(words), draw_scale(root, below, area.width, layout, words, most, measure),
            measure);
  if (!said.what.empty())
    add_explanation(root, {area.x, area.bottom() - strip, area.width, strip}, said, {}, subject.next(),
                    measure, kOfStep);
  return scene;
}

FlowSaid flow_words(const Subject& subject) {
  Flow flow = flow_of(*subject.run, subject.known.before.get());
  if (subject.known.payoffs != nullptr) follow_the_model(flow, subject.known.payoffs->now);
  const FlowWords words{*subject.run,
                        flow,
                        subject.known.before.get(),
                        subject.flow.per,
                        subject.look,
                        subject.recorded_seconds,
                        subject.known.payoffs.get(),
                        subject.hides_speed};
  const auto& plan = subject.run->plan();
  return {words.explanation(), words.title(), measured::short_size(plan.sizes)};
}

}  // namespace warplens::figures
