// The table of what the monkey does.
#include <array>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "app/window/lesson/lesson_stage.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/testing/monkey/action.hpp"
#include "app/window/testing/monkey/world.hpp"

namespace warplens::app::monkey {
namespace {

using compat::Key;
namespace fs = std::filesystem;

void press(World& world, Key key, bool control = false, bool shift = false) {
  world.say(std::string(control ? "Ctrl " : "") + (shift ? "Shift " : "") + compat::name_of(key));
  world.must(world.stage().press(key, control, shift));
}

void press_any(World& world, std::uint32_t number) {
  const std::size_t key = 1 + number % (compat::kKeyRows.size() - 1);
  number /= 64;
  press(world, static_cast<Key>(key), number % 4 == 0, number / 4 % 4 == 0);
}

// What shortcuts and fields take, and what they do not.
void type_any(World& world, std::uint32_t number) {
  constexpr std::array texts = {"h",
                                "s",
                                "o",
                                "d",
                                "e",
                                "?",
                                "/",
                                "+",
                                "8",
                                "16",
                                "32",
                                "100",
                                "1000",
                                "0",
                                "-1",
                                "007",
                                "99999999999999999999",
                                "1e9",
                                "nan",
                                "2^63",
                                "%s%n",
                                "stride*lane",
                                "lane/0 + warp",
                                "((((",
                                "BM",
                                "matmul",
                                "\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80",
                                "/etc",
                                "../..",
                                "x.cu",
                                "x.toml",
                                "#define TILE 7\n",
                                "for (;;) {}\n",
                                "}",
                                "{",
                                "__syncthreads();",
                                "/*---\ntitle = 1\n---*/\n",
                                " ",
                                "\n\n\t"};
  world.say(texts[number % texts.size()]);
  world.must(world.stage().type(texts[number % texts.size()]));
}

void click(World& world, const std::string& mark) {
  world.say(mark);
  if (!mark.empty()) world.must(world.stage().click(mark));
}

void search(World& world, std::uint32_t number) {
  press(world, Key::k, true);
  type_any(world, number);
  for (std::uint32_t down = number / 64 % 8; down > 0; --down) world.must(world.stage().press(Key::down));
  press(world, Key::enter);
}

void drag(World& world, std::uint32_t number) {
  const std::string mark = world.mark(number);
  world.say(mark);
  if (mark.empty()) return;
  const auto share = [&](std::uint32_t part) { return part % 128 / 100.0 - 0.14; };  // and beside it
  world.must(world.stage().drag(mark, share(number / 128), share(number / 128 / 128)));
}

void drag_anywhere(World& world, std::uint32_t number) {
  world.must(world.stage().drag(world.point(number), world.point(number ^ number >> 13)));
}

void wheel(World& world, std::uint32_t number) {
  compat::set_modifiers(ImGui::GetIO(), number % 3 == 0, number % 5 == 0);
  world.must(world.stage().wheel_at(world.point(number / 16), static_cast<int>(number % 16) - 8));
  compat::set_modifiers(ImGui::GetIO(), false, false);
}

void click_other(World& world, std::uint32_t number) {
  const std::string mark = world.mark(number);
  world.say(mark);
  if (!mark.empty()) world.must(world.stage().click_other(mark));
}

void resize(World& world, std::uint32_t number) {
  constexpr std::array<std::pair<int, int>, 6> sizes = {
      {{1600, 900}, {1280, 720}, {640, 400}, {1920, 1080}, {700, 1200}, {2400, 500}}};
  const auto [width, height] = sizes[number % sizes.size()];
  world.must(world.stage().resize(width, height));
  world.frame().note_size(width, height);
}

void set_display(World& world, std::uint32_t number) {
  world.stage().interface().set_display_scale(0.5 + number % 8 * 0.5);
}

void choose_device(World& world, std::uint32_t number) {
  const auto& devices = world.model().device_table().devices();
  world.say(devices[number % devices.size()].id);
  world.model().choose_device(devices[number % devices.size()].id);
}

void choose_kernel(World& world, std::uint32_t number) {
  const auto& kernels = world.model().catalog().kernels();
  if (kernels.empty()) return;
  world.say(kernels[number % kernels.size()].id);
  world.model().choose_kernel(kernels[number % kernels.size()].id);
}

void open_lesson(World& world, std::uint32_t number) {
  const auto& lessons = world.lessons().all();
  if (lessons.empty()) return;
  const LessonEntry entry = lessons[number % lessons.size()];
  world.say(entry.name);
  // A file that was spoilt before is refused, in words.
  if (world.lessons().open(entry.name)) world.lessons().go_to(number / 16 % 32);
}

// As a click beside the page or on stage does, right or wrong.
void answer(World& world, std::uint32_t number) {
  LessonPlayer& player = world.lessons();
  if (!player.is_open()) return;
  const lesson::Ask* ask = player.here().find<lesson::Ask>();
  if (ask == nullptr) return;
  if (ask->choices.empty()) return player.type(number % 100);
  const std::size_t choice = number % ask->choices.size();
  world.say("choice " + std::to_string(choice));
  click_lesson_stage(player, "choice:" + std::to_string(choice));
}

void spoil(World& world, const fs::path& file, std::uint32_t how) {
  world.say(file.filename().string() + " " + std::to_string(how % 8));
  world.change(file, how);
  world.frame().look_for_changes();
}

// A file dropped on the window: a kernel, a lesson, a state that was saved, or none of them.
void drop(World& world, std::uint32_t number) {
  const std::array files = {world.kernel_file(number), world.lesson_file(number),
                            world.folder() / "own.cu", world.folder() / "warplens-state.toml",
                            world.folder() / "no.cu",  world.folder()};
  const fs::path& file = files[number / 8 % files.size()];
  if (file.filename() == "own.cu") {
    std::error_code ignored;
    fs::copy_file(world.kernel_file(4 * (number / 64)), file, fs::copy_options::overwrite_existing, ignored);
  }
  world.say(file.filename().string());
  world.frame().open_dropped(file.string());
}

void pass_time(World& world, std::uint32_t number) {
  world.must(world.stage().frame_after(static_cast<float>(number % 100) / 10 + 0.01f));
}

template <Key key>
void press_one(World& world, std::uint32_t) {
  press(world, key);
}

// Deaths that tests plant.
void hang(World&, std::uint32_t) {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}
void die_if_larger(World& world, std::uint32_t) {
  if (world.state().view.text_scale > 1) std::raise(SIGSEGV);
}
[[gnu::noinline]] void overrun(World& world, std::uint32_t number) {
  const std::string text = "short enough to stand in the heap all the same, for it has over 15 letters";
  const char* letters = text.data();
  if (letters[text.size() + 1 + number % 8] == 'x') world.say("x");
}

constexpr std::array kTable = {
    Kind{"press", 14, 3, press_any},
    Kind{"type", 6, 2, type_any},
    Kind{"click", 24, 4, [](World& world, std::uint32_t number) { click(world, world.mark(number)); }},
    Kind{"click at", 5, 3,
         [](World& world, std::uint32_t number) { world.must(world.stage().click_at(world.point(number))); }},
    Kind{"click other", 2, 0, click_other},
    Kind{"drag", 6, 0, drag},
    Kind{"drag at", 3, 0, drag_anywhere},
    Kind{"wheel", 4, 0, wheel},
    Kind{"search", 4, 1, search},

    Kind{"space", 8, 30, press_one<Key::space>},
    Kind{"page down", 6, 20, press_one<Key::page_down>},
    Kind{"page up", 3, 8, press_one<Key::page_up>},
    Kind{"stage", 3, 6, press_one<Key::p>},
    Kind{"edit", 2, 1, press_one<Key::f2>},
    Kind{"lesson", 5, 5, open_lesson},
    Kind{"answer", 6, 14, answer},
    Kind{"in lesson", 6, 10,
         [](World& world, std::uint32_t number) { click(world, world.mark(number, "lesson/")); }},

    Kind{"kernel", 3, 1, choose_kernel},
    Kind{"device", 2, 1, choose_device},
    Kind{"theme", 1, 1, press_one<Key::t>},
    Kind{"larger", 1, 1, press_one<Key::plus>},
    Kind{"smaller", 1, 1, press_one<Key::minus>},
    Kind{"resize", 2, 1, resize},
    Kind{"display", 1, 0, set_display},

    Kind{"spoil kernel", 2, 1,
         [](World& world, std::uint32_t number) { spoil(world, world.kernel_file(number / 8), number); }},
    Kind{"spoil lesson", 1, 2,
         [](World& world, std::uint32_t number) { spoil(world, world.lesson_file(number / 8), number); }},
    Kind{"restore", 2, 1,
         [](World& world, std::uint32_t) { world.restore_files(), world.frame().look_for_changes(); }},
    Kind{"drop", 2, 0, drop},

    Kind{"look", 2, 1, [](World& world, std::uint32_t) { world.frame().look_for_changes(); }},
    Kind{"wait", 4, 4, pass_time},
    Kind{"rest", 6, 8, [](World& world, std::uint32_t number) { world.rest(number % 20 / 10.0); }},
    Kind{"picture", 2, 2, [](World& world, std::uint32_t) { world.stage().picture(); }},

    Kind{"plant signal", 0, 0, [](World&, std::uint32_t) { std::raise(SIGSEGV); }},
    Kind{"plant exception", 0, 0, [](World&, std::uint32_t) { throw std::runtime_error("planted"); }},
    Kind{"plant hang", 0, 0, hang},
    Kind{"plant overrun", 0, 0, overrun},
    Kind{"plant where larger", 0, 0, die_if_larger},
};

}  // namespace

std::span<const Kind> kinds() { return kTable; }

}  // namespace warplens::app::monkey
