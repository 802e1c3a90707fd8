// warplens serve: the page in a browser of this machine, or of a class.
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <cstdio>
#include <thread>

#include "app/base/workspace.hpp"
#include "app/commands/commands.hpp"
#include "app/serve/server.hpp"

namespace warplens::app {

Result<int> serve_command(const CommonOptions& common, const ServeCommandOptions& options) {
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  // Only the thread below hears that it is to end, and lets answers on their way be answered.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT), sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  auto server = serve::Server::start(common, {.bind = options.bind, .port = options.port},
                                     workspace->home() / "web/page");
  if (!server) return server.error();
  fmt::print(
      "http://{0}:{1}/\nclass: http://{0}:{1}/class.html\nteacher: http://{0}:{1}/class.html#{2}\ncode of "
      "the class: {3}\n",
      options.bind, (*server)->port(), (*server)->teacher_key(), (*server)->class_code());
  std::fflush(stdout);
  std::jthread ending([&] {
    int which = 0;
    sigwait(&ends, &which);
    (*server)->stop();
  });
  (*server)->serve();
  pthread_kill(ending.native_handle(), SIGTERM);  // where it ended by itself
  return kExitFine;
}

}  // namespace warplens::app
