#include "app/window/pages/live/live_session.hpp"

#include <algorithm>
#include <array>
#include <thread>

#include "engine/problem/work.hpp"

namespace warplens::app {
namespace {

constexpr double kSecondsShown = 10;        // of launches, across the plot
constexpr std::uint32_t kLeastShown = 100;  // entries

// Whether the GPU would be given the very same to do.
bool is_same_work(const run::Run& a, const run::Run& b) {
  return a.plan().spec.id == b.plan().spec.id && a.plan().parameters == b.plan().parameters &&
         a.plan().sizes == b.plan().sizes && a.job->build.ptx == b.job->build.ptx;
}

// Of one launch, in 1e9: operations, or the bytes that it must move.
double work_of(const run::Run& run) { return 1e-9 * problem::work_of(*run.job->instance).amount; }

const problem::Buffer* output_of(const run::Run& run) {
  const auto& buffers = run.job->instance->buffers();
  const auto found = std::find_if(buffers.begin(), buffers.end(), [](const auto& b) { return b.is_output; });
  return found == buffers.end() ? nullptr : &*found;
}

}  // namespace

LiveSession::LiveSession(std::shared_ptr<LiveEngine> engine) : engine_(std::move(engine)) {
  // Nobody has to be woken: a window with a busy session draws its frames anyway.
  finding_ = std::make_unique<LatestWins<int, Found>>(
      [engine = engine_](const int&, const auto&, const auto&) {
        const auto gpu = engine->find();
        return gpu ? Found{*gpu, {}} : Found{std::nullopt, gpu.error()};
      },
      nullptr);
  checking_ = std::make_unique<LatestWins<run::SharedRun, std::optional<Result<Check>>>>(
      [engine = engine_](const run::SharedRun& run, const auto&, const auto&) {
        auto checked = engine->check(*run);
        return std::optional<Result<Check>>(checked ? Result<Check>(Check{run, *std::move(checked)})
                                                    : Result<Check>(checked.error()));
      },
      nullptr);
  finding_->submit(0);
}

// A kernel may be on the GPU for its check: its thread ends when that does, and nobody waits for it here.
LiveSession::~LiveSession() {
  stop();
  feed_.reset();
  retired_.clear();
  engine_->last().take(
      std::thread([finding = std::move(finding_), checking = std::move(checking_)]() mutable {
        finding.reset();
        checking.reset();
      }));
}

bool LiveSession::is_busy() const {
  return phase_ == Phase::looking || phase_ == Phase::waiting || phase_ == Phase::checking ||
         phase_ == Phase::starting;
}

void LiveSession::retire() {
  if (feed_ == nullptr) return;
  feed_->stop();
  retired_.push_back(std::move(feed_));
}

void LiveSession::start() {
  if (on_ || !can_start()) return;
  on_ = true;
  error_.reset();
  run_.reset();
  phase_ = Phase::waiting;
}

void LiveSession::stop() {
  on_ = false;
  checking_->cancel();
  retire();
  if (can_start()) phase_ = Phase::off;
}

void LiveSession::fail(Error error) {
  retire();
  error_ = std::move(error);
  phase_ = Phase::failed;
}

void LiveSession::update(const Model& model) {
  std::erase_if(retired_, [](const auto& feed) { return feed->is_over(); });
  try {
    take_answers();
  } catch (...) {  // what a worker threw: nothing of it is waited for any more
    fail({"the check of the kernel came to no end", "press Live to try again"});
    throw;
  }
  if (on_) follow(model);
  if (feed_ == nullptr) return;
  const gpu::LiveStatus status = feed_->status();
  if (status.error) return fail(*status.error);
  if (phase_ == Phase::starting && status.phase == gpu::LiveStatus::Phase::running) phase_ = Phase::running;
}

// Other parameters: what ran stops now, and what they make goes live once it was checked.
void LiveSession::follow(const Model& model) {
  if (model.error() && !model.busy_seconds()) {
    run_.reset();
    return fail(*model.error());
  }
  if (!model.is_current() || model.run() == nullptr || !model.run()->complete) {
    if (phase_ == Phase::failed) phase_ = Phase::waiting;
    return;  // what runs goes on until there is something newer
  }
  if (run_ != nullptr && phase_ != Phase::waiting && is_same_work(*run_, *model.run())) return;
  retire();
  error_.reset();
  run_ = model.shared_run();
  phase_ = Phase::checking;
  checking_->submit(run_);
}

void LiveSession::take_answers() {
  if (auto found = finding_->poll()) {
    phase_ = found->gpu ? Phase::off : Phase::unavailable;
    if (found->gpu)
      gpu_ = *found->gpu;
    else
      error_ = found->error;
  }
  auto answer = checking_->poll();
  if (!answer || !*answer || !on_ || phase_ != Phase::checking) return;
  Result<Check>& check = **answer;
  if (!check) return fail(check.error());
  run_ = check->run;
  checked_ = std::move(check->checked);
  feed_ = checked_.start();
  ++generation_;
  phase_ = Phase::starting;
}

std::string LiveSession::words() const {
  static constexpr std::array kWords = {"Looking for a GPU",
                                        "Live pictures need an NVIDIA GPU",
                                        "Press Live to run this kernel over and over on the GPU",
                                        "Waiting for the run on the emulator",
                                        "Checking the result on the GPU",
                                        "Starting",
                                        "Live",
                                        "Not live"};
  static_assert(kWords.size() == static_cast<std::size_t>(Phase::failed) + 1);
  return kWords[static_cast<std::size_t>(phase_)];
}

std::optional<double> LiveSession::checked_rate() const {
  if (run_ == nullptr || checked_.seconds_of_launch <= 0) return std::nullopt;
  return work_of(*run_) / checked_.seconds_of_launch;
}

live::LiveFacts LiveSession::facts(const gpu::LiveStatus& status, bool through_host) const {
  live::LiveFacts facts;
  facts.state = words();
  facts.device = gpu_.name;
  facts.through_host = through_host;
  facts.running = phase_ == Phase::running;
  facts.multiprocessors = static_cast<std::uint32_t>(gpu_.multiprocessors);
  if (run_ == nullptr || checked_.seconds_of_launch <= 0) return facts;
  facts.kernel = run_->plan().spec.title;
  facts.work = work_of(*run_);
  facts.unit = problem::work_of(*run_->job->instance).unit.substr(1);  // behind the G
  facts.checked_rate = facts.work / checked_.seconds_of_launch;
  if (status.seconds_of_launch > 0) facts.rate = facts.work / status.seconds_of_launch;
  facts.launches_per_entry = status.launches_per_entry;
  const double entries =
      kSecondsShown / (checked_.seconds_of_launch * std::max(1u, status.launches_per_entry));
  facts.shown = static_cast<std::uint32_t>(
      std::clamp(entries, double{kLeastShown}, std::max<double>(kLeastShown, status.layout.launches)));
  facts.span = status.span;
  facts.has_timeline = checked_.timeline && (status.layout.blocks > 0 || phase_ != Phase::running);
  facts.blocks_in_grid = status.blocks;
  facts.slots = status.slots;
  facts.low = checked_.low;
  facts.high = checked_.high;
  if (const auto* output = output_of(*run_)) {
    facts.result_name = output->name;
    if (status.layout.elements > 1) facts.result = output->shape;
  }
  return facts;
}

std::optional<figures::TimelineInput> LiveSession::timeline() const {
  if (feed() == nullptr) return std::nullopt;
  const std::vector<gpu::PlacedBlock> placed = feed()->watched_blocks();
  if (placed.empty()) return std::nullopt;
  figures::TimelineInput input{.title = run_->plan().spec.title,
                               .subtitle = gpu_.name,
                               .blocks = {},
                               .sms = static_cast<std::uint32_t>(gpu_.multiprocessors)};
  for (const gpu::PlacedBlock& block : placed)
    input.blocks.push_back(
        {block.block, block.multiprocessor_and_slot >> gpu::kSlotBits, block.begin, block.end});
  return input;
}

}  // namespace warplens::app
