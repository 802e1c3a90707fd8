// What it takes to bring data to a GPU and back, as `warplens transfers` measured it: copies by kind of host
// memory and by size, one copy against many, copies beside kernels in streams, kernels beside each other.
// Kept in assets/recorded/DEVICE-transfers.json. Seconds are seconds, bytes are bytes.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/json_text.hpp"
#include "engine/base/result.hpp"

namespace warplens::measured {

// Ordinary memory; memory that the system never moves; the same past the host's caches; memory that a kernel
// itself reads or writes over the bus, without a copy.
inline constexpr std::array<std::string_view, 4> kHostMemories = {"pageable", "pinned", "write-combined",
                                                                  "mapped"};
inline constexpr std::array<std::string_view, 2> kDirections = {"to device", "to host"};

struct Spread10To90 {
  double median = 0, p10 = 0, p90 = 0;
};

struct CopyTime {
  std::string memory, direction;  // of kHostMemories and kDirections
  std::uint64_t bytes = 0;
  Spread10To90 seconds;  // until the host knows that it is done
};
double gb_per_second(const CopyTime& copy);

// So many bytes of pinned memory, brought to the device in so many copies of one size.
struct PiecesTime {
  std::uint64_t bytes = 0, pieces = 0;
  Spread10To90 seconds;
};

// One copy or one kernel in its stream, from the begin of the whole.
struct StreamItem {
  int stream = 0;
  std::string what;  // "to device", "kernel", "to host"
  double begin = 0, end = 0;
};
// `bytes` brought to the device, worked on and brought back, in as many parts as there are streams.
struct StreamsTime {
  int streams = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;  // the median
  std::vector<StreamItem> items;
};

// Kernels of one block each, all in one stream or each in its own.
struct KernelsTime {
  int kernels = 0, streams = 0;
  double seconds = 0;  // the median
};

struct Transfers {
  std::string device, driver, date, bus;  // bus: "PCIe 5.0 x16"; empty where the driver does not say
  std::vector<CopyTime> copies;
  std::vector<PiecesTime> pieces;
  std::vector<StreamsTime> streams;
  std::vector<KernelsTime> kernels;
  bool empty() const { return copies.empty(); }

  // Error: a text that is not the JSON of to_json; the place is `file`.
  static Result<Transfers> parse(std::string_view text, const std::string& file);
  // Empty where there is no file for this device ("h200").
  static Result<Transfers> read(const std::filesystem::path& folder, const std::string& device);
};
Json to_json(const Transfers& transfers);

// The copy of this kind whose size is nearest by its ratio; null where there is none.
const CopyTime* nearest_copy(const Transfers& transfers, std::string_view memory, std::string_view direction,
                             double bytes);

}  // namespace warplens::measured
