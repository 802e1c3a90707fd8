/*---
title = "Linear layer with a bias"
what = "out[i][j] = bias[j] + the sum of inp[i][k] weight[j][k]"
multiply_adds = true
[problem]
sizes   = { M = { value = 512, also = ["BT", "m", "rows", "batch"] }, N = { value = 512, also = ["OC", "n", "out_features"] }, K = { value = 512, also = ["C", "k", "in_features"] } }
buffers = [{ name = "inp", shape = ["M", "K"], also = ["in", "input", "x", "A"] }, { name = "weight", shape = ["N", "K"], also = ["W", "w", "B"] },
           { name = "bias", count = "N", also = ["b"] }, { name = "out", shape = ["M", "N"], also = ["output", "y"] }]
check   = "out[row, column] == bias[column] + sum(k, 0, K, inp[row, k] * weight[column, k])"
operations = "2 * M * N * K"
[launch]
block = [16, 16]
grid  = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
extern "C" __global__ void linear(float* out, const float* inp, const float* weight, const float* bias, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = bias[column];
  for (int k = 0; k < K; ++k) sum += inp[row * K + k] * weight[column * K + k];
  out[row * N + column] = sum;
}
