// Speeds that were measured on a device, as `warplens bench --save` wrote them to
// assets/recorded/DEVICE.json.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/base/speed.hpp"
#include "engine/catalog/kernel_spec.hpp"
#include "engine/measured/timing.hpp"

namespace warplens::measured {

// Where the recordings are, below the program's folder.
std::filesystem::path recordings_folder(const std::filesystem::path& home);

struct RecordedSpeed {
  std::string kernel;  // id
  std::string source;  // fingerprint of the kernel file that was measured
  catalog::Values params, size;
  double seconds = 0;          // one launch, the median
  double spread = 0;           // its uncertainty, a share of it
  int launches = 0;            // that were timed
  double gflops = 0;           // thousand millions of operations a second; 0 where the problem counts none
  bool is_whole = false;       // which are of whole numbers
  double gb_per_second = 0;    // the least bytes of the problem over the time
  double cublas_gflops = 0;    // in the same run; 0 where it did not run
  std::string cublas_version;  // "cuBLAS 13.1.0"
  bool tuned = false;          // the quickest of all valid parameters
  SharedTiming timing = {};    // what the time was made of; null where nothing of that was kept
};

// One speed with its unit: operations, or bytes where those are more (see is_told_in_operations()).
struct Rate {
  double value = 0;
  std::string_view unit = kFloatingPoint;
};
Rate rate_of(const RecordedSpeed& speed);

struct RecordedSpeeds {
  std::string device, driver, date;    // "NVIDIA H100 80GB HBM3", "580.159.04", "2026-11-21"
  std::vector<RecordedSpeed> results;  // those that were verified

  // Error: a text that is no such JSON; the place is `file`.
  static Result<RecordedSpeeds> parse(std::string_view text, const std::string& file);
  // The result is empty if there is no file for this device.
  static Result<RecordedSpeeds> read(const std::filesystem::path& folder, const std::string& device);

  // The quickest of this kernel and size; with params, only of exactly those. A file that was changed since
  // is another kernel. Null if there is none.
  const RecordedSpeed* find(const catalog::KernelSpec& kernel, const catalog::Values& size,
                            const catalog::Values* params = nullptr) const;
  // The same for callers that ask often: source is the fingerprint of the kernel's file.
  const RecordedSpeed* find(std::string_view kernel, std::string_view source, const catalog::Values& size,
                            const catalog::Values* params) const;
  // What comes nearest to a launch that was not measured: at the nearest size, with the fewest other values,
  // each as few octaves away as may be, rather a chosen set than the quickest. Null if the kernel has
  // none.
  const RecordedSpeed* nearest(const catalog::KernelSpec& kernel, const catalog::Values& size,
                               const catalog::Values& params) const;
  bool has_steps_of(std::string_view ladder) const;
  // Sizes at which kernels of "ladder/" were measured, ascending by their first number.
  std::vector<catalog::Values> sizes(std::string_view ladder) const;
  // Of those, the wanted one where it is there, else the nearest one at which steps were measured with values
  // of their own choice, else the nearest at which the quickest values were; nothing where none was measured.
  // Where most was recorded, the largest of such; nothing where nothing was.
  std::optional<catalog::Values> main_size(std::string_view ladder) const;
  bool has_size(std::string_view ladder, const catalog::Values& size) const;
  std::optional<catalog::Values> nearest_size(std::string_view ladder, const catalog::Values& wanted) const;
};

// The kernel files that some device ran with right results, as the recordings below a home folder say. Read
// when they are first asked for.
class MeasuredKernels {
 public:
  explicit MeasuredKernels(const std::filesystem::path& home) : folder_(recordings_folder(home)) {}
  bool have(const catalog::KernelSpec& kernel);

 private:
  std::filesystem::path folder_;
  std::optional<std::set<std::string>> sources_;  // fingerprints
};

// "H100 80GB HBM3" of "NVIDIA H100 80GB HBM3", "GTX 480" of "NVIDIA GeForce GTX 480"
std::string_view without_brand(std::string_view name);
// "H100" of "NVIDIA H100 80GB HBM3", "GTX 480" of "NVIDIA GeForce GTX 480"
std::string short_device_name(std::string_view device);
// "M = N = K = 4,096" or "M = 512, N = 64". names: the sizes of the problem in their order.
std::string size_words(const catalog::Values& size, const std::vector<std::string>& names);
// The names of a size as problems write them: M, N, K.
std::vector<std::string> size_names(const catalog::Values& size);
// "2,048 × 2,048 × 2,048". names: as of size_words().
std::string long_size(const catalog::Values& size, const std::vector<std::string>& names);
// "4,096" where all its numbers are that one, else "512 × 64": for where there is little room.
std::string short_size(const catalog::Values& size);

}  // namespace warplens::measured
