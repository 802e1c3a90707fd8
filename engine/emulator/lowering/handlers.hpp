// The warp-wide handlers that are compiled once for each instruction set (simd.inc), as a table.
#pragma once

#include <array>
#include <cstdint>

#include "engine/emulator/launch.hpp"
#include "engine/emulator/lowering/hot_ops.hpp"
#include "engine/emulator/lowering/micro_op.hpp"
#include "engine/emulator/lowering/warp.hpp"

namespace warplens::emulator {

struct HandlerTable {
  Isa isa = Isa::sse2;
  EnumArray<Hot, Handler> scalar{}, affine{}, vector{}, masked{};  // affine: see has_affine_handler
  EnumArray<HotCompare, Handler> compare_scalar{}, compare_vector{};
  Handler select32 = nullptr,
          select64 = nullptr;  // selp d, a, b, p: c is the predicate; writes the active lanes
  // [shared][AddressForm]
  std::array<std::array<EnumArray<Shape, Handler>, 3>, 2> load{}, store{};
  std::array<EnumArray<Shape, Handler>, 2> uniform_load{};  // one address for the warp, a uniform result
};

const HandlerTable& handlers_sse2();
const HandlerTable& handlers_avx2();
const HandlerTable& handlers_avx512();
const HandlerTable& handlers(Isa isa);  // automatic: the best of this CPU

// The rest of the handlers, compiled once.
const MicroOp* slow_access(Warp& warp,
                           const MicroOp* op);  // any memory access: checks, moves, counts, reports
const MicroOp* stop(Warp& warp, const MicroOp* op, Event event);

// For the fast memory handlers. offsets: byte offsets of the lanes in shared memory, or from Site::low.
void remember_pattern(Warp& warp, const MemoryDetail& detail, Site& site, const std::uint32_t* offsets,
                      std::uint32_t mask);
void remember_affine(Warp& warp, const MemoryDetail& detail, Site& site, std::uint64_t base,
                     std::int64_t stride, std::uint32_t mask);
void report_affine(Warp& warp, const MemoryDetail& detail, std::uint64_t base, std::int64_t stride,
                   std::uint32_t mask);
void report_offsets(Warp& warp, const MemoryDetail& detail, const Site& site, const std::uint32_t* offsets,
                    std::uint32_t mask);

}  // namespace warplens::emulator
