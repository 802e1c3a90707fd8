#include "engine/problem/own/own_shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>

#include "engine/catalog/expression.hpp"
#include "engine/problem/elements/element_values.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/problem/own/host_code.hpp"
#include "engine/problem/own/own_arguments.hpp"
#include "engine/source/types.hpp"

namespace warplens::problem {
namespace {

using catalog::BufferText, catalog::ProblemText;

// Of one size, buffer or scalar: what a file says of it goes before what its kind says.
catalog::SizeText merged(catalog::SizeText kind, const catalog::SizeText& own) {
  kind.value = own.value;
  return kind;
}
BufferText merged(BufferText kind, const BufferText& own) {
  if (!own.type.empty()) kind.type = own.type;
  kind.parts = std::max(kind.parts, own.parts);
  if (!own.count.text.empty() || !own.shape.empty()) kind.count = own.count, kind.shape = own.shape;
  if (!own.fill.text.empty()) kind.fill = own.fill;
  if (!own.first.text.empty()) kind.first = own.first;
  kind.is_output = kind.is_output || own.is_output;
  kind.also.insert(kind.also.end(), own.also.begin(), own.also.end());
  return kind;
}
catalog::ScalarText merged(catalog::ScalarText kind, const catalog::ScalarText& own) {
  if (!own.type.empty()) kind.type = own.type;
  kind.value = own.value;
  return kind;
}

// Empty: of no file, or of one in the current folder by its name alone.
std::string folder_of(const catalog::KernelSpec& spec) {
  const std::string folder = std::filesystem::path(spec.path).parent_path().string();
  return folder.empty() && !spec.path.empty() ? "." : folder;
}

// The lines of a kind's table are those of no file.
void forget_lines(ProblemText& text, int line) {
  for (auto& buffer : text.buffers) {
    buffer.line = buffer.count.line = buffer.fill.line = buffer.first.line = line;
    for (auto& edge : buffer.shape) edge.line = line;
  }
  for (auto& scalar : text.scalars) scalar.line = scalar.value.line = line;
  for (auto& check : text.check) check.line = line;
  text.operations.line = text.line = line;
}

// The pictures' words for what a buffer holds, as expressions over i.
struct Fill {
  std::string_view name, expression;
};
constexpr Fill kFills[] = {
    {"zero", "0"}, {"zeros", "0"}, {"ones", "1"}, {"index", "i"}, {"identity", "row == column"}};

// `word` as a name of its own, replaced; fills and truths know rows and columns by the element's place alone.
std::string replaced(const std::string& text, std::string_view word, std::string_view with) {
  const auto of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && of_name(text[end])) ++end;
    const std::string_view found = std::string_view(text).substr(at, std::max(end, at + 1) - at);
    result += found == word ? with : found;
    at += found.size();
  }
  return result;
}

std::string by_place(const std::string& text, std::size_t buffer) {
  const std::string columns = fmt::format("COLUMNS_{}", buffer);
  return replaced(replaced(text, "row", fmt::format("floor(i / {})", columns)), "column",
                  fmt::format("(i % {})", columns));
}

// The table of a kind with what a file says otherwise.
Result<ProblemText> with_changes(ProblemText kind, const ProblemText& own) {
  const auto change = [](auto& list, const auto& changes) {
    for (const auto& one : changes) {
      const auto known =
          std::find_if(list.begin(), list.end(), [&](const auto& other) { return other.name == one.name; });
      if (known == list.end())
        list.push_back(one);
      else
        *known = merged(*known, one);
    }
  };
  change(kind.sizes, own.sizes);
  change(kind.buffers, own.buffers);
  change(kind.scalars, own.scalars);
  if (!own.order.empty()) kind.order = own.order;
  if (!own.check.empty() || !own.like.empty() || !own.none.empty())
    kind.check = own.check, kind.like = own.like, kind.none = own.none;
  if (own.tolerance) kind.tolerance = own.tolerance;
  if (!own.operations.text.empty()) kind.operations = own.operations;
  kind.line = own.line;
  kind.identity += own.identity;
  return kind;
}

// What a kernel file's problem is: its own table, that of a kind, or the one with changes of the other.
Result<ProblemText> text_of(const catalog::KernelSpec& spec) {
  if (spec.own != nullptr && spec.own->kind.empty()) return *spec.own;
  const std::string name = spec.own != nullptr ? spec.own->kind : spec.problem;
  const KindText* kind = find_kind_text(name);
  if (kind == nullptr) {
    std::vector<std::string_view> names;
    for (const KindText& one : kind_texts()) names.push_back(one.name);
    return Error{fmt::format("there is no kind {}", name),
                 fmt::format("choose one of {}", fmt::join(names, ", ")),
                 {spec.path, spec.problem_line, 0}};
  }
  auto text = catalog::parse_problem(kind->problem);
  if (!text) return text;
  text->kind = name;
  forget_lines(*text, spec.problem_line);
  return spec.own != nullptr ? with_changes(*std::move(text), *spec.own) : text;
}

class Understanding {
 public:
  Understanding(const catalog::KernelSpec& spec, ProblemText text, const Values& parameters) : spec_(spec) {
    shape_->text = std::move(text);
    shape_->file = spec.path;
    shape_->maps = spec.maps;
    shape_->parameters = catalog::default_values(spec);
    for (const auto& [name, value] : parameters)
      if (auto own = shape_->parameters.find(name); own != shape_->parameters.end()) own->second = value;
  }

  Result<std::shared_ptr<const OwnShape>> understand() {
    const ProblemText& text = shape_->text;
    const auto kernels = source::kernel_signatures(spec_.code, folder_of(spec_));
    for (const auto& size : text.sizes) shape_->numbers.push_back(size.name);
    for (const auto& [name, value] : shape_->parameters) shape_->numbers.push_back(name);
    for (const auto& scalar : text.scalars) shape_->numbers.push_back(scalar.name);
    for (std::size_t b = 0; b < text.buffers.size(); ++b)
      shape_->numbers.push_back(fmt::format("COLUMNS_{}", b));
    source::KernelSignature chosen = kernels.empty() ? source::KernelSignature() : kernels.back();
    const std::size_t less = std::min(spec_.kernel.find('<'), spec_.kernel.size());
    for (const auto& one : kernels)
      if (!spec_.kernel.empty() && one.name == spec_.kernel.substr(0, less)) chosen = one;
    if (less < spec_.kernel.size())
      chosen =
          source::with_arguments(chosen, spec_.kernel.substr(less + 1, spec_.kernel.rfind('>') - less - 1));
    shape_->kernel = with_struct_members(std::move(chosen));
    const source::KernelSignature* kernel = kernels.empty() ? nullptr : &shape_->kernel;
    find_outputs(kernel);
    auto binding = bind_arguments(shape_->text, kernel, shape_->maps);
    if (!binding)
      return placed(binding.error(), kernel != nullptr && text.order.empty() ? kernel->line : text.line);
    shape_->binding = *std::move(binding);
    leave_out_unbound();
    stand_in_for_output();
    find_open_scalars();
    read_types();
    read_checks();
    read_fills();
    check_numbers();
    if (error_) return *error_;
    describe();
    return std::shared_ptr<const OwnShape>(shape_);
  }

 private:
  // Structs may be those of a file beside it.
  source::KernelSignature with_struct_members(source::KernelSignature kernel) const {
    if (can_be_run(kernel)) return kernel;
    source::Macros macros = source::macros_of_compiler();
    const HostCode host(spec_.code + "\n" + source::included_text(spec_.code, folder_of(spec_), macros));
    return source::with_members(std::move(kernel), host.structs());
  }
  Error placed(Error error, int line) const {
    error.place = {spec_.path, line, 0};
    return error;
  }
  void fail(Error error, int line) {
    if (!error_) error_ = placed(std::move(error), line);
  }

  // Buffers that the checks name on their left sides; those that the kernel may write where nothing says so.
  void find_outputs(const source::KernelSignature* kernel) {
    auto& buffers = shape_->text.buffers;
    for (BufferText& buffer : buffers)
      for (const auto& check : shape_->text.check) {
        const std::string left = check.text.substr(0, check.text.find('['));
        const std::size_t begin = left.find_first_not_of(" \t");
        if (begin != std::string::npos &&
            left.substr(begin, left.find_last_not_of(" \t") - begin + 1) == buffer.name)
          buffer.is_output = true;
      }
    const auto is_output = [](const BufferText& b) { return b.is_output; };
    if (std::any_of(buffers.begin(), buffers.end(), is_output)) return;
    for (BufferText& buffer : buffers) {
      if (kernel == nullptr) break;
      for (const auto& parameter : kernel->parameters)
        if (parameter.is_pointer && !parameter.is_const && parameter.name == buffer.name)
          buffer.is_output = true;
    }
    if (std::none_of(buffers.begin(), buffers.end(), is_output) && !buffers.empty())
      buffers.back().is_output = true;
  }

  // Outputs that this kernel does not have: then nothing is said of them.
  void leave_out_unbound() {
    using What = BoundArgument::What;
    for (std::size_t b = 0; b < shape_->text.buffers.size(); ++b) {
      BufferText& buffer = shape_->text.buffers[b];
      const auto& bound = shape_->binding.arguments;
      const bool is_bound = std::any_of(bound.begin(), bound.end(), [&](const BoundArgument& a) {
        if (a.what == What::map) return shape_->maps[a.index].of == buffer.name;
        return a.what == What::buffer && a.index == b;
      });
      if (is_bound || !buffer.is_output) continue;
      buffer.is_output = false;
      std::erase_if(shape_->text.check,
                    [&](const catalog::Written& check) { return check.text.starts_with(buffer.name + "["); });
    }
  }

  // Of a kernel that takes no buffer and only prints, or has its data in the file: what runs kernels brings
  // one output back, so there is one that nobody touches.
  void stand_in_for_output() {
    if (!shape_->text.buffers.empty()) return;
    BufferText nothing;
    nothing.name = "nothing", nothing.type = "int", nothing.count.text = "1", nothing.is_output = true;
    nothing.fill.text = "zero";
    shape_->text.buffers.push_back(nothing);
    shape_->numbers.push_back("COLUMNS_0");
  }

  // The file's own types; where it gives none, those of the kernel.
  void read_types() {
    for (std::size_t b = 0; b < shape_->text.buffers.size(); ++b) {
      const BufferText& text = shape_->text.buffers[b];
      OwnBuffer buffer;
      buffer.is_output = text.is_output;
      const auto bound = std::find_if(
          shape_->binding.arguments.begin(), shape_->binding.arguments.end(),
          [&](const BoundArgument& a) { return a.what == BoundArgument::What::buffer && a.index == b; });
      const bool is_bound = bound != shape_->binding.arguments.end();
      const auto type = source::read_type(text.type);
      if (type && is_bound && !bound->is_open && type->base != bound->type)
        fail({fmt::format("{} is {} in [problem] and {} in the kernel", text.name, type->base, bound->type),
              "make them the same, or leave the type out of [problem]"},
             text.line);
      buffer.parts = text.parts * (type ? type->parts : 1);
      buffer.type = element_type(type ? type->base : is_bound ? bound->type : std::string("float"));
      shape_->buffers.push_back(std::move(buffer));
    }
  }

  ElementNames names_before(std::size_t buffers, std::vector<std::string> indices) const {
    ElementNames names;
    for (std::size_t b = 0; b < buffers; ++b)
      names.buffers.push_back({shape_->text.buffers[b].name, !shape_->text.buffers[b].shape.empty()});
    names.numbers = shape_->numbers;
    names.indices = std::move(indices);
    return names;
  }

  void read_checks() {
    const std::size_t count = shape_->text.buffers.size();
    for (const auto& [text, line] : shape_->text.check) {
      auto check = ElementCheck::parse(text, names_before(count, {}));
      if (check && !check->is_value) check = truth(text, line);
      if (!check) return fail(check.error(), line);
      const auto output = static_cast<std::size_t>(check->output);
      if (check->is_value && (check->right.read[output] & 1) != 0) {
        const std::string& name = shape_->text.buffers[output].name;
        return fail({fmt::format("\"{}\" says what {} is by what it is", text, name),
                     fmt::format("write old({})[i] for what it held before the kernel ran", name)},
                    line);
      }
      shape_->checks.push_back(*std::move(check));
    }
  }

  // Of every element of the first output that it reads.
  Result<ElementCheck> truth(const std::string& text, int) const {
    const std::size_t count = shape_->text.buffers.size();
    auto check = ElementCheck::parse(text, names_before(count, {}));
    if (!check) return check;
    for (std::size_t b = 0; b < count; ++b) {
      if (!shape_->buffers[b].is_output || (check->right.read[b] & 1) == 0) continue;
      check = ElementCheck::parse(by_place(text, b), names_before(count, {}));
      if (check) check->output = static_cast<int>(b);
      if (check) check->right.text = text;
      return check;
    }
    return Error{fmt::format("\"{}\" looks at no output", text),
                 "write out[i] == ..., or mark the buffer that the kernel writes: output = true"};
  }

  bool is_of_kind(const std::string& name) const {
    if (shape_->text.kind.empty()) return false;
    return spec_.own == nullptr ||
           std::none_of(spec_.own->buffers.begin(), spec_.own->buffers.end(),
                        [&](const BufferText& own) { return own.name == name && !own.fill.text.empty(); });
  }

  void read_gaps(std::size_t b) {
    const auto& [text, line] = shape_->text.buffers[b].gaps;
    if (text.empty()) return;
    auto gaps = ElementExpression::parse(by_place(text, b), names_before(b, {"i"}));
    if (!gaps) return fail(gaps.error(), line);
    shape_->buffers[b].gaps = *std::move(gaps);
  }

  void find_open_scalars() {
    using What = BoundArgument::What;
    for (std::size_t s = 0; s < shape_->text.scalars.size(); ++s) {
      const std::string& name = shape_->text.scalars[s].name;
      const auto& bound = shape_->binding.arguments;
      const bool is_taken = std::any_of(bound.begin(), bound.end(), [&](const BoundArgument& a) {
        return a.what == What::scalar && a.index == s;
      });
      for (const auto& check : shape_->text.check)
        shape_->has_open_scalar |= !is_taken && replaced(check.text, name, "") != check.text;
    }
  }

  void read_fills() {
    for (std::size_t b = 0; b < shape_->text.buffers.size(); ++b) {
      const auto& [text, line] = shape_->text.buffers[b].fill;
      OwnBuffer& buffer = shape_->buffers[b];
      buffer.is_random = text == "random" || (text.empty() && !buffer.is_output);
      buffer.is_of_kind = is_of_kind(shape_->text.buffers[b].name);
      read_gaps(b);
      if (text.empty() || buffer.is_random) continue;
      const auto known = std::find_if(std::begin(kFills), std::end(kFills),
                                      [&, &text = text](const Fill& f) { return f.name == text; });
      const std::string words = known == std::end(kFills) ? text : std::string(known->expression);
      ElementNames names = names_before(b, {"i"});
      names.beside =
          "; fills are random, zero, ones, index, identity, or expressions over i, row and column such as "
          "random(0, 256)";
      auto fill = ElementExpression::parse(by_place(words, b), names);
      if (!fill) {
        Error error = fill.error();
        error.message = fmt::format("the fill of {}: {}", shape_->text.buffers[b].name, error.message);
        return fail(std::move(error), line);
      }
      buffer.fill = *std::move(fill);
    }
  }

  // Counts, shapes, scalars and operations: what no size gives a value is told before anything runs.
  void check_numbers() {
    Values sizes;
    for (const auto& size : shape_->text.sizes) sizes[size.name] = size.value;
    for (const auto& scalar : shape_->text.scalars) check_number(scalar.value.text, sizes, scalar.value.line);
    for (const auto& buffer : shape_->text.buffers) {
      for (const auto* number : {&buffer.count, &buffer.first})
        if (!number->text.empty()) check_number(number->text, sizes, number->line);
      for (const auto& edge : buffer.shape) check_number(edge.text, sizes, edge.line);
    }
    if (!shape_->text.operations.text.empty())
      check_number(shape_->text.operations.text, sizes, shape_->text.operations.line);
  }

  void check_number(const std::string& text, const Values& sizes, int line) {
    catalog::Scope scope;
    for (const auto& [name, value] : sizes) scope.set(name, value);
    for (const auto& [name, value] : shape_->parameters) scope.set(name, value);
    for (const auto& scalar : shape_->text.scalars) scope.set(scalar.name, 1);
    if (const auto compiled = catalog::Expression::compile(text, scope); !compiled)
      return fail(compiled.error(), line);
  }

  void describe() {
    shape_->name = spec_.problem;
    shape_->like = shape_->text.like;
    shape_->key = shape_->text.identity + shape_->file;
    for (const auto& [name, value] : shape_->parameters) shape_->key += fmt::format(" {}={}", name, value);
    for (const BoundArgument& argument : shape_->binding.arguments) {
      std::string& words = shape_->signature;
      if (!words.empty()) words += ", ";
      if (argument.what == BoundArgument::What::map) {
        words += "const CUtensorMap " + shape_->maps[argument.index].name;
        continue;
      }
      const std::string_view type = name_of(element_type(argument.type));
      if (argument.what == BoundArgument::What::buffer) {
        const OwnBuffer& buffer = shape_->buffers[argument.index];
        words += fmt::format("{}{}* {}", buffer.is_output ? "" : "const ", type,
                             shape_->text.buffers[argument.index].name);
      } else {
        words += fmt::format("{} {}", type,
                             argument.what == BoundArgument::What::size
                                 ? shape_->text.sizes[argument.index].name
                                 : shape_->text.scalars[argument.index].name);
      }
    }
  }

  const catalog::KernelSpec& spec_;
  std::shared_ptr<OwnShape> shape_ = std::make_shared<OwnShape>();
  std::optional<Error> error_;
};

Buffer buffer_of(const OwnShape& shape, std::size_t b, const Values& sizes) {
  const BufferText& text = shape.text.buffers[b];
  const OwnBuffer& own = shape.buffers[b];
  std::size_t rows = 1, columns = 0;
  if (text.shape.empty()) {
    columns = whole(shape.number(text.count.text, sizes));
  } else {
    rows = whole(shape.number(text.shape[0].text, sizes));
    columns = whole(shape.number(text.shape[1].text, sizes));
  }
  columns *= static_cast<std::size_t>(own.parts);
  Buffer buffer = matrix(text.name, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns));
  buffer.type = own.type;
  if (!text.shape.empty() && !text.count.text.empty())
    buffer.elements = whole(shape.number(text.count.text, sizes)) * static_cast<std::size_t>(own.parts);
  buffer.is_output = own.is_output;
  const std::string& fill = own.fill ? own.fill->text : text.fill.text;
  buffer.starts_at_zero = own.is_output && fill == "0";
  buffer.starts_filled = own.is_output && !fill.empty() && fill != "0";
  return buffer;
}

Status accepts(const OwnShape& shape, const Values& sizes) {
  for (std::size_t b = 0; b < shape.buffers.size(); ++b) {
    const BufferText& text = shape.text.buffers[b];
    std::vector<catalog::Written> edges = text.shape;
    if (!text.count.text.empty()) edges.push_back(text.count);
    for (const auto& edge : edges) {
      const double value = shape.number(edge.text, sizes);
      if (value >= 1 && value == std::floor(value)) continue;
      return Error{fmt::format("the buffer {} would have {} = {} elements", text.name, edge.text,
                               catalog::format_value(value)),
                   "make that a whole number from 1 up, with ceil_div or max(1, ...)",
                   {shape.file, edge.line, 0}};
    }
    const Buffer buffer = buffer_of(shape, b, sizes);
    if (bytes_before(shape, b, sizes) > buffer.elements * size_in_bytes(buffer.type))
      return Error{fmt::format("the kernel's pointer to {} is of element {}, and {} has {}", text.name,
                               text.first.text, text.name, buffer.elements),
                   "give an element of it: first = \"1\"",
                   {shape.file, text.first.line, 0}};
  }
  if (const Status maps = accepts_maps(shape, layout_of(shape, sizes)); !maps) return maps;
  if (!shape.binding.is_square) return Done{};
  for (const auto& [name, value] : sizes)
    if (value != sizes.begin()->second)
      return Error{"the kernel has one size for all, and these differ",
                   "give one number, such as --size 512"};
  return Done{};
}

// Of the kind that a file names for its own problem. Where it names none a bound has to hold if they are.
bool has_multiply_adds_of(const std::string& kind) {
  if (kind.empty()) return true;
  if (const KindText* text = find_kind_text(kind)) return text->multiply_adds;
  const auto found = find_problem(kind);
  return found && (*found)->has_multiply_adds();
}

}  // namespace

double OwnShape::number(const std::string& words, const Values& sizes) const {
  catalog::Scope scope;
  for (const auto& [size, value] : sizes) scope.set(size, value);
  for (const auto& [parameter, value] : parameters) scope.set(parameter, value);
  for (const auto& scalar : text.scalars) {
    double value = 0;
    const auto [end, code] =
        std::from_chars(scalar.value.text.data(), scalar.value.text.data() + scalar.value.text.size(), value);
    if (code == std::errc() && value == std::floor(value))
      scope.set(scalar.name, static_cast<std::int64_t>(value));
  }
  const auto expression = catalog::Expression::compile(words, scope);
  return expression ? expression->evaluate() : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> OwnShape::values_of(const Values& sizes) const {
  std::vector<double> values;
  for (const auto& size : text.sizes) values.push_back(static_cast<double>(sizes.at(size.name)));
  for (const auto& [parameter, value] : parameters) values.push_back(static_cast<double>(value));
  for (const auto& scalar : text.scalars) values.push_back(number(scalar.value.text, sizes));
  for (std::size_t b = 0; b < buffers.size(); ++b)
    values.push_back(static_cast<double>(buffer_of(*this, b, sizes).shape.columns));
  return values;
}

Layout layout_of(const OwnShape& shape, const Values& sizes) {
  Layout layout;
  for (std::size_t b = 0; b < shape.buffers.size(); ++b) layout.buffers.push_back(buffer_of(shape, b, sizes));
  layout.arguments = arguments_of(shape, layout.buffers, sizes);
  return layout;
}

Result<std::shared_ptr<const OwnShape>> understand(const catalog::KernelSpec& spec,
                                                   const Values& parameters) {
  auto text = text_of(spec);
  if (!text) return text.error();
  return Understanding(spec, *std::move(text), parameters).understand();
}

bool has_signature(const catalog::KernelSpec& spec, std::string_view signature) {
  auto own = source::kernel_signatures(spec.code, folder_of(spec));
  const std::string kernel = spec.kernel.substr(0, spec.kernel.find('<'));
  if (!kernel.empty()) std::erase_if(own, [&](const auto& other) { return other.name != kernel; });
  const auto wanted = source::kernel_signatures(fmt::format("__global__ void kernel({}) {{}}", signature));
  if (own.size() != 1 || wanted.size() != 1) return true;  // what is wrong is said when it is run
  // Of a guess nobody said that (in, out, width, height) are (in, out, rows, columns).
  const bool is_guessed = !spec.guessed.empty();
  const auto same = [&](const source::KernelParameter& a, const source::KernelParameter& b) {
    const bool is_known = a.name == b.name || (a.is_const == b.is_const && (a.is_pointer || !is_guessed));
    return a.type == b.type && a.is_pointer == b.is_pointer && is_known;
  };
  return std::equal(own[0].parameters.begin(), own[0].parameters.end(), wanted[0].parameters.begin(),
                    wanted[0].parameters.end(), same);
}

Result<SharedProblem> make_own_problem(const catalog::KernelSpec& spec, const Values& parameters) {
  auto understood = understand(spec, parameters);
  if (!understood) return understood.error();
  const std::shared_ptr<const OwnShape> shape = *understood;
  Kind kind{.name = shape->name,
            .signature = shape->signature,
            .sizes = {},
            .layout = [shape](const Values& sizes) { return layout_of(*shape, sizes); },
            .instance = [shape](Request request) { return make_own_instance(shape, std::move(request)); },
            .multiply_adds = has_multiply_adds_of(shape->text.kind),
            .key = shape->key,
            .like = shape->like,
            .has_one_size = shape->binding.is_square,
            .has_gaps = std::any_of(shape->buffers.begin(), shape->buffers.end(),
                                    [](const OwnBuffer& buffer) { return buffer.gaps.has_value(); }),
            .accepts = [shape](const Values& sizes) { return accepts(*shape, sizes); }};
  for (const auto& size : shape->text.sizes) kind.sizes.push_back({size.name, size.value});
  return make_problem(std::move(kind));
}

}  // namespace warplens::problem
