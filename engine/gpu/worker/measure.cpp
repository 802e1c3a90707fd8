#include "engine/gpu/worker/measure.hpp"

#include <algorithm>
#include <chrono>

namespace warplens::gpu {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Sample {
  Contender* contender;
  Event begin, end;
};

Result<double> seconds_between(const Driver& driver, const Event& begin, const Event& end) {
  float milliseconds = 0;
  WARPLENS_GPU_TRY(driver, cuEventElapsedTime(&milliseconds, begin.get(), end.get()));
  return static_cast<double>(milliseconds) / 1e3;
}

class Rounds {
 public:
  Rounds(const Bench& bench, const TimingOptions& options, std::vector<Contender>& contenders)
      : bench_(bench), options_(options), contenders_(contenders) {}

  Status run() {
    if (options_.cold) {
      // Twice the cache, so that nothing of the problem stays whatever the replacement policy.
      flush_bytes_ = static_cast<std::size_t>(2 * bench_.l2_bytes);
      auto memory = DeviceMemory::allocate(bench_.driver, flush_bytes_);
      if (!memory) return memory.error();
      flush_ = *std::move(memory);
    }
    if (const auto warm = warm_up(); !warm) return warm;
    if (is_hopeless()) {
      contenders_.front().samples.push_back(contenders_.front().seconds_of_one);
      return Done{};
    }
    const auto begin = Clock::now();
    while (!is_enough(options_, all_samples(), seconds_since(begin))) {
      if (const auto done = round(); !done) return done;
      (*bench_.progress)("timed");
    }
    return Done{};
  }

 private:
  std::vector<std::vector<double>> all_samples() const {
    std::vector<std::vector<double>> all;
    for (const Contender& contender : contenders_) all.push_back(contender.samples);
    return all;
  }

  bool is_hopeless() const {
    return options_.hopeless_seconds > 0 && contenders_.front().seconds_of_one > options_.hopeless_seconds;
  }

  // The first launch pays for loading code; clocks rise within some milliseconds of work.
  Status warm_up() {
    for (Contender& contender : contenders_) {
      const auto begin = Clock::now();
      const double enough = std::min(0.05, options_.seconds / 5);
      int launches = 0;
      do {
        const auto seconds = seconds_of(bench_, contender.launch);
        if (!seconds) return seconds.error();
        contender.seconds_of_one = *seconds;
        (*bench_.progress)("warmed up");
      } while (++launches < 2 || (!is_hopeless() && (launches < 3 || seconds_since(begin) < enough)));
      contender.launches = launches_for(contender.seconds_of_one, options_.cold);
    }
    return Done{};
  }

  Status queue(Sample& sample) {
    if (options_.cold) {
      WARPLENS_GPU_TRY(*bench_.driver, cuMemsetD8Async(flush_.pointer(), 0, flush_bytes_, bench_.stream));
    }
    WARPLENS_GPU_TRY(*bench_.driver, cuEventRecord(sample.begin.get(), bench_.stream));
    for (int launch = 0; launch < sample.contender->launches; ++launch) {
      if (const auto launched = sample.contender->launch(); !launched) return launched;
    }
    WARPLENS_GPU_TRY(*bench_.driver, cuEventRecord(sample.end.get(), bench_.stream));
    return Done{};
  }

  Result<Sample> new_sample(Contender& contender) {
    auto begin = Event::create(bench_.driver), end = Event::create(bench_.driver);
    if (!begin) return begin.error();
    if (!end) return end.error();
    return Sample{&contender, *std::move(begin), *std::move(end)};
  }

  Status round() {
    double seconds = 0;
    for (const Contender& contender : contenders_) seconds += contender.seconds_of_one * contender.launches;
    std::vector<Sample> samples;
    for (int turn = samples_per_round(seconds); turn > 0; --turn) {
      for (Contender& contender : contenders_) {
        auto sample = new_sample(contender);
        if (!sample) return sample.error();
        samples.push_back(*std::move(sample));
      }
    }
    if (const auto lead = contenders_.front().launch(); !lead) return lead;
    for (Sample& sample : samples) {
      if (const auto queued = queue(sample); !queued) return queued;
    }
    read_conditions();
    if (const auto done = bench_.wait(); !done) return done;
    return collect(samples);
  }

  // While the queue is at work. NVML takes milliseconds to answer and knows new values every 20 to 100 ms.
  void read_conditions() {
    if (bench_.nvml == nullptr || seconds_since(last_reading_) < 0.05) return;
    bench_.nvml->read();
    last_reading_ = Clock::now();
  }

  Status collect(const std::vector<Sample>& samples) {
    for (const Sample& sample : samples) {
      const auto seconds = seconds_between(*bench_.driver, sample.begin, sample.end);
      if (!seconds) return seconds.error();
      sample.contender->samples.push_back(*seconds / sample.contender->launches);
    }
    return Done{};
  }

  const Bench& bench_;
  const TimingOptions& options_;
  std::vector<Contender>& contenders_;
  DeviceMemory flush_;
  std::size_t flush_bytes_ = 0;
  Clock::time_point last_reading_{};
};

}  // namespace

Result<double> seconds_of(const Bench& bench, const std::function<Status()>& work) {
  auto begin = Event::create(bench.driver), end = Event::create(bench.driver);
  if (!begin) return begin.error();
  if (!end) return end.error();
  WARPLENS_GPU_TRY(*bench.driver, cuEventRecord(begin->get(), bench.stream));
  if (const auto done = work(); !done) return done.error();
  WARPLENS_GPU_TRY(*bench.driver, cuEventRecord(end->get(), bench.stream));
  if (const auto done = bench.wait(); !done) return done.error();
  return seconds_between(*bench.driver, *begin, *end);
}

Status measure(const Bench& bench, const TimingOptions& options, std::vector<Contender>& contenders) {
  return Rounds(bench, options, contenders).run();
}

}  // namespace warplens::gpu
