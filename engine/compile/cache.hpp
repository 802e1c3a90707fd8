// The on-disk cache of compiler output. Entries are files named by a hash of the request and of the compiler;
// each holds its whole key, its length and a checksum, so a torn, stale, foreign or damaged one is never
// used. Several threads and programs may share a folder: an entry appears by rename, complete or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "engine/compile/nvrtc.hpp"

namespace warplens::compile {

struct CacheKey {
  std::string request;   // everything that shapes the output, but for the compiler
  std::string compiler;  // NvrtcLocation::identity; empty: any compiler's entry will do
};

// CacheKey::request: everything of a request, each text with its length, so no two requests look alike.
std::string request_key(const Request& request);

class DiskCache {
 public:
  // No folder: a cache that is always empty. The folder is made where it is missing.
  DiskCache(std::filesystem::path folder, std::uint64_t max_bytes);

  std::optional<CompilerOutput> find(const CacheKey& key) const;
  // Precondition: key.compiler is not empty. A failure shows in warning().
  void store(const CacheKey& key, const CompilerOutput& output);
  std::string warning() const;  // one line; empty where all is well

  // Removes the oldest entries beyond max_bytes, and what crashed programs left behind. store() calls it now
  // and then.
  void evict() const;

 private:
  std::optional<CompilerOutput> read(const std::filesystem::path& file, const CacheKey& key) const;
  std::optional<CompilerOutput> find_of_any_compiler(const CacheKey& key) const;
  void warn(const std::string& reason);

  std::filesystem::path folder_;
  std::uint64_t max_bytes_;
  mutable std::mutex mutex_;  // guards the two below
  std::string warning_;
  std::uint64_t bytes_since_eviction_;
};

}  // namespace warplens::compile
