// A loop over independent pieces of work on the machine's cores.
#pragma once

#include <cstddef>
#include <functional>

namespace warplens::problem {

// Calls work(0) ... work(count - 1), each once, in any order and on several threads; returns when all are
// done. work must not throw. Where no thread can be had the caller's does it all.
void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace warplens::problem
