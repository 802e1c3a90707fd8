#include "app/page/session.hpp"

#include <gtest/gtest.h>

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
  std::unique_ptr<Session> session;
};

TEST_F(PageSession, KnowsKernelsLaddersAndDevices) {
  const Json catalog = ask("catalog");
  EXPECT_GT(catalog["kernels"].size(), 90u);
  EXPECT_EQ(catalog["ladders"][0]["name"], "first");
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

TEST_F(PageSession, AStateGoesIntoAFileAndBack) {
  const Json state{{"kernel", "matmul/02_coalesced"},
                   {"params", {{"BLOCK_X", 16}}},
                   {"warp", 2},
                   {"access", 5},
                   {"dark", false}};
  const Json back = ask("from_file", {{"toml", ask("to_file", state)["toml"]}});
  for (const auto& [key, value] : state.items()) EXPECT_EQ(back[key], value) << key;
}

TEST_F(PageSession, SaysWhatIsWrongOfALink) {
  EXPECT_TRUE(session->answer("figure", {{"kernel", "matmul/77_none"}}).contains("error"));
  EXPECT_TRUE(session->answer("figure", {{"warp", "three"}}).contains("error"));
  EXPECT_TRUE(session->answer("none", Json::object()).contains("error"));
}

}  // namespace
}  // namespace warplens::app::page
