// What a page asks of the engine, as JSON in and out: which kernels there are, a run, a picture, a lesson. One of these lives as
// long as the page does and keeps what it read and ran, so that the next picture of a run costs no run.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/base/options.hpp"
#include "engine/base/result.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::app::page {

using Json = nlohmann::ordered_json;

class Session {
 public:
  // common: where the data and the compiled kernels are; the latter may get more files later. fonts: that pictures are laid out with.
  static Result<std::unique_ptr<Session>> open(const CommonOptions& common,
                                               std::shared_ptr<const scene::TextMeasure> fonts);
  ~Session();

  // request: catalog, run, figure, choices, code, stop, kernels, answer, reached (lessons.hpp), to_file, from_file; asked: a state as state_json() writes it, and what the request takes beside it. An error is
  // an object with `error` and `next_step`.
  Json answer(std::string_view request, const Json& asked);

 private:
  struct Parts;
  explicit Session(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace warplens::app::page
