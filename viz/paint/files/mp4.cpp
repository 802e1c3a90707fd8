#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "engine/base/process.hpp"
#include "viz/paint/files/animation.hpp"

namespace warplens::paint {
namespace {

// Ended and waited for in any case.
struct Ending {
  Process& process;
  ~Ending() {
    process.send_signal(SIGTERM);
    process.wait();
  }
};

// A socket instead of a pipe: a reader that has gone is an error here, not a SIGPIPE for the whole program.
bool send_all(int to, const std::uint8_t* data, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = send(to, data, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    data += sent, size -= static_cast<std::size_t>(sent);
  }
  return true;
}

std::string last_words(const Descriptor& file) {
  std::string text = file.text(0, 4096);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  return text;
}

// A file that is gone in the end, where nobody gave it another name.
struct Part {
  std::string path;
  ~Part() { unlink(path.c_str()); }
};

constexpr int kFramesASecond = 50;

std::vector<std::string> command(const std::string& ffmpeg, const scene::Raster& first,
                                 const std::string& path) {
  return {ffmpeg,
          "-nostdin",
          "-y",
          "-loglevel",
          "error",
          "-f",
          "rawvideo",
          "-pixel_format",
          "rgba",
          "-video_size",
          fmt::format("{}x{}", first.width, first.height),
          "-framerate",
          std::to_string(kFramesASecond),
          "-i",
          "pipe:0",
          "-vf",
          "pad=ceil(iw/2)*2:ceil(ih/2)*2",
          "-pix_fmt",
          "yuv420p",
          "-movflags",
          "+faststart",
          "-f",
          "mp4",
          path};
}

// Every frame as often as its time asks for.
Status send_film(const Film& film, const scene::Raster& first, const theme::Theme& theme, const Fonts& fonts,
                 double scale, int to) {
  double owed = 0;
  for (int i = 0; i < film.frames; ++i) {
    const auto raster =
        i == 0 ? Result<scene::Raster>(first) : draw_frame(film, i, 1, 0, theme, fonts, scale);
    if (!raster) return raster.error();
    if (raster->width != first.width || raster->height != first.height)
      return Error{"a frame differs in size from the first", ""};
    owed += std::max(10, film.milliseconds(i)) * kFramesASecond / 1000.0;
    for (; owed >= 0.5; owed -= 1)
      if (!send_all(to, reinterpret_cast<const std::uint8_t*>(raster->pixels.data()),
                    raster->pixels.size() * 4))
        return Done{};
  }
  return Done{};  // a reader that left early tells its reason by its exit code
}

}  // namespace

Status write_mp4(const Film& film, const theme::Theme& theme, const Fonts& fonts, const std::string& path,
                 const std::string& ffmpeg, double scale) {
  namespace fs = std::filesystem;
  if (ffmpeg.empty())
    return Error{"MP4 needs the program ffmpeg, which is not on PATH",
                 "install ffmpeg, or export .webp or .gif instead",
                 {path}};
  const auto first = draw_frame(film, 0, 1, 0, theme, fonts, scale);
  if (!first) return first.error();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{"no socket for ffmpeg", std::strerror(errno)};
  Descriptor ours(ends[0]), theirs(ends[1]), words = memory_file();
  // Renamed when it is whole. Absolute, as ffmpeg takes what stands before a colon for a protocol.
  const Part part{fs::absolute(path).string() + ".part"};
  auto child = Process::start(
      {command(ffmpeg, *first, part.path), {{0, theirs.number()}, {1, words.number()}, {2, words.number()}}});
  if (!child) return Error{ffmpeg + " does not start", "check that it is a program", {path}};
  const Ending ending{*child};
  theirs = Descriptor();
  auto sent = send_film(film, *first, theme, fonts, scale, ours.number());
  ours = Descriptor();
  if (!sent) return sent;
  // It speaks of errors only; 5.1 ends with 0 even where it could not write the end of the file.
  child->wait();
  const int code = child->exit_code();
  if (const std::string said = last_words(words); code != 0 || !said.empty())
    return Error{fmt::format("{} ended with {}: {}", ffmpeg, code, said.empty() ? "no reason given" : said),
                 "try .webp or .gif instead",
                 {path}};
  std::error_code failed;
  fs::rename(part.path, path, failed);
  if (failed) return Error{"the file cannot be written: " + failed.message(), "check the folder", {path}};
  return Done{};
}

}  // namespace warplens::paint
