// Texts on their way from one process to another: each part behind its length.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "engine/base/error.hpp"

namespace warplens::compile {

class Parcel {
 public:
  void add(std::string_view part) {
    const std::uint64_t size = part.size();
    text_.append(reinterpret_cast<const char*>(&size), sizeof(size));
    text_.append(part);
  }
  void add(const Error& error) {
    for (const std::string& part :
         {error.message, error.next_step, error.place.file, std::to_string(error.place.line),
          std::to_string(static_cast<int>(error.code))})
      add(part);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class Unpacking {
 public:
  explicit Unpacking(std::string_view text) : text_(text) {}
  std::string next() {
    std::uint64_t size = 0;
    if (text_.size() < sizeof(size)) return broken();
    std::memcpy(&size, text_.data(), sizeof(size));
    text_.remove_prefix(sizeof(size));
    if (size > text_.size()) return broken();
    std::string part(text_.substr(0, static_cast<std::size_t>(size)));
    text_.remove_prefix(part.size());
    return part;
  }
  Error next_error() {
    Error error{next(), next(), {next(), 0, 0}};
    error.place.line = std::atoi(next().c_str());
    error.code = static_cast<ErrorCode>(std::atoi(next().c_str()));
    return error;
  }
  bool is_broken() const { return is_broken_; }

 private:
  std::string broken() {
    is_broken_ = true;
    return "";
  }
  std::string_view text_;
  bool is_broken_ = false;
};

}  // namespace warplens::compile
