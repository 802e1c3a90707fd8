// A kernel that was typed and never saved, as its draft has it.
#pragma once

#include <optional>
#include <string>

#include "app/edit/draft.hpp"
#include "app/window/model/model_options.hpp"

namespace warplens::app {

// Empty if there is no draft, and if its file is there, which the editor opens by itself.
std::optional<EditedText> unsaved_text(const Drafts& drafts, const std::string& kernel);

}  // namespace warplens::app
