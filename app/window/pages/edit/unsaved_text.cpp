#include "app/window/pages/edit/unsaved_text.hpp"

#include <filesystem>

namespace warplens::app {

std::optional<EditedText> unsaved_text(const Drafts& drafts, const std::string& kernel) {
  std::error_code ignored;
  if (!kernel.starts_with('/') || std::filesystem::exists(kernel, ignored)) return std::nullopt;
  const auto draft = drafts.of(kernel);
  if (!draft) return std::nullopt;
  return EditedText{draft->file, draft->original, draft->text, ""};
}

}  // namespace warplens::app
