// warplens new: a kernel file to begin with, or a front matter for one that has none.
#include <fmt/core.h>

#include <filesystem>

#include "app/base/compiler_options.hpp"
#include "app/base/workspace.hpp"
#include "app/commands/commands.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/front_matter.hpp"
#include "engine/catalog/near.hpp"
#include "engine/compile/worker.hpp"
#include "engine/problem/kind_texts.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

Error unknown_kind(const std::string& name) {
  std::vector<std::string> names;
  std::string list;
  for (const problem::KindText& kind : problem::kind_texts()) {
    names.emplace_back(kind.name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  const auto near = catalog::near_names(name, names, 1);
  return {"there is no kind of problem " + name, (near.empty() ? "" : "did you mean " + near.front() + "? ") +
                                                     "the kinds are " + list +
                                                     "; a .cu file of yours gets a front matter"};
}

Result<std::string> text_like(const std::string& like) {
  if (!like.ends_with(".cu") && !like.ends_with(".cuh")) {
    const problem::KindText* kind = problem::find_kind_text(like);
    if (kind == nullptr) return unknown_kind(like);
    return problem::kernel_file_of(*kind);
  }
  const auto text = read_whole_file(like);
  if (!text) return text.error();
  if (catalog::has_front_matter(*text))
    return Error{"the file has a front matter already", "run it as it is", {like, 0, 0}};
  const std::string front = problem::guessed_front_matter(*text);
  if (front.empty())
    return Error{"the file has no kernel", "write one: __global__ void kernel(...)", {like, 0, 0}};
  return "/*---\n" + front + "---*/\n" + *text;
}

}  // namespace

Result<int> compile_worker_command(const CommonOptions& common) {
  return compile::serve_compilations(compiler_options(read_environment(), common), 0);
}

Result<int> new_command(const CommonOptions&, const NewOptions& options) {
  const fs::path path = options.name.ends_with(".cu") ? options.name : options.name + ".cu";
  std::error_code failed;
  if (fs::exists(path, failed))
    return Error{path.string() + " is there already", "choose another name, or remove it first"};
  const auto text = text_like(options.like);
  if (!text) return text.error();
  if (const Status written = write_whole_file(path, *text); !written) return written.error();
  fmt::print("wrote {0}; run it with: warplens run {0}\n", path.string());
  return kExitFine;
}

}  // namespace warplens::app
