#include "engine/source/types.hpp"

#include <algorithm>

namespace warplens::source {
namespace {

struct TypeName {
  std::string_view name, base;
};
// CUDA C++ on 64-bit Linux and Windows' names of it: long is 64 bits as with nvcc on Linux.
constexpr TypeName kNames[] = {
    {"float", "float"},
    {"float32", "float"},
    {"double", "double"},
    {"float64", "double"},
    {"half", "half"},
    {"__half", "half"},
    {"float16", "half"},
    {"bfloat16", "bfloat16"},
    {"bf16", "bfloat16"},
    {"__nv_bfloat16", "bfloat16"},
    {"nv_bfloat16", "bfloat16"},
    {"char", "int8"},
    {"signed char", "int8"},
    {"int8_t", "int8"},
    {"bool", "uint8"},
    {"unsigned char", "uint8"},
    {"uchar", "uint8"},
    {"uint8_t", "uint8"},
    {"short", "int16"},
    {"short int", "int16"},
    {"int16_t", "int16"},
    {"unsigned short", "uint16"},
    {"ushort", "uint16"},
    {"uint16_t", "uint16"},
    {"int", "int32"},
    {"signed", "int32"},
    {"signed int", "int32"},
    {"int32_t", "int32"},
    {"unsigned", "uint32"},
    {"unsigned int", "uint32"},
    {"uint", "uint32"},
    {"uint32_t", "uint32"},
    {"long", "int64"},
    {"long int", "int64"},
    {"long long", "int64"},
    {"long long int", "int64"},
    {"int64_t", "int64"},
    {"ptrdiff_t", "int64"},
    {"ssize_t", "int64"},
    {"unsigned long", "uint64"},
    {"unsigned long int", "uint64"},
    {"unsigned long long", "uint64"},
    {"unsigned long long int", "uint64"},
    {"uint64_t", "uint64"},
    {"size_t", "uint64"},
};

std::optional<std::string> base_of(std::string_view name) {
  const auto& bases = element_types();
  if (std::find(bases.begin(), bases.end(), name) != bases.end()) return std::string(name);
  for (const TypeName& known : kNames)
    if (known.name == name) return std::string(known.base);
  return std::nullopt;
}

}  // namespace

const std::vector<std::string>& element_types() {
  static const std::vector<std::string> kTypes{"float", "double", "half",  "bfloat16", "int8",  "uint8",
                                               "int16", "uint16", "int32", "uint32",   "int64", "uint64"};
  return kTypes;
}

std::optional<TypeText> read_type(std::string_view name) {
  if (name.starts_with("std::")) name.remove_prefix(5);
  if (const auto base = base_of(name)) return TypeText{*base, 1};
  const char last = name.empty() ? ' ' : name.back();
  if (last < '1' || last > '4') return std::nullopt;
  // CUDA's vectors are called by C's short names: uint4, uchar4, longlong2.
  const std::string_view part = name.substr(0, name.size() - 1);
  auto base = part == "longlong"                       ? std::optional<std::string>("int64")
              : part == "ulonglong" || part == "ulong" ? std::optional<std::string>("uint64")
                                                       : base_of(part);
  if (!base) return std::nullopt;
  return TypeText{*base, last - '0'};
}

int bytes_of(std::string_view base) {
  if (base.ends_with("64") || base == "double") return 8;
  if (base.ends_with("16") || base == "half") return 2;
  return base.ends_with("t8") ? 1 : 4;
}

int TypeText::bytes() const { return bytes_of(base) * parts; }
int TypeText::alignment() const { return parts == 2 || parts == 4 ? std::min(bytes(), 16) : bytes_of(base); }

}  // namespace warplens::source
