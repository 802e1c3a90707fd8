// Memory that will be written from end to end, in pages of 2 MiB where the system has them: a matrix of
// 256 MiB then costs 128 page faults and not 65,536.
#pragma once

#include <cstddef>
#include <span>

namespace warplens {

// Before the first write. Only what lies in whole large pages is changed; where the system has none, nothing.
void use_large_pages(std::span<std::byte> memory);

}  // namespace warplens
