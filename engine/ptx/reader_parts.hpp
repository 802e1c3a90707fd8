// What the reader keeps of a statement or scope while it reads it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/ptx/literal.hpp"
#include "engine/ptx/names.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::ptx {

// An operand as written, before the instruction's form gives it a type.
struct Raw {
  Operand operand;
  Literal literal;
  Type register_type = Type::none;
  std::uint16_t first_element = 0, elements = 0;
};

struct Linkage {
  bool external = false;
};

// A declared variable or parameter, and what its initialiser needs.
struct Declared {
  std::string_view name;
  Variable variable;
  int line = 0;
  std::array<std::uint64_t, 8> strides{};  // elements under one step of each dimension
  std::size_t dimensions = 0;
  std::uint64_t element_bytes = 0;  // of a whole .v4 where it is one
  std::uint8_t vector = 1;
  bool unsized = false;  // x[]
};

struct PendingLabel {
  std::string_view name;
  std::uint32_t code = 0;                    // the branch ...
  std::uint32_t table = StringIndex::kNone;  // ... or the table, and `code` its entry
  int line = 0;
};

struct CodeScope {
  std::size_t first_pending = 0;
  std::size_t ranges = 0;  // register ranges declared in it
};

struct LocationHash {
  std::size_t operator()(const SourceLocation& at) const {
    std::uint64_t hash = static_cast<std::uint32_t>(at.line) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ static_cast<std::uint32_t>(at.column)) * 0xD6E8FEB86659FD93u;
    hash = (hash ^ static_cast<std::uint32_t>(at.file)) * 0xD6E8FEB86659FD93u;
    hash = (hash ^ static_cast<std::uint32_t>(at.inlined_at)) * 0xD6E8FEB86659FD93u;
    return static_cast<std::size_t>(hash ^ (hash >> 32));
  }
};

}  // namespace warplens::ptx
