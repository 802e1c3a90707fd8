// What the figure of the data's way says: its heading, what stands beside each pipe and plane, and the narrow
// place in a sentence.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/explain/explain.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "viz/figures/flow/flow.hpp"

namespace warplens::figures {

struct LabelLine {
  std::string text;
  TextStyle style;
};

struct FlowWords {
  const run::Run& run;
  const Flow& flow;
  const StepBefore* before = nullptr;
  FlowOptions::Per per = FlowOptions::Per::operation;
  Look look = Look::file;                     // where words are few amounts say of what they are
  double recorded_seconds = 0;                // that a launch took on the device; 0: it was not measured
  const explain::Payoffs* payoffs = nullptr;  // null: not known
  bool hides_speed = false;                   // how long a launch takes is not said

  std::string title() const;
  std::string subtitle(double width, const scene::TextMeasure& measure) const;
  // The first line is the amount; the others are left out from the end where they have no room.
  std::vector<LabelLine> label_of(std::size_t pipe, double width, double height,
                                  const scene::TextMeasure& measure) const;
  std::string title_of(const Pipe& pipe) const;  // for the pointer: of a whole launch
  // A name and notes to it.
  using Named = std::pair<std::string, std::vector<std::string>>;
  std::string unit_words() const;  // "width: bytes of a multiply-add"
  // Of the mark that shows the scale: bytes of what is looked at, and what it says.
  std::pair<double, std::string> scale_mark(double most_of_a_launch) const;
  Named memory() const, l2() const, on_chip() const, registers() const;

  explain::Explanation explanation() const;
  Color narrow_color() const;

 private:
  bool has_model() const { return payoffs != nullptr && payoffs->now.seconds > 0; }
  explain::Explanation by_the_model() const;  // precondition: has_model()
  explain::Verdict verdict() const;
  const Pipe* wasteful() const;
  const Pipe* costly() const;
  std::string part() const;               // "multiply-add", "block", "launch"
  std::string of_what() const;            // "a multiply-add"; for a class "/ multiply-add"
  bool knows_all() const;                 // the rate of every pipe
  explain::Explanation step_fix() const;  // of the step as a whole, where it is of the costly pipe
  bool is_mostly_arithmetic() const;
  struct Busy {
    std::string name = {};
    double seconds = 0;
    std::string_view of = "arithmetic";  // as name_of() has a pipe
  };
  Busy busiest_other() const;
  explain::Said others() const;
  // Of "arithmetic", or a pipe as name_of() has it.
  explain::Said time_words(double seconds, std::string_view of) const;   // ": 133 µs a launch at least"
  explain::Said share_words(double seconds, std::string_view of) const;  // "133 µs of 200 µs measured"
  explain::Said idle() const;
  void say_waste(explain::Explanation& said, const Pipe& waste, const Pipe* narrow) const;
  void say_arithmetic(explain::Explanation& said) const;
  void say_narrow(explain::Explanation& said, const Pipe& pipe) const;
  bool says_unit() const { return flow.narrow.has_value(); }  // beside the bottleneck
  double shown(double of_a_launch) const { return of_a_launch / flow.parts(per); }
};

}  // namespace warplens::figures
