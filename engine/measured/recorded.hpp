// All that is recorded below the program's folder, each file read when it is first asked for.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "engine/measured/recorded_speeds.hpp"
#include "engine/measured/transfers.hpp"

namespace warplens::measured {

// What it returns stays as long as it does. May be used by several threads.
class Recorded {
 public:
  explicit Recorded(const std::filesystem::path& home) : folder_(recordings_folder(home)) {}
  // Of a device by its id. Errors: files that cannot be read.
  Result<const RecordedSpeeds*> speeds(const std::string& device);
  Result<const Transfers*> transfers(const std::string& device);

 private:
  template <class File>
  Result<const File*> read_once(std::map<std::string, File>& known, const std::string& device);

  std::filesystem::path folder_;
  std::mutex mutex_;  // guards the next two
  std::map<std::string, RecordedSpeeds> speeds_;
  std::map<std::string, Transfers> transfers_;
};

}  // namespace warplens::measured
