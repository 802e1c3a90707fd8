// The repository's kernels, recorded: their traces, pieces, lines and elements have to agree with the run's
// counters.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "engine/base/testing/places.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/report/elements.hpp"
#include "engine/report/pieces.hpp"
#include "engine/report/tables.hpp"
#include "engine/run/emulate.hpp"
#include "engine/run/plan.hpp"
#include "engine/trace/recorder.hpp"

namespace warplens::report {
namespace {

const std::string kRoot = source_path();

device::Device h100() {
  std::ifstream file(kRoot + "/assets/devices.toml");
  std::stringstream text;
  text << file.rdbuf();
  return *device::DeviceTable::parse(text.str(), "devices.toml")->find("h100");
}

struct Case {
  const char* kernel;
  const char* sizes;
};

// One kernel with its defaults, every block recorded.
struct Recorded {
  catalog::KernelSpec spec;
  std::shared_ptr<const emulator::Kernel> kernel;
  std::shared_ptr<const problem::Instance> instance;
  run::Emulation emulation;
  trace::Trace trace;
};

// An error's text, or empty.
std::string record(const Case& wanted, compile::Compiler& compiler, Recorded& out, int threads = 2) {
  const auto catalog = catalog::Catalog::open(kRoot + "/kernels");
  const auto spec = catalog->find(wanted.kernel);
  if (!spec) return to_line(spec.error());
  out.spec = *spec;
  const auto problem = problem::find_problem(out.spec);
  const auto sizes = problem::parse_sizes(**problem, wanted.sizes);
  if (!sizes) return to_line(sizes.error());
  const auto values = catalog::resolve_values(out.spec, {}, *sizes);
  const auto shape = catalog::launch_shape(out.spec, *values, *sizes);
  if (!shape) return to_line(shape.error());
  const auto planned = run::choose_values(out.spec, *values, *sizes, h100());
  if (!planned) return to_line(planned.error());
  const auto build = compiler.compile(run::build_request(*planned, false));
  if (!build) return to_line(build.error());
  out.instance = *(*problem)->make(*sizes, problem::Pattern::random, 1, std::uint64_t{1} << 32);
  out.kernel = *run::prepare(*build, h100());
  trace::Recorder recorder;
  run::EmulationOptions options;
  options.observer = &recorder;
  options.threads = threads;
  auto emulation = run::emulate(*out.kernel, *out.instance, *shape, options);
  if (!emulation) return to_line(emulation.error());
  out.emulation = *std::move(emulation);
  out.trace = recorder.finish(out.emulation.outcome.fault);
  return out.emulation.outcome.fault ? to_line(out.emulation.outcome.fault->error) : "";
}

class RecordedKernel : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!compiler_.available()) GTEST_SKIP() << compiler_.description();
    ASSERT_EQ(record(GetParam(), compiler_, recorded_), "");
  }
  compile::Compiler compiler_{{.library = {}, .cache_folder = test_cache_path()}};
  Recorded recorded_;
};

TEST_P(RecordedKernel, ThePiecesOfItsAccessesSumUpToItsCounters) {
  const device::Device device = h100();
  const auto& code = recorded_.kernel->function().code;
  struct Sum : emulator::AccessCounts {
    bool exact = true;
  };
  std::vector<Sum> sums(code.size());
  for (std::size_t b = 0; b < recorded_.trace.blocks().size(); ++b)
    recorded_.trace.for_each(b, [&](const trace::Access& access) {
      const AccessPieces pieces = access_pieces(access, code[access.pc], device);
      Sum& sum = sums[access.pc];
      const bool arrival =
          access.kind == emulator::AccessKind::async_copy && access.space == ptx::Space::shared;
      sum.requests += arrival ? 0 : 1;
      (pieces.is_shared ? sum.wavefronts : sum.sectors) += static_cast<std::uint64_t>(pieces.units);
      (pieces.is_shared ? sum.ideal_wavefronts : sum.ideal_sectors) +=
          static_cast<std::uint64_t>(pieces.ideal);
      sum.exact &= pieces.exact || arrival || access.kind == emulator::AccessKind::atomic;
    });
  std::uint64_t compared = 0;
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    const auto& row = recorded_.emulation.outcome.counters.instructions[pc];
    EXPECT_EQ(sums[pc].requests, row.requests) << pc;
    if (!sums[pc].exact) continue;
    EXPECT_EQ(sums[pc].sectors, row.sectors) << pc;
    EXPECT_EQ(sums[pc].ideal_sectors, row.ideal_sectors) << pc;
    EXPECT_EQ(sums[pc].wavefronts, row.wavefronts) << pc;
    EXPECT_EQ(sums[pc].ideal_wavefronts, row.ideal_wavefronts) << pc;
    compared += row.sectors + row.wavefronts;
  }
  EXPECT_GT(compared, 0u);
}

TEST_P(RecordedKernel, IsRecordedAlikeOnOneAndTwoThreadsInAtMost16Bytes) {
  Recorded alone;
  ASSERT_EQ(record(GetParam(), compiler_, alone, 1), "");
  EXPECT_TRUE(alone.trace == recorded_.trace);
  EXPECT_EQ(alone.trace.dropped(), 0u);
  const double bytes = static_cast<double>(alone.trace.bytes()) / static_cast<double>(alone.trace.events());
  RecordProperty("bytes_per_access", std::to_string(bytes));
  EXPECT_LE(bytes, 16);
}

TEST_P(RecordedKernel, EveryGlobalAccessIsAnElementOfABuffer) {
  const auto placed = placed_buffers(*recorded_.instance, recorded_.emulation.buffers);
  ASSERT_EQ(placed.size(), recorded_.instance->buffers().size());
  std::uint64_t seen = 0;
  for (std::size_t b = 0; b < recorded_.trace.blocks().size(); ++b)
    recorded_.trace.for_each(b, [&](const trace::Access& access) {
      if (access.space != ptx::Space::global) return;
      const auto elements = elements_of(placed, access);
      for (std::size_t lane = 0; lane < 32; ++lane) {
        ASSERT_EQ(elements[lane].has_value(), (access.active >> lane & 1u) != 0);
        if (!elements[lane]) continue;
        ++seen;
        EXPECT_TRUE(access.kind == emulator::AccessKind::load ||
                    access.kind == emulator::AccessKind::async_copy ||
                    placed[elements[lane]->buffer].buffer.is_output)
            << "only outputs are written";
      }
    });
  EXPECT_GT(seen, 0u);
}

TEST_P(RecordedKernel, LinesAreThoseOfTheKernelFile) {
  const auto& function = recorded_.kernel->function();
  const LineTable table =
      line_table(recorded_.emulation.outcome.counters, function, recorded_.kernel->program());
  EXPECT_EQ(table.file, recorded_.spec.path);
  std::vector<std::string> text{""};
  std::istringstream lines(recorded_.spec.code);
  for (std::string line; std::getline(lines, line);) text.push_back(line);
  for (const LineRow& row : table.rows) {
    ASSERT_LT(static_cast<std::size_t>(row.line), text.size());
    // Global traffic comes from lines that index or dereference something.
    if (row.traffic.global.requests != 0) {
      EXPECT_NE(row.line, 0);
      EXPECT_NE(text[static_cast<std::size_t>(row.line)].find_first_of("[*(&"), std::string::npos)
          << row.line << " " << text[static_cast<std::size_t>(row.line)];
    }
  }
}

const Case kCases[] = {
    {"matmul/01_naive", "70,50,33"},
    {"matmul/02_coalesced", "70,50,33"},
    {"matmul/03_shared_tile", "70,50,33"},
    {"matmul/04_register_1d", "128,128,64"},
    {"matmul/05_register_2d", "128,128,64"},
    {"matmul/06_vectorized", "100,90,70"},
    {"matmul/07_conflict_free", "128,128,64"},
    {"matmul/08_double_buffer", "128,128,64"},
    {"matmul/09_warp_tile", "128,128,256"},
    {"matmul/10_async_pipeline", "150,130,70"},
    {"ncsa/01_k1", "64,64,64"},
    {"ncsa/05_k3k4", "64,64,64"},
    {"transpose/01_naive", "65,70"},
    {"transpose/02_tiled", "64,64"},
    {"transpose/04_vectorized", "256,256"},
    {"reduction/01_interleaved", "5000"},
    {"reduction/02_strided", "5000"},
    {"reduction/06_shuffle", "5000"},
    {"reduction/08_float4", "500000"},
    {"memory/03_strided", "5000"},
    {"memory/07_float3_staged", "5000"},
    {"memory/08_vectorized", "5000"},
    {"minplus/01_v0", "70"},
    {"minplus/04_v2", "100"},
    {"minplus/05_v3", "100"},
};

INSTANTIATE_TEST_SUITE_P(Repository, RecordedKernel, testing::ValuesIn(kCases), [](const auto& tested) {
  std::string name = tested.param.kernel;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

// The element that a naive kernel's lane reads, worked out by hand: 01_naive gives lane l the row l of its
// block.
TEST(Elements, OfTheNaiveKernelsFirstAccess) {
  compile::Compiler compiler{{.library = {}, .cache_folder = test_cache_path()}};
  if (!compiler.available()) GTEST_SKIP() << compiler.description();
  Recorded naive;
  ASSERT_EQ(record({"matmul/01_naive", "64,64,64"}, compiler, naive), "");
  const auto placed = placed_buffers(*naive.instance, naive.emulation.buffers);
  std::vector<std::uint32_t> reads_of_a(placed[0].buffer.elements);
  for (std::size_t b = 0; b < naive.trace.blocks().size(); ++b) {
    naive.trace.for_each(b, [&](const trace::Access& access) {
      for (const auto& element : elements_of(placed, access))
        if (element && element->buffer == 0) ++reads_of_a[element->index];
    });
  }
  // Each of the 64 columns of C reads every element of A once.
  for (const std::uint32_t reads : reads_of_a) ASSERT_EQ(reads, 64u);
}

}  // namespace
}  // namespace warplens::report
