// Launches, and what a kernel is.
#include <cstring>
#include <utility>

#include "runtime/cudart/graph.hpp"
#include "runtime/cudart/runtime.hpp"

using namespace warplens::runtime;
namespace protocol = warplens::protocol;

namespace {

std::string argument_bytes(const Function& function, void** arguments) {
  std::string bytes(function.parameter_bytes, '\0');
  for (std::size_t p = 0; p < function.parameters.size(); ++p)
    std::memcpy(bytes.data() + function.parameters[p].offset, arguments[p], function.parameters[p].size);
  return bytes;
}

cudaError_t launch(const void* stub, const LaunchShape& shape, void** arguments) {
  return api([&](Runtime& one) {
    Function* function = nullptr;
    if (const auto error = one.find(stub, function)) {
      if (function != nullptr) one.launch(*function, shape, {});  // the session writes down that it could not
      return error == cudaErrorInvalidResourceHandle ? cudaErrorInvalidDeviceFunction : error;
    }
    if (Graph* const graph = capture_of(shape.stream)) {
      const KernelNodeParams params{const_cast<void*>(stub), shape.grid, shape.block,
                                    static_cast<unsigned>(shape.shared), arguments, nullptr};
      Node& node = add_node(*graph, kKernelNode, shape.stream->last, {});
      shape.stream->last = {&node};
      return set_kernel(one, node, params);
    }
    return one.launch(*function, shape, argument_bytes(*function, arguments));
  });
}

std::vector<LaunchShape>& configurations() {
  thread_local std::vector<LaunchShape> waiting;
  return waiting;
}

Stream* stream_of(void* handle) {
  constexpr std::uintptr_t kLegacy = 1, kPerThread = 2;
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  return number == kLegacy || number == kPerThread ? nullptr : static_cast<Stream*>(handle);
}

// Where the program has its <<< >>>, of which its stub launches next.
const void*& launching_from() {
  thread_local const void* place = nullptr;
  return place;
}

LaunchShape shape_of(dim3 grid, dim3 block, std::size_t shared, void* stream, const void* caller) {
  LaunchShape shape{grid, block, shared};
  shape.stream = stream_of(stream);
  const void* const from = std::exchange(launching_from(), nullptr);
  shape.caller = from != nullptr ? from : caller;
  return shape;
}

}  // namespace

namespace warplens::runtime {

cudaError_t set_kernel(Runtime& one, Node& node, const KernelNodeParams& params) {
  Function* function = nullptr;
  if (const auto error = one.find(params.func, function)) return error;
  if (params.kernelParams == nullptr && !function->parameters.empty()) return cudaErrorInvalidValue;
  node.type = kKernelNode;
  node.kernel = params;
  node.arguments.clear();
  node.argument_places.clear();
  for (std::size_t p = 0; p < function->parameters.size(); ++p)
    node.arguments.emplace_back(static_cast<const char*>(params.kernelParams[p]), function->parameters[p].size);
  for (std::string& argument : node.arguments) node.argument_places.push_back(argument.data());
  node.kernel.kernelParams = node.argument_places.data();
  node.work = [bytes = argument_bytes(*function, node.argument_places.data()), function,
               shape = LaunchShape{params.gridDim, params.blockDim, params.sharedMemBytes}] {
    return runtime().launch(*function, shape, bytes);
  };
  return cudaSuccess;
}

}  // namespace warplens::runtime

WARPLENS_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, void* stream) {
  LaunchShape shape{grid, block, shared};
  shape.stream = static_cast<Stream*>(stream);
  shape.caller = __builtin_return_address(0);
  configurations().push_back(shape);
  return 0;
}
WARPLENS_API cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations().empty()) return cudaErrorMissingConfiguration;
  const LaunchShape shape = configurations().back();
  configurations().pop_back();
  *grid = shape.grid;
  *block = shape.block;
  *shared = shape.shared;
  *static_cast<void**>(stream) = shape.stream;
  launching_from() = shape.caller;
  return cudaSuccess;
}
// The address of the stub is the handle.
WARPLENS_API cudaError_t __cudaGetKernel(const void** kernel, const void* stub) {
  *kernel = stub;
  return cudaSuccess;
}
WARPLENS_API cudaError_t cudaGetKernel(const void** kernel, const void* stub) { return __cudaGetKernel(kernel, stub); }
WARPLENS_API cudaError_t cudaGetFuncBySymbol(const void** function, const void* stub) {
  return __cudaGetKernel(function, stub);
}
WARPLENS_API cudaError_t __cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                            std::size_t shared, void* stream) {
  return launch(kernel, shape_of(grid, block, shared, stream, __builtin_return_address(0)), arguments);
}
WARPLENS_API cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                          std::size_t shared, void* stream) {
  return launch(kernel, shape_of(grid, block, shared, stream, __builtin_return_address(0)), arguments);
}
WARPLENS_API cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                                     std::size_t shared, void* stream) {
  LaunchShape shape = shape_of(grid, block, shared, stream, __builtin_return_address(0));
  shape.is_cooperative = true;
  return launch(kernel, shape, arguments);
}
WARPLENS_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                             void** arguments) {
  LaunchShape shape = shape_of(config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream,
                               __builtin_return_address(0));
  for (unsigned a = 0; a < config->numAttrs; ++a) {
    const cudaLaunchAttribute& attribute = config->attrs[a];
    if (attribute.id == kAttributeCooperative) shape.is_cooperative = attribute.val.cooperative != 0;
    if (attribute.id == kAttributeClusterDimension)
      shape.cluster[0] = attribute.val.clusterDim.x, shape.cluster[1] = attribute.val.clusterDim.y,
      shape.cluster[2] = attribute.val.clusterDim.z;
  }
  return launch(kernel, shape, arguments);
}
WARPLENS_API cudaError_t cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
  return api([&](Runtime& one) {
    return one.enqueue(stream_of(stream), kHostNode, [=] {
      function(data);
      return cudaSuccess;
    });
  });
}

WARPLENS_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* to, const void* kernel) {
  return api([&](Runtime& one) {
    Function* function = nullptr;
    if (to == nullptr) return cudaErrorInvalidValue;
    if (const auto error = one.find(kernel, function)) return error;
    const protocol::Kernel& facts = function->facts;
    *to = {};
    to->sharedSizeBytes = facts.static_shared;
    to->constSizeBytes = facts.constant;
    to->localSizeBytes = facts.local;
    to->maxThreadsPerBlock = facts.max_threads;
    to->numRegs = facts.registers;
    to->ptxVersion = facts.ptx_version;
    to->binaryVersion = facts.binary_version;
    to->preferredShmemCarveout = function->carveout;
    to->maxDynamicSharedSizeBytes = static_cast<int>(
        function->shared_allowed >= 0
            ? function->shared_allowed
            : one.device().shared_per_block - static_cast<std::int64_t>(facts.static_shared));
    to->clusterDimMustBeSet = facts.cluster[0] != 0;
    to->requiredClusterWidth = static_cast<int>(facts.cluster[0]);
    to->requiredClusterHeight = facts.cluster[0] != 0 ? static_cast<int>(facts.cluster[1] > 1 ? facts.cluster[1] : 0) : 0;
    return cudaSuccess;
  });
}
// cudaFuncAttribute
enum : int { kMaxDynamicShared = 8, kCarveout = 9, kLastFunctionAttribute = 15 };
WARPLENS_API cudaError_t cudaFuncSetAttribute(const void* kernel, int attribute, int value) {
  return api([&](Runtime& one) {
    Function* function = nullptr;
    if (const auto error = one.find(kernel, function)) return error;
    if (attribute < kMaxDynamicShared || attribute > kLastFunctionAttribute) return cudaErrorInvalidValue;
    if (attribute == kCarveout) function->carveout = value;
    if (attribute != kMaxDynamicShared) return cudaSuccess;
    const auto most =
        one.device().shared_per_block_optin - static_cast<std::int64_t>(function->facts.static_shared);
    if (value < 0 || value > most) return cudaErrorInvalidValue;
    function->shared_allowed = value;
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaFuncSetCacheConfig(const void* kernel, int) {
  return api([&](Runtime& one) {
    Function* function = nullptr;
    return one.find(kernel, function);
  });
}
WARPLENS_API cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, int) {
  return cudaFuncSetCacheConfig(kernel, 0);
}
WARPLENS_API cudaError_t cudaFuncGetName(const char** name, const void* kernel) {
  return api([&](Runtime& one) {
    Function* function = nullptr;
    if (const auto error = one.find(kernel, function)) return error;
    *name = function->name.c_str();
    return cudaSuccess;
  });
}

namespace {

cudaError_t blocks_on_sm(Runtime& one, int* blocks, const void* kernel, int block, std::size_t shared) {
  Function* function = nullptr;
  if (blocks == nullptr) return cudaErrorInvalidValue;
  if (const auto error = one.find(kernel, function)) return error;
  if (block <= 0) return cudaErrorInvalidValue;
  const protocol::OccupancyQuestion question{function->module, block, shared};
  const Answer answer = one.connection().ask(protocol::Request::occupancy, bytes_of(question), function->name);
  std::string_view body = answer.body;
  *blocks = take<std::int32_t>(body);
  return static_cast<cudaError_t>(answer.status);
}

}  // namespace

WARPLENS_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int block,
                                                                       std::size_t shared) {
  return api([&](Runtime& one) { return blocks_on_sm(one, blocks, kernel, block, shared); });
}
WARPLENS_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                                int block, std::size_t shared,
                                                                                unsigned) {
  return api([&](Runtime& one) { return blocks_on_sm(one, blocks, kernel, block, shared); });
}
WARPLENS_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* kernel, int blocks,
                                                                   int) {
  return api([&](Runtime& one) {
    Function* function = nullptr;
    if (const auto error = one.find(kernel, function)) return error;
    if (blocks <= 0) return cudaErrorInvalidValue;
    const auto& device = one.device();
    const auto share = device.shared_per_sm / blocks - device.shared_reserved -
                       static_cast<std::int64_t>(function->facts.static_shared);
    const auto most = device.shared_per_block_optin - static_cast<std::int64_t>(function->facts.static_shared);
    *bytes = static_cast<std::size_t>(std::max<std::int64_t>(0, std::min(share, most)));
    return cudaSuccess;
  });
}
