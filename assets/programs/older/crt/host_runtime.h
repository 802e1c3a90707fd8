// What nvcc's host code includes, twice: the first time it declares CUDA's own structures once more.
#ifndef __CUDA_INTERNAL_COMPILATION__
#define __CUDA_INTERNAL_COMPILATION__
#include "../../older_cuda.h"
#undef __CUDA_INTERNAL_COMPILATION__
#endif
#include_next <crt/host_runtime.h>
