// A card of the row of numbers, and the one of speed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/kit/ui.hpp"
#include "engine/catalog/kernel_spec.hpp"
#include "engine/run/run.hpp"
#include "engine/time/predict.hpp"
#include "viz/plot/plot.hpp"

namespace warplens::app {

struct Card {
  std::string title = {}, short_title = {}, value = {}, note = {};
  std::string short_note = {};  // where there is no room for the note
  std::string name = {};        // of its mark; empty: the short title
  bool costly = false;
  bool is_of_launch = false;  // known before it ran
  std::string tip = {};       // the formula behind the number
  std::string unit = {};      // small, behind the value
  std::optional<plot::Provenance> provenance = plot::Provenance::emulated;
  bool confirmed = false;  // the GPU's own counters say the same
  // A line at the right of a wide card; they are listed from the top.
  struct Line {
    std::string text;
    Token color = Token::dim;
    std::optional<plot::Provenance> provenance = {};
    std::vector<std::string> shorter = {};  // where there is no room for the text, the first that fits
  };
  bool is_wide = false;
  std::vector<Line> lines = {};
};

// The cards that were shown for the last complete run of a kernel.
struct LastCards {
  std::string kernel;
  std::vector<Card> cards;
};

// The card as it looks while the run's warps are still being counted.
Card pending(Card card);

// Of the kernel's own values, or of those set by hand.
bool no_block_fits(const Ui& ui, const run::Run& run);

// What was measured with exactly these parameters at the size of the list of steps and at the run's own, what
// that leaves idle, and what the model predicts for it, with how far that is from what was measured.
// predicted: may be null. Where no block fits nothing is predicted, and the card says so.
Card speed_card(const Ui& ui, const run::Run& run, const time::Prediction* predicted);

}  // namespace warplens::app
