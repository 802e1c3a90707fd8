// How much a class reads on the stages of the opening pictures: the headline, the sentence, and all that the
// picture says. Numbers, signs, units and single letters count as no words (see stage_words.hpp).
#include <algorithm>
#include <cstdlib>
#include <map>

#include "engine/catalog/ladders.hpp"
#include "engine/explain/opening.hpp"
#include "engine/run/order/block_order.hpp"
#include "viz/figures/flow/flow.hpp"
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

Counted counted_stage(const Figure& figure, const Subject& subject, const scene::TextMeasure& measure) {
  const auto picture = draw(figure, subject, kPicture, measure);
  if (!picture) return {};
  const Said said = what_it_says(figure, subject);
  const catalog::KernelSpec& spec = subject.run->plan().spec;
  const int drawn = word_count(*picture);
  const StageText text = stage_text({ladder_of(spec.id), spec.title, said.unit, said.explanation}, drawn);
  std::string all = text.place + " | " + text.headline + " | " + text.sentence;
  for (const PlacedWord& word : words_in(*picture, measure)) {
    EXPECT_GE(word.size, theme::metric::kCaption - 0.01) << spec.id << ": " << word.text;
    if (word_count(word.text) > 0) all += " | " + word.text;
  }
  const int words = drawn + word_count(text.place) + word_count(text.headline) + word_count(text.sentence);
  return {spec.id + " " + std::string(figure.id), words + kOfTheStop, drawn, all};
}

// The opening pictures of a step as the window draws them, before: that it is judged against, or null.
std::vector<std::pair<const Figure*, Subject>> opening_pictures(const run::SharedRun& run,
                                                                const run::SharedRun& before) {
  const explain::Opening opening =
      explain::opening_of(*run, 0, 0, before == nullptr ? "" : before->plan().spec.code);
  Subject subject{.run = run, .place = {.access = opening.access}, .for_class = true};
  const auto access = story_at(*run, {}).accesses().at(0, opening.access);
  const bool is_shared = access && access->space == ptx::Space::shared;
  std::vector<std::pair<const Figure*, Subject>> pictures{
      {find_figure(is_shared ? "banks" : "coalescing"), subject}};
  subject.place.line = opening.line;
  subject.access.order = run::block_order(*run);
  pictures.emplace_back(find_figure("access"), subject);
  if (before != nullptr)
    subject.before =
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

TEST(Stage, NoPictureSaysTooMuch) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto fonts = paint::Fonts::open();
  ASSERT_TRUE(fonts) << to_line(fonts.error());
  std::map<std::string, std::vector<Counted>> by_figure;
  Steps steps;
  for (const catalog::KernelSpec& spec : run::kernels().kernels()) {
    const run::SharedRun run = steps.of(spec);
    ASSERT_TRUE(run) << spec.id;
    for (const auto& [figure, subject] : opening_pictures(run, steps.before(spec)))
      if (Counted one = counted_stage(*figure, subject, **fonts); !one.name.empty())
        by_figure[std::string(figure->id)].push_back(std::move(one));
  }
  for (auto& [figure, all] : by_figure) report(figure, all);
}

}  // namespace
}  // namespace warplens::figures
