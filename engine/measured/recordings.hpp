// What `warplens bench` has measured, as one JSON file: written as it goes, so that a bench that was stopped
// goes on where it was.
//   {"format": 1, "engine", "device": {...}, "driver", "cuda", "warplens", "compiler", "recorded",
//    "results": [...],
//    "tuning": {...}, "passes": {...}}
// A result is the object of `run --json` with "source" (a hash of the kernel file: a changed file is measured
// again), "tuned" and "tried" (parameter sets). "tuning" holds what a search under way has tried so far, and
// "passes" the results of the passes so far where more are to come. A result of several passes is that of the
// median one, with all of them in "passes": [{"median_seconds", "p10_seconds", "p90_seconds",
// "cublas_seconds", "clock_mhz"}, ...].
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/base/json_text.hpp"
#include "engine/base/result.hpp"

namespace warplens::measured {

// What tells one measurement from another.
struct BenchKey {
  std::string kernel, source;
  Json size;
  Json params;  // null: the quickest that the search finds
};

class Recordings {
 public:
  // header: all but results and tuning. path: empty for nowhere. Errors: a file that is not of this kind, or
  // of another device.
  static Result<Recordings> open(const std::filesystem::path& path, Json header);

  const Json* find(const BenchKey& key) const;  // null where it is not there
  // Replaces older results of this kernel and size with the same "tuned".
  void add(const BenchKey& key, Json result);

  // One set that was tried: {"params", "seconds", "verified"} or {"params", "error"}.
  Json& tuning(const BenchKey& key);

  // The results of the passes so far; those that add() replaces by one.
  Json& passes(const BenchKey& key);

  // Error: the file cannot be written.
  Status save() const;
  const Json& file() const { return file_; }

 private:
  Json& list_at(const char* section, const std::string& name);

  std::filesystem::path path_;
  Json file_;
};

// The result that represents all passes: the one with the median time (of an even number the quicker of the
// two), right only if all were. Precondition: at least one.
Json median_pass(const Json& passes);

// From the lowest 10th to the highest 90th percentile of one launch, over all passes.
struct Spread {
  double low_seconds = 0, high_seconds = 0;
};
// result: of a GPU.
Spread spread_of(const Json& result);

}  // namespace warplens::measured
