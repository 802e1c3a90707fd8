#include "engine/compile/trial.hpp"

#include <cstdlib>
#include <optional>
#include <utility>

#include "engine/compile/parcel.hpp"

namespace warplens::compile {
namespace {

std::optional<std::vector<Error>> unpacked(const std::string& text) {
  Unpacking parts(text);
  std::vector<Error> errors;
  for (std::uint64_t left = std::strtoull(parts.next().c_str(), nullptr, 10); left > 0; --left) {
    Error error = parts.next_error();
    if (parts.is_broken()) return std::nullopt;
    errors.push_back(std::move(error));
  }
  return parts.is_broken() ? std::nullopt : std::optional(std::move(errors));
}

}  // namespace

Result<std::vector<Error>> TrialCompiler::compile(const Request& request, const std::atomic<bool>& cancel) {
  const auto answer = worker_.ask({.request = request, .is_trial = true}, [&] { return cancel.load(); });
  if (!answer) return answer.error();
  auto errors = *answer ? unpacked(**answer) : std::nullopt;
  if (errors) return *std::move(errors);
  return std::vector<Error>{{"the compiler ended without an answer", "", {request.file_name, 0, 0}}};
}

}  // namespace warplens::compile
