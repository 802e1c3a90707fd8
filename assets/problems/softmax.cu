/*---
title = "Softmax of each row"
what = "out[i][j] = exp(in[i][j]) / the sum of exp(in[i][k]) over k"
[problem]
sizes   = { M = { value = 512, also = ["rows", "N", "N_rows", "B", "batch", "m", "num_rows", "height"] }, N = { value = 1000, also = ["columns", "cols", "C", "n", "num_cols", "width", "dim", "D"] } }
buffers = [{ name = "in", shape = ["M", "N"], fill = "random(-4, 4)", also = ["inp", "input", "x", "X", "A", "logits", "matd"] },
           { name = "out", shape = ["M", "N"], also = ["output", "y", "Y", "B", "probs", "resd"] }]
check   = "out[row, column] == exp(in[row, column] - max(j, 0, N, in[row, j])) / sum(k, 0, N, exp(in[row, k] - max(j, 0, N, in[row, j])))"
[launch]
block = [256]
grid  = ["M"]
---*/
extern "C" __global__ void softmax(const float* in, float* out, int M, int N) {
  __shared__ float part[256];
  const float* row = in + blockIdx.x * N;
  float most = -3.4e38f, sum = 0;
  for (int j = threadIdx.x; j < N; j += 256) most = fmaxf(most, row[j]);
  part[threadIdx.x] = most;
  for (int stride = 128; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + stride]);
  }
  __syncthreads();
  most = part[0];
  __syncthreads();
  for (int j = threadIdx.x; j < N; j += 256) sum += expf(row[j] - most);
  part[threadIdx.x] = sum;
  for (int stride = 128; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
  }
  __syncthreads();
  for (int j = threadIdx.x; j < N; j += 256) out[blockIdx.x * N + j] = expf(row[j] - most) / part[0];
}
