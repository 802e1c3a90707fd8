#include "runtime/cudart/runtime.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstring>

#include "runtime/cudart/graph.hpp"

namespace warplens::runtime {

using protocol::Request;

// Never destroyed: destructors of the program's own objects still call.
Runtime& runtime() {
  static Runtime& one = *new Runtime;
  return one;
}

namespace {
__attribute__((destructor)) void say_lost_at_end() { runtime().say_lost(); }

// std::set_new_handler of the program's C++ library, which is not the one in here; null: it is a program in C.
using NewHandler = void (*)();
NewHandler set_new_handler(NewHandler handler) {
  static const auto set =
      reinterpret_cast<NewHandler (*)(NewHandler)>(dlsym(RTLD_DEFAULT, "_ZSt15set_new_handlerPFvvE"));
  return set != nullptr ? set(handler) : nullptr;
}

// operator new asks again then, and throws.
void say_out_of_room_once() {
  set_new_handler(nullptr);
  say_out_of_room();
}
}  // namespace

// Whoever got no memory does not wait for another thread.
void say_out_of_room() {
  Runtime& one = runtime();
  const std::unique_lock lock(one.mutex(), std::try_to_lock);
  if (lock && one.connection().is_open()) one.connection().tell(Request::out_of_room, {});
}

cudaError_t Runtime::start() {
  if (is_started_) return cudaSuccess;
  if (!connection_.open()) return cudaErrorNoDevice;
  const Answer answer = connection_.ask(Request::hello, {});
  std::string_view body = answer.body;
  device_ = take<protocol::Device>(body);
  is_started_ = true;
  if (const NewHandler own = set_new_handler(say_out_of_room_once)) set_new_handler(own);
  return cudaSuccess;
}

cudaError_t Runtime::keep(cudaError_t error) {
  if (error != cudaSuccess) last_ = error;
  return error;
}

cudaError_t Runtime::last(bool forget) {
  const cudaError_t error = last_;
  if (forget) last_ = cudaSuccess;
  return error;
}

cudaError_t Runtime::wait() {
  if (captures_ > 0) return cudaErrorStreamCaptureUnsupported;
  std::fwrite(printed_.data(), 1, printed_.size(), stdout);
  printed_.clear();
  tell_said();
  if (pending_ != cudaSuccess) sticky_ = pending_;
  return sticky_;
}

// What a fault broke stays broken until the process ends, as on an H100.
void Runtime::reset() {
  is_reset_ = sticky_ != cudaSuccess;
  pending_ = sticky_ = last_ = cudaSuccess;
  for (auto one = blocks_.begin(); one != blocks_.end();) {
    if (one->second.is_variable) {
      ++one;
      continue;
    }
    connection_.ask(Request::release, bytes_of(one->first));
    allocated_ -= one->second.size;
    one = blocks_.erase(one);
  }
}

void Runtime::say_lost() {
  const std::uint64_t bytes = printed_.size();
  if (connection_.is_open() && bytes > 0) connection_.tell(Request::lost, bytes_of(bytes));
}

void Runtime::unsupported(const char* name) {
  if (told_[name]++ > 0) return;
  std::fflush(stdout);
  std::fprintf(stderr, "warplens: %s is not emulated: the program is told \"not supported\"\n", name);
  if (start() == cudaSuccess) connection_.tell(Request::unsupported, name);
}

void Runtime::tell_said() {
  if (said_.empty()) return;
  std::fflush(stdout);
  std::fputs(said_.c_str(), stderr);
  said_.clear();
}

void Runtime::take_printed(std::string_view printed, std::string_view said) {
  printed_ += printed;
  said_ += said;
}

void Runtime::move_shadows(bool to_device) {
  for (const auto& [host, shadow] : shadows_) {
    void* const device = connection_.reachable(reinterpret_cast<void*>(shadow.device));
    void* const own = reinterpret_cast<void*>(host);
    std::memcpy(to_device ? device : own, to_device ? own : device, shadow.size);
    if (to_device) note_change(reinterpret_cast<void*>(shadow.device), shadow.size);
  }
}

namespace {

// As the program's own file counts addresses; 0: of a library.
std::uint64_t place_in_program(const void* code) {
  Dl_info information;
  link_map* map = nullptr;
  if (code == nullptr || dladdr1(code, &information, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return 0;
  const bool is_program = map != nullptr && map->l_name[0] == 0;
  return is_program ? reinterpret_cast<std::uint64_t>(code) - map->l_addr : 0;
}

}  // namespace

cudaError_t Runtime::launch(Function& function, const LaunchShape& shape, std::string_view arguments) {
  if (pending_ != cudaSuccess) return cudaSuccess;  // nothing behind a fault runs, which nobody knows yet
  protocol::Launch message;
  message.module = function.module;
  const unsigned grid[3] = {shape.grid.x, shape.grid.y, shape.grid.z};
  const unsigned block[3] = {shape.block.x, shape.block.y, shape.block.z};
  std::memcpy(message.grid, grid, sizeof grid);
  std::memcpy(message.block, block, sizeof block);
  std::memcpy(message.cluster, shape.cluster, sizeof shape.cluster);
  message.shared = shape.shared;
  message.shared_allowed = static_cast<std::uint64_t>(
      function.shared_allowed >= 0
          ? function.shared_allowed
          : device_.shared_per_block - static_cast<std::int64_t>(function.facts.static_shared));
  message.stream = reinterpret_cast<std::uint64_t>(shape.stream);
  if (const auto stack = limits_.find(kStackLimit); stack != limits_.end()) message.stack = stack->second;
  message.caller = place_in_program(shape.caller);
  message.is_cooperative = shape.is_cooperative;
  message.name_size = static_cast<std::uint32_t>(function.name.size());
  move_shadows(true);
  const Answer answer =
      connection_.ask(Request::launch, bytes_of(message), function.name + std::string(arguments));
  move_shadows(false);
  std::string_view body = answer.body;
  const auto launched = take<protocol::Launched>(body);
  const std::string_view printed = take(body, launched.printed), said = take(body, launched.said);
  take_printed(printed, said);
  if (answer.status != cudaSuccess && !said.empty()) tell_said();  // a program may wait for what did not run
  clock_ += launched.seconds;
  pending_ = static_cast<cudaError_t>(launched.fault);
  return static_cast<cudaError_t>(answer.status);
}

cudaError_t Runtime::enqueue(Stream* stream, int node_type, Work work) {
  Graph* const graph = capture_of(stream);
  if (graph == nullptr) return work();
  Node& node = add_node(*graph, node_type, stream->last, std::move(work));
  stream->last = {&node};
  return cudaSuccess;
}

}  // namespace warplens::runtime

extern "C" int warplens_unsupported(const char* name) {
  using namespace warplens::runtime;
  Runtime& one = runtime();
  const std::lock_guard lock(one.mutex());
  one.unsupported(name);
  return one.keep(cudaErrorNotSupported);
}
