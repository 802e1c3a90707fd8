// A figure as a slide has it: with a title that says the message, in larger type, on white or on nothing, and
// where wanted the whole step on one page: picture, code and numbers. `warplens export` and the window's
// dialog make their files of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/measured/recorded_speeds.hpp"
#include "engine/time/predict.hpp"
#include "viz/figures/figure.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/scene/picture_words.hpp"
#include "viz/theme/theme.hpp"

namespace warplens::figures {

// Below a picture: that of its theme, white paper, or nothing.
enum class Ground : std::uint8_t { theme, white, transparent };
std::optional<Ground> ground_named(std::string_view name);

inline constexpr double kLeastType = 0.5, kMostType = 3;
struct SlideOptions {
  std::string title = {};  // one or two lines above the picture; empty: none
  double type = 1;         // times as large as designed, as far as the picture has room
  Ground ground = Ground::theme;
  Look look = Look::file;  // on a stage: type of 2.5 % of the height, as that of the window's
  // Pixels: with smaller type the whole slide becomes larger than its size, in the same shape.
  double least_type = 0;
  bool is_film = false;  // its type grows with the frame, which nobody looks at from nearer than a small one
};

// How much larger than designed the type of a stage of this size is.
double stage_type(scene::Size size);

// The colours for a ground: on white those of the light theme, whose own ground becomes white.
theme::Theme theme_on(Ground ground, const theme::Theme& theme);

using DrawIn = std::function<Result<scene::Scene>(scene::Size)>;
// The picture in what the title leaves of the size. Errors: as of `draw`.
Result<scene::Scene> slide(const DrawIn& draw, scene::Size size, const scene::TextMeasure& measure,
                           const SlideOptions& options);

// The size that the picture has then: for films, whose pictures are made before their slides.
scene::Size room_of(scene::Size size, const scene::TextMeasure& measure, const SlideOptions& options);

// As the model of time has it; nothing of a problem whose work is not counted.
std::optional<measured::Rate> predicted_rate(const run::Run& run, const time::Prediction& predicted);
// The speed of a step at the size of its run: as it was recorded, with its share of cuBLAS; null: it was not,
// then as the model of time has it. No card where neither is known.
std::vector<NumberCard> speed_cards(const measured::RecordedSpeed* recorded,
                                    const std::optional<measured::Rate>& predicted);

// A whole step, as such a picture: the figure, its source beside it, and its numbers below. more: numbers
// that the run does not have, such as a recorded speed. The code marks what the step costs: its line where
// instructions are that, else the access; marks_access: the access in any case. Error: nothing ran.
Result<scene::Scene> step_page(const Figure& figure, const Subject& subject, scene::Size size,
                               const scene::TextMeasure& measure, const std::vector<NumberCard>& more,
                               bool marks_access = false);

// A picture that cannot be drawn in another size, as large as the room allows, in its middle.
scene::Scene fitted(const scene::Scene& picture, scene::Size size);

// What a title says of it: "98 times as fast in 10 steps, 95 % of cuBLAS"; the step's title where the picture
// says nothing of itself.
// of_step: of the whole step instead, whatever the figure shows.
std::string message_of(const Figure& figure, const Subject& subject, bool of_step = false);
// The same with its reason, its share of the time and what fixes it.
scene::PictureWords picture_words(const Figure& figure, const Subject& subject);

}  // namespace warplens::figures
