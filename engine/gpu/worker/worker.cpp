#include "engine/gpu/worker/worker.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace warplens::gpu {
namespace {

Answer failed(Error error) {
  Answer answer;
  answer.error = std::move(error);
  return answer;
}

Answer take(const Json& request, Descriptor descriptor, Executor& executor) {
  const auto data = read<Data>(request);
  if (!data) return failed(data.error());
  auto memory = SharedMemory::open(descriptor.release(), data->bytes);
  if (!memory) return failed(memory.error());
  const auto taken = executor.take(*data, *std::move(memory));
  return taken ? Answer{} : failed(taken.error());
}

Answer run(Channel& channel, const Json& request, std::span<const std::byte> cubin, Executor& executor) {
  const auto job = read<Job>(request);
  if (!job) return failed(job.error());
  // Where the other side is gone the loop of serve() notices.
  const auto progress = [&](std::string_view stage) {
    const Json json{{"what", "progress"}, {"stage", stage}};
    static_cast<void>(channel.send(json.dump()));
  };
  return executor.run(*job, cubin, progress);
}

// The reply, and whether to go on.
struct Reply {
  Json json;
  std::vector<std::byte> attachment;
  bool go_on = true;
};

Reply reply_to(Channel& channel, Message message, Executor& executor) {
  const auto request = parse_message(message.text);
  const std::string what = request ? kind_of(*request) : "";
  if (what == "system") return {json_of(executor.system()), {}};
  Answer answer = failed({"a request to the GPU's process is not understood", ""});
  if (what == "data") answer = take(request->value("data", Json()), std::move(message.descriptor), executor);
  if (what == "run") answer = run(channel, request->value("job", Json()), message.attachment, executor);
  return {json_of(answer), std::move(answer.extra), !answer.fault.has_value()};
}

}  // namespace

void serve(Channel& channel, Executor& executor) {
  for (;;) {
    auto received = channel.receive();
    if (received.state != Channel::State::message) return;
    Reply reply = reply_to(channel, std::move(received.message), executor);
    // What the kernel's printf wrote must be in the file before the answer is read.
    std::fflush(stdout);
    reply.json["what"] = "answer";
    // replace: a driver's text that is not UTF-8 must not end the worker.
    const std::string text = reply.json.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (!channel.send(text, reply.attachment) || !reply.go_on) return;
  }
}

}  // namespace warplens::gpu
