/*---
title = "Layer norm of each row"
what = "out = (inp - mean) rstd weight + bias, a row at a time; mean and rstd are written where the kernel takes them"
[problem]
sizes   = { M = { value = 512, also = ["rows", "N", "B", "BT", "batch", "m"] }, N = { value = 768, also = ["columns", "cols", "C", "n", "dim", "D"] } }
buffers = [{ name = "inp", shape = ["M", "N"], also = ["in", "input", "x", "X"] }, { name = "weight", count = "N", also = ["gamma", "w", "g"] },
           { name = "bias", count = "N", also = ["beta", "b"] }, { name = "out", shape = ["M", "N"], output = true, also = ["output", "y", "Y"] },
           { name = "mean", count = "M", also = ["mu"] }, { name = "rstd", count = "M", also = ["rs"] }]
scalars = [{ name = "eps", value = 1e-5, also = ["epsilon"] }]
check   = ["out[row, column] == (inp[row, column] - sum(k, 0, N, inp[row, k]) / N) / sqrt(sum(j, 0, N, (inp[row, j] - sum(k, 0, N, inp[row, k]) / N) ^ 2) / N + eps) * weight[column] + bias[column]",
           "mean[i] == sum(k, 0, N, inp[i, k]) / N",
           "rstd[i] == 1 / sqrt(sum(j, 0, N, (inp[i, j] - sum(k, 0, N, inp[i, k]) / N) ^ 2) / N + eps)"]
[launch]
block = [256]
grid  = ["ceil_div(M, 256)"]
---*/
extern "C" __global__ void layer_norm(float* out, const float* inp, const float* weight, const float* bias, int M, int N, float eps) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M) return;
  const float* x = inp + row * N;
  float mean = 0, variance = 0;
  for (int k = 0; k < N; ++k) mean += x[k] / N;
  for (int k = 0; k < N; ++k) variance += (x[k] - mean) * (x[k] - mean) / N;
  float rstd = rsqrtf(variance + eps);
  for (int k = 0; k < N; ++k) out[row * N + k] = (x[k] - mean) * rstd * weight[k] + bias[k];
}
