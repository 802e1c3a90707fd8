// The process of a TrialCompiler: one thread, so that it can compile in copies of itself.
#include <poll.h>

#include <cstdlib>

#include "engine/compile/cache.hpp"
#include "engine/compile/diagnostics.hpp"
#include "engine/compile/guarded.hpp"
#include "engine/compile/include_rules.hpp"
#include "engine/compile/nvrtc.hpp"
#include "engine/compile/trial.hpp"
#include "engine/compile/trial_messages.hpp"

namespace warplens::compile {
namespace {

bool has_message(int socket) {
  pollfd ready{socket, POLLIN, 0};
  return poll(&ready, 1, 0) > 0;
}

struct Asked {
  std::string number;
  Request request;
};

std::optional<Asked> unpacked(const std::string& text) {
  Unpacking parts(text);
  Asked asked;
  asked.number = parts.next();
  asked.request.source = parts.next();
  asked.request.file_name = parts.next();
  const auto count = [&] { return std::strtoull(parts.next().c_str(), nullptr, 10); };
  for (auto left = count(); left > 0 && !parts.is_broken(); --left) {
    std::string name = parts.next();
    asked.request.defines.emplace(std::move(name), std::strtoll(parts.next().c_str(), nullptr, 10));
  }
  asked.request.arch = std::atoi(parts.next().c_str());
  for (auto left = count(); left > 0 && !parts.is_broken(); --left) {
    std::string name = parts.next();
    asked.request.headers.emplace(std::move(name), parts.next());
  }
  asked.request.kernel = parts.next();
  asked.request.want_cubin = false;
  return parts.is_broken() ? std::nullopt : std::optional(std::move(asked));
}

std::string packed(const std::string& number, const std::vector<Error>& errors) {
  Parcel parcel;
  parcel.add(number);
  parcel.add(std::to_string(errors.size()));
  for (const Error& error : errors)
    for (const std::string& part :
         {error.message, error.next_step, error.place.file, std::to_string(error.place.line)})
      parcel.add(part);
  return parcel.text();
}

class Trials {
 public:
  Trials(const Compiler::Options& options, int socket)
      : socket_(socket),
        location_(find_nvrtc(options)),
        nvrtc_(Nvrtc::load(location_)),
        cache_(options.cache_folder, options.cache_bytes) {
    // What NVRTC does once is done before the first copy.
    if (nvrtc_)
      static_cast<void>(nvrtc_->compile({.source = "extern \"C\" __global__ void kernel() {}",
                                         .file_name = "kernel.cu",
                                         .defines = {},
                                         .want_cubin = false},
                                        "/kernel.cu"));
  }

  std::vector<Error> errors_of(const Request& request) {
    if (!nvrtc_) return {nvrtc_.error()};
    if (auto forbidden = forbidden_include(request)) return {*std::move(forbidden)};
    if (cache_.find({request_key(request), location_.identity})) return {};
    const auto compile = [&] { return nvrtc_->compile(request, file_name_for_nvrtc(request.file_name)); };
    auto guarded = compile_guarded(compile, request.file_name, [&] { return has_message(socket_); });
    const Result<Nvrtc::Outcome> outcome = guarded ? *std::move(guarded) : compile();
    if (!outcome) return {outcome.error()};
    if (!outcome->ok) return compile_errors(request, outcome->output.log, outcome->output.ptx);
    if (const auto entry = find_entry(request, outcome->output.ptx); !entry) return {entry.error()};
    cache_.store({request_key(request), location_.identity}, outcome->output);
    return {};
  }

 private:
  int socket_;
  NvrtcLocation location_;
  Result<Nvrtc> nvrtc_;
  DiskCache cache_;
};

}  // namespace

int serve_trials(const Compiler::Options& options, int socket) {
  Trials trials(options, socket);
  while (const auto message = receive_message(socket)) {
    if (has_message(socket)) continue;  // nobody waits for this one any more
    const auto asked = unpacked(*message);
    if (!asked) return 1;
    if (!send_message(socket, packed(asked->number, trials.errors_of(asked->request)))) break;
  }
  return 0;
}

}  // namespace warplens::compile
