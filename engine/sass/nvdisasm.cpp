#include "engine/sass/nvdisasm.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "engine/base/process.hpp"
#include "engine/base/toolkit_library.hpp"
#include "engine/sass/address.hpp"

namespace warplens::sass {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "nvdisasm";
constexpr double kPatience = 30;  // seconds; the largest kernels take one
constexpr std::size_t kMostKept = 24;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t;") + 1 - first);
}

template <class Number>
std::optional<Number> number_in(std::string_view text, int base) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// "/*00a0*/   @!P0 LDG.E R6, desc[UR6][R4.64] ;   // |   6   |   1    |   2    |"
std::optional<TextLine> instruction_of(std::string_view line) {
  const std::size_t open = line.find("/*"), close = line.find("*/");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open + 2) return {};
  const auto address = number_in<std::uint32_t>(line.substr(open + 2, close - open - 2), 16);
  const std::size_t end = std::min(line.find(';', close), line.size());
  const std::string_view text = trimmed(line.substr(close + 2, end - close - 2));
  if (!address || text.empty()) return {};
  TextLine result{*address, std::string(text), 0};
  const std::size_t bar = line.find("// |", end);
  if (bar == std::string_view::npos) return result;
  const std::string_view column =
      line.substr(bar + 4, std::min(line.find('|', bar + 4), line.size()) - bar - 4);
  result.live_registers = number_in<int>(trimmed(column), 10).value_or(0);
  return result;
}

// ".L_x_3:", perhaps with empty columns behind it.
std::optional<std::string> label_of(std::string_view line) {
  if (!line.starts_with('.') || line.starts_with(".text.")) return {};
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  return std::string(line.substr(0, colon));
}

// "BRA `(.L_x_3)" -> "BRA 0x0e80"
void name_targets(Text& text, const std::map<std::string, std::uint32_t>& labels) {
  for (TextLine& line : text) {
    const std::size_t open = line.text.find("`("), close = line.text.find(')', open);
    if (open == std::string::npos || close == std::string::npos) continue;
    const auto label = labels.find(line.text.substr(open + 2, close - open - 2));
    if (label != labels.end()) line.text.replace(open, close + 1 - open, "0x" + address_text(label->second));
  }
}

// What the child prints about a file that it reads from descriptor 3. Error: it fails.
Result<std::string> printed_by(const fs::path& program, std::span<const std::byte> cubin,
                               const std::vector<std::string>& options) {
  const Descriptor file = memory_file(), out = memory_file();
  if (write(file.number(), cubin.data(), cubin.size()) != static_cast<ssize_t>(cubin.size()))
    return Error{"the machine code could not be handed to nvdisasm", "free some memory"};
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back("/dev/fd/3");
  auto child = Process::start(
      {words, {{0, Process::kNull}, {1, out.number()}, {2, Process::kNull}, {3, file.number()}}});
  const Error failed{program.string() + " does not disassemble this kernel",
                     "get the newest with 'pip install nvidia-cuda-nvdisasm'"};
  if (!child) return failed;
  if (!child->wait(kPatience)) {
    child->send_signal(SIGKILL);
    child->wait();
    return failed;
  }
  if (child->signal() || child->exit_code() != 0) return failed;
  return out.text();
}

}  // namespace

Result<Text> parse_nvdisasm(std::string_view printed, std::string_view kernel) {
  const std::string section = ".section\t.text." + std::string(kernel) + ",";
  Text text;
  std::map<std::string, std::uint32_t> labels;
  std::vector<std::string> open;  // labels of the next instruction
  bool is_inside = false;
  while (!printed.empty()) {
    const std::size_t end = std::min(printed.find('\n'), printed.size());
    const std::string_view line = printed.substr(0, end);
    printed.remove_prefix(std::min(end + 1, printed.size()));
    if (line.find(".section\t") != std::string_view::npos)
      is_inside = line.find(section) != std::string_view::npos;
    if (!is_inside) continue;
    if (auto label = label_of(line)) open.push_back(*std::move(label));
    auto instruction = instruction_of(line);
    if (!instruction) continue;
    for (std::string& label : open) labels.emplace(std::move(label), instruction->address);
    open.clear();
    text.push_back(*std::move(instruction));
  }
  if (text.empty()) return Error{"nvdisasm printed nothing of the kernel " + std::string(kernel), ""};
  name_targets(text, labels);
  return text;
}

fs::path Disassembler::find() const {
  std::error_code ignored;
  if (!options_.program.empty())
    return fs::is_regular_file(options_.program, ignored) ? options_.program : fs::path();
  for (std::string_view left = options_.path; !left.empty();) {
    const std::size_t end = std::min(left.find(':'), left.size());
    const fs::path file = fs::path(left.substr(0, end)) / kProgram;
    if (access(file.c_str(), X_OK) == 0) return file;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  const auto found = toolkit_candidates(options_.search_folders, std::array{kProgram});
  return found.empty() ? fs::path() : found.front();
}

Result<SharedText> Disassembler::text_of(std::span<const std::byte> cubin, std::string_view kernel) {
  const std::string_view bytes(reinterpret_cast<const char*>(cubin.data()), cubin.size());
  const std::size_t hash = std::hash<std::string_view>{}(bytes) ^ std::hash<std::string_view>{}(kernel);
  const auto same = [&](const Kept& kept) { return kept.hash == hash && kept.bytes == cubin.size(); };
  if (const auto kept = std::ranges::find_if(kept_, same); kept != kept_.end()) return kept->text;
  const fs::path program = find();
  if (program.empty())
    return Error{"there is no nvdisasm to print instructions in full",
                 "get it with 'pip install nvidia-cuda-nvdisasm', or install a CUDA toolkit"};
  // Toolkits before 11.3 do not count live registers.
  auto printed = printed_by(program, cubin, {"-c", "-plr", "-lrm", "count"});
  if (!printed) printed = printed_by(program, cubin, {"-c"});
  if (!printed) return printed.error();
  auto text = parse_nvdisasm(*printed, kernel);
  if (!text) return text.error();
  if (kept_.size() == kMostKept) kept_.erase(kept_.begin());
  kept_.push_back({hash, cubin.size(), std::make_shared<const Text>(*std::move(text))});
  return kept_.back().text;
}

}  // namespace warplens::sass
