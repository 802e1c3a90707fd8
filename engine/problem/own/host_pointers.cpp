// What host code does with the pointers that it gives to kernels.
#include <algorithm>

#include "engine/base/code_text.hpp"
#include "engine/problem/own/host_code.hpp"

namespace warplens::problem {
namespace {

// Functions of the device, heads and bodies, as blanks: their parameters are other variables.
std::string without_device_code(std::string plain) {
  for (const std::string_view mark : {"__global__", "__device__"})
    for (std::size_t at = find_word(plain, mark); at != std::string::npos;
         at = find_word(plain, mark, at + 1)) {
      const std::size_t end = plain.find_first_of("{;", at);
      if (end == std::string::npos) continue;
      const std::size_t close = plain[end] == '{' ? closing(plain, end) : end;
      const std::size_t last = close == std::string::npos ? plain.size() : close + 1;
      std::fill(plain.begin() + static_cast<std::ptrdiff_t>(at),
                plain.begin() + static_cast<std::ptrdiff_t>(last), ' ');
    }
  return plain;
}

// The call whose arguments a place is among.
struct Enclosing {
  std::string_view name;     // with what a launch has before its arguments: "k<<<g, b>>>"
  std::size_t argument = 0;  // from 0
};
Enclosing call_around(std::string_view plain, std::size_t at) {
  Enclosing call;
  int depth = 0;
  for (std::size_t place = at; place > 0; --place) {
    const char c = plain[place - 1];
    if (c == ';' || c == '{' || c == '}') return {};
    if (c == ',' && depth == 0) ++call.argument;
    if (c == ')' || c == ']') ++depth;
    if ((c == '(' || c == '[') && depth-- == 0) {
      if (place < 2) return {};
      const bool is_launch = trimmed(plain.substr(0, place - 1)).ends_with(">>>");
      const std::size_t begin = plain.find_last_of(is_launch ? ";{}" : ";{}()", place - 2);
      call.name = trimmed(plain.substr(begin == std::string_view::npos ? 0 : begin + 1, place - 2 - begin));
      const bool is_cast = call.name.empty();  // (void**)(&x)
      if (!is_cast) return call;
      call.argument = 0, depth = 0;
    }
  }
  return {};
}

// What reads an array, frees it, or makes it without anything in it.
bool leaves_alone(const Enclosing& call, const std::string& kernel) {
  for (const std::string_view reads : {"cudaMemcpy", "cudaMemcpyAsync"})
    if (source::word_before(call.name, call.name.size()) == reads) return call.argument > 0;
  for (const std::string_view other : {"cudaMalloc", "cudaFree", "cudaFreeAsync", "sizeof"})
    if (source::word_before(call.name, call.name.size()) == other) return true;
  return call.name.ends_with(">>>") && find_word(call.name, kernel) != std::string_view::npos;
}

// "float *x, *y = nullptr;"
bool is_declared(std::string_view plain, std::size_t at, std::size_t length) {
  const std::size_t before = at == 0 ? std::string_view::npos : plain.find_last_not_of(" \t\r\n", at - 1);
  std::string_view behind = trimmed(plain.substr(at + length, plain.find(';', at) - at - length));
  if (before == std::string_view::npos || plain[before] != '*') return false;
  if (behind.empty() || behind.front() == ',') return true;
  if (behind.front() != '=') return false;
  behind = trimmed(behind.substr(1));
  return behind.starts_with("nullptr") || behind.starts_with("NULL") || behind.starts_with("0");
}

}  // namespace

bool HostCode::is_never_set(std::string_view pointer, const std::string& kernel, std::size_t launch) const {
  const auto passed = element_passed(pointer);
  if (!passed || !bytes_of(pointer, launch)) return false;
  std::string_view name = trimmed(pointer);
  name.remove_prefix(name.starts_with("&") ? 1 : 0);
  name = name.substr(0, name.find_first_of(" +["));
  if (!of_host_) of_host_ = without_device_code(plain_);
  const std::string_view plain = *of_host_;
  bool is_on_device = false;
  for (std::size_t at = find_word(plain, name); at != std::string_view::npos;
       at = find_word(plain, name, at + 1)) {
    if ((read_ += 64) > kMostRead) return false;
    if (is_declared(plain, at, name.size())) continue;
    const Enclosing call = call_around(plain, at);
    if (!leaves_alone(call, kernel)) return false;
    is_on_device = is_on_device || source::word_before(call.name, call.name.size()) == "cudaMalloc";
  }
  return is_on_device;
}

bool HostCode::is_set_beside(std::string_view pointer, std::size_t launch) const {
  std::vector<std::string_view> names{source::word_at(pointer, pointer.starts_with("&") ? 1 : 0)};
  const auto mapped = calls_on(pointer, {"cudaHostGetDevicePointer"});
  for (const PointerCall& call : mapped)  // of the host's name for it
    if (call.arguments.size() > 1) names.push_back(pointer_name(call.arguments[1]));
  if (mapped.empty() && calls_on(pointer, {"cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc"}).empty())
    return false;
  if (!of_host_) of_host_ = without_device_code(plain_);
  const std::string_view plain = *of_host_;
  const auto function = flow_->function_of(launch);
  for (const std::string_view name : names)
    for (std::size_t at = name.empty() ? std::string_view::npos : find_word(plain, name);
         at != std::string_view::npos; at = find_word(plain, name, at + 1)) {
      if ((read_ += 64) > kMostRead) return false;
      if (at < launch && flow_->function_of(at) == function) continue;
      std::size_t end = at + name.size();
      const bool is_indexed = plain.substr(end, 1) == "[",
                 is_pointed_to = source::before_blanks(plain, at) > 0 &&
                                 plain[source::before_blanks(plain, at) - 1] == '*';
      if (is_indexed) end = closing(plain, end) == std::string_view::npos ? end : closing(plain, end) + 1;
      end = source::behind_blanks(plain, end);
      if ((is_indexed || is_pointed_to) && plain.substr(end, 1) == "=" && plain.substr(end, 2) != "==")
        return true;
    }
  return false;
}

std::optional<std::string_view> HostCode::element_passed(std::string_view pointer) const {
  pointer = trimmed(pointer);
  const bool is_address = pointer.starts_with("&");
  if (is_address) pointer = trimmed(pointer.substr(1));
  const std::size_t end = pointer_name(pointer).size();
  const std::string_view rest = trimmed(pointer.substr(end));
  if (end == 0) return std::nullopt;
  if (rest.empty()) return is_address ? std::nullopt : std::optional<std::string_view>("");
  const bool is_element = is_address && rest.front() == '[' && rest.find(']') + 1 == rest.size();
  const bool is_behind = !is_address && rest.front() == '+';
  if (!is_element && !is_behind) return std::nullopt;
  return trimmed(rest.substr(1, rest.size() - (is_element ? 2 : 1)));
}

}  // namespace warplens::problem
