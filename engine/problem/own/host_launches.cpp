// Launches as host code writes them: k<<<...>>>(...), and the functions of the runtime that launch.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "engine/base/code_text.hpp"
#include "engine/problem/own/host_code.hpp"
#include "engine/source/types.hpp"

namespace warplens::problem {
namespace {

constexpr int kDeepestName = 12;

struct Call {
  std::string_view name;
  bool is_cooperative;
};
// kernel, grid, block, arguments by address, shared memory, stream
constexpr Call kCalls[] = {{"cudaLaunchCooperativeKernel", true}, {"cudaLaunchKernel", false}};
// The address of a cudaLaunchConfig_t, kernel, arguments
constexpr std::string_view kCallOfConfig = "cudaLaunchKernelEx";

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "&n" and "(void*)&n" are n.
std::string_view behind_address(std::string_view text) {
  const std::size_t sign = text.rfind('&');
  return trimmed(sign == std::string_view::npos ? text : text.substr(sign + 1));
}

// Whether the place of a name, and what stands around it, changes its value other than by "name = ...".
bool is_changed_at(std::string_view plain, std::size_t at, std::size_t length) {
  if (const auto step = step_at(plain, at, length); step && !step->sign.empty()) return true;
  const bool has_member = plain.substr(at + length, 1) == ".";
  const std::size_t member = has_member ? source::word_at(plain, at + length + 1).size() + 1 : 0;
  if (has_member && step_at(plain, at, length + member)) return true;  // "grid.x = 4"
  const std::size_t last = source::before_blanks(plain, at);
  const std::string_view before = plain.substr(last < 2 ? 0 : last - 2, last < 2 ? last : 2);
  if (before == ">>") return true;
  return before.ends_with('&') && before != "&&";  // its address is given away
}

// Whether the name at a place is a parameter, "int n," or "int n)", of the function that another place is in.
bool is_parameter_around(std::string_view plain, std::size_t at, std::size_t length, std::size_t inside) {
  const std::size_t next = plain.find_first_not_of(" \t\r\n", at + length);
  const std::size_t last = at == 0 ? std::string_view::npos : plain.find_last_not_of(" \t\r\n&", at - 1);
  if (next == std::string_view::npos || last == std::string_view::npos || at > inside) return false;
  const bool ends = plain[next] == ',' || plain[next] == ')';
  if (!ends || last + 1 >= at || !is_of_name(plain[last])) return false;
  int depth = 1;
  std::size_t close = next;
  for (; close < plain.size() && depth > 0; ++close)
    depth += plain[close] == '(' ? 1 : plain[close] == ')' ? -1 : 0;
  const std::size_t open = plain.find_first_of("{;,", close);
  if (open == std::string_view::npos || plain[open] != '{' || open > inside) return false;
  depth = 0;
  for (std::size_t end = open; end < inside; ++end) {
    depth += plain[end] == '{' ? 1 : plain[end] == '}' ? -1 : 0;
    if (depth == 0) return false;  // that function ends before
  }
  return true;
}

}  // namespace

// Whether a name has one value in all of the file, that of its only definition.
bool HostCode::is_certain_name(std::string_view name, std::size_t inside, int depth) const {
  if (depth > kDeepestName || ++lookups_ > kMostLookups || read_ > kMostRead) return false;
  if (const auto macro = macros_.find(name); macro != macros_.end())
    return is_certain(macro->second, inside, depth + 1);
  const auto texts = definitions(name, plain_.size());
  if (texts.size() != 1) return false;
  read_ += plain_.size();
  for (std::size_t at = find_word(plain_, name); at != std::string::npos;
       at = find_word(plain_, name, at + 1)) {
    const bool is_member = at > 0 && (plain_[at - 1] == '.' || plain_[at - 1] == '>');
    if (!is_member &&
        (is_changed_at(plain_, at, name.size()) || is_parameter_around(plain_, at, name.size(), inside)))
      return false;
  }
  return is_certain(texts[0], inside, depth + 1);
}

bool HostCode::is_certain(std::string_view words, std::size_t inside, int depth) const {
  for (std::size_t at = 0; at < words.size();) {
    std::size_t end = at;
    while (end < words.size() && is_of_name(words[end])) ++end;
    const std::string_view word = words.substr(at, end - at);
    const bool is_member = at > 0 && words[at - 1] == '.';
    const bool is_called = end < words.size() && words[end] == '(';
    if (!word.empty() && !is_digit(word[0]) && !is_member && !is_called && word != "dim3" &&
        !source::read_type(word) && !is_certain_name(word, inside, depth))
      return false;
    at = std::max(end, at + 1);
  }
  return true;
}

bool HostCode::are_certain(const std::vector<std::string_view>& texts, std::size_t inside) const {
  return std::all_of(texts.begin(), texts.end(),
                     [&](std::string_view text) { return is_certain(text, inside, 0); });
}

void HostCode::read_shape(HostLaunch& launch, std::string_view grid, std::string_view block) const {
  const auto across = edges(grid, launch.at), threads = edges(block, launch.at);
  launch.grid = numbers(across, launch.at);
  launch.grid_text.assign(across.begin(), across.end());
  launch.is_grid_certain = is_certain(grid, launch.at, 0) && are_certain(across, launch.at);
  launch.block = numbers(threads, launch.at);
  launch.block_text.assign(threads.begin(), threads.end());
  launch.is_block_certain = is_certain(block, launch.at, 0) && are_certain(threads, launch.at);
  // Nobody launches nothing: where it is not certain, something is not understood.
  const auto has_none = [](const std::vector<std::int64_t>& edges) {
    return std::find(edges.begin(), edges.end(), 0) != edges.end();
  };
  if (has_none(launch.grid) && !launch.is_grid_certain) launch.grid.clear();
  if (has_none(launch.block) && !launch.is_block_certain) launch.block.clear();
}

void HostCode::read_shared(HostLaunch& launch, std::string_view text) const {
  launch.shared_text = text;
  launch.shared = whole(number(text, launch.at, 0));
  launch.has_shared = launch.shared != 0;
  launch.is_shared_certain = launch.shared && is_certain(text, launch.at, 0);
}

void HostCode::add_argument(HostLaunch& launch, std::string_view text) const {
  launch.arguments.emplace_back(text);
  const auto value = number(text, launch.at, 0);
  launch.numbers.push_back(value);
  launch.values.push_back(value && *value == std::floor(*value) ? whole(value) : std::nullopt);
}

HostLaunch HostCode::launch_at(std::size_t at) const {
  HostLaunch launch;
  launch.at = at;
  launch.line = 1 + static_cast<int>(
                        std::count(plain_.begin(), plain_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  return launch;
}

HostLaunch HostCode::read_launch(std::size_t at, std::string_view before_launch) const {
  const std::string_view plain = plain_;
  HostLaunch launch = launch_at(at);
  launch.is_by_brackets = true;
  if (const std::size_t less = before_launch.find('<'); less != std::string_view::npos)
    launch.template_arguments =
        resolved(before_launch.substr(less + 1, before_launch.rfind('>') - less - 1), at);
  const std::size_t end = plain.find(">>>", at);
  if (end == std::string_view::npos) return launch;
  const auto parts = parts_of(plain.substr(at + 3, end - at - 3));
  if (parts.size() >= 2) read_shape(launch, parts[0], parts[1]);
  launch.is_read = parts.size() >= 2;
  if (parts.size() >= 3) read_shared(launch, parts[2]);
  const std::size_t open = plain.find_first_not_of(" \t\r\n", end + 3);
  const std::size_t close =
      open == std::string_view::npos || plain[open] != '(' ? open : closing(plain, open);
  if (open == std::string_view::npos || plain[open] != '(' || close == std::string_view::npos) return launch;
  for (const std::string_view argument : parts_of(plain.substr(open + 1, close - open - 1)))
    add_argument(launch, argument);
  return launch;
}

// Of "k<<<grid, block>>>(x, n)" in a function that gets the kernel as its parameter k the launches that its calls make,
// as if they stood there: what is a parameter is what the call passes.
void HostCode::add_passed_on(const std::string& kernel, std::size_t at,
                             std::vector<HostLaunch>& launches) const {
  const std::string_view plain = plain_;
  const std::string_view name = source::word_before(plain, source::before_blanks(plain, at));
  const std::size_t end = plain.find(">>>", at);
  const std::size_t open = end == std::string_view::npos ? end : source::behind_blanks(plain, end + 3);
  if (open >= plain.size() || plain[open] != '(' || (read_ += plain.size()) > kMostRead) return;
  const std::size_t close = closing(plain, open);
  const HostFlow::Called called = flow_->called_around(at);
  const std::size_t place = called.place_of(name);
  if (close == std::string_view::npos || name.empty() || place == called.parameters.size()) return;
  for (const HostFlow::Call& call : called.calls) {
    if (place >= call.arguments.size() || find_word(call.arguments[place], kernel) == std::string_view::npos)
      continue;
    const auto passed = [&](std::string_view text) -> std::string_view {
      std::string instead;
      for (std::size_t from = 0; from < text.size();) {
        const std::string_view word = source::word_at(text, from);
        const std::size_t mine = word.empty() ? called.parameters.size() : called.place_of(word);
        const bool is_given = mine < call.arguments.size();
        instead += is_given ? call.arguments[mine] : text.substr(from, std::max<std::size_t>(word.size(), 1));
        from += std::max<std::size_t>(word.size(), 1);
      }
      return made_.emplace_back(std::move(instead));
    };
    HostLaunch launch = launch_at(call.at);
    launch.is_by_brackets = launch.is_read = true;
    const std::string_view given = call.arguments[place];
    if (const std::size_t less = given.find('<'); less != std::string_view::npos)
      launch.template_arguments = resolved(given.substr(less + 1, given.rfind('>') - less - 1), call.at);
    const auto parts = parts_of(plain.substr(at + 3, end - at - 3));
    if (parts.size() < 2) continue;
    read_shape(launch, passed(parts[0]), passed(parts[1]));
    if (parts.size() >= 3) read_shared(launch, passed(parts[2]));
    for (const std::string_view argument : parts_of(plain.substr(open + 1, close - open - 1)))
      add_argument(launch, passed(argument));
    launches.push_back(std::move(launch));
  }
}

// "void* args[] = {&a, &n};", the last before the launch.
std::vector<std::string_view> HostCode::addresses_in(std::string_view name, std::size_t before) const {
  const std::string_view plain = plain_;
  std::vector<std::string_view> addresses;
  if (const std::size_t open = name.find('{'); open != std::string_view::npos)  // (void*[]){&a, &n}
    return parts_of(name.substr(open + 1, name.rfind('}') - open - 1));
  name = behind_address(name.substr(0, name.find('[')));
  for (std::size_t at = find_word(plain, name); at < before; at = find_word(plain, name, at + 1)) {
    const std::size_t index = plain.find_first_not_of(" \t\r\n", at + name.size());
    if (index == std::string_view::npos || plain[index] != '[') continue;
    const std::size_t equals = plain.find_first_not_of(" \t\r\n", plain.find(']', index) + 1);
    const std::size_t open = equals == std::string_view::npos ? equals : plain.find('{', equals);
    if (open == std::string_view::npos || plain.find(';', equals) < open) continue;
    const std::size_t close = closing(plain, open);
    if (close != std::string_view::npos) addresses = parts_of(plain.substr(open + 1, close - open - 1));
  }
  return addresses;
}

// The value that a member of a launch's configuration was given last.
std::string_view HostCode::member_of(std::string_view config, std::string_view member,
                                     std::size_t before) const {
  const std::string_view plain = plain_;
  std::string_view text;
  for (std::size_t at = find_word(plain, config); at < before; at = find_word(plain, config, at + 1)) {
    std::size_t next = at + config.size();
    if (plain.substr(next, 1) != "." || plain.substr(next + 1, member.size()) != member) continue;
    next = plain.find_first_not_of(" \t", next + 1 + member.size());
    if (next == std::string_view::npos || plain[next] != '=') continue;
    text = trimmed(plain.substr(next + 1, plain.find(';', next) - next - 1));
  }
  return text;
}

// A launch by a function of the runtime; empty if it is of another kernel.
std::optional<HostLaunch> HostCode::read_call(std::size_t at, std::string_view name,
                                              const std::string& kernel) const {
  const std::string_view plain = plain_;
  const std::size_t open = plain.find_first_not_of(" \t\r\n", at + name.size());
  if (open == std::string_view::npos || plain[open] != '(') return std::nullopt;
  const std::size_t close = closing(plain, open);
  if (close == std::string_view::npos) return std::nullopt;
  const auto parts = parts_of(plain.substr(open + 1, close - open - 1));
  const bool has_config = name == kCallOfConfig;
  if (parts.size() < (has_config ? 2u : 4u)) return std::nullopt;
  const std::string_view called = parts[has_config ? 1 : 0];
  const std::size_t place = find_word(called, kernel);
  if (place == std::string_view::npos) return std::nullopt;
  HostLaunch launch = launch_at(at);
  launch.is_read = true;
  if (const std::size_t less = called.find('<', place); less != std::string_view::npos)
    launch.template_arguments = resolved(called.substr(less + 1, called.rfind('>') - less - 1), at);
  if (has_config) {
    const std::string_view config = behind_address(parts[0]);
    launch.is_cooperative = find_word(plain, "cudaLaunchAttributeCooperative") != std::string_view::npos;
    read_shape(launch, member_of(config, "gridDim", at), member_of(config, "blockDim", at));
    read_shared(launch, member_of(config, "dynamicSmemBytes", at));
    for (std::size_t p = 2; p < parts.size(); ++p) add_argument(launch, parts[p]);
    return launch;
  }
  for (const Call& call : kCalls) launch.is_cooperative |= call.name == name && call.is_cooperative;
  read_shape(launch, parts[1], parts[2]);
  for (const std::string_view argument : addresses_in(parts[3], at))
    add_argument(launch, behind_address(argument));
  if (parts.size() >= 5) read_shared(launch, parts[4]);
  return launch;
}

// In the order of the file.
std::vector<HostLaunch> HostCode::launches_of(const std::string& kernel) const {
  std::vector<HostLaunch> launches;
  for (std::size_t at = plain_.find("<<<"); at != std::string::npos; at = plain_.find("<<<", at + 3)) {
    const std::size_t line = plain_.find_last_of(";{})", at);
    const std::string_view before = std::string_view(plain_).substr(line + 1, at - line - 1);
    if (find_word(before, kernel) != std::string_view::npos)
      launches.push_back(read_launch(at, before));
    else
      add_passed_on(kernel, at, launches);
  }
  for (const std::string_view name : {kCalls[0].name, kCalls[1].name, kCallOfConfig})
    for (std::size_t at = find_word(plain_, name); at != std::string::npos;
         at = find_word(plain_, name, at + 1))
      if (auto launch = read_call(at, name, kernel)) launches.push_back(*std::move(launch));
  std::stable_sort(launches.begin(), launches.end(),
                   [](const HostLaunch& a, const HostLaunch& b) { return a.at < b.at; });
  return launches;
}

std::optional<HostLaunch> HostCode::launch_of(const std::string& kernel) const {
  std::vector<HostLaunch> launches = launches_of(kernel);
  for (HostLaunch& launch : launches)
    if (!is_left_out(launch.at)) return std::move(launch);
  if (launches.empty()) return std::nullopt;
  return std::move(launches.front());
}

bool HostCode::asks_for_shared_memory() const {
  for (const std::string_view word : {"cudaFuncSetAttribute", "cuFuncSetAttribute"})
    if (find_word(plain_, word) != std::string_view::npos) return true;
  return false;
}

}  // namespace warplens::problem
