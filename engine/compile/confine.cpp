#include "engine/compile/confine.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#include "engine/base/process.hpp"

namespace warplens::compile {
namespace {

// As linux/landlock.h of 6.12 has it; older headers know less than the kernel may.
struct RuleSet {
  std::uint64_t files = 0, network = 0, scopes = 0;
};
// Documentation/userspace-api/landlock.rst: what each version of the interface can take away.
// execute, read, write, make and remove
constexpr std::uint64_t kFilesOfFirst = (std::uint64_t{1} << 13) - 1;
constexpr std::uint64_t kRefer = 1 << 13, kTruncate = 1 << 14, kDeviceControl = 1 << 15;
constexpr std::uint64_t kBindAndConnect = 3;     // of TCP
constexpr std::uint64_t kSocketsAndSignals = 3;  // abstract ones; of other processes
constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;

int version() {
  return static_cast<int>(syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
}

Descriptor rules_of(int version) {
  RuleSet rules;
  rules.files = kFilesOfFirst | (version >= 2 ? kRefer : 0) | (version >= 3 ? kTruncate : 0) |
                (version >= 5 ? kDeviceControl : 0);
  if (version >= 4) rules.network = kBindAndConnect;
  if (version >= 6) rules.scopes = kSocketsAndSignals;
  const std::size_t size = version >= 6   ? sizeof(RuleSet)
                           : version >= 4 ? 2 * sizeof(std::uint64_t)
                                          : sizeof(std::uint64_t);
  return Descriptor(static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, size, 0)));
}

// What is not there needs no rule.
void allow_to_read(const Descriptor& rules, const std::filesystem::path& path) {
  const Descriptor place(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status {};
  if (!place || fstat(place.number(), &status) != 0) return;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = S_ISDIR(status.st_mode) ? kRead : std::uint64_t{LANDLOCK_ACCESS_FS_READ_FILE};
  rule.parent_fd = place.number();
  syscall(SYS_landlock_add_rule, rules.number(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

// Where the dynamic linker looks, and what a compiler asks the system: how much of it there is.
constexpr std::array kOfTheSystem = {"/lib",
                                     "/lib64",
                                     "/usr/lib",
                                     "/usr/lib64",
                                     "/etc/ld.so.cache",
                                     "/dev/null",
                                     "/dev/urandom",
                                     "/proc/self/statm",
                                     "/proc/meminfo",
                                     "/proc/cpuinfo",
                                     "/sys/devices/system/cpu"};

}  // namespace

bool can_confine() { return version() >= 1; }

bool confine_this_thread(const std::vector<std::filesystem::path>& readable) {
  const int known = version();
  if (known < 1) return false;
  const Descriptor rules = rules_of(known);
  if (!rules) return false;
  for (const char* path : kOfTheSystem) allow_to_read(rules, path);
  for (const std::filesystem::path& path : readable)
    if (!path.empty()) allow_to_read(rules, path);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return syscall(SYS_landlock_restrict_self, rules.number(), 0) == 0;
}

}  // namespace warplens::compile
