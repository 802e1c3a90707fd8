// Objects of structs as host code makes them and gives them to kernels: what their members are, and what types
// arguments have.
#include <algorithm>
#include <cctype>

#include "engine/base/code_text.hpp"
#include "engine/problem/own/host_code.hpp"
#include "engine/source/types.hpp"

namespace warplens::problem {
namespace {

// The text of the member of a list "1, {2, 3}" or of names ".nx = 1"; nothing: the list has none.
std::optional<std::string_view> in_list(std::string_view list, const source::StructLayout& layout,
                                        std::size_t place) {
  const auto parts = parts_of(list, true);
  const source::StructMember& member = layout.members[place];
  if (!parts.empty() && trimmed(parts[0]).starts_with(".")) {
    for (const std::string_view part : parts)
      if (source::word_at(part, 1) == member.name)
        return trimmed(part.substr(std::min(part.find('='), part.size() - 1) + 1));
    return std::nullopt;
  }
  return place < parts.size() ? std::optional(parts[place]) : std::nullopt;
}

// What is in the brackets of "Grid{1, 2}", "{1, 2}", "make_float2(1, 2)" or "Grid(1, 2)"; nothing: it is no such
// list, or a constructor takes it.
std::optional<std::string_view> list_of(std::string_view text, const source::StructLayout& layout) {
  text = trimmed(text);
  const std::size_t open = text.find_first_of("{(");
  if (open == std::string_view::npos || closing(text, open) + 1 != text.size()) return std::nullopt;
  const std::string_view before = trimmed(text.substr(0, open));
  const bool is_made = before.starts_with("make_"), is_list = text[open] == '{' || is_made;
  if (layout.has_constructor || (!is_list && !before.starts_with(layout.name))) return std::nullopt;
  return text.substr(open + 1, text.size() - open - 2);
}

}  // namespace

std::string HostCode::member_text(std::string_view object, const source::StructLayout& layout,
                                  std::string_view leaf, std::size_t before, int depth) const {
  object = trimmed(object);
  const std::string_view member = source::word_at(leaf, 0);
  const auto found = std::ranges::find(layout.members, member, &source::StructMember::name);
  if (depth > 8) return "";
  const bool is_name =
      !object.empty() && std::ranges::all_of(object, [](char c) { return is_of_name(c) || c == '.'; });
  if (is_name) {
    const std::string name = std::string(object) + "." + std::string(leaf);
    if (!steps(name, before).empty()) return name;
    for (const std::string_view text : definitions(object, before)) {
      std::string own =
          member_text(trimmed(text).starts_with("{") || list_of(text, layout) ? std::string(text)
                                                                              : "{" + std::string(text) + "}",
                      layout, leaf, before, depth + 1);
      return own.empty() ? name : own;
    }
    return name;
  }
  const auto list = list_of(object, layout);
  if (!list || found == layout.members.end()) return "";
  const auto place = static_cast<std::size_t>(found - layout.members.begin());
  const auto own = in_list(*list, layout, place);
  if (!own) return found->initial.empty() ? "0" : found->initial;
  std::string_view rest = leaf.substr(member.size());
  if (rest.starts_with("[")) {
    const auto index = value(rest.substr(1, rest.find(']') - 1)).value_or(0);
    const auto elements =
        own->starts_with("{") ? parts_of(own->substr(1, own->size() - 2)) : std::vector<std::string_view>();
    return static_cast<std::size_t>(index) < elements.size()
               ? std::string(elements[static_cast<std::size_t>(index)])
               : "";
  }
  if (rest.starts_with(".") && found->of)
    return member_text(*own, *found->of, rest.substr(1), before, depth + 1);
  return std::string(*own);
}

namespace {

std::string plain_type(std::string_view text) {
  std::string type;
  for (const std::string& word : source::parts_of_type(text))
    if (word != "const" && word != "constexpr" && word != "static" && word != "struct" && word != "&" &&
        word != "*")
      type += (type.empty() ? "" : " ") + word;
  return type;
}

bool is_type_text(const source::Structs& structs, std::string_view text) {
  const std::string type = plain_type(text);
  return !type.empty() && (source::read_type(type) || structs.has(type));
}

// "float" of "const thrust::device_vector<float> x(n)".
std::string type_of_elements(std::string_view plain, std::string_view argument) {
  const std::size_t open = argument.find("raw_pointer_cast");
  if (open != std::string_view::npos) argument = trimmed(argument.substr(argument.find('(', open) + 1));
  while (argument.starts_with("&")) argument.remove_prefix(1);
  const std::string_view name = source::word_at(argument, 0);
  for (std::size_t at = find_word(plain, name); at != std::string_view::npos;
       at = find_word(plain, name, at + 1)) {
    const std::size_t begin = plain.rfind("vector<", at);
    if (begin == std::string_view::npos ||
        plain.substr(begin, at - begin).find_first_of(";{}") != std::string_view::npos)
      continue;
    const std::size_t end = source::behind_bracket(plain, begin + 6);
    if (end < at) return std::string(trimmed(plain.substr(begin + 7, end - begin - 8))) + "*";
  }
  return "";
}

}  // namespace

// An argument that nobody knows stands for each member that nobody knows.
HostLaunch HostCode::with_members(const HostLaunch& launch, const source::KernelSignature& kernel) const {
  HostLaunch flat = launch;
  flat.arguments.clear(), flat.values.clear(), flat.numbers.clear();
  std::size_t declared = 0;
  for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
    const auto& within = kernel.parameters[p].within;
    if (!within) {
      while (std::ranges::find(kernel.structs, declared, &source::StructParameter::parameter) !=
             kernel.structs.end())
        ++declared;
      if (declared >= launch.arguments.size()) break;
      flat.arguments.push_back(launch.arguments[declared]);
      flat.values.push_back(launch.values[declared]);
      flat.numbers.push_back(launch.numbers[declared++]);
      continue;
    }
    declared = within->parameter + 1;
    if (within->parameter >= launch.arguments.size()) break;
    const auto own =
        std::ranges::find(kernel.structs, within->parameter, &source::StructParameter::parameter);
    const auto layout = structs().of(own->type);
    const std::string_view leaf = std::string_view(within->written).substr(own->name.size() + 1);
    const std::string text =
        layout ? member_text(launch.arguments[within->parameter], **layout, leaf, launch.at) : std::string();
    // "g.data" that the host sets to d_x is d_x.
    const auto set = kernel.parameters[p].is_pointer && text.find('.') != std::string::npos
                         ? definitions(text, launch.at)
                         : std::vector<std::string_view>();
    const bool is_set = !set.empty() && set[0].find('(') == std::string_view::npos;
    add_argument(flat, made_.emplace_back(is_set ? std::string(trimmed(set[0])) : text));
  }
  return flat;
}

std::string HostCode::type_of(std::string_view argument, std::size_t before, int depth) const {
  constexpr int kDeepest = 8;  // functions that call each other
  argument = trimmed(argument);
  if (argument.empty() || depth > kDeepest) return "";
  if (argument.starts_with("&")) {
    const std::string of = type_of(argument.substr(1), before, depth + 1);
    return of.empty()                                                          ? ""
           : of.ends_with("*") && argument.find('[') != std::string_view::npos ? of
                                                                               : of + "*";
  }
  if (std::isdigit(static_cast<unsigned char>(argument[0])) != 0 || argument[0] == '-') {
    const bool is_real =
        argument.find_first_of(".eE") != std::string_view::npos && !argument.starts_with("0x");
    return !is_real ? "int" : argument.ends_with("f") ? "float" : "double";
  }
  if (const std::size_t open = argument.find_first_of("({"); open != std::string_view::npos && open > 0) {
    std::string_view made = trimmed(argument.substr(0, open));
    if (made.starts_with("make_")) made.remove_prefix(5);
    if (made.ends_with("raw_pointer_cast") || argument.ends_with(".data()"))
      return type_of_elements(plain_, argument);
    return structs().has(made) || source::read_type(made) ? std::string(made) : "";
  }
  const std::string_view name = source::word_at(argument, 0);
  if (name != argument.substr(0, argument.find_first_of(" +["))) return "";
  return type_of_name(name, before, depth + 1);
}

// What the first call of a function outside of itself gives it: of "InputIt first" the type of the argument.
std::string HostCode::type_given(std::string_view function, std::size_t place, std::size_t declared,
                                 int depth) const {
  const std::string_view plain = plain_;
  for (std::size_t at = function.empty() ? std::string_view::npos : find_word(plain, function);
       at != std::string_view::npos; at = find_word(plain, function, at + 1)) {
    if (++lookups_ > kMostLookups || (read_ += 64) > kMostRead) return "";
    const std::size_t open = source::behind_blanks(plain, at + function.size());
    if (open >= plain.size() || plain[open] != '(' || open + 1 == declared) continue;
    const std::size_t close = closing(plain, open);
    if (close == std::string_view::npos || plain.substr(source::behind_blanks(plain, close + 1), 1) == "{")
      continue;
    const auto arguments = parts_of(plain.substr(open + 1, close - open - 1), true);
    if (place < arguments.size()) return type_of(arguments[place], at, depth);
  }
  return "";
}

// By its declaration, the last before a place.
std::string HostCode::type_of_name(std::string_view name, std::size_t before, int depth) const {
  const std::string_view plain = plain_;
  std::string type;
  for (std::size_t at = find_word(plain, name); at < before; at = find_word(plain, name, at + 1)) {
    if ((read_ += 64) > kMostRead) break;
    std::size_t begin = plain.find_last_of(";{}(", at);
    begin = begin == std::string_view::npos ? 0 : begin + 1;
    std::string_view declared = trimmed(plain.substr(begin, at - begin));
    if (const auto parts = parts_of(declared, true); parts.size() > 1) {
      const std::string_view last = parts.back();  // of a list of parameters, else "float *a, *b"
      const bool is_own = !last.empty() && is_of_name(last[0]);
      const std::string_view stars = last;
      declared = is_own ? last : parts[0].substr(0, std::min(parts[0].find('*'), parts[0].size()));
      if (!is_own) {
        while (!declared.empty() && !is_type_text(structs(), declared))
          declared = trimmed(declared.substr(
              0, declared.size() -
                     std::max<std::size_t>(source::word_before(declared, declared.size()).size(), 1)));
        if (is_type_text(structs(), declared))
          type = plain_type(declared) + (stars.find('*') != std::string_view::npos ? "*" : "");
        continue;
      }
    }
    const std::size_t star = declared.find('*');
    const bool is_parameter =
        begin > 0 && plain[begin - 1] == '(' && !declared.empty() && is_of_name(declared[0]);
    if (is_parameter && star == std::string_view::npos && !declared.empty() &&
        !is_type_text(structs(), declared)) {
      const auto place = parts_of(plain.substr(begin, at - begin), true).size() - 1;
      if (auto given = type_given(source::word_before(plain, begin - 1), place, begin, depth); !given.empty())
        type = given;
      continue;
    }
    if (is_type_text(structs(), declared.substr(0, star)))
      type = plain_type(declared.substr(0, star)) + (star != std::string_view::npos ? "*" : "");
    else if (source::word_before(declared, declared.size()) == "auto")
      if (const auto step = step_at(plain, at, name.size())) type = type_of(step->operand, at, depth);
  }
  return type;
}

}  // namespace warplens::problem
