#include "viz/figures/warp/warp_access_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/explain/facts.hpp"
#include "viz/figures/access/lane_card.hpp"
#include "viz/figures/parts/parts.hpp"

namespace warplens::figures {

namespace {

// A generation of devices by its compute capability too.
std::string chip_words(const device::Device& device) {
  if (!device.id.starts_with("cc")) return device.name;
  return fmt::format("{}, compute capability {}.{}", device.name, device.compute_capability / 10,
                     device.compute_capability % 10);
}

}  // namespace

std::vector<std::string> subtitle_of(const WarpAccessView& view, double width,
                                     const scene::TextMeasure& measure) {
  const std::string own = view.instead.empty() ? view.subtitle : view.instead + ". " + view.subtitle;
  const std::string with_chip = fmt::format("{}; {}", own, chip_words(view.device));
  const auto fits = [&](const std::string& text) { return measure.width(text, body()) <= width; };
  if (fits(with_chip)) return {with_chip};
  if (fits(own)) return {own};
  const std::string& brief = view.brief.empty() ? view.subtitle : view.brief;
  if (view.instead.empty()) return scene::wrapped(brief, width, body(), measure);
  if (const std::string all = view.instead + ". " + brief; fits(all)) return {all};
  auto lines = scene::wrapped(brief, width, body(), measure);
  lines.insert(lines.begin(), view.instead);
  return lines;
}

double add_subtitle(scene::Group& group, scene::Point at, const WarpAccessView& view, double width,
                    const scene::TextMeasure& measure, const WarpAccessView* beside) {
  constexpr double step = 20;
  const auto lines = subtitle_of(view, width, measure);
  double below = -step;
  for (const std::string& line : lines)
    group.text({at.x, at.y + (below += step)}, line, within(body(Token::dim), width));
  const std::size_t other = beside == nullptr ? 1 : subtitle_of(*beside, width, measure).size();
  return std::max(below, step * static_cast<double>(other - 1));
}

WarpAccessView view_of(const run::Run& run, const trace::Access& access) {
  const int line = kernel_line_of(run, access.pc);
  WarpAccessView view{report::warp_access(access),
                      report::access_pieces(access, run.kernel->function().code[access.pc], run.device()),
                      source_statement(run.plan().spec, line), "", run.device()};
  view.arrives = is_arrival(access);
  view.elsewhere = explain::elsewhere_words(run, access);
  view.access.active &= ~view.pieces.elsewhere;  // they meet no bank of this block
  const std::string what = fmt::format("{}: {}{}", line, summarize(run, access).pattern, recorded_words(run));
  view.subtitle = fmt::format("{}, line {}", run.plan().spec.title, what);
  view.brief = "Line " + what;
  return view;
}

WarpAccessView view_of(const analysis::WarpAccess& access, bool shared, const device::Device& device,
                       std::string title) {
  WarpAccessView view{access, {}, std::move(title), "", device};
  view.pieces.is_shared = shared;
  if (shared) {
    view.pieces.shared = analysis::shared_pieces(access, device);
    const auto counts = analysis::count_shared(access, device);
    view.pieces.units = counts.wavefronts, view.pieces.ideal = counts.ideal_wavefronts;
  } else {
    view.pieces.global = analysis::global_pieces(access, device);
    const auto counts = analysis::count_global(access, device);
    view.pieces.units = counts.sectors, view.pieces.ideal = counts.ideal_sectors;
  }
  view.subtitle =
      fmt::format("{} of 32 lanes {} {} each", std::popcount(access.active),
                  access.op == analysis::AccessOp::load ? "read" : "write", counted(access.width, "byte"));
  return view;
}

std::optional<std::uint32_t> nearest_access(const report::BlockAccesses& accesses, std::uint32_t warp,
                                            std::uint32_t access, ptx::Space space) {
  if (!accesses.uses(warp, space)) return std::nullopt;  // the whole list would be looked at
  const auto events = accesses.of_warp(warp);
  const auto goes_there = [&](std::uint32_t a) {
    return accesses.trace().space(accesses.block(), events[a]) == space;
  };
  const auto count = static_cast<std::uint32_t>(events.size());
  for (std::uint32_t a = access; a < count; ++a)
    if (goes_there(a)) return a;
  for (std::uint32_t a = std::min(access, count); a-- > 0;)
    if (goes_there(a)) return a;
  return std::nullopt;
}

std::optional<WarpAccessView> view_of_nearest(const run::Run& run, const Place& place, ptx::Space space) {
  const report::BlockAccesses& accesses = story_at(run, place).accesses();
  const auto found = nearest_access(accesses, place.warp, place.access, space);
  if (!found) return std::nullopt;
  WarpAccessView view = view_of(run, *accesses.at(place.warp, *found));
  if (*found != place.access)
    view.instead = fmt::format("{} access to {} memory", *found > place.access ? "The next" : "The last",
                               space == ptx::Space::shared ? "shared" : "global");
  return view;
}

Result<WarpAccessView> view_for(const Subject& subject, ptx::Space space) {
  if (subject.own_access != nullptr) return *subject.own_access;
  auto view = view_of_nearest(*subject.run, subject.place, space);
  if (view) return *std::move(view);
  return Error{fmt::format("this warp makes no access to {} memory",
                           space == ptx::Space::shared ? "shared" : "global"),
               "choose another kernel or warp"};
}

constexpr double kTitle = 17, kLeastTitle = 12;

double add_head(scene::Group& group, const Rect& area, const WarpAccessView& view,
                const std::vector<Key>& keys, const scene::TextMeasure& measure,
                const WarpAccessView* beside) {
  if (!has_words(view.look)) {
    double top = area.y;
    if (view.with_number) {
      const Color color = view.arrives || view.pieces.units == 0
                              ? Color{Token::text}
                              : cost_color(view.pieces.units, view.pieces.ideal);
      group.text({area.x, top + 22}, cost_words(view.pieces), within(sized(number(color), 20), area.width));
      top += 36;
    }
    if (!is_brief(view.look) && !view.instead.empty()) {
      group.text({area.x, top + 12}, view.instead, within(caption(), area.width));
      top += 26;
    }
    return top + add_key_row(group, {area.x, top}, keys, area.width, measure);
  }
  // The operand stands at its end: in smaller type before it is cut.
  const double wide = measure.width(view.title, sized(code(), kTitle));
  const double size = std::clamp(std::floor(kTitle * area.width / std::max(wide, 1.0)), kLeastTitle, kTitle);
  group.text({area.x, area.y + 18}, view.title, within(sized(code(), size), area.width));
  const double head = 62 + add_subtitle(group, {area.x, area.y + 44}, view, area.width, measure, beside);
  return area.y + head + add_key_row(group, {area.x, area.y + head}, keys, area.width, measure);
}

Result<scene::Scene> draw_view(const Subject& subject, ptx::Space space, DrawView draw, scene::Size size,
                               const scene::TextMeasure& measure) {
  auto view = view_for(subject, space);
  if (!view) return view.error();
  view->look = subject.look;
  view->with_number = subject.with_number;
  const auto beside = subject.beside == nullptr ? view : view_for(*subject.beside, space);
  return draw(*view, size, measure, subject.beside != nullptr && beside ? &*beside : nullptr);
}

Result<std::string> view_table(const Subject& subject, ptx::Space space,
                               std::string (*csv)(const WarpAccessView& view)) {
  const auto view = view_for(subject, space);
  return view ? Result<std::string>(csv(*view)) : view.error();
}

}  // namespace warplens::figures
