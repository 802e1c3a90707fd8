#include "engine/problem/own/binding.hpp"
#include "engine/source/types.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace warplens::problem {
namespace {

using source::KernelParameter, catalog::ProblemText;
using What = BoundArgument::What;

// One thing that a problem has to pass.
struct Offer {
  What what;
  std::size_t index;
  std::string name;
  std::vector<std::string> also;
  std::string type;  // as declared; may be empty
  bool is_output = false, is_taken = false;
  bool is_mapped = false;  // a buffer that a tensor map is of
};

std::vector<Offer> offers_of(const ProblemText& problem) {
  std::vector<Offer> offers;
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    const auto& buffer = problem.buffers[b];
    offers.push_back({What::buffer, b, buffer.name, buffer.also, buffer.type, buffer.is_output});
  }
  for (std::size_t s = 0; s < problem.scalars.size(); ++s)
    offers.push_back(
        {What::scalar, s, problem.scalars[s].name, problem.scalars[s].also, problem.scalars[s].type});
  for (std::size_t s = 0; s < problem.sizes.size(); ++s)
    offers.push_back({What::size, s, problem.sizes[s].name, problem.sizes[s].also, "int"});
  return offers;
}

// "d_A", "dA", "A_d" and "A" are all "a".
std::string plain(std::string name) {
  for (const std::string_view before : {"d_", "dev_", "g_", "device_", "gpu_", "h_", "p_"})
    if (name.starts_with(before) && name.size() > before.size()) name = name.substr(before.size());
  for (const std::string_view after : {"_d", "_dev", "_device", "_gpu", "_ptr"})
    if (name.ends_with(after) && name.size() > after.size()) name.resize(name.size() - after.size());
  if (name.size() > 1 && name[0] == 'd' && std::isupper(static_cast<unsigned char>(name[1])) != 0)
    name = name.substr(1);
  std::string small;
  for (const char c : name)
    if (c != '_') small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

bool is_floating(std::string_view base) {
  return base == "float" || base == "double" || base == "half" || base == "bfloat16";
}

class Binder {
 public:
  Binder(const ProblemText& problem, const source::KernelSignature& kernel,
         std::span<const catalog::TensorMapText> maps)
      : problem_(problem),
        kernel_(kernel),
        maps_(maps),
        offers_(offers_of(problem)),
        bound_(kernel.parameters.size()) {}

  Result<Binding> bind() {
    for (const KernelParameter& parameter : kernel_.parameters) {
      if (is_map(parameter)) {
        if (auto error = bind_map(parameter)) return *std::move(error);
        continue;
      }
      const auto type = type_of(parameter);
      if (!type)
        return Error{
            fmt::format("the parameter {} of the kernel has the type {}, which no problem passes{}",
                        parameter.name, parameter.type,
                        parameter.reason.empty() ? "" : ": " + parameter.reason),
            fmt::format("use pointers to and numbers of {}", fmt::join(source::element_types(), ", "))};
      types_.push_back(*type);
      are_open_.push_back(parameter.is_pointer && !source::read_type(parameter.type));
    }
    by_name();
    pointers_by_place();
    numbers_by_place();
    return result();
  }

 private:
  static bool is_map(const KernelParameter& parameter) {
    return parameter.type == "CUtensorMap" && !parameter.is_pointer;
  }

  std::optional<Error> bind_map(const KernelParameter& parameter) {
    const auto map = std::ranges::find(maps_, parameter.name, &catalog::TensorMapText::name);
    if (map == maps_.end())
      return Error{
          fmt::format("the kernel takes the tensor map {}, of which maps says nothing", parameter.name),
          fmt::format("add maps = [{{ name = \"{}\", of = \"A\", box = [64, 64] }}] to the front matter",
                      parameter.name)};
    const auto buffer = std::ranges::find(problem_.buffers, map->of, &catalog::BufferText::name);
    if (buffer == problem_.buffers.end())
      return Error{fmt::format("the tensor map {} is of {}, which is no buffer", map->name, map->of),
                   "name one of the problem's buffers"};
    bound_[types_.size()] = BoundArgument{What::map, static_cast<std::size_t>(map - maps_.begin()), "float"};
    for (Offer& offer : offers_) offer.is_mapped |= offer.what == What::buffer && offer.name == map->of;
    types_.emplace_back("float");
    are_open_.push_back(false);
    return std::nullopt;
  }

  // A type that a template leaves open is float.
  std::optional<std::string> type_of(const KernelParameter& parameter) const {
    const bool open = std::any_of(kernel_.of_template.begin(), kernel_.of_template.end(), [&](const auto& t) {
      return t.type == "typename" && t.name == parameter.type;
    });
    auto type = source::read_type(open ? "float" : parameter.type);
    // A name that some header gives to numbers, such as floatX; only a compiler knows which.
    if (!type && parameter.is_pointer && parameter.type.find_first_of("<:") == std::string::npos)
      type = source::read_type("float");
    if (!type || (!parameter.is_pointer && type->parts > 1)) return std::nullopt;
    return type->base;
  }

  bool fits(const Offer& offer, std::size_t p) const {
    return !offer.is_taken && !bound_[p] && (offer.what == What::buffer) == kernel_.parameters[p].is_pointer;
  }
  void take(std::size_t p, Offer& offer) {
    bound_[p] = BoundArgument{offer.what, offer.index, types_[p], are_open_[p]};
    offer.is_taken = true;
  }

  // How well a parameter's name says which offer is meant: 0 is best; empty if it does not.
  static std::optional<int> distance(const Offer& offer, const std::string& name) {
    if (offer.name == name) return 0;
    const auto among = [&](const auto& same) {
      return std::any_of(offer.also.begin(), offer.also.end(), same);
    };
    if (among([&](const std::string& other) { return other == name; })) return 1;
    const std::string wanted = plain(name);
    if (plain(offer.name) == wanted) return 2;
    if (among([&](const std::string& other) { return plain(other) == wanted; })) return 3;
    return std::nullopt;
  }

  // The names all together: (N, C) are rows and columns of a softmax, and in (M, N) N is the columns.
  void by_name() {
    now_.assign(bound_.size(), -1);
    best_ = now_;
    least_ = static_cast<int>(bound_.size()) * kNoName + 1;
    choose(0, 0);
    for (std::size_t p = 0; p < bound_.size(); ++p)
      if (best_[p] >= 0) take(p, offers_[static_cast<std::size_t>(best_[p])]);
  }
  void choose(std::size_t p, int cost) {
    if (cost >= least_ || ++tries_ > kMostTries) return;
    if (p == bound_.size()) {
      best_ = now_, least_ = cost;
      return;
    }
    for (std::size_t o = 0; o < offers_.size() && !kernel_.parameters[p].name.empty(); ++o) {
      if (!fits(offers_[o], p) || std::find(now_.begin(), now_.end(), static_cast<int>(o)) != now_.end())
        continue;
      const auto own = distance(offers_[o], kernel_.parameters[p].name);
      if (!own) continue;
      now_[p] = static_cast<int>(o);
      choose(p + 1, cost + *own);
      now_[p] = -1;
    }
    choose(p + 1, cost + kNoName);
  }

  std::vector<std::size_t> open_parameters(bool pointers) const {
    std::vector<std::size_t> open;
    for (std::size_t p = 0; p < bound_.size(); ++p)
      if (!bound_[p] && kernel_.parameters[p].is_pointer == pointers) open.push_back(p);
    return open;
  }
  template <class Wanted>
  std::vector<Offer*> open_offers(const Wanted& wanted) {
    std::vector<Offer*> open;
    for (Offer& offer : offers_)
      if (!offer.is_taken && wanted(offer)) open.push_back(&offer);
    return open;
  }

  // Inputs are const and outputs are not, where a kernel says so; else as the problem lists them.
  void pointers_by_place() {
    const auto open = open_parameters(true);
    for (const bool constant : {true, false}) {
      std::vector<std::size_t> parameters;
      for (const std::size_t p : open)
        if (!bound_[p] && kernel_.parameters[p].is_const == constant) parameters.push_back(p);
      auto offers =
          open_offers([&](const Offer& o) { return o.what == What::buffer && (!constant || !o.is_output); });
      for (std::size_t i = 0; i < parameters.size() && i < offers.size(); ++i)
        take(parameters[i], *offers[i]);
    }
  }

  void numbers_by_place() {
    std::vector<std::size_t> whole, real;
    for (const std::size_t p : open_parameters(false)) (is_floating(types_[p]) ? real : whole).push_back(p);
    auto sizes = open_offers([](const Offer& o) { return o.what == What::size; });
    const bool no_size_taken = sizes.size() == problem_.sizes.size();
    is_square_ = whole.size() == 1 && no_size_taken && sizes_are_alike();
    for (std::size_t i = 0; i < whole.size() && i < sizes.size(); ++i) take(whole[i], *sizes[i]);
    auto numbers = open_offers([](const Offer& o) {
      const auto type = source::read_type(o.type);
      return o.what == What::scalar && (o.type.empty() || !type || is_floating(type->base));
    });
    for (std::size_t i = 0; i < real.size() && i < numbers.size(); ++i) take(real[i], *numbers[i]);
  }

  // Rows and columns, of which a kernel for squares knows one; not a size beside them, such as that of a
  // mask.
  bool sizes_are_alike() const {
    return problem_.sizes.size() > 1 &&
           std::all_of(problem_.sizes.begin(), problem_.sizes.end(),
                       [&](const auto& size) { return size.value == problem_.sizes[0].value; });
  }

  Result<Binding> result() {
    Binding binding;
    // One size was named as if it were all: sgemm(A, B, C, N) has square matrices.
    std::size_t named_sizes = 0;
    for (const auto& argument : bound_) named_sizes += argument && argument->what == What::size ? 1u : 0u;
    binding.is_square = is_square_ || (named_sizes == 1 && !problem_.kind.empty() && sizes_are_alike());
    for (std::size_t p = 0; p < bound_.size(); ++p) {
      if (!bound_[p]) return nothing_for(kernel_.parameters[p]);
      binding.arguments.push_back(*bound_[p]);
    }
    for (const Offer& offer : offers_) {
      if (offer.what != What::buffer || !offer.is_output || offer.is_mapped) continue;
      if (offer.is_taken && !problem_.kind.empty()) break;  // a kind's other outputs may be left out
      if (offer.is_taken) continue;
      return Error{fmt::format("the kernel has no parameter for the output {}", offer.name),
                   "name its parameters as [problem] does, or say with order = [...] which is which"};
    }
    return binding;
  }

  Error nothing_for(const KernelParameter& parameter) const {
    std::vector<std::string> names;
    for (const Offer& offer : offers_)
      if ((offer.what == What::buffer) == parameter.is_pointer) names.push_back(offer.name);
    return {
        fmt::format("the problem has nothing for the kernel's parameter {}", parameter.name),
        parameter.is_pointer
            ? fmt::format("add a buffer {} to [problem]{}", parameter.name,
                          names.empty() ? "" : fmt::format("; those there are {}", fmt::join(names, ", ")))
            : fmt::format("add it to [problem] as a size, or as a scalar: {{ name = \"{}\", value = 1 }}",
                          parameter.name)};
  }

  const ProblemText& problem_;
  const source::KernelSignature& kernel_;
  std::span<const catalog::TensorMapText> maps_;
  std::vector<Offer> offers_;
  std::vector<std::optional<BoundArgument>> bound_;
  std::vector<std::string> types_;
  std::vector<bool> are_open_;
  bool is_square_ = false;
  static constexpr int kNoName = 10, kMostTries = 200'000;
  std::vector<int> now_, best_;  // the offer of each parameter; -1: none
  int least_ = 0, tries_ = 0;
};

std::string declared_type(const Offer& offer) {
  const auto type = source::read_type(offer.type);
  return type ? type->base : "float";
}

Result<Binding> by_order(const ProblemText& problem, const source::KernelSignature* kernel) {
  const std::vector<Offer> offers = offers_of(problem);
  if (kernel != nullptr && kernel->parameters.size() != problem.order.size())
    return Error{fmt::format("the kernel takes {} arguments, and order has {}", kernel->parameters.size(),
                             problem.order.size()),
                 "list every argument once, in the order of the kernel's parameters"};
  Binding binding;
  for (std::size_t p = 0; p < problem.order.size(); ++p) {
    const auto offer = std::find_if(offers.begin(), offers.end(),
                                    [&](const Offer& o) { return o.name == problem.order[p].text; });
    if (offer == offers.end())
      return Error{fmt::format("order has {}, which [problem] does not", problem.order[p].text),
                   "name buffers, scalars and sizes"};
    BoundArgument argument{offer->what, offer->index, declared_type(*offer)};
    if (kernel != nullptr) {
      const KernelParameter& parameter = kernel->parameters[p];
      if (parameter.is_pointer != (offer->what == What::buffer))
        return Error{fmt::format("the kernel's parameter {} is {}, and order gives it {}", parameter.name,
                                 parameter.is_pointer ? "a pointer" : "a number", offer->name),
                     "list the arguments in the order of the kernel's parameters"};
      const auto type = source::read_type(parameter.type);
      if (type) argument.type = type->base;
      argument.is_open = parameter.is_pointer && !type;
    }
    binding.arguments.push_back(std::move(argument));
  }
  return binding;
}

}  // namespace

Result<Binding> bind_arguments(const ProblemText& problem, const source::KernelSignature* kernel,
                               std::span<const catalog::TensorMapText> maps) {
  if (!problem.order.empty()) return by_order(problem, kernel);
  constexpr std::size_t kMostNames = 256;  // of a kernel that somebody wrote
  if (kernel != nullptr && kernel->parameters.size() > kMostNames)
    return Error{fmt::format("the kernel takes {} arguments, too many to be found by their names",
                             kernel->parameters.size()),
                 fmt::format("say with order = [...] which is which, or take {} at most", kMostNames)};
  if (kernel != nullptr) return Binder(problem, *kernel, maps).bind();
  Binding binding;
  for (const Offer& offer : offers_of(problem))
    binding.arguments.push_back({offer.what, offer.index, declared_type(offer)});
  return binding;
}

bool can_be_run(const source::KernelSignature& kernel) {
  return std::ranges::all_of(kernel.parameters, [&](const KernelParameter& parameter) {
    const auto type = source::read_type(parameter.type);
    const bool is_open =
        std::ranges::any_of(kernel.of_template, [&](const auto& one) { return one.name == parameter.type; });
    return parameter.is_pointer || is_open || (type && type->parts == 1);
  });
}

bool has_inputs(const ProblemText& problem, const Binding& binding) {
  for (std::size_t b = 0; b < problem.buffers.size(); ++b)
    if (!problem.buffers[b].is_output && std::ranges::none_of(binding.arguments, [&](const BoundArgument& a) {
          return a.what == What::buffer && a.index == b;
        }))
      return false;
  return true;
}

}  // namespace warplens::problem
