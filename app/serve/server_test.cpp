// Requests of those who do not mean well, over real connections: none of them may end the server, read a file or keep others waiting.
#include "app/serve/server.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "engine/base/testing/places.hpp"

namespace warplens::app::serve {
namespace {

class Connection {
 public:
  explicit Connection(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET, to.sin_port = htons(static_cast<std::uint16_t>(port));
    inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    const timeval patience{20, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    is_open_ = connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~Connection() { close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  bool is_open() const { return is_open_; }
  void send_text(const std::string& text) const {
    static_cast<void>(send(socket_, text.data(), text.size(), MSG_NOSIGNAL));
  }
  bool is_closed() const {
    char byte = 0;
    return recv(socket_, &byte, 1, MSG_DONTWAIT) == 0;
  }
  // All that comes until the other side closes, or nothing more does.
  std::string rest() const {
    std::string all;
    char part[4096];
    for (ssize_t got = 0; (got = recv(socket_, part, sizeof part, 0)) > 0;)
      all.append(part, static_cast<std::size_t>(got));
    return all;
  }

 private:
  int socket_;
  bool is_open_ = false;
};

class ServerUnderFire : public testing::Test {
 protected:
  void SetUp() override {
    auto started = Server::start({.home = source_path(), .cache = test_cache_path()},
                                 {.bind = "127.0.0.1", .port = 0}, source_path("web/page"));
    ASSERT_TRUE(started) << to_line(started.error());
    server = *std::move(started);
    serving = std::jthread([this] { server->serve(); });
    while (ask(get("/served")).empty()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  void TearDown() override {
    if (server != nullptr) server->stop();
  }
  std::string ask(const std::string& request) const {
    const Connection to(server->port());
    if (!to.is_open()) return "";
    to.send_text(request);
    return to.rest();
  }
  static std::string get(const std::string& path) {
    return "GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  }
  static std::string post(const std::string& path, const std::string& body) {
    return "POST " + path +
           " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
  }
  bool is_well() const { return ask(get("/served")).find("X-Warplens: serve") != std::string::npos; }

  std::unique_ptr<Server> server;
  std::jthread serving;
};

TEST_F(ServerUnderFire, ReadsNoFileBesideThePage) {
  for (const char* path :
       {"/../../README.md", "/%2e%2e/%2e%2e/README.md", "/..%2f..%2fREADME.md", "/a/../../../README.md",
        "//etc/passwd", "/%2fetc%2fpasswd", "/..\\..\\README.md", "/.%2e/.%2e/README.md", "/%00/../README.md",
        "/index.html/../../../README.md", "/....//....//README.md", "/%252e%252e/README.md"}) {
    const std::string answer = ask(get(path));
    EXPECT_EQ(answer.find("HTTP/1.1 200"), std::string::npos) << path;
    EXPECT_EQ(answer.find("root:"), std::string::npos) << path;
  }
  EXPECT_NE(ask(get("/index.html")).find("<title>Warplens"), std::string::npos);
  for (const char* kernel : {"../../etc/passwd", "/etc/passwd", "matmul/../../README.md", "kernels/matmul"})
    EXPECT_NE(ask(post("/call/code", std::string("{\"kernel\": \"") + kernel + "\"}")).find("error"),
              std::string::npos);
}

TEST_F(ServerUnderFire, LivesThroughWhatIsNoRequest) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += '[';
  const std::string long_text(100000, 'a');
  const std::vector<std::string> requests = {
      "\r\n\r\n",
      std::string(1000, '\0'),
      "GET\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      get("/" + long_text),
      "GET / HTTP/1.1\r\nA: " + long_text + "\r\n\r\n",
      "POST /call/run HTTP/1.1\r\nContent-Length: -1\r\n\r\n{}",
      "POST /call/run HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
      "POST /call/run HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}\r\n0\r\n\r\n",
      post("/call/run", std::string(400 << 10, ' ')),
      post("/call/run", deep),
      post("/call/run", "{\"kernel\":" + deep),
      post("/call/figure", "{\"width\": 1e300, \"height\": -5}"),
      post("/call/figure", "{\"size\": {\"M\": -1}}"),
      post("/call/figure", "{\"size\": {\"M\": 4611686018427387904, \"N\": 4611686018427387904, \"K\": 2}}"),
      post("/call/figure", "{\"params\": {\"BLOCK_X\": 1e99}}"),
      post("/call/figure", "{\"params\": []}"),
      post("/call/figure",
           "{\"kernel\": \"matmul/01_naive\", \"warp\": 4294967295, \"size\": {\"M\": 64, \"N\": 64, \"K\": "
           "64}}"),
      post("/call/from_file", "{\"toml\": \"" + long_text + "\"}"),
      post("/call/from_file", "{\"toml\": 7}"),
      post("/call/answer", "{\"lesson\": \"../x\", \"stop\": -1}"),
      post("/call/stop", "{\"stop\": \"x\"}"),
      post("/call/none", "{}"),
      post("/call/run", "\xff\xfe{}"),
      post("/class/ask?key=", "{}"),
      post("/class/answer", "{\"round\": 1e99, \"ticket\": [], \"choice\": -1}"),
      post("/call/take", "{\"text\": \"" + long_text + "\", \"code\": 7}"),
      get("/class/question?code=" + long_text),
      get("/class/tally?key=" + long_text)};
  for (std::size_t asked = 0; asked < 1000;) {  // some hundred at once
    std::vector<std::jthread> clients;
    for (int times = 0; times < 9; ++times)
      for (const std::string& request : requests) {
        clients.emplace_back([&] { static_cast<void>(ask(request)); });
        ++asked;
      }
    clients.clear();
    EXPECT_TRUE(is_well());
  }
}

TEST_F(ServerUnderFire, EndsAConnectionThatSendsForEver) {
  const Connection slow(server->port());
  slow.send_text("GET /served HTTP/1.1\r\n");
  bool is_closed = false;
  for (int i = 0; i < 1200 && !is_closed; ++i) {
    slow.send_text("A");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    is_closed = slow.is_closed();
  }
  EXPECT_TRUE(is_closed);
}

TEST_F(ServerUnderFire, CompilesForWhoKnowsTheCodeAndNotTooOften) {
  const auto take = [&](const std::string& text, const std::string& code) {
    return ask(post("/call/take", nlohmann::json{{"text", text}, {"code", code}}.dump()));
  };
  const std::string right =
      "extern \"C\" __global__ void one(float* out, int N) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
      "if (i < N) out[i] = 1; }";
  const std::string& code = server->class_code();
  EXPECT_NE(take(right, "").find("HTTP/1.1 403"), std::string::npos);
  EXPECT_NE(take(right, code).find("taken-"), std::string::npos);
  EXPECT_NE(take("#include \"/etc/passwd\"\n" + right, code).find("may not include"), std::string::npos);
  EXPECT_NE(take(std::string(100 << 10, ' ') + right, code).find("HTTP/1.1 413"), std::string::npos);
  const std::string wrong =
      take("extern \"C\" __global__ void one(float* out, int N) {\n  out[0] = nothing;\n}", code);
  EXPECT_NE(wrong.find("\"line\":2"), std::string::npos) << wrong;
  std::string last;
  for (int i = 0; i < 12; ++i) last = take(right, code);
  EXPECT_NE(last.find("HTTP/1.1 429"), std::string::npos);
  EXPECT_TRUE(is_well());
}

TEST_F(ServerUnderFire, AnswersWhileOthersSayNothingMore) {
  std::vector<std::unique_ptr<Connection>> silent;
  for (int i = 0; i < 150; ++i) {
    silent.push_back(std::make_unique<Connection>(server->port()));
    silent.back()->send_text("POST /call/run HTTP/1.1\r\nContent-Le");
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(is_well());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
}

TEST_F(ServerUnderFire, LosesNoAnswerOfTwoHundredAtOnce) {
  const std::string key = server->teacher_key();
  ASSERT_NE(ask(post("/class/ask?key=" + key, R"({"question": "Now?", "choices": ["yes", "no"]})"))
                .find("\"round\":1"),
            std::string::npos);
  std::vector<std::jthread> clients;
  for (int i = 0; i < 200; ++i)
    clients.emplace_back([&, i] {
      const nlohmann::json body{{"code", server->class_code()},
                                {"round", 1},
                                {"ticket", "t" + std::to_string(i)},
                                {"choice", i % 2}};
      EXPECT_NE(ask(post("/class/answer", body.dump())).find("counted"), std::string::npos);
    });
  clients.clear();
  EXPECT_NE(ask(get("/class/tally?key=" + key)).find("\"counts\":[100,100]"), std::string::npos);
  EXPECT_NE(ask(get("/class/tally?key=wrong")).find("403"), std::string::npos);
}

}  // namespace
}  // namespace warplens::app::serve
