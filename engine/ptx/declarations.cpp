#include <cstring>

#include "engine/base/round_up.hpp"
#include "engine/ptx/reader.hpp"

namespace warplens::ptx {
namespace {

// The most bytes one variable may have, by state space: CUDA C++ Programming Guide, "Technical Specifications
// per Compute Capability" (constant, local, parameters); global and shared beyond any device.
struct SizeRow {
  Space space;
  std::uint64_t most;
};
constexpr SizeRow kSizes[] = {
    {Space::global, std::uint64_t{1} << 38},
    {Space::shared, 1 << 20},
    {Space::local, 512 << 10},
    {Space::constant, 64 << 10},
    {Space::param, 32764},
};

std::uint64_t most_bytes(Space space) {
  for (const SizeRow& row : kSizes)
    if (row.space == space) return row.most;
  return 0;
}

constexpr std::uint32_t kMostAlignment = 1 << 16;

}  // namespace

bool Reader::declare(std::string_view name, Name::Kind kind, std::uint32_t id, int line) {
  const Name* known = names_.find(name);
  if (known != nullptr && known->scope == scopes_.current())
    return fail(line, quoted(name) + " is declared twice in one scope", "rename one of them");
  names_.add(name, {kind, id, scopes_.current()});
  return true;
}

bool Reader::read_alignment(std::uint32_t& alignment) {
  std::uint64_t value = 0;
  if (!read_integer(value, "an alignment")) return false;
  if (value == 0 || value > kMostAlignment || (value & (value - 1)) != 0)
    return fail(line_, "bad alignment " + std::to_string(value), "use a power of two up to 65536");
  alignment = static_cast<std::uint32_t>(value);
  return true;
}

// {.align N} {.vN} .type {.ptr {.space} {.align N}}
bool Reader::read_qualifiers(Declared& declared) {
  Variable& variable = declared.variable;
  variable.type = Type::none;
  std::uint32_t alignment = 0, pointee = 0;
  Space space;
  for (bool pointer = false; lexer_.peek().kind == Token::Kind::directive;) {
    const std::string_view word = lexer_.take().text;
    if (word == ".align") {
      if (!read_alignment(pointer ? pointee : alignment)) return false;
    } else if (word == ".ptr") {
      pointer = true;
    } else if (word == ".v2" || word == ".v4" || word == ".v8") {
      declared.vector = static_cast<std::uint8_t>(word[2] - '0');
    } else if (word == ".attribute") {
      if (!expect('(')) return false;
      while (!lexer_.peek().is(')') && !lexer_.peek().is(';') && lexer_.peek().kind != Token::Kind::end)
        lexer_.take();
      if (!expect(')')) return false;
    } else if (variable.type == Type::none && type_of(word) != Type::none &&
               size_in_bytes(type_of(word)) > 0) {
      variable.type = type_of(word);
    } else if (!pointer || !space_of(word, space)) {
      return fail(line_, "unknown word " + quoted(word) + " in a declaration",
                  "declare it as .align N .type name[size]");
    }
  }
  if (variable.type == Type::none)
    return fail(line_, "a declaration without a type", "add one, such as .b8 or .u32");
  declared.element_bytes = static_cast<std::uint64_t>(size_in_bytes(variable.type)) * declared.vector;
  variable.alignment = alignment != 0 ? alignment : static_cast<std::uint32_t>(declared.element_bytes);
  return true;
}

// name {[N]...}
bool Reader::read_declarator(Declared& declared) {
  declared.line = lexer_.peek().line;
  if (!read_word(declared.name, "a name")) return false;
  declared.variable.name = declared.name;
  return read_dimensions(declared) && check_size(declared);
}

bool Reader::read_dimensions(Declared& declared) {
  std::array<std::uint64_t, 8> extents{};
  while (lexer_.take('[')) {
    if (declared.dimensions == extents.size())
      return fail(line_, "an array of more than 8 dimensions", "flatten it");
    std::uint64_t& extent = extents[declared.dimensions];
    if (declared.dimensions == 0 && lexer_.peek().is(']'))
      declared.unsized = true;
    else if (!read_integer(extent, "an array's size"))
      return false;
    if (extent > std::uint64_t{1} << 40)
      return fail(line_, "an array of " + std::to_string(extent) + " elements", "make it smaller");
    ++declared.dimensions;
    if (!expect(']')) return false;
  }
  std::uint64_t count = 1;
  for (std::size_t i = declared.dimensions; i-- > 0;) {
    declared.strides[i] = count;
    if (__builtin_mul_overflow(count, extents[i], &count))
      return fail(line_, "an array too large to count", "make it smaller");
  }
  if (__builtin_mul_overflow(count, declared.element_bytes, &declared.variable.size))
    return fail(line_, "an array too large to count", "make it smaller");
  return true;
}

bool Reader::check_size(const Declared& declared) {
  const std::uint64_t most = most_bytes(declared.variable.space);
  if (declared.variable.size <= most) return true;
  return fail(declared.line,
              quoted(declared.name) + " has " + std::to_string(declared.variable.size) + " bytes",
              "its memory has room for " + std::to_string(most) + " at most, make it smaller");
}

bool Reader::read_variables(Space space, Linkage linkage) {
  Declared common;
  common.variable.space = space;
  common.variable.external = linkage.external;
  if (!read_qualifiers(common)) return false;
  do {
    Declared declared = common;
    if (!read_declarator(declared)) return false;
    if (lexer_.take('=') && !read_initialiser(declared)) return false;
    if (declared.unsized && declared.variable.initial.empty() && !linkage.external)
      return fail(declared.line, quoted(declared.name) + " has no size",
                  "write it in brackets, or declare it .extern");
    if (!add_variable(std::move(declared), linkage)) return false;
  } while (lexer_.take(','));
  return expect(';');
}

bool Reader::add_variable(Declared&& declared, Linkage linkage) {
  const Space space = declared.variable.space;
  const bool local = function_ != nullptr && space != Space::global && space != Space::constant;
  if (!local && (space == Space::local || space == Space::param))
    return fail(declared.line, quoted(declared.name) + " stands outside any function",
                "move it into the function that uses it");
  std::vector<Variable>& variables = local ? function_->variables : program_.variables;
  const Name* known = names_.find(declared.name);
  if (known != nullptr && known->kind == Name::Kind::variable && known->scope == scopes_.current() &&
      !local) {
    // An extern declaration and the definition, in either order, are one variable.
    Variable& before = program_.variables[known->id];
    if (linkage.external) return true;
    if (!before.external)
      return fail(declared.line, quoted(declared.name) + " is defined twice", "rename one of them");
    before = std::move(declared.variable);
    return true;
  }
  const auto id = static_cast<std::uint32_t>(variables.size());
  if (!declare(declared.name, local ? Name::Kind::local : Name::Kind::variable, id, declared.line))
    return false;
  variables.push_back(std::move(declared.variable));
  return true;
}

bool Reader::read_initialiser(Declared& declared) {
  Variable& variable = declared.variable;
  if (variable.space != Space::global && variable.space != Space::constant)
    return fail(declared.line, quoted(declared.name) + " cannot have an initial value",
                "only .global and .const variables have one");
  if (initial_bytes_ + variable.size > kMostInitial)
    return fail(declared.line, "initial values of more than 64 MiB",
                "fill " + quoted(declared.name) + " from the kernel instead");
  variable.initial.resize(static_cast<std::size_t>(variable.size));
  const bool good = lexer_.peek().is('{') ? read_values(declared) : read_value(declared, 0);
  if (declared.unsized) {
    variable.initial.resize(
        static_cast<std::size_t>(round_up(variable.initial.size(), declared.element_bytes)));
    variable.size = variable.initial.size();
  }
  initial_bytes_ += variable.initial.size();
  for (const Relocation& relocation : variable.relocations)
    if (relocation.offset + 8 > variable.size)
      return fail(declared.line, "an address that does not fit", "give it eight bytes");
  return good;
}

// {1, 2, {3, 4}}: a closed inner brace leaves the rest of its row zero. Elements are counted in scalars.
bool Reader::read_values(Declared& declared) {
  std::uint64_t element = 0;
  std::array<std::uint64_t, 10> starts{};
  std::size_t depth = 0;
  const std::size_t deepest = declared.dimensions + (declared.vector > 1 ? 1 : 0);
  do {
    while (lexer_.take('{')) {
      ++braces_;
      if (depth >= deepest)
        return fail(line_, "too many braces in the values of " + quoted(declared.name),
                    "use one a dimension");
      starts[depth++] = element;
    }
    if (!lexer_.peek().is('}')) {
      if (!read_value(declared, element)) return false;
      ++element;
    }
    while (depth > 0 && lexer_.take('}')) {
      --braces_;
      --depth;
      if (depth == 0) return true;
      const std::uint64_t row =
          depth <= declared.dimensions ? declared.strides[depth - 1] * declared.vector : declared.vector;
      if (element > starts[depth] + row)
        return fail(line_, "too many values in a row of " + quoted(declared.name), "remove some");
      element = starts[depth] + row;
    }
  } while (lexer_.take(','));
  return expected("'}'");
}

bool Reader::read_value(Declared& declared, std::uint64_t element) {
  Variable& variable = declared.variable;
  const int width = size_in_bytes(variable.type);
  const std::uint64_t offset = element * static_cast<std::uint64_t>(width);
  if (declared.unsized && variable.initial.size() < kMostInitial && variable.initial.size() < offset + width)
    variable.initial.resize(static_cast<std::size_t>(offset + width));
  if (offset + width > variable.initial.size())
    return fail(line_, "more values than " + quoted(declared.name) + " has elements",
                "remove some, or make it larger");
  if (lexer_.peek().kind == Token::Kind::word) return read_address_value(declared, offset, width, 0);
  Literal literal;
  if (!read_literal(literal)) return false;
  if (lexer_.peek().is('(')) return read_address_value(declared, offset, width, literal.bits);
  const std::uint64_t bits = to_bits(literal, variable.type);
  std::memcpy(variable.initial.data() + offset, &bits, static_cast<std::size_t>(std::min(width, 8)));
  return true;
}

// symbol+4, generic(symbol)+4, or one byte of either: 0xFF00(generic(symbol)+4). PTX ISA 5.4.4
// "Initializers".
bool Reader::read_address_value(Declared& declared, std::uint64_t offset, int width, std::uint64_t mask) {
  if (mask != 0 && !expect('(')) return false;
  std::string_view word;
  if (!read_word(word, "a variable or function")) return false;
  Relocation relocation;
  relocation.generic = word == "generic" && lexer_.take('(');
  if (relocation.generic && !read_word(word, "a variable")) return false;
  if (relocation.generic && !expect(')')) return false;
  if (!read_offset(relocation.addend)) return false;
  if (mask != 0 && !expect(')')) return false;
  const Name* known = names_.find(word);
  if (known == nullptr || (known->kind != Name::Kind::variable && known->kind != Name::Kind::function))
    return fail(line_, "unknown name " + quoted(word) + " in a value", "declare it before it is used");
  relocation.symbol = known->id;
  relocation.function = known->kind == Name::Kind::function;
  relocation.offset = offset;
  std::vector<Relocation>& all = declared.variable.relocations;
  if (mask == 0 && width != 8)
    return fail(line_, "an address in " + std::to_string(width) + " bytes", "make the element .u64");
  if (mask > 0xFF) {
    // The eight bytes of one address follow each other, lowest first: the first represents all.
    const int byte = 63 - __builtin_clzll(mask);
    const bool follows = width == 1 && byte % 8 == 7 && mask == std::uint64_t{0xFF} << (byte - 7) &&
                         !all.empty() && all.back().offset + static_cast<std::uint64_t>(byte / 8) == offset &&
                         all.back().symbol == relocation.symbol;
    return follows || fail(line_, "a byte of an address without those before it", "write the whole address");
  }
  if (mask != 0 && (mask != 0xFF || width != 1))
    return fail(line_, "a mask that is not a byte", "use 0xFF, 0xFF00, ...");
  all.push_back(relocation);
  return true;
}

// .reg .type name<N>, name, ...
bool Reader::read_registers() {
  if (lexer_.peek().kind != Token::Kind::directive) return expected("the registers' type");
  const std::string_view word = lexer_.take().text;
  const Type type = type_of(word);
  if (type == Type::none)
    return fail(line_, "unknown register type " + quoted(word), "use one such as .b32, .f32 or .pred");
  do {
    const int line = lexer_.peek().line;
    std::string_view name;
    if (!read_word(name, "a register's name")) return false;
    if (!lexer_.take('<')) {
      const auto id = static_cast<std::uint32_t>(function_->registers.size());
      if (!declare(name, Name::Kind::reg, id, line)) return false;
      function_->registers.push_back({std::string(name), type});
      continue;
    }
    std::uint64_t count = 0;
    if (!read_integer(count, "the number of registers") || !expect('>')) return false;
    if (count > kMostInRange)
      return fail(line, std::to_string(count) + " registers " + quoted(name),
                  "declare at most " + std::to_string(kMostInRange));
    const Name* known = ranges_.find(name);
    if (known != nullptr && known->scope == scopes_.current())
      return fail(line, "the registers " + quoted(name) + " are declared twice in one scope",
                  "declare them once, with the larger number");
    ranges_.add(name,
                {Name::Kind::range, static_cast<std::uint32_t>(range_types_.size()), scopes_.current()});
    range_types_.push_back(type);
    range_counts_.push_back(static_cast<std::uint32_t>(count));
    ++code_scopes_.back().ranges;
    if (code_scopes_.size() > 1) ++nested_ranges_;
  } while (lexer_.take(','));
  return expect(';');
}

}  // namespace warplens::ptx
