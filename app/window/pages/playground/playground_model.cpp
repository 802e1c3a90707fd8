#include "app/window/pages/playground/playground_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/analysis/index_expression.hpp"
#include "viz/figures/figure.hpp"
#include "viz/figures/warp/banks.hpp"
#include "viz/figures/warp/coalescing.hpp"

namespace warplens::app {
namespace {

constexpr std::string_view kStraightLine = "stride*lane + offset";

using Names = std::array<analysis::NamedIndex, 2>;
Names names_of(const PlaygroundState& state) {
  return {{{"stride", state.stride}, {"offset", state.offset}}};
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool mentions(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_name_character(text[at - 1])) &&
        (end == text.size() || !is_name_character(text[end])))
      return true;
  }
  return false;
}

std::string title_of(const PlaygroundState& state) {
  std::string title = state.index;
  std::string names;
  if (mentions(state.index, "stride")) names = fmt::format("stride {}", state.stride);
  if (mentions(state.index, "offset"))
    names += fmt::format("{}offset {}", names.empty() ? "" : ", ", state.offset);
  return names.empty() ? title : fmt::format("{}   ({})", title, names);
}

constexpr std::array kPresets = {
    PlaygroundPreset{"Coalesced", kStraightLine, "Neighbouring lanes take neighbouring elements"},
    PlaygroundPreset{"Permuted", "lane ^ 1", "Neighbouring lanes swap their elements"},
    PlaygroundPreset{"Misaligned", kStraightLine, "Neighbouring elements, not from a multiple of 128 bytes",
                     1, 1},
    PlaygroundPreset{"Stride of 2", kStraightLine, "Every second element", 2},
    PlaygroundPreset{"float3 member", kStraightLine, "The same member of an array of three floats", 3},
    PlaygroundPreset{"Column", kStraightLine, "One element of each row of a 32 × 32 tile", 32},
    PlaygroundPreset{"Padded", kStraightLine, "One element of each row of a 32 × 33 tile", 33},
    PlaygroundPreset{"Swizzled", "stride*lane + (lane ^ offset)",
                     "One element of each row, its place in the row exchanged by the row’s number", 32},
    PlaygroundPreset{"Broadcast", "offset", "Every lane takes the same element"},
    PlaygroundPreset{"Rows of 8", "stride*(lane / 8) + lane % 8", "Eight neighbours of each row", 64},
};

constexpr double kPanelGap = 8;

double fit(double width, double height, figures::Look look = figures::Look::file) {
  const scene::Size least = figures::least_size(*figures::find_figure("banks"), look);
  return std::min({1.0, width / least.width, height / least.height});
}

void add_part(scene::Scene& to, const scene::Rect& rect, const scene::TextMeasure& measure,
              const figures::WarpAccessView& view, bool shared) {
  figures::WarpAccessView shown = view;
  shown.look =
      figures::readable_look(*figures::find_figure("banks"), figures::Look::file, {rect.width, rect.height});
  const double scale = fit(rect.width, rect.height, shown.look);
  const scene::Size size{rect.width / scale, rect.height / scale};
  scene::Group group = shared ? figures::banks_scene(shown, size, measure).root
                              : figures::coalescing_scene(shown, size, measure).root;
  group.origin = {rect.x, rect.y};
  group.scale = scale;
  to.root.group(std::move(group));
}

}  // namespace

Result<PlaygroundPicture> playground_picture(const PlaygroundState& state, const device::Device& device) {
  if (state.mask == 0) return Error{"no lane is active", "switch on at least one"};
  const Names names = names_of(state);
  const auto access = analysis::access_at_index(
      state.index, state.store ? analysis::AccessOp::store : analysis::AccessOp::load, state.width,
      state.mask, {.more = names}, "index");
  if (!access) return access.error();
  const std::string title = title_of(state);
  return PlaygroundPicture{figures::view_of(*access, false, device, title),
                           figures::view_of(*access, true, device, title),
                           analysis::count_global(*access, device), analysis::count_shared(*access, device)};
}

PlaygroundLine playground_line(const PlaygroundState& state) {
  PlaygroundLine line{.stride = state.stride, .offset = state.offset};
  line.has_stride = mentions(state.index, "stride");
  line.has_offset = mentions(state.index, "offset");
  line.named = line.has_stride || line.has_offset;
  if (line.named) return line;
  const auto at = [&](int lane) { return analysis::evaluate_index(state.index, {.lane = lane}, "index"); };
  const auto first = at(0), second = at(1);
  if (!first || !second) return line;
  const std::int64_t offset = *first;
  std::int64_t stride = 0;
  if (__builtin_sub_overflow(*second, offset, &stride)) return line;
  for (int lane = 2; lane < 32; ++lane) {
    std::int64_t expected = 0;
    const auto value = at(lane);
    if (!value || __builtin_mul_overflow(stride, std::int64_t{lane}, &expected) ||
        __builtin_add_overflow(expected, offset, &expected) || *value != expected)
      return line;
  }
  return {stride, offset, true, true, false};
}

void set_stride(PlaygroundState& state, std::int64_t stride) {
  const PlaygroundLine line = playground_line(state);
  if (!line.has_stride) return;
  if (!line.named) state.index = kStraightLine, state.offset = line.offset;
  state.stride = std::clamp(stride, -kLargestStride, kLargestStride);
}

void set_offset(PlaygroundState& state, std::int64_t offset) {
  const PlaygroundLine line = playground_line(state);
  if (!line.has_offset) return;
  if (!line.named) state.index = kStraightLine, state.stride = line.stride;
  state.offset = std::clamp(offset, -kLargestStride, kLargestStride);
}

std::span<const PlaygroundPreset> playground_presets() { return kPresets; }

void apply(const PlaygroundPreset& preset, PlaygroundState& state) {
  state.index = preset.index;
  state.stride = preset.stride;
  state.offset = preset.offset;
}

bool is_chosen(const PlaygroundPreset& preset, const PlaygroundState& state) {
  return state.index == preset.index && state.stride == preset.stride && state.offset == preset.offset;
}

void choose_preset(PlaygroundState& state, std::ptrdiff_t away) {
  const auto here = std::find_if(kPresets.begin(), kPresets.end(),
                                 [&](const PlaygroundPreset& preset) { return is_chosen(preset, state); });
  const std::ptrdiff_t next = here == kPresets.end() ? 0 : here - kPresets.begin() + away;
  if (next >= 0 && next < std::ssize(kPresets)) apply(kPresets[static_cast<std::size_t>(next)], state);
}

void Playground::update(const PlaygroundState& state, const device::Device& device) {
  if (state_ == state && device_ == device.id) return;
  state_ = state;
  device_ = device.id;
  auto picture = playground_picture(state, device);
  error_.reset();
  if (!picture) {
    error_ = picture.error();
    return;
  }
  picture_ = *std::move(picture);
  scene_.reset();
}

const scene::Scene* Playground::scene(Memory memory, scene::Size size, const scene::TextMeasure& measure) {
  if (!picture_) return nullptr;
  if (scene_ && scene_memory_ == memory && scene_size_ == size) return &*scene_;
  scene_memory_ = memory;
  scene_size_ = size;
  scene_.emplace(size);
  if (memory != Memory::both) {
    const bool shared = memory == Memory::shared;
    add_part(*scene_, {0, 0, size.width, size.height}, measure, shared ? picture_->shared : picture_->global,
             shared);
    return &*scene_;
  }
  const double wide = (size.width - kPanelGap) / 2, high = (size.height - kPanelGap) / 2;
  const bool beside = fit(wide, size.height) > fit(size.width, high);
  const scene::Rect first =
      beside ? scene::Rect{0, 0, wide, size.height} : scene::Rect{0, 0, size.width, high};
  const scene::Rect second = beside ? scene::Rect{wide + kPanelGap, 0, wide, size.height}
                                    : scene::Rect{0, high + kPanelGap, size.width, high};
  add_part(*scene_, first, measure, picture_->global, false);
  add_part(*scene_, second, measure, picture_->shared, true);
  const scene::Point middle{first.right() + kPanelGap / 2, first.bottom() + kPanelGap / 2};
  if (beside)
    scene_->root.line({middle.x, 16}, {middle.x, size.height - 16}, {theme::Token::line});
  else
    scene_->root.line({16, middle.y}, {size.width - 16, middle.y}, {theme::Token::line});
  return &*scene_;
}

std::string tsv_of(const PlaygroundState& state, const PlaygroundPicture& picture) {
  std::string text =
      fmt::format("index\t{}\nstride\t{}\noffset\t{}\n", state.index, state.stride, state.offset);
  text += fmt::format("operation\t{}\nbytes a lane\t{}\nactive lanes\t0x{:08x}\ndevice\t{}\n",
                      state.store ? "store" : "load", state.width, state.mask, picture.global.device.name);
  text += fmt::format(
      "requests\t{}\nsectors\t{}\nideal sectors\t{}\ntransactions\t{}\nbytes moved\t{}\n"
      "bytes used\t{}\nwavefronts\t{}\nideal wavefronts\t{}\n",
      picture.sectors.requests, picture.sectors.sectors, picture.sectors.ideal_sectors,
      picture.sectors.transactions, picture.sectors.bytes_moved, picture.sectors.bytes_used,
      picture.banks.wavefronts, picture.banks.ideal_wavefronts);
  text += "\nlane\tbyte offset\n";
  for (int lane = 0; lane < 32; ++lane)
    if ((state.mask >> lane & 1) != 0)
      text += fmt::format("{}\t{}\n", lane, picture.global.access.address[static_cast<std::size_t>(lane)]);
  return text;
}

}  // namespace warplens::app
