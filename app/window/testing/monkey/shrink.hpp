// A list that does something, shortened as far as it still does: delta debugging (A. Zeller, R. Hildebrandt,
// "Simplifying and Isolating Failure-Inducing Input", IEEE Transactions on Software Engineering 28, 2002).
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace warplens::app::monkey {

// does: whether a list still does it; list does. goes_on: false where the time is up: then what was reached
// so far is the answer. Without a limit no single element of the answer can be left out.
template <class T>
std::vector<T> shortest(std::vector<T> list, const std::function<bool(const std::vector<T>&)>& does,
                        const std::function<bool()>& goes_on) {
  for (std::size_t size = list.size(); size > 0 && goes_on();) {
    bool left_out = false;
    for (std::size_t at = 0; at < list.size() && goes_on();) {
      std::vector<T> shorter(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(at));
      const std::size_t end = std::min(at + size, list.size());
      shorter.insert(shorter.end(), list.begin() + static_cast<std::ptrdiff_t>(end), list.end());
      if (does(shorter))
        list = std::move(shorter), left_out = true;
      else
        at = end;
    }
    if (size > 1)
      size = (size + 1) / 2;
    else if (!left_out)
      break;
  }
  return list;
}

}  // namespace warplens::app::monkey
