// What changed in Dear ImGui between 1.86 and 1.92.8, said once. Only viz/paint and app include ImGui.
#pragma once

#include <imgui.h>

#include <cstdint>

namespace warplens::paint::compat {

// ImTextureID is void* before 1.91.4 and an integer since.
inline ImTextureID texture_id(std::uint64_t id) { return (ImTextureID)(std::intptr_t)id; }

inline void push_texture(ImDrawList& list, std::uint64_t id) {
#if IMGUI_VERSION_NUM >= 19200
  list.PushTexture(texture_id(id));
#else
  list.PushTextureID(texture_id(id));
#endif
}
inline void pop_texture(ImDrawList& list) {
#if IMGUI_VERSION_NUM >= 19200
  list.PopTexture();
#else
  list.PopTextureID();
#endif
}

// Since 1.92.8 the flags come last.
inline void add_polyline(ImDrawList& list, const ImVec2* points, int count, ImU32 color, bool closed,
                         float thickness) {
  const ImDrawFlags flags = closed ? ImDrawFlags_Closed : ImDrawFlags_None;
#if IMGUI_VERSION_NUM >= 19280
  list.AddPolyline(points, count, color, thickness, flags);
#else
  list.AddPolyline(points, count, color, flags, thickness);
#endif
}

}  // namespace warplens::paint::compat
