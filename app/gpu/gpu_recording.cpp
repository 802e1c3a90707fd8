#include "app/gpu/gpu_recording.hpp"

#include <utility>

#include "engine/run/emulate.hpp"

namespace warplens::app {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

}  // namespace

Result<std::unique_ptr<GpuRecording>> recording_of(const run::Job& job,
                                                   const instrument::AccessRecords& records,
                                                   const gpu::Execution& execution) {
  auto result = std::make_unique<GpuRecording>();
  result->left_out = records.left_out;
  result->blocks_in_grid = catalog::blocks_in_grid(job.plan.launch);
  auto kernel = run::prepare(job.build, job.plan.device);
  if (!kernel) return kernel.error();
  result->kernel = *std::move(kernel);
  const auto places = run::buffer_places(*job.instance);
  if (!places) return places.error();
  instrument::RecordingInput input{.records = &records, .kernel = result->kernel.get(), .buffers = {}};
  input.threads_per_block = static_cast<std::uint32_t>(threads_per_block(job.plan));
  for (std::size_t b = 0; b < places->size() && b < execution.places.size(); ++b)
    input.buffers.push_back({execution.places[b], (*places)[b].address, (*places)[b].size});
  auto recording = instrument::read_recording(input, execution.extra, job.plan.device);
  if (!recording) return recording.error();
  result->recording = *std::move(recording);
  const auto verification = gpu::verify_output(*job.instance, execution.output);
  result->verified = verification.verified;
  result->explanation = verification.explanation;
  return result;
}

Result<std::unique_ptr<GpuRecording>> record_on_gpu(GpuEngine& engine, const run::Job& job,
                                                    const RecordRequest& request) {
  const auto records = instrument::with_access_records(job.build.ptx, job.build.kernel_name);
  if (!records) return records.error();
  const auto head = instrument::make_head(records->variables.size(), catalog::blocks_in_grid(job.plan.launch),
                                          request.blocks, request.bytes);
  if (!head) return head.error();
  gpu::Run run = launch_of(engine, job);
  run.cubin = bytes_of(records->ptx);
  run.extra = gpu::ExtraBuffer{.bytes = request.bytes, .start_bytes = 0, .records = true};
  run.extra_start = *head;
  const auto execution = engine.client().run(run);
  if (!execution) return execution.error();
  if (execution->fault) return execution->fault->error;
  auto result = recording_of(job, *records, *execution);
  if (result) (*result)->gpu = engine.hardware().name;
  return result;
}

}  // namespace warplens::app
