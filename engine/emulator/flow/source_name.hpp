// Names as the kernel's author wrote them.
#pragma once

#include <string>

namespace warplens::emulator {

// "tile" of "_ZZ6kernelE4tile" and "fibonacci(int)" of "_Z9fibonaccii"; any other name as it is.
std::string source_name(const std::string& name);

}  // namespace warplens::emulator
