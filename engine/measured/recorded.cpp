#include "engine/measured/recorded.hpp"

namespace warplens::measured {

template <class File>
Result<const File*> Recorded::read_once(std::map<std::string, File>& known, const std::string& device) {
  const std::lock_guard lock(mutex_);
  if (const auto found = known.find(device); found != known.end()) return &found->second;
  auto file = File::read(folder_, device);
  if (!file) return file.error();
  return &known.emplace(device, *std::move(file)).first->second;
}

Result<const RecordedSpeeds*> Recorded::speeds(const std::string& device) {
  return read_once(speeds_, device);
}

Result<const Transfers*> Recorded::transfers(const std::string& device) {
  return read_once(transfers_, device);
}

}  // namespace warplens::measured
