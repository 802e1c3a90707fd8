#include "engine/measured/recorded.hpp"

namespace warplens::measured {
namespace {

template <class File>
Result<const File*> read_once(std::map<std::string, File>& known, const std::filesystem::path& folder,
                              const std::string& device) {
  if (const auto found = known.find(device); found != known.end()) return &found->second;
  auto file = File::read(folder, device);
  if (!file) return file.error();
  return &known.emplace(device, *std::move(file)).first->second;
}

}  // namespace

Result<const RecordedSpeeds*> Recorded::speeds(const std::string& device) {
  return read_once(speeds_, folder_, device);
}

Result<const Transfers*> Recorded::transfers(const std::string& device) {
  return read_once(transfers_, folder_, device);
}

}  // namespace warplens::measured
