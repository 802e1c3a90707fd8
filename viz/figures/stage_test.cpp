// How much a class reads on the stages of the opening pictures: the headline, the sentence, and all that the
// picture says. Numbers, signs, units and single letters count as no words (see stage_words.hpp).
#include <algorithm>
#include <map>

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
// Of the opening pictures: what says more than kMostStageWords today, mostly trees of reductions and flows.
// No stage may be added to these.
const std::map<std::string, std::ptrdiff_t> kTooLong{
    {"access", 40}, {"banks", 4}, {"coalescing", 8}, {"flow", 81}};

struct Counted {
  std::string name;
  int words = 0, drawn = 0;
};

Counted counted_stage(const Figure& figure, const Subject& subject, const scene::TextMeasure& measure) {
  const auto picture = draw(figure, subject, kPicture, measure);
  if (!picture) return {};
  const Said said = what_it_says(figure, subject);
  const std::string& id = subject.run->plan().spec.id;
  const int drawn = word_count(*picture),
            above = word_count(id.substr(0, id.find('/')) + ": " + subject.run->plan().spec.title + "; " +
                               said.unit) +
                    word_count(said.explanation.what) + kOfTheStop;
  const std::string sentence =
      cut_to(said.explanation.why.empty() ? said.explanation.fix : said.explanation.why,
             kMostStageWords - drawn - above);
  for (const PlacedWord& word : words_in(*picture, measure))
    EXPECT_GE(word.size, theme::metric::kCaption - 0.01) << id << ": " << word.text;
  return {id + " " + std::string(figure.id), drawn + above + word_count(sentence), drawn};
}

TEST(Stage, NoMorePicturesSayTooMuch) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto fonts = paint::Fonts::open();
  ASSERT_TRUE(fonts) << to_line(fonts.error());
  std::map<std::string, std::vector<Counted>> by_figure;
  for (const catalog::KernelSpec& spec : run::kernels().kernels()) {
    const run::Plan plan = *run::plan_of(spec, {}, {});
    const auto build = run::compiler().compile(run::build_request(plan, false));
    ASSERT_TRUE(build) << spec.id;
    const auto run = run_build(plan, *build, 0);
    const std::uint32_t opening = explain::opening_access(*run, 0, 0);
    const auto access = story_at(*run, {}).accesses().at(0, opening);
    const Subject subject{.run = run, .place = {.access = opening}, .for_class = true};
    const bool is_shared = access && access->space == ptx::Space::shared;
    for (const char* name : {"access", is_shared ? "banks" : "coalescing", "flow"})
      if (const Counted one = counted_stage(*find_figure(name), subject, **fonts); !one.name.empty())
        by_figure[name].push_back(one);
  }
  for (auto& [figure, all] : by_figure) {
    std::ranges::sort(all, {}, &Counted::words);
    const auto too_many =
        std::ranges::count_if(all, [](const Counted& one) { return one.words > kMostStageWords; });
    std::string worst;
    for (auto one = all.rbegin(); one != all.rend() && one - all.rbegin() < 12; ++one)
      worst += "\n  " + std::to_string(one->words) + " (" + std::to_string(one->drawn) + " in the picture) " +
               one->name;
    printf("%s: %zu stages, median %d, %ld above %d%s\n", figure.c_str(), all.size(),
           all[all.size() / 2].words, static_cast<long>(too_many), kMostStageWords, worst.c_str());
    EXPECT_LE(too_many, kTooLong.at(figure)) << figure;
  }
}

}  // namespace
}  // namespace warplens::figures
