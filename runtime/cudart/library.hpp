// What our other libraries ask of this one.
#pragma once

#include <cstddef>

// Where this process can read and write the bytes at p; null: beyond an allocation of the device.
extern "C" void* cudaWarplensReachable(const void* p, std::size_t size);
// Notes, for the report, that a library did this in place of kernels.
extern "C" void cudaWarplensLibraryCall(const char* name, double seconds);
