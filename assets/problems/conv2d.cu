/*---
title = "Convolution of an image"
what = "out[i][j] = the sum of in[i + r - R / 2][j + c - R / 2] mask[r][c]; 0 beyond the edges; R is odd"
multiply_adds = true
[problem]
sizes   = { M = { value = 500, also = ["height", "rows", "H", "h", "ny"] }, N = { value = 500, also = ["width", "cols", "columns", "W", "w", "nx"] }, R = { value = 3, also = ["mask_width", "Mask_Width", "kernel_size", "K", "filter_size", "MASK_WIDTH", "k"] } }
buffers = [{ name = "in", shape = ["M", "N"], also = ["input", "inp", "N", "x", "A", "image", "img"] },
           { name = "mask", shape = ["R", "R"], also = ["M", "kernel", "filter", "F", "weights"] },
           { name = "out", shape = ["M", "N"], also = ["output", "P", "y", "C", "result"] }]
check   = "out[row, column] == sum(r, 0, R, sum(c, 0, R, in[row + r - floor_div(R, 2), column + c - floor_div(R, 2)] * mask[r, c]))"
operations = "2 * M * N * R * R"
[launch]
block = [16, 16]
grid  = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
extern "C" __global__ void conv2d(const float* in, const float* mask, float* out, int M, int N, int R) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < R; ++c) {
      int y = row + r - R / 2, x = column + c - R / 2;
      if (y >= 0 && y < M && x >= 0 && x < N) sum += in[y * N + x] * mask[r * R + c];
    }
  out[row * N + column] = sum;
}
