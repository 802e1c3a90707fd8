// Plots of every kind, for tests and for looking at. The numbers are made up; they stand in no figure.
#pragma once

#include <cmath>

#include "viz/plot/plot.hpp"

namespace warplens::plot::samples {

using Kind = Series::Kind;

// The ladder: one bar a step, recorded, the last modelled.
inline Plot ladder() {
  Plot plot;
  plot.title = "Matmul, 4096 × 4096 × 4096";
  plot.subtitle = "H100, fp32, best parameters of each step";
  plot.caption =
      "Recorded: median of 20 runs after 3 warm-ups. Modelled: least of the compute and the memory bound.";
  plot.horizontal = true;
  plot.x = {.scale = Scale::category,
            .categories = {"Naive", "Coalesced", "Shared tile", "Register strip", "Register tile",
                           "Vectorized", "Final"}};
  plot.y = {.label = "FLOP/s", .unit = "FLOP/s", .notation = Notation::si};
  Series bars{.id = "recorded", .name = "Measured", .kind = Kind::bars};
  for (const double gflops : {498.0, 5980.0, 8970.0, 16930.0, 25900.0, 30400.0, 52300.0}) {
    bars.x.push_back(static_cast<double>(bars.x.size()));
    bars.y.push_back(gflops * 1e9);
    bars.labels.push_back(si(gflops * 1e9, 3, " ", "FLOP/s") + "  " + plain(gflops / 498, 3) + "×");
  }
  plot.series = {bars};
  return plot;
}

inline Plot grouped() {
  Plot plot;
  plot.title = "Speed by block size";
  plot.x = {.label = "Threads per block",
            .scale = Scale::category,
            .categories = {"64", "128", "256", "512", "1,024"}};
  plot.y = {.label = "TFLOP/s"};
  const Provenance kinds[] = {Provenance::recorded, Provenance::live, Provenance::emulated,
                              Provenance::modelled};
  const char* names[] = {"H100", "This GPU", "Emulator", "Bound"};
  for (int k = 0; k < 4; ++k) {
    Series s{.id = names[k],
             .name = names[k],
             .kind = Kind::bars,
             .provenance = kinds[k],
             .color = scene::Color(theme::series(k))};
    s.id[0] = static_cast<char>(s.id[0] | 32);
    if (k == 1) s.id = "this-gpu";
    for (int i = 0; i < 5; ++i) {
      s.x.push_back(i);
      s.y.push_back((8 + 4 * k + 6.5 * i - i * i));
      if (k == 0) s.low.push_back(s.y.back() - 1.5), s.high.push_back(s.y.back() + 1.5);
    }
    plot.series.push_back(s);
  }
  return plot;
}

inline Plot size_curve() {
  Plot plot;
  plot.title = "Performance against size";
  plot.subtitle = "Square matrices; the band is the fastest and the slowest of 20 runs";
  plot.x = {.label = "M = N = K", .scale = Scale::log2};
  plot.y = {.label = "FLOP/s", .unit = "FLOP/s", .notation = Notation::si};
  Series band{.id = "spread", .name = "Spread", .kind = Kind::band, .color = scene::Color(theme::series(0))};
  Series measured{.id = "measured", .name = "Register tile", .color = scene::Color(theme::series(0))};
  Series live{.id = "live",
              .name = "Register tile",
              .provenance = Provenance::live,
              .color = scene::Color(theme::series(1))};
  Series bound{.id = "bound",
               .name = "Roofline bound",
               .provenance = Provenance::modelled,
               .color = scene::Color(theme::series(2))};
  Series emulated{.id = "emulated",
                  .name = "Sectors, scaled",
                  .provenance = Provenance::emulated,
                  .color = scene::Color(theme::series(3))};
  for (int e = 7; e <= 14; ++e) {
    const double n = std::exp2(e), y = 26e12 / (1 + 1.2e6 / (n * n));
    for (Series* s : {&band, &measured, &live, &bound, &emulated}) s->x.push_back(n);
    band.low.push_back(y * 0.9), band.high.push_back(std::min(y * 1.08, 3e13));
    measured.y.push_back(y), live.y.push_back(y * 0.8);
    bound.y.push_back(std::min(51e12, n * n * 2e8)), emulated.y.push_back(y * 0.45);
  }
  plot.series = {band, measured, live, bound, emulated};
  return plot;
}

inline Plot roofline() {
  Plot plot;
  plot.title = "Roofline, H100";
  plot.x = {.label = "FLOP per byte moved", .scale = Scale::log10};
  plot.y = {.label = "FLOP/s", .unit = "FLOP/s", .scale = Scale::log10, .notation = Notation::si};
  plot.series = {
      {.id = "roof",
       .name = "",
       .provenance = Provenance::modelled,
       .color = scene::Color(scene::Token::dim),
       .x = {0.05, 51.2e12 / 3.35e12, 1000},
       .y = {0.05 * 3.35e12, 51.2e12, 51.2e12},
       .markers = false},
      {.id = "steps",
       .name = "Steps",
       .kind = Kind::points,
       .color = scene::Color(scene::Token::series_1),
       .x = {0.25, 2, 8, 16, 32, 40},
       .y = {0.5e12, 4e12, 9e12, 17e12, 26e12, 31e12},
       .labels = {"Naive", "Coalesced", "Shared tile", "Register strip", "Register tile", "Vectorized"}}};
  plot.annotations = {{.kind = Annotation::Kind::horizontal, .y = 51.2e12, .text = "fp32 peak 51.2 TFLOP/s"},
                      {.kind = Annotation::Kind::vertical, .x = 15.3, .text = "ridge 15.3"}};
  return plot;
}

inline Plot occupancy() {
  Plot plot;
  plot.title = "Occupancy by registers";
  plot.x = {.label = "Registers per thread"};
  plot.y = {.label = "Warps per multiprocessor", .high = 64};
  Series steps{.id = "warps",
               .name = "Warps",
               .kind = Kind::step,
               .provenance = Provenance::modelled,
               .markers = false};
  for (int r = 16; r <= 255; r += 8)
    steps.x.push_back(r), steps.y.push_back(std::min(64.0, std::floor(65536.0 / (r * 32) / 4) * 4));
  plot.series = {steps};
  plot.annotations = {{.kind = Annotation::Kind::note,
                       .x = 104,
                       .y = 16,
                       .text = "this kernel: 102",
                       .color = scene::Token::accent}};
  return plot;
}

}  // namespace warplens::plot::samples
