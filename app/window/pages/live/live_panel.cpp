#include "app/window/pages/live/live_panel.hpp"

#include <algorithm>
#include <cmath>

#include "app/base/text_table.hpp"
#include "app/window/kit/scene_painter.hpp"
#include "app/window/kit/widgets.hpp"
#include "viz/figures/parts/parts.hpp"

namespace warplens::app {
namespace {

// The scene needs this much room; on less of it, it is drawn smaller.
constexpr scene::Size kLeastSize{640, 420};

constexpr std::string_view kWhatIsLive =
    "Live shows the speed of each launch, the blocks on each SM, and the result as it fills";

theme::Rgba with_alpha(theme::Rgba color, double alpha) {
  color.a = static_cast<std::uint8_t>(255 * alpha + 0.5);
  return color;
}

// Why there is nothing to see, and what to do.
void draw_message(const Ui& ui, const LiveSession& session, const Rect& rect) {
  const Error error = session.error().value_or(Error{session.words(), ""});
  std::string hint = error.next_step;
  if (hint.empty() && session.error()) hint = session.words();
  if (!hint.empty()) hint += "\n \n";
  hint += kWhatIsLive;
  const scene::Size size{std::floor(rect.width / ui.scale), std::floor(rect.height / ui.scale)};
  const scene::Scene scene =
      figures::message_scene(size, capitalized(error.message), capitalized(hint), ui.painter.fonts());
  ui.painter.paint(scene, ui.theme, *ImGui::GetWindowDrawList(), {rect.x, rect.y}, ui.scale);
}

}  // namespace

Status LivePanel::follow(LiveSession& session, gpu::LiveFeed& feed) {
  if (buffer_ && generation_ == session.generation()) return Done{};
  if (!plots_) {
    auto plots = live::LivePlots::create();
    if (!plots) return plots.error();
    plots_ = *std::move(plots);
  }
  buffer_.reset();
  auto buffer = live::LiveBuffer::create(feed.status().layout);
  if (!buffer) return buffer.error();
  buffer_ = *std::move(buffer);
  generation_ = session.generation();
  const Status attached = feed.attach(buffer_->name(), buffer_);
  through_host_ = !attached;
  return Done{};
}

Status LivePanel::refresh(LiveSession& session) {
  gpu::LiveFeed* feed = session.feed();
  if (feed == nullptr) return Done{};
  if (const Status done = follow(session, *feed); !done) return done;
  status_ = feed->status();
  if (!through_host_) return feed->refresh();
  for (const auto& part : feed->fetch()) buffer_->upload(part.at, part.bytes);
  return Done{};
}

void LivePanel::place(const Ui& ui, const live::LiveFacts& facts, const live::LivePicture& picture,
                      const Rect& rect, double scale) {
  const ImGuiIO& io = ImGui::GetIO();
  const double density = io.DisplayFramebufferScale.y > 0 ? io.DisplayFramebufferScale.y : 1;
  const auto screen = [&](const Rect& r) {
    return Rect{density * (rect.x + r.x * scale), density * (rect.y + r.y * scale), density * r.width * scale,
                density * r.height * scale};
  };
  const Rect clip{density * rect.x, density * rect.y, density * rect.width, density * rect.height};
  const auto target = [&](const Rect& r) {
    return live::Target{screen(r), clip, static_cast<int>(density * io.DisplaySize.y + 0.5)};
  };
  ui.mark("live launches", screen(picture.launches));
  ui.mark("live blocks", screen(picture.blocks));
  ui.mark("live result", screen(picture.result));
  const theme::Rgba accent = ui.theme[Token::accent];
  data_ = {.launches = {.written = status_.entries,
                        .shown = facts.shown,
                        .work = facts.work * status_.launches_per_entry,
                        .top = picture.top,
                        .thickness = std::max(1.5, 2 * density * scale),
                        .line = accent,
                        .range = with_alpha(accent, 0.4),
                        .fill = with_alpha(accent, 0.16)},
           .blocks = {.blocks = status_.blocks,
                      .in_grid = facts.blocks_in_grid,
                      .span = picture.span,
                      .multiprocessors = facts.multiprocessors,
                      .slots = facts.slots},
           .result = {.shape = facts.result.value_or(problem::MatrixShape{}),
                      .low = facts.low,
                      .high = facts.high,
                      .unwritten = ui.theme[Token::raised],
                      .hatch = ui.theme[Token::line],
                      .hatch_distance = std::max(4.0, 8 * density * scale)},
           .launches_at = target(picture.launches),
           .blocks_at = target(picture.blocks),
           .result_at = target(picture.result)};
}

void LivePanel::draw_data() const {
  if (!plots_ || !buffer_) return;
  plots_->draw(*buffer_, data_.launches, data_.launches_at);
  plots_->draw(*buffer_, data_.blocks, data_.blocks_at);
  if (data_.result.shape.rows > 0 && status_.slices > 0)
    plots_->draw(*buffer_, data_.result, data_.result_at);
}

void LivePanel::draw(const Ui& ui, const LiveSession& session, const Rect& rect) {
  ui.mark("live panel", rect);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const double scale = std::min({ui.scale, rect.width / kLeastSize.width, rect.height / kLeastSize.height});
  if (scale <= 0) return;
  const scene::Size size{std::floor(rect.width / scale), std::floor(rect.height / scale)};
  list.PushClipRect(corner(rect), far_corner(rect), true);
  const bool has_data = buffer_ != nullptr && session.run() != nullptr;
  if (!has_data || session.error()) {
    draw_message(ui, session, rect);
  } else {
    const live::LiveFacts facts = session.facts(status_, through_host_);
    const live::LivePicture picture = live::live_picture(facts, size, ui.painter.fonts());
    ui.painter.paint(picture.scene, ui.theme, list, {rect.x, rect.y}, scale);
    place(ui, facts, picture, rect, scale);
    list.AddCallback(
        [](const ImDrawList*, const ImDrawCmd* command) {
          static_cast<const LivePanel*>(command->UserCallbackData)->draw_data();
        },
        this);
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
  }
  list.PopClipRect();
}

}  // namespace warplens::app
