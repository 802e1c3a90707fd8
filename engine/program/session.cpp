#include "engine/program/session.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/base/text.hpp"
#include "engine/program/launch_rules.hpp"
#include "engine/program/launcher.hpp"
#include "engine/program/wire.hpp"

namespace warplens::program {
namespace {

using protocol::Request;

constexpr std::uint32_t kNoModule = ~0u;

void copy_name(char (&to)[256], const std::string& name) {
  std::copy_n(name.begin(), std::min(name.size(), sizeof to - 1), to);
}

// Programs compute the bandwidth of memory from its clock and the width of its bus: so the two give it.
protocol::Device facts_of(const SessionOptions& options) {
  const device::Device& device = options.device;
  constexpr int kBusBits = 5120;
  protocol::Device facts;
  copy_name(facts.name, options.device_name);
  facts.major = device.compute_capability / 10;
  facts.minor = device.compute_capability % 10;
  facts.sm_count = std::max(device.sm_count, 1);
  facts.clock_khz = static_cast<int>(device.boost_clock_mhz * 1e3);
  facts.bus_bits = kBusBits;
  facts.memory_clock_khz = static_cast<int>(device.memory_gb_per_s * 1e6 / (2.0 * kBusBits / 8));
  facts.threads_per_block = device.max_threads_per_block;
  facts.threads_per_sm = device.max_threads_per_sm;
  facts.blocks_per_sm = device.max_blocks_per_sm;
  facts.warp_size = device.warp_size;
  facts.registers_per_sm = device.registers_per_sm;
  facts.registers_per_block = device.registers_per_block;
  facts.shared_per_block = device.shared_per_block;
  facts.shared_per_block_optin = device.shared_per_block_optin;
  facts.shared_per_sm = device.shared_per_sm;
  facts.shared_reserved = device.shared_reserved_per_block;
  facts.l2_bytes = device.l2_bytes;
  facts.memory_bytes = options.device_memory;
  facts.memory_bytes_per_second = device.memory_gb_per_s * 1e9 * 0.9;
  facts.host_bytes_per_second = 25e9;  // PCIe 4.0 with 16 lanes, pinned memory
  facts.copy_seconds = 5e-6;
  facts.launch_seconds = 2e-6;
  return facts;
}

class SessionImpl : public Session {
 public:
  SessionImpl(SessionOptions options, DeviceMemory memory)
      : options_(std::move(options)), memory_(std::move(memory)), launcher_(options_, memory_, record_) {}
  const Descriptor& memory_file() const override { return memory_.file(); }
  const ProgramRecord& record() const override { return record_; }

  void serve(const Descriptor& socket) override {
    Wire wire(socket);
    while (auto message = wire.receive()) {
      if (!answer(*message, wire)) break;
      record_.most_memory = memory_.most_used();
    }
    shutdown(socket.number(), SHUT_RDWR);  // whoever waits for an answer would wait for ever
  }

 private:
  // False: that was no request.
  bool answer(Message& message, Wire& wire) {
    switch (static_cast<Request>(message.head.request)) {
      case Request::hello:
        return wire.send(0, facts_of(options_));
      case Request::module:
        return add_module(message, wire);
      case Request::kernel:
        return tell_kernel(message, wire);
      case Request::launch:
        return launch(message, wire);
      case Request::allocate:
        return allocate(message, wire);
      case Request::release:
        memory_.release(message.take<std::uint64_t>());
        return wire.send(0);
      case Request::fill: {
        const auto fill = message.take<protocol::Fill>();
        memory_.state().fill(fill.address, fill.bytes, static_cast<std::byte>(fill.value), memory_.memory());
        memory_.unwritten().write(fill.address, fill.bytes);
        return wire.send(0);
      }
      case Request::occupancy:
        return tell_occupancy(message, wire);
      default:
        return note(message);
    }
  }

  bool allocate(Message& message, Wire& wire) {
    const auto wanted = message.take<protocol::Allocate>();
    const bool is_visible = wanted.kind != static_cast<std::uint32_t>(protocol::Memory::device);
    const std::uint64_t address = memory_.allocate(wanted.size, is_visible);
    const std::uint64_t all = memory_.used() + wanted.size;
    if (address == 0 && all > options_.most_memory && all <= options_.device_memory)
      record_.refused_memory = wanted.size;
    note_large(wanted.size, address == 0);
    return wire.send(0, address);
  }

  // An allocation that the device has room for, and the emulator's memory has not.
  void note_large(std::uint64_t size, bool is_refused) {
    constexpr std::uint64_t kTooLarge = std::uint64_t{1} << 32;
    if (is_refused && size >= kTooLarge && size <= options_.device_memory)
      record_.not_emulated.push_back(
          fmt::format("an allocation of {} bytes, since each is below 4 GiB", grouped(size)));
  }

  bool note(Message& message) {
    switch (static_cast<Request>(message.head.request)) {
      case Request::copy: {
        const auto copy = message.take<protocol::Copy>();
        CopyRecord& kind = record_.copies[static_cast<std::size_t>(copy.direction) % record_.copies.size()];
        ++kind.copies;
        kind.bytes += copy.bytes;
        list(copy);
        memory_.touch(copy.to, copy.span);
        return true;
      }
      case Request::visible:
        memory_.state().set_visible(message.take<std::uint64_t>());
        return true;
      case Request::changed: {
        const auto changed = message.take<protocol::Changed>();
        memory_.touch(changed.address, changed.bytes);
        return true;
      }
      case Request::unsupported:
        record_.not_emulated.push_back(message.rest());
        return true;
      case Request::lost:
        record_.lost_print_bytes = message.take<std::uint64_t>();
        return true;
      case Request::host_access:
        record_.host_access = name_of(message.take<protocol::HostAccess>().address);
        return true;
      case Request::out_of_room:
        record_.host_is_out_of_memory = true;
        return true;
      case Request::library: {
        const double seconds = message.take<protocol::LibraryCall>().seconds;
        LibraryRecord& library = record_.libraries[message.rest()];
        memory_.state().touch_all();
        ++library.calls;
        library.seconds += seconds;
        return true;
      }
      default:
        return false;
    }
  }

  void list(const protocol::Copy& copy) {
    if (record_.copy_list.size() >= kMostLaunches) return;
    const auto facts = facts_of(options_);
    record_.copy_list.push_back(
        {record_.launch_count, static_cast<std::uint32_t>(copy.direction), copy.bytes,
         facts.copy_seconds + static_cast<double>(copy.bytes) / facts.host_bytes_per_second});
  }

  std::string name_of(std::uint64_t address) {
    const emulator::Allocation* near = memory_.memory().nearest(address);
    return near != nullptr ? near->name : "device memory";
  }

  bool add_module(Message& message, Wire& wire) {
    auto module = Module::load(message.bytes(), options_.device, memory_.memory());
    if (!module) {
      record_.problems.push_back(to_line(module.error()));
      return wire.send(cudaErrorNoKernelImageForDevice, protocol::Module{kNoModule, 0});
    }
    std::string body;
    for (const ModuleVariable& variable : module->variables()) {
      const protocol::Entry entry{variable.address, variable.size,
                                  static_cast<std::uint32_t>(variable.name.size()), variable.is_constant};
      append(body, entry);
      body += variable.name;
    }
    const protocol::Module head{static_cast<std::uint32_t>(modules_.size()),
                                static_cast<std::uint32_t>(module->variables().size())};
    modules_.push_back(std::make_unique<Module>(*std::move(module)));
    return wire.send(0, head, body);
  }

  Module* module_at(std::uint32_t id) { return id < modules_.size() ? modules_[id].get() : nullptr; }

  Result<const KernelEntry*> entry_of(std::uint32_t id, const std::string& name,
                                      const Module::Cluster& cluster = {}, std::uint64_t stack = 0) {
    if (Module* const module = module_at(id)) return module->kernel(name, cluster, stack);
    return Error{record_.problems.empty() ? "it is of no module that was loaded" : record_.problems.back(),
                 ""};
  }

  void note_problem(const std::string& name, const Error& error) {
    const std::string problem = title_of(name) + ": " + to_line(error);
    if (std::ranges::find(record_.problems, problem) == record_.problems.end())
      record_.problems.push_back(problem);
  }

  bool tell_kernel(Message& message, Wire& wire) {
    const auto question = message.take<protocol::KernelQuestion>();
    const std::string name = message.rest();
    Module* const module = module_at(question.module);
    if (module != nullptr && !module->has_kernel(name)) return wire.send(cudaErrorSymbolNotFound);
    const auto found = entry_of(question.module, name);
    if (!found) {
      if (module != nullptr) note_problem(name, found.error());
      return wire.send(cudaErrorNotSupported);
    }
    const KernelEntry* const entry = *found;
    const ptx::Function& function = entry->kernel->function();
    const int arch = options_.device.compute_capability;
    protocol::Kernel kernel;
    kernel.static_shared = entry->kernel->static_shared_bytes();
    kernel.local = entry->resources ? static_cast<std::uint64_t>(entry->resources->stack_bytes) : 0;
    kernel.constant = entry->resources ? static_cast<std::uint64_t>(entry->resources->constant_bytes) : 0;
    kernel.registers = entry->resources ? entry->resources->registers : kUsualRegisters;
    kernel.max_threads = entry->max_threads;
    kernel.ptx_version = kernel.binary_version = arch;
    std::copy(function.cluster.begin(), function.cluster.end(), kernel.cluster);
    kernel.parameters = static_cast<std::uint32_t>(function.parameters.size());
    std::string body;
    for (const ptx::Parameter& parameter : function.parameters)
      append(body, protocol::Parameter{static_cast<std::uint32_t>(parameter.offset),
                                       static_cast<std::uint32_t>(parameter.size)});
    return wire.send(0, kernel, body);
  }

  bool launch(Message& message, Wire& wire) {
    const auto launch = message.take<protocol::Launch>();
    const std::string name(message.take(launch.name_size));
    const auto& cluster = launch.cluster;
    const auto entry = entry_of(launch.module, name, {cluster[0], cluster[1], cluster[2]}, launch.stack);
    const LaunchAnswer done =
        entry ? launcher_.launch(launch, *module_at(launch.module), **entry, message.bytes())
              : launcher_.note_not_executed(launch, name, to_line(entry.error()));
    const protocol::Launched answer{done.fault, 0, done.seconds, done.printed.size(), done.said.size()};
    return wire.send(done.error, answer, done.printed + done.said);
  }

  bool tell_occupancy(Message& message, Wire& wire) {
    const auto question = message.take<protocol::OccupancyQuestion>();
    const std::string name = message.rest();
    const auto found = entry_of(question.module, name);
    if (!found) {
      note_problem(name, found.error());
      return wire.send(cudaErrorNotSupported, std::int32_t{0});
    }
    const KernelEntry* const entry = *found;
    const auto shared = static_cast<std::int64_t>(question.shared) + entry->kernel->static_shared_bytes();
    // An H100 says how many fit of blocks above __launch_bounds__ too, which it does not launch.
    const bool fits = question.block <= options_.device.max_threads_per_block &&
                      shared <= options_.device.shared_per_block_optin;
    return wire.send(0, fits ? fit_of(*entry, options_.device, question.block, shared).blocks_per_sm : 0);
  }

  SessionOptions options_;
  ProgramRecord record_;
  DeviceMemory memory_;
  std::vector<std::unique_ptr<Module>> modules_;
  Launcher launcher_;
};

}  // namespace

Result<std::unique_ptr<Session>> Session::create(SessionOptions options) {
  auto memory = DeviceMemory::create(options.most_memory);
  if (!memory) return memory.error();
  return std::unique_ptr<Session>(std::make_unique<SessionImpl>(std::move(options), *std::move(memory)));
}

}  // namespace warplens::program
