// Do the emulator's PTX cases give the same bits on a GPU?
//   ptx_on_gpu forms
// runs every scalar form against its lane function and prints a Markdown table of those that differ.
//   ptx_on_gpu trials FILE [FIRST]
// runs the cases that ptx_trials wrote, from number FIRST on. A case that faults ends the run with code 3 and
// says its number, since no call succeeds after it.
//   ptx_on_gpu records FILE [FIRST]
// runs the same cases rewritten so that they record their accesses, and compares these with the emulator's.
// A tool for whoever changes the emulator; needs no GoogleTest where it runs. Its results stand in
// docs/evidence/ptx-on-gpu.md.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/emulator/testing/emulator_support.hpp"
#include "engine/emulator/testing/form_kernel.hpp"
#include "engine/gpu/driver/device_memory.hpp"
#include "engine/instrument/compare.hpp"
#include "engine/instrument/recording.hpp"
#include "engine/trace/recorder.hpp"

namespace warplens::gpu {
namespace {

using emulator::Form;
using emulator::FormKernel;
using emulator::kSlots;
using emulator::LaneInputs;
using emulator::LaneResult;

constexpr std::uint32_t kThreads = 1024, kLaunches = 8;  // of each form: 8192 inputs
constexpr std::size_t kBatch = 64;                       // forms in one module
constexpr unsigned kRegisters = 64;
constexpr std::size_t kExamples = 3;  // kept of a form's differences

// The first GPU, ready for work.
class Machine {
 public:
  static Result<Machine> open() {
    Machine machine;
    auto driver = Driver::load();
    if (!driver) return driver.error();
    machine.driver_ = *std::move(driver);
    const auto devices = machine.driver_->devices();
    if (!devices) return devices.error();
    if (devices->empty()) return Error{"no GPU can be used: the driver lists none", ""};
    machine.name_ = devices->front().name;
    int device = 0;
    Handle context = nullptr;
    WARPLENS_GPU_TRY(*machine.driver_, cuDeviceGet(&device, 0));
    WARPLENS_GPU_TRY(*machine.driver_, cuDevicePrimaryCtxRetain(&context, device));
    WARPLENS_GPU_TRY(*machine.driver_, cuCtxSetCurrent(context));
    WARPLENS_GPU_TRY(*machine.driver_, cuStreamCreate(&machine.stream_, 1));
    return machine;
  }
  const std::string& name() const { return name_; }
  int cuda() const { return driver_->version(); }
  Result<Module> compile(const std::string& ptx) const { return Module::compile(driver_, ptx, kRegisters); }

  struct Launch {
    std::array<unsigned, 3> block{1, 1, 1};
    std::span<const std::byte> in;
    std::span<std::byte> out;
    std::optional<std::uint32_t> n = {};
    std::span<std::byte> extra = {};
  };
  struct Places {
    DevicePointer in = 0, out = 0;
  };
  // The kernel's parameters are the addresses of in and out and, where the launch has them, n and the address
  // of extra. out starts as zeros and extra as it is; both come back.
  Result<Places> run(const Module& module, const std::string& name, const Launch& launch) {
    Handle function = nullptr;
    WARPLENS_GPU_TRY(*driver_, cuModuleGetFunction(&function, module.get(), name.c_str()));
    const auto from = DeviceMemory::allocate(driver_, launch.in.size()),
               to = DeviceMemory::allocate(driver_, launch.out.size()),
               more = DeviceMemory::allocate(driver_, std::max<std::size_t>(16, launch.extra.size()));
    for (const auto* memory : {&from, &to, &more})
      if (!*memory) return memory->error();
    DevicePointer in = from->pointer(), out = to->pointer(), extra = more->pointer();
    std::uint32_t n = launch.n.value_or(0);
    std::vector<void*> parameters{&in, &out};
    if (launch.n) parameters.push_back(&n);
    parameters.push_back(&extra);  // is not looked at where the kernel has no such parameter
    const auto& [x, y, z] = launch.block;
    WARPLENS_GPU_TRY(*driver_, cuMemcpyHtoDAsync_v2(in, launch.in.data(), launch.in.size(), stream_));
    WARPLENS_GPU_TRY(*driver_, cuMemsetD8Async(out, 0, launch.out.size(), stream_));
    if (!launch.extra.empty())
      WARPLENS_GPU_TRY(*driver_,
                       cuMemcpyHtoDAsync_v2(extra, launch.extra.data(), launch.extra.size(), stream_));
    WARPLENS_GPU_TRY(*driver_,
                     cuLaunchKernel(function, 1, 1, 1, x, y, z, 0, stream_, parameters.data(), nullptr));
    WARPLENS_GPU_TRY(*driver_, cuMemcpyDtoHAsync_v2(launch.out.data(), out, launch.out.size(), stream_));
    if (!launch.extra.empty())
      WARPLENS_GPU_TRY(*driver_,
                       cuMemcpyDtoHAsync_v2(launch.extra.data(), extra, launch.extra.size(), stream_));
    WARPLENS_GPU_TRY(*driver_, cuStreamSynchronize(stream_));
    return Places{in, out};
  }

 private:
  std::shared_ptr<const Driver> driver_;
  Handle stream_ = nullptr;
  std::string name_;
};

// ---- distances of results

// Steps between two floats of one width, both sides of zero counted; empty if exactly one is a NaN.
std::optional<std::uint64_t> steps(std::uint64_t a, std::uint64_t b, int bits, int mantissa) {
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1), magnitude = sign - 1;
  const std::uint64_t infinity = magnitude >> mantissa << mantissa;
  const bool a_nan = (a & magnitude) > infinity, b_nan = (b & magnitude) > infinity;
  if (a_nan || b_nan) return a_nan && b_nan ? std::optional<std::uint64_t>(0) : std::nullopt;
  const auto place = [&](std::uint64_t v) {
    const auto size = static_cast<std::int64_t>(v & magnitude);
    return (v & sign) != 0 ? -size : size;
  };
  const std::int64_t difference = place(a) - place(b);
  return static_cast<std::uint64_t>(difference < 0 ? -difference : difference);
}

struct Parts {
  int bits = 0, mantissa = 0, count = 1;
};
std::optional<Parts> parts_of(ptx::Type type) {
  switch (type) {
    case ptx::Type::f32:
    case ptx::Type::tf32:
      return Parts{32, 23, 1};
    case ptx::Type::f64:
      return Parts{64, 52, 1};
    case ptx::Type::f16:
      return Parts{16, 10, 1};
    case ptx::Type::f16x2:
      return Parts{16, 10, 2};
    case ptx::Type::bf16:
      return Parts{16, 7, 1};
    case ptx::Type::bf16x2:
      return Parts{16, 7, 2};
    default:
      return std::nullopt;
  }
}

// How a form's results differ over all its inputs.
struct Difference {
  std::uint64_t inputs = 0, different = 0;
  std::uint64_t ulps = 0;     // the most
  double apart = 0;           // the most, of finite results
  bool not_a_number = false;  // only one of the two is
  bool countable = true;      // in ulps
  std::vector<std::string> examples;
};

// The value of a float of these parts.
double value_of(std::uint64_t bits, const Parts& parts) {
  if (parts.bits == 64) return std::bit_cast<double>(bits);
  if (parts.mantissa == 7) bits <<= 16;  // bf16 is the upper half of an fp32
  if (parts.mantissa != 10) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  if (exponent == 31) return fraction != 0 ? std::nan("") : std::numeric_limits<double>::infinity();
  const double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  return (bits >> 15 & 1) != 0 ? -size : size;
}

void add(Difference& difference, ptx::Type type, std::uint64_t ours, std::uint64_t theirs) {
  const auto parts = parts_of(type);
  if (!parts) {
    difference.countable = false;
    return;
  }
  const std::uint64_t mask = parts->bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << parts->bits) - 1;
  for (int p = 0; p < parts->count; ++p) {
    const int shift = p * parts->bits;
    const std::uint64_t a = ours >> shift & mask, b = theirs >> shift & mask;
    auto ulps = steps(a, b, parts->bits, parts->mantissa);
    // rcp and rsqrt .approx.ftz.f64 give the upper word alone (PTX ISA 9.7.3): count in its units.
    if (ulps && parts->bits == 64 && ((a | b) & 0xffffffffu) == 0) *ulps >>= 32;
    if (ulps) difference.ulps = std::max(difference.ulps, *ulps);
    difference.not_a_number |= !ulps;
    const double apart = std::abs(value_of(a, *parts) - value_of(b, *parts));
    if (std::isfinite(apart)) difference.apart = std::max(difference.apart, apart);
  }
}

// ---- forms

struct Prepared {
  Form form;
  std::string text;  // of its entry, named after its place in the batch
  ptx::Instruction instruction;
  bool reads_carry = false;
};

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  const std::size_t at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

constexpr std::string_view kEntry = ".visible .entry k(";

Prepared prepare(const Form& form, std::size_t place) {
  const FormKernel kernel(form, emulator::Mode::varying);
  const std::string whole = kernel.text(emulator::inputs_of(form, kernel.instruction(), 0));
  std::string entry = whole.substr(whole.find(kEntry));
  entry = replaced(std::move(entry), kEntry, fmt::format(".visible .entry k{}(", place));
  return {form, std::move(entry), kernel.instruction(), kernel.reads_carry()};
}

std::string module_text(std::span<const Prepared> forms) {
  std::string text = ".version 8.7\n.target sm_90\n.address_size 64\n";
  for (const Prepared& one : forms) text += one.text;
  return text;
}

std::vector<std::uint64_t> input_words(const Prepared& one, std::uint32_t first,
                                       std::vector<LaneInputs>& inputs) {
  std::vector<std::uint64_t> words(kThreads * kSlots);
  inputs.clear();
  for (std::uint32_t t = 0; t < kThreads; ++t) {
    LaneInputs in = emulator::inputs_of(one.form, one.instruction, first + t);
    if (!one.reads_carry) in.carry = false;
    inputs.push_back(in);
    const std::uint64_t values[] = {in.a, in.b, in.c, in.d, in.e};
    std::copy_n(values, one.form.sources.size(), words.begin() + static_cast<std::ptrdiff_t>(t * kSlots));
    words[t * kSlots + emulator::kCarryInSlot] = in.carry ? 1 : 0;
  }
  return words;
}

void compare(const Prepared& one, const LaneInputs& in, const std::uint64_t* theirs, Difference& difference) {
  const FormKernel kernel(one.form, emulator::Mode::varying);
  const LaneResult result = emulator::lane_function(one.instruction)(one.instruction, in);
  const std::uint64_t ours = kernel.in_register(result.value);
  ++difference.inputs;
  const bool same =
      theirs[0] == ours && (one.form.destination.size() < 2 || theirs[1] == result.second) &&
      (!one.instruction.carry_out || (theirs[emulator::kCarryOutSlot] & 1) == (result.carry ? 1 : 0));
  if (same) return;
  ++difference.different;
  add(difference, emulator::operand_type(one.instruction, one.form.destination[0]), ours, theirs[0]);
  std::string operands;
  const std::uint64_t values[] = {in.a, in.b, in.c, in.d, in.e};
  for (std::size_t k = 0; k < one.form.sources.size(); ++k)
    operands += fmt::format("{}{:x}", k == 0 ? "" : " ", values[k]);
  if (difference.examples.size() < kExamples)
    difference.examples.push_back(fmt::format("{}: {:x} here, {:x} there", operands, ours, theirs[0]));
}

Result<Difference> run_form(Machine& machine, const Module& module, const Prepared& one, std::size_t place) {
  Difference difference;
  std::vector<LaneInputs> inputs;
  std::vector<std::uint64_t> out(kThreads * kSlots);
  for (std::uint32_t launch = 0; launch < kLaunches; ++launch) {
    const auto in = input_words(one, launch * kThreads, inputs);
    const auto ran = machine.run(module, fmt::format("k{}", place),
                                 {.block = {kThreads, 1, 1},
                                  .in = std::as_bytes(std::span(in)),
                                  .out = std::as_writable_bytes(std::span(out))});
    if (!ran) return ran.error();
    for (std::uint32_t t = 0; t < kThreads; ++t) compare(one, inputs[t], &out[t * kSlots], difference);
  }
  return difference;
}

struct FormsReport {
  std::size_t forms = 0, equal = 0;
  std::vector<std::string> rows, refused;
};

void add_row(FormsReport& report, const Form& form, const Difference& d) {
  ++report.forms;
  if (d.different == 0) {
    ++report.equal;
    return;
  }
  std::string ulps = d.countable ? fmt::format("{}", d.ulps) : "-";
  if (d.not_a_number) ulps += ", NaN";
  // One is enough of what the ISA lets differ.
  const auto shown = std::span(d.examples).first(form.approximate ? 1 : d.examples.size());
  report.rows.push_back(fmt::format("| {} | {} | {} of {} | {} | {:.2g} | {} |", form.text,
                                    form.approximate ? "yes" : "NO", d.different, d.inputs, ulps, d.apart,
                                    fmt::join(shown, "; ")));
}

// A form that the compiler refuses makes it refuse the whole module: then each has one of its own.
Status run_batch(Machine& machine, std::span<const Prepared> batch, FormsReport& report) {
  const auto module = machine.compile(module_text(batch));
  if (!module && batch.size() == 1) {
    report.refused.push_back(batch[0].form.text);
    return Done{};
  }
  if (!module) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      Prepared alone = prepare(batch[i].form, 0);
      if (const auto ran = run_batch(machine, std::span(&alone, 1), report); !ran) return ran;
    }
    return Done{};
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto difference = run_form(machine, *module, batch[i], i);
    if (!difference) return Error{batch[i].form.text + ": " + difference.error().message, ""};
    add_row(report, batch[i].form, *difference);
  }
  return Done{};
}

Status run_forms(Machine& machine) {
  FormsReport report;
  std::vector<Prepared> batch;
  const auto forms = emulator::all_forms();
  for (std::size_t f = 0; f <= forms.size(); ++f) {
    if (batch.size() == kBatch || f == forms.size()) {
      if (const auto ran = run_batch(machine, batch, report); !ran) return ran;
      batch.clear();
    }
    if (f < forms.size() && !forms[f].needs_sm_100) batch.push_back(prepare(forms[f], batch.size()));
  }
  const auto blackwell =
      std::count_if(forms.begin(), forms.end(), [](const Form& f) { return f.needs_sm_100; });
  fmt::print("{}, CUDA {}.{}: {} of {} forms give the same bits on {} inputs each; {} more need a 10.0.\n\n",
             machine.name(), machine.cuda() / 1000, machine.cuda() % 1000 / 10, report.equal, report.forms,
             kThreads * kLaunches, blackwell);
  fmt::print(
      "| form | approximate by the ISA | inputs that differ | most ulps | most apart | an example "
      "|\n|---|---|---:|---:|---:|---|\n");
  for (const std::string& row : report.rows) fmt::print("{}\n", row);
  for (const std::string& text : report.refused) fmt::print("\nrefused by the driver's compiler: {}\n", text);
  return Done{};
}

// ---- trials

constexpr int kStopped = 3;
// ptx_trial.hpp: a thread's words, and the one that the trial clears before comparing.
constexpr std::size_t kWordsOfThread = 8, kMarkWord = 7;

std::vector<std::uint32_t> words_of(const nlohmann::json& binary) {
  const auto& bytes = binary.get_binary();
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

struct TrialResult {
  bool same = false;          // in every word ...
  bool same_as_told = false;  // ... or in all but those that PTX leaves open
  std::string first;          // the first other difference
};

TrialResult compare_trial(std::span<const std::uint32_t> there, std::span<const std::uint32_t> here,
                          unsigned open) {
  TrialResult result{.same = true, .same_as_told = true, .first = {}};
  for (std::size_t w = 0; w < here.size(); ++w) {
    const std::size_t word = w % kWordsOfThread;
    if (word == kMarkWord || there[w] == here[w]) continue;
    result.same = false;
    if ((open >> word & 1) != 0 || !result.same_as_told) continue;
    result.same_as_told = false;
    result.first =
        fmt::format("thread {} word {}: {:x} there, {:x} here", w / kWordsOfThread, word, there[w], here[w]);
  }
  return result;
}

// Error: the run stopped, and no other can follow it.
Result<TrialResult> run_trial(Machine& machine, const nlohmann::json& trial) {
  const auto module = machine.compile(trial.at("ptx"));
  if (!module) return TrialResult{.first = "not compiled: " + module.error().message};
  const auto in = words_of(trial.at("in")), here = words_of(trial.at("out"));
  std::vector<std::uint32_t> there(here.size());
  const auto ran = machine.run(*module, "k",
                               {.block = trial.at("block"),
                                .in = std::as_bytes(std::span(in)),
                                .out = std::as_writable_bytes(std::span(there)),
                                .n = trial.at("n")});
  if (!ran) return ran.error();
  return compare_trial(there, here, trial.at("open").get<unsigned>());
}

void print_trial(const nlohmann::json& trial, std::size_t number, const std::string& difference) {
  const std::string ptx = trial.at("ptx");
  fmt::print("trial {} of {}: {}\n{}\n", number, std::string(trial.at("test")), difference,
             ptx.substr(ptx.find("setp.ne.s32 %odd")));
}

// ---- records

constexpr std::uint64_t kRecordBytes = std::uint64_t{4} << 20;

// The emulator's run of a trial: its trace, and where its buffers stood.
struct Emulated {
  trace::Trace trace;
  std::uint64_t in = 0, out = 0;
};
Result<Emulated> emulate(emulator::Bench& bench, const nlohmann::json& trial,
                         const std::vector<std::uint32_t>& in) {
  Emulated run;
  run.in = bench.buffer("in", in);
  run.out = bench.buffer("out", std::vector<std::uint32_t>(in.size()));
  emulator::Launch launch;
  launch.block = trial.at("block");
  launch.arguments = emulator::ArgumentList().add(run.in).add(run.out).add(trial.at("n").get<int>()).bytes();
  trace::Recorder recorder;
  launch.observer = &recorder;
  const auto outcome = bench.run(launch);
  if (!outcome) return outcome.error();
  run.trace = recorder.finish();
  return run;
}

std::string words_of(const instrument::Recording& recording, const instrument::AccessRecords& records,
                     const instrument::TraceComparison& compared) {
  std::string text;
  if (compared.different != 0) text = fmt::format("{} warps, {}", compared.different, compared.first);
  if (recording.dropped != 0) text += fmt::format("; {} did not fit", recording.dropped);
  if (!records.left_out.empty()) text += fmt::format("; not recorded: {}", fmt::join(records.left_out, ", "));
  return text;
}

// same: the accesses are; first: what is not.
Result<TrialResult> run_recorded_trial(Machine& machine, const nlohmann::json& trial) {
  const std::string ptx = trial.at("ptx");
  const auto in = words_of(trial.at("in"));
  const auto records = instrument::with_access_records(ptx, "k", {.local = true});
  if (!records) return TrialResult{.first = "not rewritten: " + records.error().message};
  const auto module = machine.compile(records->ptx);
  if (!module) return TrialResult{.first = "not compiled: " + module.error().message};
  auto head = instrument::make_head(records->variables.size(), 1, {}, kRecordBytes);
  if (!head) return head.error();
  head->resize(kRecordBytes);
  std::vector<std::uint32_t> out(in.size());
  const std::array<unsigned, 3> block = trial.at("block");
  const auto places = machine.run(*module, "k",
                                  {.block = block,
                                   .in = std::as_bytes(std::span(in)),
                                   .out = std::as_writable_bytes(std::span(out)),
                                   .n = trial.at("n"),
                                   .extra = *head});
  if (!places) return places.error();
  emulator::Bench bench(ptx, "k");
  const auto emulated = emulate(bench, trial, in);
  if (!emulated) return TrialResult{.first = "not emulated: " + emulated.error().message};
  const instrument::RecordingInput input{
      .records = &*records,
      .kernel = bench.kernel(),
      .buffers = {{places->in, emulated->in, in.size() * 4}, {places->out, emulated->out, in.size() * 4}},
      .threads_per_block = block[0] * block[1] * block[2]};
  const auto recording = instrument::read_recording(input, *head, emulator::test_device());
  if (!recording) return TrialResult{.first = "not read: " + recording.error().message};
  const auto compared = instrument::compare_traces(emulated->trace, recording->trace);
  TrialResult result{.first = words_of(*recording, *records, compared)};
  result.same = result.first.empty();
  result.same_as_told = result.same;
  return result;
}

using RunTrial = Result<TrialResult> (*)(Machine& machine, const nlohmann::json& trial);

int run_trials(Machine& machine, RunTrial run_one, const std::string& path, std::size_t first) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  const auto trials = nlohmann::json::from_cbor(bytes, true, false);
  if (!trials.is_array()) {
    fmt::print(stderr, "{}: no trials of ptx_trials\n", path);
    return 2;
  }
  std::size_t same = 0, as_told = 0;
  for (std::size_t i = first; i < trials.size(); ++i) {
    const auto result = run_one(machine, trials[i]);
    if (!result) {
      print_trial(trials[i], i, "STOPPED, " + result.error().message);
      return kStopped;
    }
    same += result->same ? 1 : 0;
    as_told += result->same_as_told && !result->same ? 1 : 0;
    if (!result->same_as_told) print_trial(trials[i], i, result->first);
  }
  const std::size_t all = trials.size() - first;
  fmt::print("{}: {} of {} trials are the same, {} more but for words that PTX leaves open\n", machine.name(),
             same, all, as_told);
  return same + as_told == all ? 0 : 1;
}

int run(std::span<char*> words) {
  auto machine = Machine::open();
  if (!machine) {
    fmt::print(stderr, "{}\n", to_line(machine.error()));
    return 2;
  }
  const std::string what = words.size() > 1 ? words[1] : "";
  if ((what == "trials" || what == "records") && words.size() > 2)
    return run_trials(*machine, what == "trials" ? run_trial : run_recorded_trial, words[2],
                      words.size() > 3 ? std::stoul(words[3]) : 0);
  if (what != "forms") {
    fmt::print(stderr, "ptx_on_gpu forms, or ptx_on_gpu trials|records FILE [FIRST]\n");
    return 2;
  }
  const auto ran = run_forms(*machine);
  if (!ran) fmt::print(stderr, "{}\n", to_line(ran.error()));
  return ran ? 0 : kStopped;
}

}  // namespace
}  // namespace warplens::gpu

int main(int argc, char** argv) {
  return warplens::gpu::run(std::span(argv, static_cast<std::size_t>(argc)));
}
