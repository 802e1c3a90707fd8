#include "engine/compile/source/device_source.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>

#include "engine/base/code_text.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/signature.hpp"
#include "engine/compile/source/host_headers.hpp"

namespace warplens::compile {
namespace {

struct Include {
  std::string name;
  bool is_quoted = false;
};

std::vector<Include> includes_of(std::string_view source) {
  std::vector<Include> includes;
  for (std::size_t at = source.find('#'); at != std::string_view::npos; at = source.find('#', at + 1)) {
    std::string_view line = source.substr(at + 1, std::min(source.find('\n', at), source.size()) - at - 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with("include")) continue;
    const std::size_t open = line.find_first_of("<\"");
    if (open == std::string_view::npos) continue;
    const std::size_t close = line.find_first_of(">\"", open + 1);
    if (close == std::string_view::npos) continue;
    includes.push_back({std::string(line.substr(open + 1, close - open - 1)), line[open] == '"'});
  }
  return includes;
}

bool uses_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_of_name(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end >= text.size() || !is_of_name(text[end]))) return true;
  }
  return false;
}

// A definition or declaration at the outermost level.
struct Piece {
  std::size_t begin = 0, end = 0;
  std::string name;  // of a function that has a body; empty: anything else
  bool is_device = false;
};

// The name before the first bracket of a function's head; empty where it is none.
std::string function_name(std::string_view head) {
  const std::size_t open = head.find('(');
  if (open == std::string_view::npos) return "";
  std::size_t end = open;
  while (end > 0 && std::isspace(static_cast<unsigned char>(head[end - 1])) != 0) --end;
  std::size_t begin = end;
  while (begin > 0 && is_of_name(head[begin - 1])) --begin;
  return std::string(head.substr(begin, end - begin));
}

bool begins_with_any(std::string_view head, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return head.starts_with(word) && (head.size() == word.size() || !is_of_name(head[word.size()]));
  });
}

// plain: without comments, texts and preprocessor lines. Namespaces and extern "C" { are looked into.
std::vector<Piece> pieces_of(std::string_view plain) {
  std::vector<Piece> pieces;
  std::size_t begin = 0;
  int depth = 0, brackets = 0;
  std::string name;
  const auto finish = [&](std::size_t end) {
    const std::string_view text = plain.substr(begin, end - begin);
    Piece piece{begin, end, name, uses_word(text, "__global__") || uses_word(text, "__device__")};
    if (text.find_first_not_of(" \t\r\n;}") != std::string_view::npos) pieces.push_back(std::move(piece));
    begin = end, name.clear();
  };
  for (std::size_t at = 0; at < plain.size(); ++at) {
    const char c = plain[at];
    if (c == '(') ++brackets;
    if (c == ')') --brackets;
    if (c == '{' && depth == 0) {
      std::string_view head = plain.substr(begin, at - begin);
      head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
      if (begins_with_any(head, {"namespace", "inline namespace"}) || head.starts_with("extern \"")) {
        if (head.find('(') == std::string_view::npos) {
          begin = at + 1;
          continue;
        }
      }
      const bool is_type = begins_with_any(head, {"struct", "class", "union", "enum", "typedef"});
      const std::size_t equals = head.find('=');
      if (!is_type && (equals == std::string_view::npos || equals > head.find('(')))
        name = function_name(head);
    }
    if (c == '{') ++depth;
    if (c == '}' && depth > 0 && --depth == 0 && !name.empty() && brackets == 0) finish(at + 1);
    if (c == ';' && depth == 0 && brackets == 0) finish(at + 1);
  }
  return pieces;
}

// A variable that may change and that no kernel sees: neither a type, nor a constant, nor a template.
std::string host_variable(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n;}"), text.size()));
  if (begins_with_any(
          text, {"typedef", "using", "struct", "class", "union", "enum", "template", "const", "constexpr",
                 "static_assert", "namespace", "extern", "static const", "static constexpr"}))
    return "";
  if (uses_word(text, "const") || uses_word(text, "constexpr")) return "";
  std::size_t end = std::min(text.find_first_of("=[;({"), text.size());
  while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1])) != 0) --end;
  std::size_t begin = end;
  while (begin > 0 && is_of_name(text[begin - 1])) --begin;
  return std::string(text.substr(begin, end - begin));
}

// "using std::cout;": of what a device has in std the name goes on to stand for it.
bool is_using_of_host(std::string_view text) {
  constexpr std::string_view kUsing = "using std::";
  const std::size_t at = text.find(kUsing);
  if (at == std::string_view::npos || text.find_first_not_of(" \t\r\n;}") != at) return false;
  text.remove_prefix(at + kUsing.size());
  const std::string_view name = text.substr(0, text.find_first_of("; \t\r\n,"));
  static constexpr std::array<std::string_view, 32> kOfDevice{
      "min",    "max",     "swap",    "clamp",    "abs",     "sqrt",     "exp",     "log",
      "sin",    "cos",     "tanh",    "floor",    "ceil",    "round",    "fabs",    "erf",
      "tan",    "exp2",    "log2",    "log1p",    "pow",     "fmax",     "fmin",    "fma",
      "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t"};
  return name != "size_t" && name != "numeric_limits" &&
         std::find(kOfDevice.begin(), kOfDevice.end(), name) == kOfDevice.end();
}

// Of the host alone: what no device type could be.
bool is_host_declaration(std::string_view text) {
  if (is_using_of_host(text)) return true;
  static constexpr std::array<std::string_view, 18> kHostOnly{"vector",         "string",
                                                              "cublasHandle_t", "cudaEvent_t",
                                                              "cudaStream_t",   "FILE",
                                                              "mt19937",        "ostream",
                                                              "cudaError_t",    "cublasStatus_t",
                                                              "clock_t",        "curandGenerator_t",
                                                              "cudaDeviceProp", "high_resolution_clock",
                                                              "unordered_map",  "ofstream",
                                                              "ifstream",       "using namespace std"};
  return std::any_of(kHostOnly.begin(), kHostOnly.end(),
                     [&](std::string_view word) { return uses_word(text, word); });
}

// Lines of the preprocessor stay: what one opens another closes.
void blank(std::string& text, std::string_view plain, const Piece& piece) {
  std::size_t at = std::min(plain.find_first_not_of(" \t\r\n", piece.begin), piece.end);
  while (at < piece.end) {
    const std::size_t end = std::min(std::min(text.find('\n', at), text.size()), piece.end);
    const std::size_t first = text.find_first_not_of(" \t", at);
    const bool is_directive = first < end && text[first] == '#' && plain[first] == ' ';
    if (!is_directive)
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(at),
                text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    at = end + 1;
  }
}

// Folders: of the kernel, which nothing leads out of, and of the file that is read.
struct Folders {
  std::string root, own;
};
bool is_below(const std::filesystem::path& path, const std::string& root) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path whole = fs::canonical(path, failed), base = fs::canonical(root, failed);
  if (failed) return false;
  const fs::path relative = whole.lexically_relative(base);
  return !relative.empty() && *relative.begin() != "..";
}

DeviceSource device_part(std::string_view source, const Folders& folders, std::string used, int depth);

// used: the code that includes them.
void add_headers(DeviceSource& device, const Folders& folders, const std::string& used, int depth) {
  namespace fs = std::filesystem;
  for (const Include& include : includes_of(device.text)) {
    if (include.is_quoted && !folders.own.empty()) {
      const fs::path path = fs::path(folders.own) / include.name;
      if (std::error_code failed; fs::is_regular_file(path, failed) && is_below(path, folders.root)) {
        const auto text = read_whole_file(path);
        if (!text || depth > 8) continue;
        DeviceSource header =
            device_part(*text, {folders.root, path.parent_path().string()}, used, depth + 1);
        device.headers.emplace(include.name, std::move(header.text));
        device.headers.merge(header.headers);
        continue;
      }
    }
    std::string text = stand_in(include.name);
    if (!text.empty()) device.headers.emplace(include.name, std::move(text));
  }
  if (!device.headers.empty()) add_parts(device.headers);
}

DeviceSource device_part(std::string_view source, const Folders& folders, std::string used, int depth) {
  DeviceSource device{std::string(source), {}, false, {}};
  const std::string plain = catalog::blanked(source);
  std::vector<Piece> pieces = pieces_of(plain);
  const auto text_of = [&](const Piece& piece) {
    return std::string_view(plain).substr(piece.begin, piece.end - piece.begin);
  };
  std::vector<bool> kept(pieces.size());
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    kept[p] = pieces[p].is_device || (pieces[p].name.empty() && !is_host_declaration(text_of(pieces[p])));
    if (kept[p]) used += text_of(pieces[p]);
  }
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (!kept[p] || pieces[p].is_device || !pieces[p].name.empty()) continue;
    const std::string variable = host_variable(text_of(pieces[p]));
    if (variable.empty()) continue;
    kept[p] = false;
    for (std::size_t other = 0; other < pieces.size() && !kept[p]; ++other)
      kept[p] = pieces[other].is_device && uses_word(text_of(pieces[other]), variable);
  }
  // Macros are of both; what they call is kept where device code calls it.
  for (bool more = true; more;) {
    more = false;
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      if (kept[p] || pieces[p].name.empty() || pieces[p].name == "main" || !uses_word(used, pieces[p].name))
        continue;
      if (text_of(pieces[p]).find("<<<") != std::string_view::npos) continue;
      kept[p] = more = true;
      device.has_plain_functions = true;
      used += text_of(pieces[p]);
    }
  }
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (kept[p]) continue;
    if (!pieces[p].name.empty()) device.left_out.push_back(pieces[p].name);
    blank(device.text, plain, pieces[p]);
  }
  add_headers(device, folders, used, depth);
  return device;
}

}  // namespace

DeviceSource device_source(std::string_view source, const std::string& folder) {
  // extern "C"__global__ is one word to NVRTC, and two to nvcc; no character moves but the blank.
  std::string apart(source);
  for (std::size_t at = apart.find("extern \"C\"__"); at != std::string::npos;
       at = apart.find("extern \"C\"__", at + 1))
    apart.replace(at, 10, "extern\"C\" ");
  return device_part(apart, {folder, folder}, "", 0);
}

}  // namespace warplens::compile
