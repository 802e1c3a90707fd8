// The kernel folder: every .cu file under it is a step; files appear, change and vanish while the program
// runs. An id is the path below the folder without .cu: "matmul/03_shared_tile". Hidden files and folders are
// passed over.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"

namespace warplens::catalog {

// Of a file's code that has no front matter.
struct GuessedText {
  std::string front_matter;         // empty: nothing can be guessed
  std::optional<Error> error = {};  // of the file itself, with its line: there is nothing to guess then
};
using Guess = std::function<GuessedText(std::string_view code)>;
// As parse_kernel(), with a guessed front matter where the text has none; KernelSpec::guessed then has it.
Result<KernelSpec> parse_or_guess(std::string_view text, std::string_view id, std::string_view path,
                                  const Guess& guess);

class Catalog {
 public:
  // A folder that is missing is one error; a bad file is an entry of problems() and leaves the others usable.
  // guess: for files outside of the folder.
  static Result<Catalog> open(const std::filesystem::path& folder, Guess guess = {});

  const std::vector<KernelSpec>& kernels() const { return kernels_; }  // sorted by id
  const std::vector<Error>& problems() const { return problems_; }     // one a bad file or folder
  // By id, or by a path to a .cu file (read there and then). An unknown id is an error that names near ones;
  // the id of a file that is in problems() is that error. The id of a file outside the folder is its path as
  // given. A step that has another number now is found by its name, so that states and notes written before
  // steps were put in between still open: reduction/02_sequential is reduction/03_sequential.
  Result<KernelSpec> find(std::string_view id_or_path) const;
  // The same from that file alone, a tenth of the work. Nothing where it takes the others to tell.
  static std::optional<Result<KernelSpec>> find_alone(const std::filesystem::path& folder,
                                                      std::string_view id_or_path, const Guess& guess);
  // A text that is no file, until refresh(); what it includes from beside itself is not there. Errors: as parse_or_guess().
  Status add(const std::string& id, std::string text);
  void remove(const std::string& id);
  // Reads what changed on disk since (by time, size and contents). True where anything did.
  // A file that has become bad leaves kernels() and enters problems(); a folder that is gone is one problem.
  bool refresh();

 private:
  struct File {
    std::filesystem::file_time_type written, read;  // when changed on disk, and when read here
    std::uintmax_t size = 0;
    std::string text;  // empty where it could not be read
    Result<KernelSpec> parsed;
  };
  // false: as it was
  bool read_again(const std::filesystem::path& path, const std::string& id);
  void publish();
  Error unknown(std::string_view id) const;
  const File* find_moved(std::string_view id) const;  // null where none or several have its name

  std::filesystem::path folder_;
  Guess guess_;
  std::vector<KernelSpec> kernels_;
  std::vector<Error> problems_;
  std::vector<Error> folder_problems_;  // those of them that no file has
  std::map<std::string, File> files_;   // by id
};

}  // namespace warplens::catalog
