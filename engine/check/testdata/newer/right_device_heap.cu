/*---
title   = "A list in the device's heap"
idea    = "Each thread makes a list of three nodes with new, adds it up and deletes it."
[problem]
sizes   = { N = 5000 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == 3 * in[i] + 3"
[launch]
block   = [128]
grid    = ["ceil_div(N, 128)"]
---*/

// right
struct Node {
  float value;
  Node* next;
};
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  Node* list = nullptr;
  for (int k = 0; k < 3; ++k) {
    Node* node = new Node;
    if (node == nullptr) return;
    node->value = in[i] + k;
    node->next = list;
    list = node;
  }
  float sum = 0;
  while (list != nullptr) {
    Node* gone = list;
    sum += list->value;
    list = list->next;
    delete gone;
  }
  out[i] = sum;
}
