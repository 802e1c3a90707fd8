// PDF and PNG through cairo: the same drawing calls for paper and for pixels.
#pragma once

#include <span>

#include "viz/paint/files/png.hpp"
#include "viz/paint/fonts.hpp"
#include "viz/scene/scene.hpp"

namespace warplens::paint {

// `scale` pixels for each scene pixel; straight edges and hairlines stand on whole pixels. Errors: a scale
// that is not positive, or a picture of more than 32767 pixels a side.
Result<scene::Raster> to_raster(const scene::Scene& scene, const theme::Theme& theme, const Fonts& fonts,
                                double scale = 1);
Result<Bytes> to_png(const scene::Scene& scene, const theme::Theme& theme, const Fonts& fonts,
                     double scale = 1);

// A page for each scene, 0.75 points a scene pixel, fonts embedded, text searchable. The same scenes give the
// same bytes. Precondition: there is one.
Result<Bytes> to_pdf(std::span<const scene::Scene> pages, const theme::Theme& theme, const Fonts& fonts);
Result<Bytes> to_pdf(const scene::Scene& scene, const theme::Theme& theme, const Fonts& fonts);

}  // namespace warplens::paint
