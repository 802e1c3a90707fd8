// right, not checked
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

// One level of a breadth-first search: each thread takes a vertex of the frontier and puts its unvisited neighbours into
// the next one.
__global__ void bfs_level(const int* row_offsets, const int* columns, int* distance, const int* frontier,
                          int frontier_size, int* next, int* next_size, int level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= frontier_size) return;
  int v = frontier[i];
  for (int e = row_offsets[v]; e < row_offsets[v + 1]; ++e) {
    int w = columns[e];
    if (atomicCAS(&distance[w], -1, level + 1) == -1) {
      int at = atomicAdd(next_size, 1);
      next[at] = w;
    }
  }
}

int main() {
  const int vertices = 4096, degree = 8, edges = vertices * degree;
  std::vector<int> rows(vertices + 1), cols(edges), start(vertices, -1);
  for (int v = 0; v <= vertices; ++v) rows[v] = v * degree;
  for (int e = 0; e < edges; ++e) cols[e] = (e * 7919 + 13) % vertices;
  start[0] = 0;
  int *d_rows, *d_cols, *d_distance, *d_frontier, *d_next, *d_size;
  cudaMalloc(&d_rows, (vertices + 1) * sizeof(int));
  cudaMalloc(&d_cols, edges * sizeof(int));
  cudaMalloc(&d_distance, vertices * sizeof(int));
  cudaMalloc(&d_frontier, vertices * sizeof(int));
  cudaMalloc(&d_next, vertices * sizeof(int));
  cudaMalloc(&d_size, sizeof(int));
  cudaMemcpy(d_rows, rows.data(), (vertices + 1) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_cols, cols.data(), edges * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_distance, start.data(), vertices * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_frontier, 0, sizeof(int));
  int size = 1;
  for (int level = 0; size > 0; ++level) {
    cudaMemset(d_size, 0, sizeof(int));
    bfs_level<<<(size + 255) / 256, 256>>>(d_rows, d_cols, d_distance, d_frontier, size, d_next, d_size, level);
    cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost);
    int* t = d_frontier;
    d_frontier = d_next;
    d_next = t;
  }
  printf("done\n");
}
