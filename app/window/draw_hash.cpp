#include "app/window/draw_hash.hpp"

#include <cstring>

namespace warplens::app {
namespace {

class Hash {
 public:
  template <class T>
  void add(const T& value) {
    add(&value, sizeof value);
  }
  // Eight bytes at a step: a frame has some hundred kilobytes.
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; i += 8) {
      std::uint64_t part = 0;
      std::memcpy(&part, bytes + i, size - i < 8 ? size - i : 8);
      value_ = (value_ ^ part) * 0x9e3779b97f4a7c15ull;
      value_ ^= value_ >> 32;
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

}  // namespace

std::optional<std::uint64_t> draw_hash(const ImDrawData& frame, std::uint64_t textures) {
  Hash hash;
  hash.add(textures), hash.add(frame.DisplaySize), hash.add(frame.FramebufferScale);
  for (int i = 0; i < frame.CmdListsCount; ++i) {
    const ImDrawList& list = *frame.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback != nullptr) return std::nullopt;
      hash.add(command.ClipRect), hash.add(command.GetTexID());
      hash.add(command.VtxOffset), hash.add(command.IdxOffset), hash.add(command.ElemCount);
    }
    hash.add(list.VtxBuffer.Data, static_cast<std::size_t>(list.VtxBuffer.size_in_bytes()));
    hash.add(list.IdxBuffer.Data, static_cast<std::size_t>(list.IdxBuffer.size_in_bytes()));
  }
  return hash.value();
}

}  // namespace warplens::app
