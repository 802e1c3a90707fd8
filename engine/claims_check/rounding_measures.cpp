// What a warp's sums lose by rounding, by the reference that verifies them: the problem's own, in double, of
// which nothing is known but how far off it calls a number that is handed to it.
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "engine/claims_check/found.hpp"

namespace warplens::claims_check {
namespace {

using explain::Quantity;

// Units that rounding once may cost; the reference's own arithmetic rounds too.
constexpr double kOnce = 0.5 * (1 + 1e-6);

// Of a thread, against the reference.
struct Off {
  double error = 0, sum = 0, unit = 1;  // sizes; unit: of the last place of the true sum
  double units() const { return error / unit; }
};

// Asks the reference of a run's problem about single elements of its output.
class Reference {
 public:
  explicit Reference(const run::Run& run) : run_(run) {
    for (const report::PlacedBuffer& placed : run.buffers)
      if (placed.buffer.is_output) {
        output_ = &placed;
        break;
      }
    if (output_ == nullptr) return;
    is_double_ = output_->buffer.type == problem::ElementType::f64;
    if (!is_double_ && output_->buffer.type != problem::ElementType::f32) {
      output_ = nullptr;
      return;
    }
    contents_.resize(output_->buffer.elements * bytes());
    checked_.resize(output_->buffer.elements);
  }

  // Of the last number that this lane of the first warp stores, which was `result`.
  std::optional<Off> off(std::size_t lane, double result) {
    const auto element = last_stored(lane);
    if (!element) return std::nullopt;
    // The error of a number that is far above all sums tells in what the reference has errors.
    const double far = 0x1p100, scale = far / said(*element, far);
    Off off{scale * error_of(*element, result), scale * said(*element, 0)};
    const int digits = is_double_ ? 53 : 24;
    off.unit = std::ldexp(1, std::ilogb(off.sum) + 1 - digits);
    return std::isfinite(off.error) && off.sum > 0 ? std::optional(off) : std::nullopt;
  }

 private:
  std::size_t bytes() const { return is_double_ ? 8 : 4; }
  std::optional<std::size_t> last_stored(std::size_t lane) const {
    std::optional<std::size_t> element;
    if (output_ == nullptr) return element;
    for (const std::uint32_t event : run_.trace->find(0, {.warp = 0})) {
      const trace::Access access = run_.trace->access(0, event);
      if (access.kind != emulator::AccessKind::store || access.space != ptx::Space::global) continue;
      const std::uint64_t address = access.address[lane];
      if ((access.active >> lane & 1) == 0 || address < output_->address) continue;
      if (const std::uint64_t at = (address - output_->address) / bytes(); at < output_->buffer.elements)
        element = at;
    }
    return element;
  }
  // The reference calls a sum right that is rounded once: by how much tell the numbers beside it.
  double error_of(std::size_t element, double number) {
    if (const double error = said(element, number); error > 0) return error;
    const auto beside = [&](double far) {
      return is_double_ ? std::nextafter(number, far)
                        : std::nextafter(static_cast<float>(number), static_cast<float>(far));
    };
    const double infinity = std::numeric_limits<double>::infinity();
    return std::abs(said(element, beside(infinity)) - said(element, beside(-infinity))) / 2;
  }
  // How far off the reference calls a number in this place.
  double said(std::size_t element, double number) {
    std::byte* const at = contents_.data() + element * bytes();
    const auto single = static_cast<float>(number);
    std::memcpy(at, is_double_ ? static_cast<const void*>(&number) : &single, bytes());
    checked_[element] = 1;
    const double error = run_.job->instance->verify(contents_, checked_).max_relative_error;
    checked_[element] = 0;
    return error;
  }

  const run::Run& run_;
  const report::PlacedBuffer* output_ = nullptr;
  bool is_double_ = false;
  std::vector<std::byte> contents_;
  std::vector<std::uint8_t> checked_;
};

using Rounded = std::optional<trace::WarpRounding>;

// Of each thread that stores a number. A file may call another number right than the true sum, even 0; of that
// thread the recorded one is taken.
Off recorded_off(const trace::ThreadRounding& thread) {
  return {std::abs(thread.result - thread.exact), std::abs(thread.exact), thread.unit()};
}
std::vector<Off> all_off(const run::Run& run, const Rounded& warp) {
  std::vector<Off> all;
  if (!warp) return all;
  Reference reference(run);
  for (std::size_t lane = 0; lane < warp->threads.size(); ++lane) {
    if (!warp->threads[lane].stored) continue;
    const auto off = reference.off(lane, warp->threads[lane].result);
    all.push_back(off ? *off : recorded_off(warp->threads[lane]));
  }
  return all;
}
std::vector<Off> own_off(const Subject& s) {
  return s.beside == nullptr ? std::vector<Off>() : all_off(s.run, s.beside->rounding);
}
std::vector<Off> other_off(const Subject& s) {
  if (s.beside == nullptr || s.beside->rounded_before == nullptr) return {};
  return all_off(*s.beside->rounded_before, s.beside->rounding_of_other);
}

const Off* worst(const std::vector<Off>& all) {
  const auto found = std::ranges::max_element(all, {}, &Off::units);
  return found == all.end() ? nullptr : &*found;
}
Measured units_of_worst(const std::vector<Off>& all) {
  const Off* off = worst(all);
  return off != nullptr ? Measured(one(off->units())) : std::nullopt;
}
// "Once": by half of the last place at most.
Measured units_off(const Subject& s) {
  const Measured units = units_of_worst(own_off(s));
  const bool says_once = s.claim.shown.find_first_of("0123456789") == std::string::npos;
  return units && says_once && units->mean > kOnce ? std::nullopt : units;
}
Measured units_off_of_other(const Subject& s) { return units_of_worst(other_off(s)); }
Measured times_off(const Subject& s) {
  const Measured own = units_of_worst(own_off(s)), other = units_of_worst(other_off(s));
  return own && other && own->mean > 0 ? Measured(one(other->mean / own->mean)) : std::nullopt;
}
// Nothing where a part of the sum is left.
Measured error_over_sum(const Subject& s) {
  const std::vector<Off> all = own_off(s);
  const Off* off = worst(all);
  return off != nullptr && off->error >= off->sum ? Measured(one(off->error / off->sum)) : std::nullopt;
}
Measured threads_right(const Subject& s) {
  const std::vector<Off> all = own_off(s);
  if (all.empty()) return std::nullopt;
  return one(
      static_cast<double>(std::ranges::count_if(all, [](const Off& off) { return off.units() <= kOnce; })));
}
Measured warp_threads(const Subject&) { return one(32); }

}  // namespace

std::vector<Row> rounding_measures() {
  return {{Quantity::units_off, units_off},         {Quantity::units_off_of_other, units_off_of_other},
          {Quantity::times_off, times_off},         {Quantity::error_over_sum, error_over_sum},
          {Quantity::threads_right, threads_right}, {Quantity::warp_threads, warp_threads}};
}

}  // namespace warplens::claims_check
