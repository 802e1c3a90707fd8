// Files that are read whole, and written whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"

namespace warplens {

// Makes a file of these bytes, or gives one that is there these bytes. They are written beside it and renamed
// when all of them are on disk, so that a full disk or a kill leaves what was there before; its rights stay,
// and a link stays a link. A device, a pipe, and a file in a folder that cannot be written are written
// straight. Errors: the system's reason, with the path.
Status write_whole_file(const std::filesystem::path& path, std::string_view bytes);

// The whole of a text file. Error: its path and why it cannot be read.
Result<std::string> read_whole_file(const std::filesystem::path& path);

}  // namespace warplens
