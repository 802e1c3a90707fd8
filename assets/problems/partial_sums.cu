/*---
title = "Partial sums"
what = "out[i] = the sum of the i-th E elements of in, one a block"
[problem]
sizes   = { N = { value = 1000003, also = ["size", "length", "len", "n", "count", "num"] }, E = 256 }
buffers = [{ name = "in", count = "N", also = ["idata", "input", "inp", "A", "a", "x", "data", "X"] },
           { name = "out", count = "ceil_div(N, E)", also = ["odata", "output", "sum", "result", "res", "B", "b", "y", "partial", "block_sums"] }]
check   = "out[i] == sum(k, i * E, min(N, (i + 1) * E), in[k])"
operations = "N"
[launch]
block = [128]
grid  = ["ceil_div(N, E)"]
---*/
extern "C" __global__ void partial_sums(const float* in, float* out, int N, int E) {
  __shared__ float part[128];
  float sum = 0;
  for (int i = threadIdx.x; i < E; i += blockDim.x)
    if (blockIdx.x * E + i < N) sum += in[blockIdx.x * E + i];
  part[threadIdx.x] = sum;
  for (int stride = 64; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
