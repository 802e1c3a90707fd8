// Graphs: work that was recorded, node by node, and can be done again.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/cudart/cuda_types.hpp"

// cudaGraphNodeType
enum : int { kKernelNode, kCopyNode, kSetNode, kHostNode, kChildNode, kEmptyNode, kWaitNode, kRecordNode };

// cudaKernelNodeParams
struct KernelNodeParams {
  void* func = nullptr;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes = 0;
  void** kernelParams = nullptr;
  void** extra = nullptr;
};

struct Graph;

struct Node {
  int type = kEmptyNode;
  std::function<cudaError_t()> work;
  std::vector<Node*> after;  // these come first
  // Of a kernel's node, so that it can be asked for and changed: its parameters one after the other.
  KernelNodeParams kernel;
  std::vector<std::string> arguments;
  std::vector<void*> argument_places;
  std::shared_ptr<Graph> child;
  std::size_t copied_as = 0;  // its place in the graph that it was copied with
};

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
  bool is_open = true;  // while a capture adds to it
  // So that each comes behind those that it waits for, else as they were added.
  std::vector<Node*> in_order() const;
  std::shared_ptr<Graph> copy() const;
};

struct Stream;
struct GraphExec {
  std::shared_ptr<Graph> graph;
};

namespace warplens::runtime {
class Runtime;
struct Function;

// What the stream's work goes into in place of being done; null: nothing.
Graph* capture_of(const Stream* stream);
Node& add_node(Graph& graph, int type, std::vector<Node*> after, std::function<cudaError_t()> work);
// Makes a node that launches the kernel with copies of these arguments.
cudaError_t set_kernel(Runtime& runtime, Node& node, const KernelNodeParams& params);
cudaError_t run(const Graph& graph);
}  // namespace warplens::runtime
