#include "app/window/figure/export_dialog.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "app/base/paths.hpp"
#include "app/base/text_table.hpp"
#include "app/window/figure/file_dialog.hpp"
#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/page.hpp"
#include "app/window/kit/scene_painter.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/judged_steps.hpp"
#include "app/window/model/performance_data.hpp"
#include "app/window/model/words.hpp"
#include "engine/base/text.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

constexpr const char* kPopup = "Save figure";
constexpr double kDialogWidth = 980, kFormWidth = 610, kPreviewHeight = 216, kFolderRow = 26,
                 kFieldHeight = 32;

// Room for a thing of this height at the cursor; the cursor goes below it.
Rect take(const Ui& ui, double height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect rect{at.x, at.y, ImGui::GetContentRegionAvail().x, ui.px(height)};
  ImGui::Dummy(extent(rect));
  return rect;
}

constexpr double kLabelWidth = 92;

// In pixels of the picture; files of pixels have two for each.
struct OfferedSize {
  const char* name;
  scene::Size size;
};
constexpr std::array kSizes = {OfferedSize{"As shown", {}}, OfferedSize{"1280 × 720", {1280, 720}},
                               OfferedSize{"1600 × 900", {1600, 900}}, OfferedSize{"1024 × 768", {1024, 768}},
                               OfferedSize{"900 × 900", {900, 900}}};

// What the picture says in a sentence.
std::string message(const Ui& ui, const FigureSnapshot& snapshot, bool of_step) {
  if (snapshot.figure == nullptr) return ui.page().stage_words(ui).headline;
  figures::Subject subject = snapshot.subject;
  if (snapshot.plot)
    if (auto input = ui.performance.input(*snapshot.figure))
      subject.performance = std::make_shared<const figures::PerformanceInput>(*std::move(input));
  return capitalized(figures::message_of(*snapshot.figure, subject, of_step));
}

// Of the run, for a page.
std::vector<figures::NumberCard> speed_of_run(const Ui& ui) {
  const run::SharedRun run = ui.model.counted_run();
  const study::SharedPrediction predicted =
      ui.model.library()->now({.run = run}, study::Fact::predicted).predicted;
  return figures::speed_cards(ui.performance.recorded_now(), predicted != nullptr && *predicted
                                                                 ? figures::predicted_rate(*run, **predicted)
                                                                 : std::nullopt);
}

// Where the step stands in its ladder.
figures::StagePage stage_around(const Ui& ui) {
  return {.ladder = ladder_title(ui.model.ladder()),
          .title = ui.model.spec().title,
          .at = step_index(ui.model),
          .count = ui.model.steps().size()};
}

void after(const Rect& rect) {
  ImGui::SetCursorScreenPos({static_cast<float>(rect.x), static_cast<float>(rect.bottom())});
  ImGui::Dummy({1, 1});
}

struct Offer {
  std::string name;
  bool chosen = false, enabled = true;
  std::string tip = {};
};

// A row of buttons behind a label. Returns which was clicked.
std::optional<std::size_t> choice(const Ui& ui, const char* label, const std::vector<Offer>& offers) {
  const Rect row = take(ui, kFieldHeight);
  draw_text(ui, {row.x, row.y, ui.px(kLabelWidth), row.height}, label, {Type::body, Token::dim});
  const double gap = ui.px(6), room = row.width - ui.px(kLabelWidth);
  const double width =
      (room - gap * static_cast<double>(offers.size() - 1)) / static_cast<double>(offers.size());
  double x = row.x + ui.px(kLabelWidth);
  std::optional<std::size_t> clicked;
  for (std::size_t i = 0; i < offers.size(); ++i, x += width + gap)
    if (button(ui, "export/" + offers[i].name, {x, row.y, width, row.height}, offers[i].name,
               {.enabled = offers[i].enabled, .chosen = offers[i].chosen, .tip = offers[i].tip}))
      clicked = i;
  after(row);
  return clicked;
}

bool field(const Ui& ui, const char* name, std::string& text, const char* hint) {
  const Rect row = take(ui, kFieldHeight);
  const double label = ui.px(kLabelWidth);
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
  begin(ui, std::move(figure));
  asked_ = true;
}

Result<std::string> ExportDialog::save(const Ui& ui, FigureSnapshot figure, std::string_view ending) {
  begin(ui, std::move(figure));
  FigureFile picture = file(ui);
  picture.path = free_name(std::filesystem::path(folder_) / name_, ending).string();
  const Status saved = save_picture(picture, ui.painter.fonts());
  return saved ? Result<std::string>(std::move(picture.path)) : saved.error();
}

void ExportDialog::begin(const Ui& ui, FigureSnapshot figure) {
  figure_ = std::move(figure);
  name_ = ui.page().file_name(ui.model);
  folder_ = ui.state().view.export_folder;
  is_dark_ = chosen_dark_.value_or(ui.state().view.dark);
  title_ = said_ = message(ui, figure_, can_be_drawn() && form_ == FigureFile::Form::page);
  problem_.clear();
  preview_of_.reset();
  listed_.clear();
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
  worker_.start(file(ui));
}

FigureFile ExportDialog::file(const Ui& ui) const {
  return {.path = path(),
          .figure = figure_,
          .theme = figures::theme_on(ground_, is_dark_ ? theme::dark() : theme::light()),
          .size = kSizes[size_].size,
          .slide = {.title = has_title_ ? title_ : "", .type = type_, .ground = ground_},
          .form = can_be_drawn() ? form_ : FigureFile::Form::shown,
          .numbers = form_ == FigureFile::Form::page ? speed_of_run(ui) : std::vector<figures::NumberCard>(),
          .stage = stage_around(ui),
          .speed = std::clamp(ui.state().view.speed, 1.0, 60.0),
          .motion = ui.state().view.motion,
          .by_iteration = ui.state().view.by_iteration,
          .fonts = font_folders(ui.model.home()),
          .ffmpeg = ffmpeg_};
}

void ExportDialog::take_answer(const Ui& ui) {
  const bool was_at_work = std::exchange(at_work_, false);  // nothing is, where that throws
  const auto progress = worker_.poll();
  at_work_ = was_at_work;
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
  const bool placed = field(ui, "Folder", folder_, "the folder Warplens was started in");
  if (named || placed) start(ui);
}

// The picture of a film fills its frame, as on a stage, unless something else is chosen then.
void ExportDialog::choose_kind(const FileKind& kind) {
  ending_ = kind.ending;
  if (!kind.film || !can_be_drawn()) return;
  form_ = FigureFile::Form::stage;
  if (size_ == 0) size_ = 1;
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
      choose_kind(kind);
    x += width + gap;
  }
  after(row);
}

bool ExportDialog::can_be_drawn() const {
  return figure_.figure != nullptr && !figure_.plot && figure_.subject.is_recorded();
}

// A title that nobody changed says what the other picture says.
void ExportDialog::choose_form(const Ui& ui, FigureFile::Form form) {
  form_ = form;
  std::string says = message(ui, figure_, form == FigureFile::Form::page);
  if (title_ == said_) title_ = says;
  said_ = std::move(says);
}

void ExportDialog::draw_slide(const Ui& ui) {
  using Form = FigureFile::Form;
  using figures::Ground;
  std::vector<Offer> sizes;
  for (std::size_t i = 0; i < kSizes.size(); ++i) sizes.push_back({kSizes[i].name, i == size_});
  if (const auto size = choice(ui, "Size", sizes)) size_ = *size;
  const bool white = ground_ == Ground::white;
  const bool bare = ground_ == Ground::transparent;  // then the words stand on the slide
  if (const auto theme = choice(ui, "Theme",
                                {{bare ? "Dark, for dark slides" : "Dark", is_dark_ && !white, !white,
                                  white ? "White paper is light" : ""},
                                 {bare ? "Light, for light slides" : "Light", !is_dark_ || white}}))
    chosen_dark_ = is_dark_ = *theme == 0;
  constexpr std::array grounds = {Ground::theme, Ground::white, Ground::transparent};
  if (const auto ground = choice(ui, "Background",
                                 {{"Theme colour", ground_ == grounds[0]},
                                  {"White", ground_ == grounds[1]},
                                  {"Transparent", ground_ == grounds[2]}}))
    ground_ = grounds[*ground];
  constexpr std::array types = {1.0, 1.25, 1.5, 2.0};
  std::vector<Offer> scales;
  for (const double type : types) scales.push_back({fmt::format("{:g}×", type), type == type_});
  if (const auto type = choice(ui, "Text size", scales)) type_ = types[*type];
  const bool film = std::ranges::any_of(
      file_kinds(), [&](const FileKind& kind) { return kind.film && kind.ending == ending_; });
  constexpr std::array forms = {Form::shown, Form::stage, Form::page};
  if (const auto form = choice(ui, "Picture",
                               {{"With its words", form_ == Form::shown, true,
                                 "The picture and what it says, as it is read on paper"},
                                {"As on stage", form_ == Form::stage, can_be_drawn()},
                                {"Whole step", form_ == Form::page, can_be_drawn() && !film,
                                 "The picture, the code and the numbers on one page"}}))
    choose_form(ui, forms[*form]);
}

// With what the picture says, to be changed.
void ExportDialog::draw_title(const Ui& ui) {
  const Rect row = take(ui, kFieldHeight);
  const Rect label{row.x, row.y, ui.px(kLabelWidth - 8), row.height};
  if (button(ui, "export/with title", label, "Title",
             {.chosen = has_title_, .tip = "A sentence above the picture"}))
    has_title_ = !has_title_;
  const Rect box{row.x + ui.px(kLabelWidth), row.y, row.width - ui.px(kLabelWidth), row.height};
  ui.mark("export/Title", box);
  ImGui::SetCursorScreenPos(corner(box));
  ImGui::SetNextItemWidth(static_cast<float>(box.width));
  if (ImGui::InputTextWithHint("##title", "what the picture says", &title_)) has_title_ = true;
  after(row);
}

// Where it will stand, and what is wrong.
void ExportDialog::draw_path(const Ui& ui) {
  std::error_code ignored;
  const bool replaces = std::filesystem::exists(path(), ignored);
  const std::string said =
      !problem_.empty() ? problem_ : (replaces ? "Replaces " : "Will be saved as ") + full_name(path());
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

// What the file will look like: drawn again where something of it was changed.
void ExportDialog::draw_preview(const Ui& ui) {
  const PreviewOf now{form_, size_, ground_, is_dark_, type_, has_title_ ? title_ : ""};
  if (!(preview_of_ == now)) {
    preview_of_ = now;
    preview_.reset();
    if (auto drawn = picture_of(file(ui), ui.painter.fonts())) preview_ = *std::move(drawn);
  }
  const Rect room = take(ui, kPreviewHeight);
  if (!preview_) return draw_text(ui, room, "No picture", {Type::caption, Token::dim}, Align::center), void();
  const double scale = std::min(room.width / preview_->size.width, room.height / preview_->size.height);
  const scene::Size size{preview_->size.width * scale, preview_->size.height * scale};
  const Rect place{std::floor(room.center().x - size.width / 2), room.y, size.width, size.height};
  ui.mark("export/preview", place);
  const theme::Theme theme = figures::theme_on(ground_, is_dark_ ? theme::dark() : theme::light());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  // Also without a ground of its own: as on a slide of this theme.
  const theme::Rgba ground = theme[Token::background];
  list.AddRectFilled(corner(place), far_corner(place), IM_COL32(ground.r, ground.g, ground.b, ground.a));
  ui.painter.paint(*preview_, theme, list, {place.x, place.y}, scale);
  frame(ui, place, Token::line);
}

// The folders beside and below the chosen one: a click goes there.
void ExportDialog::draw_folders(const Ui& ui) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path here = folder_.empty() ? fs::current_path(failed) : fs::absolute(folder_, failed);
  if (here != listed_) listed_ = here, folders_ = folders_in(here);
  const double high = std::max<double>(ImGui::GetContentRegionAvail().y, ui.px(4 * kFolderRow));
  const Rect room = take(ui, std::min(high / ui.scale, 7 * kFolderRow));
  begin_panel("export folders", room);
  std::optional<fs::path> next;
  const auto row = [&](const std::string& name, const fs::path& folder) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect rect{at.x, at.y, ImGui::GetContentRegionAvail().x, ui.px(kFolderRow)};
    if (button(ui, "export/folder " + name, rect, "", {.look = Look::flat})) next = folder;
    draw_text(ui, {rect.x + ui.px(8), rect.y, rect.width - ui.px(16), rect.height}, name);
    ImGui::SetCursorScreenPos({at.x, static_cast<float>(rect.bottom())});
  };
  if (here.has_parent_path() && here != here.parent_path()) row("..", here.parent_path());
  for (const std::string& name : folders_) row(name + "/", here / name);
  ImGui::Dummy({1, 1});
  end_fading_panel(ui, room);
  if (next) folder_ = next->string();
}

// The form at the left; at the right what it makes, and where.
void ExportDialog::draw_columns(const Ui& ui) {
  if (!ImGui::BeginTable("export columns", 2)) return;
  ImGui::TableSetupColumn("form", ImGuiTableColumnFlags_WidthFixed, ui.px(kFormWidth));
  ImGui::TableSetupColumn("picture", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableNextColumn();
  draw_fields(ui);
  draw_kinds(ui);
  draw_slide(ui);
  draw_title(ui);
  draw_path(ui);
  ImGui::TableNextColumn();
  draw_preview(ui);
  draw_folders(ui);
  ImGui::EndTable();
}

void ExportDialog::draw(const Ui& ui) {
  if (std::exchange(asked_, false)) ImGui::OpenPopup(kPopup);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowSize({std::min(ui.px(kDialogWidth), size.x - ui.px(32)), 0});
  if (!begin_dialog(ui, kPopup)) return;
  draw_text(ui, take(ui, 28), "Save figure", {Type::strong});
  draw_columns(ui);
  if (at_work_)
    draw_progress(ui);
  else
    draw_buttons(ui);
  if (at_work_) take_answer(ui);
  if (!at_work_ && compat::pressed(compat::Key::escape)) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace warplens::app
