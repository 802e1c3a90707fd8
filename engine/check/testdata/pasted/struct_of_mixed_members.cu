// right, not checked
#include <cuda_runtime.h>

typedef struct {
  int id;
  char kind;
  double weight;
  float at[3];
} Item;

__global__ void weigh(Item* items, double* weights, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) weights[i] = items[i].weight * items[i].at[2];
}

int main() {
  const int n = 777;
  Item* items;
  double* weights;
  cudaMalloc(&items, n * sizeof(Item));
  cudaMalloc(&weights, n * sizeof(double));
  weigh<<<(n + 255) / 256, 256>>>(items, weights, n);
}
