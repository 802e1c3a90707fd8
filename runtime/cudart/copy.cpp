// Copies and fills; symbols are variables by the address of their host's twin.
#include <cstring>

#include "runtime/cudart/graph.hpp"
#include "runtime/cudart/runtime.hpp"

namespace warplens::runtime {

using protocol::Direction, protocol::Memory;

namespace {

bool is_on_device(const Block* block) { return block != nullptr && block->kind != Memory::pinned; }

Direction direction_of(bool to_device, bool from_device) {
  if (to_device) return from_device ? Direction::on_device : Direction::to_device;
  return from_device ? Direction::to_host : Direction::on_host;
}

}  // namespace

// By what the addresses are, as with unified addressing: the kind must only not contradict them.
cudaError_t Runtime::check_copy(const void* to, const void* from, std::size_t size, int kind) const {
  if (kind < kHostToHost || kind > kByAddress) return cudaErrorInvalidMemcpyDirection;
  if (size == 0) return cudaSuccess;
  if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
  const Block *there = block_at(to, size), *here = block_at(from, size);
  if (Connection::is_device_address(to) && there == nullptr) return cudaErrorInvalidValue;
  if (Connection::is_device_address(from) && here == nullptr) return cudaErrorInvalidValue;
  const bool to_device = kind == kHostToDevice || kind == kDeviceToDevice;
  const bool from_device = kind == kDeviceToHost || kind == kDeviceToDevice;
  const auto is_plain = [](const Block* block) { return block == nullptr; };
  const auto is_device_only = [](const Block* block) { return block != nullptr && block->kind == Memory::device; };
  if ((to_device && is_plain(there)) || (from_device && is_plain(here))) return cudaErrorInvalidValue;
  if (kind == kDeviceToHost && is_device_only(there)) return cudaErrorInvalidValue;
  if (kind == kHostToDevice && is_device_only(here)) return cudaErrorInvalidValue;
  return cudaSuccess;
}

void Runtime::copy(void* to, const void* from, std::size_t size) {
  std::memmove(connection_.reachable(to), connection_.reachable(from), size);
  note_copy(to, size, from, size);
}

void Runtime::note_copy(void* to, std::size_t span, const void* from, std::size_t size) {
  const Direction direction = direction_of(is_on_device(block_at(to, 1)), is_on_device(block_at(from, 1)));
  const double rate =
      direction == Direction::on_device ? device_.memory_bytes_per_second / 2 : device_.host_bytes_per_second;
  clock_ += device_.copy_seconds + static_cast<double>(size) / rate;
  connection_.tell(protocol::Request::copy,
                   bytes_of(protocol::Copy{size, reinterpret_cast<std::uint64_t>(to), span, direction}));
}

void Runtime::note_change(const void* at, std::size_t size) {
  connection_.tell(protocol::Request::changed, bytes_of(protocol::Changed{reinterpret_cast<std::uint64_t>(at), size}));
}

void Runtime::set(void* to, int value, std::size_t size) {
  const protocol::Fill fill{reinterpret_cast<std::uint64_t>(to), size, static_cast<unsigned char>(value), 0};
  connection_.ask(protocol::Request::fill, bytes_of(fill));
  clock_ += device_.launch_seconds + static_cast<double>(size) / device_.memory_bytes_per_second;
}

}  // namespace warplens::runtime

using namespace warplens::runtime;

namespace {

// A rectangle of rows, or a box of such: a row at a time.
struct Side {
  void* at = nullptr;
  std::size_t pitch = 0, slice = 0;  // bytes from row to row, and from one rectangle to the next
  void* row(std::size_t y, std::size_t z) const { return static_cast<char*>(at) + y * pitch + z * slice; }
};

cudaError_t copy_box(Runtime& one, const Side& to, const Side& from, cudaExtent extent, int kind) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return cudaSuccess;
  if (extent.height * extent.depth > 1 && (extent.width > to.pitch || extent.width > from.pitch))
    return cudaErrorInvalidValue;
  for (std::size_t z = 0; z < extent.depth; ++z)
    for (std::size_t y = 0; y < extent.height; ++y) {
      if (const auto error = one.check_copy(to.row(y, z), from.row(y, z), extent.width, kind)) return error;
      std::memmove(one.connection().reachable(to.row(y, z)), one.connection().reachable(from.row(y, z)),
                   extent.width);
    }
  const std::size_t span =
      to.pitch * (extent.height - 1) + to.slice * (extent.depth - 1) + extent.width;
  one.note_copy(to.at, span, from.at, extent.width * extent.height * extent.depth);
  return cudaSuccess;
}

cudaError_t copy_flat(Runtime& one, void* to, const void* from, std::size_t size, int kind) {
  if (const auto error = one.check_copy(to, from, size, kind)) return error;
  if (size > 0) one.copy(to, from, size);
  return cudaSuccess;
}

cudaError_t copy_rows(Runtime& one, void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t width, std::size_t height, int kind) {
  if (width > to_pitch || width > from_pitch) return cudaErrorInvalidValue;
  return copy_box(one, {to, to_pitch, 0}, {const_cast<void*>(from), from_pitch, 0}, {width, height, 1}, kind);
}

Side side_of(const cudaPitchedPtr& pointer, const cudaPos& position) {
  Side side{pointer.ptr, pointer.pitch, pointer.pitch * pointer.ysize};
  side.at = static_cast<char*>(side.row(position.y, position.z)) + position.x;
  return side;
}

cudaError_t copy_3d(Runtime& one, const cudaMemcpy3DParms& what) {
  if (what.srcArray != nullptr || what.dstArray != nullptr) return cudaErrorNotSupported;
  return copy_box(one, side_of(what.dstPtr, what.dstPos), side_of(what.srcPtr, what.srcPos), what.extent, what.kind);
}

cudaError_t fill(Runtime& one, void* to, int value, std::size_t size) {
  if (size == 0) return cudaSuccess;
  if (one.block_at(to, size) == nullptr) return cudaErrorInvalidValue;
  one.set(to, value, size);
  return cudaSuccess;
}

cudaError_t fill_rows(Runtime& one, void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > pitch) return cudaErrorInvalidValue;
  if (one.block_at(to, (height - 1) * pitch + width) == nullptr) return cudaErrorInvalidValue;
  for (std::size_t y = 0; y < height; ++y) one.set(static_cast<char*>(to) + y * pitch, value, width);
  return cudaSuccess;
}

cudaError_t place_of(Runtime& one, const void* symbol, std::size_t size, std::size_t offset, void*& place) {
  const Variable* variable = nullptr;
  if (const auto error = one.find(symbol, variable)) return error;
  if (offset > variable->size || size > variable->size - offset) return cudaErrorInvalidValue;
  place = reinterpret_cast<void*>(variable->address + offset);
  return cudaSuccess;
}

cudaError_t to_symbol(Runtime& one, const void* symbol, const void* from, std::size_t size, std::size_t offset,
                      int kind) {
  void* to = nullptr;
  if (const auto error = place_of(one, symbol, size, offset, to)) return error;
  return copy_flat(one, to, from, size, kind);
}

cudaError_t from_symbol(Runtime& one, void* to, const void* symbol, std::size_t size, std::size_t offset, int kind) {
  void* from = nullptr;
  if (const auto error = place_of(one, symbol, size, offset, from)) return error;
  return copy_flat(one, to, from, size, kind);
}

// What a stream is given; copies of captured streams are checked when they are done.
template <class Work>
cudaError_t in_stream(Runtime& one, void* stream, int type, Work work) {
  auto* const known = reinterpret_cast<std::uintptr_t>(stream) <= 2 ? nullptr : static_cast<Stream*>(stream);
  return one.enqueue(known, type, work);
}

}  // namespace

WARPLENS_API cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, int kind) {
  return waiting_api([&](Runtime& one) { return copy_flat(one, to, from, size, kind); });
}
WARPLENS_API cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, int kind, void* stream) {
  return api([&](Runtime& one) {
    return in_stream(one, stream, kCopyNode, [=, &one] { return copy_flat(one, to, from, size, kind); });
  });
}
WARPLENS_API cudaError_t cudaMemcpyPeer(void* to, int there, const void* from, int here, std::size_t size) {
  return waiting_api([&](Runtime& one) {
    return there != 0 || here != 0 ? cudaErrorInvalidDevice : copy_flat(one, to, from, size, kByAddress);
  });
}
WARPLENS_API cudaError_t cudaMemcpyPeerAsync(void* to, int there, const void* from, int here, std::size_t size,
                                             void* stream) {
  if (there == 0 && here == 0) return cudaMemcpyAsync(to, from, size, kByAddress, stream);
  return api([](Runtime&) { return cudaErrorInvalidDevice; });
}
WARPLENS_API cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                      std::size_t width, std::size_t height, int kind) {
  return waiting_api(
      [&](Runtime& one) { return copy_rows(one, to, to_pitch, from, from_pitch, width, height, kind); });
}
WARPLENS_API cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                           std::size_t width, std::size_t height, int kind, void* stream) {
  return api([&](Runtime& one) {
    return in_stream(one, stream, kCopyNode,
                     [=, &one] { return copy_rows(one, to, to_pitch, from, from_pitch, width, height, kind); });
  });
}
WARPLENS_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what) {
  return waiting_api([&](Runtime& one) {
    if (what == nullptr) return cudaErrorInvalidValue;
    if (what->srcArray != nullptr || what->dstArray != nullptr) one.unsupported("cudaMemcpy3D of an array");
    return copy_3d(one, *what);
  });
}
WARPLENS_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, void* stream) {
  return api([&](Runtime& one) {
    if (what == nullptr) return cudaErrorInvalidValue;
    return in_stream(one, stream, kCopyNode, [copied = *what, &one] { return copy_3d(one, copied); });
  });
}
WARPLENS_API cudaError_t cudaMemset(void* to, int value, std::size_t size) {
  return api([&](Runtime& one) { return fill(one, to, value, size); });
}
WARPLENS_API cudaError_t cudaMemsetAsync(void* to, int value, std::size_t size, void* stream) {
  return api([&](Runtime& one) {
    return in_stream(one, stream, kSetNode, [=, &one] { return fill(one, to, value, size); });
  });
}
WARPLENS_API cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return api([&](Runtime& one) { return fill_rows(one, to, pitch, value, width, height); });
}
WARPLENS_API cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                                           std::size_t height, void* stream) {
  return api([&](Runtime& one) {
    return in_stream(one, stream, kSetNode, [=, &one] { return fill_rows(one, to, pitch, value, width, height); });
  });
}
WARPLENS_API cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return cudaMemset2D(to.ptr, to.pitch, value, extent.width, extent.height * extent.depth);
}
WARPLENS_API cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, void* stream) {
  return cudaMemset2DAsync(to.ptr, to.pitch, value, extent.width, extent.height * extent.depth, stream);
}

WARPLENS_API cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t size,
                                            std::size_t offset, int kind) {
  return waiting_api([&](Runtime& one) { return to_symbol(one, symbol, from, size, offset, kind); });
}
WARPLENS_API cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t size,
                                                 std::size_t offset, int kind, void* stream) {
  return api([&](Runtime& one) {
    return in_stream(one, stream, kCopyNode,
                     [=, &one] { return to_symbol(one, symbol, from, size, offset, kind); });
  });
}
WARPLENS_API cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t size, std::size_t offset,
                                              int kind) {
  return waiting_api([&](Runtime& one) { return from_symbol(one, to, symbol, size, offset, kind); });
}
WARPLENS_API cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t size,
                                                   std::size_t offset, int kind, void* stream) {
  return api([&](Runtime& one) {
    return in_stream(one, stream, kCopyNode,
                     [=, &one] { return from_symbol(one, to, symbol, size, offset, kind); });
  });
}
WARPLENS_API cudaError_t cudaGetSymbolAddress(void** to, const void* symbol) {
  return api([&](Runtime& one) {
    void* place = nullptr;
    if (const auto error = place_of(one, symbol, 0, 0, place)) return error;
    *to = place;
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaGetSymbolSize(std::size_t* to, const void* symbol) {
  return api([&](Runtime& one) {
    const Variable* variable = nullptr;
    if (const auto error = one.find(symbol, variable)) return error;
    *to = variable->size;
    return cudaSuccess;
  });
}
