// A lesson beside the open page: the text of a stop, its question, its exercise, and the way on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/kit/ui.hpp"
#include "viz/lesson/stage.hpp"
#include "viz/scene/scene.hpp"

namespace warplens::app {

// Pixels across that the panel takes of a window this wide.
double lesson_panel_width(const Ui& ui, double window);

class LessonPanel {
 public:
  // Precondition: a lesson is open.
  void draw(const Ui& ui, const Rect& rect);
  // The list of the program's lessons and what else can be done, as items of the menu that is open.
  static void draw_menu_items(const Ui& ui);
  enum class Known { nothing, on_its_way, all };  // of the answer

 private:
  // Where a part of the text stands in the panel, from its top, however far that is scrolled.
  struct Part {
    double top = 0, bottom = 0;
  };
  // Of what a question is made of, from its own corner.
  struct QuestionPlaces {
    std::vector<Rect> choices;
    Rect field;  // for a number, where there are no choices
    double width = 0, verdict = 0, height = 0;
  };
  // Text that was laid out once: it stays the same from frame to frame.
  struct Text {
    std::string key;
    scene::Scene scene{{0, 0}};
  };
  double draw_head(const Ui& ui, const Rect& rect);
  double draw_mistakes(const Ui& ui, scene::Point at, double width);
  void draw_stop(const Ui& ui, const Rect& rect);
  double draw_flow(const Ui& ui, const Rect& rect, bool is_new);
  const scene::Scene& laid_out(const Ui& ui, const std::string& key, double width, auto&& add);
  double draw_text_of(const Ui& ui, const std::string& key, scene::Point at, double width, auto&& add);
  static void scroll_to(const Part& part, double end, double height);
  void follow_answer(const Ui& ui, const Part& asked, double end, double height);
  QuestionPlaces lay_out_question(const Ui& ui, double width);
  double lay_out_choices(const Ui& ui, double top, double width, std::vector<Rect>& places);
  void draw_question(const Ui& ui, scene::Point at, const QuestionPlaces& places);
  void draw_open_question(const Ui& ui, const Rect& rect, const QuestionPlaces& places);
  void draw_choice(const Ui& ui, const Rect& rect, std::size_t index);
  bool take_typed(const Ui& ui);
  void draw_number_field(const Ui& ui, const Rect& field);
  double draw_exercise(const Ui& ui, scene::Point at, double width);
  double draw_writing(const Ui& ui, scene::Point at, double width);
  double draw_hints(const Ui& ui, scene::Point at, double width);
  double draw_writing_buttons(const Ui& ui, scene::Point at, double width);
  double draw_lines(const Ui& ui, scene::Point at, double width);
  double draw_words(const Ui& ui, const std::string& key, scene::Point at, double width,
                    const std::string& words, Token color = Token::text, bool strong = false);
  // Screen pixels that draw_words() would take.
  double height_of(const Ui& ui, const std::string& key, double width, const std::string& words,
                   Token color = Token::text, bool strong = false);

  std::vector<Text> texts_;
  std::string of_;                        // the stop that they are of
  std::string typed_;                     // the number, as it is typed
  bool hint_ = false, had_hint_ = false;  // had: in the frame before
  Known known_ = Known::nothing;          // in the frame before
  bool reveals_ = false;                  // it was asked for at this stop, and not all of it is there yet
};

}  // namespace warplens::app
