#include "app/window/kit/page.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warplens::app {

WindowPage& open_page(std::span<const std::unique_ptr<WindowPage>> pages, const View& view) {
  const auto found = std::ranges::find_if(pages, [&](const auto& page) { return page->is_open(view); });
  return found == pages.end() ? *pages.front() : **found;
}

WindowPage& Ui::page() const { return open_page(pages, state().view); }

void WindowPage::toggle(const Ui& ui) {
  View& view = ui.state().view;
  view.page = is_open(view) ? page_behind() : page_.value_or(Page::ladder);
}

std::string WindowPage::words(const Ui& ui) const {
  const StageWords said = stage_words(ui);
  std::string text;
  for (const std::string& line : {said.place, said.headline, said.sentence})
    if (!line.empty()) text += line + "\n";
  return text;
}

void WindowPage::open_figure(const Ui& ui, std::string_view id) {
  ui.state().view.page = Page::ladder;
  ui.state().view.figure = std::string(id);
}

void WindowPage::add_commands(const Ui& ui, std::vector<Command>& list) {
  const auto set = [](const Ui& then, const std::string& name, std::int64_t value) {
    then.state().view.page = Page::ladder;
    then.model.set_parameter(name, value);
  };
  add_parameters(ui.model.sliders(), "", "Parameter", set, list);
}

void add_parameters(const std::vector<Slider>& sliders, const std::string& before, const char* group,
                    const SetParameter& set, std::vector<Command>& list) {
  for (const Slider& slider : sliders) {
    for (const auto& choice : slider.choices) {
      const std::string& name = slider.parameter.name;
      if (!choice.valid) {  // the reason, for whoever has no mouse
        list.push_back({fmt::format("{}why not {} = {}", before, name, choice.value), group, "",
                        [reason = choice.reason](const Ui& then) { then.wishes.say = reason; }});
        continue;
      }
      list.push_back({fmt::format("{}{} = {}", before, name, choice.value), group, "",
                      [set, name, value = choice.value](const Ui& then) { set(then, name, value); }});
    }
  }
}

}  // namespace warplens::app
