// right, not checked
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/unique.h>

// Unique within tiles, in one kernel: an iterator in, an iterator out and a predicate, as Thrust's own agents have them.
template <typename InputIt, typename OutputIt, typename Size, typename Pred>
__global__ void unique_kernel(InputIt first, OutputIt result, Size* count, Size n, Pred pred) {
  __shared__ Size base;
  __shared__ int offsets[128];
  Size i = blockIdx.x * blockDim.x + threadIdx.x;
  int keep = i < n && (i == 0 || !pred(first[i - 1], first[i]));
  offsets[threadIdx.x] = keep;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d <<= 1) {
    int add = threadIdx.x >= d ? offsets[threadIdx.x - d] : 0;
    __syncthreads();
    offsets[threadIdx.x] += add;
    __syncthreads();
  }
  if (threadIdx.x == blockDim.x - 1) base = atomicAdd(count, offsets[threadIdx.x]);
  __syncthreads();
  if (keep) result[base + offsets[threadIdx.x] - 1] = first[i];
}

template <typename T>
struct same {
  __device__ bool operator()(const T& a, const T& b) const { return a == b; }
};

int main() {
  const int n = 5000;
  thrust::device_vector<int> in(n), out(n), count(1);
  unique_kernel<<<(n + 127) / 128, 128>>>(thrust::raw_pointer_cast(in.data()), thrust::raw_pointer_cast(out.data()),
                                          thrust::raw_pointer_cast(count.data()), n, same<int>());
}
