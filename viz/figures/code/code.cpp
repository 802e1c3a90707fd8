#include "viz/figures/code/code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/catalog/front_matter.hpp"
#include "engine/ptx/print.hpp"
#include "engine/time/why/stalls_by_line.hpp"
#include "viz/figures/code/code_listing.hpp"
#include "viz/figures/code/machine_lines.hpp"
#include "viz/figures/time/time_words.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

// PTX this far from the marked instruction is not looked at: more than any figure shows.
constexpr std::uint32_t kReach = 160;

std::string short_number(std::uint64_t n) {
  if (n < 10'000) return grouped(n);
  return plot::si(static_cast<double>(n), 4, " ");
}
std::string number_or_nothing(std::uint64_t requests, std::uint64_t n) {
  return requests == 0 ? "" : short_number(n);
}

// Of lanes where some of them wait somewhere.
bool shows_lanes(const run::Run& run) { return run.lines.total.lane_efficiency() < 0.9995; }

std::vector<ListedColumn> source_columns(const run::Run& run) {
  std::vector<ListedColumn> all = {{"requests", 64, Token::dim},
                                   {"sectors", 64, Token::costly},
                                   {"wavefronts", 78, Token::first_warp},
                                   {"share", 60, Token::good}};
  if (shows_lanes(run)) all.push_back({"lanes", 56, Token::costly});
  return all;
}
const std::vector<ListedColumn>& ptx_columns() {
  static const std::vector<ListedColumn> all = {{"executed", 64, Token::dim},
                                                {"sectors, wavefronts", 132, Token::costly}};
  return all;
}

void add_counters(ListedLine& line, const report::LineRow& row) {
  const auto& [global, shared, local, mixed] = row.traffic;
  const auto requests = global.requests + shared.requests + local.requests + mixed.requests;
  line.cells = {number_or_nothing(requests, requests), number_or_nothing(global.requests, global.sectors),
                number_or_nothing(shared.requests, shared.wavefronts),
                row.executed == 0 ? "" : fmt::format("{:.1f} %", row.executed_share * 100)};
  line.shares = {0, row.sector_share, row.wavefront_share, row.executed_share};
  line.wastes = {false, global.sectors > global.ideal_sectors, shared.wavefronts > shared.ideal_wavefronts,
                 true};
}

// The bar is of those that wait.
void add_lanes(ListedLine& line, const report::LineRow& row) {
  line.cells.push_back(row.executed == 0 ? "" : plot::percent(row.lane_efficiency()));
  line.shares.push_back(1 - row.lane_efficiency());
  line.wastes.push_back(true);
}

std::vector<ListedLine> source_of(const run::Run& run, const CodeMark& mark) {
  std::map<int, const report::LineRow*> rows;
  for (const auto& row : run.lines.rows) rows[row.line] = &row;
  std::vector<ListedLine> listed;
  const run::Lines& lines = run.source_lines;
  const int through = mark.pc ? line_of(run, *mark.pc) : 0;
  for (std::size_t l = catalog::first_code_line(lines); l < lines.size(); ++l) {
    const int number = static_cast<int>(l) + 1;
    ListedLine line{.number = number, .id = fmt::format("line:{}", number), .text = std::string(lines[l])};
    line.marked = number == mark.line;
    line.linked = number == through;
    if (const auto row = rows.find(number); row != rows.end()) {
      add_counters(line, *row->second);
      if (shows_lanes(run)) add_lanes(line, *row->second);
    }
    listed.push_back(std::move(line));
  }
  return listed;
}

// Wavefronts of shared memory, and turns of the cache of constant memory, which has neither those nor sectors.
bool is_of_wavefronts(const emulator::InstructionCounters& counters) {
  return counters.space == ptx::Space::shared || counters.space == ptx::Space::constant;
}

std::string traffic_text(const emulator::InstructionCounters& counters) {
  if (counters.requests == 0) return "";
  return fmt::format("{} {}",
                     short_number(is_of_wavefronts(counters) ? counters.wavefronts : counters.sectors),
                     counters.space == ptx::Space::constant ? "turns"
                     : counters.space == ptx::Space::shared ? "wavefronts"
                                                            : "sectors");
}

std::vector<ListedLine> ptx_of(const run::Run& run, const CodeMark& mark) {
  const ptx::Function& function = run.kernel->function();
  const auto count = static_cast<std::uint32_t>(function.code.size());
  const std::uint32_t middle = mark.pc.value_or(0);
  std::vector<ListedLine> listed;
  for (std::uint32_t pc = middle - std::min(middle, kReach); pc < std::min(count, middle + kReach); ++pc) {
    const int number = line_of(run, pc);
    ListedLine line{.number = number,
                    .id = fmt::format("pc:{}", pc),
                    .text = ptx::print(function.code[pc], function, run.kernel->program()),
                    .linked = mark.line != 0 && (number == mark.line || kernel_line_of(run, pc) == mark.line),
                    .marked = mark.pc == pc};
    const auto& counters = run.emulation.outcome.counters.instructions[pc];
    line.cells = {counters.executed == 0 ? "" : short_number(counters.executed), traffic_text(counters)};
    const auto& all = run.lines.total.traffic;
    const bool shared = counters.space == ptx::Space::shared;
    const double whole = static_cast<double>(shared ? all.shared.wavefronts : all.global.sectors);
    line.shares = {
        0, whole > 0 ? static_cast<double>(shared ? counters.wavefronts : counters.sectors) / whole : 0};
    line.wastes = {false, is_of_wavefronts(counters) ? counters.wavefronts > counters.ideal_wavefronts
                                                     : counters.sectors > counters.ideal_sectors};
    listed.push_back(std::move(line));
  }
  return listed;
}

std::string traffic_text(const sass::Row& row) {
  if (row.sectors > 0) return short_number(static_cast<std::uint64_t>(row.sectors + 0.5)) + " sectors";
  if (row.wavefronts > 0)
    return short_number(static_cast<std::uint64_t>(row.wavefronts + 0.5)) + " wavefronts";
  return "";
}

std::vector<ListedLine> machine_of(const run::Run& run, const sass::Listing& machine, const CodeMark& mark) {
  const auto& all = run.lines.total.traffic;
  const auto share = [](double part, std::uint64_t whole) {
    return whole > 0 ? part / static_cast<double>(whole) : 0;
  };
  std::vector<ListedLine> listed;
  for (std::size_t i = 0; i < machine.rows.size(); ++i) {
    const sass::Row& row = machine.rows[i];
    ListedLine line = machine_line(machine, i, {});
    line.linked = mark.line != 0 && (row.line == mark.line || row.kernel_line == mark.line);
    line.marked = mark.pc && row.is_access && row.pc == sass::leader_of(run, static_cast<int>(*mark.pc));
    line.cells.push_back(row.executed > 0 ? short_number(static_cast<std::uint64_t>(row.executed + 0.5))
                                          : "");
    line.cells.push_back(traffic_text(row));
    line.shares.push_back(0);
    line.shares.push_back(share(row.sectors, all.global.sectors) +
                          share(row.wavefronts, all.shared.wavefronts));
    listed.push_back(std::move(line));
  }
  return listed;
}

std::string scope_text(const run::Run& run) {
  if (run.report.sampled_blocks)
    return fmt::format("Counts of {} sampled blocks of {}", grouped(*run.report.sampled_blocks),
                       grouped(run.emulation.blocks_in_grid));
  return fmt::format("Counts of all {}", counted(run.emulation.blocks_in_grid, "block"));
}

struct Panels {
  Rect source;
  std::optional<Rect> ptx;
  bool beside = false;
};
// source: its share of the width, where the two stand beside each other.
Panels panels_of(const Rect& area, double source) {
  constexpr double head = 64, gap = 28;
  const Rect body{area.x, area.y + head, area.width, area.height - head};
  if (area.width >= 900) {
    const double left = std::floor((body.width - gap) * source);
    return {{body.x, body.y, left, body.height},
            Rect{body.x + left + gap, body.y, body.width - left - gap, body.height},
            true};
  }
  if (area.height < 640) return {body, std::nullopt};
  const double upper = std::floor(body.height * 0.55);
  const double lower = body.y + upper + 48;
  return {{body.x, body.y, body.width, upper}, Rect{body.x, lower, body.width, body.bottom() - lower}};
}

// A listing in a panel: in the largest type in which all of it is seen, or the part around the marked row.
class Excerpt {
 public:
  Excerpt(const std::vector<ListedLine>& lines, const std::vector<ListedColumn>& columns, const Rect& panel,
          const scene::TextMeasure& measure)
      : Excerpt(panel, fitting(lines, columns, panel, measure)) {}
  // In this type, and of whole lines only.
  Excerpt(const std::vector<ListedLine>& lines, const std::vector<ListedColumn>& columns, const Rect& panel,
          double type, const scene::TextMeasure& measure)
      : Excerpt(panel, Listing(lines, columns, panel.width, type, measure, theme::metric::kCaption)) {
    while (first_ > 0 && first_ + 1 < end_ && is_within_line(first_)) ++first_;
    while (end_ < listing_.size() && end_ > first_ + 1 && is_within_line(end_)) --end_;
    panel_.height = 2 * kPadding + static_cast<double>(end_ - first_) * listing_.step();
  }
  Excerpt(const Rect& panel, Listing listing) : panel_(panel), listing_(std::move(listing)) {
    const auto room = static_cast<std::size_t>((panel.height - 2 * kPadding) / listing_.step());
    const std::size_t visible = std::min(std::max<std::size_t>(room, 1), listing_.size());
    const std::size_t marked = listing_.marked_row();
    const std::size_t wanted = marked == listing_.size() ? 0 : marked - std::min(marked, visible / 3);
    first_ = std::min(wanted, listing_.size() - visible);
    end_ = first_ + visible;
  }

  void draw(Group& group, const scene::TextMeasure& measure) const {
    group.rect(panel_, {.fill = Token::panel, .stroke = scene::Stroke{Token::line}}, theme::metric::kCorner);
    listing_.draw_titles(group, {panel_.x, panel_.y - 8});
    listing_.draw(group, {panel_.x, panel_.y + kPadding}, first_, end_, measure);
  }
  double bottom() const { return panel_.bottom(); }
  std::string caption(std::string what) const {
    if (first_ == 0 && end_ == listing_.size()) return what;
    return fmt::format("{}, {} {} to {}", what, listing_.line_at(first_).label.empty() ? "lines" : "from",
                       name_of(first_), name_of(end_ - 1));
  }
  // Top and bottom of each run of neighbouring rows that are marked, or linked too.
  std::vector<std::pair<double, double>> runs(bool with_linked) const {
    std::vector<std::pair<double, double>> found;
    bool inside = false;
    for (std::size_t row = first_; row < end_; ++row) {
      const ListedLine& line = listing_.line_at(row);
      const double top = panel_.y + kPadding + static_cast<double>(row - first_) * listing_.step();
      const bool counts = line.marked || (line.linked && with_linked);
      if (counts && !inside) found.emplace_back(top, top);
      if (counts) found.back().second = top + listing_.step();
      inside = counts;
    }
    return found;
  }

 private:
  static constexpr double kPadding = 10;
  static Listing fitting(const std::vector<ListedLine>& lines, const std::vector<ListedColumn>& columns,
                         const Rect& panel, const scene::TextMeasure& measure) {
    for (const double type : {14.0, 13.0, 12.0, 11.0}) {
      Listing listing(lines, columns, panel.width, type, measure);
      if (static_cast<double>(listing.size()) * listing.step() <= panel.height - 2 * kPadding) return listing;
    }
    return {lines, columns, panel.width, 12, measure};
  }

  bool is_within_line(std::size_t row) const { return &listing_.line_at(row) == &listing_.line_at(row - 1); }
  std::string name_of(std::size_t row) const {
    const ListedLine& line = listing_.line_at(row);
    return line.label.empty() ? std::to_string(line.number) : line.label;
  }

  Rect panel_;
  Listing listing_;
  std::size_t first_ = 0, end_ = 0;
};

// Of the columns beside source the one with this title; none where there is none.
void leave_only(std::vector<ListedLine>& lines, std::vector<ListedColumn>& columns, std::string_view title) {
  const auto found = std::ranges::find(columns, title, &ListedColumn::title);
  const auto at = static_cast<std::size_t>(found - columns.begin());
  columns = found == columns.end() ? std::vector<ListedColumn>() : std::vector{*found};
  for (ListedLine& line : lines) {
    const bool has = !columns.empty() && at < line.cells.size();
    line.cells = has ? std::vector{line.cells[at]} : std::vector<std::string>();
    line.shares = has ? std::vector{line.shares[at]} : std::vector<double>();
    line.wastes = has && at < line.wastes.size() ? std::vector<bool>{line.wastes[at]} : std::vector<bool>();
  }
}

// The share of the warps' time that goes by at each line, by the model.
void add_times(std::vector<ListedLine>& lines, std::vector<ListedColumn>& columns,
               const time::Prediction& prediction) {
  columns.push_back({std::string(kTimeColumn), 92, Token::costly});
  std::map<int, double> shares;
  for (const time::LineStalls& line : time::stalls_by_line(prediction)) shares[line.line] = line.share;
  for (ListedLine& line : lines) {
    const auto found = shares.find(line.number);
    const double share = found == shares.end() ? 0 : found->second;
    line.cells.resize(columns.size()), line.shares.resize(columns.size());
    line.wastes.resize(columns.size(), true);
    if (share >= 0.0005) line.cells.back() = share_text(share), line.shares.back() = share;
  }
}

// How often warps executed each line: a class counts with it, while a share is of what nobody has said.
void add_executed(std::vector<ListedLine>& lines, std::vector<ListedColumn>& columns, const run::Run& run) {
  columns.push_back({std::string(kExecutedColumn), 98, Token::dim});
  std::map<int, const report::LineRow*> rows;
  for (const auto& row : run.lines.rows) rows[row.line] = &row;
  for (ListedLine& line : lines) {
    const auto found = rows.find(line.number);
    line.cells.resize(columns.size()), line.shares.resize(columns.size()), line.wastes.resize(columns.size());
    if (found == rows.end() || found->second->executed == 0) continue;
    line.cells.back() = short_number(found->second->executed);
    line.shares.back() = found->second->executed_share;
  }
}

constexpr double kClassType = 14;

// For a class: in a type that it reads, from a whole line to a whole line around the marked one, and of the
// counts the one that is asked for. with_ptx: what the source became stands below it.
scene::Scene code_for_a_class(const run::Run& run, const CodeMark& mark, const Subject& subject,
                              scene::Size size, const scene::TextMeasure& measure) {
  constexpr double type = kClassType, gap = 12, source_share = 0.5;
  scene::Scene scene{size};
  auto lines = source_of(run, mark);
  auto columns = source_columns(run);
  if (subject.counter == kTimeColumn && subject.known.schedule != nullptr && *subject.known.schedule)
    add_times(lines, columns, (*subject.known.schedule)->prediction);
  if (subject.counter == kExecutedColumn) add_executed(lines, columns, run);
  leave_only(lines, columns, subject.counter);
  while (!lines.empty() && lines.back().text.find_first_not_of(' ') == std::string::npos) lines.pop_back();
  const double head = columns.empty() ? 1 : 26, whole = size.height - head - 1;
  const Rect panel{1, head, size.width - 2, subject.with_ptx ? std::floor(whole * source_share) : whole};
  const Excerpt source(lines, columns, panel, type, measure);
  source.draw(scene.root, measure);
  if (!subject.with_ptx) return scene;
  auto ptx = ptx_of(run, completed(run, mark));
  for (ListedLine& line : ptx) line.cells.clear(), line.shares.clear();
  const double top = source.bottom() + gap;
  Excerpt(ptx, {}, {1, top, size.width - 2, size.height - top - 1}, type, measure).draw(scene.root, measure);
  return scene;
}

std::vector<ListedColumn> columns_of_machine() {
  auto columns = machine_columns({});
  columns.push_back({"executed", 62, Token::dim});
  columns.push_back({"sectors, wavefronts", 146, Token::costly});
  return columns;
}

std::string code_caption(const run::Run& run, const sass::Listing* machine, const Excerpt& code) {
  if (machine == nullptr)
    return fmt::format("PTX by source line, {}", counted(run.kernel->function().code.size(), "instruction"));
  const std::string note = machine_note(*machine);
  return code.caption("Machine code of " + machine_caption(*machine)) + (note.empty() ? "" : "; " + note);
}

// From the marked line to each run of its instructions.
void draw_links(Group& group, const Excerpt& source, const Excerpt& ptx, const Panels& panels) {
  for (const auto& [top, bottom] : source.runs(false))
    for (const auto& [first, last] : ptx.runs(true)) {
      const double left = panels.source.right(), right = panels.ptx->x;
      group.polygon({{left, top}, {right, first}, {right, last}, {left, bottom}},
                    {.fill = Color{Token::accent, 0.14}});
    }
}

}  // namespace

CodeMark completed(const run::Run& run, CodeMark mark) {
  if (mark.line == 0 && mark.pc) mark.line = kernel_line_of(run, *mark.pc);
  if (mark.line == 0 || mark.pc) return mark;
  // The instruction that accesses memory most, else the one executed most.
  const auto weight = [&](std::uint32_t pc) {
    const auto& counters = run.emulation.outcome.counters.instructions[pc];
    return std::pair{counters.requests, counters.executed};
  };
  const auto count = static_cast<std::uint32_t>(run.kernel->function().code.size());
  for (std::uint32_t pc = 0; pc < count; ++pc)
    if (line_of(run, pc) == mark.line || kernel_line_of(run, pc) == mark.line)
      if (!mark.pc || weight(*mark.pc) < weight(pc)) mark.pc = pc;
  return mark;
}

namespace {

// Larger where each line has a row of its own then, and all of them are seen.
double class_type(const std::vector<ListedLine>& lines, const Rect& panel,
                  const scene::TextMeasure& measure) {
  for (const double type : {20.0, 17.0}) {
    const Listing all(lines, {}, panel.width, type, measure);
    if (all.size() == lines.size() && static_cast<double>(all.size() + 1) * all.step() <= panel.height)
      return type;
  }
  return kClassType;
}

}  // namespace

scene::Scene text_for_a_class(const std::vector<ListedLine>& lines, scene::Size size,
                              const scene::TextMeasure& measure) {
  const Rect panel{1, 1, size.width - 2, size.height - 2};
  const Excerpt text(lines, {}, panel, class_type(lines, panel, measure), measure);
  scene::Scene scene{{size.width, text.bottom() + 1}};
  text.draw(scene.root, measure);
  return scene;
}

scene::Scene code_scene(const run::Run& run, CodeMark mark, scene::Size size,
                        const scene::TextMeasure& measure, const sass::Listing* machine) {
  scene::Scene scene{size};
  Group& root = scene.root;
  mark = completed(run, mark);
  const Rect area{kMargin, kMargin, size.width - 2 * kMargin, size.height - 2 * kMargin};
  const Panels panels = panels_of(area, machine == nullptr ? 0.55 : 0.38);
  root.text({area.x, area.y + 18}, run.plan().spec.title, within(sized(heading(), 17), area.width));
  auto lines = source_of(run, mark);
  auto columns = source_columns(run);
  if (machine != nullptr) leave_only(lines, columns, "share");  // machine code needs the room
  const Excerpt source(lines, columns, panels.source, measure);
  root.text({area.x, area.y + 42}, source.caption(scope_text(run)), within(caption(), panels.source.width));
  source.draw(root, measure);
  if (!panels.ptx) return scene;
  const Excerpt code = machine == nullptr ? Excerpt(ptx_of(run, mark), ptx_columns(), *panels.ptx, measure)
                                          : Excerpt(machine_of(run, *machine, mark), columns_of_machine(),
                                                    *panels.ptx, measure);
  root.text({panels.ptx->x, panels.ptx->y - 22}, code_caption(run, machine, code),
            within(caption(), panels.ptx->width));
  code.draw(root, measure);
  if (panels.beside) draw_links(root, source, code, panels);
  return scene;
}

std::string code_csv(const run::Run& run) {
  std::string text =
      "line,executed,share,global_requests,sectors,shared_requests,wavefronts,source,lane_efficiency\n";
  for (const auto& row : run.lines.rows)
    text += fmt::format("{},{},{:.6f},{},{},{},{},{},{:.6f}\n", row.line, row.executed, row.executed_share,
                        row.traffic.global.requests, row.traffic.global.sectors, row.traffic.shared.requests,
                        row.traffic.shared.wavefronts, csv_cell(source_line(run.plan().spec, row.line)),
                        row.lane_efficiency());
  return text;
}

std::string machine_csv(const sass::Listing& machine) {
  std::string text =
      "address,line,stall,yield,write_barrier,read_barrier,waits,live_registers,executed,sectors,wavefronts,"
      "text\n";
  for (const sass::Row& row : machine.rows)
    text +=
        fmt::format("{:#x},{},{},{},{},{},{},{},{:.0f},{:.0f},{:.0f},{}\n", row.address, row.line, row.stall,
                    row.yields ? 1 : 0, row.write_barrier, row.read_barrier, sass::barriers_text(row.waits),
                    row.live_registers, row.executed, row.sectors, row.wavefronts, csv_cell(row.text));
  return text;
}

Result<scene::Scene> draw_code(const Subject& subject, scene::Size size, const scene::TextMeasure& measure) {
  const auto access =
      story_at(*subject.run, subject.place).accesses().at(subject.place.warp, subject.place.access);
  CodeMark mark = access ? CodeMark{.pc = access->pc} : CodeMark{};
  if (subject.place.line > 0) mark = {.line = subject.place.line};
  const auto* machine = subject.known.listing.get();
  if (is_sparse(subject.look) && machine == nullptr) {
    if (subject.place.line == 0) mark = completed(*subject.run, mark);
    return code_for_a_class(*subject.run, mark, subject, size, measure);
  }
  if (machine != nullptr && !*machine) return machine->error();
  return code_scene(*subject.run, mark, size, measure, machine == nullptr ? nullptr : &**machine);
}

Result<std::string> code_table(const Subject& subject) {
  const auto* machine = subject.known.listing.get();
  if (machine == nullptr) return code_csv(*subject.run);
  if (!*machine) return machine->error();
  return machine_csv(**machine);
}

}  // namespace warplens::figures
