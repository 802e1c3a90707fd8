#include "engine/compile/trial.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdlib>
#include <map>

#include "engine/base/process.hpp"
#include "engine/compile/trial_messages.hpp"

namespace warplens::compile {
namespace {

using Clock = std::chrono::steady_clock;

// Longer than the worker's own limit: then it hangs itself.
constexpr std::chrono::seconds kMostWait{30};
constexpr int kPollMilliseconds = 2;

std::string packed(std::uint64_t number, const Request& request) {
  Parcel parcel;
  parcel.add(std::to_string(number));
  parcel.add(request.source);
  parcel.add(request.file_name);
  std::map<std::string, std::string> defines;
  for (const auto& [name, value] : request.defines) defines.emplace(name, std::to_string(value));
  add_texts(parcel, defines);
  parcel.add(std::to_string(request.arch));
  add_texts(parcel, request.headers);
  parcel.add(request.kernel);
  return parcel.text();
}

struct Answer {
  std::uint64_t number = 0;
  std::vector<Error> errors;
};

std::optional<Answer> unpacked(const std::string& text) {
  Unpacking parts(text);
  Answer answer;
  answer.number = std::strtoull(parts.next().c_str(), nullptr, 10);
  for (std::uint64_t left = std::strtoull(parts.next().c_str(), nullptr, 10); left > 0; --left) {
    Error error{parts.next(), parts.next(), {parts.next(), 0, 0}};
    error.place.line = std::atoi(parts.next().c_str());
    if (parts.is_broken()) return std::nullopt;
    answer.errors.push_back(std::move(error));
  }
  return parts.is_broken() ? std::nullopt : std::optional(std::move(answer));
}

}  // namespace

struct TrialCompiler::Worker {
  Process process;
  Descriptor socket;
  ~Worker() {
    socket = Descriptor();  // which ends it
    if (!process.wait(0.5)) process.send_signal(SIGKILL), process.wait();
  }
};

TrialCompiler::TrialCompiler(std::vector<std::string> worker) : words_(std::move(worker)) {}
TrialCompiler::~TrialCompiler() = default;

Result<std::vector<Error>> TrialCompiler::compile(const Request& request, const std::atomic<bool>& cancel) {
  if (worker_ == nullptr) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return Error{"the compiler's process cannot be reached", ""};
    Descriptor ours(ends[0]);
    const Descriptor theirs(ends[1]);
    auto started = Process::start(
        {.words = words_, .descriptors = {{0, theirs.number()}, {1, Process::kNull}, {2, Process::kNull}}});
    if (!started) return started.error();
    worker_.reset(new Worker{*std::move(started), std::move(ours)});
  }
  const auto lost = [&] {
    worker_.reset();
    return std::vector<Error>{{"the compiler ended without an answer", "", {request.file_name, 0, 0}}};
  };
  if (!send_message(worker_->socket.number(), packed(++number_, request))) return lost();
  const auto end = Clock::now() + kMostWait;
  while (true) {
    if (cancel) return Error{"cancelled", ""};
    if (Clock::now() > end) return lost();
    pollfd ready{worker_->socket.number(), POLLIN, 0};
    if (poll(&ready, 1, kPollMilliseconds) <= 0) continue;
    const auto message = receive_message(worker_->socket.number());
    auto answer = message ? unpacked(*message) : std::nullopt;
    if (!answer) return lost();
    if (answer->number == number_) return std::move(answer->errors);
  }
}

}  // namespace warplens::compile
