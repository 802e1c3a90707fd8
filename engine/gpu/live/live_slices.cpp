#include "engine/gpu/live/live_slices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/base/code_text.hpp"

namespace warplens::gpu {
namespace {

Error unknown_shape(std::string what) {
  return {"this kernel cannot be run block by block: " + std::move(what), "watch another step of the ladder"};
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

// Module-scope variables come after the directives that open every module (PTX ISA, PTX module directives).
void append_line(std::string& text, std::string_view line, std::string_view variable) {
  text += line;
  if (trimmed(line).starts_with(".address_size")) text += variable;
}

constexpr std::string_view components = "xyz";

// "mov.u32 %r1, %ctaid.x;" as the block's place in the whole grid.
std::string place_in_grid(std::string_view target, std::size_t axis,
                          const std::array<std::uint32_t, 3>& grid) {
  std::string text =
      "\t{\n\t.reg .b32 %wl_first, %wl_here;\n"
      "\tld.global.u32 %wl_first, [warplens_first_block];\n"
      "\tmov.u32 %wl_here, %ctaid.x;\n"
      "\tadd.u32 %wl_here, %wl_here, %wl_first;\n";
  if (axis > 0)
    text += fmt::format("\tdiv.u32 %wl_here, %wl_here, {};\n", axis == 1 ? grid[0] : grid[0] * grid[1]);
  return text + fmt::format("\trem.u32 {}, %wl_here, {};\n\t}}\n", target, grid[axis]);
}

// Reads "mov.u32 TARGET, %NAME.c;"; empty if the line is another one.
struct SpecialRead {
  std::string target;
  std::size_t axis = 0;
};
std::optional<SpecialRead> special_read(std::string_view line, std::string_view name) {
  std::string_view rest = trimmed(line);
  if (!rest.starts_with("mov.u32") && !rest.starts_with("mov.b32")) return std::nullopt;
  rest = trimmed(rest.substr(7));
  const std::size_t comma = rest.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const std::string_view source = trimmed(rest.substr(comma + 1));
  if (!source.starts_with(name) || source.size() != name.size() + 2 || source.back() != ';')
    return std::nullopt;
  const std::size_t axis = components.find(source[name.size()]);
  if (axis == std::string_view::npos) return std::nullopt;
  return SpecialRead{std::string(trimmed(rest.substr(0, comma))), axis};
}

}  // namespace

Result<std::string> with_first_block(std::string_view ptx, const std::array<std::uint32_t, 3>& grid) {
  std::string text;
  for (const std::string_view line : lines_of(ptx)) {
    if (line.find("cluster") != std::string_view::npos || line.find("%gridid") != std::string_view::npos)
      return unknown_shape("it uses clusters or grid ids");
    if (const auto read = special_read(line, "%ctaid.")) {
      text += place_in_grid(read->target, read->axis, grid);
    } else if (const auto size = special_read(line, "%nctaid.")) {
      text += fmt::format("\tmov.u32 {}, {};\n", size->target, grid[size->axis]);
    } else if (line.find("ctaid") != std::string_view::npos && !trimmed(line).starts_with("//")) {
      return unknown_shape("it reads block indices as '" + std::string(trimmed(line)) + "'");
    } else {
      append_line(text, line, ".visible .global .align 4 .u32 warplens_first_block;\n");
    }
  }
  return text;
}

// With so many a thread, registers never limit the threads of a multiprocessor (65536 for at most 2048).
constexpr int least_registers = 32;

std::string with_registers_of(std::string ptx, std::string_view entry, int registers) {
  const std::size_t name = ptx.find(fmt::format(".entry {}(", entry));
  const std::size_t end = name == std::string::npos ? name : ptx.find(')', name);
  const std::size_t body = end == std::string::npos ? end : ptx.find('{', end);
  if (body == std::string::npos || registers <= 0) return ptx;
  const std::string_view limits = std::string_view(ptx).substr(end, body - end);
  if (limits.find(".maxnreg") != limits.npos || limits.find(".minnctapersm") != limits.npos) return ptx;
  return ptx.insert(end + 1,
                    fmt::format("\n.maxnreg {}", std::max(least_registers, (registers + 7) / 8 * 8)));
}

}  // namespace warplens::gpu
