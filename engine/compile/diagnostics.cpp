#include "engine/compile/diagnostics.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "engine/base/code_text.hpp"
#include "engine/base/ptx_file_name.hpp"
#include "engine/catalog/near.hpp"
#include "engine/compile/source/host_headers.hpp"
#include "engine/source/scan.hpp"
#include "engine/source/tokens.hpp"
#include "engine/source/types.hpp"

namespace warplens::compile {
namespace {

enum class Severity { error, warning };

struct Diagnostic {
  Severity severity = Severity::error;
  Place place;
  std::string message;
  int number = 0;  // 549 of "warning #549-D"; 0: none
};

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::optional<std::int64_t> number_at(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end == text.data()) return std::nullopt;
  return value;
}

// The number right before `unit`, as in "Used 15 registers".
std::int64_t number_before(std::string_view line, std::string_view unit) {
  const auto at = line.find(unit);
  if (at == std::string_view::npos) return -1;
  const std::string_view before = line.substr(0, at);
  const auto start = before.find_last_not_of("0123456789");
  return number_at(before.substr(start == std::string_view::npos ? 0 : start + 1)).value_or(-1);
}

// "error: m", "catastrophic error: m", "error #20-D: m", "warning #177-D: m"; nothing for remarks and the
// rest.
std::optional<Diagnostic> read_severity(std::string_view text) {
  const auto colon = text.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view kind = text.substr(0, text.find_first_of("#:"));
  Diagnostic diagnostic;
  diagnostic.message = trim(text.substr(colon + 2));
  if (trim(kind).ends_with("error")) return diagnostic;
  diagnostic.severity = Severity::warning;
  const std::string_view number = text.substr(kind.size(), colon - kind.size());
  diagnostic.number =
      static_cast<int>(number_at(number.substr(std::min<std::size_t>(1, number.size()))).value_or(0));
  if (trim(kind) == "warning") return diagnostic;
  return std::nullopt;
}

// "file(line): error: message"; the file may hold parentheses itself.
std::optional<Diagnostic> read_front_end(const Request& request, std::string_view line) {
  constexpr std::string_view kAtEnd = "At end of source: ";
  if (line.starts_with(kAtEnd)) {
    std::optional<Diagnostic> found = read_severity(line.substr(kAtEnd.size()));
    const auto lines = std::count(request.source.begin(), request.source.end(), '\n');
    if (found)
      found->place = {request.file_name, static_cast<int>(lines) + !request.source.ends_with('\n'), 0};
    return found;
  }
  for (auto close = line.find("): "); close != std::string_view::npos; close = line.find("): ", close + 1)) {
    const auto open = line.rfind('(', close);
    if (open == std::string_view::npos) continue;
    const auto number = number_at(line.substr(open + 1, close - open - 1));
    std::optional<Diagnostic> found = read_severity(line.substr(close + 3));
    if (!number || !found) continue;
    const std::string file(line.substr(0, open));
    found->place = {file == file_name_for_nvrtc(request.file_name) ? request.file_name : file,
                    static_cast<int>(*number), 0};
    return found;
  }
  return std::nullopt;
}

// "ptxas application ptx input, line 31; error   : m", "ptxas error   : m", "ptxas fatal   : m", "ptxas
// warning : m"
std::optional<Diagnostic> read_ptxas(const Request& request, std::string_view line, std::string_view ptx) {
  if (!line.starts_with("ptxas")) return std::nullopt;
  const auto colon = line.find(" : ");
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view head = trim(line.substr(0, colon));
  Diagnostic diagnostic;
  diagnostic.place = {request.file_name, 0, 0};
  diagnostic.message = trim(line.substr(colon + 3));
  constexpr std::string_view kLine = "line ";
  if (const auto at = head.find(kLine); at != std::string_view::npos) {
    const auto ptx_line = number_at(head.substr(at + kLine.size()));
    if (ptx_line) diagnostic.place.line = source_line_of_ptx_line(ptx, static_cast<int>(*ptx_line));
  }
  if (head.ends_with("error") || head.ends_with("fatal")) return diagnostic;
  diagnostic.severity = Severity::warning;
  if (head.ends_with("warning")) return diagnostic;
  return std::nullopt;
}

std::vector<Diagnostic> read_log(const Request& request, std::string_view log, std::string_view ptx) {
  std::vector<Diagnostic> diagnostics;
  for_each_line(log, [&](std::string_view line) {
    // A note says why the error before it is one.
    if (line.find(kTooComplex) != std::string_view::npos && !diagnostics.empty())
      diagnostics.back().message = "the value of this constexpr takes more steps than the compiler goes";
    std::optional<Diagnostic> found = read_ptxas(request, line, ptx);
    if (!found) found = read_front_end(request, line);
    if (found) diagnostics.push_back(std::move(*found));
  });
  return diagnostics;
}

// What the reader can do about NVRTC's most common complaints; texts of NVRTC 12 and 13.
struct Advice {
  std::string_view part;     // of the message
  std::string_view message;  // instead of it; empty: keep it
  std::string_view next_step;
};
constexpr std::string_view kAboutIncludes =
    "remove the #include: a kernel is compiled without the C and C++ libraries, and CUDA's functions and "
    "printf "
    "need none; what you wrote yourself goes into the kernel file";
constexpr std::string_view kIsUndefined = " is undefined";
constexpr Advice kAdvice[] = {
    {"host functions are not allowed in JIT mode",
     "this function would run on the host, a kernel file has only device code",
     "mark it __device__ or remove it"},
    {"host variables are not allowed in JIT mode",
     "this variable would live on the host, a kernel file has only device code",
     "mark it __device__ or __constant__, make it constexpr, or remove it"},
    {"expected a \"}\"", "",
     "close what is open: add the \"}\" that is missing, where the indentation goes back or at the end"},
    {"could not open source file", "", kAboutIncludes},
    {"cannot open source file", "", kAboutIncludes},
    {"takes more steps than the compiler goes", "",
     "look for a recursion or a loop without an end in it, or compute it in the kernel"},
    {"uses too much shared data", "", "choose smaller tiles, or use dynamic shared memory"},
    {"Not a name of any known instruction", "", "check the asm statement against the PTX ISA"},
    {kIsUndefined, "",
     "declare it in the kernel file; variables and functions of the host are none of the device's without "
     "__device__ or __constant__"},
};

// NVRTC misses a semicolon where the next statement begins. The line that lacks it; 0 where it is not the
// line of code before.
int line_without_semicolon(std::string_view source, int next_line) {
  const std::string plain = source::blanked(source);
  std::vector<std::string_view> lines;
  for_each_line(plain, [&](std::string_view line) { lines.push_back(trim(line)); });
  auto at = std::min<std::size_t>(static_cast<std::size_t>(std::max(next_line - 1, 0)), lines.size());
  while (at > 0 && lines[at - 1].empty()) --at;
  if (at == 0) return 0;
  const std::string_view before = lines[at - 1];
  const char last = before.back();
  const bool is_end = is_of_name(last) || last == ')' || last == ']' || last == '"' || last == '\'';
  for (const std::string_view head : {"if", "for", "while", "else", "do", "template"})
    if (before.starts_with(head) && (before.size() == head.size() || !is_of_name(before[head.size()])))
      return 0;
  return is_end ? static_cast<int>(at) : 0;
}

// Empty: the message is about something else.
std::string undefined_name(std::string_view message) {
  constexpr std::string_view kBefore = "identifier \"", kBehind = "\" is undefined";
  if (!message.starts_with(kBefore) || !message.ends_with(kBehind)) return {};
  return std::string(message.substr(kBefore.size(), message.size() - kBefore.size() - kBehind.size()));
}

// A name of CUDA that is one letter or two away; empty: none.
std::string meant_name(const std::string& name) {
  static const std::vector<std::string> kNames{
      "threadIdx",        "blockIdx",       "blockDim",        "gridDim",       "warpSize",
      "__syncthreads",    "__syncwarp",     "__shared__",      "__device__",    "__constant__",
      "__restrict__",     "__threadfence",  "__activemask",    "__ballot_sync", "atomicAdd",
      "atomicMax",        "atomicMin",      "atomicExch",      "atomicCAS",     "__shfl_sync",
      "__shfl_down_sync", "__shfl_up_sync", "__shfl_xor_sync", "__ldg",         "make_float4",
      "make_float2",      "rsqrtf",         "fmaxf",           "fminf",         "sqrtf",
      "__expf",           "__sinf"};
  constexpr std::size_t kLeastLetters = 5, kMostEdits = 2;
  const auto near = catalog::near_names(name, kNames, 1);
  const bool is_near = name.size() >= kLeastLetters && !near.empty() &&
                       catalog::edit_distance(name, near.front()) <= kMostEdits;
  return is_near ? near.front() : "";
}

// The variable of the host that an undefined identifier is; null: none.
const std::pair<const std::string, int>* host_variable(const Request& request, std::string_view message) {
  const std::string name = undefined_name(message);
  const auto found = request.host_variables.find(name);
  return found == request.host_variables.end() ? nullptr : &*found;
}

Error to_error(const Request& request, const Diagnostic& diagnostic) {
  if (const auto* variable = host_variable(request, diagnostic.message))
    return {fmt::format("{} is a variable of the host (line {}), and device code cannot read it",
                        variable->first, variable->second),
            "give it to the kernel as an argument, make it constexpr, or mark it __device__ or __constant__",
            diagnostic.place};
  constexpr std::string_view kSemicolon = "expected a \";\"";
  if (diagnostic.message == kSemicolon && diagnostic.place.file == request.file_name)
    if (const int line = line_without_semicolon(request.source, diagnostic.place.line); line > 0)
      return {std::string(kSemicolon) + " at the end of this line",
              "correct the kernel file and save it",
              {request.file_name, line, 0},
              ErrorCode::kernel_text};
  Error error{diagnostic.message, "correct the kernel file and save it", diagnostic.place,
              ErrorCode::kernel_text};
  for (const Advice& advice : kAdvice) {
    if (diagnostic.message.find(advice.part) == std::string::npos) continue;
    if (!advice.message.empty()) error.message = advice.message;
    error.next_step = advice.next_step;
    error.code = ErrorCode::none;
    break;
  }
  if (const std::string meant = meant_name(undefined_name(diagnostic.message)); !meant.empty())
    error.next_step = fmt::format("did you mean {}? else {}", meant, error.next_step);
  return error;
}

// What #warning says where a header stands for one that is not there, or is included unasked.
constexpr std::string_view kSaid = "#warning directive: ";

// "a.h, b.h" of those that were left out.
std::string headers_left_out(const Request& request, std::string_view log) {
  std::string names;
  for (const Diagnostic& diagnostic : read_log(request, log, {})) {
    std::string_view text = diagnostic.message;
    if (!text.starts_with(kSaid) || !text.ends_with(kIsLeftOut)) continue;
    text.remove_prefix(kSaid.size()), text.remove_suffix(kIsLeftOut.size());
    names += (names.empty() ? "" : ", ") + std::string(text);
  }
  return names;
}

// The line of the source, from 1; empty: there is none.
std::string_view source_line(std::string_view source, int line) {
  for (int at = 1; at < line && !source.empty(); ++at)
    source.remove_prefix(std::min(source.find('\n') + 1, source.size()));
  return source.substr(0, source.find('\n'));
}

// The line that includes a file; 0: none of the source.
int line_of_include(std::string_view source, const std::string& name) {
  for (const char open : {'"', '<'}) {
    const std::size_t at = source.find(open + name + (open == '<' ? '>' : open));
    if (at != std::string_view::npos)
      return 1 + static_cast<int>(
                     std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }
  return 0;
}

// A type that nobody knows makes errors of all that stands around it: the one that names it goes first.
void put_cause_first(std::vector<Diagnostic>& found, const Request& request) {
  constexpr std::string_view kNoSpace = "name must be a namespace name";
  for (Diagnostic& diagnostic : found) {
    if (diagnostic.message != kNoSpace || diagnostic.place.file != request.file_name) continue;
    std::string_view line = source_line(request.source, diagnostic.place.line);
    line = trim(line.substr(0, line.find(';')));
    const std::size_t name = line.find_last_of(" \t=");
    if (name != std::string_view::npos)
      diagnostic.message = fmt::format("namespace \"{}\"{}", line.substr(name + 1), kIsUndefined);
  }
  const auto names_it = [](const Diagnostic& diagnostic) {
    return diagnostic.message.ends_with(kIsUndefined) || diagnostic.message.ends_with("is not a template");
  };
  const Diagnostic& first = found.front();
  const bool is_consequence = first.message.find("does not apply here") != std::string::npos ||
                              first.message.find("not allowed in JIT mode") != std::string::npos ||
                              first.message.starts_with("incomplete type");
  if (!is_consequence) return;
  const auto cause = std::find_if(found.begin(), found.end(), names_it);
  if (cause != found.end()) std::rotate(found.begin(), cause, cause + 1);
}

struct Entry {
  std::string name;
  int line = 0;  // of the source
};

std::vector<Entry> entries_of(std::string_view ptx) {
  std::vector<Entry> entries;
  bool needs_line = false;
  for_each_line(ptx, [&](std::string_view line) {
    constexpr std::string_view kEntry = ".entry ", kLocation = ".loc";
    const std::string_view text = trim(line);
    if (text.starts_with(".visible .entry ") || text.starts_with(kEntry) ||
        text.starts_with(".weak .entry ")) {
      const std::string_view name = text.substr(text.find(kEntry) + kEntry.size());
      entries.push_back({std::string(name.substr(0, name.find_first_of("( \t"))), 0});
      needs_line = true;
    } else if (needs_line && text.starts_with(kLocation)) {
      std::string_view rest = trim(text.substr(kLocation.size()));
      rest = trim(rest.substr(std::min(rest.find_first_of(" \t"), rest.size())));
      entries.back().line = static_cast<int>(number_at(rest).value_or(0));
      needs_line = false;
    }
  });
  return entries;
}

// "scale<float, 256>(float*, int)" of _Z5scaleIfLi256EEvPfi; other names as they are.
std::string demangled(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string words = status == 0 && text != nullptr ? text : name;
  std::free(text);
  if (words.starts_with("void ")) words.erase(0, 5);
  constexpr std::string_view kNameless = "(anonymous namespace)::";
  for (std::size_t at = words.find(kNameless); at != std::string::npos; at = words.find(kNameless, at))
    words.erase(at, kNameless.size());
  return words;
}

// "scale" of "tools::scale<float>"
std::string name_alone(const std::string& words) {
  const std::string name = words.substr(0, words.find_first_of("<("));
  const std::size_t space = name.rfind("::");
  return space == std::string::npos ? name : name.substr(space + 2);
}

std::string plain_name(const std::string& name) { return name_alone(demangled(name)); }

// "k<uint8_t, 4>" as "k<uint8, 4>", and "k<unsigned char, 4>" too: of a typedef only what it stands for is there.
std::string with_plain_types(const std::string& name) {
  const std::size_t open = name.find('<');
  if (open == std::string::npos) return name;
  const std::size_t behind = source::behind_bracket(name, open);
  if (behind == source::kNowhere) return name;
  std::string text = name.substr(0, open);
  for (const std::string_view part :
       source::parts_of(std::string_view(name).substr(open + 1, behind - open - 2), true)) {
    const auto type = source::read_type(part);
    text += (text.size() == open ? "<" : ",") + (type && type->parts == 1 ? type->base : std::string(part));
  }
  return text + name.substr(behind - 1);
}

// wanted: "scale" or "scale<float, 256>", as in the source: 256u, (int)256 and 256 are one.
bool is_named(const std::string& name, const std::string& wanted) {
  const std::string words = demangled(name);
  if (name_alone(words) != name_alone(wanted)) return false;
  const auto arguments = [](const std::string& of) {
    const std::string text = with_plain_types(of);
    std::string plain;
    const std::size_t open = text.find('<');
    for (std::size_t at = open; at < text.size() && text[at] != '('; ++at) {
      const bool is_suffix = (text[at] == 'u' || text[at] == 'U' || text[at] == 'l' || text[at] == 'L') &&
                             at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1])) != 0;
      if (text[at] != ' ' && !is_suffix) plain += text[at];
    }
    return plain;
  };
  const std::string own = arguments(words), other = arguments(wanted);
  return other.empty() || own == other || own.starts_with(other.substr(0, other.size() - 1));
}

}  // namespace

std::string file_name_for_nvrtc(const std::string& file_name) {
  const std::string name = std::filesystem::path(file_name).filename();
  return name.empty() ? "/kernel.cu" : "/" + ptx_file_name(name);
}

int source_line_of_ptx_line(std::string_view ptx, int ptx_line) {
  int at = 0, line_of_source = 0;
  for_each_line(ptx, [&](std::string_view line) {
    constexpr std::string_view kLocation = ".loc";
    if (++at > ptx_line) return;
    std::string_view text = trim(line);
    if (!text.starts_with(kLocation)) return;
    text = trim(text.substr(kLocation.size()));  // file line column
    text = trim(text.substr(std::min(text.find_first_of(" \t"), text.size())));
    line_of_source = static_cast<int>(number_at(text).value_or(0));
  });
  return line_of_source;
}

std::vector<Error> compile_errors(const Request& request, std::string_view log, std::string_view ptx) {
  std::vector<Diagnostic> found = read_log(request, log, ptx);
  std::erase_if(found, [](const Diagnostic& d) { return d.severity != Severity::error; });
  // "ptxas fatal: Ptx assembly aborted due to errors" only says that there were some.
  if (found.size() > 1) {
    std::erase_if(found, [](const Diagnostic& d) {
      return d.message.find("aborted due to errors") != std::string::npos;
    });
  }
  if (found.empty()) {
    const std::string_view text = trim(log);
    return {{"the kernel cannot be compiled: " + (text.empty() ? "NVRTC gives no reason" : std::string(text)),
             "",
             {request.file_name, 0, 0}}};
  }
  put_cause_first(found, request);
  std::vector<Error> errors;
  const std::string left_out = headers_left_out(request, log);
  for (const Diagnostic& diagnostic : found) {
    Error error = to_error(request, diagnostic);
    if (!left_out.empty() && diagnostic.message.ends_with(kIsUndefined)) {
      error.message += fmt::format("; it may be of {}, which is not there and was left out", left_out);
      error.next_step = "copy what the kernel needs of that into the kernel file";
      error.code = ErrorCode::none;
    }
    errors.push_back(std::move(error));
  }
  if (errors.front().place.file == "__nv_name_map")  // where NVRTC looks up what the front matter names
    return {{fmt::format("the file has no kernel {} that can be compiled ({})", request.kernel,
                         errors.front().message),
             "name one of the file in the front matter, such as kernel = \"scale\" or, of a template, "
             "\"scale<256>\"",
             {request.file_name, 0, 0}}};
  return errors;
}

Error compile_error(const Request& request, std::string_view log, std::string_view ptx) {
  const std::vector<Error> errors = compile_errors(request, log, ptx);
  Error error = errors.front();
  if (errors.size() > 1) error.message += fmt::format(" (and {} more)", errors.size() - 1);
  return error;
}

std::vector<Warning> warnings_of(const Request& request, std::string_view log) {
  std::vector<Warning> warnings;
  for (const Diagnostic& diagnostic : read_log(request, log, {})) {
    if (diagnostic.severity != Severity::warning) continue;
    // Headers of CUDA that say once more what the stand-ins for the host's say.
    if (diagnostic.message.find("of warplens/") != std::string::npos) continue;
    Place where = diagnostic.place;
    std::string message = diagnostic.message;
    if (message.starts_with(kSaid)) {
      message.erase(0, kSaid.size());
      if (where.file != request.file_name)
        where = {request.file_name, line_of_include(request.source, message.substr(0, message.find(' '))), 0};
    }
    warnings.push_back({std::move(where), diagnostic.number, std::move(message)});
  }
  return warnings;
}

std::string to_line(const Warning& warning) {
  const std::string place = to_string(warning.place);
  return place.empty() ? warning.text : place + ": " + warning.text;
}

ResourceLog read_resource_log(std::string_view log, std::string_view kernel) {
  ResourceLog resources;
  const std::string start = fmt::format("Compiling entry function '{}'", kernel);
  const auto at = log.find(start);
  if (at == std::string_view::npos) return resources;
  bool done = false;  // at the next function: device functions that were not inlined follow
  bool first = true;
  for_each_line(log.substr(at + start.size()), [&](std::string_view line) {
    done = done || line.find("Compiling entry function") != std::string_view::npos;
    if (line.find("Function properties for") != std::string_view::npos && !std::exchange(first, false))
      done = true;
    if (done) return;
    if (line.find("spill stores") != std::string_view::npos) {
      resources.stack_bytes = number_before(line, " bytes stack frame");
      resources.spill_store_bytes = number_before(line, " bytes spill stores");
      resources.spill_load_bytes = number_before(line, " bytes spill loads");
    } else if (line.find(": Used ") != std::string_view::npos) {
      resources.registers = static_cast<int>(number_before(line, " registers"));
      resources.static_shared_bytes = std::max<std::int64_t>(0, number_before(line, " bytes smem"));
    }
  });
  return resources;
}

namespace {
bool has_name_as_argument(std::string_view kernel) {
  const std::size_t open = kernel.find('<');
  if (open == std::string_view::npos) return false;
  const auto parts = source::parts_of(kernel.substr(open + 1, kernel.rfind('>') - open - 1), true);
  return std::any_of(parts.begin(), parts.end(), [](std::string_view part) {
    return !source::word_at(part, 0).empty() && std::isdigit(static_cast<unsigned char>(part[0])) == 0;
  });
}
}  // namespace

Result<std::string> find_entry(const Request& request, std::string_view ptx) {
  const std::vector<Entry> entries = entries_of(ptx);
  if (entries.empty()) {
    return Error{"the file has no kernel",
                 request.source.find("template") != std::string::npos &&
                         request.source.find("__global__") != std::string::npos
                     ? "a template is none before it has its arguments: say them in the front matter, such "
                       "as kernel = \"scale<float, 256>\""
                     : "write one: extern \"C\" __global__ void kernel(...)",
                 {request.file_name, 0, 0}};
  }
  if (!request.kernel.empty()) {
    const auto chosen = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
      return is_named(entry.name, request.kernel);
    });
    if (chosen != entries.end()) return chosen->name;
    // Arguments that are enumerators or types of the file have other names there. Of a template only those are made that are asked
    // for.
    const auto is_of_template = [&](const Entry& entry) {
      return plain_name(entry.name) == name_alone(request.kernel) &&
             demangled(entry.name).find('<') != std::string::npos;
    };
    const auto only = std::find_if(entries.begin(), entries.end(), is_of_template);
    if (has_name_as_argument(request.kernel) && only != entries.end() &&
        std::count_if(entries.begin(), entries.end(), is_of_template) == 1)
      return only->name;
    return Error{fmt::format("the file has no kernel {}", request.kernel),
                 "name one of the file in the front matter, such as kernel = \"scale\" or, of a template, "
                 "\"scale<256>\"",
                 {request.file_name, 0, 0}};
  }
  if (entries.size() > 1) {
    return Error{fmt::format("the file has {} kernels, {} and {} among them", entries.size(), entries[0].name,
                             entries[1].name),
                 "keep one __global__ function a file, or say which with kernel = \"" +
                     plain_name(entries[0].name) + "\"",
                 {request.file_name, entries[1].line, 0}};
  }
  return entries[0].name;
}

}  // namespace warplens::compile
