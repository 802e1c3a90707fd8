#include "engine/ptx/specials.hpp"

namespace warplens::ptx {
namespace {

struct SpecialRow {
  std::string_view name;
  Special special;
};

// PTX ISA 10 "Special Registers".
constexpr SpecialRow kSpecials[] = {
    {"%tid.x", Special::tid_x},
    {"%tid.y", Special::tid_y},
    {"%tid.z", Special::tid_z},
    {"%ntid.x", Special::ntid_x},
    {"%ntid.y", Special::ntid_y},
    {"%ntid.z", Special::ntid_z},
    {"%ctaid.x", Special::ctaid_x},
    {"%ctaid.y", Special::ctaid_y},
    {"%ctaid.z", Special::ctaid_z},
    {"%nctaid.x", Special::nctaid_x},
    {"%nctaid.y", Special::nctaid_y},
    {"%nctaid.z", Special::nctaid_z},
    {"%laneid", Special::laneid},
    {"%warpid", Special::warpid},
    {"%nwarpid", Special::nwarpid},
    {"%smid", Special::smid},
    {"%nsmid", Special::nsmid},
    {"%gridid", Special::gridid},
    {"%clock", Special::clock},
    {"%clock64", Special::clock64},
    {"%clock_hi", Special::clock_hi},
    {"%globaltimer", Special::globaltimer},
    {"%globaltimer_lo", Special::globaltimer_lo},
    {"%globaltimer_hi", Special::globaltimer_hi},
    {"%lanemask_eq", Special::lanemask_eq},
    {"%lanemask_le", Special::lanemask_le},
    {"%lanemask_lt", Special::lanemask_lt},
    {"%lanemask_ge", Special::lanemask_ge},
    {"%lanemask_gt", Special::lanemask_gt},
    {"%dynamic_smem_size", Special::dynamic_smem_size},
    {"%total_smem_size", Special::total_smem_size},
    {"%current_graph_exec", Special::current_graph_exec},
    {"WARP_SZ", Special::warpsize},
};

}  // namespace

Special special_of(std::string_view name) {
  for (const SpecialRow& row : kSpecials)
    if (row.name == name) return row.special;
  return Special::none;
}

std::string_view special_name(Special special) {
  for (const SpecialRow& row : kSpecials)
    if (row.special == special) return row.name;
  return "%unknown";
}

}  // namespace warplens::ptx
