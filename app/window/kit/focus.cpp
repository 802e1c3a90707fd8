#include "app/window/kit/focus.hpp"

#include <algorithm>
#include <utility>

namespace warplens::app {

void Focus::begin_frame(bool clicks, bool in_popup) {
  before_ = std::exchange(now_, {});
  if (std::exchange(in_popup_, in_popup) != in_popup) clear();
  const bool is_expected = !expected_.empty() && name_ == expected_;
  if (!is_expected && std::ranges::find(before_, name_) == before_.end())
    clear();  // it is not on screen any more
  clicks_ = clicks && !name_.empty();
  has_moved_ = false;
}

void Focus::move(std::ptrdiff_t by) {
  if (before_.empty()) return;
  const std::ptrdiff_t count = std::ssize(before_), first = by > 0 ? -1 : count;
  const std::ptrdiff_t at = name_.empty() ? first : std::ranges::find(before_, name_) - before_.begin();
  name_ = before_[static_cast<std::size_t>((at + by + count) % count)];
  has_moved_ = true;
}

bool Focus::offers(std::string_view name, bool is_in_popup) {
  if (is_in_popup != in_popup_ || name.empty()) return false;
  now_.emplace_back(name);
  if (name == expected_) expected_.clear(), has_moved_ = true;
  return is_on(name) && std::exchange(clicks_, false);
}

}  // namespace warplens::app
