#include <algorithm>

#include "app/window/kit/ui.hpp"

namespace warplens::app {
namespace {

struct ColorRow {
  ImGuiCol_ place;
  Token token;
  float alpha = 1;
};

constexpr ColorRow kRows[] = {{ImGuiCol_Text, Token::text},
                              {ImGuiCol_TextDisabled, Token::dim, 0.85f},
                              {ImGuiCol_WindowBg, Token::background},
                              {ImGuiCol_ChildBg, Token::panel, 0},
                              {ImGuiCol_PopupBg, Token::panel},
                              {ImGuiCol_Border, Token::dim, 0.5f},
                              {ImGuiCol_FrameBg, Token::raised},
                              {ImGuiCol_FrameBgHovered, Token::line},
                              {ImGuiCol_FrameBgActive, Token::line},
                              {ImGuiCol_Button, Token::raised},
                              {ImGuiCol_ButtonHovered, Token::line},
                              {ImGuiCol_ButtonActive, Token::line},
                              {ImGuiCol_Header, Token::raised},
                              {ImGuiCol_HeaderHovered, Token::line},
                              {ImGuiCol_HeaderActive, Token::line},
                              {ImGuiCol_ScrollbarBg, Token::panel, 0},
                              {ImGuiCol_ScrollbarGrab, Token::line},
                              {ImGuiCol_ScrollbarGrabHovered, Token::dim},
                              {ImGuiCol_ScrollbarGrabActive, Token::dim},
                              {ImGuiCol_Separator, Token::line},
                              {ImGuiCol_SeparatorHovered, Token::accent},
                              {ImGuiCol_SeparatorActive, Token::accent},
                              {ImGuiCol_CheckMark, Token::accent},
                              {ImGuiCol_TextSelectedBg, Token::accent, 0.35f},
                              {ImGuiCol_NavHighlight, Token::accent},
                              {ImGuiCol_ModalWindowDimBg, Token::background, 0.6f}};

}  // namespace

void apply_style(const theme::Theme& theme, double scale) {
  ImGuiStyle style;
  const auto px = [&](double v) { return static_cast<float>(static_cast<int>(v * scale + 0.5)); };
  style.WindowPadding = {px(12), px(12)};
  style.FramePadding = {px(10), px(6)};
  style.ItemSpacing = {px(8), px(6)};
  style.FrameRounding = style.PopupRounding = style.GrabRounding = px(theme::metric::kCorner);
  style.ScrollbarSize = px(10);
  style.ScrollbarRounding = px(5);
  style.WindowBorderSize = 0;
  style.PopupBorderSize = std::max(1.0f, px(1));
  style.ChildRounding = 0;
  style.DisabledAlpha = 0.45f;
  for (const ColorRow& row : kRows) {
    const theme::Rgba c = theme[row.token];
    style.Colors[row.place] = {static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255,
                               static_cast<float>(c.b) / 255, row.alpha};
  }
  ImGui::GetStyle() = style;
}

}  // namespace warplens::app
