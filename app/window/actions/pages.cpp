#include "app/window/actions/pages.hpp"

#include <array>

#include "app/window/pages/compare/compare_page.hpp"
#include "app/window/pages/edit/edit_page.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/pages/live/live_page.hpp"
#include "app/window/pages/playground/playground_page.hpp"
#include "app/window/pages/program/program_page.hpp"
#include "app/window/pages/start/start_page.hpp"

namespace warplens::app {
namespace {

using Place = PageRow::Place;
using compat::Key;

constexpr std::array kRows = {
    PageRow{"live", "", Key::none, "Live", "", 60, Place::beside_run,
            [](const PageParts& parts, const Pages&) -> std::unique_ptr<WindowPage> {
              return std::make_unique<LivePage>(parts.model, parts.performance, parts.painter, parts.live);
            }},
    PageRow{"ladder", "", Key::none, "", "", 0, Place::none,
            [](const PageParts& parts, const Pages& made) -> std::unique_ptr<WindowPage> {
              return std::make_unique<LadderPage>(parts.model, parts.painter, made.get<LivePage>());
            }},
    PageRow{"edit", "Edit a kernel", Key::f2, "Edit", "Edit this kernel, or write one (F2)", 56, Place::right,
            [](const PageParts& parts, const Pages&) -> std::unique_ptr<WindowPage> {
              return std::make_unique<EditPage>(parts.model, parts.painter, parts.wake);
            }},
    PageRow{"compare", "Compare two steps", Key::c, "Compare", "Two steps side by side (C)", 84, Place::right,
            [](const PageParts& parts, const Pages&) -> std::unique_ptr<WindowPage> {
              return std::make_unique<ComparePage>(parts.model, parts.performance);
            }},
    PageRow{"playground", "Playground", Key::g, "Playground",
            "Type an index and see its sectors and banks (G)", 104, Place::none,
            [](const PageParts& parts, const Pages&) -> std::unique_ptr<WindowPage> {
              return std::make_unique<PlaygroundPage>(parts.model);
            }},
    PageRow{"program", "A program and its launches", Key::f3, "Program", "", 0, Place::none,
            [](const PageParts& parts, const Pages&) -> std::unique_ptr<WindowPage> {
              return std::make_unique<ProgramPage>(parts.model, parts.wake);
            }},
    PageRow{"start", "Start page with lessons, kernels and glossary", Key::none, "", "", 0, Place::none,
            [](const PageParts& parts, const Pages&) -> std::unique_ptr<WindowPage> {
              return std::make_unique<StartPage>(parts.model);
            }}};

}  // namespace

std::span<const PageRow> page_rows() { return kRows; }

Pages::Pages(const PageParts& parts) {
  for (const PageRow& row : kRows) pages_.push_back(row.make(parts, *this));
}

}  // namespace warplens::app
