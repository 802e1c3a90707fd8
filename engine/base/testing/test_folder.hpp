// For tests and benchmarks: a folder for the files that they write.
#pragma once

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace warplens {

// New, empty and of its own, below the system's folder for temporary files, so that two programs that run at
// once do not meet; gone at the end with all that is in it. Named alike in each run of a program, where nobody
// has that name: what was compiled of a kernel in it is found again. Its path has no links. Throws where none
// can be made.
class TestFolder {
 public:
  TestFolder() : path_(made()) {}
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::string string() const { return path_.string(); }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }

  // The path of the file. Folders in its name are made.
  std::filesystem::path write(const std::filesystem::path& name, std::string_view text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
  // A program for the shell.
  std::filesystem::path write_script(const std::filesystem::path& name, std::string_view body) const {
    const std::filesystem::path file = write(name, "#!/bin/sh\n" + std::string(body));
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }
  void clear() const {
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      std::filesystem::remove_all(entry.path());
  }

 private:
  static std::filesystem::path made() {
    static std::atomic<int> number = 0;
    const char* shard = std::getenv("GTEST_SHARD_INDEX");
    const std::string own = std::string("warplens_") + program_invocation_short_name + "_" +
                            (shard != nullptr ? shard : "") + "_" + std::to_string(++number);
    std::string name = (std::filesystem::temp_directory_path() / own).string();
    if (mkdir(name.c_str(), S_IRWXU) == 0) return std::filesystem::canonical(name);
    name = (std::filesystem::temp_directory_path() / "warplens_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::filesystem::filesystem_error("no folder for a test", name, {errno, std::generic_category()});
    return std::filesystem::canonical(name);
  }

  std::filesystem::path path_;
};

}  // namespace warplens
