// What can be known of a run is found out once, whoever asks and with whichever copy of the run.
#include "engine/study/study.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "engine/base/testing/places.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::study {
namespace {

class StudyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  }
  run::SharedRun run(const catalog::Values& parameters = {}) {
    const auto made = library_->runner().run(request(parameters), kNeverCancelled);
    EXPECT_TRUE(made) << to_line(made.error());
    return made ? *made : nullptr;
  }
  run::Request request(const catalog::Values& parameters) const {
    return {.spec = *run::kernels().find("matmul/03_shared_tile"),
            .parameters = parameters,
            .sizes = {{"M", 64}, {"N", 64}, {"K", 64}},
            .device = run::h100()};
  }
  Known wait_for(Inquiry& inquiry, const Question& question, Facts facts) {
    for (;;) {
      Known known = inquiry.of(question, facts);
      if (missing(known, facts).empty()) return known;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  std::shared_ptr<Library> library_ = std::make_shared<Library>(
      std::make_shared<run::Runner>(compile::Compiler({.library = {}, .cache_folder = test_cache_path()})));
};

TEST_F(StudyTest, FindsOutOnceWhateverHoldsTheRun) {
  const run::SharedRun one = run();
  const run::SharedRun copy = std::make_shared<const run::Run>(*one);
  const Facts facts{Fact::schedule, Fact::banks, Fact::predicted};
  const Known known = library_->now({.run = one}, facts);
  EXPECT_TRUE(missing(known, facts).empty());
  EXPECT_EQ(known.payoffs, nullptr) << "nobody asked";
  EXPECT_EQ(library_->now({.run = copy}, facts), known);
  Inquiry inquiry(library_, nullptr);
  EXPECT_EQ(inquiry.of({.run = copy}, facts), known) << "at once";
  EXPECT_FALSE(inquiry.busy_seconds());
}

TEST_F(StudyTest, TellsRunsApartByWhatWasRun) {
  const run::SharedRun one = run({{"TILE", 16}}), other = run({{"TILE", 32}});
  EXPECT_NE(key_of(*one), key_of(*other));
  EXPECT_NE(library_->now({.run = one}, Fact::schedule).schedule,
            library_->now({.run = other}, Fact::schedule).schedule);
}

TEST_F(StudyTest, KnowsNothingOfAPreviewOrOfNoRun) {
  run::Run preview = *run();
  preview.complete = false;
  const Facts facts{Fact::schedule, Fact::payoffs, Fact::times, Fact::before, Fact::next};
  EXPECT_EQ(library_->now({.run = std::make_shared<const run::Run>(preview)}, facts), Known{});
  EXPECT_EQ(library_->now({}, facts), Known{});
}

TEST_F(StudyTest, PollsWhatAWorkerFindsAndTheNewestQuestionWins) {
  Inquiry inquiry(library_, nullptr);
  const run::SharedRun one = run({{"TILE", 16}}), other = run({{"TILE", 32}});
  static_cast<void>(inquiry.of({.run = one}, Fact::schedule));
  const Known known = wait_for(inquiry, {.run = other}, Fact::schedule);
  EXPECT_EQ(known, library_->now({.run = other}, Fact::schedule));
}

// Between the answer of a worker and the next poll nobody is at work, and nobody has seen the answer.
TEST_F(StudyTest, IsAwaitedUntilItIsSeen) {
  const run::SharedRun one = run();
  Inquiry inquiry(library_, nullptr);
  EXPECT_FALSE(inquiry.is_awaited(Fact::schedule)) << "nobody asked";
  EXPECT_EQ(inquiry.of({.run = one}, Fact::schedule).schedule, nullptr);
  while (inquiry.busy_seconds()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(inquiry.is_awaited(Fact::schedule));
  EXPECT_FALSE(inquiry.is_awaited(Fact::banks));
  EXPECT_NE(inquiry.of({.run = one}, Fact::schedule).schedule, nullptr);
  EXPECT_FALSE(inquiry.is_awaited(Fact::schedule));
}
TEST_F(StudyTest, NothingIsAwaitedOfNoRun) {
  Inquiry inquiry(library_, nullptr);
  inquiry.of({.run = run()}, Fact::schedule);
  inquiry.of({}, Fact::schedule);
  EXPECT_FALSE(inquiry.is_awaited(Fact::schedule));
}

TEST_F(StudyTest, AsksTheLadderForTheStepBefore) {
  const run::SharedRun here = run();
  const catalog::KernelSpec naive = *run::kernels().find("matmul/01_naive");
  StepOf step{.steps = {&naive, &here->plan().spec}, .here = 1, .judged_against = [](std::size_t at) {
                return at > 0 ? std::optional(at - 1) : std::nullopt;
              }};
  const Known known = library_->now({.run = here, .ladder = &step}, {Fact::before, Fact::scale});
  ASSERT_TRUE(known.before);
  EXPECT_EQ(known.before->number, "1");
  ASSERT_TRUE(known.scale);
  EXPECT_EQ(known.scale->number, "1") << "the naive step moves more";
  step.here = 0;
  EXPECT_EQ(library_->now({.run = here, .ladder = &step}, Fact::before).before, nullptr);
}

// Steps of one problem, whose text has STEPS: other steps are counted and predicted with as many, and with their own BLOCK.
TEST_F(StudyTest, StepsAreComparedWhereTheyDoTheSameWork) {
  const catalog::KernelSpec chains = *run::kernels().find("latency/02_several_chains"),
                            spilled = *run::kernels().find("latency/03_spilled");
  run::Request asked{.spec = spilled,
                     .parameters = {{"STEPS", 4}, {"BLOCK", 256}},
                     .sizes = {{"N", 8192}},
                     .device = run::h100()};
  const auto made = library_->runner().run(asked, kNeverCancelled);
  ASSERT_TRUE(made) << to_line(made.error());
  EXPECT_EQ(like((*made)->plan(), chains).parameters, (catalog::Values{{"STEPS", 4}}));
  const auto one = library_->runner().count(asked, kNeverCancelled),
             other = library_->runner().count(like((*made)->plan(), chains), kNeverCancelled);
  ASSERT_TRUE(one && other);
  EXPECT_EQ(run::times_the_work(*one, *other), 1);
  EXPECT_EQ(one->operations, other->operations);
  EXPECT_TRUE(like((*made)->plan(), *run::kernels().find("latency/05_dependent_loads")).parameters.empty())
      << "another problem";
}

TEST_F(StudyTest, FindingsAreAskedForLikeAnythingElse) {
  const run::SharedRun here = run();
  const SharedCheck found = library_->now({.run = here}, Fact::findings).findings;
  ASSERT_TRUE(found && *found);
  EXPECT_TRUE((*found)->findings.empty());
}

}  // namespace
}  // namespace warplens::study
