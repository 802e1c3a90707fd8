// The page, the engine and a class behind one HTTP server: docs/web.md.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/base/options.hpp"
#include "engine/base/result.hpp"

namespace warplens::app::serve {

struct ServeOptions {
  std::string bind = "127.0.0.1";  // other machines reach it only where this is an address of theirs: 0.0.0.0
  int port = 8000;                 // 0: any that is free
};

class Server {
 public:
  // page: the folder of the page's files. Errors: no data, no fonts, a port that is taken.
  static Result<std::unique_ptr<Server>> start(const CommonOptions& common, const ServeOptions& options,
                                               const std::filesystem::path& page);
  ~Server();

  int port() const;
  // Who asks a class has to say it; made anew each time.
  const std::string& teacher_key() const;
  // Six digits: who answers, or has a kernel compiled, has to say them; made anew each time.
  const std::string& class_code() const;
  void serve();  // until stop(), which another thread may call; what is being answered is answered
  void stop();

 private:
  struct Parts;
  explicit Server(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace warplens::app::serve
