// How places in machine code are written.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace warplens::sass {

// "0e80": bytes from the kernel's first instruction, as nvdisasm has them.
inline std::string address_text(std::uint32_t address) { return fmt::format("{:04x}", address); }

}  // namespace warplens::sass
