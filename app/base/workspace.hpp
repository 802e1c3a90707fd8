// What a command opens before it can work: the device table, the kernel folder, the compiler with its cache.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "app/base/paths.hpp"
#include "engine/base/result.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/compile/build.hpp"
#include "engine/device/device.hpp"
#include "engine/measured/recorded.hpp"
#include "engine/sass/nvdisasm.hpp"

namespace warplens::app {

class Workspace {
 public:
  // Error: no data folder could be found.
  static Result<Workspace> open(const CommonOptions& common);

  const std::filesystem::path& home() const { return home_; }
  // Error: no device table.
  Result<device::DeviceTable> devices() const;
  // Errors: no device table, an unknown device.
  Result<device::Device> device(std::string_view id) const;
  // Error: no kernel folder. Bad files are in the catalog's problems().
  Result<catalog::Catalog> catalog() const;
  // See Catalog.
  std::optional<Result<catalog::KernelSpec>> find_alone(std::string_view id_or_path) const;
  // What was recorded on devices; each file is read once.
  const std::shared_ptr<measured::Recorded>& recorded() const { return recorded_; }
  // From now on what was read once is not read again, for who asks often, from one thread, and whose files stay as they are.
  void keep_catalog(const catalog::Catalog& catalog);
  // Says on stderr, once, where the cache folder cannot be used.
  compile::Compiler compiler() const;

 private:
  std::filesystem::path home_;
  compile::Compiler::Options compiler_options_;
  std::shared_ptr<const catalog::Catalog> kept_;  // null: read each time, with what is below
  mutable std::optional<device::DeviceTable> devices_ = {};
  std::shared_ptr<measured::Recorded> recorded_;
};

// Where nvdisasm is looked for.
sass::Disassembler::Options disassembler_options(const Environment& environment);

// One line on stderr. An error with a place reads "file:line: ...", as editors expect it; any other
// "warplens: ...".
void print_error(const Error& error);
void print_warning(std::string_view line);

}  // namespace warplens::app
