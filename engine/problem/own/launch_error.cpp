#include "engine/problem/own/launch_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/text.hpp"
#include "engine/problem/own/host_code.hpp"
#include "engine/source/signature.hpp"

namespace warplens::problem {
namespace {

// CUDA C++ Programming Guide, technical specifications per compute capability.
constexpr std::int64_t kMostThreads = 1024, kMostDeep = 64, kMostAlongY = 65535;

std::string edges_of(const std::vector<std::int64_t>& edges) {
  return fmt::format("{}", fmt::join(edges, " x "));
}

std::string counted(std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); }

std::optional<Error> error_of_block(const HostLaunch& launch) {
  if (!launch.is_block_certain || launch.block.empty()) return std::nullopt;
  std::int64_t threads = 1;
  for (const std::int64_t edge : launch.block) {
    if (edge > std::int64_t{1} << 31) return std::nullopt;
    threads *= std::min(edge, std::int64_t{1} << 20);
  }
  const std::string shape = launch.block.size() > 1 ? " (" + edges_of(launch.block) + ")" : "";
  if (threads == 0)
    return Error{
        fmt::format("the launch has blocks of 0 threads{}: it fails, and the kernel never runs", shape),
        "give each block a thread or more"};
  if (threads > kMostThreads)
    return Error{
        fmt::format("the launch has blocks of {} threads{}, and a block has {} at most: it fails, and "
                    "the kernel never runs",
                    counted(threads), shape, counted(kMostThreads)),
        "launch smaller blocks, and more of them"};
  if (launch.block.size() == 3 && launch.block[2] > kMostDeep)
    return Error{
        fmt::format("the launch has blocks of {}, and along z a block has {} threads at most: it fails, "
                    "and the kernel never runs",
                    edges_of(launch.block), kMostDeep),
        "let another axis have the threads of z"};
  return std::nullopt;
}

std::optional<Error> error_of_grid(const HostLaunch& launch) {
  if (!launch.is_grid_certain || launch.grid.empty()) return std::nullopt;
  for (std::size_t d = 0; d < launch.grid.size(); ++d) {
    const std::string text = d < launch.grid_text.size() ? launch.grid_text[d] : "";
    if (launch.grid[d] == 0)
      return Error{
          fmt::format("the launch has a grid of 0 blocks along {}{}: it fails, and the kernel never runs",
                      "xyz"[d], text.find('/') == std::string::npos ? "" : ": " + text + " is cut to 0"),
          "round up: (n + block - 1) / block"};
    if (d > 0 && launch.grid[d] > kMostAlongY)
      return Error{
          fmt::format("the launch has {} blocks along {}, and a grid has {} at most there: it fails, and "
                      "the kernel never runs",
                      counted(launch.grid[d]), "xyz"[d], counted(kMostAlongY)),
          "let x have the blocks, or let each block do more"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> launch_error(std::string_view code) {
  const HostCode host(code);
  std::optional<Error> first;
  for (const auto& kernel : source::kernel_signatures(code))
    for (const HostLaunch& launch : host.launches_of(kernel.name)) {
      auto error = error_of_block(launch);
      if (!error) error = error_of_grid(launch);
      if (!error || host.is_left_out(launch.at) || (first && first->place.line < launch.line)) continue;
      error->place.line = launch.line;
      first = std::move(error);
    }
  return first;
}

}  // namespace warplens::problem
