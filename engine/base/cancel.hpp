// Work that can be ended before it is done is given a flag, and looks at it between its parts.
#pragma once

#include <atomic>

namespace warplens {

// For what nobody ends before it is done.
inline const std::atomic<bool> kNeverCancelled{false};

}  // namespace warplens
