#include "engine/report/element_traffic.hpp"

#include <algorithm>
#include <bit>
#include <optional>

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

// How often each word of an array in shared memory is read, and written.
class WordTraffic {
 public:
  void add(const Face& face, const trace::Access& access) {
    if (reads_.empty())
      reads_.resize(static_cast<std::size_t>(face.elements)),
          writes_.resize(static_cast<std::size_t>(face.elements));
    const bool reads = access.kind == emulator::AccessKind::load;
    for (std::size_t lane = 0; lane < 32; ++lane)
      for (std::uint64_t byte = 0; (access.active >> lane & 1) != 0 && byte < access.width; byte += 4)
        if (const auto word = element_of(face, access.address[lane] + byte))
          ++(reads ? reads_ : writes_)[static_cast<std::size_t>(*word)];
  }
  bool is_even() const {
    std::optional<double> each;
    for (std::size_t word = 0; word < writes_.size(); ++word) {
      if (writes_[word] == 0) continue;
      const double times = static_cast<double>(reads_[word]) / writes_[word];
      if (each && *each != times) return false;
      each = times;
    }
    return each.has_value();
  }

 private:
  std::vector<std::uint32_t> reads_, writes_;
};

}  // namespace

std::vector<ElementTraffic> element_traffic(const trace::Trace& trace, std::size_t b,
                                            const std::vector<Face>& faces) {
  const std::uint32_t events = trace.blocks()[b].events;
  if (events > kMostLooked) return {};
  std::vector<ElementTraffic> traffic(faces.size());
  std::vector<WordTraffic> words(faces.size());
  for (std::uint32_t event = 0; event < events; ++event) {
    const ptx::Space space = trace.space(b, event);
    const auto address = trace.first_address(b, event);
    if (space == ptx::Space::local || !address) continue;
    for (std::size_t f = 0; f < faces.size(); ++f) {
      if (faces[f].is_shared != (space == ptx::Space::shared) || !has(faces[f], *address)) continue;
      const trace::Access access = trace.access(b, event);
      add(traffic[f], access, faces[f].element_bytes);
      if (faces[f].is_shared) words[f].add(faces[f], access);
      break;
    }
  }
  for (std::size_t f = 0; f < faces.size(); ++f) traffic[f].is_read_evenly = words[f].is_even();
  return traffic;
}

}  // namespace warplens::report
