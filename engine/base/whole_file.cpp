#include "engine/base/whole_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace warplens {

namespace fs = std::filesystem;

Result<std::string> read_whole_file(const fs::path& path) {
  std::error_code ignored;
  const auto failed = [&](const std::string& why) {
    return Error{"cannot read " + path.string() + ": " + why, "check the path"};
  };
  if (fs::is_directory(path, ignored)) return failed("it is a folder");
  // Pipes may have no other end, and devices no end at all.
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    return failed("it is no file but a device or a pipe");
  constexpr std::uintmax_t kLargest = std::uintmax_t{256} << 20;
  if (const auto bytes = fs::file_size(path, ignored); !ignored && bytes > kLargest)
    return failed("it has more than 256 MiB");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file && file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (!file.is_open() || file.bad() || text.bad()) return failed(std::strerror(errno == 0 ? EIO : errno));
  return std::move(text).str();
}

}  // namespace warplens
