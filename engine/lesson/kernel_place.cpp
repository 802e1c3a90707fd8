#include "engine/lesson/kernel_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace warplens::lesson {
namespace {

namespace fs = std::filesystem;

// Absolute first: what is not there stays relative in weakly_canonical().
bool is_below(const fs::path& file, const fs::path& folder) {
  std::error_code failed;
  const fs::path full = fs::weakly_canonical(fs::absolute(file, failed), failed),
                 root = fs::weakly_canonical(fs::absolute(folder.empty() ? "." : folder, failed), failed);
  return std::mismatch(root.begin(), root.end(), full.begin(), full.end()).first == root.end();
}

}  // namespace

Result<std::string> KernelPlace::find(const std::string& kernel) const {
  if (!kernel.ends_with(".cu")) return kernel;
  const fs::path file = lesson / kernel;
  if (is_below(file, lesson) || is_below(file, data)) return file.string();
  return Error{fmt::format("the kernel {} is outside the lesson's folder", kernel),
               "put it beside the lesson, or name a kernel of the program"};
}

std::string KernelPlace::name(const std::string& id) const {
  if (!id.ends_with(".cu") || !is_below(id, lesson)) return id;
  return fs::path(id).lexically_relative(lesson.empty() ? "." : lesson).string();
}

}  // namespace warplens::lesson
