// An index typed or dragged, and its sectors and banks at once.
#include "app/window/pages/playground/playground_page.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include "app/window/figure/figure_canvas.hpp"
#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/focus.hpp"
#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/widgets.hpp"
#include "engine/base/text.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::app {
namespace {

constexpr double kColumnWidth = 300, kInset = 20, kRow = 32;
constexpr double kOldAlpha = 0.45;        // of what an index shows that was replaced by a wrong one
constexpr std::int64_t kLeastRange = 64;  // of the sliders; more where the value is larger

// A choice of a few words side by side; answers the position of a new one.
template <std::size_t count>
std::optional<std::size_t> choose(const Ui& ui, std::string_view name, const Rect& rect,
                                  const std::array<const char*, count>& words, std::size_t chosen) {
  const double gap = ui.px(4), width = (rect.width - gap * (count - 1)) / count;
  std::optional<std::size_t> next;
  for (std::size_t i = 0; i < count; ++i) {
    const Rect place{rect.x + static_cast<double>(i) * (width + gap), rect.y, width, rect.height};
    if (button(ui, fmt::format("playground/{}/{}", name, words[i]), place, words[i],
               {.look = i == chosen ? Look::primary : Look::plain}))
      next = i;
  }
  return next;
}

// A slider with its number beside it, which can be typed too; a new value goes to set().
template <class Set>
double draw_number_slider(const Ui& ui, const char* name, double x, double y, double width,
                          std::int64_t value, bool enabled, Set set) {
  const double field = std::clamp<double>(text_width(ui, std::to_string(value), Type::body) + ui.px(18),
                                          ui.px(84), width - ui.px(64));
  const double alpha = enabled ? 1 : 0.45;
  draw_text(ui, {x, y, width - field, ui.px(28)}, name, {Type::code, Token::text, alpha});
  ImGui::PushID(name);
  ImGui::BeginDisabled(!enabled);
  ImGui::SetCursorScreenPos({static_cast<float>(x + width - field), static_cast<float>(y)});
  ImGui::SetNextItemWidth(static_cast<float>(field));
  ui.mark(fmt::format("playground/{} number", name), {x + width - field, y, field, ui.px(28)});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(8), (ui.px(28) - ImGui::GetFontSize()) / 2));
  std::int64_t typed = value;
  if (ImGui::InputScalar("##number", ImGuiDataType_S64, &typed) && typed != value && enabled) set(typed);
  ImGui::PopStyleVar();
  ImGui::EndDisabled();

  const Rect track{x + ui.px(6), y + ui.px(32), width - ui.px(12), ui.px(20)};
  ui.mark(fmt::format("playground/{}", name), track);
  ImGui::SetCursorScreenPos({static_cast<float>(x), static_cast<float>(track.y)});
  ImGui::InvisibleButton("slider", {static_cast<float>(width), static_cast<float>(track.height)});
  const std::string mark = fmt::format("playground/{}", name);
  if (enabled) clicked_by_key(ui, mark, track);
  if (enabled && ui.focus.is_on(mark))
    if (const int by =
            (compat::pressed(compat::Key::right) ? 1 : 0) - (compat::pressed(compat::Key::left) ? 1 : 0);
        by != 0)
      set(value + by);
  if (!enabled) tooltip(ui, fmt::format("Write {} in the index to drag it", name));
  const auto range = static_cast<double>(std::max(
      kLeastRange, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::abs(value))))));
  double share = std::clamp(static_cast<double>(value) / range, 0.0, 1.0);
  if (enabled && ImGui::IsItemActive()) {
    // While it is dragged the range stays, or the value would run away from the pointer.
    float* held = ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("range"), 0);
    if (ImGui::IsItemActivated()) *held = static_cast<float>(range);
    share = std::clamp((ImGui::GetIO().MousePos.x - track.x) / std::max(1.0, track.width), 0.0, 1.0);
    const auto dragged = static_cast<std::int64_t>(std::floor(share * *held + 0.5));
    if (dragged != value) set(dragged);
  }
  ImGui::PopID();
  const double middle = track.center().y;
  fill(ui, {track.x, middle - ui.px(1.5), track.width, ui.px(3)}, Token::line, 1, 1.5);
  fill(ui, {track.x, middle - ui.px(1.5), track.width * share, ui.px(3)}, Token::accent, alpha, 1.5);
  draw_disc(ui, {track.x + track.width * share, middle}, ui.px(8), enabled ? Token::accent : Token::line);
  return track.bottom() + ui.px(8);
}

double draw_label(const Ui& ui, double x, double y, double width, std::string_view text) {
  draw_text(ui, {x, y, width, ui.px(24)}, text, {Type::caption, Token::dim});
  return y + ui.px(26);
}

double draw_lanes(const Ui& ui, double x, double y, double width, std::uint32_t& mask) {
  constexpr int across = 8, down = 4;
  const double cell = std::floor(width / across), height = ui.px(24);
  const Rect grid{x, y, cell * across, height * down};
  ui.mark("playground/lanes", grid);
  ImGui::SetCursorScreenPos(corner(grid));
  ImGui::InvisibleButton("lanes", extent(grid));
  // Arrows go from lane to lane, Enter switches one.
  int* at = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("lane of keys"), 0);
  const bool switches = clicked_by_key(ui, "playground/lanes", grid),
             has_focus = ui.focus.is_on("playground/lanes");
  const auto moves = [&](compat::Key key, int by) {
    if (has_focus && compat::pressed(key)) *at = std::clamp(*at + by, 0, across * down - 1);
  };
  moves(compat::Key::right, 1), moves(compat::Key::left, -1);
  moves(compat::Key::down, across), moves(compat::Key::up, -across);
  if (switches) mask ^= 1u << *at;
  tooltip(ui, "Click or drag to switch lanes on and off");
  if (ImGui::IsItemActive()) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const int column = static_cast<int>(std::floor((mouse.x - grid.x) / cell));
    const int line = static_cast<int>(std::floor((mouse.y - grid.y) / height));
    if (column >= 0 && column < across && line >= 0 && line < down) {
      const std::uint32_t bit = 1u << (line * across + column);
      // The first lane that is pressed says what the drag does to all.
      bool* on = ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID("lane on"), false);
      if (ImGui::IsItemActivated()) *on = (mask & bit) == 0;
      mask = *on ? mask | bit : mask & ~bit;
    }
  }
  for (int lane = 0; lane < across * down; ++lane) {
    const Rect box{grid.x + cell * (lane % across) + 1, grid.y + height * (lane / across) + 1, cell - 2,
                   height - 2};
    const bool on = (mask >> lane & 1) != 0;
    fill(ui, box, on ? lane == 0 ? Token::first_thread : Token::first_warp : Token::raised, 1, 3);
    if (has_focus && lane == *at) app::frame(ui, box, Token::text, 1, 3);
    draw_text(ui, box, std::to_string(lane), {Type::small_code, on ? Token::background : Token::dim},
              Align::center);
  }
  return grid.bottom() + ui.px(8);
}

double draw_mask(const Ui& ui, double x, double y, double width, std::uint32_t& mask) {
  constexpr std::array<const char*, 4> words = {"All", "Half", "Even", "Flip"};
  const auto chosen = choose(ui, "mask", {x, y, width, ui.px(28)}, words, words.size());
  if (chosen) {
    const std::array<std::uint32_t, 4> masks = {0xffffffffu, 0x0000ffffu, 0x55555555u, ~mask};
    mask = masks[*chosen];
  }
  return y + ui.px(36);
}

double draw_presets(const Ui& ui, double x, double y, double width) {
  y = draw_label(ui, x, y, width, "Patterns");
  PlaygroundState& state = ui.state().playground;
  const double half = (width - ui.px(4)) / 2;
  double column = 0;
  for (const PlaygroundPreset& preset : playground_presets()) {
    const Rect place{x + column * (half + ui.px(4)), y, half, ui.px(28)};
    if (button(ui, fmt::format("playground/preset/{}", preset.name), place, preset.name,
               {.look = is_chosen(preset, state) ? Look::primary : Look::plain, .tip = preset.meaning}))
      apply(preset, state);
    if (column == 1) y += ui.px(32);
    column = 1 - column;
  }
  return y + ui.px(4) + column * ui.px(32);
}

double draw_choices(const Ui& ui, double x, double y, double width) {
  PlaygroundState& state = ui.state().playground;
  const double height = ui.px(kRow);
  y = draw_label(ui, x, y, width, "Access");
  if (const auto op = choose<2>(ui, "op", {x, y, width, height}, {"Load", "Store"}, state.store ? 1 : 0))
    state.store = *op == 1;
  y += height + ui.px(8);
  constexpr std::array widths = {4, 8, 16};
  const auto at = std::find(widths.begin(), widths.end(), state.width) - widths.begin();
  if (const auto bytes = choose<3>(ui, "width", {x, y, width, height}, {"4 bytes", "8 bytes", "16 bytes"},
                                   static_cast<std::size_t>(at)))
    state.width = widths[*bytes];
  y = draw_label(ui, x, y + height + ui.px(8), width, "Memory");
  if (const auto memory = choose<3>(ui, "memory", {x, y, width, height}, {"Both", "Global", "Shared"},
                                    static_cast<std::size_t>(state.memory)))
    state.memory = static_cast<Memory>(*memory);
  y = draw_label(ui, x, y + height + ui.px(8), width, "Rules of");
  draw_device_menu(ui, "playground/device", {x, y, width, height}, ui.model.device().name,
                   "Whose rules count sectors and banks");
  return y + height + ui.px(8);
}

void draw_column(const Ui& ui, const Rect& rect) {
  fill(ui, rect, Token::panel);
  begin_panel("playground choices", rect);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const double x = rect.x + ui.px(kInset), width = rect.width - 2 * ui.px(kInset);
  double y = at.y + ui.px(10);
  PlaygroundState& state = ui.state().playground;
  const double right = x + width;
  if (button(ui, "playground/close", {right - ui.px(68), y, ui.px(68), ui.px(28)}, "Close",
             {.tip = "Back to the ladder (G)"}))
    ui.state().view.page = Page::ladder;
  const double room = right - ui.px(72) - x;
  draw_text(ui, {x, y, room, ui.px(28)}, "Playground", {Type::strong, Token::dim});
  y += ui.px(40);
  const PlaygroundLine line = playground_line(state);
  y = draw_number_slider(ui, "stride", x, y, width, line.stride, line.has_stride,
                         [&](std::int64_t value) { set_stride(state, value); });
  y = draw_number_slider(ui, "offset", x, y, width, line.offset, line.has_offset,
                         [&](std::int64_t value) { set_offset(state, value); });
  y = draw_presets(ui, x, y, width);
  y = draw_choices(ui, x, y, width);
  y = draw_label(ui, x, y, width,
                 fmt::format("Lanes, {} of 32, 0x{:08x}", std::popcount(state.mask), state.mask));
  y = draw_lanes(ui, x, y, width, state.mask);
  y = draw_mask(ui, x, y, width, state.mask);
  ImGui::SetCursorScreenPos({at.x, static_cast<float>(y)});
  ImGui::Dummy({1, ui.px(12)});
  end_fading_panel(ui, rect);
}

// Where in the field the expression is wrong, and what is wrong with it.
void draw_fault(const Ui& ui, const Rect& field, double text_x, const Error& error) {
  const std::string& index = ui.state().playground.index;
  frame(ui, field, Token::costly, 1, theme::metric::kCorner);
  const double y = field.bottom();
  if (error.place.column > 0) {
    const std::size_t before = std::min(index.size(), static_cast<std::size_t>(error.place.column) - 1);
    const double x = text_x + text_width(ui, std::string_view(index).substr(0, before), Type::code) +
                     text_width(ui, "0", Type::code) / 2;
    if (x < field.right() - ui.px(8)) {
      const ImVec2 c{static_cast<float>(x), static_cast<float>(y) - ui.px(8)};
      const float r = ui.px(5);
      ImGui::GetWindowDrawList()->AddTriangleFilled({c.x, c.y - r}, {c.x + r, c.y + r}, {c.x - r, c.y + r},
                                                    ui.color(Token::costly));
    }
  }
  const std::string text = sentence(error.message) + (error.next_step.empty() ? "" : "; " + error.next_step);
  ui.mark("playground/fault", {field.x, y, field.width, ui.px(26)});
  const Rect line{field.x, y + ui.px(2), field.width, ui.px(24)};
  if (text_width(ui, text, Type::body) <= line.width)
    return void(draw_text(ui, line, text, {Type::body, Token::costly}));
  draw_paragraph(ui, {static_cast<float>(line.x), static_cast<float>(line.y) + ui.px(3)},
                 static_cast<float>(line.width), text, {Type::caption, Token::costly}, true, 2);
}

void draw_field(const Ui& ui, Playground& playground, const Rect& rect) {
  const double label = text_width(ui, "index", Type::code) + ui.px(16);
  draw_text(ui, {rect.x, rect.y, label, ui.px(44)}, "index", {Type::code, Token::dim});
  const Rect field{rect.x + label, rect.y, rect.width - label, ui.px(44)};
  ui.mark("playground/index", field);
  ImGui::PushFont(ui.font(Type::code));
  ImGui::SetCursorScreenPos(corner(field));
  ImGui::SetNextItemWidth(static_cast<float>(field.width));
  const ImVec2 padding(ui.px(12), (static_cast<float>(field.height) - ImGui::GetFontSize()) / 2);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
  ImGui::InputText("##index", &ui.state().playground.index);
  if (clicked_by_key(ui, "playground/index", field)) ImGui::SetKeyboardFocusHere(-1);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  playground.update(ui.state().playground, ui.model.device());
  if (playground.error()) {
    draw_fault(ui, field, field.x + padding.x, *playground.error());
  } else {
    frame(ui, field, Token::line, 1, theme::metric::kCorner);
    draw_text(ui, {field.x, field.bottom() + ui.px(2), field.width, ui.px(24)},
              "A lane’s element, from lane, warp, stride, offset", {Type::caption, Token::dim});
  }
}

struct NumberCard {
  const char* title;
  std::string value, note;
  bool costly = false;
};

// Of the memory that is not looked at there is no number.
NumberCard left_out(const NumberCard& card, const char* other) {
  return {.title = card.title, .value = "–", .note = other};
}

std::array<NumberCard, 4> cards_of(const PlaygroundPicture& picture, Memory memory, bool narrow) {
  const auto& sectors = picture.sectors;
  const auto& banks = picture.banks;
  const std::string moved = grouped(static_cast<std::uint64_t>(sectors.bytes_moved));
  std::array<NumberCard, 4> cards = {
      {{"Requests", std::to_string(sectors.requests), "of the warp"},
       {"Sectors", std::to_string(sectors.sectors), fmt::format("ideal {}", sectors.ideal_sectors),
        sectors.sectors > sectors.ideal_sectors},
       {"Bytes used", grouped(static_cast<std::uint64_t>(sectors.bytes_used)),
        fmt::format(fmt::runtime(narrow ? "of {}" : "of {} moved"), moved),
        sectors.sectors > sectors.ideal_sectors},
       {"Wavefronts", std::to_string(banks.wavefronts), fmt::format("ideal {}", banks.ideal_wavefronts),
        banks.wavefronts > banks.ideal_wavefronts}}};
  if (memory == Memory::shared)
    for (const std::size_t i : {1, 2}) cards[i] = left_out(cards[i], "global memory");
  if (memory == Memory::global) cards[3] = left_out(cards[3], "shared memory");
  return cards;
}

// Narrow cards have their note below the number.
void draw_card(const Ui& ui, const Rect& card, const NumberCard& content, bool narrow, double alpha) {
  fill(ui, card, Token::panel, 1, theme::metric::kCorner);
  frame(ui, card, Token::line, 1, theme::metric::kCorner);
  ui.mark(fmt::format("playground/{}", content.title), card);
  const double inset_x = ui.px(narrow ? 8 : 14);
  const double x = card.x + inset_x, inner = card.width - inset_x - ui.px(6);
  draw_text(ui, {x, card.y + ui.px(4), inner, ui.px(20)}, content.title, {Type::caption, Token::dim});
  draw_text(ui, {x, card.y + ui.px(22), inner, ui.px(32)}, content.value, {Type::number, Token::text, alpha});
  const double beside = narrow ? 0 : text_width(ui, content.value, Type::number) + ui.px(10);
  draw_text(ui, {x + beside, card.y + ui.px(narrow ? 52 : 26), inner - beside, ui.px(narrow ? 22 : 28)},
            content.note, {Type::caption, content.costly ? Token::costly : Token::dim, alpha});
}

// Returns the height.
double draw_numbers(const Ui& ui, const Playground& playground, double x, double y, double width) {
  constexpr double narrow_card = 160;  // design pixels
  const double gap = ui.px(8), each = (width - 3 * gap) / 4;
  const bool narrow = each < ui.px(narrow_card);
  const double height = ui.px(narrow ? 78 : 60);
  const PlaygroundPicture* picture = playground.picture();
  if (picture == nullptr) return height;
  // An older picture's numbers, until the expression is right again.
  const double alpha = playground.error() ? kOldAlpha : 1;
  for (const NumberCard& card : cards_of(*picture, ui.state().playground.memory, narrow)) {
    draw_card(ui, {x, y, each, height}, card, narrow, alpha);
    x += each + gap;
  }
  return height;
}

// What goes with a lane, a sector or a bank of the access: its lanes, and what serves these.
Pointed pointed_in(const PlaygroundPicture& picture, std::string_view id) {
  const std::size_t colon = id.find(':');
  std::uint64_t number = 0;
  const std::string_view digits = colon == std::string_view::npos ? "" : id.substr(colon + 1);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc()) return {};
  const std::string_view kind = id.substr(0, colon);
  Pointed pointed{.id = std::string(id)};
  const auto for_each_word = [&](auto act) {
    for (const auto& wavefront : picture.shared.pieces.shared.wavefronts)
      for (const auto& word : wavefront.words) act(word);
  };
  if (kind == "lane" && number < 32) pointed.lanes = 1u << number;
  for (const auto& sector : picture.global.pieces.global.sectors)
    if (kind == "sector" && sector.id == number) pointed.lanes |= sector.lanes;
  for_each_word([&](const auto& word) {
    if (kind == "bank" && static_cast<std::uint64_t>(word.bank) == number) pointed.lanes |= word.lanes;
  });
  for (const auto& sector : picture.global.pieces.global.sectors)
    if ((sector.lanes & pointed.lanes) != 0) pointed.sectors.push_back(sector.id);
  for_each_word([&](const auto& word) {
    if ((word.lanes & pointed.lanes) != 0) pointed.banks |= std::uint64_t{1} << word.bank;
  });
  return pointed.lanes == 0 ? Pointed{} : pointed;
}

void light_pointed(const Ui& ui, const Playground& playground, const scene::Scene& scene, const Rect& rect) {
  if (playground.error() || playground.picture() == nullptr || !ImGui::IsItemHovered()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto hit = scene::hit_test(scene, {(mouse.x - rect.x) / ui.scale, (mouse.y - rect.y) / ui.scale},
                                   ui.painter.fonts());
  if (hit)
    show_lit(ui, pointed_in(*playground.picture(), hit->id), scene, {rect.x, rect.y}, ui.scale,
             "playground/lit/");
}

void draw_picture(const Ui& ui, Playground& playground, const Rect& rect, Memory memory) {
  ui.mark("playground/picture", rect);
  if (rect.height < ui.px(40) || rect.width < ui.px(40)) return;
  const scene::Scene* scene = playground.scene(
      memory, {std::floor(rect.width / ui.scale), std::floor(rect.height / ui.scale)}, ui.painter.fonts());
  if (scene == nullptr) {
    draw_text(ui, rect, "The picture comes as soon as this is right", {Type::body, Token::dim},
              Align::center);
    return;
  }
  show_scene(ui, rect, scene, [&] {
    if (playground.error()) fill(ui, rect, Token::background, 1 - kOldAlpha);
  });
  light_pointed(ui, playground, *scene, rect);
}

}  // namespace

PlaygroundPage::PlaygroundPage(Model& model) : WindowPage(Page::playground), model_(model) {}

void PlaygroundPage::draw(const Ui& ui, const Rect& rect) {
  const double column = ui.px(kColumnWidth);
  const double x = rect.x + column + ui.px(16), width = rect.right() - ui.px(16) - x;
  double y = rect.y + ui.px(12);
  draw_field(ui, playground_, {x, y, width, ui.px(72)});
  y += ui.px(80);
  y += draw_numbers(ui, playground_, x, y, width) + ui.px(8);
  const Rect picture{rect.x + column + 1, y, rect.width - column - 1, rect.bottom() - y};
  draw_picture(ui, playground_, picture, state().memory);
  draw_column(ui, {rect.x, rect.y, column, rect.height});
  rule(ui, rect.x + column, rect.y, rect.x + column, rect.bottom());
}

std::optional<scene::Scene> PlaygroundPage::scene() const {
  const scene::Scene* shown = playground_.shown();
  return shown == nullptr ? std::nullopt : std::optional(*shown);
}

FigureSnapshot PlaygroundPage::snapshot() const { return still_figure("playground", scene()); }

std::optional<std::string> PlaygroundPage::numbers() const {
  if (playground_.picture() == nullptr) return std::nullopt;
  return tsv_of(state(), *playground_.picture());
}

void PlaygroundPage::move_access(std::ptrdiff_t by) {
  set_stride(state(), playground_line(state()).stride + by);
}

void PlaygroundPage::move_warp(int by) { set_offset(state(), playground_line(state()).offset + by); }

void PlaygroundPage::add_lasting_commands(std::vector<Command>& list) const {
  for (const PlaygroundPreset& preset : playground_presets())
    list.push_back({std::string(preset.name), "Playground", "", [&preset](const Ui& then) {
                      then.state().view.page = Page::playground;
                      apply(preset, then.state().playground);
                    }});
}

}  // namespace warplens::app
