#include "engine/catalog/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "engine/catalog/front_matter.hpp"
#include "engine/catalog/ladders.hpp"
#include "engine/catalog/near.hpp"

namespace warplens::catalog {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kLargestFile = 4 << 20;
// A file changed twice within the clock's grain keeps its time: one written this shortly before it was read
// is read again (git calls it racy). https://git-scm.com/docs/racy-git
constexpr auto kRacy = std::chrono::seconds(2);

bool is_kernel_file(const fs::path& path) { return path.extension() == ".cu" && !path.stem().empty(); }
bool is_hidden(const fs::path& path) { return path.filename().native().starts_with('.'); }

std::string id_below(const fs::path& folder, const fs::path& file) {
  return file.lexically_relative(folder).replace_extension().generic_string();
}

// "reduction/sequential" of "reduction/02_sequential"; empty where the file's name does not begin with a
// number.
std::string without_number(std::string_view id) {
  const std::size_t name = id.rfind('/') + 1;  // 0 where there is no folder
  const std::size_t end = id.find_first_not_of("0123456789", name);
  if (end == std::string_view::npos || end == name || id[end] != '_') return "";
  return std::string(id.substr(0, name)).append(id.substr(end + 1));
}

Result<std::string> read_text(const fs::path& path) {
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(path, failed);
  if (!failed && size > kLargestFile) {
    return Error{fmt::format("the file has {} bytes, too many for a kernel", size),
                 "keep it under 4 MiB",
                 {path.string(), 0, 0}};
  }
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.is_open() && !file.bad()) return text;
  return Error{
      "the file cannot be read", "check that it is there and that you may read it", {path.string(), 0, 0}};
}

Result<KernelSpec> read_kernel(const fs::path& path, std::string_view id, const Guess& guess) {
  const auto text = read_text(path);
  if (!text) return text.error();
  return parse_or_guess(*text, id, path.string(), guess);
}

struct Listing {
  std::vector<fs::path> files;
  std::vector<Error> problems;  // one a folder that cannot be read
};

// A file, or a link to one that is gone, which reading it will say.
bool is_readable_kind(const fs::directory_entry& entry) {
  std::error_code unknown;  // a file that vanishes meanwhile is simply not there
  return entry.is_regular_file(unknown) || (entry.is_symlink(unknown) && !entry.exists(unknown));
}

void check_folder(const fs::path& folder, std::vector<Error>& problems) {
  std::error_code failed;
  const fs::directory_iterator opened(folder, failed);
  if (failed == std::errc::permission_denied)
    problems.push_back({"the folder cannot be read: " + failed.message(),
                        "check the folder's rights",
                        {folder.string(), 0, 0}});
}

// The kernel files below a folder. Errors: the folder itself cannot be listed.
Result<Listing> kernel_files(const fs::path& folder) {
  std::error_code failed;
  Listing listing;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, failed);
  check_folder(folder, listing.problems);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    std::error_code unknown;
    const bool is_folder = entry->is_directory(unknown);
    if (is_hidden(entry->path())) {
      if (is_folder) entry.disable_recursion_pending();
    } else if (is_folder) {
      check_folder(entry->path(), listing.problems);
    } else if (is_kernel_file(entry->path()) && is_readable_kind(*entry)) {
      listing.files.push_back(entry->path());
    }
  }
  if (!failed) return listing;
  return Error{fmt::format("the kernel folder {} cannot be read: {}", folder.string(), failed.message()),
               "check the folder's path and rights",
               {}};
}

}  // namespace

Result<KernelSpec> parse_or_guess(std::string_view whole, std::string_view id, std::string_view path,
                                  const Guess& guess) {
  if (!guess || has_front_matter(whole)) return parse_kernel(whole, id, path);
  const std::string text = usual_text(whole);
  GuessedText guess_of_text = guess(text);
  if (guess_of_text.error) {
    guess_of_text.error->place.file = path;
    return *guess_of_text.error;
  }
  const std::string guessed = std::move(guess_of_text.front_matter);
  if (guessed.empty())
    return Error{"the file has no kernel: no function of it with a body is __global__",
                 "write one, such as __global__ void scale(float* x, int n) { ... }",
                 {std::string(path), 0, 0}};
  // Its lines are none of the file.
  auto spec = parse_kernel("/*---\n" + guessed + "---*/\n" + text, id, path);
  if (!spec)
    return Error{"for this kernel no front matter can be guessed: " + spec.error().message,
                 "write one at the top of the file, between /*--- and ---*/",
                 {std::string(path), 0, 0}};
  spec->code = text;
  spec->guessed = guessed;
  spec->problem_line = spec->block_line = spec->grid_line = spec->shared_line = 0;
  return spec;
}

Result<Catalog> Catalog::open(const fs::path& folder, Guess guess) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) {
    const bool there = fs::exists(folder, failed);
    return Error{
        fmt::format("the kernel folder {} is {}", folder.string(), there ? "not a folder" : "not there"),
        "give the path of a folder with .cu files",
        {}};
  }
  Catalog catalog;
  catalog.folder_ = folder;
  catalog.guess_ = std::move(guess);
  catalog.refresh();
  return catalog;
}

bool Catalog::refresh() {
  auto listing = kernel_files(folder_);
  if (!listing) {
    const bool known = files_.empty() && problems_.size() == 1 && problems_.front() == listing.error();
    files_.clear();
    kernels_.clear();
    folder_problems_.assign(1, listing.error());
    problems_ = folder_problems_;
    return !known;
  }
  // A folder that was gone and is back, empty, clears its problem too.
  bool changed = folder_problems_ != listing->problems;
  folder_problems_ = std::move(listing->problems);
  std::set<std::string> present;
  for (const fs::path& path : listing->files) {
    const std::string id = id_below(folder_, path);
    changed |= read_again(path, id);
    present.insert(id);
  }
  const Ladders taught = read_ladders_in(folder_);
  for (auto& [id, file] : files_)
    if (file.parsed) teach(*file.parsed, taught);
  changed |= std::erase_if(files_, [&](const auto& entry) { return !present.contains(entry.first); }) > 0;
  if (changed) publish();
  return changed;
}

bool Catalog::read_again(const fs::path& path, const std::string& id) {
  std::error_code failed;
  const fs::file_time_type written = fs::last_write_time(path, failed);
  const std::uintmax_t size = fs::file_size(path, failed);
  const auto known = files_.find(id);
  const bool same_mark =
      known != files_.end() && known->second.written == written && known->second.size == size;
  if (!failed && same_mark && known->second.read - written > kRacy) return false;
  const fs::file_time_type now = fs::file_time_type::clock::now();
  auto text = read_text(path);
  if (known != files_.end() && text && !known->second.text.empty() && known->second.text == *text) {
    known->second.written = written;
    known->second.size = size;
    known->second.read = now;
    return false;
  }
  Result<KernelSpec> parsed =
      text ? parse_kernel(*text, id, path.string()) : Result<KernelSpec>(text.error());
  const bool same_failure = known != files_.end() && !parsed && !known->second.parsed &&
                            parsed.error() == known->second.parsed.error();
  files_.insert_or_assign(id, File{written, now, size, text ? *text : std::string(), std::move(parsed)});
  return !same_failure;
}

Status Catalog::add(const std::string& id, std::string text) {
  auto parsed = parse_or_guess(text, id, "/" + id + ".cu", guess_);
  if (!parsed) return parsed.error();
  files_.insert_or_assign(id, File{{}, {}, text.size(), std::move(text), std::move(parsed)});
  publish();
  return Done{};
}

void Catalog::remove(const std::string& id) {
  files_.erase(id);
  publish();
}

void Catalog::publish() {
  kernels_.clear();
  problems_ = folder_problems_;
  for (const auto& [id, file] : files_) {
    if (file.parsed) {
      kernels_.push_back(*file.parsed);
    } else {
      problems_.push_back(file.parsed.error());
    }
  }
}

Result<KernelSpec> Catalog::find(std::string_view id_or_path) const {
  const auto known = files_.find(std::string(id_or_path));
  if (known != files_.end()) return known->second.parsed;
  const fs::path path(id_or_path);
  std::error_code failed;
  if (path.extension() != ".cu" && path.extension() != ".cuh") {
    const File* moved = find_moved(id_or_path);
    if (moved != nullptr || !fs::exists(path, failed))
      return moved != nullptr ? moved->parsed : unknown(id_or_path);
    return Error{fmt::format("{} is no kernel file", path.string()),
                 "name a file that ends in .cu or .cuh, or a kernel's id",
                 {}};
  }
  for (const auto& [id, file] : files_) {
    if (fs::equivalent(path, folder_ / (id + ".cu"), failed) && !failed) return read_kernel(path, id, guess_);
  }
  if (fs::is_regular_file(path, failed)) return read_kernel(path, path.generic_string(), guess_);
  // "matmul/03_shared_tile.cu", as one writes with the folder in mind.
  const auto below = files_.find(fs::path(path).replace_extension().generic_string());
  if (below != files_.end()) return below->second.parsed;
  const bool there = fs::exists(path, failed);
  return Error{fmt::format("{} is {}", path.string(), there ? "not a file" : "not there"),
               "check the path, or give a kernel's id as `warplens list` shows it",
               {}};
}

std::optional<Result<KernelSpec>> Catalog::find_alone(const fs::path& folder, std::string_view id_or_path,
                                                      const Guess& guess) {
  std::error_code failed;
  const fs::path name(id_or_path), below = folder / (std::string(id_or_path) + ".cu");
  const bool is_plain = !name.empty() && name.is_relative() && name == name.lexically_normal() &&
                        std::none_of(name.begin(), name.end(), is_hidden);
  if (is_plain && fs::is_regular_file(below, failed)) {
    auto spec = read_kernel(below, id_or_path, {});
    if (spec) teach(*spec, read_ladders_in(folder));
    return spec;
  }
  if ((name.extension() != ".cu" && name.extension() != ".cuh") || !fs::is_regular_file(name, failed))
    return std::nullopt;
  const fs::path root = fs::canonical(folder, failed), file = fs::canonical(name, failed);
  if (failed || file.native().starts_with(root.native() + '/')) return std::nullopt;
  return read_kernel(name, name.generic_string(), guess);
}

const Catalog::File* Catalog::find_moved(std::string_view id) const {
  const std::string name = without_number(id);
  if (name.empty()) return nullptr;
  const File* found = nullptr;
  for (const auto& [known, file] : files_) {
    if (without_number(known) != name) continue;
    if (found != nullptr) return nullptr;
    found = &file;
  }
  return found;
}

Error Catalog::unknown(std::string_view id) const {
  std::vector<std::string> ids;
  for (const auto& [known, file] : files_) ids.push_back(known);
  const std::string message = fmt::format("there is no kernel {}", id);
  if (ids.empty()) return Error{message, fmt::format("the folder {} has none at all", folder_.string()), {}};
  const std::vector<std::string> near = near_names(id, ids);
  if (near.empty()) return Error{message, "`warplens list` shows them all", {}};
  return Error{message, fmt::format("did you mean {}?", fmt::join(near, " or ")), {}};
}

}  // namespace warplens::catalog
