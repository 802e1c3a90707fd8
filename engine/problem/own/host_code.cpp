#include "engine/problem/own/host_code.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "engine/base/code_text.hpp"
#include "engine/problem/own/guess_words.hpp"
#include "engine/source/c_expression.hpp"
#include "engine/source/tokens.hpp"

namespace warplens::problem {
namespace {

using source::CNumber;

constexpr int kDeepestLookup = 12;

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_of_name) &&
         std::isdigit(static_cast<unsigned char>(text.front())) == 0;
}

bool is_number(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

std::optional<CNumber> call(std::string_view name, const std::vector<CNumber>& a) {
  const std::string small = lower(name);
  const auto has = [&](std::string_view part) { return small.find(part) != std::string::npos; };
  if (a.size() == 2 && a[1].value != 0 &&
      (has("ceil") || has("cdiv") || has("div_up") || has("divup") || has("divide")))
    return CNumber{std::ceil(a[0].value / a[1].value), true};
  if (a.size() == 2 && small.ends_with("min")) return a[0].value < a[1].value ? a[0] : a[1];
  if (a.size() == 2 && small.ends_with("max")) return a[0].value < a[1].value ? a[1] : a[0];
  if (a.size() == 2 && small.ends_with("pow"))
    return CNumber{std::pow(a[0].value, a[1].value), a[0].is_whole};
  if (a.size() != 1) return std::nullopt;
  if (has("ceil")) return CNumber{std::ceil(a[0].value), false};
  if (has("floor")) return CNumber{std::floor(a[0].value), false};
  if (small == "sqrt") return CNumber{std::sqrt(a[0].value), false};
  if (small == "int" || small == "size_t" || small == "unsigned")
    return CNumber{std::trunc(a[0].value), true};
  return std::nullopt;
}

}  // namespace

std::string_view pointer_name(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with("(") && closing(text, 0) + 1 < text.size())
    text = trimmed(text.substr(closing(text, 0) + 1));
  if (text.ends_with(">(")) return {};
  if (const std::size_t open = text.find(">("); open != std::string_view::npos) {  // reinterpret_cast<T*>(x)
    text = text.substr(open + 2);
    text = text.substr(0, text.rfind(')'));
  }
  while (!text.empty() && (text.front() == '&' || text.front() == ' ' || text.front() == '*'))
    text.remove_prefix(1);
  std::size_t end = source::word_at(text, 0).size();
  while (end > 0 && end < text.size() && text[end] == '.') {  // a member, unless it is a function
    const std::size_t length = source::word_at(text, end + 1).size();
    if (length == 0 || text.substr(std::min(end + 1 + length, text.size())).starts_with("(")) break;
    end += 1 + length;
  }
  return text.substr(0, end);
}

std::optional<std::int64_t> HostCode::whole(std::optional<double> value) {
  if (!value || !(std::abs(*value) < 0x1p50)) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

std::size_t closing(std::string_view text, std::size_t open) {
  const std::size_t behind = source::behind_bracket(text, open, 20'000);
  return behind == std::string_view::npos ? behind : behind - 1;
}

HostCode::HostCode(std::string_view code) : macros_(source::macros_of_compiler()) {
  plain_ = source::blanked(source::taken_branches(code, macros_));
  flow_.emplace(plain_);
}

// Where the file sets or changes a name, or a member as "grid.x": the last before a place first, those behind it
// last.
std::vector<HostStep> HostCode::steps(std::string_view name, std::size_t before) const {
  std::vector<HostStep> found, behind;
  const std::string_view plain = plain_;
  if ((read_ += plain.size()) > kMostRead) return found;
  for (std::size_t at = find_word(plain, name); at != std::string_view::npos && read_ <= kMostRead;
       at = find_word(plain, name, at + 1)) {
    const std::size_t next = plain.find_first_not_of(" \t\r\n", at + name.size());
    const char previous = at == 0 ? ' ' : plain[at - 1];
    if (next == std::string_view::npos || previous == '.' || plain.substr(0, at).ends_with("->")) continue;
    // The default of a template's parameter is none.
    if (const std::size_t less = plain.find_last_of("<>;{}()", at);
        less != std::string_view::npos && plain[less] == '<' &&
        source::word_before(plain, source::before_blanks(plain, less)) == "template")
      continue;
    auto step = step_at(plain, at, name.size());
    const std::size_t word = at == 0 ? std::string_view::npos : plain.find_last_not_of(" \n", at - 1);
    const bool is_declared =
        word != std::string_view::npos && word + 1 < at &&
        (is_of_name(plain[word]) || (plain[word] == ',' && find_word(plain.substr(0, at), "dim3",
                                                                     plain.find_last_of(";{", at) + 1) < at));
    if (is_declared && (plain[next] == '(' || plain[next] == '{') &&
        closing(plain, next) != std::string_view::npos)
      step = HostStep{at, "", plain.substr(next + 1, closing(plain, next) - next - 1)};
    read_ += 64 + (step ? step->operand.size() : 0);
    if (!step || step->operand.empty()) continue;
    (at < before ? found : behind).push_back(*step);
  }
  std::reverse(found.begin(), found.end());
  found.insert(found.end(), behind.begin(), behind.end());
  return found;
}

// The initializers that the file gives a name, in the same order.
std::vector<std::string_view> HostCode::definitions(std::string_view name, std::size_t before) const {
  std::vector<std::string_view> texts;
  for (const HostStep& step : steps(name, before))
    if (step.sign.empty()) texts.push_back(step.operand);
  return texts;
}

HostFlow::Reached HostCode::reached(const HostStep& step, std::size_t before, int depth) const {
  return flow_->reached(step.at, before, [&](std::string_view condition, std::size_t at) {
    const auto value = number(condition, at, depth + 1);
    return value ? std::optional(*value != 0) : std::nullopt;
  });
}

// A type that a template leaves open is float here; a struct is as large as its members make it.
std::optional<double> HostCode::size_of_open_type(std::string_view name) const {
  if (name.starts_with("struct ")) name = trimmed(name.substr(7));
  if (const auto own = struct_of(name)) return static_cast<double>(own->bytes);
  for (const char* word : {"typename ", "class "})
    if (plain_.find(word + std::string(name)) != std::string::npos) return 4;
  return std::nullopt;
}

std::optional<double> HostCode::number_of_name(std::string_view name, std::size_t before, int depth) const {
  if (depth > kDeepestLookup || ++lookups_ > kMostLookups) return std::nullopt;
  for (const auto& [other, value] : instead_)
    if (name == other) return static_cast<double>(value);
  if (name.ends_with("]")) return number_of_element(name, before, depth);
  if (name == "true" || name == "false") return name == "true" ? 1 : 0;
  if (name.starts_with("sizeof ")) {
    const auto type = size_of_open_type(name.substr(7));
    return type ? type : size_of_array(name.substr(7), before, depth);
  }
  if (name.size() > 2 && name[name.size() - 2] == '.') {
    bool is_found = false;
    const auto value = number_of_steps(name, before, depth, is_found);
    if (is_found) return value;
    const auto texts = edges_as_declared(name.substr(0, name.size() - 2), before, depth + 1);
    const auto which = static_cast<std::size_t>(name.back() - 'x');
    if (texts.empty()) return std::nullopt;
    return which < texts.size() ? number(texts[which], before, depth + 1) : 1;
  }
  if (const auto macro = macros_.find(name); macro != macros_.end())
    return number(macro->second, before, depth + 1);
  bool is_found = false;
  const auto value = number_of_steps(name, before, depth, is_found);
  if (is_found) return value;
  if (name == "argc") return 1;  // as if the program were started without arguments
  const std::string argument = given(name, before, depth);
  if (argument.empty()) return number_passed(name, before, depth);
  return argument == name ? std::nullopt : number(argument, before, depth + 1);
}

// Of a parameter of the function around a place what all calls of that function pass.
std::optional<double> HostCode::number_passed(std::string_view name, std::size_t inside, int depth) const {
  if ((read_ += plain_.size()) > kMostRead) return std::nullopt;
  const HostFlow::Called called = flow_->called_around(inside);
  const std::size_t place = called.place_of(name);
  std::optional<double> value;
  for (const HostFlow::Call& call : called.calls) {
    const auto passed =
        place < call.arguments.size() ? number(call.arguments[place], call.at, depth + 1) : std::nullopt;
    if (!passed || (value && *value != *passed)) return std::nullopt;
    value = passed;
  }
  return value;
}

// Of "size[1]".
std::optional<double> HostCode::number_of_element(std::string_view element, std::size_t before,
                                                  int depth) const {
  const std::size_t open = std::min(element.find('['), element.size() - 1);
  const auto listed = elements_listed(plain_, element.substr(0, open), before);
  const auto index = number(element.substr(open + 1, element.size() - open - 2), before, depth + 1);
  if (!index || !(*index >= 0 && *index < static_cast<double>(listed.size()))) return std::nullopt;
  return number(listed[static_cast<std::size_t>(*index)], before, depth + 1);
}

// By what sets and changes it, the last first. What a loop did to it, or an if of which nobody knows whether it
// holds, is not known: then it is found and has no value.
std::optional<double> HostCode::number_of_steps(std::string_view name, std::size_t before, int depth,
                                                bool& is_found) const {
  using enum HostFlow::Reached;
  const auto list = steps(name, before);
  auto function = flow_->function_of(before);
  for (const HostStep& step : list) {
    const bool is_set = step.sign.empty();
    if (!function && is_set) function = flow_->function_of(step.at);
    if (!is_set && (step.at >= before || flow_->function_of(step.at) != function)) continue;
    const auto how = step.at < before ? reached(step, before, depth) : yes;
    if (how == no) continue;
    // "n = max(n, 32)" is of what it was before; where that is not known, neither is this.
    const bool is_of_itself = !is_set || find_word(step.operand, name) != std::string_view::npos;
    is_found = is_of_itself;
    if (is_of_itself && (how == several_times || (!is_set && how == unknown))) return std::nullopt;
    const auto operand = number(step.operand, is_of_itself ? step.at : before, depth + 1);
    if (is_set && operand) return is_found = true, operand;
    if (is_set && is_of_itself) return std::nullopt;
    if (is_set) continue;
    const auto old = number_of_name(name, step.at, depth + 1);
    if (!old || !operand) return std::nullopt;
    const source::CNames sides{[&](std::string_view side) {
      const double value = side == "a" ? *old : *operand;
      return std::optional(CNumber{value, value == std::floor(value)});
    }};
    const auto changed = source::evaluate_c("a " + std::string(step.sign) + " b", sides);
    return changed ? std::optional(changed->value) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> HostCode::number(std::string_view text, std::size_t before, int depth) const {
  const source::CNames names{[&](std::string_view name) -> std::optional<CNumber> {
                               const auto value = number_of_name(name, before, depth);
                               if (!value) return std::nullopt;
                               return CNumber{*value, *value == std::floor(*value)};
                             },
                             call};
  const auto value = source::evaluate_c(trimmed(text), names);
  return value ? std::optional(value->value) : std::nullopt;
}

std::optional<std::int64_t> HostCode::value(std::string_view expression) const {
  return whole(number(expression, plain_.size(), 0));
}

std::optional<std::int64_t> HostCode::value_with(const HostLaunch& launch, std::string_view expression,
                                                 const Instead& values) const {
  instead_ = values;
  const auto result = whole(number(expression, launch.at, 0));
  instead_ = {};
  return result;
}

// The edges of "dim3(16, 16)", "{16, 16}", of a dim3 by its name, or of a number. Those of a dim3 whose members
// are set one by one are "grid.x", "grid.y".
std::vector<std::string_view> HostCode::edges(std::string_view word, std::size_t before, int depth) const {
  word = trimmed(word);
  const auto declared = edges_as_declared(word, before, depth);
  if (!is_name(word)) return declared;
  std::size_t changed = 0;  // edges
  for (std::size_t d = 0; d < 3; ++d) {
    const auto list = steps(std::string(word) + "." + "xyz"[d], before);
    if (!list.empty() && list.front().at < before) changed = d + 1;
  }
  if (changed == 0) return declared;
  std::vector<std::string_view> texts;
  const bool has_value = declared != std::vector<std::string_view>{word};
  for (std::size_t d = 0; d < std::max(changed, has_value ? declared.size() : 1); ++d)
    texts.push_back(made_.emplace_back(std::string(word) + "." + "xyz"[d]));
  return texts;
}

std::vector<std::string_view> HostCode::edges_as_declared(std::string_view word, std::size_t before,
                                                          int depth) const {
  word = trimmed(word);
  if (depth > kDeepestLookup) return {};
  const std::size_t open = word.find_first_of("({");
  if ((word.starts_with("dim3") || word.starts_with("{")) && open != std::string_view::npos) {
    const std::size_t end = closing(word, open);
    return end == std::string_view::npos ? std::vector<std::string_view>()
                                         : parts_of(word.substr(open + 1, end - open - 1));
  }
  if (!is_name(word)) return {word};
  // "dim3 grid(a, b)" has two edges in its initializer, "int blocks = a" one.
  const auto function = flow_->function_of(before);
  const auto list = steps(word, before);
  const auto own = std::count_if(list.begin(), list.end(), [&](const HostStep& step) {
    return step.at < before && flow_->function_of(step.at) == function;
  });
  for (const HostStep& step : list) {
    if (!step.sign.empty()) continue;
    const auto how = step.at < before ? reached(step, before, depth) : HostFlow::Reached::yes;
    if (how == HostFlow::Reached::no) continue;
    const std::string_view text = step.operand;
    const bool has_edges = trimmed(text).starts_with("dim3") || trimmed(text).starts_with("{");
    const auto parts = has_edges ? edges(text, before, depth + 1) : parts_of(text);
    if (parts.size() > 1 && parts.size() <= 3) return parts;
    // A name of a number says more than the number: it may be a size. What a dim3 of one edge is set to right
    // before goes before what another function sets one of its name to.
    if (parts.size() == 1 && (step.at < before || !numbers(parts, before).empty()))
      return (own > 1 && !has_edges) || is_number(parts[0]) ? std::vector<std::string_view>{word} : parts;
  }
  return {word};
}

std::vector<std::int64_t> HostCode::numbers(const std::vector<std::string_view>& texts,
                                            std::size_t before) const {
  std::vector<std::int64_t> list;
  for (const std::string_view text : texts) {
    const auto value = whole(number(text, before, 0));
    if (!value || *value < 0) return {};
    list.push_back(*value);
  }
  return list;
}

std::vector<std::string> HostCode::names_behind(std::string_view words) const {
  constexpr std::size_t kMost = 24, kLongest = 200;
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
    if (is_new && names.size() < kMost) names.emplace_back(name);
  };
  const auto add_names_of = [&](std::string_view text) {
    if (text.size() > kLongest) return;
    for (std::size_t at = 0; at < text.size();) {
      const std::string_view word = source::word_at(text, at);
      const std::size_t begin = at;
      at += std::max<std::size_t>(word.size(), 1);
      if (!is_name(word)) continue;
      add(word);
      if (text.substr(at, 1) != ".") continue;
      at += 1 + source::word_at(text, at + 1).size();  // "grid.x"
      add(text.substr(begin, at - begin));
    }
  };
  add_names_of(words);
  for (std::size_t n = 0; n < names.size(); ++n) {
    const std::string name = names[n];
    if (const auto macro = macros_.find(name); macro != macros_.end()) add_names_of(macro->second);
    for (const HostStep& step : steps(name, plain_.size())) add_names_of(step.operand);
    for (const std::string_view element : elements_listed(plain_, name, plain_.size())) add_names_of(element);
  }
  return names;
}

// Of "if (size == 16) { k<16><<<...>>>(...); }" the condition right around.
bool HostCode::is_left_out(std::size_t launch) const {
  const std::string_view plain = plain_;
  std::size_t at = plain.find_last_of(";{}", launch);
  for (int level = 0; level < 2 && at != std::string_view::npos; ++level) {
    const std::size_t found = plain.rfind("if", level == 0 ? launch : at);
    const std::size_t open = found == std::string_view::npos ? found : plain.find('(', found);
    if (open != std::string_view::npos && open < launch && find_word(plain, "if", found) == found) {
      const std::size_t close = closing(plain, open);
      const std::string_view between = close < launch ? plain.substr(close + 1, launch - close - 1) : "";
      const bool is_around =
          close < launch && between.find('}') == std::string_view::npos &&
          (between.find(';') == std::string_view::npos || trimmed(between).starts_with("{"));
      const auto value =
          is_around ? number(plain.substr(open + 1, close - open - 1), launch, 0) : std::nullopt;
      if (value && *value == 0) return true;
    }
    at = at == 0 ? std::string_view::npos : plain.find_last_of(";{}", at - 1);
  }
  return false;
}

std::string HostCode::given(std::string_view parameter, std::size_t at, int depth) const {
  const std::string_view plain = plain_;
  if (depth > kDeepestLookup || ++lookups_ > kMostLookups || (read_ += plain.size()) > kMostRead) return "";
  for (std::size_t head = plain.rfind("template", at); head != std::string_view::npos && head > 0;
       head = plain.rfind("template", head - 1)) {
    const std::size_t less = plain.find('<', head), more = plain.find('>', head);
    const std::size_t open = plain.find('(', head), body = plain.find('{', head);
    if (less > more || more > open || open > body || body > at || closing(plain, body) < at) continue;
    const auto parameters = parts_of(plain.substr(less + 1, more - less - 1));
    const std::string call = std::string(source::word_before(plain, open)) + "<";
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const std::size_t equals = parameters[p].find('=');
      const std::string_view declared = trimmed(parameters[p].substr(0, equals));
      if (!declared.ends_with(parameter) || find_word(declared, parameter) == std::string_view::npos)
        continue;
      const std::size_t from = call.size() < 2 ? std::string_view::npos : plain.find(call);
      const std::size_t first = from + call.size(), end = plain.find('>', first);
      const auto arguments = from == std::string_view::npos
                                 ? std::vector<std::string_view>()
                                 : parts_of(plain.substr(first, std::min(end, first + 200) - first));
      if (p >= arguments.size() || arguments[p].empty())
        return equals == std::string_view::npos ? "" : std::string(trimmed(parameters[p].substr(equals + 1)));
      const std::string outer = is_name(arguments[p]) ? given(arguments[p], from, depth + 1) : "";
      return outer.empty() ? std::string(arguments[p]) : outer;
    }
    return "";
  }
  return "";
}

// Names of the host's constants are no names in the front matter.
std::string HostCode::resolved(std::string_view arguments, std::size_t before) const {
  std::string text;
  for (const std::string_view part : parts_of(arguments)) {
    const auto value = whole(number(part, before, 0));
    const std::string type = value || !is_name(part) ? "" : given(part, before);
    text += (text.empty() ? "" : ", ") + (value          ? std::to_string(*value)
                                          : type.empty() ? std::string(part)
                                                         : type);
  }
  return text;
}

HostCode::Allocation HostCode::allocation_of(std::string_view pointer, std::size_t launch) const {
  const auto function = flow_->function_of(launch);
  const auto calls = calls_on(pointer, {"cudaMalloc", "cudaMallocManaged"});
  const auto known = [&](const PointerCall& call) -> Allocation {
    if (call.arguments.size() < 2) return {};
    return {whole(number(call.arguments[1], call.at, 0)), std::string(call.arguments[1])};
  };
  // The last before the launch; what another function allocates by that name is another array then.
  const PointerCall* own = nullptr;
  for (const PointerCall& call : calls)
    if (function && flow_->function_of(call.at) == function && (own == nullptr || call.at < launch))
      own = &call;
  if (own != nullptr) return known(*own);
  for (const PointerCall& call : calls)
    if (auto allocation = known(call); allocation.bytes) return allocation;
  return calls.empty() ? Allocation() : known(calls.front());
}

bool HostCode::is_copied_back(std::string_view pointer) const {
  const std::string_view plain = plain_, name = pointer_name(pointer);
  for (const std::string_view function : {"cudaMemcpy", "cudaMemcpyAsync"})
    for (std::size_t at = find_word(plain, function); at != std::string_view::npos && !name.empty();
         at = find_word(plain, function, at + 1)) {
      const std::size_t open = plain.find('(', at);
      const std::size_t close = open == std::string_view::npos ? open : closing(plain, open);
      if (close == std::string_view::npos) continue;
      const auto parts = parts_of(plain.substr(open + 1, close - open - 1));
      if (parts.size() >= 4 && parts[3].find("DeviceToHost") != std::string_view::npos &&
          find_word(parts[1], name) != std::string_view::npos)
        return true;
    }
  return false;
}

std::vector<HostCode::PointerCall> HostCode::calls_on(
    std::string_view pointer, std::initializer_list<std::string_view> functions) const {
  const std::string_view name = pointer_name(pointer);
  std::vector<PointerCall> calls;
  for (const std::string_view function : functions) {
    for (std::size_t at = find_word(plain_, function); at != std::string::npos && !name.empty();
         at = find_word(plain_, function, at + 1)) {
      const std::size_t open = plain_.find('(', at);
      const std::size_t close = open == std::string::npos ? open : closing(plain_, open);
      if (close == std::string::npos) continue;
      auto parts = parts_of(std::string_view(plain_).substr(open + 1, close - open - 1));
      if (!parts.empty() && find_word(parts[0], name) != std::string_view::npos)
        calls.push_back({at, std::move(parts)});
    }
  }
  return calls;
}

// The first of the launching function; of another one only where that does not allocate the pointer.
HostCode::PointerCall HostCode::call_on(std::string_view pointer,
                                        std::initializer_list<std::string_view> functions,
                                        std::size_t launch) const {
  const auto function = flow_->function_of(launch);
  const auto is_own = [&](const PointerCall& call) {
    return function && flow_->function_of(call.at) == function;
  };
  auto calls = calls_on(pointer, functions);
  for (PointerCall& call : calls)
    if (is_own(call)) return std::move(call);
  const auto made = calls_on(pointer, {"cudaMalloc", "cudaMallocManaged"});
  if (calls.empty() || std::any_of(made.begin(), made.end(), is_own)) return {};
  return std::move(calls.front());
}

bool HostCode::is_filled(std::string_view pointer, std::size_t launch) const {
  return !call_on(pointer, {"cudaMemcpy", "cudaMemcpyAsync", "cudaMemset", "cudaMemsetAsync"}, launch)
              .arguments.empty();
}

std::optional<std::int64_t> HostCode::byte_set(std::string_view pointer, std::size_t launch) const {
  const PointerCall call = call_on(pointer, {"cudaMemset", "cudaMemsetAsync"}, launch);
  for (const PointerCall& copy : calls_on(pointer, {"cudaMemcpy", "cudaMemcpyAsync"}))
    if (copy.at > call.at && copy.at < launch) return std::nullopt;  // some of it has other values then
  return call.arguments.size() < 2 ? std::nullopt : whole(number(call.arguments[1], call.at, 0));
}

}  // namespace warplens::problem
