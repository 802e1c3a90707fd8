// How many threads a kernel's array in shared memory speaks of, where nothing launches it: mostly one for each element, and fewer
// where the array has room for neighbours of both ends, as stencils keep them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace warplens::problem {

// Along the first extent of the first array, such as __shared__ float tile[T][T]; 0: none is seen. body: the kernel's, without
// comments and texts. Of "s[N + 2]" it is N; of "s[130]" what the kernel's indices leave of it: s[threadIdx.x + 1], or a test such as
// "threadIdx.x < 2" of the threads that bring the rest.
// value_of: a whole number that the file defines; nothing where it does not.
using ValueOf = std::function<std::optional<std::int64_t>(std::string_view expression)>;
std::int64_t threads_of_shared(const ValueOf& value_of, std::string_view body);

}  // namespace warplens::problem
