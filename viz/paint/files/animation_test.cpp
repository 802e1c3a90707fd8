#include "viz/paint/files/animation.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <webp/decode.h>
#include <webp/demux.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/base/testing/test_folder.hpp"
#include "viz/paint/files/export.hpp"
#include "viz/paint/files/palette.hpp"

namespace warplens::paint {
namespace {

using testing::HasSubstr;
using namespace scene;

const Fonts& film_fonts() {
  static const std::shared_ptr<const Fonts> opened = *Fonts::open();
  return *opened;
}

// A cell that walks along a row.
Film walk(int frames) {
  Film film{.frames = frames};
  film.draw = [](int i) {
    Scene scene({121, 41});
    scene.root.rect({static_cast<double>(8 * i), 8, 8, 8}, {.fill = Token::first_thread});
    scene.root.text({8, 36}, "access " + std::to_string(i), {.size = 13});
    return scene;
  };
  film.milliseconds = [](int i) { return i == 0 ? 500 : 40; };
  return film;
}

TEST(Webp, DecodesToItsFramesWithoutLoss) {
  const Film film = walk(7);
  const auto bytes = to_webp(film, theme::dark(), film_fonts());
  ASSERT_TRUE(bytes);
  WebPData data{bytes->data(), bytes->size()};
  const std::unique_ptr<WebPAnimDecoder, void (*)(WebPAnimDecoder*)> decoder(
      WebPAnimDecoderNew(&data, nullptr), WebPAnimDecoderDelete);
  ASSERT_TRUE(decoder);
  WebPAnimInfo info;
  WebPAnimDecoderGetInfo(decoder.get(), &info);
  EXPECT_EQ(info.frame_count, 7u);
  EXPECT_EQ(info.loop_count, 0u);  // for ever
  EXPECT_EQ(info.canvas_width, 121u);
  int end = 0;
  for (int i = 0; i < 7; ++i) {
    std::uint8_t* rgba = nullptr;
    ASSERT_TRUE(WebPAnimDecoderGetNext(decoder.get(), &rgba, &end));
    EXPECT_EQ(end, 500 + 40 * i);
    const Raster wanted = *to_raster(film.draw(i), theme::dark(), film_fonts());
    for (std::size_t p = 0; p < wanted.pixels.size(); ++p)
      ASSERT_EQ((theme::Rgba{rgba[4 * p], rgba[4 * p + 1], rgba[4 * p + 2], rgba[4 * p + 3]}),
                wanted.pixels[p])
          << i << " " << p;
  }
}

struct GifFacts {
  int width = 0, height = 0, frames = 0;
  bool loops = false;
  std::vector<int> delays = {};
};

// The blocks of a GIF 89a, without decoding its pixels (the format's specification, 1990).
GifFacts read_gif(const Bytes& b) {
  GifFacts facts{b[6] | b[7] << 8, b[8] | b[9] << 8};
  std::size_t at = 13 + (b[10] & 0x80 ? 3u << ((b[10] & 7) + 1) : 0);
  const auto skip_blocks = [&] {
    while (b.at(at) != 0) at += b[at] + 1u;
    ++at;
  };
  while (b.at(at) != 0x3b) {
    if (b[at] == 0x2c) {
      ++facts.frames;
      at += 10 + (b[at + 9] & 0x80 ? 3u << ((b[at + 9] & 7) + 1) : 0) + 1;
    } else {
      if (b[at + 1] == 0xf9) facts.delays.push_back(b[at + 4] | b[at + 5] << 8);
      if (b[at + 1] == 0xff)
        facts.loops = std::string(b.begin() + static_cast<long>(at) + 3,
                                  b.begin() + static_cast<long>(at) + 14) == "NETSCAPE2.0";
      at += 2;
    }
    skip_blocks();
  }
  return facts;
}

TEST(Gif, HasItsFramesAndDelaysAndLoops) {
  const auto bytes = to_gif(walk(7), theme::light(), film_fonts());
  ASSERT_TRUE(bytes);
  const GifFacts facts = read_gif(*bytes);
  EXPECT_EQ(facts.width, 121);
  EXPECT_EQ(facts.height, 41);
  EXPECT_EQ(facts.frames, 7);
  EXPECT_TRUE(facts.loops);
  EXPECT_EQ(facts.delays, (std::vector{50, 4, 4, 4, 4, 4, 4}));
  EXPECT_EQ(*bytes, *to_gif(walk(7), theme::light(), film_fonts()));
}

TEST(Palette, KeepsFewColoursAndMergesMany) {
  ColorCounts few;
  few.add({3, 1, {theme::rgb(0x102030), theme::rgb(0xffffff), theme::rgb(0x102030)}});
  EXPECT_THAT(few.palette(), testing::UnorderedElementsAre(theme::rgb(0x102030), theme::rgb(0xffffff)));
  Raster many{64, 64, {}};
  for (int i = 0; i < 4096; ++i)
    many.pixels.push_back(
        {static_cast<std::uint8_t>(i / 16), static_cast<std::uint8_t>(i % 64 * 4), 77, 255});
  ColorCounts counts;
  counts.add(many);
  const auto palette = counts.palette();
  EXPECT_EQ(palette.size(), 255u);
  const auto indices = PaletteIndex(palette).indices(many);
  double error = 0;
  for (std::size_t i = 0; i < many.pixels.size(); ++i)
    error += std::abs(palette[indices[i]].r - many.pixels[i].r) +
             std::abs(palette[indices[i]].g - many.pixels[i].g);
  EXPECT_LT(error / 4096, 12);
}

TEST(Film, ErrorsAreSaid) {
  Film film = walk(3);
  film.go_on = [](double done) { return done < 0.5; };
  EXPECT_EQ(to_webp(film, theme::dark(), film_fonts()).error().message, "the film was stopped");
  EXPECT_FALSE(to_gif(walk(0), theme::dark(), film_fonts()));
  EXPECT_FALSE(to_webp(walk(0), theme::dark(), film_fonts()));
  film = walk(3);
  film.draw = [](int i) { return Scene({10.0 + i, 10}); };
  EXPECT_THAT(to_gif(film, theme::dark(), film_fonts()).error().message, HasSubstr("differs in size"));
  EXPECT_THAT(to_webp(film, theme::dark(), film_fonts()).error().message, HasSubstr("differs in size"));
}

class Mp4 : public testing::Test {
 protected:
  // A program in place of ffmpeg: what it is called with, and what it is sent.
  std::string fake_ffmpeg(std::string_view body) const {
    return folder_.write_script("ffmpeg", body).string();
  }

  TestFolder folder_;
};

TEST_F(Mp4, SendsEveryFrameAsOftenAsItLasts) {
  const std::string out = (folder_ / "film.mp4").string();
  const std::string program =
      fake_ffmpeg("for last; do :; done\necho \"$*\" > \"$last\"\nwc -c >> \"$last\"\n");
  ASSERT_TRUE(write_mp4(walk(4), theme::dark(), film_fonts(), out, program));
  std::ifstream file(out);
  std::string arguments;
  long bytes = 0;
  std::getline(file, arguments);
  file >> bytes;
  EXPECT_THAT(arguments, HasSubstr("-video_size 121x41"));
  EXPECT_EQ(bytes, 121 * 41 * 4 * (25 + 2 * 3));  // 500 ms and three times 40 ms at 50 frames a second
}

TEST_F(Mp4, SaysWhatFfmpegSaidAndWhenThereIsNone) {
  const std::string out = (folder_ / "x.mp4").string();
  const std::string program = fake_ffmpeg("echo 'Unknown encoder' >&2\nexit 3\n");
  const auto failed = write_mp4(walk(40), theme::dark(), film_fonts(), out, program);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("ended with 3: Unknown encoder"));
  EXPECT_FALSE(std::filesystem::exists(out));
  const std::string full = fake_ffmpeg("cat > /dev/null\necho 'Error writing trailer' >&2\n");
  const auto cut = write_mp4(walk(2), theme::dark(), film_fonts(), out, full);
  ASSERT_FALSE(cut);
  EXPECT_THAT(cut.error().message, HasSubstr("ended with 0: Error writing trailer"));
  const auto none = write_mp4(walk(2), theme::dark(), film_fonts(), out, "");
  ASSERT_FALSE(none);
  EXPECT_THAT(to_line(none.error()), HasSubstr("not on PATH; install ffmpeg"));
  EXPECT_FALSE(write_mp4(walk(2), theme::dark(), film_fonts(), out, (folder_ / "no-such-program").string()));
}

TEST(FindProgram, LooksInOrder) {
  const TestFolder here;
  here.write_script("ffmpeg-here", "");
  const std::string folder = here.string();
  EXPECT_EQ(find_program("ffmpeg-here", "/nowhere::" + folder), folder + "/ffmpeg-here");
  EXPECT_EQ(find_program("ffmpeg-here", "/nowhere"), "");
  EXPECT_EQ(find_program("ffmpeg-here", ""), "");
}

TEST(Export, FilmsByTheirEnding) {
  const TestFolder folder;
  EXPECT_TRUE(export_film((folder / "f.webp").string(), walk(2), theme::dark(), film_fonts()));
  EXPECT_TRUE(export_film((folder / "f.gif").string(), walk(2), theme::dark(), film_fonts()));
  EXPECT_FALSE(export_film((folder / "f.avi").string(), walk(2), theme::dark(), film_fonts()));
}

}  // namespace
}  // namespace warplens::paint
