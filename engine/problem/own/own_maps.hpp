// The tensor maps of a kernel file, at sizes of its problem.
#pragma once

#include <vector>

#include "engine/problem/own/own_shape.hpp"

namespace warplens::problem {

// The index-th of the file's maps, of one of these buffers: its rows follow each other without a gap.
TensorMapArgument map_argument(const OwnShape& shape, std::size_t index, const std::vector<Buffer>& buffers,
                               const Values& sizes);
// Whether the maps among the arguments keep the rules of cuTensorMapEncodeTiled; an error has the map's line.
Status accepts_maps(const OwnShape& shape, const Layout& layout);

}  // namespace warplens::problem
