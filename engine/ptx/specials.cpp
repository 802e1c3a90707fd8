#include "engine/ptx/specials.hpp"

#include <algorithm>
#include <iterator>

namespace warplens::ptx {
namespace {

// Indexed by Special. PTX ISA 10 "Special Registers". Empty: what the parser does not take.
// clang-format off
constexpr std::string_view kSpecialNames[] = {
    "", "%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ntid.z", "%ctaid.x", "%ctaid.y",
    "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z", "%laneid", "%warpid", "%nwarpid", "WARP_SZ",
    "%smid", "%nsmid", "%gridid", "%clock", "%clock64", "%clock_hi", "%globaltimer", "%globaltimer_lo",
    "%globaltimer_hi", "%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt",
    "%dynamic_smem_size", "%total_smem_size", "%current_graph_exec", "%envreg1", "%envreg2",
    "%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z", "%cluster_nctaid.x", "%cluster_nctaid.y",
    "%cluster_nctaid.z", "%cluster_ctarank", "%cluster_nctarank", "%clusterid.x", "%clusterid.y",
    "%clusterid.z", "%nclusterid.x", "%nclusterid.y", "%nclusterid.z", "%is_explicit_cluster",
    "%reserved_smem_offset_begin", "%reserved_smem_offset_end", "%reserved_smem_offset_cap",
    "%reserved_smem_offset_0", "%reserved_smem_offset_1", "%aggr_smem_size", "",
};
// clang-format on
static_assert(std::size(kSpecialNames) == static_cast<std::size_t>(Special::pm) + 1);

}  // namespace

Special special_of(std::string_view name) {
  const auto at = std::ranges::find(kSpecialNames, name);
  return name.empty() || at == std::end(kSpecialNames) ? Special::none
                                                       : static_cast<Special>(at - std::begin(kSpecialNames));
}

std::string_view special_name(Special special) {
  const std::string_view name = kSpecialNames[static_cast<std::size_t>(special)];
  return name.empty() ? "%unknown" : name;
}

}  // namespace warplens::ptx
