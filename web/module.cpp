// The C interface of the module. Texts are UTF-8 with their length; an answer stays where it is until the next call.
#include <cstdlib>
#include <memory>
#include <string>

#include "app/page/session.hpp"
#include "engine/base/whole_file.hpp"
#include "viz/paint/measured_fonts.hpp"

namespace {

struct Module {
  std::unique_ptr<warplens::app::page::Session> session;
  std::string answer;
};

// The one thing that lives between calls of C.
Module& module() {
  static Module one;
  return one;
}

std::string refused(const std::string& why) { return warplens::app::page::Json{{"error", why}}.dump(); }

warplens::Result<std::unique_ptr<warplens::app::page::Session>> opened() {
  const auto table = warplens::read_whole_file("/home/assets/font_widths.txt");
  if (!table) return table.error();
  const auto fonts = warplens::paint::MeasuredFonts::parse(*table);
  if (!fonts) return fonts.error();
  return warplens::app::page::Session::open({.home = "/home", .cache = "/cache"}, *fonts);
}

}  // namespace

#define WARPLENS_EXPORT(name) __attribute__((export_name(name)))

extern "C" {

WARPLENS_EXPORT("warplens_room") void* warplens_room(std::size_t bytes) { return std::malloc(bytes); }
WARPLENS_EXPORT("warplens_free") void warplens_free(void* room) { std::free(room); }

// Reads /home and /cache. True where all is well, else the answer says why not.
WARPLENS_EXPORT("warplens_open") bool warplens_open() {
  auto session = opened();
  if (session)
    module().session = *std::move(session);
  else
    module().answer = refused(to_line(session.error()));
  return module().session != nullptr;
}

WARPLENS_EXPORT("warplens_call") void warplens_call(const char* name, std::size_t name_size, const char* json, std::size_t json_size) {
  Module& m = module();
  const auto asked = warplens::app::page::Json::parse(std::string_view(json, json_size), nullptr, false);
  if (m.session == nullptr || asked.is_discarded()) {
    m.answer = refused(m.session == nullptr ? "nothing is open" : "the request is no JSON");
    return;
  }
  m.answer = m.session->answer({name, name_size}, asked)
                 .dump(2, ' ', false, warplens::app::page::Json::error_handler_t::replace);
}

// While a call looks for a file: it ends as soon as it can, and nothing is remembered of it.
WARPLENS_EXPORT("warplens_cancel") void warplens_cancel() { module().session->cancel(); }

WARPLENS_EXPORT("warplens_answer") const char* warplens_answer() { return module().answer.data(); }
WARPLENS_EXPORT("warplens_answer_size") std::size_t warplens_answer_size() { return module().answer.size(); }

}  // extern "C"
