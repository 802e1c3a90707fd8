// The names of a PTX text and the scopes they live in. Keys are views into the text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warplens::ptx {

// string -> number; open addressing, no erasing.
class StringIndex {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // The value of the key, kNone for a new one. Valid until the next call.
  std::uint32_t& operator[](std::string_view key);

 private:
  struct Slot {
    std::string_view key;
    std::uint32_t hash = 0;
    std::uint32_t value = kNone;
    bool used = false;
  };
  void grow();

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

using ScopeId = std::uint32_t;

// A tree of scopes, of which one path is open.
class Scopes {
 public:
  Scopes() : scopes_{{0, 0, true}} {}
  ScopeId current() const { return current_; }
  bool is_open(ScopeId scope) const { return scopes_[scope].open; }
  int depth(ScopeId scope) const { return scopes_[scope].depth; }
  void open() {
    scopes_.push_back({current_, scopes_[current_].depth + 1, true});
    current_ = static_cast<ScopeId>(scopes_.size() - 1);
  }
  void close() {
    scopes_[current_].open = false;
    current_ = scopes_[current_].parent;
  }

 private:
  struct Scope {
    ScopeId parent;
    int depth;
    bool open;
  };
  std::vector<Scope> scopes_;
  ScopeId current_ = 0;
};

struct Name {
  enum class Kind : std::uint8_t {
    reg,
    range,
    variable,
    local,
    parameter,
    function,
    prototype,
    branch_table,
    label
  };
  Kind kind = Kind::reg;
  std::uint32_t id = 0;
  ScopeId scope = 0;
};

// Names by scope: an inner one hides an outer one until its scope closes.
class ScopedNames {
 public:
  explicit ScopedNames(const Scopes& scopes) : scopes_(scopes) {}
  // The innermost open one, or nullptr. Valid until the next add.
  const Name* find(std::string_view name);
  // The innermost open one that the caller accepts.
  template <class Accept>
  const Name* find_if(std::string_view name, Accept accept) {
    find(name);
    for (std::uint32_t at = heads_[name]; at != StringIndex::kNone; at = entries_[at].hidden)
      if (scopes_.is_open(entries_[at].name.scope) && accept(entries_[at].name)) return &entries_[at].name;
    return nullptr;
  }
  void add(std::string_view name, const Name& value);

 private:
  struct Entry {
    Name name;
    std::uint32_t hidden;
  };
  const Scopes& scopes_;
  StringIndex heads_;
  std::vector<Entry> entries_;
};

}  // namespace warplens::ptx
