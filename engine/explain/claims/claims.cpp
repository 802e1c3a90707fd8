#include "engine/explain/claims/claims.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/explain/claims/quantity.hpp"

namespace warplens::explain {
namespace {

constexpr std::array kKinds = {std::string_view("equals"),  std::string_view("every"),
                               std::string_view("average"), std::string_view("name"),
                               std::string_view("cause"),   std::string_view("fix")};
constexpr std::array kScopes = {std::string_view("access"), std::string_view("line"),
                                std::string_view("thread"), std::string_view("warp"),
                                std::string_view("block"),  std::string_view("kernel"),
                                std::string_view("device"), std::string_view("two steps")};

std::string whole_words(double number) {
  return grouped(static_cast<std::uint64_t>(std::llround(std::abs(number))));
}
Claim claim_of(ClaimKind kind, std::string words, Quantity quantity, double number, Scope scope) {
  return {.kind = kind, .quantity = quantity, .number = number, .scope = scope, .shown = std::move(words)};
}

}  // namespace

namespace claim {

Claim number(Quantity quantity, double value, Scope scope) {
  return claim_of(ClaimKind::equals, whole_words(value), quantity, value, scope);
}

Claim amount(Quantity quantity, double value, Scope scope) {
  const std::string words = whole_words(value);
  return claim_of(ClaimKind::equals,
                  fmt::format("{} {}{}", words, row_of(quantity).unit, words == "1" ? "" : "s"), quantity,
                  value, scope);
}

Claim words(std::string words, Quantity quantity, double value, Scope scope) {
  return claim_of(ClaimKind::equals, std::move(words), quantity, value, scope);
}

Claim every(std::string words, Quantity quantity, double value, Scope scope) {
  return claim_of(ClaimKind::every, std::move(words), quantity, value, scope);
}

Claim average(std::string words, Quantity quantity, double value, Scope scope) {
  return claim_of(ClaimKind::average, std::move(words), quantity, value, scope);
}

Claim name(std::string_view words) {
  return claim_of(ClaimKind::name, std::string(words), Quantity::none, 0, Scope::kernel);
}

Claim of(Claim one, std::string what) {
  one.of = std::move(what);
  return one;
}

}  // namespace claim

Said say(std::string_view pattern, Claims parts) {
  Said said;
  std::size_t part = 0;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t next = pattern.find("{}", at);
    said.text += pattern.substr(at, next - at);
    if (next == std::string_view::npos) break;
    if (part < parts.size()) said.text += parts[part++].shown;
    at = next + 2;
  }
  said.claims = std::move(parts);
  return said;
}

std::string keep(Claims& claims, Claim one) {
  claims.push_back(std::move(one));
  return claims.back().shown;
}

void add(Claims& claims, Claims more) {
  for (Claim& one : more) claims.push_back(std::move(one));
}

std::string_view Claim::unit() const { return row_of(quantity).unit; }

std::string_view name_of(ClaimKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
std::string_view name_of(Scope scope) { return kScopes[static_cast<std::size_t>(scope)]; }

}  // namespace warplens::explain
