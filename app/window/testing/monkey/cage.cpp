#include "app/window/testing/monkey/cage.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "engine/base/process.hpp"

namespace warplens::app::monkey {
namespace {

// Documentation/userspace-api/landlock.rst. All that changes a file or a folder, in its first version.
constexpr std::uint64_t kWrite = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                 LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SYM |
                                 LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SOCK;

bool allow(const Descriptor& rules, const std::filesystem::path& path, std::uint64_t what) {
  const Descriptor place(open(path.c_str(), O_PATH | O_CLOEXEC));
  landlock_path_beneath_attr rule{};
  rule.allowed_access = what, rule.parent_fd = place.number();
  return place && syscall(SYS_landlock_add_rule, rules.number(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

}  // namespace

bool keep_writes_below(const std::vector<std::filesystem::path>& folders) {
  const std::uint64_t handled = kWrite;
  const Descriptor rules(static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0)));
  if (!rules) return false;
  for (const std::filesystem::path& folder : folders)
    if (!allow(rules, folder, kWrite)) return false;
  allow(rules, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return syscall(SYS_landlock_restrict_self, rules.number(), 0) == 0;
}

}  // namespace warplens::app::monkey
