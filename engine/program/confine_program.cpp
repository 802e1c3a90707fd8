#include "engine/program/confine_program.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace warplens::program {
namespace {

namespace fs = std::filesystem;

// As linux/landlock.h of 6.12 has it; older headers know less than the kernel may.
struct RuleSet {
  std::uint64_t files = 0, network = 0, scopes = 0;
};
constexpr std::uint64_t kFilesOfFirst =
    (std::uint64_t{1} << 13) - 1;  // execute, read, write, make and remove
constexpr std::uint64_t kRefer = 1 << 13, kTruncate = 1 << 14, kDeviceControl = 1 << 15;
constexpr std::uint64_t kBindAndConnect = 3, kSocketsAndSignals = 3;
constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
enum class May : std::uint8_t { read, run, write };  // run: read, and be started as a program

int version() {
  return static_cast<int>(syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
}

std::uint64_t files_of(int version) {
  return kFilesOfFirst | (version >= 2 ? kRefer : 0) | (version >= 3 ? kTruncate : 0) |
         (version >= 5 ? kDeviceControl : 0);
}

// What is not there needs no rule.
void allow(const Descriptor& rules, const fs::path& path, May may, int version) {
  const Descriptor place(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status {};
  if (!place || fstat(place.number(), &status) != 0) return;
  const bool is_folder = S_ISDIR(status.st_mode);
  constexpr std::uint64_t kOfFiles = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE |
                                     LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate | kDeviceControl;
  constexpr std::uint64_t kMake = LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                  LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | kRefer;
  std::uint64_t access = kRead;
  if (may == May::run) access |= LANDLOCK_ACCESS_FS_EXECUTE;
  if (may == May::write) access |= LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate | kMake;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = access & files_of(version) & (is_folder ? ~std::uint64_t{0} : kOfFiles);
  rule.parent_fd = place.number();
  syscall(SYS_landlock_add_rule, rules.number(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

// What the dynamic linker, the C library and OpenMP read.
constexpr std::array kLibraries = {"/lib", "/lib64", "/usr/lib", "/usr/lib64"};
constexpr std::array kOfTheSystem = {"/etc/ld.so.cache",
                                     "/etc/localtime",
                                     "/usr/share/zoneinfo",
                                     "/dev/urandom",
                                     "/dev/random",
                                     "/dev/zero",
                                     "/proc/self",
                                     "/proc/cpuinfo",
                                     "/proc/meminfo",
                                     "/proc/stat",
                                     "/sys/devices/system/cpu"};
constexpr std::array kWritable = {"/dev/null", "/dev/full"};

// Refused with "not permitted".
constexpr std::array kRefused = {
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_fork,
    SYS_vfork, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_open, SYS_pidfd_getfd,
    SYS_pidfd_send_signal, SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
    SYS_io_uring_setup, SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_bpf,
    SYS_perf_event_open, SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_init_module,
    SYS_finit_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_acct, SYS_setrlimit, SYS_sched_setaffinity,
    SYS_setpriority, SYS_mknod, SYS_mknodat, SYS_shmget, SYS_msgget, SYS_semget, SYS_mq_open,
    SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_fanotify_init, SYS_personality, SYS_memfd_secret,
    SYS_execveat,
    // Landlock lets everybody change rights, owners and times.
    SYS_chmod, SYS_fchmod, SYS_fchmodat, 452 /* fchmodat2 */, SYS_chown, SYS_fchown, SYS_lchown, SYS_fchownat,
    SYS_utime, SYS_utimes, SYS_futimesat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
    SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr};

sock_filter statement(unsigned code, std::uint32_t value) {
  return {static_cast<std::uint16_t>(code), 0, 0, value};
}
sock_filter jump(unsigned code, std::uint32_t value, std::uint8_t yes, std::uint8_t no) {
  return {static_cast<std::uint16_t>(code), yes, no, value};
}

constexpr std::uint32_t refusal(int error) { return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error); }

void refuse(std::vector<sock_filter>& filter, long call, int error) {
  filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
  filter.push_back(statement(BPF_RET | BPF_K, refusal(error)));
}

// Stands for the number of the process until it is known. No system call and no flag has this value.
constexpr std::uint32_t kOwnProcess = 0x0fffffff;

}  // namespace

bool has_landlock() { return version() >= 1; }

Descriptor landlock_rules(const fs::path& program, const std::vector<fs::path>& readable,
                          const std::vector<fs::path>& writable) {
  const int known = version();
  if (known < 1) return {};
  RuleSet set;
  set.files = files_of(known);
  if (known >= 4) set.network = kBindAndConnect;
  if (known >= 6) set.scopes = kSocketsAndSignals;
  const std::size_t size = known >= 6   ? sizeof set
                           : known >= 4 ? 2 * sizeof(std::uint64_t)
                                        : sizeof(std::uint64_t);
  Descriptor rules(static_cast<int>(syscall(SYS_landlock_create_ruleset, &set, size, 0)));
  if (!rules) return rules;
  for (const char* path : kLibraries) allow(rules, path, May::run, known);
  for (const char* path : kOfTheSystem) allow(rules, path, May::read, known);
  for (const char* path : kWritable) allow(rules, path, May::write, known);
  allow(rules, program, May::run, known);
  for (const fs::path& path : readable) allow(rules, path, May::read, known);
  for (const fs::path& path : writable) allow(rules, path, May::write, known);
  return rules;
}

// New threads are new processes to the system: clone() may make those alone, and clone3(), whose arguments a
// filter cannot see, is said not to exist, so that the C library takes the other. Other programs are kept away by
// Landlock, which lets none be executed but what may be read.
std::vector<sock_filter> system_call_filter() {
  std::vector<sock_filter> filter;
  filter.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)));
  filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0));
  filter.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  filter.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  constexpr std::uint32_t kX32 = 0x40000000;  // the other numbers of the same calls
  filter.push_back(jump(BPF_JMP | BPF_JGE | BPF_K, kX32, 0, 1));
  filter.push_back(statement(BPF_RET | BPF_K, refusal(ENOSYS)));
  for (const long call : kRefused) refuse(filter, call, EPERM);
  refuse(filter, SYS_clone3, ENOSYS);
  // A signal to a thread: of this process alone, which abort() sends.
  filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 4));
  filter.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])));
  filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, kOwnProcess, 0, 1));
  filter.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  filter.push_back(statement(BPF_RET | BPF_K, refusal(EPERM)));
  filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3));
  filter.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])));
  filter.push_back(jump(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
  filter.push_back(statement(BPF_RET | BPF_K, refusal(EPERM)));
  filter.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  return filter;
}

bool lay_on(const Descriptor& rules, std::vector<sock_filter>& filter) {
  for (sock_filter& one : filter)
    if (one.k == kOwnProcess) one.k = static_cast<std::uint32_t>(getpid());
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  if (syscall(SYS_landlock_restrict_self, rules.number(), 0) != 0) return false;
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace warplens::program
