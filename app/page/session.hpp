// What a page asks of the engine, as JSON in and out: which kernels there are, a run, a picture, a lesson. One of these lives as
// long as the page does and keeps what it read and ran, so that the next picture of a run costs no run.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/base/options.hpp"
#include "engine/base/result.hpp"
#include "engine/compile/build.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::app::page {

using Json = nlohmann::ordered_json;

// error, and its message and next step as sentences, and the line of the kernel's file where it is of one.
Json error_json(const Error& error);
// A text that somebody gave, and no step of a ladder.
bool is_taken(std::string_view kernel);

class Session {
 public:
  struct Parts;  // of session.cpp
  // common: where the data and the compiled kernels are; the latter may get more files later. fonts: that pictures are laid out with.
  static Result<std::unique_ptr<Session>> open(const CommonOptions& common,
                                               std::shared_ptr<const scene::TextMeasure> fonts);
  ~Session();

  // request: catalog, run, figure, choices, code, take, to_file, from_file, and those of lessons.hpp: stop, kernels, answer, reached.
  // asked: a state as state_json() writes it, and what the request takes beside it. An error is what error_json() makes.
  Json answer(std::string_view request, const Json& asked);
  // From another thread: what is being answered ends with an error, as soon as it looks.
  void cancel();
  // What has to be compiled for a state, for who does that elsewhere. Errors: values that are not legal.
  Result<compile::Request> to_compile(const Json& asked);

 private:
  explicit Session(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace warplens::app::page
