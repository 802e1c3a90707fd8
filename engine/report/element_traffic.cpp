#include "engine/report/element_traffic.hpp"

#include <algorithm>
#include <bit>

namespace warplens::report {
namespace {

constexpr std::uint32_t kMostLooked = 1 << 18;

void add(ElementTraffic& traffic, const trace::Access& access, std::uint64_t element_bytes) {
  const double elements = static_cast<double>(std::popcount(access.active)) *
                          static_cast<double>(std::max<std::uint64_t>(access.width / element_bytes, 1));
  switch (access.kind) {
    case emulator::AccessKind::load:
      traffic.loaded += elements;
      break;
    case emulator::AccessKind::store:
      traffic.stored += elements;
      break;
    case emulator::AccessKind::async_copy:
      traffic.copied += elements;
      break;
    case emulator::AccessKind::atomic:
      break;
  }
}

}  // namespace

std::vector<ElementTraffic> element_traffic(const trace::Trace& trace, std::size_t b,
                                            const std::vector<Face>& faces) {
  const std::uint32_t events = trace.blocks()[b].events;
  if (events > kMostLooked) return {};
  std::vector<ElementTraffic> traffic(faces.size());
  for (std::uint32_t event = 0; event < events; ++event) {
    const ptx::Space space = trace.space(b, event);
    const auto address = trace.first_address(b, event);
    if (space == ptx::Space::local || !address) continue;
    for (std::size_t f = 0; f < faces.size(); ++f) {
      if (faces[f].is_shared != (space == ptx::Space::shared) || !has(faces[f], *address)) continue;
      add(traffic[f], trace.access(b, event), faces[f].element_bytes);
      break;
    }
  }
  return traffic;
}

}  // namespace warplens::report
