// Streams and events. All work is done when it is given, in the order in which the program gives it, which is
// one of those that a GPU may choose; the device's clock says how long it would have taken, one thing after
// the other.
#include <algorithm>
#include <utility>

#include "runtime/cudart/graph.hpp"
#include "runtime/cudart/runtime.hpp"

using namespace warplens::runtime;

namespace {

constexpr int kHighest = -5;  // priority, as on every GPU since 7.0
constexpr unsigned kNoTiming = 2;

Stream* known(void* stream) {
  return reinterpret_cast<std::uintptr_t>(stream) <= 2 ? nullptr : static_cast<Stream*>(stream);
}

// Waiting for a stream that captures breaks its capture.
cudaError_t wait_for(Runtime& one, Stream* stream) {
  if (capture_of(stream) == nullptr) return one.wait();
  stream->is_broken = true;
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t create(void** to, unsigned flags, int priority) {
  return api([&](Runtime&) {
    if (to == nullptr) return cudaErrorInvalidValue;
    auto* stream = new Stream;
    stream->flags = flags;
    stream->priority = std::clamp(priority, kHighest, 0);
    *to = stream;
    return cudaSuccess;
  });
}

}  // namespace

WARPLENS_API cudaError_t cudaStreamCreate(void** to) { return create(to, 0, 0); }
WARPLENS_API cudaError_t cudaStreamCreateWithFlags(void** to, unsigned flags) { return create(to, flags, 0); }
WARPLENS_API cudaError_t cudaStreamCreateWithPriority(void** to, unsigned flags, int priority) {
  return create(to, flags, priority);
}
WARPLENS_API cudaError_t cudaStreamDestroy(void* stream) {
  return api([&](Runtime&) {
    if (known(stream) == nullptr) return cudaErrorInvalidResourceHandle;
    delete known(stream);
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaStreamSynchronize(void* stream) {
  return api([&](Runtime& one) { return wait_for(one, known(stream)); });
}
WARPLENS_API cudaError_t cudaStreamQuery(void* stream) { return cudaStreamSynchronize(stream); }
WARPLENS_API cudaError_t cudaStreamGetFlags(void* stream, unsigned* flags) {
  return api([&](Runtime&) {
    *flags = known(stream) == nullptr ? 0 : known(stream)->flags;
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaStreamGetPriority(void* stream, int* priority) {
  return api([&](Runtime&) {
    *priority = known(stream) == nullptr ? 0 : known(stream)->priority;
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaStreamGetId(void* stream, unsigned long long* id) {
  return api([&](Runtime&) {
    *id = reinterpret_cast<std::uintptr_t>(stream);
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaStreamGetDevice(void*, int* device) {
  return api([&](Runtime&) {
    *device = 0;
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaStreamSetAttribute(void*, int, const void*) {
  return api([](Runtime&) { return cudaSuccess; });
}
// Work of the event's capture is waited for, so that this stream takes part in it.
WARPLENS_API cudaError_t cudaStreamWaitEvent(void* stream, void* event, unsigned) {
  return api([&](Runtime&) {
    auto* const waited = static_cast<Event*>(event);
    if (waited == nullptr) return cudaErrorInvalidResourceHandle;
    Stream* const from = waited->captured_in;
    if (capture_of(from) == nullptr || known(stream) == nullptr) return cudaSuccess;
    Stream& to = *known(stream);
    if (to.captured != from->captured) to.last.clear();
    to.captured = from->captured;
    for (Node* node : from->last)
      if (std::find(to.last.begin(), to.last.end(), node) == to.last.end()) to.last.push_back(node);
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaStreamAddCallback(void* stream, void (*function)(void*, cudaError_t, void*), void* data,
                                               unsigned) {
  return api([&](Runtime& one) {
    return one.enqueue(known(stream), kHostNode, [=, &one] {
      function(stream, one.state(), data);
      return cudaSuccess;
    });
  });
}

WARPLENS_API cudaError_t cudaEventCreateWithFlags(void** to, unsigned flags) {
  return api([&](Runtime&) {
    if (to == nullptr) return cudaErrorInvalidValue;
    auto* event = new Event;
    event->has_time = (flags & kNoTiming) == 0;
    *to = event;
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaEventCreate(void** to) { return cudaEventCreateWithFlags(to, 0); }
WARPLENS_API cudaError_t cudaEventDestroy(void* event) {
  return api([&](Runtime&) {
    if (event == nullptr) return cudaErrorInvalidResourceHandle;
    delete static_cast<Event*>(event);
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaEventRecord(void* event, void* stream) {
  return api([&](Runtime& one) {
    auto* const recorded = static_cast<Event*>(event);
    if (recorded == nullptr) return cudaErrorInvalidResourceHandle;
    Stream* const in = known(stream);
    recorded->captured_in = capture_of(in) != nullptr ? in : nullptr;
    if (recorded->captured_in != nullptr) return cudaSuccess;
    recorded->is_recorded = true;
    recorded->seconds = one.clock();
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaEventRecordWithFlags(void* event, void* stream, unsigned) {
  return cudaEventRecord(event, stream);
}
WARPLENS_API cudaError_t cudaEventSynchronize(void* event) {
  return api([&](Runtime& one) { return event == nullptr ? cudaErrorInvalidResourceHandle : one.wait(); });
}
WARPLENS_API cudaError_t cudaEventQuery(void* event) { return cudaEventSynchronize(event); }
WARPLENS_API cudaError_t cudaEventElapsedTime(float* milliseconds, void* from, void* to) {
  return api([&](Runtime&) {
    const auto *begin = static_cast<Event*>(from), *end = static_cast<Event*>(to);
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    for (const Event* event : {begin, end})
      if (event == nullptr || !event->is_recorded || !event->has_time) return cudaErrorInvalidResourceHandle;
    *milliseconds = static_cast<float>((end->seconds - begin->seconds) * 1e3);
    return cudaSuccess;
  });
}

WARPLENS_API cudaError_t cudaStreamBeginCapture(void* stream, int) {
  return api([&](Runtime& one) {
    if (known(stream) == nullptr) return cudaErrorStreamCaptureUnsupported;
    Stream& to = *known(stream);
    if (capture_of(&to) != nullptr) return cudaErrorIllegalState;
    to.captured = std::make_shared<Graph>();
    to.last.clear();
    to.is_broken = false;
    ++one.captures();
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaStreamEndCapture(void* stream, void** graph) {
  return api([&](Runtime& one) {
    if (graph == nullptr) return cudaErrorInvalidValue;
    *graph = nullptr;
    if (capture_of(known(stream)) == nullptr) return cudaErrorIllegalState;
    Stream& from = *known(stream);
    --one.captures();
    const auto made = std::exchange(from.captured, nullptr);
    made->is_open = false;
    if (from.is_broken) return cudaErrorStreamCaptureInvalidated;
    *graph = new std::shared_ptr<Graph>(made);
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaStreamIsCapturing(void* stream, int* status) {
  return api([&](Runtime&) {
    const bool is = capture_of(known(stream)) != nullptr;
    *status = !is ? 0 : known(stream)->is_broken ? 2 : 1;
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id, void** graph,
                                                  const void*** dependencies, const void** edges, std::size_t* count) {
  if (id != nullptr) *id = 0;
  if (graph != nullptr) *graph = nullptr;
  if (dependencies != nullptr) *dependencies = nullptr;
  if (edges != nullptr) *edges = nullptr;
  if (count != nullptr) *count = 0;
  return cudaStreamIsCapturing(stream, status);
}
WARPLENS_API cudaError_t cudaThreadExchangeStreamCaptureMode(int* mode) {
  *mode = 0;
  return cudaSuccess;
}
