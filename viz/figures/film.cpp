#include "viz/figures/film.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace warplens::figures {
namespace {

constexpr int kFrameMilliseconds = static_cast<int>(1000 * scene::kFilmFrame);
constexpr int kLeastLastFrame = 1200;  // milliseconds, before a film starts again

// The pictures of neighbouring accesses, and what is between them; the two that were asked for last are kept.
class AccessFilm {
 public:
  AccessFilm(const Figure& figure, Subject subject, scene::Size size, const scene::TextMeasure& measure,
             const FilmOptions& options)
      : figure_(figure), subject_(std::move(subject)), size_(size), measure_(measure) {
    subject_.place.line = 0;  // films are of accesses
    Place place = subject_.place;
    place.access = shown_access(figure, *subject_.run, place).value_or(place.access);
    played_ = played_accesses(*subject_.run, place, options.by_iteration);
    accesses_ = std::clamp(static_cast<int>(played_.size()), 1, std::max(options.accesses, 1));
    pause_ = std::max(10, static_cast<int>(1000 / options.speed));
    seconds_ = options.motion ? access_motion(options.speed) : 0;
    // Pictures on the way, before the one that stays.
    between_ = std::max(0, static_cast<int>(std::ceil(seconds_ / scene::kFilmFrame - 1e-9)) - 1);
  }

  int frames() const { return accesses_ + (accesses_ - 1) * between_; }

  scene::Scene draw(int frame) {
    const auto [access, step] = place_of(frame);
    if (access != shown_) {
      scene::Tween tween;
      if (access > 0) tween.show(picture(access - 1), 0, 0);
      tween.show(picture(access), 0, access > 0 ? seconds_ : 0);
      tween_ = std::move(tween), shown_ = access;
    }
    return step < between_ && access > 0 ? tween_.at((step + 1) * scene::kFilmFrame) : tween_.end();
  }

  int milliseconds(int frame) const {
    const auto [access, step] = place_of(frame);
    if (access > 0 && step < between_) return kFrameMilliseconds;
    const int rest = access > 0 ? std::max(10, pause_ - between_ * kFrameMilliseconds) : pause_;
    return access + 1 == accesses_ ? std::max(rest, kLeastLastFrame) : rest;
  }

 private:
  // The access, and which of its pictures: those on the way to it, then itself.
  std::pair<int, int> place_of(int frame) const {
    if (frame == 0) return {0, between_};
    return {1 + (frame - 1) / (between_ + 1), (frame - 1) % (between_ + 1)};
  }
  scene::Scene picture(int access) const {
    Subject now = subject_;
    if (!played_.empty()) now.place.access = played_[static_cast<std::size_t>(access)];
    return draw_or_say(figure_, now, size_, measure_);
  }

  const Figure& figure_;
  Subject subject_;
  scene::Size size_;
  const scene::TextMeasure& measure_;
  std::vector<std::uint32_t> played_;
  int accesses_ = 1, pause_ = 0, between_ = 0, shown_ = -1;
  double seconds_ = 0;
  scene::Tween tween_;
};

FilmFrames packets(const Figure& figure, const Subject& subject, scene::Size size,
                   const scene::TextMeasure& measure) {
  const int frames = static_cast<int>(std::lround(kPacketSeconds / scene::kFilmFrame));
  return {frames,
          [&figure, subject, size, &measure, frames](int frame) {
            Subject now = subject;
            now.flow.phase = static_cast<double>(frame) / frames;
            return draw_or_say(figure, now, size, measure);
          },
          [](int) { return kFrameMilliseconds; }};
}

}  // namespace

double access_motion(double speed) { return std::min(scene::kWithinKernel, 0.8 / std::max(speed, 0.01)); }

std::optional<std::uint32_t> to_next_turn(const run::Run& run, const Place& place) {
  if (place.block >= run.stories.size()) return std::nullopt;
  const report::AccessStory& story = story_at(run, place);
  const auto events = story.accesses().of_warp(place.warp);
  const auto where = [&](std::size_t access) {
    return std::pair{run.kernel_lines[run.trace->pc(place.block, events[access])],
                     story.touched_face(events[access])};
  };
  for (std::size_t next = std::size_t{place.access} + 1; next < events.size(); ++next)
    if (where(next) == where(place.access)) return static_cast<std::uint32_t>(next - place.access);
  return std::nullopt;
}

std::vector<std::uint32_t> played_accesses(const run::Run& run, const Place& place, bool by_iteration) {
  const auto all = static_cast<std::uint32_t>(story_at(run, place).accesses().of_warp(place.warp).size());
  std::vector<std::uint32_t> played;
  Place now = place;
  for (auto turn = to_next_turn(run, now); by_iteration && turn; turn = to_next_turn(run, now)) {
    if (played.empty()) played.push_back(place.access);
    played.push_back(now.access += *turn);
  }
  if (!played.empty() || place.access >= all) return played;
  played.resize(all - place.access);
  std::iota(played.begin(), played.end(), place.access);
  return played;
}

std::string why_no_film(const Figure& figure, const Subject& subject) {
  if (!figure.has(Trait::film)) return "This figure stands still";
  const bool is_there =
      figure.of == Of::run ? subject.run != nullptr && subject.run->complete : subject.is_recorded();
  return is_there ? "" : "Nothing has run";
}

FilmFrames film_of(const Figure& figure, const Subject& subject, scene::Size size,
                   const scene::TextMeasure& measure, const FilmOptions& options) {
  if (figure.of == Of::run) return packets(figure, subject, size, measure);
  const auto film = std::make_shared<AccessFilm>(figure, subject, size, measure, options);
  return {film->frames(), [film](int frame) { return film->draw(frame); },
          [film](int frame) { return film->milliseconds(frame); }};
}

}  // namespace warplens::figures
