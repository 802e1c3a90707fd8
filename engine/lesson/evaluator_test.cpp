// Every name of the vocabulary on small real kernels, and every mistake that an author can make.
#include "engine/lesson/evaluator.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "engine/base/cancel.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/lesson/runs.hpp"
#include "engine/run/quantities/quantities.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::lesson {
namespace {

using ::testing::HasSubstr;

const device::DeviceTable& devices() {
  static const auto table =
      *device::DeviceTable::parse(*read_whole_file(source_path("assets/devices.toml")), "devices.toml");
  return table;
}
measured::Recorded& recorded() {
  static measured::Recorded speeds(source_path());
  return speeds;
}

// A stop, and what its expressions come to.
class Bench {
 public:
  explicit Bench(StopRun stop)
      : stop_(std::move(stop)),
        runner_(compile::Compiler({.library = {}, .cache_folder = test_cache_path()})),
        runs_(run::kernels(), devices(), runner_, kNeverCancelled) {}

  Result<Value> value(std::string_view text) {
    const auto expression = Expression::parse(text);
    return expression ? expression->evaluate(context()) : Result<Value>(expression.error());
  }
  std::string said(std::string_view text) {
    const auto result = value(text);
    return result ? to_string(*result) : to_line(result.error());
  }
  Context context() {
    Context context;
    context.catalog = &run::kernels();
    context.recorded = &recorded();
    context.kernels = {source_path("engine/lesson"), source_path()};
    context.shown = [this]() -> Result<Subject> {
      const auto run = runs_.run(stop_.key);
      return run ? subject_of(*run, stop_.key.block, stop_.warp, stop_.access) : Result<Subject>(run.error());
    };
    context.run = [this](const RunWish& wish) { return runs_.run(wish, stop_); };
    return context;
  }

 private:
  StopRun stop_;
  run::Runner runner_;
  Runs runs_;
};

Bench& naive() {
  static Bench bench(
      {{.kernel = "matmul/01_naive", .sizes = {{"M", 64}, {"N", 64}, {"K", 64}}}, 0, {"A", "ld", 1}});
  return bench;
}
Bench& tile() {
  static Bench bench(
      {{.kernel = "transpose/02_tiled", .parameters = {{"PAD", 0}}, .sizes = {{"M", 64}, {"N", 64}}},
       0,
       {"tile", "ld", 1}});
  return bench;
}

struct Row {
  const char *expression, *value;
};

// Of the naive product at 64: a block of 32 x 32 threads, a row of A 256 bytes long.
constexpr Row kNaive[] = {
    {"1 + 2 * 3 ^ 2", "19"},
    {"-2 ^ 2", "-4"},
    {"2 ^ -1", "0.5"},
    {"2 ^ 3 ^ 2", "512"},
    {"7 % 4 - 8 / 2 / 2", "1"},
    {"1 + 1 == 2 and not 1 > 2 or 1 / 0 == 1", "1"},
    {"0.1 + 0.2 == 0.3", "1"},
    {"0.1 + 0.2 <= 0.3", "1"},
    {"0.1 + 0.2 > 0.3", "0"},
    {"1 != 2 ? 'a' : 'b'", "a"},
    {"0 ? 1 : 0 ? 2 : 3", "3"},
    {"true and not false", "1"},
    {"\"a\" == 'a'", "1"},
    {"min(3, 1, 2) + max(1, 2)", "3"},
    {"abs(-1) + round(2.5) + floor(1.9) + ceil(1.1)", "7"},
    {"ceil_div(65, 32) + log2(8) + sqrt(16)", "10"},
    {"verified", "1"},
    {"max_relative_error < 0.0001", "1"},
    {"kernel", "matmul/01_naive"},
    {"device", "h100"},
    {"BLOCK_X * BLOCK_Y", "1,024"},
    {"M + N + K", "192"},
    {"blocks", "4"},
    {"threads", "1,024"},
    {"warps", "32"},
    {"registers > 8 and registers < 64", "1"},
    {"shared_bytes + spill_bytes", "0"},
    {"blocks_per_sm", "2"},
    {"warps_per_sm", "64"},
    {"occupancy", "1"},
    {"limiter", "warps"},
    {"waves == 4 / (2 * 132)", "1"},
    {"instructions > 1000 and thread_instructions == 32 * instructions", "1"},
    {"diverged", "0"},
    {"lane_efficiency", "1"},
    {"operations == 2 * 64 ^ 3", "1"},
    {"least_bytes == 3 * 4 * 64 ^ 2", "1"},
    {"flop_per_byte == operations / least_bytes", "1"},
    {"sms", "132"},
    {"clock_ghz > 1 and bandwidth_gb > 3000 and peak_gflops > 60000", "1"},
    {"cc", "9"},
    {"requests(access)", "1"},
    {"sectors(access)", "32"},
    {"ideal_sectors(access)", "4"},
    {"bytes_used(access)", "128"},
    {"lanes(access)", "32"},
    {"stride(access) == 4 * K", "1"},
    {"address(access, 3)", "768"},
    {"element(access, 3)", "192"},
    {"requests('A', 'ld')", "2,048"},  // 32 warps, 64 steps
    {"sectors('A', 'ld') / requests('A', 'ld')", "32"},
    {"sectors('B', 'ld') / requests('B')", "1"},
    {"requests('C', 'st')", "32"},
    {"requests('C', 'ld')", "0"},
    {"ideal_sectors('A')", "8,192"},
    {"bytes_used('A')", "262,144"},
    {"sectors('global') == 4 * (sectors('A') + sectors('B') + sectors('C'))", "1"},
    {"sectors('global', 'st')", "4,096"},
    {"requests('global', 'ld')", "16,384"},
    {"wavefronts('shared') + requests('shared') + sectors('local')", "0"},
    {"run('matmul/02_coalesced').sectors('B', 'ld') / run('matmul/02_coalesced').requests('B', 'ld')", "4"},
    {"run('matmul/02_coalesced', size = N / 2).M", "32"},
    {"run('matmul/02_coalesced', M = 32, device = 'a100').device", "a100"},
    {"run('matmul/01_naive', BLOCK_X = 16, BLOCK_Y = 16).threads", "256"},
    {"run('matmul/01_naive').sectors(access)", "32"},  // the stop's access
    {"run('matmul/01_naive', array = 'B', access = 2).sectors(access)", "1"},
    {"run('matmul/01_naive', block = 3, warp = 1).address(access, 0)", "8,192"},  // row 32
    {"run('matmul/01_naive', threads = 256, registers = 64, shared = 0).occupancy", "0.5"},
    {"run('transpose/01_naive').operations == run('transpose/01_naive').least_bytes", "1"},
    {"recorded('matmul/02_coalesced', 4096).speed / recorded('matmul/01_naive', 4096).speed > 9", "1"},
    {"recorded('matmul/01_naive', 4096, BLOCK_X = 32).seconds == recorded('matmul/01_naive', '4096').seconds",
     "1"},
    {"recorded('matmul/01_naive', 4096).cublas > 40000", "1"},
    {"recorded('transpose/02_tiled', 4096).gb_per_second == recorded('transpose/02_tiled', 4096).speed", "1"},
    {"recorded('filipovic/02_naive_128x1', 4096, device = 'h200').speed > 1000", "1"},
    {"transfers('pinned', 'to device', 16777216).gb_per_second > "
     "transfers('pageable', 'to device', 16777216).gb_per_second",
     "1"},
    {"pieces(1024).seconds > pieces(1).seconds", "1"},
    {"streams(8).seconds < streams(1).seconds", "1"},
    {"concurrent(8, 8).seconds < concurrent(8, 1).seconds", "1"},
    {"predicted('matmul/01_naive', 512).seconds > predicted('matmul/02_coalesced', 512).seconds", "1"},
    {"predicted('matmul/02_coalesced', 512).limiter == 'nothing'", "0"},
    {"predicted('matmul/02_coalesced', 512).cycles > 1000", "1"},
    {"tuned('matmul/01_naive', 4096).speed >= recorded('matmul/01_naive', 4096).speed", "1"},
};

// Of the tiled transpose without padding: 32 lanes read a column of 32 rows of 32 words.
constexpr Row kTile[] = {
    {"wavefronts(access)", "32"},
    {"ideal_wavefronts(access)", "1"},
    {"requests(access)", "1"},
    {"banks(access)", "1"},
    {"degree(access)", "32"},
    {"stride(access)", "128"},
    {"element(access, 2)", "64"},
    {"wavefronts('tile', 'ld') / requests('tile', 'ld')", "32"},
    {"wavefronts('tile', 'st') == ideal_wavefronts('tile', 'st')", "1"},
    {"wavefronts('shared', 'ld') == 4 * wavefronts('tile', 'ld')", "1"},
    {"bytes_used('tile', 'st')", "4,096"},
    {"run('transpose/02_tiled', PAD = 1).degree(access)", "1"},
    {"run('transpose/02_tiled', PAD = 1).banks(access)", "32"},
    {"flop_per_byte", "0"},
};

TEST(Evaluator, EvaluatesEveryName) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  std::string all;
  const auto check = [&](Bench& bench, std::span<const Row> rows) {
    for (const Row& row : rows) {
      EXPECT_EQ(bench.said(row.expression), row.value) << row.expression;
      all += std::string(" ") + row.expression;
    }
  };
  check(naive(), kNaive);
  check(tile(), kTile);
  for (const std::string& name : vocabulary())
    EXPECT_TRUE(run::find_quantity(name) != nullptr ||
                std::regex_search(all, std::regex("[^a-z_]" + name + "([^a-z_0-9]|$)")))
        << name << " is in no row above";
}

TEST(Evaluator, HasEveryQuantityOfARun) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto subject = naive().context().shown();
  ASSERT_TRUE(subject);
  for (const run::Quantity& row : run::quantities()) {
    const std::string id(row.id);
    const auto value = run::value(row, subject->run->report);
    ASSERT_TRUE(value) << id;
    EXPECT_EQ(row.is_of_lessons(), bool(Expression::parse(id))) << id;
    EXPECT_TRUE(!row.is_of_lessons() || naive().said(id) == to_string(*value)) << id;
  }
}

// The table of docs/lessons.md that is made of the quantities.
std::string quantity_table() {
  std::string text = "| name | title | is | unit |\n|---|---|---|---|\n";
  for (const run::Quantity& row : run::quantities())
    if (row.is_of_lessons())
      text += fmt::format("| `{}` | {} | {} | {} |\n", row.id, row.title, row.meaning,
                          row.form == run::Form::share ? "0 to 1" : row.unit);
  return text;
}

TEST(Evaluator, HasTheQuantitiesOfTheManual) {
  const std::string path = source_path("docs/lessons.md"), wanted = quantity_table();
  std::string manual = *read_whole_file(path);
  const std::size_t begin = manual.find("| name | title | is | unit |"), end = manual.find("\n\n", begin) + 1;
  ASSERT_LT(begin, end);
  const std::string written = manual.substr(begin, end - begin);
  if (std::getenv("WARPLENS_WRITE_GOLDEN") != nullptr)
    std::ofstream(path) << manual.replace(begin, end - begin, wanted);
  else
    EXPECT_EQ(written, wanted) << "WARPLENS_WRITE_GOLDEN=1 writes it again; proofread it";
}

// A name of the table in docs/lessons.md stands in backquotes in the first cell of a row.
TEST(Evaluator, HasTheVocabularyOfTheManual) {
  std::set<std::string> written;
  std::istringstream text(*read_whole_file(source_path("docs/lessons.md")));
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("## ")) inside = line == "## The vocabulary";
    if (!inside || !line.starts_with("| `")) continue;
    const std::string cell = line.substr(0, line.find('|', 1));
    const std::regex name("`\\.?([a-z_0-9]+)");
    for (std::sregex_iterator at(cell.begin(), cell.end(), name), end; at != end; ++at)
      written.insert((*at)[1]);
  }
  const auto known = vocabulary();
  EXPECT_EQ(written, std::set<std::string>(known.begin(), known.end()));
}

TEST(Evaluator, SaysWhatIsWrong) {
  constexpr Row kWrong[] = {
      {"", "the expression is empty"},
      {"1 +", "ends too early"},
      {"(1", "the '(' is not closed"},
      {"1 2", "'2' is not understood"},
      {"1 = 2", "'=' is not understood; a single = compares nothing"},
      {"1 < 2 < 3", "join them with 'and'"},
      {"1 ? 2", "a ':' is missing"},
      {"'abc", "close its quotes"},
      {"4kB", "without separators"},
      {"1,024", "',' is not understood"},
      {"sector('A')", "did you mean sectors?"},
      {"verifed", "did you mean verified?"},
      {"verified()", "takes no arguments"},
      {"sectors", "needs arguments"},
      {"sectors(A)", "sectors('A')"},
      {"sectors('A', 'load')", "sectors('A', 'ld')"},
      {"stride('A')", "stride(access)"},
      {"address(access)", "address(access, 0)"},
      {"log2(1, 2)", "log2(a)"},
      {"max(1)", "max(a, b)"},
      {"run(1).blocks", "run('matmul/02_coalesced'"},
      {"run('matmul/01_naive')", "say what of it"},
      {"run('matmul/01_naive').speed", "there is no speed"},
      {"recorded('matmul/01_naive', 4096).blocks", "there is no blocks"},
      {"verified.blocks", "have parts"},
      {"run('matmul/01_naive', colour = 1).blocks", "run() has no colour; it has size, device"},
      {"recorded('matmul/01_naive', 64, block = 3).speed", "recorded() has no block"},
      {"transfers('pinned').seconds", "write it as transfers('pinned', 'to device', 1048576)"},
      {"streams(2).limiter", "there is no limiter"},
      {"predicted('matmul/01_naive', 64).occupancy", "there is no occupancy"},
      {"run('a').recorded('b').speed", "there is no recorded()"},
      {"and 1", "nothing before it"},
  };
  for (const Row& row : kWrong) {
    const auto parsed = Expression::parse(row.expression);
    ASSERT_FALSE(parsed) << row.expression;
    EXPECT_THAT(to_line(parsed.error()), HasSubstr(row.value)) << row.expression;
    EXPECT_GT(parsed.error().place.column, 0) << row.expression;
  }
  const std::string deep(100'000, '('), signs(100'000, '-');
  EXPECT_THAT(to_line(Expression::parse(deep).error()), HasSubstr("nested too deeply"));
  EXPECT_THAT(to_line(Expression::parse(signs).error()), HasSubstr("nested too deeply"));
}

TEST(Evaluator, SaysWhatCannotBeEvaluated) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  constexpr Row kWrong[] = {
      {"TILE", "matmul/01_naive has no parameter or size TILE; it has BLOCK_X = 32"},
      {"1 / 0", "1 / 0 is not defined"},
      {"log2(0)", "log2 is not defined"},
      {"'a' + 1", "'a' is a text"},
      {"kernel == 1", "cannot be equal"},
      {"sectors('Z')", "no array 'Z' in global memory; its arrays are A, B, C"},
      {"wavefronts('A')", "no array 'A' in shared memory"},
      {"wavefronts(access)", "to global memory and has no wavefronts; ask for its sectors"},
      {"sectors('shared')", "shared memory has no sectors"},
      {"banks(access)", "no banks"},
      {"address(access, 32)", "there is no lane 32"},
      {"run('matmul/01_nave').blocks", "01_naive"},
      {"run('matmul/01_naive', TILE = 8).blocks", "TILE"},
      {"run('matmul/01_naive', size = 0).blocks", "size = 0 is not from 1"},
      {"run('matmul/01_naive', size = 1.5).blocks", "no whole number"},
      {"run('matmul/01_naive', device = 'h1000').blocks", "h100"},
      {"run('matmul/01_naive', block = -1).blocks", "block = -1 is not from 0"},
      {"run('matmul/01_naive', array = 'Z').lanes(access)", "has no access of Z"},
      {"run('matmul/01_naive', array = 'C', access = 2).lanes(access)", "has only 1 times"},
      {"run('matmul/01_naive', block = 99).blocks", "block 99"},
      {"run('../../../etc/passwd.cu').blocks", "outside the lesson's folder"},
      {"run('/etc/mine.cu').blocks", "outside the lesson's folder"},
      {"recorded('/etc/mine.cu', 64).speed", "outside the lesson's folder"},
      {"recorded('matmul/01_naive', 64, device = 'a100').speed", "nothing is recorded of matmul/01_naive"},
      {"transfers('paper', 'to device', 1).seconds", "nothing was measured of 'paper' memory"},
      {"pieces(3).seconds", "so many pieces were not measured"},
      {"streams('two').seconds", "write it as streams(4)"},
      {"recorded('matmul/01_naive', 77).speed", "nothing is recorded of matmul/01_naive at K = 77"},
      {"recorded('matmul/01_naive', 4096, TILE = 1).speed", "has no TILE"},
      {"recorded('transpose/01_naive', 4096).cublas", "cuBLAS was not timed"},
      {"run('matmul/01_naive', device = 'cc9.0').sms", "not a device"},
  };
  for (const Row& row : kWrong)
    EXPECT_THAT(naive().said(row.expression), HasSubstr(row.value)) << row.expression;
}

TEST(Evaluator, SaysWhyAClaimIsFalse) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto claim = Expression::parse("verified and sectors('A', 'ld') / requests('A', 'ld') == 4");
  EXPECT_EQ(claim->explain(naive().context()), "sectors('A', 'ld') / requests('A', 'ld') is 32");
}

TEST(Evaluator, LooksAtAnAccessOfItsOwn) {
  OwnAccess own;
  for (std::uint64_t lane = 0; lane < 32; ++lane) own.access.address[lane] = lane * 8;
  own.device = *devices().find("h100");
  Context context;
  context.own_access = &own;
  for (const Row& row :
       {Row{"sectors(access)", "8"}, Row{"wavefronts(access)", "2"}, Row{"degree(access)", "2"},
        Row{"stride(access)", "8"}, Row{"element(access, 3)", "6"}, Row{"bytes_used(access)", "128"}})
    EXPECT_EQ(to_string(*Expression::parse(row.expression)->evaluate(context)), row.value) << row.expression;
}

}  // namespace
}  // namespace warplens::lesson
