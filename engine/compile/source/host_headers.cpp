#include "engine/compile/source/host_headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <optional>
#include <vector>

namespace warplens::compile {
namespace {

struct OfHeader {
  std::string_view name, header;
  bool is_namespace = false;
};
constexpr OfHeader kOfHeaders[] = {{"half", "cuda_fp16.h"},
                                   {"half2", "cuda_fp16.h"},
                                   {"__half", "cuda_fp16.h"},
                                   {"__half2", "cuda_fp16.h"},
                                   {"nv_bfloat16", "cuda_bf16.h"},
                                   {"nv_bfloat162", "cuda_bf16.h"},
                                   {"__nv_bfloat16", "cuda_bf16.h"},
                                   {"__nv_bfloat162", "cuda_bf16.h"},
                                   {"__nv_fp8_e4m3", "cuda_fp8.h"},
                                   {"__nv_fp8_e5m2", "cuda_fp8.h"},
                                   {"nvcuda", "mma.h", true},
                                   {"cooperative_groups", "cooperative_groups.h", true},
                                   // nvcc knows these without an #include.
                                   {"cudaTriggerProgrammaticLaunchCompletion", "warplens/launches"},
                                   {"cudaGridDependencySynchronize", "warplens/launches"}};
// Parts of what macros of a few lines are called that stop where a call of the host fails.
constexpr std::string_view kOfChecks[] = {"check", "error", "gpuerr", "cuda_call", "safe_call", "cuda_safe"};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// CUDA's own, whose last names are those of C++: <cuda/std/array>, <cuda/atomic>.
constexpr std::string_view kOfCuda[] = {"cuda/", "nv/", "cub/", "thrust/", "cooperative_groups/"};

template <class List>
bool begins_as(const List& list, const std::string& name) {
  return std::any_of(std::begin(list), std::end(list),
                     [&](std::string_view folder) { return name.starts_with(folder); });
}

struct Text {
  std::string_view name, text;
};
// assets/headers
constexpr Text kTexts[] = {
#include "headers.inc"
};

std::string_view text_of(std::string_view name) { return std::ranges::find(kTexts, name, &Text::name)->text; }

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(' '); at < text.size(); at = text.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

// names: of a line of stand_ins.txt.
bool is_among(std::string_view names, const std::string& name) {
  const std::string base = std::filesystem::path(name).filename().string();
  const bool is_whole = names.starts_with("whole ");
  return std::ranges::any_of(words_in(names), [&](std::string_view one) {
    return one == name || (one.ends_with('/') ? name.starts_with(one) : !is_whole && one == base);
  });
}

std::string including(std::string_view headers) {
  std::string text;
  for (const std::string_view header : words_in(headers))
    text += fmt::format("#include <{}{}>\n", header.find('.') == std::string_view::npos ? "warplens/" : "",
                        header);
  return text;
}

// Nothing: no header of the list.
std::optional<std::string> content_of(const std::string& name) {
  if (begins_as(kOfCuda, name)) return std::nullopt;
  std::string_view lines = text_of("stand_ins");
  for (std::size_t end = lines.find('\n'); end != std::string_view::npos; end = lines.find('\n')) {
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end + 1);
    const std::size_t sign = line.find('<');
    if (!line.starts_with('#') && is_among(line.substr(0, sign), name))
      return including(line.substr(sign + 1));
  }
  return std::nullopt;
}

}  // namespace

std::string stand_in(const std::string& name) {
  const auto content = content_of(name);
  return content ? "#pragma once\n" + including("names limits") + *content : "";
}

bool is_of_host_library(const std::string& name, const Names& used) {
  return (name.starts_with("thrust/") && !used.contains("thrust")) ||
         (name.starts_with("cub/") && !used.contains("cub"));
}

std::string_view header_of_cub(const std::string& name) {
  struct Part {
    std::string_view name, header;
  };
  static constexpr Part kParts[] = {{"BlockAdjacentDifference", "block/block_adjacent_difference.cuh"},
                                    {"BlockDiscontinuity", "block/block_discontinuity.cuh"},
                                    {"BlockExchange", "block/block_exchange.cuh"},
                                    {"BlockHistogram", "block/block_histogram.cuh"},
                                    {"BlockLoad", "block/block_load.cuh"},
                                    {"BlockMergeSort", "block/block_merge_sort.cuh"},
                                    {"BlockRadixSort", "block/block_radix_sort.cuh"},
                                    {"BlockReduce", "block/block_reduce.cuh"},
                                    {"BlockScan", "block/block_scan.cuh"},
                                    {"BlockShuffle", "block/block_shuffle.cuh"},
                                    {"BlockStore", "block/block_store.cuh"},
                                    {"WarpExchange", "warp/warp_exchange.cuh"},
                                    {"WarpLoad", "warp/warp_load.cuh"},
                                    {"WarpMergeSort", "warp/warp_merge_sort.cuh"},
                                    {"WarpReduce", "warp/warp_reduce.cuh"},
                                    {"WarpScan", "warp/warp_scan.cuh"},
                                    {"WarpStore", "warp/warp_store.cuh"}};
  const auto part = std::ranges::find(kParts, name, &Part::name);
  return part == std::end(kParts) ? std::string_view() : part->header;
}

std::string device_part_of_cub(const std::string& name, const Names& used) {
  const bool is_whole = name == "cub/cub.cuh" || name == "cub/device/device.cuh";
  const bool launches =
      std::ranges::any_of(used, [](const std::string& word) { return word.starts_with("Device"); });
  if ((!is_whole && !name.starts_with("cub/device/")) || launches) return "";
  std::string text = "#pragma once\n";
  for (const std::string& word : used)
    if (const auto header = header_of_cub(word); is_whole && !header.empty())
      text += fmt::format("#include <cub/{}>\n", header);
  return text;
}

bool is_absolute(const std::string& name) {
  return name.starts_with("/") || name.starts_with("\\") || name.find(':') != std::string::npos;
}

bool leads_up(const std::string& name) {
  if (is_absolute(name)) return false;
  for (std::size_t at = name.find(".."); at != std::string::npos; at = name.find("..", at + 1)) {
    const bool begins = at == 0 || name[at - 1] == '/' || name[at - 1] == '\\';
    const bool ends = at + 2 == name.size() || name[at + 2] == '/' || name[at + 2] == '\\';
    if (begins && ends) return true;
  }
  return false;
}

std::string left_out_header(const std::string& name) {
  return "#pragma once\n#warning " + name + std::string(kIsLeftOut) + "\n";
}

void add_parts(Headers& headers) {
  for (const Text& text : kTexts)
    if (text.name != "stand_ins") headers.emplace(fmt::format("warplens/{}", text.name), text.text);
}

Missing what_is_missing(const std::string& log, const std::string& source) {
  Missing missing;
  const Names words = source::words_of(source).all;
  for (const OfHeader& one : kOfHeaders) {
    const bool is_said = log.find("\"" + std::string(one.name) + "\" is undefined") != std::string::npos ||
                         (one.is_namespace && words.contains(one.name) &&
                          log.find("must be a namespace name") != std::string::npos);
    if (is_said) missing.headers.emplace(one.header, one.name);
  }
  for (const std::string& word : words) {
    const bool is_check = std::any_of(std::begin(kOfChecks), std::end(kOfChecks), [&](std::string_view part) {
      return lower_case(word).find(part) != std::string::npos;
    });
    if (is_check && log.find("\"" + word + "\" is undefined") != std::string::npos)
      missing.checks.insert(word);
  }
  return missing;
}

void add_prelude(Headers& headers, const Missing& missing) {
  add_parts(headers);
  std::string text = stand_in("bits/stdc++.h");
  for (const auto& [header, name] : missing.headers) {
    text += "#include <" + header + ">\n";
    if (!header.starts_with("warplens/"))
      text += "#warning " + name + " is of " + header + ", which the file does not include\n";
  }
  for (const std::string& check : missing.checks) text += "#define " + check + "(...)\n";
  headers.emplace(kPreludeName, text);
}

}  // namespace warplens::compile
