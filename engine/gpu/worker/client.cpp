#include "engine/gpu/worker/client.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "engine/gpu/worker/shared_memory.hpp"
#include "engine/gpu/worker/wire.hpp"
#include "engine/gpu/worker/worker_process.hpp"

namespace warplens::gpu {
namespace {

using problem::Instance;

// Buffers begin at a page, so that a copy engine sees whole pages.
constexpr std::uint64_t kPage = 4096;

Slot next_slot(Data& data, std::uint64_t bytes) {
  const Slot slot{data.bytes, bytes};
  data.bytes += (bytes + kPage - 1) / kPage * kPage;
  return slot;
}

Data layout_of(const Instance& instance) {
  Data data;
  std::size_t first_output = instance.buffers().size();
  for (std::size_t b = 0; b < instance.buffers().size(); ++b) {
    const auto& buffer = instance.buffers()[b];
    data.initial.push_back(next_slot(data, buffer.elements * problem::size_in_bytes(buffer.type)));
    if (!buffer.is_output || b > first_output) continue;  // one is brought back
    first_output = b;
    data.output = b;
    data.accumulates = buffer.starts_at_zero || buffer.starts_filled;
  }
  data.result = next_slot(data, data.initial[data.output].bytes);
  data.yardstick = next_slot(data, data.initial[data.output].bytes);
  return data;
}

// What arrived instead of an answer.
struct Silence {
  Fault fault;
};
using Heard = std::variant<Json, Silence>;

Fault hang(double seconds) {
  return {
      Fault::Kind::hang,
      "",
      {fmt::format("the kernel did not end within {} s, so its process was ended", seconds), kAdviceOnHang}};
}

Error not_ready(double seconds) {
  return {fmt::format("the GPU's driver was not ready for the kernel within {} s, so its process was ended",
                      seconds),
          "try again; if it stays so, see whether nvidia-smi answers"};
}

// How long to wait for a reply that is no longer wanted: starting the driver again takes as long.
constexpr double kGrace = 0.5;
constexpr double kLookEvery = 0.02;  // seconds, for a cancel

Fault crash(const std::string& epitaph) {
  return {Fault::Kind::crashed, "", {"the GPU's process " + epitaph, ""}};
}

}  // namespace

struct Client::State {
  Options options;
  std::unique_ptr<WorkerProcess> worker;
  int started = 0;
  bool recovering = false;                   // no run has ended since the last worker was lost
  std::shared_ptr<const Instance> instance;  // whose buffers are in `memory`
  Data data;
  std::shared_ptr<SharedMemory> memory;
  bool sent = false;               // to the worker that is running
  std::vector<std::byte> brought;  // beside the last answer

  Status start() {
    if (worker) return Done{};
    auto process = WorkerProcess::start(options.worker_command);
    if (!process) return process.error();
    worker = *std::move(process);
    sent = false;
    ++started;
    return Done{};
  }

  void lose_worker() {
    worker.reset();
    recovering = true;
  }

  // Whether the worker's next message begins, or its end: before the timeout, and soon after a cancel.
  bool begins(const std::atomic<bool>* cancel, double timeout) const {
    using Clock = std::chrono::steady_clock;
    const auto after = [](double seconds) {
      return Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    };
    auto end = after(timeout);
    bool cancelled = false;
    while (Clock::now() < end) {
      if (!cancelled && *cancel) {
        cancelled = true;
        end = std::min(end, after(kGrace));
      }
      pollfd what{worker->channel().number(), POLLIN, 0};
      if (::poll(&what, 1, static_cast<int>(1e3 * kLookEvery)) != 0) return true;
    }
    return false;
  }

  // The answer to what was just sent, past any progress. Error: not even the launch was reached.
  // timeout_factor: see Run::timeout_factor.
  Result<Heard> hear(const std::atomic<bool>* cancel, double timeout_factor) {
    bool ready = false;
    for (;;) {
      const double launch =
          timeout_factor * options.timeout_seconds + (recovering ? options.recovery_seconds : 0);
      const double timeout = ready ? launch : std::max(launch, options.start_seconds);
      const auto late = [&]() -> Result<Heard> {
        lose_worker();
        if (ready) return Heard(Silence{hang(timeout)});
        return not_ready(timeout);
      };
      if (cancel != nullptr && !begins(cancel, timeout)) return late();
      auto received = worker->channel().receive(timeout);
      if (received.state == Channel::State::late) return late();
      auto json = parse_message(received.message.text);
      if (received.state != Channel::State::message || !json) {
        const Silence silence{crash(worker->epitaph())};
        lose_worker();
        return Heard(silence);
      }
      brought = std::move(received.message.attachment);
      if (kind_of(*json) != "progress") return Heard(*std::move(json));
      ready = true;  // the first is that nothing is left to do before the launch
    }
  }

  // Error: the worker is gone before it took the request.
  Result<Heard> ask(const Json& request, std::span<const std::byte> attachment = {}, int descriptor = -1,
                    const std::atomic<bool>* cancel = nullptr, double timeout_factor = 1) {
    if (const auto ready = start(); !ready) return ready.error();
    if (const auto done = worker->channel().send(request.dump(), attachment, descriptor); !done) {
      const std::string epitaph = worker->epitaph();
      lose_worker();
      return Error{"the GPU's process " + epitaph, "start it again"};
    }
    return hear(cancel, timeout_factor);
  }

  // The buffers of the instance in shared memory, once for all runs of it.
  Status share(const std::shared_ptr<const Instance>& wanted) {
    if (instance == wanted) return Done{};
    instance.reset();
    memory.reset();
    Data layout = layout_of(*wanted);
    layout.id = data.id + 1;
    auto made = SharedMemory::create(layout.bytes);
    if (!made) return made.error();
    for (std::size_t b = 0; b < layout.initial.size(); ++b) {
      const auto initial = wanted->initial(b);
      std::copy(initial.begin(), initial.end(), (*made)->bytes().data() + layout.initial[b].offset);
    }
    data = layout;
    memory = *std::move(made);
    instance = wanted;
    sent = false;
    return Done{};
  }

  Status send_data() {
    if (const auto ready = start(); !ready) return ready;
    if (sent) return Done{};
    const auto heard = ask({{"what", "data"}, {"data", json_of(data)}}, {}, memory->descriptor());
    if (!heard) return heard.error();
    const Json* json = std::get_if<Json>(&*heard);
    if (json == nullptr) return std::get<Silence>(*heard).fault.error;
    const auto answer = read<Answer>(*json);
    if (!answer) return answer.error();
    if (answer->error) return *answer->error;
    sent = true;
    return Done{};
  }

  std::span<const std::byte> bytes_of(const Slot& slot) const {
    return std::span<const std::byte>(memory->bytes()).subspan(slot.offset, slot.bytes);
  }

  Job job_of(const Run& run) const {
    Job job{.device = run.device,
            .kernel_name = run.kernel_name,
            .launch = run.launch,
            .arguments = run.instance->arguments(),
            .data = data.id,
            .timing = run.timing,
            .product = run.product,
            .library_folders = {},
            .extra = run.extra,
            .metrics = run.metrics,
            .instruction_metrics = run.instruction_metrics,
            .cooperative = run.cooperative};
    if (job.extra) job.extra->start_bytes = run.extra_start.size();
    for (const auto& folder : options.library_folders) job.library_folders.push_back(folder.string());
    return job;
  }

  Result<Execution> execution_of(const Json& json) {
    const auto answer = read<Answer>(json);
    if (!answer) return answer.error();
    if (answer->error) return *answer->error;
    Execution execution;
    execution.printed = worker->printed();
    execution.fault = answer->fault;
    if (answer->fault) {
      lose_worker();
      return execution;
    }
    recovering = false;
    execution.timing = answer->timing;
    execution.output = bytes_of(data.result);
    execution.places = answer->places;
    execution.counted = answer->counted;
    execution.instructions = answer->instructions;
    execution.extra = std::move(brought);
    if (answer->has_yardstick) execution.yardstick = bytes_of(data.yardstick);
    return execution;
  }
};

Client::Client(Options options) : state_(std::make_unique<State>()) { state_->options = std::move(options); }
Client::~Client() = default;
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;

int Client::workers_started() const { return state_->started; }

Result<System> Client::system() {
  const auto heard = state_->ask({{"what", "system"}});
  if (!heard) return heard.error();
  if (const Json* json = std::get_if<Json>(&*heard)) return read<System>(*json);
  return std::get<Silence>(*heard).fault.error;
}

Result<Execution> Client::run(const Run& run) {
  if (const auto shared = state_->share(run.instance); !shared) return shared.error();
  if (const auto sent = state_->send_data(); !sent) return sent.error();
  std::vector<std::byte> code;
  if (run.extra) {
    code.assign(run.cubin.begin(), run.cubin.end());
    code.insert(code.end(), run.extra_start.begin(), run.extra_start.end());
  }
  const auto heard = state_->ask({{"what", "run"}, {"job", json_of(state_->job_of(run))}},
                                 run.extra ? std::span<const std::byte>(code) : run.cubin, -1, run.cancel,
                                 run.timeout_factor);
  if (run.cancel != nullptr && *run.cancel) return Error{"this run was cancelled", ""};
  if (!heard) return heard.error();
  if (const Json* json = std::get_if<Json>(&*heard)) return state_->execution_of(*json);
  Execution execution;
  execution.fault = std::get<Silence>(*heard).fault;
  return execution;
}

}  // namespace warplens::gpu
