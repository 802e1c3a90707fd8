#include "engine/compile/worker.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <utility>

#include "engine/base/process.hpp"
#include "engine/compile/guarded.hpp"
#include "engine/compile/worker_messages.hpp"

namespace warplens::compile {
namespace {

using Clock = std::chrono::steady_clock;

// Longer than the copy's own limit: then the worker hangs itself. One that gives way has no such limit.
constexpr std::chrono::seconds kMostWait{kMostSecondsOfClock + 10}, kMostWaitBehind{300};
constexpr int kPollMilliseconds = 2;

std::string packed(std::uint64_t number, const Order& order) {
  Parcel parcel;
  const Request& request = order.request;
  parcel.add(std::to_string(number));
  parcel.add(order.is_trial ? "trial" : "build");
  parcel.add(std::to_string(order.nice));
  parcel.add(request.source);
  parcel.add(request.file_name);
  std::map<std::string, std::string> defines;
  for (const auto& [name, value] : request.defines) defines.emplace(name, std::to_string(value));
  add_texts(parcel, defines);
  parcel.add(std::to_string(request.arch));
  parcel.add(request.variant);
  add_texts(parcel, request.headers);
  std::map<std::string, std::string> variables;
  for (const auto& [name, line] : request.host_variables) variables.emplace(name, std::to_string(line));
  add_texts(parcel, variables);
  parcel.add(request.kernel);
  parcel.add(request.want_cubin ? "cubin" : "ptx");
  return parcel.text();
}

}  // namespace

struct CompileWorker::Child {
  Process process;
  Descriptor socket;
  ~Child() {
    socket = Descriptor();  // which ends it
    if (!process.wait(0.5)) process.send_signal(SIGKILL), process.wait();
  }
};

CompileWorker::CompileWorker(std::vector<std::string> worker) : words_(std::move(worker)) {}
CompileWorker::~CompileWorker() = default;
CompileWorker::CompileWorker(CompileWorker&&) noexcept = default;

Result<std::optional<std::string>> CompileWorker::ask(const Order& order,
                                                      const std::function<bool()>& is_stopped) {
  if (child_ == nullptr) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return can_start_ = false, Error{"the compiler's process cannot be reached", ""};
    Descriptor ours(ends[0]);
    const Descriptor theirs(ends[1]);
    auto started = Process::start(
        {.words = words_, .descriptors = {{0, theirs.number()}, {1, Process::kNull}, {2, Process::kNull}}});
    if (!started) return can_start_ = false, started.error();
    child_.reset(new Child{*std::move(started), std::move(ours)});
  }
  const int socket = child_->socket.number();
  const auto lost = [&] { return child_.reset(), std::optional<std::string>(); };
  if (!send_message(socket, packed(++number_, order))) return lost();
  const auto end = Clock::now() + (order.nice > 0 ? kMostWaitBehind : kMostWait);
  while (true) {
    if (is_stopped()) {
      if (!send_message(socket, "")) return lost();
      return Error{"cancelled", ""};
    }
    if (Clock::now() > end) return lost();
    pollfd ready{socket, POLLIN, 0};
    if (poll(&ready, 1, kPollMilliseconds) <= 0) continue;
    auto message = receive_message(socket);
    if (!message) return lost();
    Unpacking parts(*message);
    const std::string number = parts.next();
    if (number != std::to_string(number_)) continue;  // of an order that was stopped
    std::string answer = parts.next();
    if (parts.is_broken()) return lost();
    return std::optional(std::move(answer));
  }
}

}  // namespace warplens::compile
