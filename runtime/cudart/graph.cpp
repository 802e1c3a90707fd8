#include "runtime/cudart/graph.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "runtime/cudart/runtime.hpp"

std::vector<Node*> Graph::in_order() const {
  std::vector<Node*> order;
  std::set<const Node*> done;
  while (order.size() < nodes.size()) {
    const std::size_t before = order.size();
    for (const auto& node : nodes) {
      const bool is_ready = std::ranges::all_of(node->after, [&](Node* other) { return done.contains(other); });
      if (!done.contains(node.get()) && is_ready) done.insert(node.get()), order.push_back(node.get());
    }
    if (order.size() == before) break;  // a circle
  }
  return order;
}

std::shared_ptr<Graph> Graph::copy() const {
  auto made = std::make_shared<Graph>();
  std::map<const Node*, Node*> copies;
  for (const auto& node : nodes) {
    made->nodes.push_back(std::make_unique<Node>(*node));
    Node& own = *made->nodes.back();
    own.copied_as = node->copied_as = made->nodes.size() - 1;
    for (std::size_t a = 0; a < own.arguments.size(); ++a) own.argument_places[a] = own.arguments[a].data();
    own.kernel.kernelParams = own.argument_places.data();
    copies[node.get()] = &own;
  }
  for (const auto& node : made->nodes)
    for (Node*& other : node->after) other = copies[other];
  return made;
}

namespace warplens::runtime {

Graph* capture_of(const Stream* stream) {
  if (stream == nullptr || stream->captured == nullptr || !stream->captured->is_open) return nullptr;
  return stream->captured.get();
}

Node& add_node(Graph& graph, int type, std::vector<Node*> after, std::function<cudaError_t()> work) {
  graph.nodes.push_back(std::make_unique<Node>());
  Node& node = *graph.nodes.back();
  node.type = type;
  node.after = std::move(after);
  node.work = std::move(work);
  return node;
}

cudaError_t run(const Graph& graph) {
  for (Node* node : graph.in_order()) {
    if (node->child != nullptr)
      if (const auto error = run(*node->child)) return error;
    if (node->work)
      if (const auto error = node->work()) return error;
  }
  return cudaSuccess;
}

}  // namespace warplens::runtime

using namespace warplens::runtime;

extern "C" {
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, void* stream);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, int kind, void* stream);
cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              void* stream);
}

namespace {

using Handle = std::shared_ptr<Graph>;

Graph& graph_of(void* handle) { return **static_cast<Handle*>(handle); }

std::vector<Node*> nodes_of(void* const* handles, std::size_t count) {
  std::vector<Node*> nodes;
  for (std::size_t i = 0; i < count; ++i) nodes.push_back(static_cast<Node*>(handles[i]));
  return nodes;
}

cudaError_t add(void** to, void* graph, int type, void* const* after, std::size_t count, Runtime::Work work) {
  return api([&](Runtime&) {
    if (to == nullptr || graph == nullptr) return cudaErrorInvalidValue;
    *to = &add_node(graph_of(graph), type, nodes_of(after, count), std::move(work));
    return cudaSuccess;
  });
}

// cudaMemsetParams
struct SetParams {
  void* to;
  std::size_t pitch;
  unsigned value, element_bytes;
  std::size_t width, height;
};

cudaError_t fill_elements(const SetParams& what) {
  return api([&](Runtime& one) {
    for (std::size_t y = 0; y < what.height; ++y) {
      char* const row = static_cast<char*>(what.to) + y * what.pitch;
      if (one.block_at(row, what.width * what.element_bytes) == nullptr) return cudaErrorInvalidValue;
      for (std::size_t x = 0; x < what.width; ++x)
        std::memcpy(one.connection().reachable(row + x * what.element_bytes), &what.value, what.element_bytes);
      one.note_change(row, what.width * what.element_bytes);
    }
    return cudaSuccess;
  });
}

cudaError_t list(const std::vector<Node*>& nodes, void** to, std::size_t* count) {
  if (to != nullptr)
    for (std::size_t i = 0; i < std::min(*count, nodes.size()); ++i) to[i] = nodes[i];
  *count = nodes.size();
  return cudaSuccess;
}

}  // namespace

WARPLENS_API cudaError_t cudaGraphCreate(void** to, unsigned) {
  return api([&](Runtime&) {
    *to = new Handle(std::make_shared<Graph>());
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaGraphDestroy(void* graph) {
  return api([&](Runtime&) {
    delete static_cast<Handle*>(graph);
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaGraphClone(void** to, void* graph) {
  return api([&](Runtime&) {
    *to = new Handle(graph_of(graph).copy());
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaGraphAddKernelNode(void** to, void* graph, void* const* after, std::size_t count,
                                                const KernelNodeParams* params) {
  if (const auto error = add(to, graph, kKernelNode, after, count, {})) return error;
  return api([&](Runtime& one) { return set_kernel(one, *static_cast<Node*>(*to), *params); });
}
WARPLENS_API cudaError_t cudaGraphAddMemcpyNode(void** to, void* graph, void* const* after, std::size_t count,
                                                const cudaMemcpy3DParms* params) {
  return add(to, graph, kCopyNode, after, count, [what = *params] { return cudaMemcpy3DAsync(&what, nullptr); });
}
WARPLENS_API cudaError_t cudaGraphAddMemcpyNode1D(void** to, void* graph, void* const* after, std::size_t count,
                                                  void* there, const void* here, std::size_t size, int kind) {
  return add(to, graph, kCopyNode, after, count,
             [=] { return cudaMemcpyAsync(there, here, size, kind, nullptr); });
}
WARPLENS_API cudaError_t cudaGraphAddMemsetNode(void** to, void* graph, void* const* after, std::size_t count,
                                                const SetParams* params) {
  return add(to, graph, kSetNode, after, count, [what = *params] { return fill_elements(what); });
}
WARPLENS_API cudaError_t cudaGraphAddHostNode(void** to, void* graph, void* const* after, std::size_t count,
                                              void* const* params) {
  const auto function = reinterpret_cast<void (*)(void*)>(params[0]);
  return add(to, graph, kHostNode, after, count, [function, data = params[1]] {
    function(data);
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaGraphAddEmptyNode(void** to, void* graph, void* const* after, std::size_t count) {
  return add(to, graph, kEmptyNode, after, count, {});
}
WARPLENS_API cudaError_t cudaGraphAddChildGraphNode(void** to, void* graph, void* const* after, std::size_t count,
                                                    void* child) {
  if (const auto error = add(to, graph, kChildNode, after, count, {})) return error;
  static_cast<Node*>(*to)->child = graph_of(child).copy();
  return cudaSuccess;
}
WARPLENS_API cudaError_t cudaGraphAddDependencies(void*, void* const* from, void* const* to, const void*,
                                                  std::size_t count) {
  return api([&](Runtime&) {
    for (std::size_t i = 0; i < count; ++i)
      static_cast<Node*>(to[i])->after.push_back(static_cast<Node*>(from[i]));
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaGraphGetNodes(void* graph, void** to, std::size_t* count) {
  return api([&](Runtime&) { return list(graph_of(graph).in_order(), to, count); });
}
WARPLENS_API cudaError_t cudaGraphGetRootNodes(void* graph, void** to, std::size_t* count) {
  return api([&](Runtime&) {
    std::vector<Node*> roots = graph_of(graph).in_order();
    std::erase_if(roots, [](Node* node) { return !node->after.empty(); });
    return list(roots, to, count);
  });
}
WARPLENS_API cudaError_t cudaGraphNodeGetType(void* node, int* type) {
  return api([&](Runtime&) {
    *type = static_cast<Node*>(node)->type;
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaGraphKernelNodeGetParams(void* node, KernelNodeParams* params) {
  return api([&](Runtime&) {
    *params = static_cast<Node*>(node)->kernel;
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaGraphKernelNodeSetParams(void* node, const KernelNodeParams* params) {
  return api([&](Runtime& one) { return set_kernel(one, *static_cast<Node*>(node), *params); });
}

WARPLENS_API cudaError_t cudaGraphInstantiate(void** to, void* graph, unsigned long long) {
  return api([&](Runtime&) {
    if (to == nullptr || graph == nullptr) return cudaErrorInvalidValue;
    *to = new GraphExec{graph_of(graph).copy()};
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaGraphInstantiateWithFlags(void** to, void* graph, unsigned long long flags) {
  return cudaGraphInstantiate(to, graph, flags);
}
WARPLENS_API cudaError_t cudaGraphExecDestroy(void* exec) {
  return api([&](Runtime&) {
    delete static_cast<GraphExec*>(exec);
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaGraphUpload(void*, void*) {
  return api([](Runtime&) { return cudaSuccess; });
}
WARPLENS_API cudaError_t cudaGraphLaunch(void* exec, void* stream) {
  return api([&](Runtime& one) {
    const auto graph = static_cast<GraphExec*>(exec)->graph;
    auto* const in = reinterpret_cast<std::uintptr_t>(stream) <= 2 ? nullptr : static_cast<Stream*>(stream);
    return one.enqueue(in, kChildNode, [graph] { return run(*graph); });
  });
}
WARPLENS_API cudaError_t cudaGraphExecKernelNodeSetParams(void* exec, void* node, const KernelNodeParams* params) {
  return api([&](Runtime& one) {
    auto& nodes = static_cast<GraphExec*>(exec)->graph->nodes;
    const std::size_t place = static_cast<Node*>(node)->copied_as;
    return place < nodes.size() ? set_kernel(one, *nodes[place], *params) : cudaErrorInvalidValue;
  });
}
WARPLENS_API cudaError_t cudaGraphExecUpdate(void* exec, void* graph, int* result) {
  return api([&](Runtime&) {
    static_cast<GraphExec*>(exec)->graph = graph_of(graph).copy();
    if (result != nullptr) *result = 0;  // the first field of cudaGraphExecUpdateResultInfo: a success
    return cudaSuccess;
  });
}
