#include "viz/figures/tensor/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/text.hpp"
#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/trace/pipeline.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/parts/hatching.hpp"
#include "viz/figures/tensor/tensor_view.hpp"

namespace warplens::figures {
namespace {

using trace::Pipeline, trace::PipelineBarrier, trace::PipelineRole, trace::PipelineSpan;
using Kind = PipelineSpan::Kind;

// Colours of tiles that follow each other, on which the ground's colour can be read.
Token color_of_tile(std::uint32_t tile) {
  constexpr std::uint32_t colors = 6;
  return theme::series(static_cast<int>(tile % colors));
}

constexpr const char* kNone = "no copy of this kernel tells a barrier that it has come";

// Which tile a stage holds from when to when.
struct Stay {
  int stage = 0;
  std::uint32_t tile = 0;
  std::uint64_t bytes = 0;
  double from = 0, full = 0, read = 0, free = 0;  // the copy is asked for, there, read, and read to the end
  int line = 0;
};

std::vector<Stay> stays_of(const run::Run& run, const Pipeline& pipeline) {
  std::vector<Stay> stays;
  for (const PipelineSpan& copy : pipeline.spans) {
    if (copy.kind != Kind::copy) continue;
    Stay stay;
    stay.stage = pipeline.barriers[copy.barrier].stage, stay.tile = copy.number, stay.bytes = copy.bytes;
    stay.from = copy.from, stay.full = stay.read = stay.free = copy.to,
    stay.line = kernel_line_of(run, copy.pc);
    double read = pipeline.end;
    for (const PipelineSpan& span : pipeline.spans)
      if (span.kind == Kind::multiply && span.barrier == copy.barrier && span.phase == copy.phase)
        read = std::min(read, span.from), stay.free = std::max(stay.free, span.to);
    stay.read = std::max(stay.full, read);
    stays.push_back(stay);
  }
  return stays;
}

std::string barrier_name(const PipelineBarrier& barrier) {
  return fmt::format("{}[{}]", barrier.is_full() ? "full" : "empty", barrier.stage);
}

struct Row {
  std::string name, note;
  const PipelineRole* role = nullptr;
  int stage = -1;
};

std::vector<Row> rows_of(const Pipeline& pipeline, bool brief) {
  std::vector<Row> rows;
  const auto name = [&](const PipelineRole& role) {
    return role.multiplies ? fmt::format("Warps {}–{}", role.warp, role.warp + 3)
                           : fmt::format("Warp {}", role.warp);
  };
  const auto note = [&](const PipelineRole& role) {
    return role.copies && role.multiplies ? "copy and multiply" : role.copies ? "copies" : "multiply";
  };
  const auto add_roles = [&](bool copies) {
    for (const PipelineRole& role : pipeline.roles)
      if (role.copies == copies) {
        Row row;
        row.name = name(role), row.note = note(role), row.role = &role;
        rows.push_back(row);
      }
  };
  add_roles(true);
  for (std::uint32_t stage = 0; stage < pipeline.stages; ++stage) {
    Row row;
    row.name = fmt::format("Stage {}", stage), row.stage = static_cast<int>(stage);
    row.note = brief ? "" : fmt::format("{} bytes", grouped(pipeline.barriers[stage].bytes));
    rows.push_back(row);
  }
  add_roles(false);
  return rows;
}

struct PipelineDrawn {
  const Subject& subject;
  const Pipeline& pipeline;
  std::vector<Row> rows;
  Rect chart, cards, strip;
  double units = 1, row = 0;
  std::vector<NumberCard> number_cards;
  explain::Explanation said;

  double x(double unit) const { return chart.x + std::min(unit, units) / units * chart.width; }
  Rect box(std::size_t at, double from, double to) const {
    return {x(from) + 0.75, chart.y + static_cast<double>(at) * row + 3, std::max(x(to) - x(from) - 1.5, 0.0),
            row - 6};
  }
};

// Waits of a role's first warp for barriers of one kind.
std::uint64_t waits_for(const Pipeline& pipeline, bool full) {
  return static_cast<std::uint64_t>(std::ranges::count_if(pipeline.spans, [&](const PipelineSpan& span) {
    return span.kind == Kind::wait && pipeline.barriers[span.barrier].is_full() == full;
  }));
}
std::uint64_t tiles_of(const Pipeline& pipeline) {
  return static_cast<std::uint64_t>(std::ranges::count(pipeline.spans, Kind::copy, &PipelineSpan::kind));
}

// So many tiles at most are asked for and not read to the end.
std::uint32_t most_ahead(const std::vector<Stay>& stays) {
  std::uint32_t most = 0;
  for (const Stay& now : stays)
    most = std::max(most, static_cast<std::uint32_t>(std::ranges::count_if(stays, [&](const Stay& each) {
                      return each.from <= now.from && each.free > now.from;
                    })));
  return most;
}

bool takes_turns(const Pipeline& pipeline) {
  return std::ranges::all_of(pipeline.roles,
                             [](const PipelineRole& role) { return role.copies && role.multiplies; });
}

std::vector<NumberCard> cards_of(const run::Run& run, const Pipeline& pipeline) {
  std::vector<NumberCard> cards;
  const PipelineBarrier& full = pipeline.barriers.front();
  const auto empty =
      std::ranges::find_if(pipeline.barriers, [](const PipelineBarrier& each) { return !each.is_full(); });
  cards.push_back({"A phase of full ends with", counted(full.arrivals, "arrival"),
                   fmt::format("and {} bytes", grouped(full.bytes))});
  if (empty != pipeline.barriers.end())
    cards.push_back({"A phase of empty ends with", counted(empty->arrivals, "arrival"),
                     "then the stage may be filled again"});
  cards.push_back({"Tiles asked for at a time", std::to_string(most_ahead(stays_of(run, pipeline))),
                   fmt::format("of {} that the block takes", tiles_of(pipeline))});
  return cards;
}

PipelineDrawn drawn_in(const Subject& subject, const Pipeline& pipeline, scene::Size size,
                       const scene::TextMeasure& measure) {
  const Look look = subject.look;
  PipelineDrawn drawn{subject, pipeline, rows_of(pipeline, is_brief(look)), {}, {}, {}, 1, 0, {}, {}};
  const Rect area = is_brief(look) ? Rect{12, 8, size.width - 24, size.height - 16} : inner_area(size);
  if (has_words(look)) drawn.said = explain::without_praise(pipeline_words(subject), *subject.run);
  const double strip = explanation_height(drawn.said, {}, area.width, measure);
  drawn.strip = {area.x, area.bottom() - strip, area.width, strip};
  double bottom = area.bottom() - (strip > 0 ? strip + 10 : 0);
  drawn.cards = {area.x, bottom, area.width, 0};
  if (!is_brief(look)) {  // a class hears the numbers
    drawn.number_cards = cards_of(*subject.run, pipeline);
    const double cards = number_cards_height(drawn.number_cards, area.width, measure);
    drawn.cards = {area.x, bottom - cards, area.width, cards};
    bottom -= cards + 12;
  }
  const double names = is_large(look) ? 130 : 140, top = area.y + (is_brief(look) ? 4 : 66);
  drawn.chart = {area.x + names, top, area.width - names, bottom - top};
  drawn.row = std::min(drawn.chart.height / static_cast<double>(drawn.rows.size()), 64.0);
  drawn.units = std::clamp(std::floor(drawn.chart.width / (is_large(look) ? 64 : 56)), 4.0,
                           std::max(4.0, std::ceil(pipeline.end)));
  return drawn;
}

void add_label(Group& group, const Rect& box, const std::string& text, Color color,
               const scene::TextMeasure& measure, Look look) {
  TextStyle style = sized(body(color), is_large(look) ? 14 : 12.5);
  style.anchor = scene::Anchor::middle, style.baseline = scene::Baseline::middle;
  // A little smaller before it is left out.
  constexpr double kLeast = 12;
  const double room = box.width - 2, wide = measure.width(text, style);
  if (wide > room) style.size = std::max(kLeast, std::floor(2 * style.size * room / wide) / 2);
  if (measure.width(text, style) <= room)
    group.text({box.x + box.width / 2, box.y + box.height / 2}, text, style);
}

// What a row of warps has above each other, so that neither covers the other: what it asks for, and below it what it waits for. A row
// that is too low for both has them side by side.
struct RoleLines {
  double asks = 0.5, waits = 0.5;  // of the height of a box
  double beside = 0;               // by how much a wait makes room for what is asked for where it begins
};
RoleLines lines_of(const PipelineRole& role, double height) {
  constexpr double kBoth = 40, kAsked = 11;
  if (!role.copies) return {};
  return height >= kBoth ? RoleLines{0.26, 0.7, 0} : RoleLines{0.5, 0.5, kAsked};
}

// Whether a copy is asked for where this wait begins.
bool begins_with_copy(const Pipeline& pipeline, const PipelineSpan& wait) {
  return std::ranges::any_of(pipeline.spans, [&](const PipelineSpan& span) {
    return span.kind == Kind::copy && span.warp == wait.warp && span.from == wait.from;
  });
}

void add_role(Group& group, const PipelineDrawn& drawn, std::size_t at, const scene::TextMeasure& measure) {
  const Pipeline& pipeline = drawn.pipeline;
  const PipelineRole& role = *drawn.rows[at].role;
  const run::Run& run = *drawn.subject.run;
  const RoleLines lines = lines_of(role, drawn.box(at, 0, 1).height);
  for (const PipelineSpan& span : pipeline.spans) {
    if (span.warp != role.warp || span.from >= drawn.units) continue;
    const Rect box = drawn.box(at, span.from, span.to);
    const std::string name = fmt::format("line:{}", kernel_line_of(run, span.pc));
    if (span.kind == Kind::wait) {
      const PipelineBarrier& barrier = pipeline.barriers[span.barrier];
      Group waits;
      add_hatched(waits, box, barrier.is_full() ? Token::costly : Token::dim, 7, 2);
      scene::Item& item = group.group(std::move(waits));
      item.named(name,
                 fmt::format("warp {} waits for {}, phase {}", span.warp, barrier_name(barrier), span.phase));
      const double asked = begins_with_copy(pipeline, span) ? lines.beside : 0;
      const Rect words{box.x + 4 + asked, box.y + lines.waits * box.height - 9,
                       std::max(box.width - 8 - asked, 0.0), 18};
      group.rect(words, {.fill = Color{Token::background, 0.85}}, 2);
      add_label(group, words, barrier_name(barrier), Token::text, measure, drawn.subject.look);
    } else if (span.kind == Kind::multiply) {
      group.rect(box, {.fill = color_of_tile(span.number)}, 3)
          .named(name, fmt::format("warps {} to {}: {} of tile {}", span.warp, span.warp + 3,
                                   counted(span.count, "product"), span.number));
      add_label(group, box, fmt::format("tile {}", span.number), Token::background, measure,
                drawn.subject.look);
    }
  }
  // What is asked for, above the wait that begins there.
  for (const PipelineSpan& span : pipeline.spans) {
    if (span.warp != role.warp || span.kind != Kind::copy || span.from >= drawn.units) continue;
    const Rect box = drawn.box(at, span.from, span.to);
    const double x = drawn.x(span.from) + 1, middle = box.y + lines.asks * box.height;
    group
        .polygon({{x, middle - 9}, {x + 13, middle}, {x, middle + 9}},
                 {.fill = color_of_tile(span.number), .stroke = scene::Stroke{Token::background, 1.5}})
        .named(
            fmt::format("line:{}", kernel_line_of(run, span.pc)),
            fmt::format("warp {} asks for tile {}: {} bytes, which tell {}, phase {}", span.warp, span.number,
                        grouped(span.bytes), barrier_name(pipeline.barriers[span.barrier]), span.phase));
  }
}

void add_stage(Group& group, const PipelineDrawn& drawn, std::size_t at, const std::vector<Stay>& stays,
               const scene::TextMeasure& measure) {
  const Look look = drawn.subject.look;
  group.rect(drawn.box(at, 0, drawn.units), {.fill = Token::raised}, 3);
  for (const Stay& stay : stays) {
    if (stay.stage != drawn.rows[at].stage || stay.from >= drawn.units) continue;
    const Token color = color_of_tile(stay.tile);
    const Rect coming = drawn.box(at, stay.from, stay.full), whole = drawn.box(at, stay.full, stay.read),
               read = drawn.box(at, stay.read, stay.free);
    Group hatched;
    add_hatched(hatched, coming, color, 9, 3);
    scene::Item& item = group.group(std::move(hatched));
    item.named(fmt::format("line:{}", stay.line), fmt::format("{} bytes of tile {} come into stage {}",
                                                              grouped(stay.bytes), stay.tile, stay.stage));
    if (whole.width > 1)
      group.rect(whole, {.fill = Color{color, 0.25}, .stroke = scene::Stroke{color, 1}}, 3)
          .named(fmt::format("line:{}", stay.line),
                 fmt::format("stage {} is full: tile {} waits to be read", stay.stage, stay.tile));
    group.rect(read, {.fill = color}, 3);
    add_label(group, read, fmt::format("tile {}", stay.tile), Token::background, measure, look);
  }
}

void add_axis(Group& group, const PipelineDrawn& drawn) {
  const double bottom = drawn.chart.y + drawn.row * static_cast<double>(drawn.rows.size());
  for (double unit = 0; unit <= drawn.units; ++unit)
    group.line({drawn.x(unit), drawn.chart.y}, {drawn.x(unit), bottom}, {{Token::line, 0.9}, 1});
}

void draw_all(Group& group, const PipelineDrawn& drawn, const scene::TextMeasure& measure) {
  const Look look = drawn.subject.look;
  const Rect& chart = drawn.chart;
  if (!is_brief(look)) {
    group.text({drawn.cards.x, kMargin + 12}, "Who waits for whom: what each barrier allows, tile by tile",
               within(heading(), drawn.cards.width));
    group.text({drawn.cards.x, kMargin + 34},
               "An order, no time: copies and products are one unit long. Stages: hatched on the way, pale "
               "full, strong being read.",
               within(caption(), drawn.cards.width));
  }
  add_axis(group, drawn);
  const auto stays = stays_of(*drawn.subject.run, drawn.pipeline);
  for (std::size_t at = 0; at < drawn.rows.size(); ++at) {
    const Row& row = drawn.rows[at];
    const double middle = chart.y + (static_cast<double>(at) + 0.5) * drawn.row;
    const bool two = !row.note.empty() && drawn.row >= 36;
    TextStyle name = sized(heading(), is_large(look) ? 15 : 14);
    group.text({drawn.cards.x, middle + (two ? -2 : 5)}, row.name, within(name, chart.x - drawn.cards.x - 8));
    if (two)
      group.text({drawn.cards.x, middle + 15}, row.note,
                 within(caption(is_large(look) ? Token::text : Token::dim), chart.x - drawn.cards.x - 8));
    if (row.role != nullptr)
      add_role(group, drawn, at, measure);
    else
      add_stage(group, drawn, at, stays, measure);
  }
  if (!drawn.number_cards.empty()) add_number_cards(group, drawn.cards, drawn.number_cards, measure);
}

Result<Pipeline> pipeline_of(const Subject& subject) {
  const auto work = tensor_work(subject);
  if (!work) return work.error();
  Pipeline pipeline = trace::pipeline_of(**work);
  if (pipeline.stages == 0 || pipeline.roles.empty())
    return Error{kNone, "choose a step whose copies do, such as tensor/11_producer_consumer"};
  return pipeline;
}

}  // namespace

Result<scene::Scene> draw_pipeline(const Subject& subject, scene::Size size,
                                   const scene::TextMeasure& measure) {
  const auto pipeline = pipeline_of(subject);
  if (!pipeline) return pipeline.error();
  const PipelineDrawn drawn = drawn_in(subject, *pipeline, size, measure);
  scene::Scene scene{size};
  draw_all(scene.root, drawn, measure);
  if (drawn.strip.height > 0) add_explanation(scene.root, drawn.strip, drawn.said, {}, {}, measure, kOfPlot);
  return scene;
}

Result<std::string> pipeline_table(const Subject& subject) {
  const auto pipeline = pipeline_of(subject);
  if (!pipeline) return pipeline.error();
  std::string csv = "what,warp,line,from,to,stage,phase,tile,bytes,products\n";
  for (const PipelineSpan& span : pipeline->spans) {
    const PipelineBarrier& barrier = pipeline->barriers[span.barrier];
    const std::string what = span.kind == Kind::wait
                                 ? fmt::format("wait for {}", barrier.is_full() ? "full" : "empty")
                             : span.kind == Kind::copy ? "copy"
                                                       : "multiply";
    csv += fmt::format("{},{},{},{:g},{:g},{},{},{},{},{}\n", what, span.warp,
                       kernel_line_of(*subject.run, span.pc), span.from, span.to, barrier.stage, span.phase,
                       span.number, span.bytes, span.count);
  }
  return csv;
}

explain::Explanation pipeline_words(const Subject& subject) {
  explain::Explanation said;
  const auto pipeline = pipeline_of(subject);
  if (!pipeline) return said;
  said.rule = explain::RuleId::of_figure;
  using explain::Quantity;
  const auto words = [](std::string shown, Quantity quantity, std::uint64_t number) {
    return explain::claim::words(std::move(shown), quantity, static_cast<double>(number),
                                 explain::Scope::block);
  };
  const std::uint64_t tiles = tiles_of(*pipeline), ahead = most_ahead(stays_of(*subject.run, *pipeline));
  explain::Said what, why;
  if (takes_turns(*pipeline)) {
    const std::uint64_t waits = waits_for(*pipeline, true);
    said.verdict = explain::Verdict::costly;
    what = explain::say("copies and products take turns: {} for {}",
                        {words(counted(waits, "wait"), Quantity::waits_for_tiles, waits),
                         words(counted(tiles, "tile"), Quantity::tiles_asked_for, tiles)});
    why = explain::say("a tile is asked for {} the one before is multiplied",
                       {words("only when", Quantity::most_tiles_in_stages, ahead)});
    said.fix = "a ring of stages, and a warp of its own that fills it";
  } else {
    said.verdict = explain::Verdict::good;
    what = explain::say("up to {} at a time are on their way or being read",
                        {words(counted(ahead, "tile"), Quantity::most_tiles_in_stages, ahead)});
    why = explain::say(
        "the warp that copies waits for empty[s], those that multiply for full[s]: {} between them",
        {words(counted(pipeline->stages, "stage"), Quantity::stages, pipeline->stages)});
  }
  said.what = std::move(what.text), said.why = std::move(why.text);
  said.claims = std::move(what.claims);
  explain::add(said.claims, std::move(why.claims));
  return said;
}

}  // namespace warplens::figures
