// What a program has of compiled code in memory: fat binaries in their wrapper, or alone, machine code, or PTX's text.
#pragma once

#include <string>
#include <vector>

namespace warplens::runtime {

// Of fat binaries that follow each other: an empty one may stand in front of the one that is meant.
void add_binaries(const char* at, std::vector<std::string>& binaries);
// Of a wrapper, as nvcc writes it; none where there is none.
std::vector<std::string> binaries_of(const void* wrapper);
// The bytes of whatever begins there; nobody says how many they are.
std::string images_at(const void* code);

}  // namespace warplens::runtime
