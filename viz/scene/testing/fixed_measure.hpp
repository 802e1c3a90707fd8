// Text whose width is known without fonts, for golden files.
#pragma once

#include "viz/scene/text_measure.hpp"

namespace warplens::scene {

// Every character 0.6 of the size wide, as in JetBrains Mono.
class FixedMeasure final : public TextMeasure {
 public:
  double width(std::string_view text, const TextStyle& style) const override {
    int count = 0;
    for_each_code_point(text, [&](CodePoint, std::size_t) { ++count; });
    return 0.6 * style.size * count;
  }
  FontMetrics metrics(const TextStyle& style) const override {
    return {0.95 * style.size, 0.25 * style.size, 0.73 * style.size};
  }
};

}  // namespace warplens::scene
