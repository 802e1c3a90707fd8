#include "engine/gpu/worker/channel.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "engine/gpu/worker/shared_memory.hpp"
#include "engine/gpu/worker/wire.hpp"

namespace warplens::gpu {
namespace {

TEST(Channel, CarriesTextBytesAndMemory) {
  auto ends = Channel::pair();
  ASSERT_TRUE(ends);
  auto& [here, there] = *ends;
  const auto memory = SharedMemory::create(5000);
  ASSERT_TRUE(memory);
  (*memory)->bytes()[4999] = std::byte{7};
  // Larger than a socket takes at once, so the reader must put it together.
  const std::vector<std::byte> attachment(3 << 20, std::byte{42});
  std::thread sender([&] { EXPECT_TRUE(here.send("{\"a\":1}", attachment, (*memory)->descriptor())); });
  auto received = there.receive(10);
  sender.join();
  ASSERT_EQ(received.state, Channel::State::message);
  EXPECT_EQ(received.message.text, "{\"a\":1}");
  EXPECT_EQ(received.message.attachment, attachment);
  const auto opened = SharedMemory::open(received.message.descriptor.release(), 5000);
  ASSERT_TRUE(opened);
  EXPECT_EQ((*opened)->bytes()[4999], std::byte{7});
}

TEST(Channel, SaysWhyNothingCame) {
  auto ends = Channel::pair();
  ASSERT_TRUE(ends);
  EXPECT_EQ(ends->second.receive(0.02).state, Channel::State::late);
  const char rubbish[16] = "not a message!!";
  ASSERT_EQ(send(ends->first.number(), rubbish, sizeof rubbish, 0), 16);
  EXPECT_EQ(ends->second.receive(1).state, Channel::State::garbled);
  { const Channel gone = std::move(ends->first); }
  EXPECT_EQ(ends->second.receive(1).state, Channel::State::closed);
  EXPECT_FALSE(ends->second.send("{}"));
}

TEST(Channel, AMessageCutInTheMiddleIsClosedOrLate) {
  auto ends = Channel::pair();
  ASSERT_TRUE(ends);
  ASSERT_EQ(send(ends->first.number(), "WPL", 3, 0), 3);
  EXPECT_EQ(ends->second.receive(0.02).state, Channel::State::late);
}

TEST(SharedMemory, RefusesADescriptorThatIsTooSmall) {
  const auto memory = SharedMemory::create(4096);
  ASSERT_TRUE(memory);
  EXPECT_FALSE(SharedMemory::open(dup((*memory)->descriptor()), 8192));
  EXPECT_FALSE(SharedMemory::open(-1, 1));
}

TEST(Wire, JobsAndAnswersComeBackAsTheyWere) {
  const Job job{.device = 1,
                .kernel_name = "kernel",
                .launch = {{2, 3, 4}, {5, 6, 7}, 90000},
                .arguments = {problem::BufferArgument{2}, problem::IntArgument{-5}},
                .data = 9,
                .timing = TimingOptions{.seconds = 0.5, .cold = true},
                .product = Product{.m = 1, .n = 2, .k = 3, .left = 1, .right = 0, .result = 2},
                .library_folders = {"/x"},
                .extra = ExtraBuffer{.bytes = 100, .start_bytes = 7, .records = true},
                .metrics = {"a.sum", "b.sum"},
                .instruction_metrics = {"c"}};
  const auto back = gpu::read<Job>(json_of(job));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(json_of(*back), json_of(job));
  EXPECT_EQ(back->extra, job.extra);
  EXPECT_EQ(back->metrics, job.metrics);
  EXPECT_EQ(back->instruction_metrics, job.instruction_metrics);
  EXPECT_EQ(back->launch.dynamic_shared_bytes, 90000u);
  EXPECT_EQ(std::get<problem::IntArgument>(back->arguments[1]).value, -5);

  Answer answer;
  answer.fault = Fault{Fault::Kind::fault, "CUDA_ERROR_X", {"message", "step"}};
  Timing timing;
  timing.kernel = {.samples = 4, .median = 1.5, .seconds = {1.5, 1.25}};
  timing.cublas = Statistics{.samples = 2};
  timing.cublas_name = "c";
  answer.timing = timing;
  answer.counted = {5, 1e15};
  answer.instructions = {7};
  answer.places = {1, std::uint64_t{1} << 47};
  const auto answered = gpu::read<Answer>(json_of(answer));
  ASSERT_TRUE(answered) << answered.error().message;
  EXPECT_EQ(answered->fault->error, answer.fault->error);
  EXPECT_EQ(answered->timing->kernel, answer.timing->kernel);
  EXPECT_EQ(answered->places, answer.places);
  EXPECT_EQ(answered->counted, answer.counted);
  EXPECT_EQ(answered->instructions, answer.instructions);
  EXPECT_EQ(answered->timing->cublas, answer.timing->cublas);
}

TEST(Wire, RefusesWhatIsNotOfTheShape) {
  EXPECT_FALSE(parse_message("nonsense"));
  EXPECT_FALSE(parse_message("[1]"));
  EXPECT_FALSE(gpu::read<Job>(Json::object()));
  EXPECT_FALSE(gpu::read<Answer>(Json{{"has_yardstick", "yes"}}));
  EXPECT_FALSE(gpu::read<Data>(Json()));
  EXPECT_EQ(kind_of(Json{{"what", 5}}), "");
}

TEST(Product, KnowsTheOrderOfBothProblems) {
  const catalog::Values sizes = {{"M", 10}, {"N", 20}, {"K", 30}};
  EXPECT_EQ(product_of("sgemm", sizes),
            (Product{.m = 20, .n = 10, .k = 30, .left = 1, .right = 0, .result = 2}));
  EXPECT_EQ(product_of("sgemm_column", sizes),
            (Product{.m = 10, .n = 20, .k = 30, .left = 1, .right = 2, .result = 0}));
  using enum Product::Numbers;
  const auto of = [](Product::Numbers numbers, bool left_is_turned) {
    return Product{.m = 20,
                   .n = 10,
                   .k = 30,
                   .left = 1,
                   .right = 0,
                   .result = 2,
                   .numbers = numbers,
                   .left_is_turned = left_is_turned};
  };
  EXPECT_EQ(product_of("sgemm_tf32", sizes), of(tf32, false));
  EXPECT_EQ(product_of("gemm_bf16", sizes), of(bf16, true));
  EXPECT_EQ(product_of("gemm_s8", sizes), of(s8, true));
  EXPECT_EQ(product_of("transpose", sizes), std::nullopt);
}

}  // namespace
}  // namespace warplens::gpu
