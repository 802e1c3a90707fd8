// A kernel's text as it stands in the editor, saved or not: shown and run in place of its file's.
#pragma once

#include <optional>
#include <string>

#include "engine/catalog/kernel_spec.hpp"

namespace warplens::app {

struct EditedText {
  std::string id;             // the path of its file, which may not be there yet
  std::string original = {};  // the kernel of the program that it is a copy of; empty: none
  std::string text = {};
  std::string saved = {};  // what the file has; empty: there is none, or it is a copy
};

struct EditedKernel {
  std::string original;
  catalog::KernelSpec spec;                  // of the newest text that could be read
  std::optional<catalog::KernelSpec> saved;  // to compare it with; its id is no file's
};

// What the saved text of an edited kernel is called, beside the edited one.
inline std::string saved_id(const std::string& id) { return id + " (saved)"; }

}  // namespace warplens::app
