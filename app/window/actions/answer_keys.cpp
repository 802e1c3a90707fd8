#include "app/window/actions/answer_keys.hpp"

#include <array>
#include <optional>

#include "app/window/kit/imgui_compat.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "engine/lesson/grade.hpp"

namespace warplens::app {
namespace {

using compat::Key;

// By its character, or by its key where the keyboard has another character there.
std::optional<int> typed_digit() {
  constexpr std::array kKeys = {Key::zero, Key::one, Key::two,   Key::three, Key::four,
                                Key::five, Key::six, Key::seven, Key::eight, Key::nine};
  for (std::size_t digit = 0; digit < kKeys.size(); ++digit)
    if (compat::typed(static_cast<char32_t>(U'0' + digit)) || compat::pressed(kKeys[digit]))
      return static_cast<int>(digit);
  return std::nullopt;
}

std::optional<std::size_t> typed_letter(std::size_t choices) {
  for (std::size_t choice = 0; choice < choices; ++choice) {
    const auto letter = static_cast<char32_t>(lesson::letter_of(choice));
    if (compat::typed(letter) || compat::typed(letter - U'A' + U'a')) return choice;
  }
  return std::nullopt;
}

}  // namespace

bool answer_by_key(const Ui& ui) {
  LessonPlayer& player = ui.lessons;
  if (!player.is_asking() || ImGui::GetIO().KeyCtrl) return false;
  const lesson::Ask& ask = *player.guess().ask;
  const std::optional<int> digit = typed_digit();
  std::optional<std::size_t> choice = typed_letter(ask.choices.size());
  if (!choice && digit) choice = lesson::choice_of_digit(ask, *digit);
  if (choice) ui.on_stage ? player.vote(*choice, 1) : player.choose(*choice);
  const bool is_number = ask.choices.empty();  // which the lesson's text takes
  return choice.has_value() || (digit && (is_number || *digit > 0));
}

}  // namespace warplens::app
