#include "engine/ptx/reader.hpp"
#include "engine/ptx/specials.hpp"

namespace warplens::ptx {
namespace {

Type twice(Type type) {
  switch (type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      return type;
  }
}

Type bits_type(int bytes) {
  switch (bytes) {
    case 1:
      return Type::b8;
    case 2:
      return Type::b16;
    case 4:
      return Type::b32;
    default:
      return Type::b64;
  }
}

// The type that a letter of the grammar gives its operand; none: any.
Type letter_type(char letter, const Instruction& in) {
  switch (letter) {
    case 't':
    case 'r':
      return in.source_type != Type::none ? in.source_type : in.type;
    case 'w':
    case 'W':
      return in.part == MulPart::wide ? twice(in.type) : in.type;
    case 'u':
    case 'D':
    case 'U':
      return Type::u32;
    case 'h':
      return Type::u16;
    case 'p':
    case 'q':
      return Type::pred;
    case 'a':
      return Type::u64;
    case 'x':
    case 'X':
      return Type::none;
    default:
      return in.type;
  }
}

bool writes(char letter) { return std::string_view("dwDqekvx").find(letter) != std::string_view::npos; }
// Registers wider than the type are allowed. PTX ISA 9.4.1 "Operand Size Exceeding Instruction-Type Size".
bool relaxed(char letter) { return std::string_view("ervV").find(letter) != std::string_view::npos; }
bool takes_vector(char letter) { return std::string_view("kKvVxX").find(letter) != std::string_view::npos; }

bool digits_tail(std::string_view name, std::string_view& prefix, std::uint32_t& number) {
  std::size_t begin = name.size();
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  const std::size_t digits = name.size() - begin;
  if (begin == 0 || digits == 0 || digits > 7 || (digits > 1 && name[begin] == '0')) return false;
  number = 0;
  for (std::size_t i = begin; i < name.size(); ++i)
    number = 10 * number + static_cast<std::uint32_t>(name[i] - '0');
  prefix = name.substr(0, begin);
  return true;
}

}  // namespace

// The registers of a range %r<N> come into being when they are first named: a declaration costs nothing.
const Name* Reader::find_register(std::string_view name) {
  const Name* known = names_.find(name);
  // An inner range hides an outer register of the same name; inner ranges are rare.
  if (known != nullptr && nested_ranges_ == 0) return known;
  std::string_view prefix;
  std::uint32_t number = 0;
  if (!digits_tail(name, prefix, number)) return known;
  const Name* range =
      ranges_.find_if(prefix, [&](const Name& each) { return number < range_counts_[each.id]; });
  if (range == nullptr) return known;
  if (known != nullptr && scopes_.depth(known->scope) >= scopes_.depth(range->scope)) return known;
  const auto id = static_cast<std::uint32_t>(function_->registers.size());
  function_->registers.push_back({std::string(name), range_types_[range->id]});
  names_.add(name, {Name::Kind::reg, id, range->scope});
  return names_.find(name);
}

// Operands up to the semicolon. pair: the first two were written d|p.
bool Reader::read_operands(bool& pair) {
  raw_count_ = element_count_ = 0;
  if (lexer_.peek().is(';')) return true;
  do {
    if (raw_count_ == raws_.size())
      return fail(line_, "more operands than any instruction has", "check the commas and the semicolon");
    if (!read_operand(raws_[raw_count_++], false)) return false;
    if (raw_count_ == 1 && lexer_.take('|')) {
      pair = true;
      if (!read_operand(raws_[raw_count_++], false)) return false;
    }
  } while (lexer_.take(','));
  return lexer_.peek().is(';') || expected("',' or ';'");
}

bool Reader::read_operand(Raw& raw, bool inside_vector) {
  raw.operand.elements.clear();
  raw.operand = Operand{};
  raw.register_type = Type::none;
  raw.elements = 0;
  const Token& token = lexer_.peek();
  if (token.kind == Token::Kind::word) return read_name(raw);
  if (token.kind == Token::Kind::number || token.is('-') || token.is('~') || token.is('+')) {
    raw.operand.kind = Operand::Kind::immediate;
    return read_literal(raw.literal);
  }
  if (token.is('[')) return inside_vector ? expected("a register or a constant") : read_memory(raw);
  if (token.is('{')) return inside_vector ? expected("a register or a constant") : read_vector(raw);
  if (lexer_.take('!')) {
    raw.operand.negated = true;
    return lexer_.peek().kind == Token::Kind::word ? read_name(raw) : expected("a predicate");
  }
  return expected("an operand");
}

bool Reader::read_vector(Raw& raw) {
  lexer_.take();
  ++braces_;
  raw.operand.kind = Operand::Kind::vector;
  raw.first_element = static_cast<std::uint16_t>(element_count_);
  do {
    if (element_count_ == elements_.size())
      return fail(line_, "a vector of more than 256 registers", "use fewer");
    if (!read_operand(elements_[element_count_++], true)) return false;
  } while (lexer_.take(','));
  raw.elements = static_cast<std::uint16_t>(element_count_ - raw.first_element);
  if (!expect('}')) return false;
  --braces_;
  return true;
}

bool Reader::read_memory(Raw& raw) {
  lexer_.take();
  if (lexer_.peek().kind == Token::Kind::word) {
    if (!read_name(raw)) return false;
  } else {
    raw.operand.kind = Operand::Kind::immediate;
    if (!read_literal(raw.literal)) return false;
  }
  if (!read_offset(raw.operand.offset) || !read_coordinates(raw)) return false;
  raw.operand.is_memory = true;
  return expect(']');
}

// , {x, y}
bool Reader::read_coordinates(Raw& raw) {
  if (!lexer_.take(',')) return true;
  if (!lexer_.peek().is('{')) return expected("coordinates in braces");
  const Operand map = raw.operand;
  if (!read_vector(raw)) return false;
  raw.operand = map;
  return true;
}

// A name, with the +4 that may follow a symbol.
bool Reader::read_name(Raw& raw) {
  const Token token = lexer_.take();
  if (!resolve_name(token, raw)) return false;
  return !lexer_.peek().is('+') || read_offset(raw.operand.offset);
}

bool Reader::resolve_name(const Token& token, Raw& raw) {
  Operand& operand = raw.operand;
  if (token.text == "_") {
    operand.kind = Operand::Kind::sink;
    return true;
  }
  if (const Name* known = find_register(token.text)) {
    switch (known->kind) {
      case Name::Kind::reg:
        operand.kind = Operand::Kind::reg;
        operand.register_id = known->id;
        raw.register_type = function_->registers[known->id].type;
        return true;
      case Name::Kind::variable:
        operand.kind = Operand::Kind::global_symbol;
        break;
      case Name::Kind::local:
        operand.kind = Operand::Kind::local_symbol;
        break;
      case Name::Kind::parameter:
        operand.kind = Operand::Kind::parameter_symbol;
        break;
      case Name::Kind::function:
        operand.kind = Operand::Kind::function;
        break;
      case Name::Kind::branch_table:
        operand.kind = Operand::Kind::label;
        operand.target = known->id;
        return true;
      default:
        return fail(token.line, quoted(token.text) + " is no operand",
                    "use a register, a constant or a variable");
    }
    operand.symbol = known->id;
    return true;
  }
  operand.special = special_of(token.text);
  if (operand.special != Special::none) {
    operand.kind = Operand::Kind::special;
    return true;
  }
  return fail(token.line, "unknown name " + quoted(token.text),
              "declare it before it is used, in this scope or one around it");
}

bool Reader::finish_operands(const Decoded& decoded, bool pair, Instruction& instruction) {
  std::size_t count = raw_count_ - (pair ? 1 : 0);
  if (decoded.cache_policy && count > 0) {
    --count;
    --raw_count_;
  }
  const Form* form = nullptr;
  for (std::size_t i = 0; i < decoded.form_count; ++i)
    if (decoded.forms[i].count == count) form = &decoded.forms[i];
  const std::string name(ptx::name(instruction.opcode));
  if (form == nullptr)
    return fail(line_, name + " with " + std::to_string(count) + " operands",
                "check its form in the PTX ISA");
  if (pair && !form->pair)
    return fail(line_, name + " with a second destination", "remove what follows the '|'");
  std::vector<Operand>& operands = instruction.operands;
  operands.reserve(raw_count_);
  for (std::size_t i = 0, raw = 0; i < count; ++i) {
    const char letter = form->letters[i];
    instruction.destinations += writes(letter);
    if (!finish_operand(raws_[raw++], letter, instruction, operands)) return false;
    if (i != 0 || !pair) continue;
    ++instruction.destinations;
    if (!finish_operand(raws_[raw++], 'q', instruction, operands)) return false;
  }
  return true;
}

bool Reader::finish_operand(Raw& raw, char letter, const Instruction& instruction,
                            std::vector<Operand>& operands) {
  const bool memory = letter == 'm' || letter == 'M';
  bool good = false;
  if (raw.operand.is_memory != memory)
    good =
        fail(line_,
             memory ? "expected an address in brackets" : "an address in brackets that does not belong here",
             "check the instruction's form in the PTX ISA");
  else if (memory)
    good = finish_memory(raw) && finish_coordinates(raw, letter == 'M' ? instruction.dimensions : 0);
  else if (raw.operand.kind == Operand::Kind::vector)
    good = finish_vector(raw, letter, instruction);
  else if ((letter == 'v' || letter == 'V') && instruction.vector > 1)
    good = fail(line_, "expected " + std::to_string(instruction.vector) + " registers in braces",
                "write them as {a, b, ...}");
  else
    good = finish_scalar(raw, letter, letter_type(letter, instruction));
  if (good) operands.push_back(std::move(raw.operand));
  return good;
}

bool Reader::finish_memory(Raw& raw) {
  Operand& operand = raw.operand;
  switch (operand.kind) {
    case Operand::Kind::reg:
      operand.kind = Operand::Kind::address;
      if (size_in_bytes(raw.register_type) >= 4 && size_in_bytes(raw.register_type) <= 8) return true;
      return fail(line_, "an address in a register of another size than 32 or 64 bits",
                  "use a .b32 or .b64 register");
    case Operand::Kind::immediate:
      if (raw.literal.kind != Literal::Kind::integer)
        return fail(line_, "an address that is no integer", "write it in whole bytes");
      operand.bits = raw.literal.bits + static_cast<std::uint64_t>(operand.offset);
      operand.offset = 0;
      return true;
    case Operand::Kind::global_symbol:
    case Operand::Kind::local_symbol:
    case Operand::Kind::parameter_symbol:
      return true;
    default:
      return fail(line_, "an address that is neither register, variable nor constant", "use one of them");
  }
}

bool Reader::finish_coordinates(Raw& raw, std::size_t dimensions) {
  if (raw.elements != dimensions)
    return fail(line_,
                std::to_string(raw.elements) + " coordinates where " + std::to_string(dimensions) + " belong",
                "write one for each dimension of the tensor");
  for (std::size_t i = 0; i < dimensions; ++i) {
    Raw& part = elements_[raw.first_element + i];
    if (!finish_scalar(part, 'u', Type::u32)) return false;
    raw.operand.elements.push_back(std::move(part.operand));
  }
  return true;
}

bool Reader::finish_vector(Raw& raw, char letter, const Instruction& instruction) {
  const std::size_t count = raw.elements;
  if (!takes_vector(letter))
    return fail(line_, "braces where one value belongs", "check the instruction's form in the PTX ISA");
  Type type = letter_type(letter, instruction);
  if (letter == 'k' || letter == 'K') {
    const int bytes = size_in_bytes(type) / static_cast<int>(count);
    if ((count != 2 && count != 4) || bytes < 1)
      return fail(line_, "mov packs 2 or 4 values", "check the number of registers in braces");
    type = bits_type(bytes);
  } else if ((letter == 'v' || letter == 'V') && count != instruction.vector) {
    return fail(line_, std::to_string(count) + " registers for ." + "v" + std::to_string(instruction.vector),
                "write as many as the modifier says");
  }
  // The elements are held to the same rule as an operand of their own: exact for a mov, wider allowed for
  // memory.
  const char element = letter == 'k' ? 'd' : letter == 'K' ? 's' : letter;
  raw.operand.elements.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Raw& part = elements_[raw.first_element + i];
    if (!finish_scalar(part, element, type)) return false;
    raw.operand.elements.push_back(std::move(part.operand));
  }
  return true;
}

bool Reader::finish_scalar(Raw& raw, char letter, Type type) {
  Operand& operand = raw.operand;
  const bool written = writes(letter);
  switch (operand.kind) {
    case Operand::Kind::reg: {
      const bool predicate = raw.register_type == Type::pred;
      const int have = size_in_bytes(raw.register_type), want = size_in_bytes(type);
      bool fits = type == Type::none
                      ? !predicate
                      : predicate == (type == Type::pred) && (relaxed(letter) ? have >= want : have == want);
      if (letter == 'a') fits = have == 4 || have == 8;
      if (letter == 'U') fits = predicate || have == 4;
      if (operand.offset != 0)
        return fail(line_, "a register with an offset outside brackets", "add it first");
      if (operand.negated && !predicate) return fail(line_, "'!' before what is no predicate", "remove it");
      return fits || fail(line_,
                          "a register of type ." + std::string(name(raw.register_type)) + " where ." +
                              std::string(name(type)) + " belongs",
                          "use a register of that size");
    }
    case Operand::Kind::sink:
      return written || fail(line_, "'_' where a value is read", "name a register");
    case Operand::Kind::immediate:
      if (written) break;
      operand.bits = to_bits(raw.literal, type == Type::none ? Type::b32 : type);
      return true;
    case Operand::Kind::label:
      if (letter == 'T') return true;
      break;
    case Operand::Kind::special:
    case Operand::Kind::global_symbol:
    case Operand::Kind::local_symbol:
    case Operand::Kind::parameter_symbol:
    case Operand::Kind::function:
      if (operand.special == Special::is_explicit_cluster && type == Type::pred && !written) return true;
      if (written || type == Type::pred || letter == 'T') break;
      return !operand.negated || fail(line_, "'!' before what is no predicate", "remove it");
    default:
      break;
  }
  return fail(line_, written ? "a destination that is no register" : "an operand of the wrong kind",
              "check the instruction's form in the PTX ISA");
}

}  // namespace warplens::ptx
