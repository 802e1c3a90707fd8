// What a kernel is passed, from what its problem binds to its parameters.
#pragma once

#include "engine/problem/own/own_shape.hpp"

namespace warplens::problem {

// 0 below 1.
std::size_t whole(double value);
// The bytes of a buffer before the element that the kernel's pointer is of.
std::uint64_t bytes_before(const OwnShape& shape, std::size_t b, const Values& sizes);
// In the order in which the kernel is declared.
std::vector<Argument> arguments_of(const OwnShape& shape, const std::vector<Buffer>& buffers,
                                   const Values& sizes);

// The index-th of the file's maps, of one of these buffers: its rows follow each other without a gap.
TensorMapArgument map_argument(const OwnShape& shape, std::size_t index, const std::vector<Buffer>& buffers,
                               const Values& sizes);
// Whether the maps among the arguments keep the rules of cuTensorMapEncodeTiled; an error has the map's line.
Status accepts_maps(const OwnShape& shape, const Layout& layout);

}  // namespace warplens::problem
