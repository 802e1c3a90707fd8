// What our other libraries ask of this one.
#pragma once

#include <cstddef>

// Where this process can read and write the bytes at p, which count as written from now on; null: beyond an allocation of the
// device.
extern "C" void* cudaWarplensReachable(const void* p, std::size_t size);
// Notes, for the report, that a library did this in place of kernels.
extern "C" void cudaWarplensLibraryCall(const char* name, double seconds);
// Says once, and notes for the report, that there is no such function.
extern "C" void cudaWarplensUnsupported(const char* name);
// Whether the program has kernels that nvcc compiled with its host code.
extern "C" bool cudaWarplensHasKernels();
// Of a kernel's parameter: its place among them and its size. False: there is no such one.
extern "C" bool cudaWarplensParameter(const void* kernel, std::size_t number, std::size_t* offset, std::size_t* size);
