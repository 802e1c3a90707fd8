#pragma once
namespace std {
#define WARPLENS_OF_FLOAT(name) __device__ inline float name(float x) { return ::name##f(x); } __device__ inline double name(double x) { return ::name(x); }
WARPLENS_OF_FLOAT(sqrt) WARPLENS_OF_FLOAT(exp) WARPLENS_OF_FLOAT(log) WARPLENS_OF_FLOAT(sin) WARPLENS_OF_FLOAT(cos)
WARPLENS_OF_FLOAT(tanh) WARPLENS_OF_FLOAT(floor) WARPLENS_OF_FLOAT(ceil) WARPLENS_OF_FLOAT(round) WARPLENS_OF_FLOAT(fabs)
WARPLENS_OF_FLOAT(erf) WARPLENS_OF_FLOAT(tan) WARPLENS_OF_FLOAT(exp2) WARPLENS_OF_FLOAT(log2) WARPLENS_OF_FLOAT(log1p)
WARPLENS_OF_FLOAT(nearbyint) WARPLENS_OF_FLOAT(rint) WARPLENS_OF_FLOAT(trunc) WARPLENS_OF_FLOAT(cbrt) WARPLENS_OF_FLOAT(log10)
WARPLENS_OF_FLOAT(expm1) WARPLENS_OF_FLOAT(sinh) WARPLENS_OF_FLOAT(cosh) WARPLENS_OF_FLOAT(asin) WARPLENS_OF_FLOAT(acos)
WARPLENS_OF_FLOAT(atan) WARPLENS_OF_FLOAT(erfc) WARPLENS_OF_FLOAT(tgamma) WARPLENS_OF_FLOAT(lgamma)
#undef WARPLENS_OF_FLOAT
__device__ inline float pow(float x, float y) { return ::powf(x, y); }
__device__ inline double pow(double x, double y) { return ::pow(x, y); }
#define WARPLENS_OF_TWO(name) __device__ inline float name(float x, float y) { return ::name##f(x, y); } __device__ inline double name(double x, double y) { return ::name(x, y); }
WARPLENS_OF_TWO(fmod) WARPLENS_OF_TWO(hypot) WARPLENS_OF_TWO(atan2) WARPLENS_OF_TWO(copysign)
#undef WARPLENS_OF_TWO
template <class T> __device__ inline bool isnan(T x) { return x != x; }
template <class T> __device__ inline bool isinf(T x) { return x == x && x - x != x - x; }
template <class T> __device__ inline bool isfinite(T x) { return x - x == x - x; }
__device__ inline float fmax(float x, float y) { return ::fmaxf(x, y); }
__device__ inline float fmin(float x, float y) { return ::fminf(x, y); }
__device__ inline float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
}
