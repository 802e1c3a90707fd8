#include "app/window/figure/export_dialog.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/base/paths.hpp"
#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/words.hpp"
#include "engine/base/text.hpp"

namespace warplens::app {
namespace {

constexpr const char* kPopup = "Save figure";
constexpr double kDialogWidth = 520, kFieldHeight = 32;

// Room for a thing of this height at the cursor; the cursor goes below it.
Rect take(const Ui& ui, double height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect rect{at.x, at.y, ImGui::GetContentRegionAvail().x, ui.px(height)};
  ImGui::Dummy(extent(rect));
  return rect;
}

void after(const Rect& rect) {
  ImGui::SetCursorScreenPos({static_cast<float>(rect.x), static_cast<float>(rect.bottom())});
  ImGui::Dummy({1, 1});
}

bool field(const Ui& ui, const char* name, std::string& text, const char* hint) {
  const Rect row = take(ui, kFieldHeight);
  const double label = ui.px(72);
  draw_text(ui, {row.x, row.y, label, row.height}, name, {Type::body, Token::dim});
  const Rect box{row.x + label, row.y, row.width - label, row.height};
  ui.mark(std::string("export/") + name, box);
  ImGui::SetCursorScreenPos(corner(box));
  ImGui::SetNextItemWidth(static_cast<float>(box.width));
  const bool entered = ImGui::InputTextWithHint((std::string("##") + name).c_str(), hint, &text,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  after(row);
  return entered;
}

}  // namespace

void ExportDialog::open(const Ui& ui, FigureSnapshot figure) {
  figure_ = std::move(figure);
  std::string kernel = ui.state().kernel;
  std::replace(kernel.begin(), kernel.end(), '/', '-');
  name_ =
      (figure_.plot ? ui.model.ladder() : std::filesystem::path(kernel).stem().string()) + "-" + figure_.name;
  folder_ = ui.state().view.export_folder;
  problem_.clear();
  asked_ = true;
}

std::string ExportDialog::path() const {
  return (std::filesystem::path(folder_) / (name_ + ending_)).string();
}

void ExportDialog::start(const Ui& ui) {
  std::error_code ignored;
  if (name_.empty()) return void(problem_ = "Type a name for the file");
  if (!folder_.empty() && !std::filesystem::is_directory(folder_, ignored))
    return void(problem_ = "There is no folder " + folder_);
  problem_.clear();
  at_work_ = true;
  share_ = 0;
  worker_.start({.path = path(),
                 .figure = figure_,
                 .theme = &ui.theme,
                 .speed = std::clamp(ui.state().view.speed, 1.0, 60.0),
                 .motion = ui.state().view.motion,
                 .fonts = font_folders(ui.model.home()),
                 .ffmpeg = ffmpeg_});
}

void ExportDialog::take_answer(const Ui& ui) {
  const auto progress = worker_.poll();
  if (!progress) return;
  share_ = progress->share;
  if (!progress->done) return;
  at_work_ = false;
  if (!*progress->done) return void(problem_ = sentence(to_line(progress->done->error())));
  ui.state().view.export_folder = folder_;
  ui.wishes.say = "Saved " + full_name(path());
  ImGui::CloseCurrentPopup();
}

void ExportDialog::draw_fields(const Ui& ui) {
  const bool named = field(ui, "Name", name_, "a file name");
  const bool placed = field(ui, "Folder", folder_, "where the program was started");
  if (named || placed) start(ui);
}

void ExportDialog::draw_kinds(const Ui& ui) {
  const Rect row = take(ui, kFieldHeight);
  const double gap = ui.px(6), count = static_cast<double>(file_kinds().size());
  const double width = (row.width - gap * (count - 1)) / count;
  double x = row.x;
  for (const FileKind& kind : file_kinds()) {
    const std::string why = why_not(figure_, kind, ffmpeg_);
    if (!why.empty() && kind.ending == ending_) ending_ = ".svg";
    const std::string tip = sentence(why.empty() ? std::string(kind.meaning) : why);
    if (button(ui, "export/" + std::string(kind.ending), {x, row.y, width, row.height}, kind.name,
               {.enabled = why.empty(), .chosen = kind.ending == ending_, .tip = tip}))
      ending_ = kind.ending;
    x += width + gap;
  }
  after(row);
}

// Where it will stand, and what is wrong.
void ExportDialog::draw_path(const Ui& ui) {
  std::error_code ignored;
  const bool replaces = std::filesystem::exists(path(), ignored);
  const std::string said =
      !problem_.empty() ? problem_ : (replaces ? "Replaces " : "Makes ") + full_name(path());
  const Label label{Type::caption, problem_.empty() && !replaces ? Token::dim : Token::costly};
  const float width = ImGui::GetContentRegionAvail().x;
  const Rect lines = take(ui, 36);
  draw_paragraph(ui, corner(lines), width, said, label, true, 2);
}

void ExportDialog::draw_buttons(const Ui& ui) {
  const Rect row = take(ui, kFieldHeight);
  const double width = ui.px(96);
  if (button(ui, "export/save", {row.right() - width, row.y, width, row.height}, "Save",
             {.look = Look::primary, .enabled = figure_.shown.has_value()}))
    start(ui);
  if (button(ui, "export/close", {row.right() - 2 * width - ui.px(8), row.y, width, row.height}, "Cancel"))
    ImGui::CloseCurrentPopup();
  after(row);
}

void ExportDialog::draw_progress(const Ui& ui) {
  const Rect row = take(ui, kFieldHeight);
  const double width = ui.px(96);
  const Rect track{row.x, row.center().y - ui.px(3), row.width - width - ui.px(72), ui.px(6)};
  fill(ui, track, Token::line, 1, 3);
  fill(ui, {track.x, track.y, track.width * std::clamp(share_, 0.0, 1.0), track.height}, Token::accent, 1, 3);
  draw_text(ui, {track.right() + ui.px(8), row.y, ui.px(52), row.height},
            fmt::format("{:.0f} %", 100 * share_), {Type::caption, Token::dim});
  if (button(ui, "export/stop", {row.right() - width, row.y, width, row.height}, "Stop")) {
    worker_.cancel();
    at_work_ = false;
    problem_ = "Stopped: nothing was saved";
  }
  after(row);
}

void ExportDialog::draw(const Ui& ui) {
  if (std::exchange(asked_, false)) ImGui::OpenPopup(kPopup);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(ui.px(kDialogWidth), size.x - ui.px(32)), 0});
  // As the other popups look, with more air.
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(theme::metric::kCorner));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0f, ui.px(1)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(20), ui.px(16)));
  const bool is_open = ImGui::BeginPopupModal(
      kPopup, nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
  ImGui::PopStyleVar(3);
  if (!is_open) return;
  draw_text(ui, take(ui, 28), "Save figure", {Type::strong});
  draw_fields(ui);
  draw_kinds(ui);
  draw_path(ui);
  if (at_work_)
    draw_progress(ui);
  else
    draw_buttons(ui);
  if (at_work_) take_answer(ui);
  if (!at_work_ && compat::pressed(compat::Key::escape)) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace warplens::app
