#include "viz/figures/tensor/swizzle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/text.hpp"
#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/doubt.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/tensor/swizzle_layout.hpp"

namespace warplens::figures {
namespace {

// ---- the pictures

struct SwizzleLayout {
  std::vector<Rect> grids;  // of each layout: eight rows of eight groups
  double bars = 0;          // height below a grid
  Rect formula, descriptor, strip;
};

struct SwizzleDrawn {
  const Subject& subject;
  const ChunkTile& tile;
  SwizzleLayout layout;
  explain::Explanation said;
};

constexpr double kHead = 44, kRowNames = 58, kNote = 22;

double bars_height(Look look) { return is_large(look) ? 54 : 46; }
double descriptor_height(const ChunkTile& tile, Look look) {
  return tile.descriptor && !is_brief(look) ? 118 : 0;
}

SwizzleDrawn drawn_in(const Subject& subject, const ChunkTile& tile, scene::Size size,
                      const scene::TextMeasure& measure) {
  SwizzleDrawn drawn{subject, tile, {}, {}};
  const Look look = subject.look;
  const Rect area = is_brief(look) ? Rect{12, 8, size.width - 24, size.height - 16} : inner_area(size);
  if (has_words(look)) drawn.said = explain::without_praise(swizzle_words(subject), *subject.run);
  const double strip = explanation_height(drawn.said, {}, area.width, measure);
  drawn.layout.strip = {area.x, area.bottom() - strip, area.width, strip};
  double bottom = area.bottom() - (strip > 0 ? strip + 8 : 0);
  const double descriptor = descriptor_height(tile, look);
  drawn.layout.descriptor = {area.x, bottom - descriptor, area.width, descriptor};
  bottom -= descriptor;
  const double formula = is_brief(look) ? 0 : 44;
  drawn.layout.formula = {area.x, bottom - formula, area.width, formula};
  bottom -= formula;
  drawn.layout.bars = bars_height(look);
  const double top = area.y + (is_brief(look) ? 0 : 40) + kHead, gap = 18;
  const auto count = static_cast<double>(tile.layouts.size());
  const double width = (area.width - kRowNames - (count - 1) * gap) / count;
  const double height = std::max(bottom - top - drawn.layout.bars - kNote - 6, 60.0);
  for (std::size_t l = 0; l < tile.layouts.size(); ++l)
    drawn.layout.grids.push_back(
        {area.x + kRowNames + static_cast<double>(l) * (width + gap), top, width, height});
  return drawn;
}

Rect chunk_rect(const Rect& grid, int row, std::uint32_t address) {
  const double width = grid.width / kBankGroups, height = grid.height / kChunkRows;
  return {grid.x + group_of(address) * width, grid.y + row * height, width, height};
}

void add_chunks(Group& group, const SwizzleDrawn& drawn, std::size_t l, const scene::TextMeasure& measure) {
  const ChunkTile& tile = drawn.tile;
  const ChunkLayout& layout = tile.layouts[l];
  const Rect& grid = drawn.layout.grids[l];
  group.rect(grid, {.fill = Token::raised, .stroke = scene::Stroke{edge(), 1}});
  const TextStyle type = centred_code(std::min(14.0, grid.height / kChunkRows * 0.62), Token::text);
  for (int row = 0; row < kChunkRows; ++row)
    for (int chunk = 0; chunk < tile.chunks; ++chunk) {
      const Rect at =
          chunk_rect(grid, row, layout.address[static_cast<std::size_t>(row * tile.chunks + chunk)]);
      const bool is_walked = chunk == tile.chunk;
      group.rect(at.inset(0.75),
                 {.fill = is_walked ? Color{Token::first_warp} : Color{theme::series(chunk), 0.16}}, 2);
      const std::string text = std::to_string(tile.tile.first_along + chunk * tile.per_chunk);
      TextStyle style = type;
      if (is_walked) style.color = Token::background, style.weight = scene::Weight::bold;
      if (measure.width(text, style) < at.width - 3)
        group.text({at.x + at.width / 2, at.y + at.height / 2}, text, style);
    }
  const Rect own = chunk_rect(grid, tile.row,
                              layout.address[static_cast<std::size_t>(tile.row * tile.chunks + tile.chunk)]);
  group.rect(own.inset(1), {.fill = Token::first_thread}, 2);
  TextStyle style = type;
  style.color = Token::background, style.weight = scene::Weight::bold;
  const std::string text = std::to_string(tile.tile.first_along + tile.chunk * tile.per_chunk);
  if (measure.width(text, style) < own.width - 3)
    group.text({own.x + own.width / 2, own.y + own.height / 2}, text, style);
}

std::string times_words(int wavefronts) {
  return counted(static_cast<std::uint64_t>(wavefronts), "wavefront");
}

// How many chunks of the walked column each group of banks has.
void add_bars(Group& group, const SwizzleDrawn& drawn, std::size_t l) {
  const Rect& grid = drawn.layout.grids[l];
  const ChunkLayout& layout = drawn.tile.layouts[l];
  const auto column = column_of(layout, drawn.tile);
  std::array<int, kBankGroups> count{};
  for (const std::uint32_t address : column) ++count[static_cast<std::size_t>(group_of(address))];
  const int wavefronts = wavefronts_of(column);
  const double width = grid.width / kBankGroups, room = drawn.layout.bars - 6,
               base = grid.bottom() + 4 + room;
  for (int g = 0; g < kBankGroups; ++g) {
    const double height = room * count[static_cast<std::size_t>(g)] / kChunkRows;
    const Rect bar{grid.x + g * width + 3, base - height, width - 6, height};
    if (height > 0)
      group.rect(bar, {.fill = wavefronts > 1 ? Color{Token::costly} : Color{Token::good}}, 1.5);
  }
  group.line({grid.x, base}, {grid.right(), base}, {edge(), 1});
  const bool brief = is_brief(drawn.subject.look);
  group.text({grid.x, base + 17},
             brief ? times_words(wavefronts)
                   : fmt::format("Column: {}. Row: {}", times_words(wavefronts),
                                 wavefronts_of(row_of(layout, drawn.tile))),
             within(sized(body(wavefronts > 1 ? Token::costly : Token::good),
                          is_large(drawn.subject.look) ? 16 : 13),
                    grid.width));
}

void add_heads(Group& group, const SwizzleDrawn& drawn, const scene::TextMeasure& measure) {
  const ChunkTile& tile = drawn.tile;
  const Look look = drawn.subject.look;
  const TextStyle small = caption(is_large(look) ? Token::text : Token::dim);
  for (std::size_t l = 0; l < tile.layouts.size(); ++l) {
    const Rect& grid = drawn.layout.grids[l];
    const ChunkLayout& layout = tile.layouts[l];
    const bool brief = is_brief(look);
    std::string name = brief ? layout.brief : layout.name;
    if (layout.is_own) name += brief ? ": here" : ": this kernel";
    group.text({grid.x, grid.y - 26}, name,
               within(heading(layout.is_own ? Token::text : Token::dim), grid.width));
    const double width = grid.width / kBankGroups;
    const bool fits = measure.width("28–31", small) + 4 < width;
    for (int g = 0; g < kBankGroups; ++g)
      group.text({grid.x + (g + 0.5) * width, grid.y - 6},
                 fits ? fmt::format("{}–{}", 4 * g, 4 * g + 3) : std::to_string(4 * g), centred(small));
  }
  const Rect& first = drawn.layout.grids.front();
  group.text({first.x - 8, first.y - 6}, "Banks", at_end(small));
  for (int row = 0; row < kChunkRows; ++row) {
    const auto cell = cell_of_chunk(tile, row, 0, 0);
    if (!cell) continue;
    TextStyle style = row == tile.row ? caption(Token::text) : small;
    style.baseline = scene::Baseline::middle;
    if (row == tile.row) style.weight = scene::Weight::bold;
    const bool rows_are_rows = cell_of_chunk(tile, 0, 0, 1).value_or(*cell).column != cell->column;
    group.text({first.x - 8, first.y + (row + 0.5) * first.height / kChunkRows},
               rows_are_rows || row == 0
                   ? fmt::format("{}[{}]", cell->name, rows_are_rows ? cell->row : cell->column)
                   : fmt::format("{}[{}]", cell->name, cell->column),
               at_end(style));
  }
}

// 64 bits in two rows, the highest at the left, with what each field says.
void add_descriptor(Group& group, const SwizzleDrawn& drawn, const scene::TextMeasure& measure) {
  const Rect& room = drawn.layout.descriptor;
  const std::uint64_t bits = *drawn.tile.descriptor;
  group.text({room.x, room.y + 15},
             fmt::format("The matrix descriptor that wgmma is given for {}, 64 bits", drawn.tile.face.name),
             within(heading(), room.width));
  const double cell = room.width / 64, top = room.y + 24, height = 20;
  const auto x_of = [&](int bit) { return room.x + (63 - bit) * cell; };
  for (int bit = 0; bit < 64; ++bit) {
    const auto fields = tensor::descriptor_fields();
    const auto field =
        std::ranges::find_if(fields, [&](const auto& f) { return bit >= f.first_bit && bit <= f.last_bit; });
    const bool is_field = field != fields.end();
    const Rect box{x_of(bit) + 0.5, top, cell - 1, height};
    group.rect(box,
               {.fill = is_field ? Color{theme::series(static_cast<int>(field - fields.begin())), 0.3}
                                 : Color{Token::raised}},
               1);
    const double type = std::min(12.0, cell * 1.3);
    if (type >= 7)
      group.text({box.x + box.width / 2, top + height / 2}, (bits >> bit & 1) != 0 ? "1" : "0",
                 centred_code(type, is_field ? Token::text : Token::dim));
  }
  const TextStyle small = caption(Token::text);
  double y = top + height + 16, x = room.x;
  int place = 0;
  for (const tensor::DescriptorField& field : tensor::descriptor_fields()) {
    const std::uint64_t value = tensor::field_of(bits, field);
    const bool is_swizzle = &field == &tensor::descriptor_fields().back();
    const auto* row = std::ranges::find(tensor::kSwizzles, value, &tensor::SwizzleRow::in_descriptor);
    const std::string number = is_swizzle        ? fmt::format("{}, which is {}", value,
                                                        row != tensor::kSwizzles.end() ? row->name : "none")
                               : field.shift > 0 ? fmt::format("{} bytes, stored / 16", grouped(value))
                                                 : grouped(value);
    const std::string text =
        fmt::format("bits {} to {}  {}: {}", field.last_bit, field.first_bit, field.name, number);
    const double width = measure.width(text, small) + 34;
    if (x > room.x && x + width > room.right()) x = room.x, y += 19;
    group.rect({x, y - 10, 10, 10}, {.fill = theme::series(place)}, 2);
    group.text({x + 15, y}, text, within(small, room.right() - x - 15));
    x += width, ++place;
  }
}

// What the run counted of the instructions that read the tile.
std::string counted_words(const ChunkTile& tile) {
  const run::Run& run = tile.view.run();
  if (tile.is_output) {
    const auto& stored = run.instructions[tile.written_by].counters;
    return stored.requests == 0
               ? ""
               : fmt::format(
                     "Counted in this run at {}: {:.3g} wavefronts a stmatrix of {} matrices",
                     place_of(run, tile.written_by),
                     static_cast<double>(stored.wavefronts) / static_cast<double>(stored.requests),
                     std::max<std::size_t>(
                         run.kernel->function().code[tile.written_by].operands[1].elements.size(), 1));
  }
  const auto by = tile.view.read_by(
      own_layout(tile).address[static_cast<std::size_t>(tile.row * tile.chunks + tile.chunk)]);
  const std::uint32_t pc = by ? by->pc : tile.view.product().pc;
  const auto& counters = run.instructions[pc].counters;
  if (counters.requests == 0) return "";
  const std::string each = fmt::format(
      "{:.3g}", static_cast<double>(counters.wavefronts) / static_cast<double>(counters.requests));
  return by ? fmt::format(
                  "Counted in this run at {}: {} wavefronts a load of {} matrices", place_of(run, pc), each,
                  std::max<std::size_t>(run.kernel->function().code[pc].operands[0].elements.size(), 1))
            : fmt::format(
                  "Counted in this run at {}: {} wavefronts a warp and wgmma, its bytes / 128 in any layout",
                  place_of(run, pc), each);
}

void draw_all(Group& group, const SwizzleDrawn& drawn, const scene::TextMeasure& measure) {
  const ChunkTile& tile = drawn.tile;
  const bool brief = is_brief(drawn.subject.look);
  if (!brief)
    group.text({drawn.layout.formula.x, kMargin + 12},
               fmt::format("Eight rows of the tile of {} in the banks: a cell is 16 bytes, its number the {} "
                           "that it begins with",
                           tile.face.name, tile.is_output ? "column" : "k"),
               within(heading(), drawn.layout.formula.width)),
        group.text({drawn.layout.formula.x, kMargin + 33}, counted_words(tile),
                   within(caption(), drawn.layout.formula.width));
  add_heads(group, drawn, measure);
  for (std::size_t l = 0; l < tile.layouts.size(); ++l)
    add_chunks(group, drawn, l, measure), add_bars(group, drawn, l);
  if (brief) return;
  const auto formula = formula_of(tile);
  group.text({drawn.layout.formula.x, drawn.layout.formula.y + 18}, formula[0],
             within(body(), drawn.layout.formula.width));
  group.text({drawn.layout.formula.x, drawn.layout.formula.y + 37}, formula[1],
             within(body(Token::dim), drawn.layout.formula.width));
  if (drawn.layout.descriptor.height > 0) add_descriptor(group, drawn, measure);
}

constexpr const char* kNoTile = "no tile in shared memory is read as matrices of 8 × 8";

// Calls use(SwizzleDrawn) where there is a tile.
template <class Use>
auto with_tile(const Subject& subject, scene::Size size, const scene::TextMeasure& measure, Use use)
    -> decltype(use(std::declval<const SwizzleDrawn&>())) {
  const auto work = tensor_work(subject);
  if (!work) return work.error();
  const TensorView view(subject, **work);
  const auto tile = chunk_tile(view, !subject.element.empty());
  if (!tile) return Error{kNoTile, "choose a step that stages its tiles there, such as tensor/05_swizzle"};
  return use(drawn_in(subject, *tile, size, measure));
}

struct ChunkUnder {
  std::size_t layout = 0;
  int row = 0, chunk = 0;
  Rect rect;
};
std::optional<ChunkUnder> chunk_at(const SwizzleDrawn& drawn, Point point) {
  for (std::size_t l = 0; l < drawn.layout.grids.size(); ++l)
    for (int row = 0; row < kChunkRows; ++row)
      for (int chunk = 0; chunk < drawn.tile.chunks; ++chunk)
        if (const Rect at = chunk_rect(
                drawn.layout.grids[l], row,
                drawn.tile.layouts[l].address[static_cast<std::size_t>(row * drawn.tile.chunks + chunk)]);
            at.contains(point))
          return ChunkUnder{l, row, chunk, at};
  return std::nullopt;
}

}  // namespace

Result<scene::Scene> draw_swizzle(const Subject& subject, scene::Size size,
                                  const scene::TextMeasure& measure) {
  return with_tile(subject, size, measure, [&](const SwizzleDrawn& drawn) -> Result<scene::Scene> {
    scene::Scene scene{size};
    draw_all(scene.root, drawn, measure);
    if (drawn.layout.strip.height > 0)
      add_explanation(scene.root, drawn.layout.strip, drawn.said, {}, {}, measure, kOfPlot);
    return scene;
  });
}

std::optional<Pick> pick_in_swizzle(const Subject& subject, const scene::Scene& /*shown*/, scene::Size size,
                                    const scene::TextMeasure& measure, Point point) {
  std::optional<Pick> pick;
  (void)with_tile(subject, size, measure, [&](const SwizzleDrawn& drawn) -> Status {
    const auto under = chunk_at(drawn, point);
    if (!under) return Done{};
    const ChunkTile& tile = drawn.tile;
    const auto cell = cell_of_chunk(tile, under->row, under->chunk, tile.within);
    const std::uint32_t address =
        tile.layouts[under->layout]
            .address[static_cast<std::size_t>(under->row * tile.chunks + under->chunk)];
    if (cell)
      pick =
          Pick{cell_id(*cell),
               fmt::format("{} to {}: bytes {} to {}, banks {} to {}",
                           name_of_chunk(tile, under->row, under->chunk, 0),
                           name_of_chunk(tile, under->row, under->chunk, tile.per_chunk - 1),
                           grouped(std::uint64_t{address}), grouped(std::uint64_t{address + kChunkBytes - 1}),
                           address / 4 % 32, address / 4 % 32 + 3),
               under->rect};
    return Done{};
  });
  return pick;
}

std::vector<Rect> places_in_swizzle(const Subject& subject, const scene::Scene& /*shown*/, scene::Size size,
                                    const scene::TextMeasure& measure, std::span<const CellId> cells) {
  std::vector<Rect> places;
  (void)with_tile(subject, size, measure, [&](const SwizzleDrawn& drawn) -> Status {
    const ChunkTile& tile = drawn.tile;
    for (const CellId& cell : cells) {
      const auto element =
          cell.name == tile.face.name ? report::element_at(tile.face, {cell.row, cell.column}) : std::nullopt;
      if (!element) continue;
      const std::int64_t line = tile.view.line_of(tile.tile.buffer, *element) - tile.tile.first_line -
                                tile.first_row,
                         along = tile.view.along_of(tile.tile.buffer, *element) - tile.tile.first_along;
      if (line < 0 || line >= kChunkRows || along < 0 || along >= tile.tile.along) continue;
      for (std::size_t l = 0; l < tile.layouts.size(); ++l)
        places.push_back(chunk_rect(
            drawn.layout.grids[l], static_cast<int>(line),
            tile.layouts[l].address[static_cast<std::size_t>(line * tile.chunks + along / tile.per_chunk)]));
    }
    return Done{};
  });
  return places;
}

Result<std::string> swizzle_table(const Subject& subject) {
  const auto work = tensor_work(subject);
  if (!work) return work.error();
  const TensorView view(subject, **work);
  const auto tile = chunk_tile(view, !subject.element.empty());
  if (!tile) return Error{kNoTile, "choose a step that stages its tiles there, such as tensor/05_swizzle"};
  std::string csv = "layout,matrix,row,column,byte,bank\n";
  for (const ChunkLayout& layout : tile->layouts)
    for (int row = 0; row < kChunkRows; ++row)
      for (int chunk = 0; chunk < tile->chunks; ++chunk) {
        const auto cell = cell_of_chunk(*tile, row, chunk, 0);
        const std::uint32_t address = layout.address[static_cast<std::size_t>(row * tile->chunks + chunk)];
        if (cell)
          csv += fmt::format("{},{},{},{},{},{}\n", csv_cell(layout.name), cell->name, cell->row,
                             cell->column, address, address / 4 % 32);
      }
  return csv;
}

explain::Explanation swizzle_words(const Subject& subject) {
  const TensorView view(subject, *subject.known.tensor->work);
  explain::Explanation said;
  const auto tile = chunk_tile(view, !subject.element.empty());
  if (!tile) return said;
  said.rule = explain::RuleId::of_figure;
  const int own = wavefronts_of(column_of(own_layout(*tile), *tile)),
            plain = wavefronts_of(column_of(tile->layouts.front(), *tile));
  namespace claim = explain::claim;
  using explain::Quantity;
  const explain::Claim by = claim::name(tile->is_output ? "stmatrix" : "ldmatrix");
  const std::string element = name_of_chunk(*tile, tile->row, tile->chunk, tile->within);
  const auto number = [&](Quantity quantity, std::uint64_t value) {
    return claim::of(claim::number(quantity, static_cast<double>(value), explain::Scope::block), element);
  };
  const explain::Claim chunk = claim::of(
      claim::words("16 bytes", Quantity::matrix_row_bytes, kChunkBytes, explain::Scope::block), element);
  explain::Said what, why, fix;
  if (own > 1) {
    said.verdict = explain::Verdict::costly;
    what = explain::say("a matrix of {} takes {} wavefronts where {} would do",
                        {by, number(Quantity::column_wavefronts, static_cast<std::uint64_t>(own)),
                         number(Quantity::least_column_wavefronts, 1)});
    why = explain::say("rows are {} bytes apart, so its eight rows begin in {} of eight bank groups",
                       {number(Quantity::tile_pitch, tile->pitch),
                        number(Quantity::column_groups, static_cast<std::uint64_t>(kChunkRows / own))});
    fix = explain::say("{} of padding a row, or a swizzle", {chunk});
  } else {
    said.verdict = explain::Verdict::good;
    what = explain::say(
        "eight rows of a column lie in eight groups of banks: {}",
        {claim::of(claim::words("1 wavefront", Quantity::column_wavefronts, 1, explain::Scope::block),
                   element)});
    const explain::Claim without =
        number(Quantity::plain_column_wavefronts, static_cast<std::uint64_t>(plain));
    if (tile->swizzle != tensor::Swizzle::none)
      why = explain::say("chunks of {} change places by their row; row after row {} would take {}",
                         {chunk, by, without});
    else if (tile->pitch > 0)
      why = explain::say("a row begins {} banks after the one before; without padding {} would take {}",
                         {number(Quantity::banks_to_next_row, tile->pitch % kBankLine / 4), by, without});
  }
  said.what = std::move(what.text), said.why = std::move(why.text), said.fix = std::move(fix.text);
  for (explain::Said* part : {&what, &why, &fix}) explain::add(said.claims, std::move(part->claims));
  return said;
}

}  // namespace warplens::figures
