// A window whose frames draw only what changed looks as one that is drawn whole.
#include <algorithm>
#include <cstdlib>

#include "app/window/damage.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/testing/stage_test.hpp"
#include "app/window/tools.hpp"
#include "viz/paint/files/cairo_painter.hpp"
#include "viz/paint/imgui/imgui_compat.hpp"

namespace warplens::app {
namespace {

// Renderers may round a translucent pixel otherwise where a fill under it comes in other pieces.
constexpr int rounding = 2;

int far_apart(theme::Rgba a, theme::Rgba b) {
  return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}

class DamageTest : public StageTest {
 protected:
  // What is on screen, against the same frame drawn whole.
  void expect_whole(const char* after) {
    const scene::Raster kept = stage_->picture();
    stage_->interface().draw_all();
    ASSERT_TRUE(stage_->frame());
    EXPECT_EQ(stage_->interface().drawn_share(), 1);
    const scene::Raster whole = stage_->picture();
    ASSERT_EQ(kept.pixels.size(), whole.pixels.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < kept.pixels.size(); ++i)
      wrong += far_apart(kept.pixels[i], whole.pixels[i]) > rounding ? 1 : 0;
    EXPECT_EQ(wrong, 0u) << "pixels, after " << after;
  }
  void settle() { ASSERT_TRUE(stage_->settle()); }
};

TEST_F(DamageTest, NothingIsDrawnWhereNothingChanged) {
  OPEN_STAGE(small_problem());
  ASSERT_TRUE(stage_->frame());
  EXPECT_EQ(stage_->interface().drawn_share(), 0);
}

TEST_F(DamageTest, AStepOfTheScrubberDrawsAPart) {
  OPEN_STAGE(small_problem());
  ++state().selection.step;
  ASSERT_TRUE(stage_->frame());
  EXPECT_GT(stage_->interface().drawn_share(), 0);
  EXPECT_LT(stage_->interface().drawn_share(), 1);
  expect_whole("a step");
}

TEST_F(DamageTest, EveryFigureIsWholeAfterTheOneBefore) {
  OPEN_STAGE(small_problem());
  expect_whole("the start");
  for (const char* figure :
       {"coalescing", "banks", "bank-map", "occupancy", "roofline", "ladder", "access"}) {
    state().view.figure = figure;
    settle();
    expect_whole(figure);
  }
}

TEST_F(DamageTest, KernelsParametersPagesAndLooksAreWhole) {
  OPEN_STAGE(small_problem());
  ASSERT_TRUE(click("step/matmul/03_shared_tile"));
  expect_whole("a click on a step");
  ASSERT_TRUE(stage_->drag("param/TILE", 1, 0));
  settle();
  expect_whole("a dragged slider");
  state().view.dark = !state().view.dark;
  settle();
  expect_whole("the other theme");
  state().view.text_scale = 1.75;
  settle();
  expect_whole("large text");
  state().view.text_scale = 1;
  for (const Page page : {Page::compare, Page::playground, Page::ladder}) {
    state().view.page = page;
    settle();
    expect_whole("another page");
  }
}

// By the renderer that this machine has, against the painter of the exports: images, text, chips and lines.
TEST_F(DamageTest, FiguresLookAsTheirExports) {
  OPEN_STAGE(small_problem());
  for (const char* figure : {"access", "coalescing", "occupancy"}) {
    for (const bool is_dark : {true, false}) {
      state().view.figure = figure, state().view.dark = is_dark;
      settle();
      const scene::Scene& shown = *stage_->interface().canvas().shown();
      const double scale = stage_->interface().canvas().scale();
      const auto wanted = paint::to_raster(shown, is_dark ? theme::dark() : theme::light(),
                                           stage_->interface().canvas().fonts(), scale);
      ASSERT_TRUE(wanted);
      const auto at = stage_->find("figure");
      ASSERT_TRUE(at);
      const scene::Raster seen = stage_->picture();
      const int x0 = static_cast<int>(at->x), y0 = static_cast<int>(at->y);
      const int width = std::min(wanted->width, static_cast<int>(at->width)),
                height = std::min(wanted->height, static_cast<int>(at->height));
      std::size_t wrong = 0;
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
          wrong += far_apart(seen.pixels[static_cast<std::size_t>((y0 + y) * seen.width + x0 + x)],
                             wanted->pixels[static_cast<std::size_t>(y * wanted->width + x)]) > 64
                       ? 1
                       : 0;
      EXPECT_LT(static_cast<double>(wrong) / (width * height), 0.005) << figure << (is_dark ? " dark" : "");
    }
  }
}

TEST_F(DamageTest, WhatLiesOverTheWindowLeavesNoTrace) {
  OPEN_STAGE(small_problem());
  stage_->interface().tools().palette.open();
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(stage_->type("tile"));
  expect_whole("the palette");
  ASSERT_TRUE(stage_->press(compat::Key::escape));
  settle();
  expect_whole("the palette that was closed");
  const auto figure = stage_->find("figure");
  ASSERT_TRUE(figure);
  for (int i = 1; i < 6; ++i) {
    ASSERT_TRUE(stage_->move_to({figure->x + figure->width * i / 6, figure->center().y}));
    ASSERT_TRUE(stage_->frame());
    expect_whole("the pointer over the figure");
  }
}

// Two layers on a dark ground, as the window's lists are made.
class DamageLists : public ::testing::Test {
 protected:
  DamageLists() : context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {size, size};
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    damage_ = std::make_unique<Damage>(damage::Programs{});
  }
  ~DamageLists() override {
    damage_.reset();
    ImGui::DestroyContext(context_);
  }
  template <class Draw>
  ImDrawData& drawn(Draw draw) {
    ImGui::NewFrame();
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddRectFilled({0, 0}, {size, size}, IM_COL32(20, 20, 20, 255));
    draw(list);
    ImGui::Render();
    return *damage_->of(*ImGui::GetDrawData());
  }
  static constexpr float size = 10 * Damage::tile;

  ImGuiContext* context_;
  std::unique_ptr<Damage> damage_;
};

void small_square(ImDrawList& list, float x, ImU32 color) { list.AddRectFilled({x, 40}, {x + 8, 48}, color); }

TEST_F(DamageLists, OnlyTheTilesThatAPrimitiveLeftAndCameToAreDrawn) {
  const ImU32 red = IM_COL32(255, 0, 0, 255);
  drawn([&](ImDrawList& list) { small_square(list, 40, red); });
  EXPECT_EQ(damage_->share(), 1);
  drawn([&](ImDrawList& list) { small_square(list, 40, red); });
  EXPECT_EQ(damage_->share(), 0);
  drawn([&](ImDrawList& list) { small_square(list, 300, red); });
  EXPECT_DOUBLE_EQ(damage_->share(), 2.0 / 100);
  drawn([&](ImDrawList& list) { small_square(list, 300, IM_COL32(0, 0, 255, 255)); });
  EXPECT_DOUBLE_EQ(damage_->share(), 1.0 / 100);
  damage_->forget();
  drawn([&](ImDrawList& list) { small_square(list, 300, IM_COL32(0, 0, 255, 255)); });
  EXPECT_EQ(damage_->share(), 1);
}

TEST_F(DamageLists, AnOrderThatChangedIsDrawn) {
  const auto both = [](ImDrawList& list, ImU32 first, ImU32 second) {
    small_square(list, 40, first), small_square(list, 44, second);
  };
  const ImU32 red = IM_COL32(255, 0, 0, 255), blue = IM_COL32(0, 0, 255, 255);
  drawn([&](ImDrawList& list) { both(list, red, blue); });
  drawn([&](ImDrawList& list) { both(list, blue, red); });
  EXPECT_DOUBLE_EQ(damage_->share(), 1.0 / 100);
}

TEST_F(DamageLists, WhatAnOpaqueFillHidesIsLeftOut) {
  drawn([](ImDrawList&) {});
  const auto draw = [&](ImU32 cover) {
    return drawn([&](ImDrawList& list) {
             for (int i = 0; i < 30; ++i)
               small_square(list, 10.0f * static_cast<float>(i), IM_COL32(255, 0, 0, 99));
             list.AddRectFilled({0, 0}, {size, size}, cover);
           })
        .TotalVtxCount;
  };
  EXPECT_EQ(draw(IM_COL32(1, 2, 3, 255)), 4);                 // the ground
  EXPECT_EQ(draw(IM_COL32(1, 2, 3, 128)), 4 * (1 + 30 + 1));  // the squares and the cover too
}

// Not a piece for each row of tiles.
TEST_F(DamageLists, ARectangleThatShowsEverywhereIsDrawnInOnePiece) {
  drawn([](ImDrawList&) {});
  const ImU32 red = IM_COL32(255, 0, 0, 255);
  const ImDrawData& data = drawn([&](ImDrawList& list) { list.AddRectFilled({40, 40}, {70, 200}, red); });
  const auto& vertices = data.CmdLists[0]->VtxBuffer;
  EXPECT_EQ(
      std::count_if(vertices.begin(), vertices.end(), [&](const ImDrawVert& v) { return v.col == red; }), 4);
}

// A bar goes below a cover of one tile and shows beside it.
TEST_F(DamageLists, ACoverComesAgainOverWhatShowsBesideIt) {
  const ImU32 cover = IM_COL32(1, 2, 3, 255);
  drawn([](ImDrawList&) {});
  const ImDrawData& data = drawn([&](ImDrawList& list) {
    list.AddRectFilled({40, 40}, {200, 50}, IM_COL32(255, 0, 0, 99));
    list.AddRectFilled({64, 32}, {96, 64}, cover);
  });
  const ImDrawList& list = *data.CmdLists[0];
  const ImDrawVert& last = list.VtxBuffer.back();
  EXPECT_EQ(last.col, cover);
  EXPECT_EQ(last.pos.x, 64);
  EXPECT_EQ(last.pos.y, 64);
}

// All but its corners hides what is below, as a plain rectangle does.
TEST_F(DamageLists, WhatARoundedCardHidesIsLeftOut) {
  drawn([](ImDrawList&) {});
  const ImU32 red = IM_COL32(255, 0, 0, 99);
  const auto reds = [&](ImU32 cover) {
    const ImDrawData& data = drawn([&](ImDrawList& list) {
      for (int i = 4; i < 20; ++i) small_square(list, 10.0f * static_cast<float>(i), red);
      list.AddRectFilled({8, 8}, {size - 8, size - 8}, cover, 6);
    });
    const auto& vertices = data.CmdLists[0]->VtxBuffer;
    return std::count_if(vertices.begin(), vertices.end(), [&](const ImDrawVert& v) { return v.col == red; });
  };
  EXPECT_EQ(reds(IM_COL32(1, 2, 3, 255)), 0);
  EXPECT_EQ(reds(IM_COL32(1, 2, 3, 128)), 4 * 16);
}

// A card with its characters, many times over: not one call for each card and one for its text.
TEST_F(DamageLists, WhatStaysApartSharesTheCallsOfItsTextures) {
  drawn([](ImDrawList&) {});
  const ImDrawData& data = drawn([](ImDrawList& list) {
    for (int i = 0; i < 9; ++i) {
      const ImVec2 at{4.0f + 32.0f * static_cast<float>(i), 40};
      list.AddRectFilled(at, {at.x + 20, at.y + 12}, IM_COL32(9, 9, 9, 255), 3);
      list.AddImage(paint::compat::texture_id(77), {at.x + 2, at.y + 2}, {at.x + 10, at.y + 9});
    }
  });
  int calls = 0;
  for (const ImDrawCmd& command : data.CmdLists[0]->CmdBuffer) calls += command.UserCallback == nullptr;
  EXPECT_EQ(calls, 3);  // the ground, the cards, the images
}

// A fill needs no texture of its own: a pile of fills and images is one call.
TEST_F(DamageLists, FillsShareTheCallsOfOtherTextures) {
  const ImVec2 white{0.25f, 0.25f};
  damage_ = std::make_unique<Damage>(damage::Programs{},
                                     [&](ImTextureID) { return damage::TextureTraits{.white = white}; });
  drawn([](ImDrawList&) {});
  const ImDrawData& data = drawn([](ImDrawList& list) {
    for (int i = 0; i < 9; ++i) {
      const ImVec2 at{40.0f + 3.0f * static_cast<float>(i), 40};
      list.AddRectFilled(at, {at.x + 20, at.y + 12}, IM_COL32(9, 9, 9, 99));
      list.AddImage(paint::compat::texture_id(77), {at.x + 2, at.y + 2}, {at.x + 10, at.y + 9});
    }
  });
  const ImDrawList& list = *data.CmdLists[0];
  int calls = 0;
  for (const ImDrawCmd& command : list.CmdBuffer) calls += command.UserCallback == nullptr;
  EXPECT_EQ(calls, 2);  // the ground, the pile
  EXPECT_EQ(list.CmdBuffer.back().GetTexID(), paint::compat::texture_id(77));
  for (const ImDrawVert& v : list.VtxBuffer) {
    const bool is_fill = v.col == IM_COL32(9, 9, 9, 99);
    EXPECT_EQ(v.uv.x == white.x && v.uv.y == white.y, is_fill);
  }
}

// An image needs nothing but its texels, which a software renderer draws quicker.
TEST_F(DamageLists, ImagesHaveAProgramOfTheirOwn) {
  static int fills, images, rests;
  fills = images = rests = 0;
  damage_ = std::make_unique<Damage>(
      damage::Programs{.fills = [](const ImDrawList*, const ImDrawCmd*) { ++fills; },
                       .images = [](const ImDrawList*, const ImDrawCmd*) { ++images; },
                       .rest = [](const ImDrawList*, const ImDrawCmd*) { ++rests; }},
      [](ImTextureID texture) {
        return damage::TextureTraits{.is_image = texture == paint::compat::texture_id(77)};
      });
  drawn([](ImDrawList&) {});
  const ImDrawData& data = drawn([](ImDrawList& list) {
    list.AddImage(paint::compat::texture_id(77), {10, 10}, {60, 60});
    list.AddImage(paint::compat::texture_id(78), {110, 10}, {160, 60});
    list.AddImage(paint::compat::texture_id(77), {10, 110}, {18, 120});
  });
  int drawn_as_images = 0;
  bool are_images = false;
  for (const ImDrawCmd& command : data.CmdLists[0]->CmdBuffer) {
    const int before = images;
    if (command.UserCallback != nullptr)
      command.UserCallback(data.CmdLists[0], &command), are_images = images > before;
    else if (are_images)
      drawn_as_images += static_cast<int>(command.ElemCount) / 6;
  }
  EXPECT_EQ(fills, 1);
  EXPECT_EQ(images, 1);
  EXPECT_EQ(drawn_as_images, 2);
  EXPECT_FALSE(are_images);  // what is drawn after this frame is as ImGui has it
}

// A character whose left half alone is drawn anew shows the left half of its texels, and needs no call of its
// own.
TEST_F(DamageLists, PicturesAreCutWithTheirTexels) {
  constexpr float texels = 64;
  const auto character = [&](ImDrawList& list, float x, float y) {
    list.AddImage(paint::compat::texture_id(77), {x, y}, {x + 8, y + 10}, {16 / texels, 0},
                  {24 / texels, 10 / texels});
  };
  constexpr float t = Damage::tile;
  const auto frame = [&](bool is_there) {
    return [&, is_there](ImDrawList& list) {
      for (const float x : {t + 2, 6 * t + 2})
        if (is_there) list.AddRectFilled({x, 2}, {x + 4, 6}, IM_COL32(9, 200, 9, 255));
      character(list, 2 * t - 3, 8);  // to the right
      character(list, t + 9, t - 4);  // below
      character(list, t + 9, 8);      // whole
      character(list, 6 * t - 4, 8);  // to the left
    };
  };
  const auto calls_of_characters = [&](const ImDrawData& data) {
    int calls = 0;
    for (const ImDrawCmd& command : data.CmdLists[0]->CmdBuffer)
      calls += command.UserCallback == nullptr && command.GetTexID() == paint::compat::texture_id(77);
    return calls;
  };
  drawn(frame(false));
  EXPECT_EQ(calls_of_characters(drawn(frame(true))), 2);  // it is not known how large a texel is
  damage_ = std::make_unique<Damage>(damage::Programs{}, [&](ImTextureID) {
    return damage::TextureTraits{.texel = ImVec2{1 / texels, 1 / texels}};
  });
  drawn(frame(false));
  const ImDrawData& data = drawn(frame(true));
  EXPECT_EQ(calls_of_characters(data), 1);
  const auto& vertices = data.CmdLists[0]->VtxBuffer;
  const auto has = [&](ImVec2 pos, ImVec2 texel) {
    return std::any_of(vertices.begin(), vertices.end(), [&](const ImDrawVert& v) {
      return v.pos.x == pos.x && v.pos.y == pos.y && v.uv.x == texel.x / texels && v.uv.y == texel.y / texels;
    });
  };
  EXPECT_TRUE(has({2 * t, 18}, {19, 10}));   // three of eight columns
  EXPECT_TRUE(has({t + 17, t}, {24, 4}));    // four of ten rows
  EXPECT_TRUE(has({6 * t, 8}, {20, 0}));     // the last four columns
  EXPECT_TRUE(has({t + 17, 18}, {24, 10}));  // all of it
  EXPECT_FALSE(has({2 * t + 5, 18}, {24, 10}));
}

// Software renderers take two triangles at a time, and as many as fit: shapes of three and of many.
TEST_F(DamageLists, CallsArePairsOfTriangles) {
  drawn([](ImDrawList&) {});
  const ImDrawData& data = drawn([](ImDrawList& list) {
    for (int i = 0; i < 400; ++i) {
      const ImVec2 at{8.0f + 14.0f * static_cast<float>(i % 20), 8.0f + 14.0f * static_cast<float>(i / 20)};
      list.AddTriangleFilled(at, {at.x + 9, at.y}, {at.x, at.y + 9}, IM_COL32(9, 9, 9, 99));
    }
  });
  int calls = 0;
  for (const ImDrawCmd& command : data.CmdLists[0]->CmdBuffer) {
    if (command.UserCallback != nullptr) continue;
    ++calls;
    EXPECT_EQ(command.ElemCount % 6, 0u);
    EXPECT_LE(command.ElemCount, 1020u);
  }
  EXPECT_GT(calls, 2);
}

TEST_F(DamageLists, AFrameWithoutAGroundIsDrawnWhole) {
  const auto vertices = [&](float x) {
    ImGui::NewFrame();
    small_square(*ImGui::GetBackgroundDrawList(), 140, IM_COL32_WHITE);
    small_square(*ImGui::GetBackgroundDrawList(), x, IM_COL32_WHITE);
    ImGui::Render();
    return damage_->of(*ImGui::GetDrawData())->TotalVtxCount;
  };
  EXPECT_EQ(vertices(40), 2 * 4);
  EXPECT_EQ(vertices(40), 0);
  EXPECT_EQ(vertices(70), 2 * 4);
  EXPECT_EQ(damage_->share(), 1);
}

TEST_F(DamageLists, AFrameThatCallsBackIsDrawnAsItIs) {
  const auto callback = [](ImDrawList& list) { list.AddCallback(ImDrawCallback_ResetRenderState, nullptr); };
  const ImDrawData* const of = &drawn(callback);
  EXPECT_EQ(of, ImGui::GetDrawData());
  drawn([](ImDrawList&) {});
  EXPECT_EQ(damage_->share(), 1);  // what a callback drew is not known
}

}  // namespace
}  // namespace warplens::app
