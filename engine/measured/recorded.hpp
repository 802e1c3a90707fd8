// All that is recorded below a folder (assets/recorded), each file read when it is first asked for.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "engine/measured/recorded_speeds.hpp"
#include "engine/measured/transfers.hpp"

namespace warplens::measured {

// What it returns stands as long as it does.
class Recorded {
 public:
  explicit Recorded(std::filesystem::path folder) : folder_(std::move(folder)) {}
  // Of a device by its id. Errors: files that cannot be read.
  Result<const RecordedSpeeds*> speeds(const std::string& device);
  Result<const Transfers*> transfers(const std::string& device);

 private:
  std::filesystem::path folder_;
  std::map<std::string, RecordedSpeeds> speeds_;
  std::map<std::string, Transfers> transfers_;
};

}  // namespace warplens::measured
