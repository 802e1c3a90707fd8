#include "app/edit/draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "engine/base/whole_file.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHead = "warplens draft 1\n", kEnding = ".draft";
constexpr std::chrono::milliseconds kPause{100};  // between two writes

// FNV-1a: names of files, and whether a text is the one that was there; nobody is to be kept out by it.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}

// "name = value" on a line of its own; a value's own line ends are escaped.
std::string line_of(std::string_view name, std::string_view value) {
  std::string text(name);
  text += " = ";
  for (const char c : value) {
    if (c == '\n')
      text += "\\n";
    else
      (c == '\\' ? text += '\\' : text) += c;
  }
  return text + '\n';
}

std::string unescaped(std::string_view value) {
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool is_escaped = value[i] == '\\' && i + 1 < value.size();
    if (is_escaped) ++i;
    text += is_escaped && value[i] == 'n' ? '\n' : value[i];
  }
  return text;
}

Error no_draft() { return {"this is no draft of Warplens", "remove the file"}; }

}  // namespace

std::string fingerprint_of(std::string_view text) {
  return fmt::format("{:016x}-{}", hash_of(text), text.size());
}

std::string to_text(const Draft& draft) {
  return std::string(kHead) + line_of("file", draft.file) + line_of("original", draft.original) +
         line_of("base", draft.base) + '\n' + draft.text;
}

Result<Draft> parse_draft(std::string_view text) {
  if (!text.starts_with(kHead)) return no_draft();
  text.remove_prefix(kHead.size());
  std::map<std::string, std::string, std::less<>> fields;
  while (!text.starts_with('\n')) {
    const std::size_t end = text.find('\n'), sign = text.find(" = ");
    if (end == std::string_view::npos || sign == std::string_view::npos || sign > end) return no_draft();
    fields.emplace(text.substr(0, sign), unescaped(text.substr(sign + 3, end - sign - 3)));
    text.remove_prefix(end + 1);
  }
  if (fields["file"].empty()) return no_draft();
  return Draft{fields["file"], fields["original"], fields["base"], std::string(text.substr(1))};
}

// What is still to be written, by file; nothing: the draft is to go. The order of the disk is that of the
// calls.
struct Drafts::Writer {
  using Pending = std::map<fs::path, std::optional<std::string>>;

  Writer() : thread([this] { serve(); }) {}
  ~Writer() {
    {
      const std::lock_guard lock(mutex);
      leaving = true;
    }
    changed.notify_all();
    thread.join();
  }

  void put(const fs::path& path, std::optional<std::string> text) {
    {
      const std::lock_guard lock(mutex);
      pending.insert_or_assign(path, std::move(text));
    }
    changed.notify_all();
  }

  void flush() {
    std::unique_lock lock(mutex);
    in_a_hurry = true;
    changed.notify_all();
    idle.wait(lock, [this] { return pending.empty() && !busy; });
    in_a_hurry = false;
  }

  // All that is pending is written before it leaves.
  void serve() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return leaving || !pending.empty(); });
      if (pending.empty()) return;
      const Pending work = std::exchange(pending, {});
      busy = true;
      lock.unlock();
      std::optional<Error> failed;
      for (const auto& [path, text] : work) {
        std::error_code ignored;
        if (!text)
          fs::remove(path, ignored);
        else if (const Status written = write_whole_file(path, *text); !written)
          failed = written.error();
      }
      lock.lock();
      busy = false;
      if (failed) error = std::move(failed);
      idle.notify_all();
      changed.wait_for(lock, kPause, [this] { return leaving || in_a_hurry; });
    }
  }

  std::mutex mutex;
  std::condition_variable changed, idle;
  Pending pending;
  bool busy = false, leaving = false, in_a_hurry = false;
  std::optional<Error> error;
  std::thread thread;  // last: it uses all of the above
};

Drafts::Drafts(fs::path folder) : folder_(std::move(folder)) {
  if (folder_.empty()) return;
  std::error_code failed;
  fs::create_directories(folder_, failed);
  writer_ = std::make_unique<Writer>();
}
Drafts::Drafts() = default;
Drafts::~Drafts() = default;
Drafts::Drafts(Drafts&&) noexcept = default;
Drafts& Drafts::operator=(Drafts&&) noexcept = default;

fs::path Drafts::path_of(const std::string& file) const {
  return folder_ / fmt::format("{}-{:016x}{}", fs::path(file).stem().string(), hash_of(file), kEnding);
}

void Drafts::keep(Draft draft) {
  if (writer_) writer_->put(path_of(draft.file), to_text(draft));
}
void Drafts::forget(const std::string& file) {
  if (writer_) writer_->put(path_of(file), std::nullopt);
}
void Drafts::flush() {
  if (writer_) writer_->flush();
}

std::vector<Draft> Drafts::all() const {
  std::vector<std::pair<fs::file_time_type, Draft>> found;
  std::error_code failed;
  if (folder_.empty()) return {};
  for (fs::directory_iterator entry(folder_, failed), end; !failed && entry != end; entry.increment(failed)) {
    if (entry->path().extension() != kEnding) continue;
    const auto text = read_whole_file(entry->path());
    auto draft = text ? parse_draft(*text) : Result<Draft>(text.error());
    std::error_code unknown;
    if (draft) found.emplace_back(entry->last_write_time(unknown), *std::move(draft));
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Draft> drafts;
  for (auto& [time, draft] : found) drafts.push_back(std::move(draft));
  return drafts;
}

std::optional<Draft> Drafts::of(const std::string& file) const {
  if (folder_.empty()) return std::nullopt;
  const auto text = read_whole_file(path_of(file));
  if (!text) return std::nullopt;
  auto draft = parse_draft(*text);
  return draft && draft->file == file ? std::optional(*std::move(draft)) : std::nullopt;
}

std::optional<Error> Drafts::take_error() {
  if (!writer_) return std::nullopt;
  const std::lock_guard lock(writer_->mutex);
  return std::exchange(writer_->error, std::nullopt);
}

}  // namespace warplens::app
