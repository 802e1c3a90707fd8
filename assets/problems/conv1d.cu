/*---
title = "Convolution of a vector"
what = "out[i] = the sum of in[i + k - R / 2] mask[k]; 0 beyond the ends; R is odd"
multiply_adds = true
[problem]
sizes   = { N = { value = 1000003, also = ["size", "length", "len", "n", "Width", "width", "count"] }, R = { value = 5, also = ["mask_width", "Mask_Width", "kernel_size", "K", "filter_size", "MASK_WIDTH", "m"] } }
buffers = [{ name = "in", count = "N", also = ["input", "inp", "N", "x", "A", "signal", "a", "array"] },
           { name = "mask", count = "R", also = ["M", "kernel", "filter", "F", "w", "weights", "h"] },
           { name = "out", count = "N", also = ["output", "P", "y", "C", "result", "b"] }]
check   = "out[i] == sum(k, 0, R, in[i + k - floor_div(R, 2)] * mask[k])"
operations = "2 * N * R"
[launch]
block = [256]
grid  = ["ceil_div(N, 256)"]
---*/
extern "C" __global__ void conv1d(const float* in, const float* mask, float* out, int N, int R) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  float sum = 0;
  for (int k = 0; k < R; ++k) {
    int at = i + k - R / 2;
    if (at >= 0 && at < N) sum += in[at] * mask[k];
  }
  out[i] = sum;
}
