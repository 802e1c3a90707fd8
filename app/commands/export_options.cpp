#include "app/commands/export_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "app/base/text_table.hpp"
#include "app/commands/number_option.hpp"
#include "viz/figures/figure.hpp"
#include "viz/paint/files/export.hpp"

namespace warplens::app {

namespace {

// What would be passed over in silence otherwise.
void refuse_what_does_not_go_together(CLI::App& command) {
  CLI::Option* index = command.get_option("--index");
  for (const char* name : {"KERNEL", "-D", "--size", "--block", "--access"})
    index->excludes(command.get_option(name));
  for (const char* name : {"--op", "--bytes"}) command.get_option(name)->needs(index);
  command.get_option("--page")->excludes(index)->excludes(command.get_option("--stage"));
  CLI::Option* tour = command.get_option("--tour");
  for (CLI::Option* option : command.get_options())
    if (option != tour && option->get_name() != "--scale" && option->get_name() != "--help")
      tour->excludes(option);
}

// Options that only some figures take.
struct Taken {
  std::string_view option;
  bool (*by)(const figures::Figure&);
};
template <figures::Trait trait>
bool by(const figures::Figure& figure) {
  return figure.has(trait);
}
constexpr std::array kTaken = {Taken{"--block", figures::is_of_block},
                               Taken{"--warp", figures::is_of_block},
                               Taken{"--access", figures::is_of_block},
                               Taken{"--step", figures::is_of_block},
                               Taken{"--index", by<figures::Trait::index>},
                               Taken{"--op", by<figures::Trait::index>},
                               Taken{"--bytes", by<figures::Trait::index>},
                               Taken{"--colors", by<figures::Trait::colors>},
                               Taken{"--whole", by<figures::Trait::colors>},
                               Taken{"--per", by<figures::Trait::per>},
                               Taken{"--over", by<figures::Trait::axes>},
                               Taken{"--others", by<figures::Trait::axes>},
                               Taken{"--cycles", by<figures::Trait::cycles>},
                               Taken{"--cursor", by<figures::Trait::cycles>},
                               Taken{"--element", by<figures::Trait::element>},
                               Taken{"--code", by<figures::Trait::code>},
                               Taken{"--frames", by<figures::Trait::film>},
                               Taken{"--speed", by<figures::Trait::film>},
                               Taken{"--play", by<figures::Trait::film>},
                               Taken{"--cuts", by<figures::Trait::film>},
                               Taken{"--threads", by<figures::Trait::resources>},
                               Taken{"--registers", by<figures::Trait::resources>},
                               Taken{"--shared", by<figures::Trait::resources>}};

// Block "0" or "0,0", warp 0, access 1: what every figure starts from.
bool asks_for_nothing(const CLI::Option& option) {
  const bool is_access = option.get_name() == "--access";
  return std::all_of(option.results().begin(), option.results().end(), [&](const std::string& text) {
    return is_access ? text == "1" : text.find_first_not_of("0,") == std::string::npos;
  });
}

// From 1, as people count; --step is what it was called before, from 0.
void add_access(CLI::App& command, ExportOptions& options) {
  const auto problem = [](const std::string& text) {
    return text == "0" ? "there is no access 0: they count from 1"
                       : number_problem<std::uint64_t>(text, 1, std::uint64_t{1} << 32);
  };
  const auto take = [&options](std::uint64_t access) {
    options.step = static_cast<std::uint32_t>(access - 1);
  };
  command
      .add_option_function<std::uint64_t>(
          "--access", take,
          "which access of the warp, from 1; by itself the costliest, also at the start of films")
      ->check(problem)
      ->type_name("NUMBER");
  add_number(command, "--step", options.step, "", 0)->group("");
}

constexpr std::array<std::string_view, 3> kFilmEndings = {".webp", ".gif", ".mp4"};

}  // namespace

bool is_film(std::string_view ending) {
  return std::find(kFilmEndings.begin(), kFilmEndings.end(), ending) != kFilmEndings.end();
}

Status check_options_of_figure(const CLI::App& command, const ExportOptions& options) {
  // The parser would leave the name of a hidden option out of its message.
  for (const char* other : {"--access", "--index"})
    if (command.get_option("--step")->count() > 0 && command.get_option(other)->count() > 0)
      return Error{fmt::format("--step excludes {}", other), "leave --step away"};
  // That a step opens on is mostly one of an access.
  const figures::Figure* named = figures::find_figure(options.figure);
  const figures::Figure& figure = named == nullptr ? figures::all_figures().front() : *named;
  for (const auto& [name, takes] : kTaken) {
    const CLI::Option* option = command.get_option(std::string(name));
    const bool of_a_place = name == "--block" || name == "--warp" || name == "--access" || name == "--step";
    if (option->count() == 0 || (of_a_place && asks_for_nothing(*option))) continue;
    const auto names = figures::figure_names(takes);
    if (!takes(figure))
      return Error{
          fmt::format("{} takes no {}", options.figure, name),
          fmt::format("leave it away; {} {} it", listed(names), names.size() == 1 ? "takes" : "take")};
    if ((name == "--frames" || name == "--speed" || name == "--play" || name == "--cuts") &&
        !is_film(paint::ending_of(options.output)))
      return Error{fmt::format("{} is of a film, and {} is a still picture", name, options.output),
                   fmt::format("leave it away, or name a {} file",
                               listed({kFilmEndings.begin(), kFilmEndings.end()}, "or"))};
  }
  for (const char* name : {"--ground", "--title", "--type", "--page", "--stage"})
    if (command.get_option(name)->count() > 0 && paint::ending_of(options.output) == ".csv")
      return Error{fmt::format("{} is of a picture, and {} is a table", name, options.output),
                   "leave it away, or name a .svg, .pdf or .png file"};
  return Done{};
}

void add_export_options(CLI::App& command, ExportOptions& options) {
  auto names = figures::figure_names(figures::is_drawn);
  names.push_back(kOpeningFigure);
  command.add_option("FIGURE", options.figure, listed(names, "or"));
  command.add_option("KERNEL", options.kernel.kernel, "id, path to a .cu file, or a ladder such as matmul");
  command.add_option("-o,--output", options.output, "out.svg, .pdf, .png, .webp, .gif, .mp4 or .csv")
      ->type_name("FILE");
  add_kernel_options(command, options.kernel);
  command.add_option("--theme", options.theme, "light or dark")->capture_default_str();
  command
      .add_option("--ground", options.ground,
                  "theme, white or transparent: below the picture; on none, --theme dark is for dark slides")
      ->capture_default_str();
  command.add_option("--title", options.title, "above the picture; auto: what it says in a sentence")
      ->type_name("TEXT");
  add_number(command, "--type", options.type, "type and lines, times as large as designed", kTypeScale.low,
             kTypeScale.high)
      ->capture_default_str();
  command.add_flag("--page", options.page, "the whole step on one page: picture, code and numbers");
  command.add_flag("--stage", options.on_stage,
                   "the page of the window's stage: what a class sees; of a film the picture alone");
  command.add_option("--colors", options.colors, "classic, colour-blind or lanes")->capture_default_str();
  command.add_option("--block", options.block, "of the grid")->capture_default_str()->type_name("X,Y,Z");
  add_number(command, "--warp", options.warp, "of the block", 0)->capture_default_str();
  add_access(command, options);
  command.add_flag("--whole", options.whole, "access: whole matrices instead of the part at work");
  command.add_option("--per", options.per, "flow: traffic of one operation, block or kernel")
      ->capture_default_str();
  command.add_option("--over", options.over, "speed-map: one or two parameters, such as BM,BN")
      ->type_name("NAMES");
  command.add_option("--others", options.others, "speed-map: the other parameters, best or now")
      ->capture_default_str();
  command.add_option("--cycles", options.cycles, "time: from one cycle of an SM to another")
      ->type_name("FROM,TO");
  command.add_option("--cursor", options.cursor, "time: a line at a cycle, and the warp that it is of")
      ->type_name("CYCLE,WARP");
  command
      .add_option("--element", options.element,
                  "fragments, swizzle, boxes: the element that is followed, such as A,5,37")
      ->type_name("NAME,ROW,COLUMN");
  command.add_option("--code", options.code, "code: beside the source ptx, or sass, the machine code")
      ->capture_default_str();
  add_number(command, "--scale", options.scale, "pixels a scene pixel, of pictures made of pixels",
             kPictureScale.low, kPictureScale.high)
      ->capture_default_str();
  add_number(command, "--width", options.width, "of the figure, pixels at scale 1", kFigureWidth.low,
             kFigureWidth.high)
      ->capture_default_str();
  add_number(command, "--height", options.height, "of the figure, pixels at scale 1", kFigureHeight.low,
             kFigureHeight.high)
      ->capture_default_str();
  add_number(command, "--frames", options.frames, "accesses of a film, at most", kFilmFrames.low,
             kFilmFrames.high)
      ->capture_default_str();
  add_number(command, "--speed", options.speed, "accesses of a film a second", kFilmSpeed.low,
             kFilmSpeed.high)
      ->capture_default_str();
  command
      .add_option("--play", options.play,
                  "films: iteration, the same access in each turn of its loop, or every access")
      ->capture_default_str();
  command.add_flag("--cuts", options.cuts, "films cut from access to access, and do not move");
  command
      .add_option("--index", options.index,
                  "coalescing, banks: element that each lane touches, instead of a kernel: \"32*lane\"")
      ->type_name("EXPRESSION");
  command.add_option("--op", options.op, "ld or st, with --index")->capture_default_str();
  add_number(command, "--bytes", options.access_width, "bytes a lane, with --index", 1, 16)
      ->capture_default_str();
  add_resources(command, options, "occupancy: ");
  command.add_option("--tour", options.tour, "draw the tour of figures into this folder")->type_name("DIR");
  refuse_what_does_not_go_together(command);
}

}  // namespace warplens::app
