// The parts of the editor's page around its text, one file each.
#pragma once

#include "app/window/kit/ui.hpp"

namespace warplens::app {

class EditSession;
class EditorView;

// What is open and what can be done with it; below it what was found from before, or must be decided. Returns
// the height. doomed: the file of the draft that is about to be thrown away; empty: none.
double draw_edit_head(const Ui& ui, const Rect& rect, EditSession& session, EditorView& view,
                      std::string& doomed);

// TextVerdict, errors, warnings and findings below the text; a click goes to the line, and to its access in
// the picture.
double problem_strip_height(const Ui& ui, const EditSession& session, double width);
void draw_problem_strip(const Ui& ui, const Rect& rect, EditSession& session, EditorView& view);

// "verified", "not checked", what is wrong, or what is being waited for.
struct TextVerdict {
  std::string word, why;
  Token color = Token::dim;
};
TextVerdict verdict_of(const Model& model, const EditSession& session);

}  // namespace warplens::app
