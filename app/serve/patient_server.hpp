// An HTTP server with a limit of the time that a client may let it wait for a whole request and its answer, however it spreads it.
#pragma once

#include <httplib.h>

namespace warplens::app::serve {

class PatientServer : public httplib::Server {
 public:
  static constexpr int kMostMilliseconds = 10000;  // of waiting, a request with its answer

  static int socket_of_this_thread();  // of the request that it is answering; -1: none
  static bool is_client_gone(int socket);

 private:
  bool process_and_close_socket(socket_t socket) override;
};

}  // namespace warplens::app::serve
