// One warp-wide access that no kernel makes, from an index expression: its sectors and its banks. Nothing is
// drawn here. The choices themselves are in State::playground.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/state/state.hpp"
#include "engine/analysis/access.hpp"
#include "engine/device/device.hpp"
#include "viz/figures/warp/warp_access_view.hpp"
#include "viz/scene/scene.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::app {

// The same addresses taken as global and as shared memory.
struct PlaygroundPicture {
  figures::WarpAccessView global, shared;
  analysis::GlobalCounts sectors;
  analysis::SharedCounts banks;
};
// Errors: see analysis::access_at_index; place.column counts the characters of the expression from 1. No lane
// is active.
Result<PlaygroundPicture> playground_picture(const PlaygroundState& state, const device::Device& device);

// What the sliders can move. Where the expression names stride and offset they are those; where it is a
// straight line over the lanes, stride and offset of that line.
struct PlaygroundLine {
  std::int64_t stride = 0, offset = 0;
  bool has_stride = false, has_offset = false;  // the sliders that can be moved
  bool named = false;                           // the expression uses the names
};
PlaygroundLine playground_line(const PlaygroundState& state);
// A slider was moved: sets the name, or writes the straight line with names first.
void set_stride(PlaygroundState& state, std::int64_t stride);
void set_offset(PlaygroundState& state, std::int64_t offset);

// The classic patterns.
struct PlaygroundPreset {
  std::string_view name, index, meaning;
  std::int64_t stride = 1, offset = 0;
};
std::span<const PlaygroundPreset> playground_presets();
void apply(const PlaygroundPreset& preset, PlaygroundState& state);
bool is_chosen(const PlaygroundPreset& preset, const PlaygroundState& state);
// The pattern so many places on; the first one where none is chosen.
void choose_preset(PlaygroundState& state, std::ptrdiff_t away);

// Keeps the last picture that could be made.
class Playground {
 public:
  void update(const PlaygroundState& state, const device::Device& device);
  const PlaygroundPicture* picture() const { return picture_ ? &*picture_ : nullptr; }
  const std::optional<Error>& error() const { return error_; }  // the picture is then an older one
  // Sectors, banks or both, in one scene; null before the first picture. Valid until the next call.
  const scene::Scene* scene(Memory memory, scene::Size size, const scene::TextMeasure& measure);
  const scene::Scene* shown() const { return scene_ ? &*scene_ : nullptr; }

 private:
  std::optional<PlaygroundState> state_;
  std::string device_;
  std::optional<PlaygroundPicture> picture_;
  std::optional<Error> error_;
  std::optional<scene::Scene> scene_;
  Memory scene_memory_ = Memory::both;
  scene::Size scene_size_;
};

// A table with a heading for a spreadsheet: columns by tabs.
std::string tsv_of(const PlaygroundState& state, const PlaygroundPicture& picture);

}  // namespace warplens::app
