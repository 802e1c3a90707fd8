#include "app/page/session.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <regex>
#include <thread>

#include "app/commands/export_options.hpp"
#include "engine/base/testing/places.hpp"
#include "viz/paint/fonts.hpp"

namespace warplens::app::page {
namespace {

class PageSession : public testing::Test {
 protected:
  void SetUp() override {
    const auto fonts = paint::Fonts::open();
    ASSERT_TRUE(fonts);
    auto opened = Session::open({.home = source_path(), .cache = test_cache_path()}, *fonts);
    ASSERT_TRUE(opened) << to_line(opened.error());
    session = *std::move(opened);
  }
  Json ask(std::string_view request, const Json& asked = Json::object()) {
    const Json answer = session->answer(request, asked);
    EXPECT_FALSE(answer.contains("error")) << answer.dump();
    return answer;
  }
  bool state_is_known(const Json& state) { return !session->answer("to_file", state).contains("error"); }
  std::unique_ptr<Session> session;
};

TEST_F(PageSession, KnowsKernelsLaddersAndDevices) {
  const Json catalog = ask("catalog");
  EXPECT_GT(catalog["kernels"].size(), 90u);
  EXPECT_EQ(catalog["ladders"][0]["name"], "first");
  const Json shown = ask("figure", {{"kernel", "matmul/01_naive"},
                                    {"size", {{"M", 64}, {"N", 64}, {"K", 64}}},
                                    {"figure", "code"}})["figure"];
  EXPECT_EQ(std::ranges::count(catalog["figures"], shown, [](const Json& one) { return one["id"]; }), 1)
      << "what lessons show can be chosen";
}

TEST_F(PageSession, DrawsAPictureWithItsWordsAndSpeed) {
  const Json state{
      {"kernel", "matmul/01_naive"}, {"size", {{"M", 64}, {"N", 64}, {"K", 64}}}, {"dark", true}};
  const Json answer = ask("figure", state);
  EXPECT_NE(answer["svg"].get<std::string>().find("<svg"), std::string::npos);
  EXPECT_FALSE(answer["words"]["what"].get<std::string>().empty());
  EXPECT_EQ(answer["verified"], true);
  EXPECT_EQ(answer["speed"]["from"], "predicted");
}

TEST_F(PageSession, CountsARunAndItsLines) {
  const Json state{{"kernel", "matmul/03_shared_tile"}, {"size", {{"M", 64}, {"N", 64}, {"K", 64}}}};
  EXPECT_GT(ask("run", state)["counts"].size(), 0u);
  bool counted = false;
  const Json code = ask("code", state);
  for (const Json& line : code["lines"]) counted |= line.contains("executed");
  EXPECT_TRUE(counted);
}

TEST_F(PageSession, SaysWhySliderValuesAreNotValid) {
  const Json sliders = ask("choices", {{"kernel", "matmul/03_shared_tile"}})["sliders"];
  ASSERT_GT(sliders.size(), 0u);
  for (const Json& choice : sliders[0]["values"])
    EXPECT_EQ(choice["valid"].get<bool>(), choice["reason"] == "");
}

// An SVG without the words for who does not see it.
std::string without_words(const Json& svg) {
  return std::regex_replace(svg.get<std::string>(),
                            std::regex("<(title|desc)>[^<]*</(title|desc)>\n?| role=\"img\""), "");
}

TEST_F(PageSession, ShowsAnAccessBeforeTheWholeLaunchRan) {
  Json state{{"kernel", "matmul/03_shared_tile"},
             {"size", {{"M", 64}, {"N", 64}, {"K", 64}}},
             {"figure", "access"},
             {"access", 1},
             {"beside", true}};
  const Json whole_first = ask("choices", state);
  EXPECT_EQ(whole_first["early"], true);
  state["early"] = true;
  const Json early = ask("figure", state);
  EXPECT_EQ(early["early"], true);
  EXPECT_FALSE(early.contains("words"));
  state["early"] = false;
  const Json whole = ask("figure", state);
  EXPECT_EQ(whole["early"], false);
  EXPECT_EQ(without_words(whole["svg"]), without_words(early["svg"]))
      << "without words, which are not known yet";
  EXPECT_EQ(whole["accesses"], early["accesses"]);
}

TEST_F(PageSession, DrawsWhatIsFoundOutOfTheWholeLaunchAtOnce) {
  Json state{{"kernel", "tensor/04_mma_ldmatrix"}, {"size", {{"M", 64}, {"N", 64}, {"K", 64}}}};
  for (const std::string_view figure : {"fragments", "swizzle", "tile-order"}) {
    state["figure"] = figure;
    state["early"] = ask("choices", state)["early"];
    EXPECT_EQ(state["early"], false) << figure;
    EXPECT_EQ(ask("figure", state)["early"], false) << figure;
    state["early"] = true;
    EXPECT_EQ(ask("figure", state)["early"], false) << figure << ", whoever asks";
  }
}

// Minutes of work, as soon as nobody waits for it any more.
TEST_F(PageSession, EndsThePredictionOfALadderAtAllSizes) {
  using Clock = std::chrono::steady_clock;
  const Json state{{"kernel", "tensor/04_mma_ldmatrix"}, {"device", "h100"}, {"figure", "size-curve"}};
  std::atomic<bool> has_ended = false;
  Clock::time_point cancelled;
  std::jthread watcher([&] {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    for (cancelled = Clock::now(); !has_ended; std::this_thread::sleep_for(std::chrono::milliseconds(20)))
      session->cancel();
  });
  EXPECT_TRUE(session->answer("figure", state).contains("error")) << "it was quicker than the watcher";
  has_ended = true;
  EXPECT_LT(Clock::now() - cancelled, std::chrono::seconds(10));
}

TEST_F(PageSession, OffersSizesAndBeginsWithOneThatRunsAtOnce) {
  const Json choices = ask("choices", {{"kernel", "matmul/01_naive"}, {"first", true}});
  int chosen = 0;
  for (const Json& size : choices["sizes"])
    if (size["chosen"]) {
      ++chosen;
      EXPECT_EQ(size["size"], choices["state"]["size"]);
    }
  EXPECT_EQ(chosen, 1);
  const Json own = ask("choices", {{"kernel", "matmul/01_naive"}});
  EXPECT_LT(choices["state"]["size"]["M"], own["state"]["size"]["M"]);
  EXPECT_EQ(choices["sizes"].size(), own["sizes"].size());
}

TEST_F(PageSession, TakesAKernelOfSomebodysOwn) {
  const std::string text =
      "extern \"C\" __global__ void twice(const float* in, float* out, int N) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < N) out[i] = 2 * in[i];\n}\n";
  const std::string kernel = ask("take", {{"text", text}})["kernel"];
  EXPECT_TRUE(is_taken(kernel));
  EXPECT_NE(ask("figure", {{"kernel", kernel}})["svg"], "");
  for (const Json& known : ask("catalog")["kernels"]) EXPECT_NE(known["id"], kernel);
  std::string wrong = text;
  wrong.replace(wrong.find("2 * in"), 6, "twoo * in");
  const Json bad = session->answer("figure", {{"kernel", ask("take", {{"text", wrong}})["kernel"]}});
  EXPECT_EQ(bad["line"], 3) << bad.dump();
  EXPECT_TRUE(session->answer("take", {{"text", "nothing"}}).contains("error"));
}

TEST_F(PageSession, AStateGoesIntoAFileAndBack) {
  const Json state{{"kernel", "matmul/02_coalesced"},
                   {"params", {{"BLOCK_X", 16}}},
                   {"warp", 2},
                   {"access", 5},
                   {"dark", false}};
  const Json back = ask("from_file", {{"toml", ask("to_file", state)["toml"]}});
  for (const auto& [key, value] : state.items()) EXPECT_EQ(back[key], value) << key;
}

TEST_F(PageSession, ShowsEveryStopOfALesson) {
  const Json lessons = ask("catalog")["lessons"];
  ASSERT_GT(lessons.size(), 10u);
  const Json& first = lessons[0];
  for (std::size_t stop = 1; stop <= first["stops"]; ++stop) {
    const Json json = ask("stop", {{"lesson", first["name"]}, {"stop", stop}});
    EXPECT_NE(json["heading"], "");
    EXPECT_TRUE(state_is_known(json["state"])) << json["state"].dump();
  }
  const Json kernels = ask("kernels", {{"lesson", first["name"]}})["kernels"];
  EXPECT_EQ(kernels[0].get<std::string>().substr(0, 6), "first/") << kernels.dump();
}

TEST_F(PageSession, JudgesAnswersByTheRunOfTheStop) {
  const Json lesson = {{"lesson", "01_first_kernels"}};
  int asked = 0;
  for (std::size_t stop = 1; asked < 2; ++stop) {
    Json place = lesson;
    place["stop"] = stop;
    const Json question = ask("stop", place)["ask"];
    if (question.is_null() || question["choices"].empty()) continue;
    ++asked;
    int right = 0;
    for (std::size_t choice = 0; choice < question["choices"].size(); ++choice) {
      place["choice"] = choice;
      const Json said = ask("answer", place);
      right += said["right"].get<bool>();
      EXPECT_EQ(said["right"], said["choice"] == choice);
    }
    EXPECT_EQ(right, 1);
  }
}

TEST_F(PageSession, OpensNoFileByTheNameOfALesson) {
  EXPECT_TRUE(session->answer("stop", {{"lesson", "../README"}}).contains("error"));
  EXPECT_TRUE(session->answer("stop", {{"lesson", "01_first_kernels"}, {"stop", 900}}).contains("error"));
  EXPECT_TRUE(session->answer("stop", {{"lesson", 7}}).contains("error"));
  EXPECT_TRUE(session->answer("answer", {{"lesson", "01_first_kernels"}, {"stop", 1}}).contains("error"));
}

TEST_F(PageSession, SaysWhatIsWrongOfALink) {
  EXPECT_TRUE(session->answer("figure", {{"kernel", "matmul/77_none"}}).contains("error"));
  EXPECT_TRUE(session->answer("figure", {{"warp", "three"}}).contains("error"));
  EXPECT_TRUE(session->answer("none", Json::object()).contains("error"));
  const Json none = session->answer("figure", {{"kernel", "matmul/01_naive"}, {"figure", "fragments"}});
  EXPECT_EQ(none["message"], "This kernel multiplies without tensor cores");
  EXPECT_EQ(none["next_step"].get<std::string>().substr(0, 15), "Choose a kernel");
}

}  // namespace
}  // namespace warplens::app::page
