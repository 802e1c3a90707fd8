#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "engine/base/whole_file.hpp"

namespace warplens {
namespace {

namespace fs = std::filesystem;

// A file that is being written; errno says why a call was false.
class Output {
 public:
  explicit Output(int file) : file_(file) {}
  ~Output() { close(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  bool is_open() const { return file_ >= 0; }
  int number() const { return file_; }
  // As well as the file system has them: memory sticks have none.
  void take_rights_of(const struct stat& other) {
    [[maybe_unused]] const int result = fchmod(file_, other.st_mode & 07777);
  }
  bool write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  bool close() { return file_ < 0 || ::close(std::exchange(file_, -1)) == 0; }

 private:
  int file_;
};

Status failed(const fs::path& path) {
  return Error{std::string("the file cannot be written: ") + std::strerror(errno),
               "check the folder and the free space",
               {path.string(), 0, 0}};
}

Status write_straight(const fs::path& path, std::string_view bytes) {
  Output file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  return file.is_open() && file.write(bytes) && file.close() ? Status(Done{}) : failed(path);
}

// Calls `make` with names beside `path` until one is not taken; its answer, and the name it was for.
template <class Make>
int beside(const fs::path& path, fs::path& name, const Make& make) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = path;
    name += "." + std::to_string(getpid()) + "-" + std::to_string(attempt) + ".part";
    const int made = make(name.c_str());
    if (made >= 0 || errno != EEXIST) return made;
  }
  return -1;
}

// A file without a name in the folder of `path`: a program that ends leaves nothing of it. -1 where the file
// system has none.
int open_nameless(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  return open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

// Gives a file without a name that of `path`: at once where nobody has it, else by way of one beside it.
bool give_name(int file, const fs::path& path, fs::path& name) {
  const std::string unnamed = "/proc/self/fd/" + std::to_string(file);
  const auto link = [&](const char* as) {
    return linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, as, AT_SYMLINK_FOLLOW);
  };
  name.clear();
  if (link(path.c_str()) == 0) return true;
  return errno == EEXIST && beside(path, name, link) >= 0;
}

fs::path behind_links(const fs::path& path) {
  std::error_code code;
  const fs::path real = fs::is_symlink(path, code) ? fs::weakly_canonical(path, code) : path;
  return code || real.empty() ? path : real;
}

}  // namespace

// Where the file system has files without a name, what is written has none until it is whole: a program that
// is killed leaves nothing beside the file.
Status write_whole_file(const fs::path& path, std::string_view bytes) {
  const fs::path real = behind_links(path);
  struct stat before {};
  const bool is_there = stat(real.c_str(), &before) == 0;
  if (is_there && !S_ISREG(before.st_mode)) return write_straight(path, bytes);
  // What may not be written is not replaced either; what another program removed by now is written.
  if (is_there && access(real.c_str(), W_OK) != 0 && errno != ENOENT) return failed(path);
  fs::path name;  // of a file that is not yet in its place
  int opened = open_nameless(real);
  const bool is_nameless = opened >= 0;
  if (!is_nameless)
    opened = beside(real, name,
                    [](const char* as) { return open(as, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
  Output file(opened);
  if (!file.is_open()) return write_straight(path, bytes);
  if (is_there) file.take_rights_of(before);
  const bool written = file.write(bytes);
  if (written && is_nameless && !give_name(file.number(), real, name)) return write_straight(path, bytes);
  if (written && file.close() && (name.empty() || rename(name.c_str(), real.c_str()) == 0)) return Done{};
  const Status reason = failed(path);
  if (!name.empty()) unlink(name.c_str());
  return reason;
}

}  // namespace warplens
