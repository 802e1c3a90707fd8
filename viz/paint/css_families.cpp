#include "viz/paint/fonts.hpp"

namespace warplens::paint {

std::string_view css_families(scene::Family family) {
  return family == scene::Family::code ? "'JetBrains Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace"
                                       : "Inter, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif";
}

}  // namespace warplens::paint
