#include "engine/run/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "engine/base/code_text.hpp"
#include "engine/base/memory_pages.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/launches.hpp"
#include "engine/catalog/problem_text.hpp"
#include "engine/compile/source/device_source.hpp"
#include "engine/source/signature.hpp"

namespace warplens::run {
namespace {

// Release notes of CUDA 13.0: the compilers' oldest architecture is 7.5.
constexpr int kOldestArchitecture = 75;

namespace fs = std::filesystem;

// "scale<float, TILE>" with the values of parameters in their places.
std::string with_values(const std::string& text, const catalog::Values& values) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_name(text[end])) ++end;
    const std::string word = text.substr(at, std::max(end, at + 1) - at);
    const auto value = values.find(word);
    result += value == values.end() ? word : std::to_string(value->second);
    at += word.size();
  }
  return result;
}

// The arguments of a template whose parameters have values: those of the front matter's parameters of their
// names, which are then no macros, float for a type, and defaults. Empty where one has none.
std::string instantiated(const source::KernelSignature& kernel, catalog::Values& defines) {
  std::string arguments;
  for (const source::TemplateParameter& parameter : kernel.of_template) {
    const auto value = defines.find(parameter.name);
    if (value == defines.end() && !parameter.fallback.empty()) break;
    if (value == defines.end() && parameter.type != "typename") return "";
    arguments += (arguments.empty() ? "" : ", ") +
                 (value == defines.end() ? std::string("float") : std::to_string(value->second));
  }
  for (const source::TemplateParameter& parameter : kernel.of_template) defines.erase(parameter.name);
  return kernel.name + "<" + arguments + ">";
}

// Which kernel of the file; empty where there is one only, and it is no template.
std::string chosen_kernel(const Plan& plan, catalog::Values& defines) {
  const auto kernels = source::kernel_signatures(plan.spec.code);
  std::string wanted = plan.spec.kernel;
  if (wanted.empty()) {
    const bool open = kernels.size() == 1 && !kernels[0].of_template.empty() && !kernels[0].is_instantiated;
    return open ? instantiated(kernels[0], defines) : "";
  }
  for (const auto& kernel : kernels) {
    if (kernel.name != wanted.substr(0, wanted.find('<'))) continue;
    if (wanted == kernel.name && !kernel.of_template.empty()) return instantiated(kernel, defines);
    wanted = with_values(wanted, defines);
    for (const auto& parameter : kernel.of_template) defines.erase(parameter.name);
    return wanted;
  }
  return wanted;
}

// Of a file; one that is named alone lies in the current folder.
std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() && !path.empty() ? "." : folder;
}

// Beside the file, in the folder above (an id such as matmul/01_naive), or a path of its own.
Result<catalog::KernelSpec> read_like(const catalog::KernelSpec& spec, const std::string& like) {
  const fs::path folder = fs::path(spec.path).parent_path();
  for (const fs::path& base : {folder, folder.parent_path(), fs::path()}) {
    for (const std::string ending : {".cu", ""}) {
      const fs::path path = base / (like + ending);
      std::error_code failed;
      if (path.extension() != ".cu" || !fs::is_regular_file(path, failed)) continue;
      if (fs::equivalent(path, spec.path, failed)) continue;  // which says nothing
      const auto text = read_whole_file(path);
      return text ? catalog::parse_kernel(*text, like, path.string()) : text.error();
    }
  }
  return Error{"there is no kernel " + like + " to compare with",
               "name a kernel of the same folder, such as like = \"01_naive\", or a path",
               {spec.path, spec.problem_line, 0}};
}

// The kernel whose result is the right one, on the same data: its arguments are those of the problem in its
// own order.
Result<std::shared_ptr<const Plan>> plan_of_like(const Plan& plan) {
  auto other = read_like(plan.spec, std::string(plan.problem->like()));
  if (!other) return other.error();
  auto own = *plan.spec.own;
  own.like.clear();
  own.none = "the others are compared with it";
  own.order.clear();
  other->own = std::make_shared<const catalog::ProblemText>(std::move(own));
  other->problem = plan.spec.problem;
  auto made = run::plan(*other, {}, plan.sizes, plan.device);
  if (!made) return made.error();
  return std::make_shared<const Plan>(*std::move(made));
}

}  // namespace

Result<Plan> Plan::with(const catalog::Values& values) const {
  const auto shape = catalog::launch_shape(spec, values, sizes);
  if (!shape) return shape.error();
  Plan other = *this;
  if (values != parameters) {  // whose own problem's counts may depend on them
    auto own = problem::find_problem(spec, values);
    if (!own) return own.error();
    other.problem = *std::move(own);
  }
  other.parameters = values;
  other.launch = *shape;
  return other;
}

Result<Plan> choose_values(const catalog::KernelSpec& spec, const catalog::Values& parameters,
                           const catalog::Values& sizes, const device::Device& device) {
  const auto problem = problem::find_problem(spec);
  if (!problem) return problem.error();
  Plan plan{.spec = spec, .problem = *problem, .sizes = (*problem)->default_sizes(), .device = device};
  for (auto& [name, value] : plan.sizes) {
    if (const auto chosen = sizes.find(name); chosen != sizes.end()) value = chosen->second;
  }
  auto values = catalog::resolve_values(spec, parameters, plan.sizes);
  if (!values) return values.error();
  plan.parameters = *std::move(values);
  if (!plan.parameters.empty()) {
    auto own = problem::find_problem(spec, plan.parameters);
    if (!own) return own.error();
    plan.problem = *std::move(own);
  }
  if (!plan.problem->like().empty()) {
    auto like = plan_of_like(plan);
    if (!like) return like.error();
    plan.like = *std::move(like);
  }
  return plan;
}

Result<Plan> plan(const catalog::KernelSpec& spec, const catalog::Values& parameters,
                  const catalog::Values& sizes, const device::Device& device) {
  const auto chosen = choose_values(spec, parameters, sizes, device);
  if (!chosen) return chosen.error();
  auto whole = chosen->with(chosen->parameters);
  if (whole) return whole;
  // A size that has no room in memory is said before its grid is called too large.
  const auto room = chosen->problem->make(chosen->sizes, problem::Pattern::ones, 1, buffer_memory_limit());
  return room ? whole.error() : room.error();
}

int threads_per_block(const Plan& plan) { return static_cast<int>(catalog::threads_in_block(plan.launch)); }

namespace {

std::int64_t size_of(const source::KernelParameter& parameter) {
  constexpr std::string_view kWide[] = {"double", "long", "64", "size_t"};
  const bool is_wide = std::ranges::any_of(
      kWide, [&](std::string_view part) { return parameter.type.find(part) != std::string::npos; });
  return parameter.is_pointer || is_wide ? 8 : 4;
}

}  // namespace

// (NVIDIA, CUDA C Best Practices Guide 4.2, "Shared Memory Use by Kernel Arguments".)
std::int64_t launch_in_shared(const device::Device& device, const catalog::KernelSpec& spec) {
  constexpr int kInConstantMemory = 20;
  constexpr std::int64_t kSizesAndPlaces = 16;
  if (device.compute_capability >= kInConstantMemory) return 0;
  const auto kernels = source::kernel_signatures(spec.code);
  const std::string name = spec.kernel.substr(0, spec.kernel.find('<'));
  const auto kernel = std::ranges::find_if(
      kernels, [&](const auto& declared) { return name.empty() || declared.name == name; });
  std::int64_t bytes = kSizesAndPlaces;
  if (kernel == kernels.end()) return bytes;
  for (const auto& parameter : kernel->parameters) {
    const std::int64_t size = size_of(parameter);
    bytes = (bytes + size - 1) / size * size + size;
  }
  return bytes;
}

std::int64_t shared_bytes(const Plan& plan, const compile::Build& build) {
  return build.static_shared_bytes + plan.launch.dynamic_shared_bytes +
         launch_in_shared(plan.device, plan.spec);
}

int architecture_for(const device::Device& device) {
  return std::max(device.compute_capability, kOldestArchitecture);
}

compile::Request build_request(const Plan& plan, bool want_cubin) {
  compile::DeviceSource device = compile::device_source(plan.spec.code, folder_of(plan.spec.path));
  compile::Request request{.source = std::move(device.text),
                           .file_name = plan.spec.path,
                           .defines = plan.parameters,
                           .arch = architecture_for(plan.device),
                           .want_cubin = want_cubin,
                           .headers = std::move(device.headers),
                           .host_variables = std::move(device.host_variables)};
  if (!plan.spec.arch.empty()) {
    request.arch = std::atoi(plan.spec.arch.c_str());
    request.variant = plan.spec.arch.substr(plan.spec.arch.find_last_of("0123456789") + 1);
  }
  request.kernel = chosen_kernel(plan, request.defines);
  return request;
}

// A run holds its buffers up to four times: what they hold at the start, the memory of the emulated device,
// what is right, and another run that is compared. All of it together takes five eighths of the machine's
// memory, and no more than 12 GiB: buffers of 3 GiB where there are 24.
std::uint64_t buffer_memory_limit() {
  constexpr std::uint64_t most = 12ull << 30, copies = 4;
  const auto memory = memory_of_machine();
  return memory ? std::min(most, *memory / 8 * 5) / copies : most / copies;
}

Error cancelled() { return {"this run was cancelled", ""}; }

std::string value_words(const catalog::Values& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text;
}

}  // namespace warplens::run
