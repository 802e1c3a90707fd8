// All launches of a program and the copies between them, one behind the other, as wide as their predicted time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/window/kit/ui.hpp"
#include "engine/program/program_record.hpp"

namespace warplens::app {

class LaunchStrip {
 public:
  struct Span {
    double from = 0, to = 0;  // seconds on the device
    bool is_copy = false;
    std::size_t index = 0;  // of the launch, or of the copy
  };
  // version: changes with the record.
  void update(const program::ProgramRecord& record, std::uint64_t version);
  const std::vector<Span>& spans() const { return spans_; }
  double end() const { return spans_.empty() ? 0 : spans_.back().to; }
  // The launch that was clicked. chosen: has a mark.
  std::optional<std::size_t> draw(const Ui& ui, const Rect& rect, const program::ProgramRecord& record,
                                  std::optional<std::size_t> chosen);

 private:
  const Span* at(double seconds) const;
  std::vector<Span> spans_;
  std::optional<std::uint64_t> version_;
};

// Of all launches that are predicted, and of all copies.
double known_seconds(const program::ProgramRecord& record);

// The colour of a kernel, in the strip and in the list.
Token color_of_kernel(std::size_t kernel);

}  // namespace warplens::app
