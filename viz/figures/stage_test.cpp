// How much a class reads on the stages of the opening pictures: the headline, the sentence, and all that the
// picture says. Numbers, signs, units and single letters count as no words (see stage_words.hpp).
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "engine/catalog/ladders.hpp"
#include "engine/explain/against.hpp"
#include "engine/explain/opening.hpp"
#include "engine/run/derived/block_order.hpp"
#include "engine/time/predict_run.hpp"
#include "viz/figures/flow/flow.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/parts/stage_words.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/testing/scene_words.hpp"
#include "viz/paint/fonts.hpp"

namespace warplens::figures {
namespace {

// Of the window's stage at 1280 x 720, in the scene's pixels: type of 13 of them is 18 of the screen's.
constexpr scene::Size kPicture{1184.0 * 13 / 18, 480.0 * 13 / 18};
constexpr int kOfTheStop = 1;  // the "of" of "4 of 10"
// Of the opening pictures: what says more than kMostStageWords.
const std::map<std::string, std::ptrdiff_t> kTooLong{
    {"access", 0}, {"banks", 0}, {"coalescing", 0}, {"flow", 0}};

std::string ladder_of(const std::string& id) { return id.substr(0, id.find('/')); }

struct Counted {
  std::string name;
  int words = 0, drawn = 0;
  std::string text;  // all of it
};

// Whether a class that reads of wavefronts reads what one is.
bool is_explained(const Drawn& drawn, const StageText& text) {
  const std::string said = text.headline + " " + text.sentence;
  const bool says_it = drawn.says_wavefront || said.find("wavefront") != std::string::npos;
  return !says_it || drawn.has_key || said.find("pass") != std::string::npos;
}

// against: the step before, as the stage says it; may be empty.
Counted counted_stage(const Figure& figure, const Subject& subject, const scene::Scene& picture,
                      const scene::TextMeasure& measure, const explain::Against& against) {
  const Said said = what_it_says(figure, subject);
  const catalog::KernelSpec& spec = subject.run->plan().spec;
  const Drawn drawn = drawn_words(picture);
  const AroundPicture around{.ladder = ladder_of(spec.id),
                             .title = spec.title,
                             .unit = said.unit,
                             .said = said.explanation,
                             .against = against_forms(against, "1"),
                             .than_other = against.verdict,
                             .names_cause = against.names_cause(),
                             .is_point = !against.about.empty(),
                             .is_of_access = is_of_access(figure)};
  const StageText text = stage_text(around, drawn);
  const std::string brief = spec.title.substr(0, spec.title.find(": "));
  EXPECT_NE((text.place + text.headline).find(brief), std::string::npos) << spec.id << ": " << text.place;
  std::string all = text.place + " | " + text.headline + " | " + text.sentence;
  for (const PlacedWord& word : words_in(picture, measure)) {
    EXPECT_GE(word.size, theme::metric::kCaption - 0.01) << spec.id << ": " << word.text;
    if (word_count(word.text) > 0) all += " | " + word.text;
  }
  EXPECT_TRUE(is_explained(drawn, text)) << spec.id << " " << figure.id << ": " << all;
  const int words =
      drawn.words + word_count(text.place) + word_count(text.headline) + word_count(text.sentence);
  return {spec.id + " " + std::string(figure.id), words + kOfTheStop, drawn.words, all};
}

// The opening pictures of a step as the window draws them, before: that it is judged against, or null.
std::vector<std::pair<const Figure*, Subject>> opening_pictures(const run::SharedRun& run,
                                                                const run::SharedRun& before) {
  const std::uint32_t warp = explain::opening_warp(*run, 0);
  const explain::Opening opening =
      explain::opening_of(*run, 0, warp, before == nullptr ? "" : before->plan().spec.code);
  Subject subject{.run = run, .place = {.warp = warp, .access = opening.access}, .look = Look::stage};
  const auto access = story_at(*run, {}).accesses().at(warp, opening.access);
  const bool is_shared = access && access->space == ptx::Space::shared;
  std::vector<std::pair<const Figure*, Subject>> pictures{
      {find_figure(is_shared ? "banks" : "coalescing"), subject}};
  subject.place.line = opening.line;
  subject.known.order = run::block_order(*run);
  pictures.emplace_back(find_figure("access"), subject);
  if (before != nullptr)
    subject.known.before =
        std::make_shared<const StepBefore>("1", before->plan().spec.title, run::step_count(*before));
  pictures.emplace_back(find_figure("flow"), subject);
  subject.recorded_seconds = 1;  // longer than any of them takes: what was measured is said
  pictures.emplace_back(find_figure("flow"), subject);
  return pictures;
}

run::SharedRun run_of(const catalog::KernelSpec& spec) {
  const run::Plan plan = *run::plan_of(spec, {}, {});
  const auto build = run::compiler().compile(run::build_request(plan, false));
  return build ? run_build(plan, *build, 0) : nullptr;
}

// What each step is judged against comes before it.
class Steps {
 public:
  run::SharedRun of(const catalog::KernelSpec& spec) {
    if (!runs_.empty() && ladder_of(runs_.begin()->first) != ladder_of(spec.id)) runs_.clear();
    return runs_[spec.id] = run_of(spec);
  }
  // Counted and predicted.
  explain::Side side(const catalog::KernelSpec& spec) {
    const run::SharedRun run = of(spec);
    auto& known = modelled_[spec.id];
    if (known == nullptr)
      if (auto modelled = time::modelled(*run))
        known = std::make_shared<const time::Modelled>(*std::move(modelled));
    return {run::step_count(*run), known};
  }
  run::SharedRun before(const catalog::KernelSpec& spec) const {
    const std::string ladder = ladder_of(spec.id);
    std::vector<const catalog::KernelSpec*> steps;
    for (const catalog::KernelSpec& each : run::kernels().kernels())
      if (each.id.starts_with(ladder + "/")) steps.push_back(&each);
    const auto here = std::ranges::find(steps, spec.id, &catalog::KernelSpec::id);
    const auto other = catalog::judged_against(catalog::read_ladders(kRoot), ladder, steps,
                                               static_cast<std::size_t>(here - steps.begin()));
    const auto found = other ? runs_.find(steps[*other]->id) : runs_.end();
    return found == runs_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::string, run::SharedRun> runs_;  // of one ladder
  std::map<std::string, std::shared_ptr<const time::Modelled>> modelled_;
};

void report(const std::string& figure, std::vector<Counted>& all) {
  std::ranges::sort(all, {}, &Counted::words);
  const auto too_many =
      std::ranges::count_if(all, [](const Counted& one) { return one.words > kMostStageWords; });
  std::string worst;
  const std::ptrdiff_t shown = std::getenv("WARPLENS_ALL_STAGES") == nullptr ? 3 : std::ssize(all);
  for (auto one = all.rbegin(); one != all.rend() && one - all.rbegin() < std::max(shown, too_many); ++one)
    worst += "\n  " + std::to_string(one->words) + " (" + std::to_string(one->drawn) + " in the picture) " +
             one->name + ": " + one->text;
  printf("%s: %zu stages, median %d, %ld above %d%s\n", figure.c_str(), all.size(), all[all.size() / 2].words,
         static_cast<long>(too_many), kMostStageWords, worst.c_str());
  EXPECT_LE(too_many, kTooLong.at(figure)) << figure;
}

// The step before says what its own stage says, from its recorded blocks alone.
TEST(Stage, TheStepBeforeSaysWhatItsPictureSays) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  run::Runner runner(compile::Compiler({.library = {}, .cache_folder = test_cache_path()}));
  const auto says = [&](std::string_view id, std::string_view against) {
    const catalog::KernelSpec spec = *run::kernels().find(id), other = *run::kernels().find(against);
    const run::Request request{
        .spec = spec, .parameters = {}, .sizes = {}, .device = run::h100(), .nearest = true};
    const auto before = study::step_before(runner, {"1", request}, &other, false);
    return before == nullptr || before->says.empty() ? "" : before->says.front();
  };
  EXPECT_EQ(says("ncsa/04_k4", "ncsa/03_k3"), "an element of b serves 4 multiply-adds");
  EXPECT_EQ(says("matmul/05_register_2d", "matmul/04_register_1d"),
            "16 words serve 64 multiply-adds of a thread");
  EXPECT_EQ(says("harris/05_last_warp", "harris/04_first_add"), "3 of 4 warps have nothing to add");
}

// ---- the legend

struct Shades {
  std::vector<Color> swatches;  // of the legend
  std::vector<Color> cells;     // of marks in arrays
  std::vector<Color> others;    // of anything else that is drawn
};

bool is_of_mark(const Color& color) {
  return color.token == Token::first_thread || color.token == Token::first_warp ||
         color.token == Token::first_block;
}
// The shades of a trail are one to the eye.
Color seen_as(Color color) {
  if (color.token == Token::first_warp && color.alpha > 0.69 && color.alpha < 0.81) color.alpha = 0.8;
  return color;
}

// A swatch stands before its text, 12 pixels across; its second shade is the right half of it.
bool is_swatch(const scene::RectShape& shape) {
  return std::abs(shape.rect.height - 12) < 1.01 && shape.rect.width < 12.1;
}

void collect(const scene::Group& group, Shades& shades) {
  std::vector<Color> waiting;  // rectangles that are swatches if a text follows
  for (const scene::Item& item : group.items) {
    if (std::holds_alternative<scene::TextShape>(item.shape)) {
      shades.swatches.insert(shades.swatches.end(), waiting.begin(), waiting.end());
      waiting.clear();
      continue;
    }
    const auto* rect = std::get_if<scene::RectShape>(&item.shape);
    const bool may_be_swatch = rect != nullptr && item.id.empty() && is_swatch(*rect);
    if (!may_be_swatch && rect != nullptr) {
      shades.others.insert(shades.others.end(), waiting.begin(), waiting.end());
      waiting.clear();
    }
    const auto add = [&](const scene::Style& style, std::vector<Color>& to) {
      if (style.fill) to.push_back(seen_as(*style.fill));
      if (style.stroke) to.push_back(seen_as(style.stroke->color));
    };
    if (rect != nullptr) add(rect->style, may_be_swatch ? waiting : shades.others);
    if (const auto* path = std::get_if<scene::PathShape>(&item.shape)) add(path->style, shades.others);
    if (const auto* inside = std::get_if<scene::Group>(&item.shape)) collect(*inside, shades);
    if (const auto* image = std::get_if<scene::ImageShape>(&item.shape))
      for (const std::uint8_t index : std::set(image->pixels->indices.begin(), image->pixels->indices.end()))
        if (index < image->pixels->palette.size() && is_of_mark(image->pixels->palette[index]))
          shades.cells.push_back(seen_as(image->pixels->palette[index]));
  }
  shades.others.insert(shades.others.end(), waiting.begin(), waiting.end());
}

bool has(const std::vector<Color>& colors, const Color& one) {
  return std::ranges::find(colors, one) != colors.end();
}
std::string words_of(const Color& color) {
  return std::string(theme::name_of(color.token)) + " " + std::to_string(color.alpha);
}

// What cells look like stands in the legend, and nothing stands there that is not drawn. Whether it has a
// legend.
bool expect_legend(const scene::Scene& picture, const std::string& kernel) {
  Shades shades;
  collect(picture.root, shades);
  for (const Color& cell : shades.cells)
    EXPECT_TRUE(has(shades.swatches, cell)) << kernel << " does not explain " << words_of(cell);
  for (const Color& swatch : shades.swatches)
    EXPECT_TRUE(has(shades.cells, swatch) || has(shades.others, swatch))
        << kernel << " explains " << words_of(swatch);
  return !shades.swatches.empty();
}

// One walk for both: opening all kernels is what takes the time.
TEST(Stage, NoOpeningSaysTooMuchAndLegendsHaveTheMarksThatAreDrawn) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto fonts = paint::Fonts::open();
  ASSERT_TRUE(fonts) << to_line(fonts.error());
  std::map<std::string, std::vector<Counted>> by_figure;
  std::size_t legends = 0;
  Steps steps;
  for (const catalog::KernelSpec& spec : run::kernels().kernels()) {
    const run::SharedRun run = steps.of(spec);
    ASSERT_TRUE(run) << spec.id;
    const run::SharedRun before = steps.before(spec);
    std::vector<explain::Against> against(1);
    constexpr double kSpeed = 1.83;  // measured, as if
    if (before != nullptr)
      against.push_back(explain::against(steps.side(spec), steps.side(before->plan().spec), kSpeed));
    for (const auto& [figure, subject] : opening_pictures(run, before)) {
      const auto picture = draw(*figure, subject, kPicture, **fonts);
      if (!picture) continue;
      if (figure->id == "access" && expect_legend(*picture, spec.id)) ++legends;
      for (const explain::Against& each : against)
        by_figure[std::string(figure->id)].push_back(
            counted_stage(*figure, subject, *picture, **fonts, each));
    }
  }
  EXPECT_GT(legends, 40u);
  for (auto& [figure, all] : by_figure) report(figure, all);
}

}  // namespace
}  // namespace warplens::figures
