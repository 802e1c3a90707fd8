#include "engine/catalog/signature.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "engine/base/code_text.hpp"
#include "engine/catalog/conditionals.hpp"

namespace warplens::catalog {
namespace {

// Names and single signs, with "::" kept in names: "const", "float", "*", "std::size_t".
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && (is_of_name(text[end]) || text.substr(end, 2) == "::"))
      end += is_of_name(text[end]) ? 1 : 2;
    end = std::max(end, at + 1);
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

// Behind the bracket that closes the one at `open`; npos where none does.
std::size_t behind_closing(std::string_view text, std::size_t open) {
  const char opening = text[open], closing = opening == '(' ? ')' : opening == '<' ? '>' : '}';
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == opening) ++depth;
    if (text[at] == closing && --depth == 0) return at + 1;
    if (opening == '<' && (text[at] == ';' || text[at] == '{')) break;
  }
  return std::string_view::npos;
}

// At commas that stand in no bracket.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += (std::string_view("(<[{").find(text[at]) != std::string_view::npos) ? 1 : 0;
    depth -= (std::string_view(")>]}").find(text[at]) != std::string_view::npos) ? 1 : 0;
    if (text[at] != ',' || depth != 0) continue;
    parts.push_back(trimmed(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  if (const auto last = trimmed(text.substr(begin)); !last.empty()) parts.push_back(last);
  return parts;
}

using Aliases = std::map<std::string, std::string, std::less<>>;

// "#define real float", "typedef float real;", "using real = float;"
Aliases aliases_of(std::string_view code, std::string_view plain) {
  Aliases aliases;
  for (std::size_t at = code.find("#define"); at != std::string_view::npos;
       at = code.find("#define", at + 1)) {
    const std::string_view line = code.substr(at + 7, std::min(code.find('\n', at), code.size()) - at - 7);
    const std::vector<std::string> words = words_of(line.substr(0, line.find("//")));
    std::string value;
    for (std::size_t w = 1; w < words.size(); ++w) value += (w > 1 ? " " : "") + words[w];
    if (words.size() >= 2 && words.size() <= 4 && words[1] != "(") aliases.emplace(words[0], value);
  }
  for (const std::string_view keyword : {"typedef ", "using "}) {
    for (std::size_t at = plain.find(keyword); at != std::string_view::npos;
         at = plain.find(keyword, at + 1)) {
      const std::size_t end = std::min(plain.find(';', at), plain.size());
      std::vector<std::string> words = words_of(plain.substr(at + keyword.size(), end - at - keyword.size()));
      if (words.size() < 2) continue;
      std::string name = words.back(), value;
      if (keyword == "using ") {
        if (words[1] != "=") continue;
        name = words[0];
        words.erase(words.begin(), words.begin() + 2);
      } else {
        words.pop_back();
      }
      for (const std::string& word : words) value += (value.empty() ? "" : " ") + word;
      aliases.emplace(name, value);
    }
  }
  return aliases;
}

KernelParameter parameter_of(std::string_view text, const Aliases& aliases) {
  KernelParameter parameter;
  text = trimmed(text.substr(0, text.find('=')));
  std::vector<std::string> words = words_of(text);
  if (const auto bracket = std::find(words.begin(), words.end(), "["); bracket != words.end()) {
    parameter.is_pointer = true;
    words.erase(bracket, words.end());
  }
  std::vector<std::string> type;
  for (const std::string& word : words) {
    static constexpr std::array<std::string_view, 8> kPassedOver{
        "volatile", "__restrict__", "__restrict", "restrict", "__grid_constant__", "struct", "&", "typename"};
    if (std::find(kPassedOver.begin(), kPassedOver.end(), word) != kPassedOver.end()) continue;
    if (word == "*")
      parameter.is_pointer = true;
    else if (word == "const")
      parameter.is_const = parameter.is_const || !parameter.is_pointer;
    else
      type.push_back(word);
  }
  if (type.size() > 1 && is_of_name(type.back().front())) {
    parameter.name = type.back();
    type.pop_back();
  }
  for (const std::string& word : type) parameter.type += (parameter.type.empty() ? "" : " ") + word;
  for (int times = 0; times < 4; ++times) {
    const auto alias = aliases.find(parameter.type);
    if (alias == aliases.end()) break;
    KernelParameter inner = parameter_of(alias->second + " x", Aliases());
    parameter.type = inner.type;
    parameter.is_pointer = parameter.is_pointer || inner.is_pointer;
    parameter.is_const = parameter.is_const || inner.is_const;
  }
  return parameter;
}

std::vector<TemplateParameter> template_of(std::string_view text) {
  std::vector<TemplateParameter> list;
  for (const std::string_view part : split(text)) {
    TemplateParameter parameter;
    const std::size_t equals = part.find('=');
    if (equals != std::string_view::npos) parameter.fallback = trimmed(part.substr(equals + 1));
    for (const std::string& word : words_of(part.substr(0, equals))) {
      if (word == "const" || word == "class" || word == "typename") {
        if (word != "const") parameter.type = "typename";
        continue;
      }
      if (!parameter.name.empty()) parameter.type += (parameter.type.empty() ? "" : " ") + parameter.name;
      parameter.name = word;
    }
    list.push_back(std::move(parameter));
  }
  return list;
}

// The template<...> that the declaration around `at` begins with; empty where it begins with none.
std::string_view template_before(std::string_view plain, std::size_t at) {
  const std::size_t before = plain.find_last_of(";{}", at);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t found = plain.find("template", begin);
  if (found == std::string_view::npos || found > at) return {};
  const std::size_t open = plain.find('<', found);
  if (open == std::string_view::npos || open > at) return {};
  const std::size_t end = behind_closing(plain, open);
  return end == std::string_view::npos || end > at ? std::string_view()
                                                   : plain.substr(open + 1, end - open - 2);
}

// Whether the line that ends there is continued: "\\", also before the "\r" of Windows.
bool goes_on(std::string_view code) {
  if (code.ends_with('\r')) code.remove_suffix(1);
  return code.ends_with('\\');
}

}  // namespace

std::string blanked(std::string_view code) {
  std::string plain(code);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, plain.size()); ++i)
      if (plain[i] != '\n') plain[i] = ' ';
  };
  bool line_begins = true;
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at + 1;
    const char c = code[at];
    if (code.substr(at, 2) == "//" || (c == '#' && line_begins)) {
      end = std::min(code.find('\n', at), code.size());
      while (end < code.size() && goes_on(code.substr(0, end)))
        end = std::min(code.find('\n', end + 1), code.size());
      blank(at, end);
    } else if (code.substr(at, 2) == "/*") {
      end = std::min(code.find("*/", at + 2), code.size() - 2) + 2;
      blank(at, end);
    } else if (c == '"' || (c == '\'' && (at == 0 || !is_of_name(code[at - 1])))) {
      while (end < code.size() && code[end] != c && code[end] != '\n') end += code[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, code.size());
      blank(at + 1, end - 1);
    }
    if (plain[at] != ' ' && c != '\t') line_begins = c == '\n';
    at = std::max(end, at + 1);
  }
  return plain;
}

KernelSignature with_arguments(KernelSignature kernel, std::string_view arguments) {
  const auto given = split(arguments);
  for (std::size_t t = 0; t < kernel.of_template.size() && t < given.size(); ++t) {
    if (kernel.of_template[t].type != "typename") continue;
    for (KernelParameter& parameter : kernel.parameters)
      if (parameter.type == kernel.of_template[t].name) parameter.type = given[t];
  }
  return kernel;
}

std::vector<KernelSignature> kernel_signatures(std::string_view code, const std::string& folder) {
  Macros macros = macros_of_compiler();
  const std::string included = folder.empty() ? "" : included_text(code, folder, macros);
  const std::string taken = taken_branches(code, macros);
  const std::string plain = blanked(taken);
  Aliases aliases = aliases_of(taken, plain);
  aliases.merge(aliases_of(included, blanked(included)));
  std::vector<KernelSignature> kernels;
  std::vector<std::string> instantiations;  // "template __global__ void k<256>(...);"
  constexpr std::string_view kMark = "__global__";
  for (std::size_t at = plain.find(kMark); at != std::string::npos; at = plain.find(kMark, at + 1)) {
    // The first name before a bracket that is no attribute of the launch.
    std::size_t open = at, begin = at, end = at;
    std::string name;
    for (open = plain.find_first_of("(;{", at); open != std::string::npos && plain[open] == '(';) {
      end = std::min(plain.find_last_not_of(" \t\r\n", open - 1) + 1, open);
      begin = end;
      while (begin > 0 && is_of_name(plain[begin - 1])) --begin;
      if (begin == end && end > 0 && plain[end - 1] == '>') {  // k<256>
        const std::size_t less = plain.rfind('<', end);
        std::size_t first = less;
        while (first != std::string::npos && first > 0 && is_of_name(plain[first - 1])) --first;
        if (less != std::string::npos) instantiations.push_back(plain.substr(first, less - first));
      }
      name = plain.substr(begin, end - begin);
      if (!name.starts_with("__")) break;
      open = behind_closing(plain, open);
      if (open != std::string::npos) open = plain.find_first_of("(;{", open);
      name.clear();
    }
    if (open == std::string::npos || plain[open] != '(' || name.empty()) continue;
    const std::size_t close = behind_closing(plain, open);
    if (close == std::string::npos) continue;
    const std::size_t next = plain.find_first_not_of(" \t\r\n", close);
    if (next == std::string::npos || plain[next] != '{') continue;  // a declaration or an instantiation
    KernelSignature kernel;
    kernel.name = name;
    kernel.line = 1 + static_cast<int>(std::count(plain.begin(),
                                                  plain.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    for (const std::string_view part : split(std::string_view(plain).substr(open + 1, close - open - 2)))
      if (part != "void") kernel.parameters.push_back(parameter_of(part, aliases));
    if (const auto text = template_before(plain, at); !text.empty()) kernel.of_template = template_of(text);
    kernels.push_back(std::move(kernel));
  }
  for (KernelSignature& kernel : kernels)
    kernel.is_instantiated =
        std::find(instantiations.begin(), instantiations.end(), kernel.name) != instantiations.end();
  return kernels;
}

}  // namespace warplens::catalog
