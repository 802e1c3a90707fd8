#include "app/window/pages/program/launch_strip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/program/record_words.hpp"
#include "app/window/kit/widgets.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/text.hpp"

namespace warplens::app {
namespace {

using program::ProgramRecord;

// Of a launch whose time is not known: so that it is there.
constexpr double kUnknown = 2e-6;

std::string span_words(const LaunchStrip::Span& span, const ProgramRecord& record) {
  if (span.is_copy) {
    const auto& copy = record.copy_list[span.index];
    return fmt::format("Copy {} of {} bytes, about {}", kDirections[copy.direction % kDirections.size()],
                       grouped(copy.bytes), seconds_words(copy.seconds));
  }
  const auto& launch = record.launches[span.index];
  const auto& kernel = record.kernels[launch.kernel];
  const std::string time =
      launch.predicted_seconds > 0 ? "predicted " + seconds_words(launch.predicted_seconds) : "not predicted";
  const bool is_usual = launch.ran == program::Ran::whole;
  return fmt::format("Launch {}, {}, {}: {}{}", grouped(span.index + 1), printable(kernel.title),
                     shape_words(kernel.shape), time,
                     is_usual ? "" : fmt::format(", {}", program::name(launch.ran)));
}

}  // namespace

Token color_of_kernel(std::size_t kernel) {
  return theme::series(static_cast<int>(kernel % theme::kSeriesCount));
}

double known_seconds(const ProgramRecord& record) {
  double sum = record.predicted_seconds;
  for (const program::CopyOfRecord& copy : record.copy_list) sum += copy.seconds;
  return sum;
}

void LaunchStrip::update(const ProgramRecord& record, std::uint64_t version) {
  if (version_ == version) return;
  version_ = version;
  spans_.clear();
  double now = 0;
  const auto add = [&](double seconds, bool is_copy, std::size_t index) {
    spans_.push_back({now, now + seconds, is_copy, index});
    now += seconds;
  };
  std::size_t copy = 0;
  for (std::size_t launch = 0; launch <= record.launches.size(); ++launch) {
    for (; copy < record.copy_list.size() && record.copy_list[copy].launches <= launch; ++copy)
      add(record.copy_list[copy].seconds, true, copy);
    if (launch == record.launches.size()) break;
    const double predicted = record.launches[launch].predicted_seconds;
    const bool ran = program::was_executed(record.launches[launch].ran);
    add(predicted > 0 ? predicted : ran ? kUnknown : 0, false, launch);
  }
}

const LaunchStrip::Span* LaunchStrip::at(double seconds) const {
  const auto found = std::ranges::upper_bound(spans_, seconds, {}, [](const Span& span) { return span.to; });
  return found == spans_.end() ? nullptr : &*found;
}

std::optional<std::size_t> LaunchStrip::draw(const Ui& ui, const Rect& rect, const ProgramRecord& record,
                                             std::optional<std::size_t> chosen) {
  ui.mark("program/strip", rect);
  fill(ui, rect, Token::panel, 1, theme::metric::kCorner);
  frame(ui, rect, Token::line, 1, theme::metric::kCorner);
  if (spans_.empty() || end() <= 0) return std::nullopt;
  const double pad = ui.px(6), scale = (rect.width - 2 * pad) / end(), top = rect.y + ui.px(8),
               height = rect.height - ui.px(16);
  const auto x_of = [&](double seconds) { return rect.x + pad + seconds * scale; };
  double drawn = 0;  // up to where
  for (const Span& span : spans_) {
    // At whole pixels, so that a gap between two of one colour is one.
    const double from = std::floor(x_of(span.from)),
                 to = std::max(std::floor(x_of(span.to)), from + (span.is_copy ? 1 : 2));
    if (to <= drawn) continue;
    drawn = to;
    const double gap = to - from > 3 ? 1 : 0, low = span.is_copy ? height / 2 : 0;
    fill(ui, {from, top + low, to - from - gap, height - low},
         span.is_copy ? Token::dim : color_of_kernel(record.launches[span.index].kernel),
         span.is_copy ? 0.55 : 1);
  }
  for (const Span& span : spans_)
    if (!span.is_copy && span.index == chosen) {
      const Rect mark{std::floor(x_of(span.from)) - 2, top - 3,
                      std::max(std::ceil((span.to - span.from) * scale), 2.0) + 4, height + 6};
      frame(ui, mark, Token::text);
      ui.mark("program/chosen", mark);
    }
  ImGui::SetCursorScreenPos(corner(rect));
  const bool by_mouse = ImGui::InvisibleButton("strip", extent(rect));
  if (!ImGui::IsItemHovered()) return std::nullopt;
  const Span* pointed = at((ImGui::GetIO().MousePos.x - rect.x - pad) / scale);
  if (pointed == nullptr) return std::nullopt;
  show_tip(ui, span_words(*pointed, record));
  return by_mouse && !pointed->is_copy ? std::optional(pointed->index) : std::nullopt;
}

}  // namespace warplens::app
