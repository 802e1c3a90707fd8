#include "app/window/picture_file.hpp"

#include <fstream>

#include "viz/paint/png.hpp"

namespace warplens::app {

Status write_png(const scene::Raster& raster, const std::filesystem::path& file) {
  const auto bytes = paint::encode_png(raster);
  if (!bytes) return bytes.error();
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
  out.flush();
  if (!out) return Error{"cannot write " + file.string(), "check the folder and its permissions"};
  return Done{};
}

}  // namespace warplens::app
