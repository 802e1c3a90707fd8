// One access to shared memory: banks from left to right, wavefronts from top to bottom, and in each cell the
// lanes that get the bank's word then. A word that several lanes get is a broadcast.
#pragma once

#include "viz/figures/parts/parts.hpp"
#include "viz/figures/warp/warp_access_view.hpp"

namespace warplens::figures {

// Precondition: an access to shared memory.
// beside: the access of the picture that this one is compared with, so that both are laid out alike.
scene::Scene banks_scene(const WarpAccessView& view, scene::Size size, const scene::TextMeasure& measure,
                         const WarpAccessView* beside = nullptr);

// Rows "wavefront,phase,bank,word,lanes"; lanes as a hexadecimal mask.
std::string banks_csv(const WarpAccessView& view);

// For the table of figures.
Result<scene::Scene> draw_banks(const Subject& subject, scene::Size size, const scene::TextMeasure& measure);
Result<std::string> banks_table(const Subject& subject);

}  // namespace warplens::figures
