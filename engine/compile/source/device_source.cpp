#include "engine/compile/source/device_source.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "engine/base/whole_file.hpp"
#include "engine/compile/source/host_headers.hpp"
#include "engine/source/conditionals.hpp"
#include "engine/source/pieces.hpp"
#include "engine/source/scan.hpp"
#include "engine/source/tokens.hpp"

namespace warplens::compile {
namespace {

using source::Include, source::Names, source::Piece, source::Words;
using source::words_of;

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
  static constexpr std::array<std::string_view, 17> kHostOnly{"vector",         "string",
                                                              "cublasHandle_t", "cudaEvent_t",
                                                              "cudaStream_t",   "FILE",
                                                              "mt19937",        "ostream",
                                                              "cudaError_t",    "cublasStatus_t",
                                                              "clock_t",        "curandGenerator_t",
                                                              "cudaDeviceProp", "high_resolution_clock",
                                                              "unordered_map",  "ofstream",
                                                              "ifstream"};
  const Names words = words_of(text).all;
  return std::any_of(kHostOnly.begin(), kHostOnly.end(),
                     [&](std::string_view word) { return words.contains(word); }) ||
         text.find("using namespace std") != std::string_view::npos;
}

// Lines of the preprocessor stay: what one opens another closes.
void blank(std::string& text, std::string_view plain, const Piece& piece) {
  std::size_t at = piece.begin;
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

// Links lead out of a folder too.
bool is_below(const std::filesystem::path& path, const std::string& root) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path whole = fs::canonical(path, failed), base = fs::canonical(root, failed);
  if (failed) return false;
  const fs::path relative = whole.lexically_relative(base);
  return !relative.empty() && *relative.begin() != "..";
}

// A file of the kernel's own: the kernel file, or a header beside it.
struct File {
  std::string name, text, plain;  // as #include names it
  std::vector<Piece> pieces;
  std::vector<bool> is_kept;
  std::string_view text_of(const Piece& piece) const {
    return std::string_view(plain).substr(piece.begin, piece.end - piece.begin);
  }
};

// Branches that are not taken may open brackets that nobody closes.
std::string plain_of(std::string_view source) {
  std::string plain = source::blanked(source);
  if (std::count(plain.begin(), plain.end(), '{') == std::count(plain.begin(), plain.end(), '}'))
    return plain;
  source::Macros macros = source::macros_of_compiler();
  return source::blanked(source::taken_branches(source, macros));
}

// The files of a kernel, and which pieces of them device code needs: what says that it is the device's, and
// what that uses, one after the other.
class Selection {
 public:
  explicit Selection(const std::string& root) : root_(root) {}

  void read(std::string_view text, const std::string& name, const std::string& folder, int depth) {
    File file{name, std::string(text), plain_of(text), {}, {}};
    file.pieces = source::pieces_of(file.plain);
    file.is_kept.resize(file.pieces.size());
    for (auto& [macro, words] : source::macros_of(text)) macros_[macro] = std::move(words);
    const std::vector<Include> includes = source::includes_of(text);
    files_.push_back(std::move(file));
    for (const Include& include : includes) read(include, folder, depth);
  }

  DeviceSource result() {
    select();
    DeviceSource device;
    for (File& file : files_) {
      const bool is_main = &file == &files_.front();
      for (std::size_t p = 0; p < file.pieces.size(); ++p) {
        const Piece& piece = file.pieces[p];
        if (file.is_kept[p]) continue;
        if (is_main && piece.what == Piece::What::function) device.left_out.push_back(*piece.names.begin());
        if (is_main && piece.what == Piece::What::variable) add_host_variables(file, piece, device);
        blank(file.text, file.plain, piece);
      }
      if (is_main)
        device.text = std::move(file.text);
      else
        device.headers.emplace(file.name, std::move(file.text));
    }
    add_stand_ins(device.headers);
    return device;
  }

 private:
  void read(const Include& include, const std::string& folder, int depth) {
    namespace fs = std::filesystem;
    const fs::path path = fs::path(folder) / include.name;
    std::error_code failed;
    const bool is_there =
        include.is_quoted && !folder.empty() && fs::is_regular_file(path, failed) && is_below(path, root_);
    if (!is_there) {
      others_.insert(include.name);
      return;
    }
    const auto known = [&](const File& file) { return file.name == include.name; };
    const auto text = read_whole_file(path);
    if (!text || depth > 8 || std::any_of(files_.begin(), files_.end(), known)) return;
    read(*text, include.name, path.parent_path().string(), depth + 1);
  }

  void add_host_variables(const File& file, const Piece& piece, DeviceSource& device) const {
    const int line = source::line_of(file.plain, piece.begin);
    for (const std::string& name : piece.names)
      if (used_.all.contains(name)) device.host_variables.emplace(name, line);
  }

  void add_stand_ins(Headers& headers) const {
    for (const std::string& name : others_) {
      std::string text = stand_in(name);
      if (text.empty() && is_of_host_library(name, used_.all)) text = "#pragma once\n";
      if (text.empty()) text = device_part_of_cub(name, used_.all);
      if (text.empty() && leads_up(name)) text = left_out_header(name);
      if (!text.empty()) headers.emplace(name, std::move(text));
    }
    if (!headers.empty()) add_parts(headers);
  }

  // Names that macros stand for are used where the macro is.
  void use(Words words) {
    while (!words.all.empty() || !words.called.empty()) {
      Words more;
      const auto take = [&](const Names& names, Names& used) {
        for (const std::string& word : names) {
          if (!used.insert(word).second) continue;
          const auto macro = macros_.find(word);
          if (macro == macros_.end()) continue;
          more.all.insert(macro->second.all.begin(), macro->second.all.end());
          more.called.insert(macro->second.called.begin(), macro->second.called.end());
        }
      };
      take(words.all, used_.all), take(words.called, used_.called);
      words = std::move(more);
    }
  }

  // What makes code the device's, and macros that stand for it: #define DEVICE __device__ __forceinline__
  void find_marks() {
    marks_ = {"__global__", "__device__", "__constant__", "__shared__", "__managed__"};
    for (std::size_t before = 0; before != marks_.size();) {
      before = marks_.size();
      for (const auto& [macro, words] : macros_)
        if (any_of(words.all, marks_)) marks_.insert(macro);
    }
  }

  static bool any_of(const Names& names, const Names& among) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return among.contains(name); });
  }

  void keep(File& file, std::size_t p) {
    file.is_kept[p] = true;
    use(words_of(file.text_of(file.pieces[p])));
  }

  // Types last: of those that are made for a library of the host that no kernel uses none is needed.
  void keep_marked() {
    find_marks();
    for (const bool of_types : {false, true}) {
      const Names unused = libraries_not_used();
      for (File& file : files_)
        for (std::size_t p = 0; p < file.pieces.size(); ++p) {
          const Piece& piece = file.pieces[p];
          if ((piece.what == Piece::What::type) != of_types) continue;
          const bool is_function = piece.what == Piece::What::function;
          const std::string_view text = file.text_of(piece);
          // A function of the host may have lambdas of the device in it.
          const Words words = words_of(is_function ? text.substr(0, text.find('{')) : text);
          if (is_function) bodies_.insert(piece.names.begin(), piece.names.end());
          if (!any_of(words.all, marks_) || (of_types && any_of(words.all, unused))) continue;
          keep(file, p);
          if (is_function) of_device_.insert(piece.names.begin(), piece.names.end());
        }
    }
  }

  Names libraries_not_used() const {
    Names unused;
    for (const char* library : {"thrust", "cub"})
      if (!used_.all.contains(library)) unused.insert(library);
    return unused;
  }

  // What a launch gives a template, and what the front matter names.
  void use_launches() {
    for (const File& file : files_)
      for (std::size_t at = file.plain.find("<<<"); at != std::string::npos;
           at = file.plain.find("<<<", at + 3)) {
        const std::size_t begin = file.plain.find_last_of(";{}", at) + 1;
        Words words = words_of(std::string_view(file.plain).substr(begin, at - begin));
        words.called.clear();
        use(words);
      }
    const std::string& text = files_.front().text;
    if (text.starts_with("/*---")) use({words_of(text.substr(0, text.find("---*/"))).all, {}});
  }

  bool is_wanted(const File& file, const Piece& piece) const {
    using What = Piece::What;
    const std::string_view text = file.text_of(piece);
    const Names words = words_of(text.substr(0, text.find('{'))).all;
    if (words.contains("__host__")) return false;
    switch (piece.what) {
      case What::function:
        // Device code cannot call another function of the host by a name that it has itself.
        return any_of(piece.names, used_.called) && !piece.names.contains("main") &&
               text.find("<<<") == std::string_view::npos &&
               (piece.is_constexpr ||
                (!any_of(piece.names, of_device_) && !piece.names.contains("operator")));
      case What::prototype:
        return any_of(piece.names, used_.called) && !any_of(piece.names, of_device_) &&
               (any_of(piece.names, kept_) || !any_of(piece.names, bodies_));
      case What::variable:
        return piece.is_constant && any_of(piece.names, used_.all) && !is_host_declaration(text);
      case What::type:
        return any_of(piece.names, used_.all);
      case What::other:
        return false;
    }
    return false;
  }

  void close() {
    for (bool more = true; more;) {
      more = false;
      for (File& file : files_)
        for (std::size_t p = 0; p < file.pieces.size(); ++p) {
          if (file.is_kept[p] || !is_wanted(file, file.pieces[p])) continue;
          keep(file, p);
          kept_.insert(file.pieces[p].names.begin(), file.pieces[p].names.end());
          more = true;
        }
    }
  }

  // Of "using namespace cub;" the code has CUB's names without the namespace.
  void use_namespace_of_cub() {
    bool is_opened = false;
    for (const File& file : files_)
      for (const Piece& piece : file.pieces)
        is_opened |= piece.what == Piece::What::other &&
                     words_of(file.text_of(piece)).all == Names{"using", "namespace", "cub"};
    if (is_opened && std::any_of(used_.all.begin(), used_.all.end(),
                                 [](const std::string& name) { return !header_of_cub(name).empty(); }))
      use({{"cub"}, {}});
  }

  void select() {
    keep_marked();
    use_launches();
    close();
    use_namespace_of_cub();
    Names dropped = libraries_not_used();
    for (const File& file : files_)
      for (std::size_t p = 0; p < file.pieces.size(); ++p)
        if (!file.is_kept[p]) dropped.insert(file.pieces[p].names.begin(), file.pieces[p].names.end());
    for (File& file : files_)
      for (std::size_t p = 0; p < file.pieces.size(); ++p) {
        if (file.is_kept[p] || file.pieces[p].what != Piece::What::other) continue;
        const std::string_view text = file.text_of(file.pieces[p]);
        if (!is_host_declaration(text) && !any_of(words_of(text).all, dropped)) keep(file, p);
      }
    close();
  }

  std::string root_;
  std::vector<File> files_;  // the kernel file first
  Names others_;             // included, and not there
  std::map<std::string, Words, std::less<>> macros_;
  Words used_;
  Names marks_, of_device_, bodies_,
      kept_;  // words that mark code; functions of the device, with a body, kept
};

}  // namespace

DeviceSource device_source(std::string_view source, const std::string& folder) {
  // extern "C"__global__ is one word to NVRTC, and two to nvcc; no character moves but the blank.
  std::string apart(source);
  for (std::size_t at = apart.find("extern \"C\"__"); at != std::string::npos;
       at = apart.find("extern \"C\"__", at + 1))
    apart.replace(at, 10, "extern\"C\" ");
  Selection selection(folder);
  selection.read(apart, "", folder, 0);
  return selection.result();
}

}  // namespace warplens::compile
