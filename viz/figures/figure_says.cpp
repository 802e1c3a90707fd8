#include "viz/figures/figure_says.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/explain/payoff/payoff.hpp"
#include "engine/explain/reuse.hpp"
#include "viz/figures/access/access.hpp"
#include "viz/figures/access/block_order.hpp"
#include "viz/figures/access/line_lanes.hpp"
#include "viz/figures/flow/flow.hpp"
#include "viz/figures/map/speed_map.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/timing.hpp"
#include "viz/figures/tensor/boxes.hpp"
#include "viz/figures/tensor/cluster.hpp"
#include "viz/figures/tensor/fragments.hpp"
#include "viz/figures/tensor/pipeline.hpp"
#include "viz/figures/tensor/swizzle.hpp"
#include "viz/figures/tensor/tensor_view.hpp"
#include "viz/figures/tensor/tile_order.hpp"
#include "viz/figures/time/grid_timeline.hpp"
#include "viz/figures/time/latency.hpp"
#include "viz/figures/time/time.hpp"
#include "viz/figures/time/waits.hpp"
#include "viz/figures/warp/bank_map.hpp"
#include "viz/figures/warp/rounding.hpp"

namespace warplens::figures {
namespace {

Said of_words(auto said) {
  return {.explanation = std::move(said.explanation),
          .question = std::move(said.question),
          .unit = std::move(said.unit)};
}

}  // namespace

std::optional<explain::Facts> facts_of(const Figure& figure, const Subject& subject) {
  const bool is_of_access = figure.of == Of::access;
  if (!is_of_access || subject.run == nullptr || subject.own_access != nullptr) return std::nullopt;
  const Place& place = subject.place;
  const auto shown = shown_access(figure, *subject.run, place);
  return shown ? explain::facts_at(*subject.run, {place.block, place.warp, *shown}) : std::nullopt;
}

explain::Explanation words_of(const Figure& figure, const Subject& subject, const explain::Facts& facts) {
  return explain::that_pays(
      figure.draw == draw_access ? explain::explain_use(facts) : explain::explain(facts),
      subject.known.payoffs.get(), &facts);
}

explain::Explanation of_step(const Subject& subject, explain::Explanation said) {
  return explain::that_pays(std::move(said), subject.known.payoffs.get());
}

bool shows_line(const Figure& figure, const Subject& subject) {
  return figure.draw == draw_access && subject.is_recorded() && subject.place.line > 0;
}

explain::Explanation block_words(const Subject& subject) {
  return bank_map_words(*subject.known.banks, *subject.run, subject.place.block, subject.known.payoffs.get());
}

std::optional<Said> say_access(const Figure& figure, const Subject& subject) {
  if (figure.draw == draw_access && subject.is_recorded() && shows_order(subject))
    return Said{order_words(*subject.run, *subject.known.order), "In which order do blocks take tiles?"};
  if (shows_line(figure, subject))
    return Said{of_step(subject, line_words(*subject.run, subject.place)),
                shows_roles(*subject.run, subject.place) ? "Who copies, and who multiplies?"
                : shows_instructions(*subject.run, subject.place)
                    ? "How many instructions does a thread execute?"
                    : "How many lanes of this warp work here?"};
  const auto facts = facts_of(figure, subject);
  if (!facts) return std::nullopt;
  const bool loads = facts->access.kind == emulator::AccessKind::load;
  const explain::Explanation said = words_of(figure, subject, *facts);
  std::string question = explain::question_of(said, *facts);
  if (question.empty())
    question =
        fmt::format("How many {} does this {} {} take?", facts->pieces.is_shared ? "wavefronts" : "sectors",
                    loads ? "load of" : "access to", facts->array);
  const std::string share = explain::share_words(subject.known.payoffs.get(), *facts).text;
  return Said{said, std::move(question), "", share.empty() ? "" : "this access " + share};
}

std::optional<Said> say_banks(const Figure&, const Subject& subject) {
  if (subject.known.banks == nullptr) return std::nullopt;
  return Said{block_words(subject), "Where do words wait for a bank?"};
}

std::optional<Said> say_occupancy(const Figure&, const Subject& subject) {
  if (!subject.run->complete) return std::nullopt;
  return Said{occupancy_words(subject), "How many warps does a multiprocessor hold?"};
}

std::optional<Said> say_flow(const Figure&, const Subject& subject) {
  if (!subject.run->complete) return std::nullopt;
  return of_words(flow_words(subject));
}

std::optional<Said> say_time(const Figure&, const Subject& subject) {
  const auto& made = subject.known.schedule;
  if (made == nullptr || !*made) return std::nullopt;
  return of_words(time_words(*subject.run->job, (*made)->prediction, subject.known.payoffs.get()));
}

std::optional<Said> say_latency(const Figure&, const Subject& subject) {
  const auto& made = subject.known.over_warps;
  if (made == nullptr || !*made) return std::nullopt;
  return of_words(latency_words(*subject.run, **made));
}

std::optional<Said> say_speed_map(const Figure&, const Subject& subject) {
  const auto& made = subject.known.speed_map;
  if (made == nullptr || !*made) return std::nullopt;
  return of_words(map_words(subject, **made));
}

std::optional<Said> say_timeline(const Figure&, const Subject& subject) {
  const auto& made = subject.known.timeline;
  if (made == nullptr || !*made) return std::nullopt;
  return of_words(timeline_words(**made));
}

std::optional<Said> say_waits(const Figure&, const Subject& subject) {
  if (subject.known.times == nullptr) return std::nullopt;
  return of_words(waits_words(*subject.run, *subject.known.times));
}

std::optional<Said> say_fragments(const Figure&, const Subject& subject) {
  if (!tensor_work(subject)) return std::nullopt;
  return Said{fragments_words(subject), "Which lane holds this element?"};
}

std::optional<Said> say_swizzle(const Figure&, const Subject& subject) {
  if (!tensor_work(subject)) return std::nullopt;
  explain::Explanation said = swizzle_words(subject);
  if (said.what.empty()) return std::nullopt;
  return Said{std::move(said), "How many wavefronts does a column take?"};
}

std::optional<Said> say_boxes(const Figure&, const Subject& subject) {
  if (!tensor_work(subject)) return std::nullopt;
  explain::Explanation said = boxes_words(subject);
  if (said.what.empty()) return std::nullopt;
  return Said{std::move(said), "Who computes where the tile goes?"};
}

std::optional<Said> say_pipeline(const Figure&, const Subject& subject) {
  if (!tensor_work(subject)) return std::nullopt;
  explain::Explanation said = pipeline_words(subject);
  if (said.what.empty()) return std::nullopt;
  return Said{std::move(said), "Who waits for whom?"};
}

std::optional<Said> say_cluster(const Figure&, const Subject& subject) {
  if (!tensor_work(subject)) return std::nullopt;
  explain::Explanation said = cluster_words(subject);
  if (said.what.empty()) return std::nullopt;
  return Said{std::move(said), "What does one copy bring, and to whom?"};
}

std::optional<Said> say_tile_order(const Figure&, const Subject& subject) {
  explain::Explanation said = tile_order_words(subject);
  if (said.what.empty()) return std::nullopt;
  return Said{std::move(said), "Which tiles are under way at the same time?"};
}

std::optional<Said> say_timing(const Figure&, const Subject& subject) {
  if (subject.timing == nullptr) return std::nullopt;
  return Said{timing_words(*subject.timing), "How sure is the measured time?"};
}

std::optional<Said> say_rounding(const Figure&, const Subject& subject) {
  const auto& made = subject.known.rounding;
  if (made == nullptr || !*made) return std::nullopt;
  return Said{rounding_words(**made), "How far is the sum from the true one?"};
}

Look readable_look(const Figure& figure, Look wanted, scene::Size room) {
  constexpr double kLeastScale = 0.97;  // the smallest words of figures have 12 pixels
  const scene::Size least = least_size(figure, wanted);
  const double scale = std::min(room.width / least.width, room.height / least.height);
  return scale < kLeastScale ? Look::stage : wanted;
}

}  // namespace warplens::figures
