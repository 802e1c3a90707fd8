#include "app/window/renderer_threads.hpp"

#include <glad/gl.h>
#include <sched.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::app {
namespace {

constexpr std::string_view renderer = "llvmpipe";

std::vector<std::size_t> own_processors() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return {};
  std::vector<std::size_t> found;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &allowed)) found.push_back(cpu);
  return found;
}

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Of "llvmpipe-3": 3. Other threads have other names.
std::optional<std::size_t> number_of(const std::filesystem::path& thread) {
  std::ifstream file(thread / "comm");
  std::string name;
  std::getline(file, name);
  const std::string prefix = std::string(renderer) + "-";
  return name.starts_with(prefix) ? number_in(std::string_view(name).substr(prefix.size())) : std::nullopt;
}

}  // namespace

void spread_renderer_threads() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  if (name == nullptr || !std::string_view(name).starts_with(renderer)) return;
  const std::vector<std::size_t> processors = own_processors();
  if (processors.size() < 2) return;
  std::error_code ignored;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    const auto number = number_of(thread.path());
    const auto id = number_in(thread.path().filename().string());
    if (!number || !id) continue;
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(processors[*number % processors.size()], &own);
    // Where this is refused it works as before.
    static_cast<void>(sched_setaffinity(static_cast<pid_t>(*id), sizeof own, &own));
  }
}

}  // namespace warplens::app
