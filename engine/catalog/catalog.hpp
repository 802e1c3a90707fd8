// The kernel folder: every .cu file under it is a step; files appear, change and vanish while the program runs.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"

namespace warplens::catalog {

class Catalog {
 public:
  // A folder that is missing is one error; a bad file is an entry of problems() and leaves the others usable.
  static Result<Catalog> open(const std::filesystem::path& folder);

  const std::vector<KernelSpec>& kernels() const { return kernels_; }  // sorted by id
  const std::vector<Error>& problems() const { return problems_; }     // one a bad file
  // By id, or by a path to a .cu file (read there and then). An unknown id is an error that names near ones.
  Result<KernelSpec> find(std::string_view id_or_path) const;
  // Reads what changed on disk since (by time, size and contents). True where anything did.
  bool refresh();

 private:
  struct File;
  std::filesystem::path folder_;
  std::vector<KernelSpec> kernels_;
  std::vector<Error> problems_;
  std::map<std::string, std::pair<std::filesystem::file_time_type, std::uintmax_t>> seen_;
};

}  // namespace warplens::catalog
