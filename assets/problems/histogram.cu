/*---
title = "Histogram"
what = "bins[i] = how many elements of in are i; bins starts at zero"
[problem]
sizes   = { N = { value = 1000003, also = ["size", "length", "len", "n", "count", "num"] }, B = { value = 256, also = ["num_bins", "nbins", "bins_count", "numBins", "NUM_BINS", "K"] } }
buffers = [{ name = "in", count = "N", fill = "random(0, B)", also = ["input", "inp", "data", "buffer", "buf", "image", "x", "A", "values"] },
           { name = "bins", count = "B", fill = "zero", also = ["histo", "hist", "histogram", "out", "output", "result", "counts", "bin"] }]
check   = "bins[i] == count(k, 0, N, in[k] == i)"
[launch]
block = [256]
grid  = ["ceil_div(N, 256)"]
---*/
extern "C" __global__ void histogram(const int* in, int* bins, int N, int B) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) atomicAdd(&bins[in[i]], 1);
}
