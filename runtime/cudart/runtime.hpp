// What the runtime knows of the program that it is loaded into. A C interface has no other place for it than
// one object a process: runtime(), which api() hands to each function, locked.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/cudart/connection.hpp"
#include "runtime/cudart/cuda_types.hpp"
#include "runtime/cudart/registered.hpp"
#include "runtime/cudart/stream.hpp"

namespace warplens::runtime {

struct Block {
  std::uint64_t size = 0;
  protocol::Memory kind = protocol::Memory::device;
  bool is_variable = false;
  unsigned flags = 0;
};

struct LaunchShape {
  dim3 grid, block;
  std::size_t shared = 0;
  Stream* stream = nullptr;
  bool is_cooperative = false;
  unsigned cluster[3] = {0, 0, 0};
  const void* caller = nullptr;
};

inline constexpr std::size_t kStackLimit = 0;  // cudaLimitStackSize

class Runtime {
 public:
  // ---- the state of the device
  cudaError_t start();  // an error where there is no session
  cudaError_t state() const { return is_reset_ ? cudaErrorDevicesUnavailable : sticky_; }
  cudaError_t keep(cudaError_t error);
  cudaError_t last(bool forget);
  cudaError_t wait();  // for all that was launched: what kernels printed and did wrong comes to light
  void reset();
  void say_lost();
  void unsupported(const char* name);
  double clock() const { return clock_; }
  const protocol::Device& device() const { return device_; }
  Connection& connection() { return connection_; }

  // ---- what was registered
  Registered& add_registered();
  cudaError_t load(Registered& one);
  cudaError_t load_all();
  bool has_kernels() const { return !registered_.empty(); }
  // Hands a module's images to the session; its variables become memory that can be copied to.
  cudaError_t load_images(std::string_view images, LoadedModule& to);
  // The handle of a kernel of a module that was loaded at run time.
  cudaError_t find(LoadedModule& module, const std::string& name, const void*& handle);
  cudaError_t find(const void* host, Function*& function);
  cudaError_t find(const void* host, const Variable*& variable);
  cudaError_t ask_kernel(Function& function);

  // ---- memory
  cudaError_t allocate(void** p, std::size_t size, protocol::Memory kind, unsigned flags = 0);
  cudaError_t release(const void* p, bool of_host);
  const Block* block_at(const void* p, std::size_t size, std::uint64_t* begin = nullptr) const;
  cudaError_t check_copy(const void* to, const void* from, std::size_t size, int kind) const;
  void copy(void* to, const void* from, std::size_t size);
  void set(void* to, int value, std::size_t size);
  // Says what was copied; span: from the first to the last byte that was written. Or what else was written.
  void note_copy(void* to, std::size_t span, const void* from, std::size_t size);
  void note_change(const void* at, std::size_t size);
  // Memory of the host that kernels see in a copy, which follows it from launch to launch.
  struct Shadow {
    std::uint64_t device = 0;
    std::size_t size = 0;
    unsigned flags = 0;
  };
  std::map<std::uint64_t, Shadow>& shadows() { return shadows_; }
  std::uint64_t allocated() const { return allocated_; }

  // ---- work
  cudaError_t launch(Function& function, const LaunchShape& shape, std::string_view arguments);
  // What a stream is given: done at once, or recorded where the stream captures.
  using Work = std::function<cudaError_t()>;
  cudaError_t enqueue(Stream* stream, int node_type, Work work);

  std::map<const void*, Function>& functions() { return functions_; }
  std::map<std::size_t, std::size_t>& limits() { return limits_; }  // that the program set, by cudaLimit
  std::recursive_mutex& mutex() { return mutex_; }
  int& captures() { return captures_; }

 private:
  void open_variable(const protocol::Entry& entry, void** place);  // of a managed one, which the host finds there
  std::uint64_t ask_for(std::size_t size, protocol::Memory kind);
  void take_printed(std::string_view printed, std::string_view said);
  void tell_said();  // on stderr
  void move_shadows(bool to_device);

  std::recursive_mutex mutex_;
  Connection connection_;
  protocol::Device device_;
  bool is_started_ = false, is_reset_ = false;
  cudaError_t last_ = cudaSuccess, pending_ = cudaSuccess, sticky_ = cudaSuccess;
  std::string printed_, said_;
  double clock_ = 0;
  std::vector<std::unique_ptr<Registered>> registered_;
  std::map<const void*, Function> functions_;
  std::map<const void*, Variable> variables_;
  std::map<std::uint64_t, Block> blocks_;
  std::map<std::uint64_t, Shadow> shadows_;
  std::map<std::size_t, std::size_t> limits_;
  std::map<std::string, int, std::less<>> told_;
  std::uint64_t allocated_ = 0;
  int captures_ = 0;  // streams that capture
};

Runtime& runtime();

// Notes, for the report, that the host's own code was given no memory.
void say_out_of_room();

// A function of the interface: with the session, on a device that works; its error becomes the last one.
template <class Body>
cudaError_t api(Body body) {
  Runtime& one = runtime();
  const std::lock_guard lock(one.mutex());
  if (const auto error = one.start()) return one.keep(error);
  if (const auto error = one.state()) return one.keep(error);
  return one.keep(body(one));
}
// One that waits for what was launched.
template <class Body>
cudaError_t waiting_api(Body body) {
  return api([&](Runtime& one) {
    if (const auto error = one.wait()) return error;
    return body(one);
  });
}

}  // namespace warplens::runtime
