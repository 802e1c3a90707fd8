// Without threads: a build is made where it is asked for, and none ahead of time.
#include <utility>

#include "engine/compile/cache.hpp"
#include "engine/run/build_queue.hpp"

namespace warplens::run {

void give_way() {}

BuildQueue::BuildQueue(compile::Compiler compiler, bool, Built built)
    : compiler_(std::move(compiler)), built_(std::move(built)) {}
BuildQueue::~BuildQueue() = default;

BuildQueue::Answer BuildQueue::get(const compile::Request& request, const std::atomic<bool>&) {
  return compile_here(request);
}

BuildQueue::Answer BuildQueue::compile_here(const compile::Request& request) {
  constexpr std::size_t most_kept = 24;
  compile::Request whole = request;
  whole.want_cubin = true;  // all that was compiled beforehand has its machine code
  const std::string key = compile::request_key(whole);
  for (const auto& [known, build] : kept_)
    if (known == key) return build;
  auto made = compiler_.compile(whole);
  if (!made) return made.error();
  if (built_) built_(request, *made);
  kept_.emplace_front(key, std::make_shared<const compile::Build>(*std::move(made)));
  if (kept_.size() > most_kept) kept_.pop_back();
  return kept_.front().second;
}

void BuildQueue::compile_ahead(const std::vector<compile::Request>&, const std::vector<compile::Request>&) {}
void BuildQueue::forget_ahead() {}
bool BuildQueue::is_ahead_busy() const { return false; }

}  // namespace warplens::run
