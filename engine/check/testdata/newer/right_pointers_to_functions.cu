/*---
title   = "Functions by pointer and by virtual call"
idea    = "Each thread picks its function from a table, and one of two classes: lanes of a warp call different functions."
[problem]
sizes   = { N = 10000 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == (i % 3 == 0 ? in[i] + 1 : (i % 3 == 1 ? in[i] * 2 : in[i] - 3))"
[launch]
block   = [256]
grid    = ["ceil_div(N, 256)"]
---*/

// right
struct Shape {
  __device__ virtual float apply(float x) const = 0;
};
struct Shift : Shape {
  float by;
  __device__ explicit Shift(float b) : by(b) {}
  __device__ float apply(float x) const override { return x + by; }
};
struct Scale : Shape {
  __device__ float apply(float x) const override { return x * 2; }
};
__device__ __noinline__ float one(float x) { return x + 1; }
__device__ __noinline__ float two(float x) { return x * 2; }
typedef float (*Function)(float);
__device__ Function table[2] = {one, two};
__device__ __noinline__ float call(const Shape* shape, float x) { return shape->apply(x); }

extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  const Shift shift(-3);
  const Scale scale;
  const Shape* shape = i % 2 == 0 ? static_cast<const Shape*>(&scale) : &shift;
  const float direct = i % 3 < 2 ? table[i % 3](in[i]) : in[i] - 3;
  const float virtually = call(shape, in[i]);
  out[i] = virtually == (i % 2 == 0 ? in[i] * 2 : in[i] - 3) ? direct : -1000;
}
