// Where there are no processes and no shared libraries: what is in the cache is all that there is.
#include "engine/compile/guarded.hpp"
#include "engine/compile/nvrtc.hpp"
#include "engine/compile/worker.hpp"

namespace warplens::compile {
namespace {
Error no_compiler() {
  return {"kernels cannot be compiled here",
          "choose parameters that were compiled beforehand, or use a class server"};
}
}  // namespace

struct Nvrtc::Library {};
struct CompileWorker::Child {};

std::vector<std::filesystem::path> NvrtcLocation::readable() const { return {}; }
NvrtcLocation find_nvrtc(const Compiler::Options&) { return {}; }
Result<Nvrtc> Nvrtc::load(const NvrtcLocation&) { return no_compiler(); }
Result<Nvrtc::Outcome> Nvrtc::compile(const Request&, const std::string&, const std::stop_token&) const {
  return no_compiler();
}

bool has_one_thread() { return true; }
int niceness() { return 0; }
std::optional<Result<Nvrtc::Outcome>> compile_guarded(const Compilation&, const Limits&) {
  return std::nullopt;
}
Result<Nvrtc::Outcome> compile_confined(const Compilation&, const Limits&) { return no_compiler(); }

CompileWorker::CompileWorker(std::vector<std::string>) {}
CompileWorker::~CompileWorker() = default;
CompileWorker::CompileWorker(CompileWorker&&) noexcept = default;
Result<std::optional<std::string>> CompileWorker::ask(const Order&, const std::function<bool()>&) {
  return no_compiler();
}

}  // namespace warplens::compile
