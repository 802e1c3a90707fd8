#include "viz/figures/bank_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "engine/report/pieces.hpp"

namespace warplens::figures {
namespace {

// The word step that most pairs of neighbours take: a column walk steps by the row's length. Rows that
// neighbouring lanes read side by side step by 1 and do not count.
void count_steps(const trace::Access& access, std::map<std::uint64_t, int>& steps) {
  for (std::size_t lane = 0; lane + 1 < 32; ++lane) {
    if ((access.active >> lane & 3u) != 3u || access.address[lane + 1] <= access.address[lane]) continue;
    const std::uint64_t words = (access.address[lane + 1] - access.address[lane]) / 4;
    if (words >= 8 && words <= 512) ++steps[words];
  }
}

std::uint64_t most_frequent(const std::map<std::uint64_t, int>& steps, std::uint64_t otherwise) {
  const auto best = std::max_element(steps.begin(), steps.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return best == steps.end() ? otherwise : best->first;
}

void add_access(const RunView& run, const trace::Access& access, BankMap::Line& line) {
  const auto pieces = report::access_pieces(access, run.kernel->function().code[access.pc], *run.device);
  for (const auto& wavefront : pieces.shared.wavefronts)
    for (const auto& word : wavefront.words) line.words[static_cast<std::size_t>(word.bank)] += 1;
  ++line.requests;
  line.wavefronts += static_cast<std::uint64_t>(pieces.cost);
  line.ideal += static_cast<std::uint64_t>(pieces.ideal);
}

// The first accesses of consecutive warps, where lanes walk along a row.
void count_warp_steps(const BlockAccesses& accesses, std::map<std::uint64_t, int>& steps) {
  const std::uint32_t count = static_cast<std::uint32_t>(std::min<std::size_t>(accesses.steps(0).size(), 64));
  for (std::uint32_t s = 0; s < count; ++s) {
    if (accesses.at(0, s)->space != ptx::Space::shared) continue;
    const auto together = accesses.together(0, s);
    for (std::size_t w = 0; w + 1 < together.size(); ++w) {
      const std::uint64_t a = together[w].address[0], b = together[w + 1].address[0];
      if (b > a && (b - a) / 4 >= 8 && (b - a) / 4 <= 512) ++steps[(b - a) / 4];
    }
  }
}

}  // namespace

BankMap bank_map_of(const RunView& run, const BlockAccesses& accesses) {
  BankMap map;
  map.banks = run.device->shared_banks;
  std::map<int, BankMap::Line> lines;
  std::map<std::uint64_t, int> steps;
  const trace::PcIndex index(accesses.trace(), accesses.block());
  for (const std::uint32_t pc : index.pcs()) {
    const auto events = index.events(pc);
    if (accesses.trace().access(accesses.block(), events.front()).space != ptx::Space::shared) continue;
    const int number = line_of(run, pc);
    BankMap::Line& line = lines[number];
    line.line = number;
    line.words.resize(static_cast<std::size_t>(map.banks));
    map.cut |= events.size() > most_accesses_mapped;
    for (std::size_t e = 0; e < std::min(events.size(), most_accesses_mapped); ++e) {
      const trace::Access access = accesses.trace().access(accesses.block(), events[e]);
      add_access(run, access, line);
      count_steps(access, steps);
      for (std::uint32_t left = access.active; left != 0; left &= left - 1)
        map.bytes = std::max<std::uint64_t>(
            map.bytes, access.address[static_cast<std::size_t>(std::countr_zero(left))] + access.width);
    }
  }
  for (auto& [number, line] : lines) map.lines.push_back(std::move(line));
  if (steps.empty()) count_warp_steps(accesses, steps);
  map.pitch = most_frequent(steps, 32);
  return map;
}

namespace {

double highest(const BankMap& map) {
  double most = 1;
  for (const auto& line : map.lines)
    for (const double words : line.words) most = std::max(most, words / static_cast<double>(line.requests));
  return most;
}

void draw_lines(Group& group, const Rect& area, const RunView& run, const BankMap& map) {
  const double text_width = std::min(area.width * 0.34, 380.0), numbers = 150;
  const double row = std::clamp((area.height - 30) / static_cast<double>(map.lines.size()), 10.0, 34.0);
  const double left = area.x + text_width + 12, wide = area.width - text_width - 12 - numbers,
               cell = wide / map.banks;
  for (int bank = 0; bank < map.banks; bank += cell >= 18 ? 1 : 4)
    group.text(
        {left + (bank + 0.5) * cell, area.y + 12}, fmt::format("{}", bank),
        {.size = 10, .color = Token::dim, .family = scene::Family::code, .anchor = scene::Anchor::middle});
  group.text({area.x, area.y + 12}, fmt::format("words a bank gives a request, 0 to {:.3g}", highest(map)),
             within(caption(), text_width));
  group.text({area.right(), area.y + 12}, "wavefronts, ideal", at_end(caption()));
  std::vector<double> values;
  const std::size_t shown = std::min(map.lines.size(), static_cast<std::size_t>((area.height - 30) / row));
  for (std::size_t l = 0; l < shown; ++l) {
    const auto& line = map.lines[l];
    const double y = area.y + 22 + static_cast<double>(l) * row + row / 2;
    for (const double words : line.words) values.push_back(words / static_cast<double>(line.requests));
    TextStyle style = sized(code(), std::min(12.0, row - 1));
    style.baseline = scene::Baseline::middle;
    group.text({area.x, y}, fmt::format("{:>3}  {}", line.line, source_line(*run.spec, line.line)),
               within(style, text_width));
    style.color = cost_color(static_cast<double>(line.wavefronts), static_cast<double>(line.ideal));
    group.text({area.right(), y}, fmt::format("{}, {}", grouped(line.wavefronts), grouped(line.ideal)),
               at_end(style));
  }
  for (double& v : values)
    if (v == 0) v = std::nan("");
  const Rect rect{left, area.y + 22, wide, row * static_cast<double>(shown)};
  group.rect(rect, {.fill = Token::raised});
  group.image(rect, scene::make_heat_map(map.banks, static_cast<int>(shown), values, 0, highest(map)))
      .named("bank-map", "Words by line and bank");
}

// Rows of the shared arrays, each word in its bank's colour: with a padded pitch the colours slant.
void draw_tile(Group& group, const Rect& area, const BankMap& map) {
  const auto pitch = static_cast<int>(std::clamp<std::uint64_t>(map.pitch, 8, 512));
  const int words = static_cast<int>(map.bytes / 4), all_rows = (words + pitch - 1) / pitch;
  // Strips of rows side by side until the memory or the room ends.
  const double cell = std::max(std::min(area.width / pitch, 14.0), 1.0), room = area.height - 56;
  const int high = std::max(1, std::min(all_rows, static_cast<int>(room / cell)));
  const int strips =
      std::clamp(static_cast<int>((area.width + 16) / (cell * pitch + 16)), 1, (all_rows + high - 1) / high);
  std::vector<Color> palette;
  for (const theme::Rgba color : theme::ramp(theme::Colormap::viridis, map.banks)) palette.push_back(color);
  group.text({area.x, area.y + 14},
             fmt::format("Shared memory in rows of {} words, each word in its bank's colour", pitch),
             within(caption(), area.width));
  for (int strip = 0; strip < strips; ++strip) {
    std::vector<std::uint8_t> indices(static_cast<std::size_t>(pitch * high), 255);
    const int first = strip * high * pitch;
    for (int w = 0; w < std::min(words - first, pitch * high); ++w)
      indices[static_cast<std::size_t>(w)] = static_cast<std::uint8_t>((first + w) % map.banks);
    group
        .image({area.x + strip * (cell * pitch + 16), area.y + 26, cell * pitch, cell * high},
               scene::make_indexed_image(pitch, high, std::move(indices), palette))
        .named(fmt::format("tile/{}", strip), fmt::format("Shared memory from word {}", first));
  }
  const int rows = std::min(all_rows, strips * high);
  group.text({area.x, area.y + 26 + cell * high + 18},
             rows < all_rows
                 ? fmt::format("first {} of {} rows", rows, all_rows)
                 : fmt::format("{}, {} bytes", counted(static_cast<std::uint64_t>(all_rows), "row"),
                               grouped(map.bytes)),
             within(caption(), area.width));
}

}  // namespace

scene::Scene bank_map_scene(const RunView& run, const BankMap& map, scene::Size size,
                            const scene::TextMeasure&) {
  if (map.lines.empty())
    return message_scene(size, "This kernel uses no shared memory", "Choose a step with a shared tile");
  scene::Scene scene{size};
  const Rect area{margin, margin, size.width - 2 * margin, size.height - 2 * margin};
  scene.root.text({area.x, area.y + 18}, run.spec->title, within(sized(heading(), 17), area.width));
  scene.root.text(
      {area.x, area.y + 42},
      fmt::format("One block: {}", map.cut ? fmt::format("the first {} accesses of each instruction",
                                                         grouped(most_accesses_mapped))
                                           : "all accesses to shared memory"),
      within(caption(), area.width));
  const double wanted = 40 + 34.0 * static_cast<double>(map.lines.size()),
               upper = std::clamp(wanted, 120.0, (area.height - 60) * 0.55);
  draw_lines(scene.root, {area.x, area.y + 60, area.width, upper}, run, map);
  draw_tile(scene.root, {area.x, area.y + 60 + upper + 20, area.width, area.height - 80 - upper}, map);
  return scene;
}

std::string bank_map_csv(const BankMap& map) {
  std::string text = "line,bank,words\n";
  for (const auto& line : map.lines)
    for (std::size_t bank = 0; bank < line.words.size(); ++bank)
      text += fmt::format("{},{},{}\n", line.line, bank, line.words[bank]);
  return text;
}

}  // namespace warplens::figures
