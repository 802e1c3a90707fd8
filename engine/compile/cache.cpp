#include "engine/compile/cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/whole_file.hpp"
#include "engine/compile/diagnostics.hpp"
#include "engine/compile/elf.hpp"

namespace warplens::compile {
namespace {

namespace fs = std::filesystem;

// An entry: magic, payload length, checksum of the payload, then the payload: six texts, each with its u64
// length (request, compiler identity, compiler name, log, PTX, cubin). The number in the magic is the
// format's version.
constexpr std::string_view kMagic = "WARPLEN1";
constexpr std::size_t kHeaderBytes = 24;
constexpr std::string_view kExtension = ".build", kTemporary = ".part";  // of write_whole_file

// FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv. Each step is a bijection, so a flipped byte
// always shows. A collision between keys costs nothing but a compilation: the entry's whole key is compared.
std::uint64_t hash(std::string_view text, std::uint64_t seed) {
  std::uint64_t value = 0xcbf29ce484222325u ^ seed;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return value;
}

std::string request_name(const CacheKey& key) {
  return fmt::format("{:016x}{:016x}", hash(key.request, 0), hash(key.request, 0x9e3779b97f4a7c15u));
}

std::string file_name(const CacheKey& key) {
  return fmt::format("{}-{:016x}{}", request_name(key), hash(key.compiler, 0), kExtension);
}

void put_number(std::string& out, std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) out.push_back(static_cast<char>(number >> shift & 0xff));
}

void put_text(std::string& out, std::string_view text) {
  put_number(out, text.size());
  out += text;
}

std::string_view as_text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
Bytes as_bytes_of(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

std::string encode(const CacheKey& key, const CompilerOutput& output) {
  std::string payload;
  for (const std::string_view text :
       {std::string_view(key.request), std::string_view(key.compiler), std::string_view(output.compiler),
        std::string_view(output.log), std::string_view(output.ptx), as_text(output.cubin)}) {
    put_text(payload, text);
  }
  std::string entry(kMagic);
  put_number(entry, payload.size());
  put_number(entry, hash(payload, 0));
  return entry + payload;
}

// Nothing where the entry is damaged or belongs to another key.
std::optional<CompilerOutput> decode(std::string_view entry, const CacheKey& key) {
  if (entry.size() < kHeaderBytes || !entry.starts_with(kMagic)) return std::nullopt;
  ByteReader header(as_bytes_of(entry), kMagic.size());
  const std::uint64_t length = header.u64(), checksum = header.u64();
  const std::string_view payload = entry.substr(kHeaderBytes);
  if (length != payload.size() || checksum != hash(payload, 0)) return std::nullopt;
  ByteReader reader(as_bytes_of(payload));
  const auto next = [&reader] { return reader.take(reader.u64()); };
  if (as_text(next()) != key.request) return std::nullopt;
  const std::string_view compiler = as_text(next());
  if (!key.compiler.empty() && compiler != key.compiler) return std::nullopt;
  CompilerOutput output;
  output.compiler = as_text(next());
  output.log = as_text(next());
  output.ptx = as_text(next());
  const Bytes cubin = next();
  output.cubin.assign(cubin.begin(), cubin.end());
  if (reader.failed() || !reader.at_end()) return std::nullopt;
  return output;
}

// The time of change is the time of last use, to the hour: a hit seldom writes.
void mark_used(const fs::path& file) {
  std::error_code ignored;
  const auto now = fs::file_time_type::clock::now();
  if (now - fs::last_write_time(file, ignored) > std::chrono::hours(1))
    fs::last_write_time(file, now, ignored);
}

// Where somebody put a pipe, a device or a link in the place of an entry, the entry replaces it: a pipe that
// nobody reads would be written to for ever.
void remove_if_no_file(const fs::path& file) {
  std::error_code ignored;
  const fs::file_status there = fs::symlink_status(file, ignored);
  if (fs::exists(there) && !fs::is_regular_file(there)) fs::remove(file, ignored);
}

}  // namespace

std::string request_key(const Request& request) {
  const std::string file = file_name_for_nvrtc(request.file_name);
  std::string key = fmt::format("arch {}{} cubin {} file {}:{}\n", request.arch, request.variant,
                                request.want_cubin, file.size(), file);
  for (const auto& [name, value] : request.defines)
    key += fmt::format("define {}:{}={}\n", name.size(), name, value);
  if (!request.kernel.empty()) key += fmt::format("kernel {}:{}\n", request.kernel.size(), request.kernel);
  for (const auto& [name, text] : request.headers) {
    key += fmt::format("header {}:{} {}:{}\n", name.size(), name, text.size(), text);
  }
  return key + fmt::format("source {}:{}", request.source.size(), request.source);
}

DiskCache::DiskCache(fs::path folder, std::uint64_t max_bytes)
    : folder_(std::move(folder)), max_bytes_(max_bytes), bytes_since_eviction_(max_bytes / 8 + 1) {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) {
    warn(error.message());
  } else if (access(folder_.c_str(), W_OK | X_OK) != 0) {
    warn(std::strerror(errno));
  }
}

void DiskCache::warn(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  warning_ = fmt::format("the cache folder {} cannot be written ({}), kernels are compiled anew each time",
                         folder_.string(), reason);
}

std::string DiskCache::warning() const {
  const std::lock_guard lock(mutex_);
  return warning_;
}

std::optional<CompilerOutput> DiskCache::read(const fs::path& file, const CacheKey& key) const {
  const Result<std::string> content = read_whole_file(file);
  if (!content) return std::nullopt;
  std::optional<CompilerOutput> output = decode(*content, key);
  if (output) mark_used(file);
  return output;
}

std::optional<CompilerOutput> DiskCache::find(const CacheKey& key) const {
  if (folder_.empty()) return std::nullopt;
  if (key.compiler.empty()) return find_of_any_compiler(key);
  return read(folder_ / file_name(key), key);
}

// Shipped entries have the request's name alone, so that who lacks one knows what to fetch.
std::optional<CompilerOutput> DiskCache::find_of_any_compiler(const CacheKey& key) const {
  const std::string prefix = request_name(key);
  if (auto shipped = read(folder_ / (prefix + std::string(kExtension)), key)) return shipped;
  std::error_code error;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    if (!at->path().filename().string().starts_with(prefix)) continue;
    if (std::optional<CompilerOutput> output = read(at->path(), key)) return output;
  }
  return std::nullopt;
}

void DiskCache::store(const CacheKey& key, const CompilerOutput& output) {
  if (folder_.empty()) return;
  const std::string entry = encode(key, output);
  const fs::path file = folder_ / file_name(key);
  remove_if_no_file(file);
  if (const Status written = write_whole_file(file, entry); !written) {
    // "the file cannot be written: No space left on device"
    const std::string& reason = written.error().message;
    return warn(reason.substr(reason.find(": ") + 2));
  }
  bool full = false;
  {
    const std::lock_guard lock(mutex_);
    bytes_since_eviction_ += entry.size();
    full = bytes_since_eviction_ >
           max_bytes_ / 8;  // the first store of a program looks, then every eighth of the bound
    if (full) bytes_since_eviction_ = 0;
  }
  if (full) evict();
}

void DiskCache::evict() const {
  struct Entry {
    fs::path path;
    fs::file_time_type time;
    std::uint64_t bytes;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    // Another program may evict or write at the same time: what fails for the time may be there for the size.
    std::error_code gone, no_size;
    const Entry entry{at->path(), at->last_write_time(gone), at->file_size(no_size)};
    if (gone || no_size) continue;
    if (name.ends_with(kTemporary) && now - entry.time > std::chrono::hours(1)) fs::remove(entry.path, gone);
    if (!name.ends_with(kExtension)) continue;
    total += entry.bytes;
    entries.push_back(entry);
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.time < b.time; });
  for (const Entry& entry : entries) {
    if (total <= max_bytes_) return;
    std::error_code gone;
    fs::remove(entry.path, gone);
    total -= entry.bytes;
  }
}

}  // namespace warplens::compile
