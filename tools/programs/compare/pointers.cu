// A list and a tree in memory that both sides see, walked on the device; and memory that the device allocates.
#include <cstdio>

struct Node {
  int value;
  Node *left, *right;
};

__global__ void sum(const Node* root, int* out) {
  const Node* stack[32];
  int depth = 0, total = 0;
  stack[depth++] = root;
  while (depth > 0) {
    const Node* node = stack[--depth];
    total += node->value;
    if (node->left) stack[depth++] = node->left;
    if (node->right) stack[depth++] = node->right;
  }
  *out = total;
}
__global__ void own(int* out) {
  int* x = (int*)malloc(64);
  for (int i = 0; i < 16; ++i) x[i] = i * threadIdx.x;
  out[threadIdx.x] = x[15];
  free(x);
}

int main() {
  const int n = 255;
  Node* nodes;
  int* out;
  cudaMallocManaged(&nodes, n * sizeof(Node));
  cudaMallocManaged(&out, 32 * sizeof(int));
  for (int i = 0; i < n; ++i)
    nodes[i] = {i, 2 * i + 1 < n ? &nodes[2 * i + 1] : nullptr, 2 * i + 2 < n ? &nodes[2 * i + 2] : nullptr};
  sum<<<1, 1>>>(nodes, out);
  cudaDeviceSynchronize();
  printf("%d\n", *out);
  own<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf("%d\n", out[31]);
}
