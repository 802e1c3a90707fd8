// What was typed and not saved yet, kept on disk beside the program's own data, so that no end of the program
// takes it away. One file a text, written whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens::app {

struct Draft {
  std::string file;      // where the text is to be saved; it may not be there yet
  std::string original;  // the kernel that it is a copy of; empty: the file itself
  std::string base;      // fingerprint of the file when it was opened; empty: there was none
  std::string text;
  bool operator==(const Draft&) const = default;
};

std::string fingerprint_of(std::string_view text);

std::string to_text(const Draft& draft);
Result<Draft> parse_draft(std::string_view text);

class Drafts {
 public:
  Drafts();                                       // keeps nothing
  explicit Drafts(std::filesystem::path folder);  // made where it is missing; empty: nothing is kept
  ~Drafts();
  Drafts(Drafts&&) noexcept;
  Drafts& operator=(Drafts&&) noexcept;

  // On a worker, at once, and then again at most every 100 ms: the newest text is always written.
  void keep(Draft draft);
  void forget(const std::string& file);  // it was saved, or thrown away
  void flush();                          // waits until all is on disk
  // As they are on disk, the newest first. Files that cannot be read are left out.
  std::vector<Draft> all() const;
  std::optional<Draft> of(const std::string& file) const;
  std::optional<Error> take_error();  // why the newest could not be written

 private:
  struct Writer;
  std::filesystem::path path_of(const std::string& file) const;
  std::filesystem::path folder_;
  std::unique_ptr<Writer> writer_;
};

}  // namespace warplens::app
