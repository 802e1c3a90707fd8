// Scene pixels that figures need: with so many every text has its room. Where there is less, a window draws a
// figure smaller instead, so that these numbers are how small text becomes.
#pragma once

#include "viz/scene/geometry.hpp"

namespace warplens::figures::least {

inline constexpr scene::Size access{540, 360};
inline constexpr scene::Size coalescing{540, 380}, banks{540, 380};
inline constexpr scene::Size bank_map{540, 340};
inline constexpr scene::Size occupancy{600, 390};
inline constexpr scene::Size ladder{600, 400}, size_curve{560, 380}, roofline{600, 400};

}  // namespace warplens::figures::least
