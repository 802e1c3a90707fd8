#include "engine/source/structs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/code_text.hpp"
#include "engine/source/scan.hpp"
#include "engine/source/shared.hpp"
#include "engine/source/types.hpp"

namespace warplens::source {
namespace {

constexpr int kDeepest = 8;
constexpr std::int64_t kMostElements = 1 << 20;
constexpr std::string_view kParts[] = {"x", "y", "z", "w"};

std::int64_t rounded_up(std::int64_t value, std::int64_t to) { return (value + to - 1) / to * to; }

Error because(std::string reason) { return {std::move(reason), ""}; }

// Behind "struct", up to the brace or whatever else ends it: "__align__(16) Grid final : Base" has the name Grid.
std::string_view name_in_head(std::string_view head) {
  std::string_view name;
  for (std::size_t at = behind_blanks(head, 0); at < head.size(); at = behind_blanks(head, at)) {
    const std::string_view word = word_at(head, at);
    at += std::max<std::size_t>(word.size(), 1);
    if (word.empty() || word == "final") continue;
    const std::size_t next = behind_blanks(head, at);
    if (next < head.size() && head[next] == '(') {
      at = std::min(behind_bracket(head, next), head.size());
      continue;
    }
    name = word;
  }
  return name;
}

// The colon before what a struct derives from; that of "::" is none.
std::size_t colon_in(std::string_view text) {
  for (std::size_t at = text.find(':'); at != kNowhere; at = text.find(':', at + 1)) {
    if (text.substr(at, 2) != "::") return at;
    ++at;
  }
  return kNowhere;
}

// "const float* __restrict__" by what it says.
struct TypeWords {
  std::string type;
  bool is_pointer = false, is_const = false, is_reference = false;
};
TypeWords type_words(std::string_view text) {
  static constexpr std::array<std::string_view, 10> kPassedOver{
      "volatile", "struct",       "class",      "typename", "mutable",
      "enum",     "__restrict__", "__restrict", "restrict", "register"};
  TypeWords words;
  for (const std::string& word : parts_of_type(text)) {
    if (std::find(kPassedOver.begin(), kPassedOver.end(), word) != kPassedOver.end()) continue;
    if (word == "const")
      words.is_const = words.is_const || !words.is_pointer;
    else if (word == "*")
      words.is_pointer = true;
    else if (word == "&")
      words.is_reference = true;
    else
      words.type += (words.type.empty() ? "" : " ") + word;
  }
  return words;
}

StructLayout layout_of_vector(const TypeText& type) {
  StructLayout layout;
  layout.bytes = type.bytes(), layout.alignment = type.alignment();
  for (int part = 0; part < type.parts; ++part) {
    StructMember member;
    member.name = kParts[part], member.type = type.base;
    member.bytes = bytes_of(type.base), member.offset = part * member.bytes;
    layout.members.push_back(std::move(member));
  }
  layout.leaves = type.parts, layout.used = layout.bytes, layout.element = type.base;
  return layout;
}

// What a statement of a struct is that no number or pointer comes of.
bool is_no_member(std::string_view statement) {
  return has_word(statement.substr(0, statement.find_first_of("=({")),
                  {"static", "using", "typedef", "friend", "template", "operator"});
}

// Of "(*f)(float)".
bool is_function_pointer(std::string_view statement) {
  const std::size_t open = statement.find('(');
  return open != kNowhere && statement.substr(behind_blanks(statement, open + 1)).starts_with("*");
}

bool is_constructor(std::string_view function, std::string_view of) {
  return word_before(function, before_blanks(function, function.find('('))) == of;
}

void take_labels(std::string_view& statement) {
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view label : {"public", "private", "protected"}) {
      statement = trimmed(statement);
      if (!is_word_at(statement, 0, label)) continue;
      statement.remove_prefix(std::min(statement.find(':'), statement.size() - 1) + 1);
      found = true;
    }
  }
}

constexpr std::int64_t kMostNamed = 16;  // elements of an array that have names of their own
constexpr std::int64_t kLargest = std::int64_t{1} << 40;

// Of an array whose elements all have one value.
bool is_one_number(const StructMember& member) {
  return member.count > kMostNamed && !member.of && !member.is_pointer;
}

// Behind what is there already; where it begins is known.
Status add_member(StructMember member, std::int64_t alignment, StructLayout& laid) {
  if (member.count > kLargest / std::max<std::int64_t>(member.bytes, 1)) return because("it is too large");
  laid.bytes = member.offset + member.count * member.bytes;
  laid.alignment = std::max(laid.alignment, alignment);
  const std::int64_t each = member.of ? member.of->leaves : 1;
  const std::int64_t times = is_one_number(member) ? 1 : std::min(member.count, kMostElements);
  laid.leaves = std::min(laid.leaves + std::min(each, kMostElements) * times, kMostElements);
  laid.used += member.count * (member.of ? member.of->used : member.bytes);
  const std::string element = member.of ? member.of->element : member.is_pointer ? "uint64" : member.type;
  if (laid.element.empty()) laid.element = element;
  if (laid.element != element && !element.empty()) laid.element = "mixed";
  if (laid.bytes > kLargest) return because("it is too large");
  laid.members.push_back(std::move(member));
  return Done{};
}

void add_leaves(const StructLayout& layout, const std::string& before, std::int64_t offset,
                std::vector<StructLeaf>& leaves) {
  for (const StructMember& member : layout.members) {
    if (member.of && member.of->leaves == 0) continue;
    const std::string name = before + member.name;
    const bool is_one = is_one_number(member);
    for (std::int64_t i = 0; i < (is_one ? 1 : member.count); ++i) {
      const std::int64_t at = offset + member.offset + i * member.bytes;
      const std::string own = member.count > 1 && !is_one ? fmt::format("{}[{}]", name, i) : name;
      if (member.of)
        add_leaves(*member.of, member.name.empty() ? before : own + ".", at, leaves);
      else
        leaves.push_back(
            {own, member.type, member.is_pointer, member.is_const, at, is_one ? member.count : 1});
    }
  }
}

}  // namespace

Result<std::vector<StructLeaf>> leaves_of(const StructLayout& layout) {
  constexpr std::int64_t kMost = 64;
  if (layout.leaves > kMost) return because(fmt::format("it has more than {} numbers and pointers", kMost));
  std::vector<StructLeaf> leaves;
  add_leaves(layout, "", 0, leaves);
  return leaves;
}

Structs::Structs(std::string_view plain, const Macros& macros, Number number)
    : plain_(plain), number_(std::move(number)), aliases_(aliases_of(macros)) {
  add_aliases(plain_, aliases_);
  for (const std::string_view keyword : {"struct", "class", "union"})
    for (std::size_t at = find_word(plain_, keyword); at != kNowhere; at = find_word(plain_, keyword, at + 1))
      add_definition(at, keyword.size());
}

void Structs::add_definition(std::size_t keyword, std::size_t length) {
  const std::size_t from = keyword + length, open = plain_.find_first_of("{;=", from);
  if (open == kNowhere || plain_[open] != '{') return;
  const std::string_view before = word_before(plain_, before_blanks(plain_, keyword));
  if (before == "enum") return;
  const std::string_view head = plain_.substr(from, open - from);
  const std::size_t behind = behind_bracket(plain_, open), colon = colon_in(head);
  if (behind == kNowhere || head.find_first_of(">)") < std::min(head.find('('), colon)) return;
  Definition found;
  found.at = keyword;
  found.members = plain_.substr(open + 1, behind - open - 2);
  if (colon != kNowhere) found.bases = trimmed(head.substr(colon + 1));
  found.is_union = is_word_at(plain_, keyword, "union");
  if (const auto in_brackets = template_before(plain_, keyword); !in_brackets.empty())
    found.of_template = template_of(in_brackets);
  for (const std::string_view word : {"__align__", "alignas"})
    if (const std::size_t at = find_word(head, word); at != kNowhere) {
      const std::size_t bracket = head.find('(', at), end = behind_bracket(head, bracket);
      found.alignment = end == kNowhere ? std::string_view() : head.substr(bracket + 1, end - bracket - 2);
    }
  if (const std::string_view name = name_in_head(head.substr(0, colon)); !name.empty())
    definitions_.emplace(name, found);
  if (before != "typedef") return;
  for (const std::string_view name : parts_of(plain_.substr(behind, plain_.find(';', behind) - behind)))
    if (!name.empty() && word_at(name, 0) == name) definitions_.emplace(name, found);
}

bool Structs::has(std::string_view type) const {
  type = trimmed(type.substr(0, type.find('<')));
  return definitions_.contains(type);
}

std::vector<std::string> Structs::functors() const {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const auto& [name, definition] : definitions_) {
    const std::size_t at = find_word(definition.members, "operator");
    if (at == kNowhere || definition.members.substr(behind_blanks(definition.members, at + 8), 1) != "(")
      continue;
    std::string arguments;
    for (const TemplateParameter& parameter : definition.of_template) {
      const std::string one = !parameter.fallback.empty()    ? parameter.fallback
                              : parameter.type == "typename" ? "float"
                                                             : "1";
      arguments += (arguments.empty() ? "" : ", ") + one;
    }
    found.emplace_back(definition.at, arguments.empty() ? name : name + "<" + arguments + ">");
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (auto& one : found) names.push_back(std::move(one.second));
  return names;
}

Result<SharedLayout> Structs::of(std::string_view type) const {
  return laid_out(std::string(trimmed(type)), 0);
}

Result<SharedLayout> Structs::laid_out(const std::string& type, int depth) const {
  if (const auto known = known_.find(type); known != known_.end()) return known->second;
  if (depth > kDeepest) return because("its structs are too deep in each other");
  if (type == "dim3") return laid_out("uint3", depth);
  if (const auto vector = read_type(type); vector && vector->parts > 1)
    return SharedLayout(std::make_shared<StructLayout>(layout_of_vector(*vector)));
  const std::size_t less = std::min(type.find('<'), type.size());
  std::string name(trimmed(std::string_view(type).substr(0, less)));
  if (const std::size_t colons = name.rfind("::"); colons != kNowhere && !definitions_.contains(name))
    name = name.substr(colons + 2);
  const auto found = definitions_.find(name);
  if (found == definitions_.end()) return because("the file does not define it");
  const Definition& definition = found->second;
  if (definition.is_union) return because("it is a union");
  const std::size_t more = type.rfind('>');
  const auto given = more == kNowhere || more < less
                         ? std::vector<std::string_view>()
                         : parts_of(std::string_view(type).substr(less + 1, more - less - 1), true);
  const std::string members = with_given(definition.members, definition.of_template, given),
                    bases = with_given(definition.bases, definition.of_template, given);
  StructLayout laid;
  laid.name = name;
  if (definition.alignment) {
    const auto own = number_(*definition.alignment);
    if (!own || *own < 1 || *own > 4096) return because("its alignment is not known");
    laid.alignment = *own;
  }
  Status added = add_bases(bases, depth, laid);
  if (added) added = add_members(members, depth, laid);
  if (!added) return known_.emplace(type, added.error()).first->second;
  laid.bytes = rounded_up(std::max<std::int64_t>(laid.bytes, 1), laid.alignment);
  return known_.emplace(type, SharedLayout(std::make_shared<StructLayout>(std::move(laid)))).first->second;
}

Status Structs::add_bases(std::string_view bases, int depth, StructLayout& laid) const {
  for (const std::string_view base : parts_of(bases, true)) {
    std::string_view type = trimmed(base);
    for (const std::string_view word : {"virtual", "public", "private", "protected"})
      if (is_word_at(type, 0, word)) {
        if (word == "virtual") return because("it derives from a virtual base");
        type = trimmed(type.substr(word.size()));
      }
    // Of the standard library and Thrust, without members.
    if (type.find("unary_function") != kNowhere || type.find("binary_function") != kNowhere) continue;
    auto own = laid_out(std::string(type), depth + 1);
    if (!own) return because(fmt::format("it derives from {}, and {}", type, own.error().message));
    if ((*own)->members.empty()) continue;
    const StructMember& last = (*own)->members.back();
    if (last.offset + last.count * last.bytes < (*own)->bytes)
      return because(
          fmt::format("it derives from {}, which has room for members of others at its end", type));
    StructMember member;
    member.of = *own, member.bytes = (*own)->bytes;
    member.offset = rounded_up(laid.bytes, (*own)->alignment);
    laid.has_constructor = true;
    if (Status added = add_member(std::move(member), (*own)->alignment, laid); !added) return added;
  }
  return Done{};
}

Result<StructMember> Structs::member_of_type(std::string_view text, int depth) const {
  StructMember member;
  TypeWords words = type_words(text);
  for (int times = 0; times < 4; ++times) {
    const auto alias = aliases_.find(words.type);
    if (alias == aliases_.end() || definitions_.contains(words.type)) break;
    const TypeWords other = type_words(alias->second);
    if (other.type == words.type) break;
    words = {other.type, words.is_pointer || other.is_pointer, words.is_const || other.is_const,
             words.is_reference || other.is_reference};
  }
  if (words.is_reference) return because("is a reference");
  member.type = words.type, member.is_pointer = words.is_pointer, member.is_const = words.is_const;
  if (words.is_pointer) {
    member.bytes = 8;
    return member;
  }
  if (const auto known = read_type(words.type); known && known->parts == 1) {
    member.type = known->base, member.bytes = known->bytes();
    return member;
  }
  auto own = laid_out(words.type, depth + 1);
  if (!own) return because(fmt::format("has the type {}: {}", words.type, own.error().message));
  member.of = *own, member.bytes = (*own)->bytes;
  return member;
}

// Takes the alignment off that a member begins with.
std::optional<std::int64_t> Structs::alignment_in(std::string_view& statement) const {
  for (const std::string_view word : {"__align__", "alignas"}) {
    if (!is_word_at(statement, 0, word)) continue;
    const std::size_t open = statement.find('('), end = behind_bracket(statement, open);
    if (end == kNowhere) return std::nullopt;
    const auto own = number_(statement.substr(open + 1, end - open - 2));
    statement = trimmed(statement.substr(end));
    return own;
  }
  return 1;
}

// "float x, y[3]" behind what is there already.
Status Structs::add_statement(std::string_view statement, int depth, StructLayout& laid) const {
  take_labels(statement);
  statement = trimmed(statement);
  const auto alignment = alignment_in(statement);
  if (statement.empty() || is_no_member(statement)) return Done{};
  if (has_word(statement, {"virtual"})) return because("it has virtual functions");
  const std::size_t set = std::min(statement.find_first_of("={"), statement.size());
  if (statement.find('(') < set) {
    if (is_function_pointer(statement)) return because("a member of it is a pointer to a function");
    laid.has_constructor |= is_constructor(statement, laid.name);
    return Done{};
  }
  if (!alignment || *alignment < 1) return because("the alignment of a member is not known");
  std::string type;
  for (std::string_view part : parts_of(statement, true)) {
    const bool is_first = type.empty();
    const std::size_t end = std::min(part.find_first_of("={"), part.size());
    const std::string_view initial = trimmed(part.substr(end));
    part = trimmed(part.substr(0, end));
    const std::size_t open = std::min(part.find('['), part.size()), behind = before_blanks(part, open);
    const std::string_view name = word_before(part, behind);
    const std::string_view before = trimmed(part.substr(0, behind - name.size()));
    if (colon_in(part) != kNowhere) return because("a member of it is a bit field");
    if (name.empty()) return because("a member of it is not understood");
    if (is_first) type = before.substr(0, std::min(before.find_last_not_of("* ") + 1, before.size()));
    auto member = member_of_type(is_first ? std::string(before) : type + std::string(before), depth);
    if (!member) return because(fmt::format("its member {} {}", name, member.error().message));
    member->name = name, member->initial = initial.starts_with("=") ? trimmed(initial.substr(1)) : initial;
    for (const std::string_view extent : extents_at(part, open)) {
      const auto edge = number_(extent);
      if (!edge || *edge < 1 || *edge > kMostElements)
        return because(fmt::format("nobody knows how many elements its member {} has", name));
      member->count = std::min(member->count * *edge, kMostElements * kMostElements);
    }
    const std::int64_t own_alignment = member->of           ? member->of->alignment
                                       : member->is_pointer ? 8
                                                            : member->bytes;
    const std::int64_t aligned = std::max(own_alignment, *alignment);
    member->offset = rounded_up(laid.bytes, aligned);
    if (Status added = add_member(*std::move(member), aligned, laid); !added) return added;
  }
  return Done{};
}

Status Structs::add_members(std::string_view members, int depth, StructLayout& laid) const {
  std::size_t begin = 0;
  for (std::size_t at = 0; at < members.size(); ++at) {
    if (members[at] == ';') {
      if (Status added = add_statement(members.substr(begin, at - begin), depth, laid); !added) return added;
      begin = at + 1;
    }
    if (members[at] != '{') continue;
    const std::size_t behind = behind_bracket(members, at);
    if (behind == kNowhere) return because("it is not understood");
    std::string_view before = members.substr(begin, at - begin);
    take_labels(before);
    const bool is_function = before.find('(') < before.find('=');
    const bool is_type = has_word(before, {"struct", "class", "union", "enum"}) && !is_function;
    if (has_word(before, {"virtual"})) return because("it has virtual functions");
    if (is_type && has_word(before, {"union"})) return because("a member of it is a union");
    const std::size_t next = behind_blanks(members, behind);
    const bool ends = next < members.size() && members[next] == ';';
    if (is_type && !ends && name_in_head(before.substr(before.find_first_of(" \n") + 1)).empty())
      return because("a member of it has a type without a name");
    laid.has_constructor |= is_function && is_constructor(before, laid.name);
    at = behind - 1;
    // Behind a type of its own there may be members of it, and an initializer is part of its member.
    if (is_function || trimmed(before).empty() || trimmed(before).starts_with(",")) begin = behind;
    if (is_type && ends) begin = behind;
    if (is_type && !ends) return because("a member of it is declared with its type");
  }
  return Done{};
}

namespace {

std::string name_of_leaf(const KernelSignature& kernel, std::string_view parameter, std::string_view leaf) {
  std::string name = std::string(parameter) + "_";
  for (const char c : leaf)
    if (c != ']') name += is_of_name(c) ? c : '_';
  const auto is_taken = [&](const KernelParameter& other) { return other.name == name; };
  while (std::any_of(kernel.parameters.begin(), kernel.parameters.end(), is_taken)) name += "_";
  return name;
}

}  // namespace

KernelSignature with_members(KernelSignature kernel, const Structs& structs) {
  std::vector<KernelParameter> parameters;
  for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
    KernelParameter& parameter = kernel.parameters[p];
    const auto known = read_type(parameter.type);
    const bool is_open = std::any_of(kernel.of_template.begin(), kernel.of_template.end(),
                                     [&](const auto& one) { return one.name == parameter.type; });
    const bool is_struct =
        !parameter.is_pointer && !is_open && (!known || known->parts > 1) && parameter.type != "CUtensorMap";
    const auto layout = is_struct ? structs.of(parameter.type) : Result<SharedLayout>(SharedLayout());
    const auto leaves = layout && *layout ? leaves_of(**layout) : Result<std::vector<StructLeaf>>(Error{});
    if (!is_struct || !layout || !leaves) {
      if (is_struct) parameter.reason = layout ? leaves.error().message : layout.error().message;
      parameters.push_back(parameter);
      continue;
    }
    kernel.structs.push_back({p, parameter.name, parameter.type, (*layout)->bytes});
    for (const StructLeaf& leaf : *leaves) {
      KernelParameter member;
      member.name = name_of_leaf(kernel, parameter.name, leaf.name);
      member.type = leaf.type, member.is_pointer = leaf.is_pointer, member.is_const = leaf.is_const;
      member.within = WithinStruct{p, leaf.offset, leaf.count, parameter.name + "." + leaf.name};
      parameters.push_back(std::move(member));
    }
  }
  kernel.parameters = std::move(parameters);
  return kernel;
}

std::string named_as_parameters(std::string_view body, const KernelSignature& kernel) {
  std::string text(body);
  for (const KernelParameter& parameter : kernel.parameters) {
    if (!parameter.within) continue;
    const std::string& written = parameter.within->written;
    for (std::size_t at = find_word(text, written); at != kNowhere; at = find_word(text, written, at + 1))
      if (at == 0 || (text[at - 1] != '.' && text[at - 1] != '>'))
        text.replace(at, written.size(), parameter.name);
  }
  return text;
}

}  // namespace warplens::source
