// Compiles beside the window. Builds that the user waits for go first; builds that were asked for ahead of
// time run on a background thread. A caller may stop waiting: its build goes on and is kept for the next
// caller, until one waits for something else.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/compile/build.hpp"
#include "engine/run/plan.hpp"

namespace warplens::run {

// Of the calling thread, from now on: what the user waits for gets most of a core that both want.
void give_way();

class BuildQueue {
 public:
  using Answer = Result<std::shared_ptr<const compile::Build>>;

  // gives_way: what is compiled ahead of time does, see give_way(). built: called with every new build by the
  // thread that made it, before anybody gets it.
  using Built = std::function<void(const compile::Request&, const compile::Build&)>;
  BuildQueue(compile::Compiler compiler, bool gives_way, Built built = {});
  ~BuildQueue();
  BuildQueue(const BuildQueue&) = delete;
  BuildQueue& operator=(const BuildQueue&) = delete;

  // Waits for the build. want_cubin false: PTX only, quicker; a whole build that is there already will do.
  // Errors: as of the compiler; cancelled. May be called from several threads.
  Answer get(const compile::Request& request, const std::atomic<bool>& cancel);
  // The same on the calling thread, past the queue.
  Answer compile_here(const compile::Request& request);
  // To be compiled ahead of time: first these in their order, then the others in turn with what is left of
  // earlier calls. What is beyond the first 32 is forgotten. Errors of these are not kept.
  void compile_ahead(const std::vector<compile::Request>& first, const std::vector<compile::Request>& others);
  void forget_ahead();
  // Whether anything is being compiled ahead of time or waits for it.
  bool is_ahead_busy() const;

 private:
  struct Job {
    compile::Request request;
    int waiting = 0;  // callers that would take the answer
    bool started = false;
    bool hurries = false;  // compiled even where it is at work ahead of time
    std::shared_ptr<const Answer> answer;
    std::stop_source stop{};
  };
  using SharedJob = std::shared_ptr<Job>;

  // What is compiled ahead of time and at work.
  struct Ahead {
    compile::Request request;
    std::stop_source stop{};
  };

  Answer compile(const compile::Request& request, const std::stop_token& stop = {});
  SharedJob join(const compile::Request& request);
  std::shared_ptr<const compile::Build> kept(const compile::Request& request);
  void keep(const compile::Request& request, const Answer& answer);
  SharedJob next_wanted();
  SharedJob wanted(const compile::Request& request) const;
  void finish(const compile::Request& request, const Answer& answer);
  void leave(const SharedJob& job);
  bool is_picture_waiting() const;
  bool is_at_work_ahead(const compile::Request& request) const;
  void stop_others(const compile::Request& request);
  void take_back(const SharedJob& job);
  void serve();
  void serve_ahead(bool gives_way);

  compile::Compiler compiler_;
  Built built_;
  mutable std::mutex mutex_;  // guards what is below, but for the threads
  std::condition_variable changed_, answered_;
  std::deque<SharedJob> wanted_;        // not taken yet or at work; PTX before machine code
  std::deque<compile::Request> ahead_;  // what is left
  std::optional<Ahead> ahead_at_work_;
  bool leaving_ = false;
  std::deque<std::pair<std::string, std::shared_ptr<const compile::Build>>>
      kept_;  // by key; the newest first
  std::vector<std::jthread> threads_;
};

}  // namespace warplens::run
