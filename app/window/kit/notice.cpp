#include "app/window/kit/notice.hpp"

#include <algorithm>
#include <exception>
#include <new>

#include "app/window/kit/widgets.hpp"
#include "engine/base/text.hpp"

namespace warplens::app {
namespace {

constexpr double kWidth = 620, kButtonHeight = 40;  // design pixels

// A key that is held down chose something on the page before.
bool is_chosen(const Notice::Choice& choice) {
  return std::ranges::any_of(
      choice.keys, [](compat::Key key) { return ImGui::IsKeyPressed(compat::code_of(key), false); });
}

}  // namespace

const Notice::Choice* draw_notice(const Ui& ui, const Notice& notice, const Rect& rect) {
  fill(ui, rect, Token::background);
  ui.mark("notice", rect);
  const double width = std::min(ui.px(kWidth), static_cast<float>(rect.width) - ui.px(48));
  const double x = rect.center().x - width / 2;
  double y = rect.y + rect.height * 0.3;
  const auto paragraph = [&](const std::string& text, Type type) {
    const ImVec2 place{static_cast<float>(x), static_cast<float>(y)};
    return draw_paragraph(ui, place, static_cast<float>(width), text, {.type = type});
  };
  y += paragraph(notice.headline, Type::number) + ui.px(16);
  y += paragraph(notice.sentence, Type::body) + ui.px(28);
  const Notice::Choice* chosen = nullptr;
  double at = x;
  for (const Notice::Choice& choice : notice.choices) {
    const std::string text = choice.text + "   " + compat::name_of(choice.keys.front());
    const double wide = text_width(ui, text, Type::body) + ui.px(40);
    const bool is_first = &choice == &notice.choices.front();
    if (button(ui, choice.name, {at, y, wide, ui.px(kButtonHeight)}, text,
               {.look = is_first ? Look::primary : Look::plain}) ||
        is_chosen(choice))
      chosen = &choice;
    at += wide + ui.px(12);
  }
  return chosen;
}

std::string words_of_exception() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return "There is not enough memory for this: close other programs, or choose a smaller size";
  } catch (const std::exception& exception) {
    return std::string("The program met something that it was not made for (") + exception.what() +
           "): go on elsewhere if it comes again";
  } catch (...) {
    return "The program met something that it was not made for: go on elsewhere if it comes again";
  }
}

}  // namespace warplens::app
