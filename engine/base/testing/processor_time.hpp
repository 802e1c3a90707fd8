// For benchmarks: what a process used of the processors.
#pragma once

#include <sys/resource.h>

namespace warplens {

// Of all threads of this process, in user and system mode.
inline double seconds_of_processor() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace warplens
