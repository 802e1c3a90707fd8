#include "engine/catalog/catalog.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include "engine/base/testing/test_folder.hpp"

namespace warplens::catalog {
namespace {
namespace fs = std::filesystem;

std::string kernel(std::string_view title, std::string_view block = "32") {
  return "/*---\ntitle = \"" + std::string(title) + "\"\nproblem = \"sgemm\"\n[launch]\nblock = [\"" +
         std::string(block) + "\"]\ngrid = [1]\n---*/\n";
}

class CatalogTest : public testing::Test {
 protected:
  void SetUp() override {
    write("matmul/01_naive.cu", kernel("naive"));
    write("matmul/03_shared_tile.cu", kernel("tiled"));
    write("ncsa/k1.cu", kernel("strip"));
  }

  void write(const std::string& name, const std::string& text) {
    scratch_.write(fs::path("kernels") / name, text);
  }
  Catalog open() {
    auto catalog = Catalog::open(folder_);
    EXPECT_TRUE(catalog);
    return *std::move(catalog);
  }
  static std::vector<std::string> ids(const Catalog& catalog) {
    std::vector<std::string> list;
    for (const KernelSpec& spec : catalog.kernels()) list.push_back(spec.id);
    return list;
  }
  static std::string find_error(const Catalog& catalog, const std::string& id) {
    const auto spec = catalog.find(id);
    return spec ? "found" : to_line(spec.error());
  }

  TestFolder scratch_;
  fs::path folder_ = scratch_ / "kernels";
};

TEST_F(CatalogTest, ListsEveryKernelFileInOrder) {
  write("readme.txt", "no kernel");
  write("matmul/.draft.cu", kernel("hidden"));
  write(".git/x.cu", kernel("hidden"));
  write("deep/er/still.cu", kernel("deep"));
  const Catalog catalog = open();
  EXPECT_THAT(ids(catalog),
              testing::ElementsAre("deep/er/still", "matmul/01_naive", "matmul/03_shared_tile", "ncsa/k1"));
  EXPECT_TRUE(catalog.problems().empty());
  EXPECT_EQ(catalog.kernels()[1].path, (folder_ / "matmul/01_naive.cu").string());
}

TEST_F(CatalogTest, ABadFileIsAProblemAndTheOthersStay) {
  write("matmul/02_bad.cu", kernel("bad", "TILE"));
  const Catalog catalog = open();
  EXPECT_EQ(catalog.kernels().size(), 3u);
  ASSERT_EQ(catalog.problems().size(), 1u);
  const std::string line = (folder_ / "matmul/02_bad.cu").string() +
                           ":5: unknown name TILE in \"TILE\"; "
                           "use a size such as M, or add it to [params]";
  EXPECT_EQ(to_line(catalog.problems()[0]), line);
  EXPECT_EQ(find_error(catalog, "matmul/02_bad"), line);
}

TEST_F(CatalogTest, ReloadsWhatChanges) {
  Catalog catalog = open();
  EXPECT_FALSE(catalog.refresh());
  write("ncsa/k1.cu", kernel("longer strip"));
  EXPECT_TRUE(catalog.refresh());
  EXPECT_EQ(catalog.find("ncsa/k1")->title, "longer strip");
  EXPECT_FALSE(catalog.refresh());
  write("ncsa/k2.cu", kernel("new"));
  EXPECT_TRUE(catalog.refresh());
  EXPECT_EQ(catalog.kernels().size(), 4u);
  fs::remove(folder_ / "matmul/01_naive.cu");
  EXPECT_TRUE(catalog.refresh());
  EXPECT_THAT(ids(catalog), testing::ElementsAre("matmul/03_shared_tile", "ncsa/k1", "ncsa/k2"));
  EXPECT_FALSE(catalog.refresh());
}

TEST_F(CatalogTest, SeesAChangeOfTheSameSizeAndTime) {
  Catalog catalog = open();
  const auto written = fs::last_write_time(folder_ / "ncsa/k1.cu");
  write("ncsa/k1.cu", kernel("strap"));
  fs::last_write_time(folder_ / "ncsa/k1.cu", written);
  EXPECT_TRUE(catalog.refresh());
  EXPECT_EQ(catalog.find("ncsa/k1")->title, "strap");
}

TEST_F(CatalogTest, ATouchedFileIsNoChange) {
  Catalog catalog = open();
  fs::last_write_time(folder_ / "ncsa/k1.cu", fs::file_time_type::clock::now() - std::chrono::hours(5));
  EXPECT_FALSE(catalog.refresh());
  EXPECT_FALSE(catalog.refresh());
  write("ncsa/k1.cu", kernel("strap"));
  EXPECT_TRUE(catalog.refresh());
}

TEST_F(CatalogTest, AFileThatBecomesBadIsReportedUntilItIsGoodAgain) {
  Catalog catalog = open();
  write("ncsa/k1.cu", "no front matter");
  EXPECT_TRUE(catalog.refresh());
  EXPECT_EQ(catalog.kernels().size(), 2u);
  EXPECT_EQ(catalog.problems().size(), 1u);
  EXPECT_FALSE(catalog.refresh());
  write("ncsa/k1.cu", kernel("good again"));
  EXPECT_TRUE(catalog.refresh());
  EXPECT_EQ(catalog.kernels().size(), 3u);
  EXPECT_TRUE(catalog.problems().empty());
}

TEST_F(CatalogTest, AFolderThatGoesIsOneProblemAndComesBack) {
  Catalog catalog = open();
  fs::rename(folder_, folder_.string() + "_away");
  EXPECT_TRUE(catalog.refresh());
  EXPECT_TRUE(catalog.kernels().empty());
  ASSERT_EQ(catalog.problems().size(), 1u);
  EXPECT_EQ(to_line(catalog.problems()[0]),
            "the kernel folder " + folder_.string() +
                " cannot be read: No such file or directory; check the folder's path and rights");
  EXPECT_FALSE(catalog.refresh());
  fs::rename(folder_.string() + "_away", folder_);
  EXPECT_TRUE(catalog.refresh());
  EXPECT_EQ(catalog.kernels().size(), 3u);
  EXPECT_TRUE(catalog.problems().empty());
}

TEST_F(CatalogTest, FindsByIdAndByPath) {
  scratch_.write("elsewhere.cu", kernel("outside"));
  const fs::path outside = scratch_ / "elsewhere.cu";
  const Catalog catalog = open();
  EXPECT_EQ(catalog.find("matmul/01_naive")->title, "naive");
  EXPECT_EQ(catalog.find("matmul/01_naive.cu")->id, "matmul/01_naive");
  const std::string inside = (folder_ / "matmul/../matmul/01_naive.cu").string();
  ASSERT_TRUE(catalog.find(inside));
  EXPECT_EQ(catalog.find(inside)->id, "matmul/01_naive");
  ASSERT_TRUE(catalog.find(outside.string()));
  EXPECT_EQ(catalog.find(outside.string())->id, outside.generic_string());
  EXPECT_EQ(catalog.find(outside.string())->title, "outside");
  scratch_.write("elsewhere.cu", kernel("saved"));
  EXPECT_EQ(catalog.find(outside.string())->title, "saved");
  fs::remove(outside);
}

TEST_F(CatalogTest, FindsAFileAloneAsAmongTheOthers) {
  scratch_.write("elsewhere.cu", kernel("outside"));
  const fs::path outside = scratch_ / "elsewhere.cu";
  const Catalog catalog = open();
  for (const std::string& name : {std::string("matmul/01_naive"), outside.string()}) {
    const auto alone = Catalog::find_alone(folder_, name, {});
    ASSERT_TRUE(alone && *alone) << name;
    EXPECT_EQ((*alone)->id, catalog.find(name)->id);
    EXPECT_EQ((*alone)->path, catalog.find(name)->path);
    EXPECT_EQ((*alone)->code, catalog.find(name)->code);
  }
  // It takes the others to say what these are.
  const std::string inside = (folder_ / "matmul/01_naive.cu").string();
  for (const std::string& name :
       {inside, std::string("matmul/02_naive"), std::string("matmul/01_naive.cu"), std::string("matmul"),
        std::string("../elsewhere"), std::string("matmul/../matmul/01_naive"), std::string("")})
    EXPECT_FALSE(Catalog::find_alone(folder_, name, {})) << name;
  fs::remove(outside);
}

TEST_F(CatalogTest, FindsAStepThatHasAnotherNumberNow) {
  const Catalog catalog = open();
  EXPECT_EQ(catalog.find("matmul/07_naive")->id, "matmul/01_naive");
  EXPECT_FALSE(catalog.find("ncsa/01_naive"));
  EXPECT_FALSE(catalog.find("matmul/01_"));
  EXPECT_FALSE(catalog.find("matmul/naive"));
  write("matmul/09_naive.cu", kernel("another"));
  EXPECT_FALSE(open().find("matmul/07_naive"));  // which of two
}

TEST_F(CatalogTest, UnknownIdsNameNearOnes) {
  const Catalog catalog = open();
  EXPECT_EQ(find_error(catalog, "matmul/03_sahred_tile"),
            "there is no kernel matmul/03_sahred_tile; did you mean matmul/03_shared_tile?");
  EXPECT_EQ(find_error(catalog, "naive"), "there is no kernel naive; did you mean matmul/01_naive?");
  EXPECT_EQ(find_error(catalog, "histogram"), "there is no kernel histogram; `warplens list` shows them all");
  EXPECT_EQ(find_error(catalog, "nowhere.cu"),
            "nowhere.cu is not there; check the path, or give a kernel's id as `warplens list` shows it");
}

TEST_F(CatalogTest, AMissingFolderIsOneError) {
  const auto none = Catalog::open(folder_ / "none");
  ASSERT_FALSE(none);
  EXPECT_EQ(to_line(none.error()), "the kernel folder " + (folder_ / "none").string() +
                                       " is not there; give the path of a folder with .cu files");
  const auto file = Catalog::open(folder_ / "ncsa/k1.cu");
  ASSERT_FALSE(file);
  EXPECT_NE(to_line(file.error()).find("is not a folder"), std::string::npos);
}

TEST_F(CatalogTest, AnEmptyFolderIsNoError) {
  fs::create_directories(folder_ / "empty");
  const auto catalog = Catalog::open(folder_ / "empty");
  ASSERT_TRUE(catalog);
  EXPECT_TRUE(catalog->kernels().empty());
  EXPECT_EQ(find_error(*catalog, "a"),
            "there is no kernel a; the folder " + (folder_ / "empty").string() + " has none at all");
}

// Nobody on the file system while it lives, so that rights count even where the tests run as root.
class AsNobody {
 public:
  AsNobody() : own_(static_cast<uid_t>(setfsuid(65534))) {}
  ~AsNobody() { setfsuid(own_); }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  uid_t own_;
};

TEST_F(CatalogTest, AFolderThatNobodyMayReadIsAProblem) {
  Catalog catalog = open();
  fs::permissions(scratch_.path(), fs::perms::all);  // it was the tests' alone
  fs::permissions(folder_ / "ncsa", fs::perms::none);
  {
    const AsNobody nobody;
    EXPECT_TRUE(catalog.refresh());
    EXPECT_FALSE(catalog.refresh());
  }
  EXPECT_THAT(ids(catalog), testing::ElementsAre("matmul/01_naive", "matmul/03_shared_tile"));
  ASSERT_EQ(catalog.problems().size(), 1u);
  EXPECT_EQ(to_line(catalog.problems()[0]), (folder_ / "ncsa").string() +
                                                ": the folder cannot be read: Permission denied; check the "
                                                "folder's rights");
  fs::permissions(folder_ / "ncsa", fs::perms::owner_all);
  EXPECT_TRUE(catalog.refresh());
  EXPECT_TRUE(catalog.problems().empty());
  EXPECT_EQ(catalog.kernels().size(), 3u);
}

TEST_F(CatalogTest, ALinkToNothingIsAProblem) {
  fs::create_symlink("gone.cu", folder_ / "ncsa/k2.cu");
  const Catalog catalog = open();
  ASSERT_EQ(catalog.problems().size(), 1u);
  EXPECT_NE(to_line(catalog.problems()[0]).find("k2.cu: the file cannot be read"), std::string::npos);
  EXPECT_EQ(catalog.kernels().size(), 3u);
}

TEST_F(CatalogTest, AFileTooLargeIsAProblem) {
  write("big.cu", kernel("big") + std::string(5 << 20, ' '));
  const Catalog catalog = open();
  ASSERT_EQ(catalog.problems().size(), 1u);
  EXPECT_NE(to_line(catalog.problems()[0]).find("keep it under 4 MiB"), std::string::npos);
  EXPECT_EQ(catalog.kernels().size(), 3u);
}

}  // namespace
}  // namespace warplens::catalog
