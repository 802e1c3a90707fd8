// One of everything that a scene can hold, for tests and for looking at.
#pragma once

#include <cmath>
#include <vector>

#include "viz/scene/scene.hpp"

namespace warplens::paint::samples {

using namespace scene;

inline void add_shapes(Group& root) {
  const Stroke line{Token::line};
  root.rect({16, 16, 224, 128}, {.fill = Token::panel, .stroke = line}, 6)
      .named("card", "A card & its <title>");
  root.text({32, 44}, "Global sectors", {.size = 13, .color = Token::dim, .weight = Weight::semibold});
  root.text({32, 76}, "17.3 M", {.size = 24, .weight = Weight::bold}).named("number");
  root.text({32, 100}, "6.6× ideal", {.size = 13, .color = Token::costly});
  root.text({32, 128}, "sum += A[row * K + k]  * B;", {.size = 14, .family = Family::code, .max_width = 190});
  root.rect({264, 16, 112, 32}, {.fill = Token::accent}, 6).named("run");
  root.text({320, 32}, "Run",
            {.color = Token::on_accent,
             .weight = Weight::semibold,
             .anchor = Anchor::middle,
             .baseline = Baseline::middle});
  root.arrow({264, 72}, {376, 104}, {Token::first_thread, 2}, 10).named("lane/0", "Lane 0");
  root.line({264, 120}, {376, 120}, {Token::first_warp, 2, {6, 4}});
  root.rect({264, 132, 112, 12}, {.stroke = Stroke{Token::costly, 1, {3, 3}}}, 3);
  root.circle({412, 32}, 14, {.fill = Token::good, .stroke = Stroke{Token::text, 2}});
  root.polygon({{400, 64}, {424, 64}, {424, 104}, {412, 76}, {400, 104}},
               {.fill = Color(Token::series_4, 0.6)});
  root.polyline({{400, 120}, {408, 144}, {416, 120}, {424, 144}}, {Token::series_2, 3, {}, true});
}

inline void add_images(Group& root) {
  std::vector<std::uint8_t> cells(16 * 16, 0);
  for (std::size_t i = 0; i < 16; ++i) cells[i * 16 + 5] = 2;
  cells[5] = 1;
  root.image({16, 168, 128, 128},
             make_indexed_image(16, 16, cells, {Token::raised, Token::first_thread, Token::first_warp}))
      .named("matrix", "A");
  std::vector<std::uint8_t> heat;
  for (int i = 0; i < 32 * 8; ++i)
    heat.push_back(static_cast<std::uint8_t>(std::lround((i % 32 + i / 32) / 38.0 * 254)));
  std::vector<Color> ramp;
  for (const theme::Rgba c : theme::ramp(theme::Colormap::viridis, 255)) ramp.emplace_back(c);
  root.image({168, 168, 208, 64}, make_indexed_image(32, 8, heat, ramp)).named("heat");
}

inline void add_groups(Group& root) {
  Group inner;
  inner.origin = {168, 248};
  inner.scale = 2;
  inner.clip = Rect{0, 0, 104, 24};
  inner.clip_radius = 6;
  inner.rect({0, 0, 104, 24}, {.fill = Token::raised});
  inner.circle({100, 12}, 16, {.fill = Token::first_warp});
  inner.text({8, 12}, "Scaled, clipped", {.size = 10, .baseline = Baseline::middle});
  root.group(inner).named("inner", "A group");
}

inline Scene everything(bool with_images = true) {
  Scene scene({440, 312});
  add_shapes(scene.root);
  if (with_images) add_images(scene.root);
  add_groups(scene.root);
  return scene;
}

}  // namespace warplens::paint::samples
