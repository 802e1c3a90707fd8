#include "app/export_options.hpp"

#include "app/number_option.hpp"

namespace warplens::app {

namespace {

// What would be passed over in silence otherwise.
void refuse_what_does_not_go_together(CLI::App& command) {
  CLI::Option* index = command.get_option("--index");
  index->excludes(command.get_option("KERNEL"));
  for (const char* name : {"--op", "--bytes"}) command.get_option(name)->needs(index);
  CLI::Option* tour = command.get_option("--tour");
  for (CLI::Option* option : command.get_options())
    if (option != tour && option->get_name() != "--scale" && option->get_name() != "--help")
      tour->excludes(option);
}

}  // namespace

void add_export_options(CLI::App& command, ExportOptions& options) {
  command.add_option("FIGURE", options.figure,
                     "access, coalescing, banks, bank-map, code, occupancy, ladder, size-curve or roofline");
  command.add_option("KERNEL", options.kernel.kernel, "id, path to a .cu file, or a ladder such as matmul");
  command.add_option("-o,--output", options.output, "out.svg, .pdf, .png, .webp, .gif, .mp4 or .csv")
      ->type_name("FILE");
  command.add_option("-D", options.kernel.defines, "a parameter of the kernel: -D TILE=16 (again for each)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command.add_option("--size", options.kernel.size, "sizes of the problem: 512, or one for each: 35,79,19")
      ->check(size_problem)
      ->type_name("M,N,K");
  command.add_option("--device", options.kernel.device, "chip or compute capability: h100, cc8.6, 1.3")
      ->capture_default_str()
      ->type_name("DEVICE");
  command.add_option("--theme", options.theme, "light or dark")->capture_default_str();
  command.add_option("--colors", options.colors, "classic, colour-blind or lanes")->capture_default_str();
  command.add_option("--block", options.block, "of the grid")->capture_default_str()->type_name("X,Y,Z");
  add_number(command, "--warp", options.warp, "of the block", 0)->capture_default_str();
  add_number(command, "--step", options.step, "which access of the warp, from 0", 0)->capture_default_str();
  command.add_flag("--whole", options.whole, "access: whole matrices instead of the part at work");
  add_number(command, "--scale", options.scale, "pixels a scene pixel, of pictures made of pixels",
             picture_scale.low, picture_scale.high)
      ->capture_default_str();
  add_number(command, "--width", options.width, "of the figure, pixels at scale 1", figure_width.low,
             figure_width.high)
      ->capture_default_str();
  add_number(command, "--height", options.height, "of the figure, pixels at scale 1", figure_height.low,
             figure_height.high)
      ->capture_default_str();
  add_number(command, "--frames", options.frames, "of a film, at most", film_frames.low, film_frames.high)
      ->capture_default_str();
  add_number(command, "--speed", options.speed, "frames of a film a second", film_speed.low, film_speed.high)
      ->capture_default_str();
  command
      .add_option("--index", options.index,
                  "coalescing, banks: element that each lane touches, instead of a kernel: \"32*lane\"")
      ->type_name("EXPRESSION");
  command.add_option("--op", options.op, "ld or st, with --index")->capture_default_str();
  add_number(command, "--bytes", options.access_width, "bytes a lane, with --index", 1, 16)
      ->capture_default_str();
  add_number(command, "--threads", options.threads, "occupancy: threads a block", 1);
  add_number(command, "--registers", options.registers, "occupancy: registers a thread", 0);
  add_number(command, "--shared", options.shared, "occupancy: bytes of shared memory a block", 0);
  command.add_option("--tour", options.tour, "draw the tour of figures into this folder")->type_name("DIR");
  refuse_what_does_not_go_together(command);
}

}  // namespace warplens::app
