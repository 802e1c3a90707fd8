#include "engine/run/build_queue.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "engine/compile/cache.hpp"

namespace warplens::run {
namespace {

// Two: a newer slider value need not wait for the compiler to be done with the one before.
constexpr int threads_for_wanted = 2;
constexpr std::size_t most_kept = 96;  // some 100 kB each
constexpr std::size_t most_ahead = 32;
// How soon a waiting caller notices that its answer is not needed any more.
constexpr std::chrono::milliseconds look_every{1};
// How long a caller waits for what is being compiled ahead of time, which a busy machine slows down, before
// it compiles the same itself.
constexpr std::chrono::milliseconds longest_wait{200};

}  // namespace

void give_way() {
  // Not Linux' SCHED_IDLE: a thread that gets no time at all may hold a lock of the compiler that others
  // need.
  constexpr int a_tenth_of_the_others = 10;  // sched(7), "The nice value"
  // Where this is refused the thread works as any other: nothing depends on it but speed.
  static_cast<void>(setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), a_tenth_of_the_others));
}

BuildQueue::BuildQueue(compile::Compiler compiler, bool gives_way, Built built)
    : compiler_(std::move(compiler)), built_(std::move(built)) {
  for (int i = 0; i < threads_for_wanted; ++i) threads_.emplace_back([this] { serve(); });
  threads_.emplace_back([this, gives_way] { serve_ahead(gives_way); });
}

BuildQueue::~BuildQueue() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
    for (const SharedJob& job : wanted_) job->stop.request_stop();
    if (ahead_at_work_) ahead_at_work_->stop.request_stop();
  }
  changed_.notify_all();
  answered_.notify_all();
}

BuildQueue::Answer BuildQueue::compile(const compile::Request& request, const std::stop_token& stop) {
  auto build = compiler_.compile(request, stop);
  if (!build) return build.error();
  if (built_) built_(request, *build);
  return std::make_shared<const compile::Build>(*std::move(build));
}

// Precondition of these: locked.
std::shared_ptr<const compile::Build> BuildQueue::kept(const compile::Request& request) {
  compile::Request whole = request;
  whole.want_cubin = true;
  for (const std::string& key : {compile::request_key(whole), compile::request_key(request)}) {
    const auto found =
        std::find_if(kept_.begin(), kept_.end(), [&](const auto& k) { return k.first == key; });
    if (found == kept_.end()) continue;
    auto entry = std::move(*found);
    kept_.erase(found);
    kept_.push_front(std::move(entry));
    return kept_.front().second;
  }
  return nullptr;
}

void BuildQueue::keep(const compile::Request& request, const Answer& answer) {
  if (!answer) return;
  kept_.emplace_front(compile::request_key(request), *answer);
  if (kept_.size() > most_kept) kept_.pop_back();
}

BuildQueue::SharedJob BuildQueue::wanted(const compile::Request& request) const {
  const std::string key = compile::request_key(request);
  const auto found = std::find_if(wanted_.begin(), wanted_.end(), [&](const SharedJob& job) {
    return compile::request_key(job->request) == key;
  });
  return found == wanted_.end() ? nullptr : *found;
}

BuildQueue::SharedJob BuildQueue::join(const compile::Request& request) {
  if (SharedJob found = wanted(request)) return ++found->waiting, found;
  auto job = std::make_shared<Job>(Job{.request = request, .waiting = 1, .answer = nullptr});
  const auto behind = std::find_if(wanted_.begin(), wanted_.end(), [&](const SharedJob& other) {
    return other->request.want_cubin && !request.want_cubin;
  });
  wanted_.insert(behind, job);
  stop_others(request);
  return job;
}

// Whether a caller waits for PTX, which a picture needs; machine code gives numbers alone.
bool BuildQueue::is_picture_waiting() const {
  return std::any_of(wanted_.begin(), wanted_.end(),
                     [](const SharedJob& job) { return job->waiting > 0 && !job->request.want_cubin; });
}

// Also true where it was stopped and is not done yet.
bool BuildQueue::is_at_work_ahead(const compile::Request& request) const {
  return ahead_at_work_ && compile::request_key(ahead_at_work_->request) == compile::request_key(request);
}

// A build that no caller waits for leaves its core to one that a picture waits for, and is started again
// later.
void BuildQueue::stop_others(const compile::Request& request) {
  if (request.want_cubin) return;
  for (const SharedJob& job : wanted_)
    if (job->waiting == 0) job->stop.request_stop();
  if (!ahead_at_work_ || is_at_work_ahead(request)) return;
  if (ahead_at_work_->stop.request_stop()) ahead_.push_front(ahead_at_work_->request);
}

// Of two threads that compile the same, one ahead of time, the first has the answer.
void BuildQueue::finish(const compile::Request& request, const Answer& answer) {
  keep(request, answer);
  const SharedJob job = wanted(request);
  if (job == nullptr) return;
  job->answer = std::make_shared<const Answer>(answer);
  std::erase(wanted_, job);
  answered_.notify_all();
  changed_.notify_all();
}

// Nobody waits for it any more. Precondition: locked.
void BuildQueue::leave(const SharedJob& job) {
  if (!job->started)
    std::erase(wanted_, job);
  else if (is_picture_waiting())
    job->stop.request_stop();
  changed_.notify_all();
}

BuildQueue::Answer BuildQueue::get(const compile::Request& request, const std::atomic<bool>& cancel) {
  std::unique_lock lock(mutex_);
  if (auto found = kept(request)) return found;
  const SharedJob job = join(request);
  changed_.notify_all();
  const auto begin = std::chrono::steady_clock::now();
  while (!job->answer && !cancel && !leaving_) {
    answered_.wait_for(lock, look_every);
    if (job->hurries || std::chrono::steady_clock::now() - begin < longest_wait) continue;
    job->hurries = true;
    changed_.notify_all();
  }
  --job->waiting;
  if (job->answer) return *job->answer;
  if (job->waiting == 0) leave(job);
  return cancelled();
}

BuildQueue::Answer BuildQueue::compile_here(const compile::Request& request) {
  {
    const std::lock_guard lock(mutex_);
    if (auto found = kept(request)) return found;
  }
  Answer answer = compile(request);
  const std::lock_guard lock(mutex_);
  keep(request, answer);
  return answer;
}

void BuildQueue::compile_ahead(const std::vector<compile::Request>& first,
                               const std::vector<compile::Request>& others) {
  {
    const std::lock_guard lock(mutex_);
    const std::deque<compile::Request> left = std::exchange(ahead_, {});
    std::set<std::string> listed;
    const auto list = [&](const compile::Request& request) {
      const bool is_new = listed.insert(compile::request_key(request)).second;
      if (is_new && ahead_.size() < most_ahead && kept(request) == nullptr) ahead_.push_back(request);
    };
    for (const compile::Request& request : first) list(request);
    for (std::size_t i = 0; i < std::max(others.size(), left.size()); ++i) {
      if (i < others.size()) list(others[i]);
      if (i < left.size()) list(left[i]);
    }
  }
  changed_.notify_all();
}

void BuildQueue::forget_ahead() {
  const std::lock_guard lock(mutex_);
  ahead_.clear();
  if (ahead_at_work_) ahead_at_work_->stop.request_stop();
}

bool BuildQueue::is_ahead_busy() const {
  const std::lock_guard lock(mutex_);
  return ahead_at_work_.has_value() || !ahead_.empty();
}

// Precondition: locked. Null where all is at work, on these threads or ahead of time.
BuildQueue::SharedJob BuildQueue::next_wanted() {
  const auto next = std::find_if(wanted_.begin(), wanted_.end(), [this](const SharedJob& job) {
    return !job->started && (job->hurries || !is_at_work_ahead(job->request));
  });
  return next == wanted_.end() ? nullptr : *next;
}

void BuildQueue::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    SharedJob job;
    changed_.wait(lock, [&] { return leaving_ || (job = next_wanted()) != nullptr; });
    if (leaving_) return;
    job->started = true;
    lock.unlock();
    const Answer answer = compile(job->request, job->stop.get_token());
    lock.lock();
    if (job->answer) continue;
    if (!answer && job->stop.stop_requested())
      take_back(job);
    else
      finish(job->request, answer);
  }
}

// A job that was stopped. Precondition: locked.
void BuildQueue::take_back(const SharedJob& job) {
  if (job->waiting == 0) {
    std::erase(wanted_, job);
    return;
  }
  job->stop = {};  // a caller waits for it since
  job->started = false;
}

void BuildQueue::serve_ahead(bool gives_way) {
  if (gives_way) give_way();
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return leaving_ || (!ahead_.empty() && !is_picture_waiting()); });
    if (leaving_) return;
    const compile::Request request = std::move(ahead_.front());
    ahead_.pop_front();
    if (kept(request) || wanted(request)) continue;
    const std::stop_token stop = ahead_at_work_.emplace(Ahead{request}).stop.get_token();
    lock.unlock();
    const Answer answer = compile(request, stop);
    lock.lock();
    ahead_at_work_.reset();
    if (answer || !stop.stop_requested()) finish(request, answer);
    changed_.notify_all();  // callers that wait for what was stopped
  }
}

}  // namespace warplens::run
