// The text of a lesson as HTML, for hand-outs and pages.
#pragma once

#include <string>
#include <string_view>

#include "engine/explain/glossary/glossary.hpp"
#include "engine/lesson/lesson.hpp"

namespace warplens::app {

std::string escaped(std::string_view text);
// links: words of the glossary lead to their sentence, which is also shown where the pointer rests.
std::string html(const lesson::Spans& spans, bool links = false);
std::string html(const lesson::Block& block);
// What the links lead to.
std::string anchor_of(const explain::Term& term);

}  // namespace warplens::app
