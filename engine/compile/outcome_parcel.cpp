#include "engine/compile/outcome_parcel.hpp"

#include <cstring>

#include "engine/compile/parcel.hpp"

namespace warplens::compile {

std::string packed_outcome(const Result<Nvrtc::Outcome>& result) {
  Parcel parcel;
  if (!result) {
    parcel.add("error");
    parcel.add(result.error());
    return parcel.text();
  }
  const CompilerOutput& output = result->output;
  parcel.add(result->ok ? "ok" : "failed");
  parcel.add(output.ptx);
  parcel.add(std::string_view(reinterpret_cast<const char*>(output.cubin.data()), output.cubin.size()));
  parcel.add(output.log);
  parcel.add(output.compiler);
  return parcel.text();
}

std::optional<Result<Nvrtc::Outcome>> unpacked_outcome(const std::string& text) {
  Unpacking parts(text);
  const std::string kind = parts.next();
  if (kind == "error") {
    const Error error = parts.next_error();
    return parts.is_broken() ? std::nullopt : std::optional<Result<Nvrtc::Outcome>>(error);
  }
  Nvrtc::Outcome outcome;
  outcome.ok = kind == "ok";
  outcome.output.ptx = parts.next();
  const std::string cubin = parts.next();
  outcome.output.cubin.resize(cubin.size());
  if (!cubin.empty()) std::memcpy(outcome.output.cubin.data(), cubin.data(), cubin.size());
  outcome.output.log = parts.next();
  outcome.output.compiler = parts.next();
  if (parts.is_broken()) return std::nullopt;
  return outcome;
}

}  // namespace warplens::compile
