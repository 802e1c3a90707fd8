#include "app/window/model/pointed.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

#include "app/window/model/model.hpp"
#include "app/window/model/pointed_view.hpp"
#include "engine/report/pieces.hpp"

namespace warplens::app {
namespace {

// Accesses of a block that are looked through for one cell; a pointer must not wait.
constexpr std::size_t kMostSearched = 20'000;

// The access that is shown, taken apart.
struct Shown {
  const run::Run& run;
  const report::AccessStory& story;
  trace::Access access;
  report::AccessPieces pieces;
};

const report::AccessStory* story_of(const PointedView& view) {
  if (view.run == nullptr || view.block >= view.run->stories.size()) return nullptr;
  const report::AccessStory& story = *view.run->stories[view.block];
  return story.accesses().warps() == 0 ? nullptr : &story;
}

std::optional<Shown> shown_access(const PointedView& view) {
  const report::AccessStory* story = story_of(view);
  const auto access = story == nullptr
                          ? std::nullopt
                          : story->accesses().at(view.selection.warp, view.selection.shown_step());
  if (!access) return std::nullopt;
  return Shown{
      *view.run, *story, *access,
      report::access_pieces(*access, view.run->kernel->function().code[access->pc], view.run->device())};
}

bool is_of(const report::Face& face, ptx::Space space) {
  return space != ptx::Space::local && face.is_shared == (space == ptx::Space::shared) && !face.is_unused;
}

// The cells that hold bytes from `first` up to `end`.
void add_cells(Pointed& pointed, const Shown& shown, std::uint64_t first, std::uint64_t end) {
  for (const report::Face& face : shown.story.faces()) {
    if (!is_of(face, shown.access.space)) continue;
    for (std::uint64_t byte = first; byte < end; byte += face.element_bytes) {
      const auto element = report::element_of(face, byte);
      if (!element) continue;
      const report::Cell cell = report::cell_of(face, *element);
      const figures::CellId id{face.name, cell.row, cell.column};
      if (std::ranges::find(pointed.cells, id) == pointed.cells.end()) pointed.cells.push_back(id);
    }
  }
}

void add_place(Pointed& pointed, const run::Run& run, std::uint32_t pc) {
  pointed.pc = pc;
  pointed.line = run.instructions[pc].line, pointed.calling_line = run.kernel_lines[pc];
}

// What serves these lanes.
void add_lanes(Pointed& pointed, const Shown& shown, std::uint32_t lanes) {
  pointed.lanes = lanes & shown.access.active;
  for (const auto& sector : shown.pieces.global.sectors)
    if (!shown.pieces.is_shared && (sector.lanes & lanes) != 0) pointed.sectors.push_back(sector.id);
  for (const auto& wavefront : shown.pieces.shared.wavefronts)
    for (const auto& word : wavefront.words)
      if ((word.lanes & lanes) != 0) pointed.banks |= std::uint64_t{1} << word.bank;
}

void add_cells_of(Pointed& pointed, const Shown& shown, std::uint32_t lanes) {
  for (std::uint32_t left = lanes & shown.access.active; left != 0; left &= left - 1) {
    const std::uint64_t first = shown.access.address[static_cast<std::size_t>(std::countr_zero(left))];
    add_cells(pointed, shown, first, first + std::max<std::uint64_t>(shown.access.width, 1));
  }
}

void point_at_lanes(Pointed& pointed, const Shown& shown, std::uint32_t lanes) {
  if ((lanes & shown.access.active) == 0) return;
  add_lanes(pointed, shown, lanes);
  add_cells_of(pointed, shown, lanes);
  add_place(pointed, shown.run, shown.access.pc);
}

// With all that it brings, asked for or not.
void point_at_sector(Pointed& pointed, const Shown& shown, std::uint64_t id) {
  if (shown.pieces.is_shared) return;
  add_cells(pointed, shown, id * 32, id * 32 + 32);
  for (const auto& sector : shown.pieces.global.sectors)
    if (sector.id == id) pointed.lanes = sector.lanes;
  pointed.sectors = {id};
  add_place(pointed, shown.run, shown.access.pc);
}

void point_at_bank(Pointed& pointed, const Shown& shown, int bank) {
  if (!shown.pieces.is_shared || bank < 0 || bank >= 64) return;
  for (const auto& wavefront : shown.pieces.shared.wavefronts)
    for (const auto& word : wavefront.words) {
      if (word.bank != bank) continue;
      pointed.lanes |= word.lanes;
      add_cells(pointed, shown, word.word * 4, word.word * 4 + 4);
    }
  pointed.banks = std::uint64_t{1} << bank;
  add_place(pointed, shown.run, shown.access.pc);
}

// Where the shown access does not touch it: the line of the one that does.
void point_at_user(Pointed& pointed, const PointedView& view, const figures::CellId& cell) {
  const report::BlockAccesses& accesses = story_of(view)->accesses();
  if (accesses.of_warp(0).size() * accesses.warps() > kMostSearched) return;
  const Selection& now = view.selection;
  const auto user = figures::touching(*view.run, {view.block, now.warp, now.lane, now.shown_step()}, cell);
  if (user) add_place(pointed, *view.run, accesses.at(user->warp, user->access)->pc);
}

void point_at_cell(Pointed& pointed, const PointedView& view, const Shown& shown,
                   const figures::CellId& cell) {
  const auto& faces = shown.story.faces();
  const auto face = std::ranges::find(faces, cell.name, &report::Face::name);
  const auto element =
      face == faces.end() ? std::nullopt : report::element_at(*face, {cell.row, cell.column});
  if (!element) return;
  const std::uint64_t first = face->address + *element * face->element_bytes,
                      end = first + face->element_bytes;
  pointed.cells = {cell};
  std::uint32_t lanes = 0;
  for (std::uint32_t left = is_of(*face, shown.access.space) ? shown.access.active : 0; left != 0;
       left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    if (shown.access.address[lane] < end && shown.access.address[lane] + shown.access.width > first)
      lanes |= 1u << lane;
  }
  // Of wide accesses only what this cell itself lies in.
  pointed.lanes = lanes;
  if (face->is_shared)
    pointed.banks =
        std::uint64_t{1} << first / 4 % static_cast<std::uint64_t>(shown.run.device().shared_banks);
  else
    pointed.sectors = {first / 32};
  if (lanes != 0)
    add_place(pointed, shown.run, shown.access.pc);
  else
    point_at_user(pointed, view, cell);
}

// The cells that the line's next access touches, which a click on the line goes to; all of the shown access
// where that is of this line.
void point_at_line(Pointed& pointed, const PointedView& view, const Shown& shown, int line,
                   std::optional<std::uint32_t> pc) {
  const auto is_there = [&](std::uint32_t at) {
    return pc ? at == *pc : shown.run.instructions[at].line == line || shown.run.kernel_lines[at] == line;
  };
  pointed.line = line, pointed.pc = pc;
  if (pc) pointed.calling_line = shown.run.kernel_lines[*pc];
  if (is_there(shown.access.pc)) {
    add_lanes(pointed, shown, shown.access.active);
    return add_cells_of(pointed, shown, shown.access.active);
  }
  const auto events = shown.story.accesses().of_warp(view.selection.warp);
  const std::size_t count = std::min(events.size(), kMostSearched);
  for (std::size_t i = 1; i < count; ++i) {
    const std::size_t at = (view.selection.shown_step() + i) % events.size();
    const std::uint32_t here = shown.run.trace->pc(view.block, events[at]);
    if (here >= shown.run.instructions.size() || !is_there(here)) continue;
    const Shown next{shown.run, shown.story, shown.run.trace->access(view.block, events[at]), {}};
    return add_cells_of(pointed, next, next.access.active);
  }
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

void point_at_numbered(Pointed& pointed, const PointedView& view, const Shown& shown, std::string_view kind,
                       std::uint64_t number) {
  if (kind == "lane" && number < 32) point_at_lanes(pointed, shown, 1u << number);
  if (kind == "sector") point_at_sector(pointed, shown, number);
  if (kind == "bank" && number < 64) point_at_bank(pointed, shown, static_cast<int>(number));
  if (kind == "line") point_at_line(pointed, view, shown, static_cast<int>(number), std::nullopt);
  if (kind != "ptx" || number < 1 || number > shown.run.row_of_ptx_line.size()) return;
  const std::int32_t pc = shown.run.row_of_ptx_line[number - 1];
  if (pc < 0) return;
  const auto at = static_cast<std::uint32_t>(pc);
  point_at_line(pointed, view, shown, shown.run.instructions[at].line, at);
}

}  // namespace

bool Pointed::has(std::string_view item) const {
  if (id.empty()) return false;
  const std::size_t colon = item.find(':');
  const auto number = colon == std::string_view::npos ? std::nullopt : number_in(item.substr(colon + 1));
  if (!number) return false;
  const std::string_view kind = item.substr(0, colon);
  if (kind == "lane") return *number < 32 && (lanes >> *number & 1) != 0;
  if (kind == "sector") return std::ranges::find(sectors, *number) != sectors.end();
  if (kind == "bank") return *number < 64 && (banks >> *number & 1) != 0;
  return kind == "line" && has_line(static_cast<int>(*number));
}

Pointed pointed_at(const PointedView& view, std::string_view id) {
  Pointed pointed{.id = std::string(id)};
  const auto shown = shown_access(view);
  if (!shown) return {};
  const std::size_t colon = id.find(':');
  if (const auto cell = figures::parse_cell(id))
    point_at_cell(pointed, view, *shown, *cell);
  else if (const auto number =
               colon == std::string_view::npos ? std::nullopt : number_in(id.substr(colon + 1)))
    point_at_numbered(pointed, view, *shown, id.substr(0, colon), *number);
  Pointed nothing{.id = pointed.id};
  return pointed == nothing ? Pointed{} : pointed;
}

Pointed pointed_at(const Model& model, std::string_view id) {
  if (!model.is_current()) return {};
  Selection selection = model.state.selection;
  selection.step = model.shown_access();
  return pointed_at(PointedView{model.run(), model.trace_block(), selection}, id);
}

bool Pointing::end_frame(const Model& model) {
  Key key{std::exchange(next_, {}), nullptr, {}, {}};
  if (!key.id.empty())
    key.run = model.shared_run(), key.selection = model.state.selection, key.figure = model.state.view.figure;
  if (key == key_) return false;
  key_ = std::move(key);
  Pointed now = key_.id.empty() ? Pointed{} : pointed_at(model, key_.id);
  return std::exchange(now_, now) != now;
}

}  // namespace warplens::app
