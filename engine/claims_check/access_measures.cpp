// Of one access: its lanes, their addresses, and what the device makes of them.
#include <bit>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "engine/claims_check/found.hpp"

namespace warplens::claims_check {
namespace {

using explain::Quantity;
using trace::Access;

using OfAccess = Measured (*)(const Subject&, const Access&);
template <OfAccess measure>
Measured with_access(const Subject& s) {
  const auto access = access_of(s);
  return access ? measure(s, *access) : std::nullopt;
}

bool is_active(const Access& access, std::size_t lane) { return (access.active >> lane & 1) != 0; }
double of_claim(const Subject& s) {
  return s.claim.of.empty() ? 0 : std::strtod(s.claim.of.c_str(), nullptr);
}
double element_bytes(const Subject& s, const Access& access) {
  const report::Face* array = array_of(s, access);
  return array == nullptr ? 4 : static_cast<double>(array->element_bytes);
}
double distinct(const Access& access) {
  const auto addresses = addresses_of(access);
  return static_cast<double>(std::set<std::uint64_t>(addresses.begin(), addresses.end()).size());
}

// From each lane to the next, of which both are active and in one row of so many lanes.
std::vector<double> distances(const Access& access, double row_of_lanes = 0) {
  const auto row = static_cast<std::size_t>(row_of_lanes > 0 ? row_of_lanes : 32);
  std::vector<double> found;
  for (std::size_t lane = 0; lane + 1 < 32; ++lane)
    if (is_active(access, lane) && is_active(access, lane + 1) && (lane + 1) % row != 0)
      found.push_back(
          static_cast<double>(static_cast<std::int64_t>(access.address[lane + 1] - access.address[lane])));
  return found;
}
std::vector<double> divided(std::vector<double> values, double by) {
  for (double& value : values) value /= by;
  return values;
}

Measured lanes(const Subject&, const Access& access) { return one(std::popcount(access.active)); }
Measured elsewhere(const Subject&, const Access& access) {
  return one(std::popcount(lanes_elsewhere(access)));
}
Measured units(const Subject& s, const Access& access) { return one(cost_of(access, s.run).units); }
Measured least(const Subject& s, const Access& access) { return one(cost_of(access, s.run).least); }
Measured times_the_least(const Subject& s, const Access& access) {
  const Cost cost = cost_of(access, s.run);
  return cost.least > 0 ? Measured(one(cost.units / cost.least)) : std::nullopt;
}
// In local memory each lane has bytes of its own.
Measured bytes_asked(const Subject&, const Access& access) {
  const bool is_local = access.space == ptx::Space::local;
  return one((is_local ? std::popcount(access.active) : distinct(access)) * access.width);
}
Measured share_used(const Subject& s, const Access& access) {
  return one(distinct(access) * access.width / (32 * cost_of(access, s.run).units));
}
Measured share_of_a_sector(const Subject&, const Access& access) {
  std::map<std::uint64_t, std::set<std::uint64_t>> used;
  for (const std::uint64_t address : addresses_of(access))
    for (std::uint64_t b = 0; b < access.width; ++b) used[(address + b) / 32].insert(address + b);
  std::vector<double> shares;
  for (const auto& [sector, bytes] : used) shares.push_back(static_cast<double>(bytes.size()) / 32);
  return over(shares);
}
Measured lane_bytes(const Subject&, const Access& access) { return one(access.width); }
Measured lane_elements(const Subject& s, const Access& access) {
  return one(access.width / element_bytes(s, access));
}
Measured distinct_elements(const Subject& s, const Access& access) {
  return one(distinct(access) * access.width / element_bytes(s, access));
}
// Of each row of so many lanes that are all active.
Measured distinct_addresses(const Subject& s, const Access& access) {
  const auto row = static_cast<std::size_t>(of_claim(s));
  if (row == 0) return one(distinct(access));
  std::vector<double> of_rows;
  for (std::size_t first = 0; first < 32; first += row) {
    std::set<std::uint64_t> addresses;
    for (std::size_t lane = first; lane < first + row; ++lane)
      if (is_active(access, lane)) addresses.insert(access.address[lane]);
    if (!addresses.empty()) of_rows.push_back(static_cast<double>(addresses.size()));
  }
  return over(of_rows);
}
Measured distance_bytes(const Subject& s, const Access& access) {
  return over(distances(access, of_claim(s)));
}
Measured distance_elements(const Subject& s, const Access& access) {
  return over(divided(distances(access, of_claim(s)), element_bytes(s, access)));
}
Measured distance_words(const Subject& s, const Access& access) {
  return over(divided(distances(access, of_claim(s)), 4));
}
// Rows of the array from a lane to the next, in the same column.
Measured distance_rows(const Subject& s, const Access& access) {
  const report::Face* array = array_of(s, access);
  if (array == nullptr) return std::nullopt;
  const double row = static_cast<double>(array->is_shared ? array->fold : array->pitch) *
                     static_cast<double>(array->element_bytes);
  return over(divided(distances(access, of_claim(s)), row));
}
// The longest rows in which all neighbours are as far from each other.
Measured row_of_lanes(const Subject&, const Access& access) {
  for (const std::size_t row : {32, 16, 8, 4, 2}) {
    std::set<std::uint64_t> seen;
    for (std::size_t lane = 0; lane + 1 < 32; ++lane)
      if ((lane + 1) % row != 0 && is_active(access, lane) && is_active(access, lane + 1))
        seen.insert(access.address[lane + 1] - access.address[lane]);
    if (seen.size() <= 1) return one(static_cast<double>(row));
  }
  return std::nullopt;
}
// Runs of lanes whose bytes follow each other.
Measured places(const Subject&, const Access& access) {
  std::set<std::uint64_t> ends, starts;
  for (const std::uint64_t address : addresses_of(access))
    starts.insert(address), ends.insert(address + access.width);
  double count = 0;
  for (const std::uint64_t start : starts) count += ends.contains(start) ? 0 : 1;
  return one(count);
}
Measured start_in(const Access& access, std::uint64_t size) {
  const auto addresses = addresses_of(access);
  return one(static_cast<double>(*std::ranges::min_element(addresses) % size));
}
Measured start_in_sector(const Subject&, const Access& access) { return start_in(access, 32); }
Measured start_in_segment(const Subject&, const Access& access) { return start_in(access, 64); }

// ---- banks

std::size_t banks(const Subject& s) { return s.run.device().compute_capability < 20 ? 16 : 32; }

// Words of the fullest bank over lanes [first, end), bytes [from, to) of each.
double fullest(const Access& access, std::size_t banks, std::size_t first, std::size_t end,
               std::uint64_t from, std::uint64_t to) {
  std::map<std::uint64_t, std::set<std::uint64_t>> words;
  for (std::size_t lane = first; lane < end; ++lane)
    for (std::uint64_t b = from; is_active(access, lane) && b < to; b += 4)
      words[(access.address[lane] + b) / 4 % banks].insert((access.address[lane] + b) / 4);
  double most = 0;
  for (const auto& [bank, asked] : words) most = std::max(most, static_cast<double>(asked.size()));
  return most;
}
// At most: of lanes that are served together.
Measured words_of_a_bank(const Subject& s, const Access& access) {
  const bool is_old = banks(s) == 16;
  const std::size_t lanes = lanes_together(access, s.run.device());
  double most = 0;
  for (std::size_t first = 0; first < 32; first += lanes)
    for (std::uint64_t b = 0; b < access.width; b += is_old ? 4 : 32)
      most = std::max(most, fullest(access, banks(s), first, std::min<std::size_t>(first + lanes, 32), b,
                                    is_old ? b + 4 : std::max<std::uint64_t>(access.width, 4)));
  return one(most);
}
// Whatever the order of the lanes: a bank gives a word a turn, and no turn serves more lanes than two phases have. What is
// quicker than that has other banks.
Measured fewest_wavefronts(const Subject& s, const Access& access) {
  std::set<std::uint64_t> words;
  double active = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    active += is_active(access, lane);
    for (std::uint64_t b = 0; is_active(access, lane) && b < access.width; b += 4)
      words.insert((access.address[lane] + b) / 4);
  }
  const double at_a_time = banks(s) == 16 ? 16.0 : 256.0 / std::max<double>(access.width, 4);
  const double by_banks = std::ceil(static_cast<double>(words.size()) / static_cast<double>(banks(s)));
  return one(std::min(std::max(by_banks, std::ceil(active / at_a_time)), cost_of(access, s.run).units));
}
// The same where each row of the array has so many words more.
Measured words_of_a_bank_padded(const Subject& s, const Access& access) {
  const report::Face* array = array_of(s, access);
  if (array == nullptr || array->fold == 0) return std::nullopt;
  const auto row = static_cast<std::uint64_t>(array->fold) * 4,
             pad = static_cast<std::uint64_t>(of_claim(s)) * 4;
  Access moved = access;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::uint64_t place = access.address[lane] - array->address;
    moved.address[lane] = place + place / row * pad;
  }
  return words_of_a_bank(s, moved);
}
Measured row_words(const Subject& s, const Access& access) {
  const report::Face* array = array_of(s, access);
  return array == nullptr ? std::nullopt : Measured(one(static_cast<double>(array->fold)));
}
Measured bank_step(const Subject& s, const Access& access) {
  const auto words = row_words(s, access);
  return words ? Measured(one(static_cast<double>(static_cast<std::size_t>(words->mean) % banks(s))))
               : std::nullopt;
}
Measured banks_touched(const Subject& s, const Access& access) {
  std::set<std::uint64_t> touched;
  for (const std::uint64_t address : addresses_of(access)) touched.insert(address / 4 % banks(s));
  return one(static_cast<double>(touched.size()));
}
Measured distinct_columns(const Subject& s, const Access& access) {
  const auto row = row_words(s, access);
  const auto length = row && row->mean > 32 ? static_cast<std::uint64_t>(row->mean) : 32;
  std::set<std::uint64_t> columns;
  for (const std::uint64_t address : addresses_of(access)) columns.insert(address / 4 % length);
  return one(static_cast<double>(columns.size()));
}
Measured lanes_at_one_address(const Subject&, const Access& access) {
  std::map<std::uint64_t, double> lanes_at;
  for (const std::uint64_t address : addresses_of(access)) ++lanes_at[address];
  double most = 0;
  for (const auto& [address, count] : lanes_at) most = std::max(most, count);
  return one(most);
}
Measured wavefronts_if_apart(const Subject&, const Access& access) {
  return one(std::popcount(access.active) * access.width / 128.0);
}

Measured warp_lanes(const Subject& s) { return one(s.run.device().warp_size); }
Measured sector_bytes(const Subject&) { return one(32); }
Measured segment_bytes(const Subject&) { return one(64); }
Measured bytes_a_wavefront(const Subject& s) { return one(4.0 * static_cast<double>(banks(s))); }

}  // namespace

std::vector<Row> access_measures() {
  return {{Quantity::sectors, with_access<units>},
          {Quantity::least_sectors, with_access<least>},
          {Quantity::wavefronts, with_access<units>},
          {Quantity::least_wavefronts, with_access<least>},
          {Quantity::fewest_wavefronts, with_access<fewest_wavefronts>},
          {Quantity::times_the_least, with_access<times_the_least>},
          {Quantity::lanes, with_access<lanes>},
          {Quantity::lanes_elsewhere, with_access<elsewhere>},
          {Quantity::bytes_asked, with_access<bytes_asked>},
          {Quantity::share_used, with_access<share_used>},
          {Quantity::share_used_of_a_sector, with_access<share_of_a_sector>},
          {Quantity::lane_bytes, with_access<lane_bytes>},
          {Quantity::lane_elements, with_access<lane_elements>},
          {Quantity::distinct_elements, with_access<distinct_elements>},
          {Quantity::distinct_addresses, with_access<distinct_addresses>},
          {Quantity::distance_bytes, with_access<distance_bytes>},
          {Quantity::distance_elements, with_access<distance_elements>},
          {Quantity::distance_words, with_access<distance_words>},
          {Quantity::distance_rows, with_access<distance_rows>},
          {Quantity::row_of_lanes, with_access<row_of_lanes>},
          {Quantity::places, with_access<places>},
          {Quantity::start_in_sector, with_access<start_in_sector>},
          {Quantity::start_in_segment, with_access<start_in_segment>},
          {Quantity::words_of_a_bank, with_access<words_of_a_bank>},
          {Quantity::words_of_a_bank_padded, with_access<words_of_a_bank_padded>},
          {Quantity::row_words, with_access<row_words>},
          {Quantity::bank_step, with_access<bank_step>},
          {Quantity::banks_touched, with_access<banks_touched>},
          {Quantity::distinct_columns, with_access<distinct_columns>},
          {Quantity::lanes_at_one_address, with_access<lanes_at_one_address>},
          {Quantity::wavefronts_if_apart, with_access<wavefronts_if_apart>},
          {Quantity::warp_lanes, warp_lanes},
          {Quantity::sector_bytes, sector_bytes},
          {Quantity::segment_bytes, segment_bytes},
          {Quantity::bytes_a_wavefront, bytes_a_wavefront}};
}

}  // namespace warplens::claims_check
