// Lanes above, memory below: which 32-byte sectors of which 128-byte lines a warp's access asks for, and how
// much of what is moved is used. On devices of compute capability 1.x the segments of each half-warp.
#pragma once

#include "viz/figures/parts/parts.hpp"
#include "viz/figures/warp/warp_access_view.hpp"

namespace warplens::figures {

// Precondition: an access to global or local memory.
// beside: the access of the picture that this one is compared with, so that both are laid out alike.
scene::Scene coalescing_scene(const WarpAccessView& view, scene::Size size, const scene::TextMeasure& measure,
                              const WarpAccessView* beside = nullptr);

// Rows "phase,address,bytes,sectors,lanes" of the transactions; lanes as a hexadecimal mask.
std::string coalescing_csv(const WarpAccessView& view);

// For the table of figures.
Result<scene::Scene> draw_coalescing(const Subject& subject, scene::Size size,
                                     const scene::TextMeasure& measure);
Result<std::string> coalescing_table(const Subject& subject);

}  // namespace warplens::figures
