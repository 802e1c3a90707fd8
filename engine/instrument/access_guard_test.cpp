// Kernels that look at their own addresses before they use them: the emulator runs the rewritten text, in
// which an address that is not looked at would be a fault of the emulator's.
#include "engine/instrument/access_guard.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "engine/emulator/testing/emulator_support.hpp"
#include "engine/instrument/testing/instrument_support.hpp"

namespace warplens::instrument {
namespace {

using Kind = GuardFinding::Kind;

class GuardedKernels : public testing::TestWithParam<catalog::KernelSpec> {};

TEST_P(GuardedKernels, ComputeTheSameAndAreFoundFit) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto subject = Subject::make(GetParam(), small_size(GetParam()));
  ASSERT_TRUE(subject) << to_line(subject.error());
  const auto guard = with_access_guard(subject->build().ptx, subject->build().kernel_name);
  ASSERT_TRUE(guard) << to_line(guard.error());
  EXPECT_FALSE(guard->sites.empty());
  const auto plain = subject->run(subject->build().ptx);
  ASSERT_TRUE(plain) << to_line(plain.error());
  const auto start = guard_start(*guard, run::buffer_bytes(subject->instance()), 1'000'000'000);
  const auto run = subject->run(guard->ptx, start);
  ASSERT_TRUE(run) << to_line(run.error());
  ASSERT_FALSE(run->outcome.fault) << to_line(run->outcome.fault->error);
  EXPECT_EQ(run->output, plain->output);
  const auto found = read_guard(*guard, run->extra);
  ASSERT_TRUE(found) << to_line(found.error());
  EXPECT_FALSE(*found) << (*found)->place.line << " " << (*found)->address;
}

TEST_P(GuardedKernels, AreTakenByPtxas) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  if (!std::filesystem::exists(kPtxas)) GTEST_SKIP() << "no ptxas here";
  const auto subject = Subject::make(GetParam(), small_size(GetParam()));
  ASSERT_TRUE(subject) << to_line(subject.error());
  const auto guard = with_access_guard(subject->build().ptx, subject->build().kernel_name);
  ASSERT_TRUE(guard) << to_line(guard.error());
  EXPECT_EQ(ptxas_complaint(guard->ptx, 90), "");
}

INSTANTIATE_TEST_SUITE_P(Repository, GuardedKernels, testing::ValuesIn(recorded_kernels()),
                         [](const auto& tested) { return label_of(tested.param.id); });

// A kernel of two blocks of 48 threads with `in` and `out`, 96 numbers each; %rd1 and %rd2 are the places of
// the thread's own, %r1 its number in the grid. 256 bytes of shared memory are at `tile`.
struct Guarded {
  AccessGuard guard;
  std::optional<GuardFinding> found;
  std::optional<emulator::Fault> fault;
  std::vector<std::int32_t> in, out;
  std::uint64_t in_at = 0, out_at = 0;
};

std::string text_of(const std::string& body, const std::string& directives = "") {
  return ".version 8.0\n.target sm_90\n.address_size 64\n.global .align 16 .b8 table[64];\n"
         ".const .align 16 .b8 fixed[64];\n.extern .func (.param .b64 r) malloc(.param .b64 n);\n"
         ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n) " +
         directives +
         "{\n"
         ".shared .align 16 .b8 tile[256];\n.local .align 16 .b8 mine[16];\n"
         ".reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n"
         "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\nmad.lo.s32 %r1, %r1, 48, %r2;\n"
         "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"
         "mad.wide.s32 %rd1, %r1, 4, %rd1;\nmad.wide.s32 %rd2, %r1, 4, %rd2;\n" +
         body + "\n}\n";
}

Guarded run(const std::string& body, std::uint64_t limit = 1'000'000'000,
            const std::string& directives = "") {
  Guarded result;
  auto guard = with_access_guard(text_of(body, directives));
  EXPECT_TRUE(guard) << to_line(guard.error());
  if (!guard) return result;
  result.guard = *std::move(guard);
  if (std::filesystem::exists(kPtxas)) {
    EXPECT_EQ(ptxas_complaint(result.guard.ptx, 90), "");
  }
  emulator::Bench bench(result.guard.ptx);
  EXPECT_EQ(bench.error(), "");
  if (!bench.error().empty()) return result;
  std::vector<std::int32_t> numbers(96);
  std::iota(numbers.begin(), numbers.end(), 0);
  result.in_at = bench.buffer("in", numbers);
  result.out_at = bench.buffer("out", std::vector<std::int32_t>(96, -1));
  const auto start = guard_start(result.guard, std::vector<std::uint64_t>{384, 384, 0}, limit);
  const std::uint64_t extra = bench.buffer("guard", start);
  const auto arguments =
      emulator::ArgumentList().add(result.in_at).add(result.out_at).add(std::int32_t{96}).add(extra).bytes();
  const auto outcome = bench.run({.grid = {2, 1, 1},
                                  .block = {48, 1, 1},
                                  .dynamic_shared_bytes = 0,
                                  .arguments = arguments,
                                  .blocks = {},
                                  .observer = nullptr});
  EXPECT_TRUE(outcome) << to_line(outcome.error());
  if (!outcome) return result;
  result.fault = outcome->fault;
  EXPECT_FALSE(outcome->fault) << to_line(outcome->fault->error);
  result.in = bench.read<std::int32_t>(result.in_at, 96);
  result.out = bench.read<std::int32_t>(result.out_at, 96);
  const auto found = read_guard(result.guard, bench.read<std::byte>(extra, start.size()));
  EXPECT_TRUE(found) << to_line(found.error());
  if (found) result.found = *found;
  return result;
}

constexpr const char* kCopy = "ld.global.u32 %r3, [%rd1];\nst.global.u32 [%rd2], %r3;";

TEST(AccessGuard, FindsNothingInWhatIsRight) {
  for (const std::string& body :
       {std::string("mov.u64 %rd3, tile;\ncvta.shared.u64 %rd3, %rd3;\nst.u32 [%rd3], %r1;\nld.u32 %r3, "
                    "[%rd3];\nld.u32 %r3, [%rd1];"),
        std::string("mov.u64 %rd3, mine;\ncvta.local.u64 %rd3, %rd3;\nst.u32 [%rd3], %r1;\nld.local.u32 "
                    "%r3, [mine];"),
        std::string("st.global.u32 [table+60], %r1;\nmov.u64 %rd3, table;\ncvta.global.u64 %rd3, %rd3;\n"
                    "atom.add.u32 %r3, [%rd3+60], 1;"),
        std::string(
            "ld.const.u32 %r3, [fixed];\nmov.u64 %rd3, fixed;\ncvta.const.u64 %rd3, %rd3;\nld.u32 %r3, "
            "[%rd3+60];"),
        std::string("red.global.add.u32 [%rd2], 1;"), std::string("ret;")}) {
    const Guarded guarded = run(body);
    EXPECT_FALSE(guarded.found) << body << " " << guarded.found->address;
  }
  const Guarded copy = run(kCopy);
  EXPECT_EQ(copy.out, copy.in);
}

TEST(AccessGuard, NamesTheAddressTheThreadAndTheInstruction) {
  const Guarded stored =
      run("setp.ne.s32 %p1, %r1, 70;\n@%p1 bra $ok;\nadd.s64 %rd2, %rd2, 40000000000;\n$ok:" +
          std::string(kCopy));
  ASSERT_TRUE(stored.found);
  EXPECT_EQ(stored.found->kind, Kind::outside);
  EXPECT_EQ(stored.found->site.kind, emulator::AccessKind::store);
  EXPECT_EQ(stored.found->site.space, ptx::Space::global);
  EXPECT_EQ(stored.found->site.width, 4);
  EXPECT_EQ(stored.found->address, stored.out_at + 70 * 4 + 40000000000);
  EXPECT_EQ(stored.found->block, 1u);
  EXPECT_EQ(stored.found->thread, 22u);
  // Those before it had done their part.
  EXPECT_TRUE(std::equal(stored.in.begin(), stored.in.begin() + 70, stored.out.begin()));
  EXPECT_EQ(stored.out[70], -1);
}

TEST(AccessGuard, SeesTheEdgesOfBuffers) {
  const auto address_of = [](const std::string& load) {
    const Guarded guarded = run("setp.ne.s32 %p1, %r1, 95;\n@%p1 ret;\n" + load);
    return guarded.found ? static_cast<std::int64_t>(guarded.found->address - guarded.in_at) : -1;
  };
  EXPECT_EQ(address_of("ld.global.u32 %r3, [%rd1+4];"), 384);
  EXPECT_EQ(address_of("ld.global.u8 %r3, [%rd1+3];"), -1);
  EXPECT_EQ(address_of("ld.global.u64 %rd3, [%rd1+-4];"), -1);
  EXPECT_EQ(address_of("ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd1+4];"), 384);
  EXPECT_EQ(address_of("ld.global.u64 %rd3, [%rd1+4];"), 384);
  EXPECT_EQ(address_of("ld.u32 %r3, [%rd1+4];"), 384);
  EXPECT_EQ(address_of("cp.async.ca.shared.global [tile], [%rd1+4], 4;"), 384);
  EXPECT_EQ(address_of("ld.global.u32 %r3, [%rd1+-384];"), -4);
}

TEST(AccessGuard, SeesNullPointersAndSharedMemoryThatIsNotThere) {
  const Guarded null = run("mov.u64 %rd3, 0;\nld.u32 %r3, [%rd3];");
  ASSERT_TRUE(null.found);
  EXPECT_EQ(null.found->address, 0u);
  const Guarded shared = run("st.shared.u32 [tile+100000], %r1;");
  ASSERT_TRUE(shared.found);
  EXPECT_EQ(shared.found->site.space, ptx::Space::shared);
  EXPECT_TRUE(run("mov.u64 %rd3, tile;\ncvta.shared.u64 %rd3, %rd3;\nst.u32 [%rd3+100000], %r1;").found);
  EXPECT_TRUE(run("st.global.u32 [table+64], %r1;").found);
}

TEST(AccessGuard, SeesAddressesThatAreNoMultiples) {
  const Guarded guarded = run("ld.global.v2.u32 {%r3, %r4}, [%rd1];");
  ASSERT_TRUE(guarded.found);
  EXPECT_EQ(guarded.found->kind, Kind::misaligned);
  EXPECT_EQ((guarded.found->address - guarded.in_at) % 8, 4u);
  EXPECT_FALSE(run("and.b32 %r1, %r1, 2;\nmul.wide.s32 %rd3, %r1, 4;\nld.param.u64 %rd1, [in];\n"
                   "add.s64 %rd1, %rd1, %rd3;\nld.global.v2.u32 {%r3, %r4}, [%rd1];")
                   .found);
}

TEST(AccessGuard, LeavesOutLanesThatDoNotMakeTheAccess) {
  EXPECT_FALSE(run("setp.gt.s32 %p1, %r1, 1000;\n@%p1 ld.global.u32 %r3, [%rd1+40000];").found);
  EXPECT_TRUE(run("setp.gt.s32 %p1, %r1, 1000;\n@!%p1 ld.global.u32 %r3, [%rd1+40000];").found);
  EXPECT_FALSE(run("cp.async.ca.shared.global [tile], [%rd1+40000], 4, 0;").found);
  EXPECT_TRUE(run("cp.async.ca.shared.global [tile], [%rd1+40000], 4, 4;").found);
}

TEST(AccessGuard, StopsLoopsThatDoNotEnd) {
  const std::string forever = "$again:\nld.volatile.global.u32 %r3, [%rd1];\nbra $again;";
  const Guarded guarded = run(forever, 100'000);
  ASSERT_TRUE(guarded.found);
  EXPECT_EQ(guarded.found->kind, Kind::endless);
  EXPECT_TRUE(guarded.found->site.loop);
  // Only the last of the threads waits for the others, which were stopped: the barrier lets it go.
  EXPECT_TRUE(
      run("setp.eq.s32 %p1, %r2, 47;\n@%p1 bra $wait;\n" + forever + "\n$wait: bar.sync 0;", 100'000).found);
  const std::string counted =
      "mov.u32 %r3, 0;\n$again:\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, 50;\n"
      "@%p1 bra $again;\nst.global.u32 [%rd2], %r3;";
  const Guarded ended = run(counted);
  EXPECT_FALSE(ended.found);
  EXPECT_EQ(ended.out, std::vector<std::int32_t>(96, 50));
}

// Each thread writes its number and waits for both blocks; %r3 is where it wrote, %r5 the other block's rank.
Guarded run_cluster(const std::string& body) {
  const std::string sync = "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";
  return run("mov.u32 %r3, tile;\nshl.b32 %r4, %r2, 2;\nadd.u32 %r3, %r3, %r4;\nst.shared.u32 [%r3], %r1;\n" +
                 sync +
                 "mov.u32 %r5, %cluster_ctarank;\nxor.b32 %r5, %r5, 1;\ncvt.u64.u32 %rd3, %r3;\n"
                 "cvta.shared.u64 %rd3, %rd3;\n" +
                 body + "\n" + sync + "st.global.u32 [%rd2], %r7;",
             1'000'000'000, ".reqnctapercluster 2, 1, 1\n");
}

TEST(AccessGuard, KnowsTheSharedMemoryOfTheCluster) {
  for (const std::string body :
       {"mapa.shared::cluster.u32 %r6, %r3, %r5;\nld.shared::cluster.u32 %r7, [%r6];",
        "mapa.u64 %rd4, %rd3, %r5;\nld.u32 %r7, [%rd4];"}) {
    const Guarded guarded = run_cluster(body);
    EXPECT_FALSE(guarded.found) << body;
    EXPECT_EQ(guarded.out.front(), 48);
    EXPECT_EQ(guarded.out.back(), 47);
  }
  EXPECT_TRUE(
      run_cluster("mapa.shared::cluster.u32 %r6, %r3, %r5;\nld.shared::cluster.u32 %r7, [%r6+100000];")
          .found);
  EXPECT_TRUE(run_cluster("mapa.u64 %rd4, %rd3, %r5;\nld.u32 %r7, [%rd4+100000];").found);
  EXPECT_TRUE(run_cluster("ld.shared.u32 %r7, [%r3+100000];").found);
}

TEST(AccessGuard, KnowsTheHeapAndTheWorkspaceOfTheGrid) {
  const auto allocates = [](const std::string& body) {
    return run(
        "mov.u64 %rd3, 16;\n{\n.param .b64 n0;\nst.param.b64 [n0], %rd3;\n.param .b64 r0;\n"
        "call.uni (r0), malloc, (n0);\nld.param.b64 %rd4, [r0];\n}\n" +
        body);
  };
  EXPECT_FALSE(allocates("st.u64 [%rd4+8], %rd3;\nld.u64 %rd5, [%rd4+8];").found);
  EXPECT_TRUE(allocates("st.u64 [%rd4+400000000], %rd3;").found);
  // Between what one thread got and what the next one did.
  const Guarded between = allocates("setp.eq.s32 %p1, %r2, 3;\n@%p1 st.u64 [%rd4+16], %rd3;");
  ASSERT_TRUE(between.found);
  EXPECT_EQ(between.found->thread, 3u);
  EXPECT_FALSE(between.found->is_shared);
  EXPECT_TRUE(between.found->in_heap);
  const std::string workspace = "mov.u32 %r3, %envreg2;\nmov.u32 %r4, %envreg1;\nmov.b64 %rd3, {%r3, %r4};\n";
  EXPECT_FALSE(run(workspace + "atom.global.add.u32 %r5, [%rd3+4], 1;").found);
  EXPECT_TRUE(run(workspace + "atom.global.add.u32 %r5, [%rd3+64], 1;").found);
}

// Blocks of all sizes: every byte of theirs may be used, and the piece of 16 bytes behind may not.
TEST(AccessGuard, KnowsWhichPartsOfTheHeapWereGivenOut) {
  for (const int bytes : {1, 16, 24, 496, 512, 520, 1040, 4100}) {
    const auto reads = [&](int from, int to) {
      const std::string first = std::to_string(from), last = std::to_string(to);
      return run("mov.u64 %rd3, " + std::to_string(bytes) +
                 ";\n{\n.param .b64 n0;\nst.param.b64 [n0], %rd3;\n.param .b64 r0;\n"
                 "call.uni (r0), malloc, (n0);\nld.param.b64 %rd4, [r0];\n}\nsetp.ne.s32 %p1, %r1, 0;\n"
                 "@%p1 ret;\nmov.u64 %rd3, 0;\nadd.s64 %rd5, %rd4, " +
                 first + ";\nadd.s64 %rd6, %rd4, " + last +
                 ";\n$next:\nst.u8 [%rd5], %rd3;\nadd.s64 %rd5, %rd5, 1;\nsetp.lt.u64 %p2, %rd5, %rd6;\n"
                 "@%p2 bra $next;");
    };
    EXPECT_FALSE(reads(0, bytes).found) << bytes;
    const int behind = (bytes + 15) / 16 * 16;
    EXPECT_TRUE(reads(behind, behind + 1).found) << bytes;
    EXPECT_TRUE(reads(-1, 0).found) << bytes;
  }
}

TEST(AccessGuard, TellsWhichMemoryAnAddressIsOf) {
  const auto shared = run("st.shared.u32 [tile+100000], %r1;");
  ASSERT_TRUE(shared.found);
  EXPECT_TRUE(shared.found->is_shared);
  const auto generic = run("mov.u64 %rd3, tile;\ncvta.shared.u64 %rd3, %rd3;\nst.u32 [%rd3+100000], %r1;");
  ASSERT_TRUE(generic.found);
  EXPECT_TRUE(generic.found->is_shared);
  const auto global = run("ld.u32 %r3, [%rd1+4000];");
  ASSERT_TRUE(global.found);
  EXPECT_FALSE(global.found->is_shared);
  EXPECT_FALSE(global.guard.in_clusters);
  const auto elsewhere = run_cluster("mapa.u64 %rd4, %rd3, %r5;\nld.u32 %r7, [%rd4+100000];");
  ASSERT_TRUE(elsewhere.found);
  EXPECT_TRUE(elsewhere.found->is_shared);
  EXPECT_TRUE(elsewhere.guard.in_clusters);
}

TEST(AccessGuard, SaysWhatItLeavesOut) {
  const auto left_out = [](const std::string& body) {
    const auto guard = with_access_guard(text_of(body));
    EXPECT_TRUE(guard) << to_line(guard.error());
    return guard ? guard->left_out : std::vector<std::string>{};
  };
  EXPECT_THAT(left_out("cp.async.bulk.global.shared::cta.bulk_group [%rd2], [tile], 16;\n"
                       "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;"),
              testing::ElementsAre("bulk copies"));
  EXPECT_THAT(left_out("mbarrier.init.shared.b64 [tile], 32;\nst.local.u32 [mine], %r1;\n"
                       "ld.local.u32 %r2, [mine];\nbarrier.cluster.arrive;\nbarrier.cluster.wait;"),
              testing::ElementsAre("barriers in shared memory", "local memory"));
}

TEST(AccessGuard, SaysWhatItCannotRead) {
  const auto guard = with_access_guard(text_of("ret;"));
  ASSERT_TRUE(guard);
  EXPECT_FALSE(read_guard(*guard, {}));
  std::vector<std::byte> other = guard_start(*guard, {}, 1);
  other[0] = std::byte{77};
  EXPECT_FALSE(read_guard(*guard, other));
  EXPECT_FALSE(with_access_guard("nonsense"));
  EXPECT_FALSE(with_access_guard(text_of("ret;"), "another"));
}

}  // namespace
}  // namespace warplens::instrument
