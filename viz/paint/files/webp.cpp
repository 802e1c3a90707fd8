#include <webp/encode.h>
#include <webp/mux.h>

#include <memory>

#include "viz/paint/files/animation.hpp"

namespace warplens::paint {
namespace {

struct EncoderDeleter {
  void operator()(WebPAnimEncoder* e) const { WebPAnimEncoderDelete(e); }
};
using Encoder = std::unique_ptr<WebPAnimEncoder, EncoderDeleter>;

struct Picture {
  WebPPicture value;
  Picture() { WebPPictureInit(&value); }
  ~Picture() { WebPPictureFree(&value); }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;
};

Error webp_error(WebPAnimEncoder* encoder) {
  const char* why = encoder ? WebPAnimEncoderGetError(encoder) : "the encoder does not start";
  return {std::string("WebP: ") + why, "try a smaller scale"};
}

Status add_frame(WebPAnimEncoder* encoder, const scene::Raster& raster, int at_ms) {
  WebPConfig config;
  if (!WebPConfigInit(&config) || !WebPConfigLosslessPreset(&config, 6)) return webp_error(encoder);
  Picture picture;
  picture.value.use_argb = 1;
  picture.value.width = raster.width;
  picture.value.height = raster.height;
  static_assert(sizeof(theme::Rgba) == 4);
  const auto* rgba = reinterpret_cast<const std::uint8_t*>(raster.pixels.data());
  if (!WebPPictureImportRGBA(&picture.value, rgba, raster.width * 4)) return webp_error(encoder);
  if (!WebPAnimEncoderAdd(encoder, &picture.value, at_ms, &config)) return webp_error(encoder);
  return Done{};
}

}  // namespace

Result<Bytes> to_webp(const Film& film, const theme::Theme& theme, const Fonts& fonts, double scale) {
  Encoder encoder;
  int at_ms = 0, width = 0, height = 0;
  for (int i = 0; i < std::max(film.frames, 1); ++i) {
    const auto raster = draw_frame(film, i, 1, 0, theme, fonts, scale);
    if (!raster) return raster.error();
    if (!encoder) {
      WebPAnimEncoderOptions options;
      WebPAnimEncoderOptionsInit(&options);  // loops for ever
      width = raster->width, height = raster->height;
      encoder.reset(WebPAnimEncoderNew(width, height, &options));
    }
    if (raster->width != width || raster->height != height)
      return Error{"a frame differs in size from the first", ""};
    if (!encoder) return webp_error(nullptr);
    if (auto added = add_frame(encoder.get(), *raster, at_ms); !added) return added.error();
    at_ms += std::max(10, film.milliseconds(i));
  }
  WebPData data;
  WebPDataInit(&data);
  if (!WebPAnimEncoderAdd(encoder.get(), nullptr, at_ms, nullptr) ||
      !WebPAnimEncoderAssemble(encoder.get(), &data))
    return webp_error(encoder.get());
  Bytes bytes(data.bytes, data.bytes + data.size);
  WebPDataClear(&data);
  return bytes;
}

}  // namespace warplens::paint
