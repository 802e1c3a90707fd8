#include "app/window/actions/palette.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/base/text_table.hpp"
#include "app/window/actions/shortcuts.hpp"
#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "engine/explain/glossary/glossary.hpp"
#include "viz/figures/figure.hpp"

namespace warplens::app {
namespace {

constexpr double kBoxWidth = 680, kEntryHeight = 34, kFieldHeight = 48;
constexpr std::size_t kMostRows = 11;
constexpr std::int64_t kSizes[] = {32, 64, 128, 256, 512, 1024, 2048};

void add_steps(const Ui& ui, std::vector<Command>& list) {
  for (const auto& spec : ui.model.catalog().kernels())
    list.push_back(
        {spec.title, "Step of " + spec.id.substr(0, spec.id.find('/')), "", [id = spec.id](const Ui& then) {
           then.state().view.page = Page::ladder;
           then.model.choose_kernel(id);
         }});
}

// Those of the first figures.
std::string keys_of_figure(std::size_t position) {
  for (const Action& action : actions())
    if (action.figure == position) return keys_of(action);
  return "";
}

void add_figures(std::vector<Command>& list) {
  for (const figures::Figure& tab : figures::pictures())
    list.push_back({std::string(tab.title), "Figure",
                    keys_of_figure(static_cast<std::size_t>(&tab - figures::pictures().data())),
                    [id = std::string(tab.id)](const Ui& then) { then.page().open_figure(then, id); }});
}

void add_lessons(const Ui& ui, std::vector<Command>& list) {
  for (const LessonEntry& entry : ui.lessons.all())
    list.push_back({entry.title, "Lesson", "", [name = entry.name](const Ui& then) {
                      if (const Status opened = then.lessons.open(name); !opened)
                        then.wishes.say = to_line(opened.error());
                    }});
  if (!ui.lessons.is_open()) return;
  list.push_back({"Close the lesson", "Lesson", "", [](const Ui& then) { then.lessons.close(); }});
  list.push_back(
      {"Back to the lesson’s picture", "Lesson", "", [](const Ui& then) { then.lessons.come_back(); }});
  list.push_back(
      {"Bookmark this stop", "Lesson", "", [](const Ui& then) { then.lessons.toggle_bookmark(); }});
}

void add_devices(const Ui& ui, std::vector<Command>& list) {
  for (const auto& device : ui.model.device_table().devices())
    list.push_back(
        {device.name, "Device", "", [id = device.id](const Ui& then) { then.model.choose_device(id); }});
}

void add_sizes(std::vector<Command>& list) {
  for (const std::int64_t size : kSizes)
    list.push_back({fmt::format("Size {}", size), "Every size of the problem", "", [size](const Ui& then) {
                      for (const auto& [name, value] : then.model.sizes()) then.model.set_size(name, size);
                    }});
}

// Each opens the glossary, where it stands out among the others.
void add_words(std::vector<Command>& list) {
  for (const explain::Term& term : explain::glossary())
    list.push_back({fmt::format("Glossary: {}", term.word), "Word", "",
                    [word = std::string(term.word)](const Ui& then) {
                      then.wishes.help = true;
                      then.wishes.help_words = word;
                    },
                    std::string(term.forms)});
}

// The title letter by letter: those that were searched for stand out.
void draw_title(const Ui& ui, const Rect& rect, const std::string& title,
                const std::vector<std::size_t>& matched) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = ui.font(Type::body);
  const float y = static_cast<float>(rect.y + (rect.height - font->FontSize) / 2);
  list.PushClipRect(corner(rect), far_corner(rect), true);
  std::size_t from = 0;
  while (from < title.size()) {
    const bool lit = std::binary_search(matched.begin(), matched.end(), from);
    std::size_t to = from + 1;
    while (to < title.size() && std::binary_search(matched.begin(), matched.end(), to) == lit) ++to;
    // Measured from the start, so that kerning and rounding do not add up.
    const float x =
        static_cast<float>(rect.x) + text_width(ui, std::string_view(title).substr(0, from), Type::body);
    list.AddText(font, font->FontSize, {std::floor(x), std::floor(y)},
                 ui.color(lit ? Token::accent : Token::text), title.data() + from, title.data() + to);
    from = to;
  }
  list.PopClipRect();
}

}  // namespace

std::vector<Command> commands(const Ui& ui) {
  std::vector<Command> list;
  for (const Action& action : actions()) {
    if (action.id == "palette" || action.figure) continue;
    list.push_back({std::string(title_of(action)), std::string(action.group), keys_of(action),
                    [&action](const Ui& then) { perform(then, action); }});
  }
  add_steps(ui, list);
  for (const std::string& ladder : ui.model.ladders())
    list.push_back({"Ladder " + ladder_title(ladder), "Ladder", "", [ladder](const Ui& then) {
                      then.state().view.page = Page::ladder;
                      then.model.choose_ladder(ladder);
                    }});
  add_figures(list);
  add_lessons(ui, list);
  add_devices(ui, list);
  add_sizes(list);
  ui.page().add_commands(ui, list);
  for (const auto& page : ui.pages) page->add_lasting_commands(list);
  add_words(list);
  return list;
}

void Palette::search(const std::vector<Command>& all) {
  hits_.clear();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (auto match = fuzzy_match(query_, all[i].title)) {
      hits_.push_back({i, *std::move(match)});
    } else if (auto both = fuzzy_match(query_, all[i].title + " " + all[i].group)) {
      std::erase_if(both->positions, [&](std::size_t at) { return at >= all[i].title.size(); });
      both->score /= 2;
      hits_.push_back({i, *std::move(both)});
    } else if (auto other = fuzzy_match(query_, all[i].words); other && !all[i].words.empty()) {
      hits_.push_back({i, {other->score / 2, {}}});
    }
  }
  std::stable_sort(hits_.begin(), hits_.end(),
                   [](const Hit& a, const Hit& b) { return a.match.score > b.match.score; });
  chosen_ = hits_.empty() ? 0 : std::min(chosen_, hits_.size() - 1);
}

void Palette::carry_out(const Ui& ui, const Command& command) {
  open_ = false;
  ImGui::CloseCurrentPopup();
  command.act(ui);
}

void Palette::handle_keys(const Ui& ui, const std::vector<Command>& all) {
  using compat::Key;
  const auto move = [&](std::ptrdiff_t by) {
    if (hits_.empty()) return;
    chosen_ = static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(chosen_) + by, 0, std::ssize(hits_) - 1));
    moved_ = true;
  };
  if (compat::pressed(Key::down)) move(1);
  if (compat::pressed(Key::up)) move(-1);
  if (compat::pressed(Key::page_down)) move(kMostRows - 1);
  if (compat::pressed(Key::page_up)) move(1 - static_cast<std::ptrdiff_t>(kMostRows));
  if (compat::pressed(Key::escape)) {
    open_ = false;
    ImGui::CloseCurrentPopup();
  } else if (compat::pressed(Key::enter) && chosen_ < hits_.size()) {
    carry_out(ui, all[hits_[chosen_].command]);
  }
}

bool Palette::draw_hit(const Ui& ui, const Rect& rect, const Command& command, const Hit& hit, bool chosen) {
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::PushID(static_cast<int>(hit.command));
  const bool clicked = ImGui::InvisibleButton("hit", extent(rect));
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PopID();
  ui.mark("palette/" + command.title, rect);
  if (chosen || hovered) fill(ui, rect, chosen ? Token::line : Token::raised, 1, theme::metric::kCorner);
  if (chosen) fill(ui, {rect.x, rect.y, ui.px(3), rect.height}, Token::accent);
  const double keys = command.keys.empty() ? 0 : text_width(ui, command.keys, Type::small_code) + ui.px(12);
  const double group =
      std::min<double>(text_width(ui, command.group, Type::caption) + ui.px(2), rect.width / 3);
  double right = rect.right() - ui.px(12);
  if (keys > 0) {
    const Rect key_cap{right - keys, rect.center().y - ui.px(11), keys, ui.px(22)};
    fill(ui, key_cap, chosen ? Token::raised : Token::line, 1, 4);
    draw_text(ui, key_cap, command.keys, {Type::small_code}, Align::center);
    right = key_cap.x - ui.px(12);
  }
  draw_text(ui, {right - group, rect.y, group, rect.height}, command.group, {Type::caption, Token::dim},
            Align::right);
  right -= group + ui.px(12);
  const double x = rect.x + ui.px(16);
  draw_title(ui, {x, rect.y, right - x, rect.height}, command.title, hit.match.positions);
  return clicked;
}

void Palette::draw_hits(const Ui& ui, const Rect& rect, const std::vector<Command>& all) {
  begin_panel("palette hits", rect);
  const double step = ui.px(kEntryHeight);
  if (hits_.empty())
    draw_text(ui, {rect.x + ui.px(16), rect.y, rect.width - ui.px(32), step}, "Nothing is called that",
              {Type::body, Token::dim});
  if (std::exchange(moved_, false)) {
    const double top = step * static_cast<double>(chosen_);
    if (top < ImGui::GetScrollY()) ImGui::SetScrollY(static_cast<float>(top));
    if (top + step > ImGui::GetScrollY() + rect.height)
      ImGui::SetScrollY(static_cast<float>(top + step - rect.height));
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Command* clicked = nullptr;
  for (std::size_t i = 0; i < hits_.size(); ++i) {
    const Rect row{rect.x, at.y + step * static_cast<double>(i), rect.width - ui.px(10), step};
    if (row.bottom() < rect.y || row.y > rect.bottom()) continue;
    const Command& command = all[hits_[i].command];
    if (draw_hit(ui, row, command, hits_[i], i == chosen_)) clicked = &command;
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({1, static_cast<float>(step * static_cast<double>(hits_.size()))});
  ImGui::EndChild();
  if (clicked != nullptr) carry_out(ui, *clicked);
}

void Palette::draw(const Ui& ui) {
  if (std::exchange(wanted_, false)) {
    open_ = true;
    query_.clear();
    chosen_ = 0;
    moved_ = true;
    ImGui::OpenPopup("palette");
  }
  if (!open_) return;
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const double width = std::min<double>(ui.px(kBoxWidth), window.x - ui.px(32));
  const double top = std::min<double>(ui.px(72), window.y * 0.08);
  const double rows = std::clamp<double>(
      std::floor((window.y - 2 * top - ui.px(kFieldHeight + 16)) / ui.px(kEntryHeight)), 1, kMostRows);
  const Rect box{std::floor((window.x - width) / 2), top, width,
                 ui.px(kFieldHeight) + rows * ui.px(kEntryHeight) + ui.px(12)};
  ImGui::SetNextWindowPos(corner(box));
  ImGui::SetNextWindowSize(extent(box));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  open_ = ImGui::BeginPopup(
      "palette", ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  if (!open_) return;
  ui.mark("palette", box);
  draw_veil(ui, box);
  const std::vector<Command> all = commands(ui);
  const float height = ui.px(kFieldHeight);
  ImGui::SetCursorScreenPos({static_cast<float>(box.x) + ui.px(6),
                             static_cast<float>(box.y) + (height - ImGui::GetFrameHeight()) / 2});
  ImGui::SetNextItemWidth(static_cast<float>(box.width) - ui.px(12));
  ImGui::PushStyleColor(ImGuiCol_FrameBg, ImVec4(0, 0, 0, 0));
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  if (ImGui::InputTextWithHint(
          "##query", "Search for a topic, a step, a figure, a device, a value, a word, an action", &query_)) {
    chosen_ = 0;
    moved_ = true;
  }
  ImGui::PopStyleColor();
  rule(ui, box.x, box.y + height - 1, box.right(), box.y + height - 1);
  search(all);
  draw_hits(ui,
            {box.x + ui.px(4), box.y + height + ui.px(4), box.width - ui.px(8), rows * ui.px(kEntryHeight)},
            all);
  if (open_) handle_keys(ui, all);
  ImGui::EndPopup();
}

}  // namespace warplens::app
