#include "engine/gpu/live/live_loop.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

namespace warplens::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double batch_seconds = 0.004;       // about a quarter of a frame
constexpr double entry_seconds = 200e-6;      // shorter launches are stamped several at a time
constexpr double watch_every = 0.1;           // seconds
constexpr double least_disturbed = 1.05;      // times the span of the one that is shown
constexpr std::uint64_t slices_of_fill = 96;  // so many frames until the result is whole
constexpr int frames_whole = 45;              // that it then stays
constexpr std::size_t recent_entries = 64;    // of the median
constexpr std::size_t most_batches = 2;
// Of a batch: the driver queues about a thousand; a launch beyond them waits, and holds up the window's
// calls.
constexpr double most_launches = 300;
constexpr auto nap = std::chrono::microseconds(100);
constexpr auto a_frame = std::chrono::milliseconds(16);

}  // namespace

// Owns the device's side, on its own thread only: giving memory back waits for the GPU.
class LiveLoop::Thread {
 public:
  explicit Thread(LiveRequest request) : request_(std::move(request)) {}

  void serve() {
    if (const Status ended = run(); !ended) {
      const std::lock_guard lock(mutex_);
      status_.phase = LiveStatus::Phase::failed;
      status_.error = ended.error();
    }
    // What the window may still look at stays until it says that it does not.
    while (!stopping) std::this_thread::sleep_for(nap);
    give_back();
  }

  // What the window's thread asks.
  bool wants_host() const { return request_.through_host; }
  LiveStatus status() {
    const std::lock_guard lock(mutex_);
    return status_;
  }
  struct Shown {
    LiveStatus status;
    int placed = 0;
  };
  Shown shown() {
    frames_.fetch_add(1);
    const std::lock_guard lock(mutex_);
    return {status_, front_};
  }
  std::shared_ptr<LiveDevice> device() {
    const std::lock_guard lock(mutex_);
    return device_;
  }
  std::span<const std::byte> host_ring() const { return {ring_.data(), kTexel * device_->layout().launches}; }
  std::span<const std::byte> host_blocks() const {
    return {host_placed_.data(), kTexel * device_->layout().blocks};
  }
  std::span<const std::byte> host_result() const { return {host_result_.data(), device_->output_bytes()}; }

  std::atomic<bool> stopping = false, finished = false;
  std::atomic<bool> through_host = false, host_ready = false;  // asked for; there
  std::atomic<bool> results_wanted = false;
  // The driver does one call at a time: while the window maps its buffer this thread makes none.
  std::atomic<bool> window_calls = false;
  std::optional<Result<LiveResults>> take_results() {
    const std::lock_guard lock(mutex_);
    return std::exchange(results_, std::nullopt);
  }

 private:
  struct Batch {
    Event done;
    std::uint64_t entries_end = 0;
    int placed = -1;  // the buffer that it watched a launch into
    bool sliced = false;
  };

  Status run() {
    auto opened = LiveDevice::open(request_);
    if (!opened) return opened.error();
    auto ring = HostMemory::allocate((*opened)->shared_driver(), kTexel * (*opened)->layout().launches);
    if (!ring) return ring.error();
    auto seen = HostMemory::allocate((*opened)->shared_driver(), sizeof(Seen) * LiveDevice::placed_buffers);
    if (!seen) return seen.error();
    ring_ = *std::move(ring);
    seen_ = *std::move(seen);
    const double one = std::max(request_.seconds_of_launch, 1e-6);
    per_entry_ = static_cast<std::uint32_t>(std::clamp(std::ceil(entry_seconds / one), 1.0, 200.0));
    const double of_time = batch_seconds / (one * per_entry_), of_queue = most_launches / (per_entry_ + 1);
    entries_of_batch_ = static_cast<std::uint32_t>(std::clamp(std::min(of_time, of_queue), 1.0, 64.0));
    {
      const std::lock_guard lock(mutex_);
      device_ = *std::move(opened);
      status_.layout = device_->layout();
      status_.launches_per_entry = per_entry_;
      status_.phase = LiveStatus::Phase::running;
    }
    return loop();
  }

  Status loop() {
    while (!stopping) {
      if (const auto taken = take_finished(); !taken) return taken;
      if (results_wanted.exchange(false)) {
        auto results = make_results();
        const std::lock_guard lock(mutex_);
        results_ = std::move(results);
      }
      if (through_host && !host_ready) {
        if (const auto made = make_host_memory(); !made) return made;
      }
      if (batches_.size() < most_batches) {
        if (const auto queued = queue_batch(); !queued) return queued;
      } else {
        std::this_thread::sleep_for(nap);
      }
    }
    return Done{};
  }

  void give_back() {
    if (!device_) return;
    device_->wait();  // host memory that copies go to must outlive them
    batches_.clear();
    for (HostMemory* memory : {&ring_, &seen_, &host_placed_, &host_result_}) *memory = HostMemory();
    const std::lock_guard lock(mutex_);
    device_.reset();
  }

  Status make_host_memory() {
    auto placed = HostMemory::allocate(device_->shared_driver(), kTexel * device_->layout().blocks);
    if (!placed) return placed.error();
    auto result = HostMemory::allocate(device_->shared_driver(), device_->output_bytes());
    if (!result) return result.error();
    host_placed_ = *std::move(placed);
    host_result_ = *std::move(result);
    host_ready = true;
    return Done{};
  }

  Status queue_batch() {
    auto event = Event::create(device_->shared_driver());
    if (!event) return event.error();
    Batch batch{.done = *std::move(event), .entries_end = entries_ + entries_of_batch_};
    if (device_->has_slices()) {
      if (const auto done = queue_slice(batch); !done) return done;
    }
    if (device_->has_timeline() && watch_is_due()) {
      if (const auto done = queue_watch(batch); !done) return done;
    }
    if (const auto done = queue_entries(); !done) return done;
    if (const auto done = device_->record(batch.done); !done) return done;
    const std::lock_guard lock(mutex_);
    status_.entries = entries_;
    batches_.push_back(std::move(batch));
    return Done{};
  }

  std::uint32_t slot(std::uint64_t entry) const {
    return static_cast<std::uint32_t>(entry % device_->layout().launches);
  }

  void make_way() const {
    while (window_calls && !stopping) std::this_thread::yield();
  }

  // One stamp ends an entry and begins the next.
  Status queue_entries() {
    const std::uint64_t first = entries_, end = entries_ + entries_of_batch_;
    for (; entries_ < end; ++entries_) {
      make_way();
      const std::uint32_t before = entries_ == first ? no_entry : slot(entries_ - 1);
      if (const auto done = device_->stamp(before, slot(entries_)); !done) return done;
      for (std::uint32_t i = 0; i < per_entry_; ++i) {
        make_way();
        if (const auto done = device_->launch(); !done) return done;
      }
    }
    if (const auto done = device_->stamp(slot(end - 1), no_entry); !done) return done;
    return copy_entries(first, end);
  }

  Status copy_entries(std::uint64_t first, std::uint64_t end) {
    while (first < end) {
      const std::size_t from = kTexel * slot(first);
      const std::uint64_t most = device_->layout().launches - slot(first);
      const std::uint64_t count = std::min(end - first, most);
      if (const auto done = device_->copy(ring_.data() + from, device_->ring() + from, kTexel * count); !done)
        return done;
      first += count;
    }
    return Done{};
  }

  // Seldom enough that most launches are still ordinary ones.
  bool watch_is_due() const {
    const double every = std::max(watch_every, 4 * request_.seconds_of_launch);
    const bool queued = std::ranges::any_of(batches_, [](const Batch& b) { return b.placed >= 0; });
    return !queued && std::chrono::duration<double>(Clock::now() - watched_at_).count() >= every;
  }

  Status queue_watch(Batch& batch) {
    watched_at_ = Clock::now();
    batch.placed = (front_ + 1) % LiveDevice::placed_buffers;
    if (const auto done = device_->watch(batch.placed); !done) return done;
    std::byte* seen = seen_.data() + sizeof(Seen) * static_cast<std::size_t>(batch.placed);
    if (const auto done = device_->copy(seen, device_->seen(), sizeof(Seen)); !done) return done;
    if (!host_ready) return Done{};
    return device_->copy(host_placed_.data(), device_->placed(batch.placed),
                         kTexel * device_->layout().blocks);
  }

  // A slice for each frame that was drawn since the last; the whole result stays for a while.
  Status queue_slice(Batch& batch) {
    const std::uint64_t now = frames_.load();
    if (now == sliced_frame_) return Done{};
    sliced_frame_ = now;
    const std::uint64_t all = device_->blocks(), step = (all + slices_of_fill - 1) / slices_of_fill;
    batch.sliced = true;
    if (next_block_ >= all && ++frames_whole_ >= frames_whole) {
      next_block_ = 0;
      frames_whole_ = 0;
      if (const auto done = device_->restore_result(); !done) return done;
    } else if (next_block_ < all) {
      const std::uint64_t count = std::min(step, all - next_block_);
      if (const auto done = device_->slice(next_block_, count); !done) return done;
      next_block_ += count;
    } else {
      batch.sliced = false;
      return Done{};
    }
    if (!host_ready) return Done{};
    return device_->copy(host_result_.data(), device_->result(), device_->output_bytes());
  }

  // An error here is one of a launch.
  Status take_finished() {
    while (!batches_.empty()) {
      const int code = device_->driver().functions().cuEventQuery(batches_.front().done.get());
      if (code == kNotReady) return Done{};
      if (const auto fine = device_->driver().check(code, "the live launch"); !fine) return fine;
      const Batch batch = std::move(batches_.front());
      batches_.pop_front();
      note(batch);
    }
    return Done{};
  }

  void note(const Batch& batch) {
    const double seconds = recent_seconds(batch.entries_end);
    const std::lock_guard lock(mutex_);
    status_.seconds_of_launch = seconds;
    if (batch.sliced) ++status_.slices;
    if (batch.placed < 0) return;
    Seen seen;
    std::memcpy(&seen, seen_.data() + sizeof(Seen) * static_cast<std::size_t>(batch.placed), sizeof seen);
    // Drawing takes its turns on the GPU: of the launches of a second the least disturbed is shown.
    const double age = std::chrono::duration<double>(Clock::now() - shown_at_).count();
    if (status_.watched > 0 && seen.last_end > least_disturbed * status_.span && age < 1) return;
    shown_at_ = Clock::now();
    front_ = batch.placed;
    ++status_.watched;
    status_.blocks = device_->layout().blocks;
    status_.span = seen.last_end;
    status_.slots = std::clamp(seen.slots, 1u, kMostSlots);
  }

  // Of one launch: the median of the newest entries, which have ended.
  double recent_seconds(std::uint64_t end) const {
    std::vector<double> seconds;
    const std::uint64_t count = std::min<std::uint64_t>(end, recent_entries);
    for (std::uint64_t entry = end - count; entry < end; ++entry) {
      LaunchTimes times;
      std::memcpy(&times, ring_.data() + kTexel * slot(entry), sizeof times);
      if (times.end > times.begin)
        seconds.push_back(1e-9 * static_cast<double>(times.end - times.begin) / per_entry_);
    }
    if (seconds.empty()) return 0;
    const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    return *middle;
  }

  // Everything from the beginning: one launch, and all slices.
  Result<LiveResults> make_results() {
    LiveResults results;
    const auto fetch = [&](std::vector<std::byte>& into, DevicePointer from) -> Status {
      into.resize(device_->output_bytes());
      if (const auto done = device_->copy(into.data(), from, into.size()); !done) return done;
      auto event = Event::create(device_->shared_driver());
      if (!event) return event.error();
      if (const auto done = device_->record(*event); !done) return done;
      const int code = device_->driver().functions().cuEventSynchronize(event->get());
      return device_->driver().check(code, "the live launch");
    };
    if (const auto done = device_->restore_output(); !done) return done.error();
    if (const auto done = device_->launch(); !done) return done.error();
    if (const auto done = fetch(results.launched, device_->output()); !done) return done.error();
    if (!device_->has_slices()) return results;
    if (const auto done = device_->restore_result(); !done) return done.error();
    const std::uint64_t all = device_->blocks(), step = (all + slices_of_fill - 1) / slices_of_fill;
    for (next_block_ = 0; next_block_ < all; next_block_ += step) {
      if (const auto done = device_->slice(next_block_, std::min(step, all - next_block_)); !done)
        return done.error();
    }
    if (const auto done = fetch(results.sliced, device_->result()); !done) return done.error();
    return results;
  }

  LiveRequest request_;
  std::mutex mutex_;  // guards status_, device_ (the pointer), front_, results_
  LiveStatus status_;
  HostMemory ring_, seen_, host_placed_, host_result_;
  std::shared_ptr<LiveDevice> device_;
  std::optional<Result<LiveResults>> results_;
  std::deque<Batch> batches_;
  std::uint32_t per_entry_ = 1, entries_of_batch_ = 1;
  std::uint64_t entries_ = 0, next_block_ = 0, sliced_frame_ = 0;
  std::atomic<std::uint64_t> frames_ = 0;
  int frames_whole_ = 0, front_ = 0;
  Clock::time_point watched_at_, shown_at_;
};

void LastThreads::take(std::thread thread) {
  const std::lock_guard lock(mutex_);
  threads_.push_back(std::move(thread));
}

void LastThreads::wait() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) thread.join();
}

// The thread holds what it works with: it may outlive this object by the launch that is under way.
LiveLoop::LiveLoop(LiveRequest request, std::shared_ptr<LastThreads> last)
    : thread_(std::make_shared<Thread>(std::move(request))), last_(std::move(last)) {
  runner_ = std::thread([thread = thread_] {
    thread->serve();
    thread->finished = true;
  });
}

// Letting go of the OpenGL buffer waits for all that the GPU was asked to do. Where that is more than a
// frame, at the end of the program, the driver takes it back instead.
LiveLoop::~LiveLoop() {
  stop();
  const auto end = Clock::now() + a_frame;
  while (!is_over() && Clock::now() < end) std::this_thread::sleep_for(nap);
  if (is_over()) {
    runner_.join();
    return;
  }
  if (interop_) interop_->abandon();
  last_->take(std::move(runner_));
}

void LiveLoop::stop() { thread_->stopping = true; }
bool LiveLoop::is_over() { return thread_->finished; }

LiveStatus LiveLoop::status() { return thread_->status(); }

Status LiveLoop::attach(unsigned gl_buffer, std::shared_ptr<const void> keep) {
  const auto device = thread_->device();
  if (!device) return Error{"the live run has not started yet", ""};
  Result<std::unique_ptr<GlInterop>> attached = Error{"the plots are to be fed through the host", ""};
  if (!thread_->wants_host())
    attached = GlInterop::attach(device->shared_driver(), device->cu_device(), gl_buffer);
  if (!attached) {
    thread_->through_host = true;
    return attached.error();
  }
  interop_ = *std::move(attached);
  keep_ = std::move(keep);
  shown_watched_ = shown_slices_ = 0;
  return Done{};
}

Status LiveLoop::refresh() {
  const auto device = thread_->device();
  if (!device || !interop_) return Done{};
  const auto [status, placed] = thread_->shown();
  if (status.error) return *status.error;
  const LiveLayout& layout = device->layout();
  std::vector<GlInterop::Copy> copies = {{layout.launches_at(), device->ring(), kTexel * layout.launches}};
  if (status.watched != shown_watched_)
    copies.push_back({layout.blocks_at(), device->placed(placed), kTexel * layout.blocks});
  if (layout.elements > 0 && (shown_slices_ == 0 || status.slices != shown_slices_))
    copies.push_back({layout.result_at(), device->result(), sizeof(float) * layout.elements});
  shown_watched_ = status.watched;
  shown_slices_ = status.slices;
  thread_->window_calls = true;
  const Status written = interop_->write(copies, device->show_stream());
  thread_->window_calls = false;
  return written;
}

std::vector<LiveFeed::Part> LiveLoop::fetch() {
  const auto device = thread_->device();
  if (!device || !thread_->host_ready) return {};
  const LiveStatus status = thread_->shown().status;
  const LiveLayout& layout = device->layout();
  std::vector<Part> parts = {{layout.launches_at(), thread_->host_ring()}};
  if (status.watched != shown_watched_) parts.push_back({layout.blocks_at(), thread_->host_blocks()});
  if (layout.elements > 0 && status.slices != shown_slices_)
    parts.push_back({layout.result_at(), thread_->host_result()});
  shown_watched_ = status.watched;
  shown_slices_ = status.slices;
  return parts;
}

std::vector<PlacedBlock> LiveLoop::watched_blocks() {
  const auto device = thread_->device();
  const auto [status, placed] = thread_->shown();
  if (!device || status.watched == 0) return {};
  auto blocks = device->placed_blocks(placed);
  return blocks ? *std::move(blocks) : std::vector<PlacedBlock>();
}

Result<LiveResults> LiveLoop::results(double timeout_seconds) {
  thread_->results_wanted = true;
  const auto end = Clock::now() + std::chrono::duration<double>(timeout_seconds);
  while (Clock::now() < end) {
    if (auto results = thread_->take_results()) return *std::move(results);
    if (const auto status = thread_->status(); status.error) return *status.error;
    std::this_thread::sleep_for(nap);
  }
  return Error{"the live run did not answer", "choose a smaller size"};
}

}  // namespace warplens::gpu
