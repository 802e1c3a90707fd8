#include "app/window/pages/start/start_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/kit/scene_painter.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/performance_data.hpp"
#include "engine/explain/explain.hpp"
#include "engine/report/pieces.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

// The step that a new window opens on, and the one behind it.
std::vector<const catalog::KernelSpec*> first_steps(const Model& model) {
  const auto& kernels = model.catalog().kernels();
  const std::string first = State{}.kernel;
  auto at = std::ranges::find(kernels, first, &catalog::KernelSpec::id);
  std::vector<const catalog::KernelSpec*> found;
  const std::string ladder = first.substr(0, first.find('/') + 1);
  for (; at != kernels.end() && found.size() < 2 && at->id.starts_with(ladder); ++at) found.push_back(&*at);
  return found;
}

// The access that the step opens on.
StartPictures::Step step_of(const run::SharedRun& run) {
  StartPictures::Step step{.run = run};
  if (run->stories.empty()) return step;
  const auto access = run->stories.front()->accesses().at(0, explain::opening_access(*run, 0, 0));
  if (!access) return step;
  const auto pieces = report::access_pieces(*access, run->kernel->function().code[access->pc], run->device());
  for (const auto& sector : pieces.global.sectors) step.sectors.push_back(sector.lanes);
  step.enough = static_cast<std::size_t>(std::max(pieces.ideal, 0));
  return step;
}

// "32 sectors, 487 GFLOP/s at 2,048"
std::string words_of(const Ui& ui, const StartPictures::Step& step) {
  const std::string sectors = figures::counted(step.sectors.size(), "sector");
  const auto& plan = step.run->plan();
  const auto* speed = ui.performance.recorded().find(step.spec(), plan.sizes, &plan.parameters);
  if (speed == nullptr) return sectors;
  const measured::Rate rate = rate_of(*speed);
  return fmt::format("{}, {} at {}", sectors,
                     plot::si(1e9 * rate.value, 2, " ", std::string(rate.unit.substr(1))),
                     measured::short_size(plan.sizes));
}

}  // namespace

StartPictures::StartPictures(const Model& model)
    : model_(model),
      worker_(
          [](const Request& request, const std::atomic<bool>& cancel, const auto&) {
            run::give_way();
            Runs runs;
            for (const run::Request& one : request.runs)
              if (auto run = request.runner->run(one, cancel); run && !(*run)->fault) runs.push_back(*run);
            return runs;
          },
          model.wake()) {}

void StartPictures::update() {
  if (auto runs = worker_.poll(); runs && wanted_ > 0 && runs->size() == wanted_) {
    steps_.clear();
    for (std::size_t i = 0; i < runs->size(); ++i) steps_.push_back(step_of((*runs)[i]));
    if (std::ranges::any_of(steps_, [](const Step& step) { return step.sectors.empty(); })) steps_.clear();
    began_ = steps_.empty() ? -1 : ImGui::GetTime();
  }
  if (std::exchange(is_asked_, true)) return;
  const std::vector<const catalog::KernelSpec*> specs = first_steps(model_);
  if (specs.size() < 2) return;
  wanted_ = specs.size();
  Request request{model_.runner(), {}};
  for (const catalog::KernelSpec* spec : specs)
    request.runs.push_back({.spec = *spec,
                            .parameters = {},
                            .sizes = {},
                            .device = model_.device(),
                            .threads = 1,
                            .background = true,
                            .nearest = true});
  worker_.submit(std::move(request));
}

void StartPictures::draw(const Ui& ui, const Rect& rect, const Step& step) {
  constexpr double kPad = 20, kHead = 66, kLanes = 32;
  const bool is_bad = step.sectors.size() > step.enough;
  const scene::Color color = is_bad ? Token::costly : Token::good;
  scene::Scene scene({rect.width / ui.scale, rect.height / ui.scale});
  scene::Group& root = scene.root;
  root.rect({0, 0, scene.size.width, scene.size.height},
            {.fill = Token::panel, .stroke = scene::Stroke{Token::line}}, 8);
  root.text({kPad, 32}, step.spec().title, {.size = 16, .weight = scene::Weight::semibold});
  root.text({kPad, 54}, words_of(ui, step), {.size = 15, .color = color, .weight = scene::Weight::semibold});
  const scene::Rect grid{kPad, kHead + 8, scene.size.width - 2 * kPad, scene.size.height - kHead - 8 - kPad};
  const double wide = grid.width / kSectors, high = grid.height / kLanes;
  for (int row = 0; row < static_cast<int>(kLanes); ++row)
    root.rect({grid.x, grid.y + row * high, grid.width, high - 1}, {.fill = Token::raised}, 1);
  // A sector after the other, as memory brings them: who asks for few is served long before the other.
  const bool moves = ui.has_motion && ui.state().view.motion && is_moving(ImGui::GetTime());
  const double there = moves ? (ImGui::GetTime() - began_) / kSeconds * kSectors : kSectors;
  for (std::size_t s = 0; s < step.sectors.size() && static_cast<double>(s) < there; ++s)
    for (int lane = 0; lane < static_cast<int>(kLanes); ++lane)
      if (step.sectors[s] >> lane & 1)
        root.rect({grid.x + static_cast<double>(s) * wide, grid.y + lane * high, wide - 1, high - 1},
                  {.fill = color}, 1);
  ui.painter.paint(scene, ui.theme, *ImGui::GetWindowDrawList(), {std::floor(rect.x), std::floor(rect.y)},
                   ui.scale);
  ui.mark("start/picture " + step.spec().id, rect);
}

}  // namespace warplens::app
