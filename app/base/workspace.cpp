#include "app/base/workspace.hpp"
#include "app/base/compiler_options.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/problem/kind_texts.hpp"

#include <fmt/core.h>

#include <string>
#include <utility>

namespace warplens::app {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> toolkit_folders(const Environment& environment) {
  std::vector<fs::path> folders;
  for (const std::string& folder : {environment.cuda_path, environment.virtual_env})
    if (!folder.empty()) folders.emplace_back(folder);
  if (!environment.home.empty())
    folders.push_back(fs::path(environment.home) / ".local");  // pip's, of a user
  return folders;
}

}  // namespace

compile::Compiler::Options compiler_options(const Environment& environment, const CommonOptions& common) {
  compile::Compiler::Options options{.library = environment.warplens_nvrtc,
                                     .cache_folder = cache_folder(environment, common)};
  options.search_folders = toolkit_folders(environment);
  return options;
}

std::vector<std::string> compile_worker_words(const Environment& environment, const CommonOptions& common) {
  if (environment.executable.empty()) return {};
  std::vector<std::string> words = {environment.executable.string(), "compile-worker"};
  if (common.no_cache) words.emplace_back("--no-cache");
  if (!common.cache.empty()) words.insert(words.end(), {"--cache", common.cache});
  return words;
}

Result<Workspace> Workspace::open(const CommonOptions& common) {
  const Environment environment = read_environment();
  auto home = find_home(environment, common);
  if (!home) return home.error();
  Workspace workspace;
  workspace.home_ = *std::move(home);
  workspace.recorded_ = std::make_shared<measured::Recorded>(workspace.home_);
  workspace.compiler_options_ = compiler_options(environment, common);
  if (environment.executable.filename() == "warplens")  // and no test, which knows no such command
    workspace.compiler_options_.worker = compile_worker_words(environment, common);
  return workspace;
}

Result<device::DeviceTable> Workspace::devices() const {
  if (devices_) return *devices_;
  const fs::path path = home_ / "assets" / "devices.toml";
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    return Error{"no device table at " + path.string(),
                 "give the folder of kernels/ and assets/ with --home DIR"};
  }
  const auto text = read_whole_file(path);
  if (!text) return text.error();
  auto table = device::DeviceTable::parse(*text, path.string());
  if (table && kept_) devices_ = *table;
  return table;
}

Result<device::Device> Workspace::device(std::string_view id) const {
  const auto table = devices();
  if (!table) return table.error();
  return table->find(id);
}

std::optional<Result<catalog::KernelSpec>> Workspace::find_alone(std::string_view id_or_path) const {
  if (kept_) return kept_->find(id_or_path);
  return catalog::Catalog::find_alone(home_ / "kernels", id_or_path, problem::guessed);
}

void Workspace::keep_catalog(const catalog::Catalog& catalog) {
  kept_ = std::make_shared<const catalog::Catalog>(catalog);
}

Result<catalog::Catalog> Workspace::catalog() const {
  if (kept_) return *kept_;
  const fs::path path = home_ / "kernels";
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) {
    return Error{"no kernel folder at " + path.string(),
                 "give the folder of kernels/ and assets/ with --home DIR"};
  }
  return catalog::Catalog::open(path, problem::guessed);
}

compile::Compiler Workspace::compiler() const {
  compile::Compiler compiler(compiler_options_);
  if (const std::string warning = compiler.cache_warning(); !warning.empty()) print_warning(warning);
  return compiler;
}

sass::Disassembler::Options disassembler_options(const Environment& environment) {
  return {.program = environment.warplens_nvdisasm,
          .search_folders = toolkit_folders(environment),
          .path = environment.path};
}

void print_error(const Error& error) {
  fmt::print(stderr, "{}{}\n", error.place.file.empty() ? "warplens: " : "", to_line(error));
}

void print_warning(std::string_view line) { fmt::print(stderr, "warplens: warning: {}\n", printable(line)); }

}  // namespace warplens::app
