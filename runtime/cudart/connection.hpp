// The way to the session, and device memory in this process: at its own address, where the host's code may
// touch only what it may touch on a GPU's machine, and once more where this library itself reads and writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/protocol/protocol.hpp"

namespace warplens::runtime {

struct Answer {
  int status = 0;
  std::string body;
};

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
// Takes a T from the front.
template <class T>
T take(std::string_view& from) {
  T value{};
  __builtin_memcpy(&value, from.data(), from.size() < sizeof value ? from.size() : sizeof value);
  from.remove_prefix(from.size() < sizeof value ? from.size() : sizeof value);
  return value;
}
inline std::string_view take(std::string_view& from, std::size_t bytes) {
  const std::string_view front = from.substr(0, bytes);
  from.remove_prefix(front.size());
  return front;
}

class Connection {
 public:
  // False: this process was not started by `warplens exec`, which was said on stderr.
  bool open();
  bool is_open() const { return socket_ >= 0; }
  // Sends a request whose body is these parts after each other; ask() waits for its answer. Where the session
  // is gone the process ends.
  void tell(protocol::Request request, std::string_view head, std::string_view rest = {});
  Answer ask(protocol::Request request, std::string_view head, std::string_view rest = {});

  static bool is_device_address(const void* p);
  // Where this library finds what the program has at p: the same place but for device memory.
  void* reachable(const void* p) const;
  // Lets the program's own code read and write these bytes, or no more.
  void open_to_host(std::uint64_t address, std::uint64_t size, bool open) const;

 private:
  bool send(const void* bytes, std::size_t size) const;
  bool receive(void* bytes, std::size_t size) const;
  bool map(int file);

  int socket_ = -1;
  bool has_failed_ = false;
  char* alias_ = nullptr;
};

}  // namespace warplens::runtime
