#include "app/testing/limited_child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "engine/base/process.hpp"

namespace warplens::app {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

LimitedResult run_limited(const std::vector<std::string>& words,
                          const std::map<std::string, std::string>& variables, const std::string& folder,
                          double seconds) {
  using Clock = std::chrono::steady_clock;
  const Descriptor out = memory_file(), err = memory_file();
  std::vector<std::string> arguments = words, environment = environment_with(variables);
  const std::vector<char*> argument_list = pointers(arguments), environment_list = pointers(environment);
  const auto start = Clock::now();
  const pid_t child = fork();
  if (child == 0) {
    const rlimit most{rlim_t{8} << 30, rlim_t{8} << 30};
    const int nothing = open("/dev/null", O_RDONLY);
    if (setrlimit(RLIMIT_AS, &most) != 0 || chdir(folder.c_str()) != 0) _exit(126);
    dup2(nothing, 0), dup2(out.number(), 1), dup2(err.number(), 2);
    execve(argument_list[0], argument_list.data(), environment_list.data());
    _exit(127);
  }
  LimitedResult result;
  int status = 0;
  rusage used{};
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  while (wait4(child, &status, WNOHANG, &used) == 0) {
    if (elapsed() > seconds && !result.ran_too_long) {
      result.ran_too_long = true;
      kill(child, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  result.processor_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  result.most_bytes = static_cast<double>(used.ru_maxrss) * 1024;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = out.text();
  result.err = err.text();
  return result;
}

}  // namespace warplens::app
