#include "app/serve/server.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <nlohmann/json.hpp>
#include <random>

#include "app/base/workspace.hpp"
#include "app/serve/class_room.hpp"
#include "app/serve/engine_lane.hpp"
#include "app/serve/gate.hpp"
#include "app/serve/patient_server.hpp"
#include "engine/base/json_text.hpp"
#include "viz/paint/fonts.hpp"

namespace warplens::app::serve {
namespace {

using httplib::Request, httplib::Response;

constexpr std::size_t kThreads = 256, kMostBody = 256 << 10, kMostText = 64 << 10;
// That come in one moment, as those of a class do; the library's own 5 would lose some.
constexpr int kMostAtOnce = 1024;
constexpr int kMostCompilations = 2;  // at once
constexpr time_t kMostSeconds = 3;    // that a client may say nothing

std::string random_key() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

// What a class types.
std::string random_code() {
  return fmt::format("{:06}",
                     std::uniform_int_distribution(0, 999999)(*std::make_unique<std::random_device>()));
}

void reply(Response& response, const Json& json, int status = 200) {
  response.status = status;
  response.set_content(json.dump(-1, ' ', false, Json::error_handler_t::replace), "application/json");
}

void refuse(Response& response, int status, const std::string& why, const std::string& next_step = "") {
  reply(response, {{"error", why}, {"message", why}, {"next_step", next_step}}, status);
}

// An object, or nothing: texts of strangers are read without exceptions.
Json object_of(const Request& request) {
  Json json = Json::parse(request.body, nullptr, false);
  return json.is_object() ? json : Json(nullptr);
}

}  // namespace

struct Server::Parts {
  Parts(std::array<std::unique_ptr<page::Session>, 2> sessions, compile::Compiler own)
      : quick(std::move(sessions[0])), whole(std::move(sessions[1])), compiler(std::move(own)) {}

  EngineLane quick, whole;  // what is shown at once does not wait for what takes a whole launch
  compile::Compiler compiler;
  std::atomic<int> compiling = 0;
  Gate gate;
  ClassRoom room;
  std::string key = random_key(), code = random_code();
  PatientServer http;
  int port = 0, listening = -1;

  void call(const Request& request, Response& response) {
    const Json asked = object_of(request);
    if (asked.is_null()) return refuse(response, 400, "the request is no JSON object");
    const std::string name = request.matches[1];
    if (name == "take" && !may_take(request, response, asked)) return;
    if (page::is_taken(asked.value("kernel", "")))
      if (const Status done = compile(asked); !done) return reply(response, page::error_json(done.error()));
    const int socket = PatientServer::socket_of_this_thread();
    EngineLane& lane = name == "take" || request.has_param("quick") ? quick : whole;
    auto answer = lane.answer(name, asked, socket);
    // Both engines have to know it, and what is wrong with it is said at once.
    if (name == "take" && answer && answer->count("error") == 0) {
      whole.answer(name, asked, socket);
      if (const Status done = compile(*answer); !done) return reply(response, page::error_json(done.error()));
    }
    if (!answer) return refuse(response, 503, "too many ask at once", "try again in a moment");
    reply(response, *answer);
  }

  bool may_take(const Request& request, Response& response, const Json& asked) {
    if (!gate.lets_in(request.remote_addr))
      refuse(response, 429, "this machine asks too often", "wait some seconds");
    else if (asked.value("code", "") != code)
      refuse(response, 403, "the class code is missing or another one",
             "type the one that the teacher shows");
    else if (asked.value("text", "").size() > kMostText)
      refuse(response, 413, "the text has more than 64 KiB", "send the kernel alone");
    else
      return true;
    return false;
  }

  // In the confined worker, with its limits; beside the engines, which go on.
  Status compile(const Json& taken) {
    const auto wanted = quick.to_compile(taken);
    if (!wanted) return wanted.error();
    if (++compiling > kMostCompilations) {
      --compiling;
      return Error{"others are compiling now", "try again in a moment"};
    }
    const auto build = compiler.compile(*wanted);
    --compiling;
    return build ? Status(Done{}) : Status(build.error());
  }

  void ask(const Request& request, Response& response) {
    if (request.get_param_value("key") != key) return refuse(response, 403, "only the teacher asks");
    const Json asked = object_of(request);
    try {
      const auto round = room.ask(asked.at("question").get<std::string>(),
                                  asked.at("choices").get<std::vector<std::string>>());
      if (!round) return refuse(response, 400, round.error().message, round.error().next_step);
      reply(response, {{"round", *round}});
    } catch (const nlohmann::json::exception&) {
      refuse(response, 400, "a question is {\"question\": text, \"choices\": [text, ...]}");
    }
  }

  void answer(const Request& request, Response& response) {
    const Json given = object_of(request);
    try {
      if (given.at("code") != code) return refuse(response, 403, "this is not the code of the class");
      const Status done = room.answer(given.at("round").get<int>(), given.at("ticket").get<std::string>(),
                                      given.at("choice").get<std::size_t>());
      if (!done) return refuse(response, 409, done.error().message, done.error().next_step);
      reply(response, {{"counted", true}});
    } catch (const nlohmann::json::exception&) {
      refuse(response, 400, "an answer is {\"code\": text, \"round\": n, \"ticket\": text, \"choice\": n}");
    }
  }

  void set_limits() {
    http.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };  // httplib deletes it
    http.set_payload_max_length(kMostBody);
    // A port that another program has is not shared with it.
    http.set_socket_options([this](int socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
      listening = socket;
    });
    http.set_read_timeout(kMostSeconds);
    http.set_write_timeout(kMostSeconds);
    http.set_keep_alive_max_count(8);
    http.set_keep_alive_timeout(1);
    http.set_default_headers({{"X-Content-Type-Options", "nosniff"}, {"Cache-Control", "no-cache"}});
    http.set_exception_handler([](const Request&, Response& response, std::exception_ptr) {
      refuse(response, 500, "this request failed");
    });
  }

  void set_answers() {
    http.Get("/served", [](const Request&, Response& response) {
      response.set_header("X-Warplens", "serve");
      response.set_content("", "text/plain");
    });
    http.Post("/call/([a-z_]{1,32})",
              [this](const Request& request, Response& response) { call(request, response); });
    http.Post("/class/ask", [this](const Request& request, Response& response) { ask(request, response); });
    http.Post("/class/answer",
              [this](const Request& request, Response& response) { answer(request, response); });
    http.Get("/class/question", [this](const Request& request, Response& response) {
      if (request.get_param_value("code") != code)
        return refuse(response, 403, "this is not the code of the class");
      const ClassQuestion now = room.question();
      reply(response, {{"round", now.round}, {"question", now.text}, {"choices", now.choices}});
    });
    http.Get("/class/tally", [this](const Request& request, Response& response) {
      if (request.get_param_value("key") != key)
        return refuse(response, 403, "only the teacher sees the tally");
      const ClassTally now = room.tally();
      reply(response,
            {{"round", now.round}, {"counts", now.counts}, {"answers", now.answers}, {"code", code}});
    });
  }
};

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Server::~Server() = default;
int Server::port() const { return parts_->port; }
const std::string& Server::teacher_key() const { return parts_->key; }
const std::string& Server::class_code() const { return parts_->code; }
void Server::serve() { parts_->http.listen_after_bind(); }
void Server::stop() { parts_->http.stop(); }

Result<std::unique_ptr<Server>> Server::start(const CommonOptions& common, const ServeOptions& options,
                                              const std::filesystem::path& page) {
  const auto fonts = paint::Fonts::open();
  if (!fonts) return fonts.error();
  std::array<std::unique_ptr<page::Session>, 2> sessions;
  for (auto& session : sessions) {
    auto opened = page::Session::open(common, *fonts);
    if (!opened) return opened.error();
    session = *std::move(opened);
  }
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  auto parts = std::make_unique<Parts>(std::move(sessions), workspace->compiler());
  parts->set_limits();
  parts->set_answers();
  if (!parts->http.set_mount_point("/", page.string()))
    return Error{"the page is not in " + page.string(), "give the folder of web/ with --home DIR"};
  parts->port = options.port == 0 ? parts->http.bind_to_any_port(options.bind)
                : parts->http.bind_to_port(options.bind, options.port) ? options.port
                                                                       : -1;
  if (parts->port < 0)
    return Error{fmt::format("port {} of {} cannot be had", options.port, options.bind),
                 "choose another with --port N"};
  ::listen(parts->listening, kMostAtOnce);
  return std::unique_ptr<Server>(new Server(std::move(parts)));
}

}  // namespace warplens::app::serve
