// The process of a CompileWorker: one thread, so that it can compile in copies of itself.
#include <poll.h>

#include <cstdlib>

#include "engine/compile/cache.hpp"
#include "engine/compile/diagnostics.hpp"
#include "engine/compile/guarded.hpp"
#include "engine/compile/include_rules.hpp"
#include "engine/compile/nvrtc.hpp"
#include "engine/compile/outcome_parcel.hpp"
#include "engine/compile/source/macro_size.hpp"
#include "engine/compile/worker.hpp"
#include "engine/compile/worker_messages.hpp"

namespace warplens::compile {
namespace {

bool has_message(int socket) {
  pollfd ready{socket, POLLIN, 0};
  return poll(&ready, 1, 0) > 0;
}

struct Asked {
  std::string number;
  Order order;
};

std::optional<Asked> unpacked(const std::string& text) {
  Unpacking parts(text);
  Asked asked;
  Request& request = asked.order.request;
  asked.number = parts.next();
  asked.order.is_trial = parts.next() == "trial";
  asked.order.nice = std::atoi(parts.next().c_str());
  request.source = parts.next();
  request.file_name = parts.next();
  const auto count = [&] { return std::strtoull(parts.next().c_str(), nullptr, 10); };
  for (auto left = count(); left > 0 && !parts.is_broken(); --left) {
    std::string name = parts.next();
    request.defines.emplace(std::move(name), std::strtoll(parts.next().c_str(), nullptr, 10));
  }
  request.arch = std::atoi(parts.next().c_str());
  request.variant = parts.next();
  for (auto left = count(); left > 0 && !parts.is_broken(); --left) {
    std::string name = parts.next();
    request.headers.emplace(std::move(name), parts.next());
  }
  for (auto left = count(); left > 0 && !parts.is_broken(); --left) {
    std::string name = parts.next();
    request.host_variables.emplace(std::move(name), std::atoi(parts.next().c_str()));
  }
  request.kernel = parts.next();
  request.want_cubin = parts.next() == "cubin";
  return parts.is_broken() ? std::nullopt : std::optional(std::move(asked));
}

std::string packed(const std::vector<Error>& errors) {
  Parcel parcel;
  parcel.add(std::to_string(errors.size()));
  for (const Error& error : errors) parcel.add(error);
  return parcel.text();
}

class Compilations {
 public:
  Compilations(const Compiler::Options& options, int socket)
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

  std::string answer(const Order& order) {
    return order.is_trial ? packed(errors_of(order)) : packed_outcome(compile(order));
  }

 private:
  Result<Nvrtc::Outcome> compile(const Order& order) {
    if (!nvrtc_) return nvrtc_.error();
    const Request& request = order.request;
    const auto compile = [&] { return nvrtc_->compile(request, file_name_for_nvrtc(request.file_name)); };
    const Limits limits{request.file_name, location_.readable(), [&] { return has_message(socket_); },
                        order.nice};
    auto guarded = compile_guarded(compile, limits);
    return guarded ? *std::move(guarded) : compile_confined(compile, limits);
  }

  std::vector<Error> errors_of(const Order& order) {
    const Request& request = order.request;
    if (!nvrtc_) return {nvrtc_.error()};
    if (auto forbidden = forbidden_include(request)) return {*std::move(forbidden)};
    if (auto endless = endless_macro(request.source, request.file_name)) return {*std::move(endless)};
    if (cache_.find({request_key(request), location_.identity})) return {};
    const Result<Nvrtc::Outcome> outcome = compile(order);
    if (!outcome) return {outcome.error()};
    if (!outcome->ok) return compile_errors(request, outcome->output.log, outcome->output.ptx);
    if (const auto entry = find_entry(request, outcome->output.ptx); !entry) return {entry.error()};
    cache_.store({request_key(request), location_.identity}, outcome->output);
    return {};
  }

  int socket_;
  NvrtcLocation location_;
  Result<Nvrtc> nvrtc_;
  DiskCache cache_;
};

std::string packed(const std::string& number, const std::string& answer) {
  Parcel parcel;
  parcel.add(number);
  parcel.add(answer);
  return parcel.text();
}

}  // namespace

int serve_compilations(const Compiler::Options& options, int socket) {
  Compilations compilations(options, socket);
  while (const auto message = receive_message(socket)) {
    if (message->empty() || has_message(socket)) continue;  // nobody waits for this one any more
    const auto asked = unpacked(*message);
    if (!asked) return 1;
    if (!send_message(socket, packed(asked->number, compilations.answer(asked->order)))) break;
  }
  return 0;
}

}  // namespace warplens::compile
