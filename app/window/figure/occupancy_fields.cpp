// The numbers of the occupancy calculator above its curves: the kernel's, until somebody sets others.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/widgets.hpp"

namespace warplens::app {
namespace {

constexpr double kNumberHeight = 32, kLabelGap = 8, kBetween = 18, kLeastField = 44;

struct Number {
  std::string_view mark, title, short_title;
  std::int64_t kernel = 0;
  std::optional<std::int64_t> by_hand = {};
  std::int64_t least = 0, most = 0;
  void (*set)(OccupancyState&, std::optional<std::int64_t>) = nullptr;
  std::int64_t known_from = 0;  // less in the kernel: that is not known for this device
  bool is_unknown() const { return !by_hand && kernel < known_from; }
};
constexpr std::string_view kUnknown = "not known";
using Numbers = std::array<Number, 3>;

Numbers numbers_of(const OccupancyState& state, const run::Run& run) {
  return {{{"occupancy/threads", "Threads per block", "Threads", threads_per_block(run.plan()), state.threads,
            1, kMostThreadsByHand,
            [](OccupancyState& s, std::optional<std::int64_t> v) {
              s.threads = v ? std::optional(static_cast<int>(*v)) : std::nullopt;
            }},
           {"occupancy/registers", "Registers per thread", "Registers", run.report.device_registers,
            state.registers, 0, kMostRegistersByHand,
            [](OccupancyState& s, std::optional<std::int64_t> v) {
              s.registers = v ? std::optional(static_cast<int>(*v)) : std::nullopt;
            },
            1},
           {"occupancy/shared", "Shared bytes per block", "Bytes", run.report.shared_bytes, state.shared, 0,
            kMostSharedByHand, [](OccupancyState& s, std::optional<std::int64_t> v) { s.shared = v; }}}};
}

double field_width(const Ui& ui, const Number& number) {
  const std::string text = number.is_unknown()
                               ? std::string(kUnknown)
                               : grouped(static_cast<std::uint64_t>(number.by_hand.value_or(number.kernel)));
  return std::max<double>(ui.px(kLeastField), text_width(ui, text, Type::strong) + ui.px(22));
}

// Takes effect when the field is left; the kernel's own number set by hand is the kernel's again.
void draw_field(const Ui& ui, const Rect& rect, const Number& number) {
  ui.mark(std::string(number.mark), rect);
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID typed = ImGui::GetID(number.mark.data(), number.mark.data() + number.mark.size());
  constexpr int none = -1;
  int value = storage.GetInt(typed, none);
  if (value == none) value = static_cast<int>(number.by_hand.value_or(number.kernel));
  input_number(ui, rect, fmt::format("##{}", number.mark), value);
  const bool active = ImGui::IsItemActive();
  storage.SetInt(typed, active ? std::max(value, 0) : none);
  if (ImGui::IsItemDeactivatedAfterEdit()) {
    const std::int64_t set = std::clamp<std::int64_t>(value, number.least, number.most);
    number.set(ui.state().occupancy, set == number.kernel ? std::nullopt : std::optional(set));
  }
  if (!active && number.is_unknown()) {
    fill(ui, rect, Token::raised, 1, theme::metric::kCorner);
    draw_text(ui, rect, kUnknown, {Type::body, Token::dim}, Align::center);
  }
  if (number.by_hand) frame(ui, rect, Token::accent, 1, theme::metric::kCorner);
  if (!active)
    tooltip(ui, number.by_hand ? fmt::format("{}, set by hand; the kernel has {}", number.title,
                                             grouped(static_cast<std::uint64_t>(number.kernel)))
                               : fmt::format("{} of the compiled kernel; type another number to see what "
                                             "it would give",
                                             number.title));
}

}  // namespace

double draw_occupancy_fields(const Ui& ui, const Rect& rect) {
  const run::Run* run = ui.model.run();
  if (run == nullptr || !run->complete) return 0;
  OccupancyState& state = ui.state().occupancy;
  const Numbers numbers = numbers_of(state, *run);
  const double gap = ui.px(kLabelGap);
  const auto button_with = [&](std::string_view text) {
    return text_width(ui, text, Type::strong) + ui.px(28);
  };
  std::string_view back = "As in the kernel";
  const auto width_with = [&](std::string_view Number::*title) {
    double width = button_with(back);
    for (const Number& n : numbers)
      width += text_width(ui, n.*title, Type::caption) + gap + field_width(ui, n) + ui.px(kBetween);
    return width;
  };
  const auto title = width_with(&Number::title) <= rect.width ? &Number::title : &Number::short_title;
  // Where even the short names have no room, what is between them gives way.
  if (width_with(title) > rect.width) back = "Reset";
  const double button_width = button_with(back), missing = std::max(0.0, width_with(title) - rect.width);
  const double apart = std::max<double>(ui.px(4), ui.px(kBetween) - missing / 3);
  const double height = ui.px(kNumberHeight);
  double x = rect.x;
  for (const Number& n : numbers) {
    const double label = text_width(ui, n.*title, Type::caption) + ui.px(1), width = field_width(ui, n);
    draw_text(ui, {x, rect.y, label, height}, n.*title,
              {Type::caption, n.by_hand ? Token::accent : Token::dim});
    draw_field(ui, {x + label + gap, rect.y, width, height}, n);
    x += label + gap + width + apart;
  }
  const bool any = state != OccupancyState{};
  if (button(ui, "occupancy/kernel", {x, rect.y, std::min(button_width, rect.right() - x), height}, back,
             {.enabled = any, .tip = "Back to the numbers of the compiled kernel"}))
    state = {};
  return height + ui.px(8);
}

}  // namespace warplens::app
