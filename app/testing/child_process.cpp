#include "app/testing/child_process.hpp"

#include <unistd.h>

#include "engine/base/process.hpp"

namespace warplens::app {
std::vector<std::string> environment_with(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!variables.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : variables) all.push_back(name + "=" + value);
  return all;
}

ChildResult run_child(const std::vector<std::string>& words,
                      const std::map<std::string, std::string>& variables) {
  const Descriptor out = memory_file(), err = memory_file();
  auto child = Process::start({words,
                               {{0, Process::kNull}, {1, out.number()}, {2, err.number()}},
                               /*own_session=*/false,
                               environment_with(variables)});
  if (!child) return {};
  child->wait();
  return {child->exit_code(), out.text(), err.text()};
}

}  // namespace warplens::app
