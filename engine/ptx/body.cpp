#include "engine/ptx/reader.hpp"

namespace warplens::ptx {

void Reader::read_body(std::uint32_t function_id, const std::vector<std::string_view>& parameters) {
  function_ = &program_.functions[function_id];
  location_ = -1;
  locations_.clear();
  last_place_.clear();
  code_scopes_.clear();
  pending_.clear();
  nested_ranges_ = 0;
  const int first_line = lexer_.take().line;  // '{'
  open_scope();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    declare(parameters[i], Name::Kind::parameter, static_cast<std::uint32_t>(i), first_line);
  while (!code_scopes_.empty() && !full()) {
    line_ = lexer_.peek().line;
    braces_ = 0;
    const Token& token = lexer_.peek();
    if (token.kind == Token::Kind::end) {
      fail(first_line, "the body of " + quoted(function_->name) + " has no closing brace",
           "check that the PTX is complete");
      while (!code_scopes_.empty()) close_scope();
    } else if (lexer_.take('{')) {
      open_scope();
      if (code_scopes_.size() > kDeepest) {
        fail(line_, "braces nested deeper than " + std::to_string(kDeepest), "flatten the scopes");
        while (!code_scopes_.empty()) close_scope();
      }
    } else if (lexer_.take('}')) {
      close_scope();
    } else if (!lexer_.take(';')) {
      if (!(token.kind == Token::Kind::directive ? body_directive() : read_statement())) skip_statement();
    }
  }
  while (!code_scopes_.empty()) close_scope();
  function_ = nullptr;
}

void Reader::open_scope() {
  scopes_.open();
  code_scopes_.push_back({pending_.size(), 0});
}

// Labels belong to their scope; a branch to one that the scope lacks means one of the scope around it. PTX
// ISA 4.4, 11.
void Reader::close_scope() {
  const CodeScope closed = code_scopes_.back();
  code_scopes_.pop_back();
  std::size_t kept = closed.first_pending;
  for (std::size_t i = closed.first_pending; i < pending_.size(); ++i) {
    const PendingLabel& branch = pending_[i];
    const Name* label = labels_.find(branch.name);
    if (label != nullptr && label->scope == scopes_.current()) {
      if (branch.table != StringIndex::kNone)
        function_->branch_tables[branch.table].targets[branch.code] = label->id;
      else
        function_->code[branch.code].operands[0].target = label->id;
    } else if (code_scopes_.empty()) {
      fail(branch.line, "unknown label " + quoted(branch.name),
           "write it in the same function, followed by a colon");
    } else {
      pending_[kept++] = branch;
    }
  }
  pending_.resize(kept);
  if (!code_scopes_.empty()) nested_ranges_ -= closed.ranges;
  scopes_.close();
}

bool Reader::body_directive() {
  const std::string_view word = lexer_.take().text;
  Space space;
  if (word == ".loc") return read_location();
  if (word == ".reg") return read_registers();
  Linkage linkage;
  if (word == ".extern") {
    linkage.external = true;
    if (lexer_.peek().kind == Token::Kind::directive && space_of(lexer_.peek().text, space)) {
      lexer_.take();
      return read_variables(space, linkage);
    }
    return expected("a state space");
  }
  return directive_of_either(word, line_, linkage);
}

std::int32_t Reader::add_location(const SourceLocation& location) {
  const auto [entry, added] =
      locations_.try_emplace(location, static_cast<std::int32_t>(function_->locations.size()));
  if (added) function_->locations.push_back(location);
  SourceLocation place = location;
  place.inlined_at = -1;
  last_place_[place] = entry->second;
  return entry->second;
}

// .loc file line column {, function_name label{+n}, inlined_at file line column}; no semicolon. PTX ISA 11.5.
bool Reader::read_location() {
  const auto read_place = [this](SourceLocation& place) {
    std::uint64_t values[3] = {};
    for (std::uint64_t& value : values) {
      if (!read_integer(value, "a number of .loc")) return false;
      if (value > 0x7FFFFFFF) return fail(line_, "a .loc number beyond 31 bits", "remove the .loc");
    }
    place = {static_cast<int>(values[0]), static_cast<int>(values[1]), static_cast<int>(values[2]), -1};
    return true;
  };
  SourceLocation location;
  if (!read_place(location)) return false;
  while (lexer_.take(',')) {
    std::string_view word, label;
    if (!read_word(word, "'inlined_at'")) return false;
    std::int64_t offset = 0;
    if (word == "function_name") {
      if (!read_word(label, "a label") || !read_offset(offset)) return false;
      continue;
    }
    if (word != "inlined_at")
      return fail(line_, "unknown word " + quoted(word) + " in .loc", "use function_name or inlined_at");
    SourceLocation caller;
    if (!read_place(caller)) return false;
    const auto known = last_place_.find(caller);
    location.inlined_at = known != last_place_.end() ? known->second : add_location(caller);
  }
  // Line 0 says that the instruction belongs to no line.
  location_ = location.line == 0 ? -1 : add_location(location);
  return true;
}

bool Reader::read_statement() {
  Instruction instruction;
  if (lexer_.peek().is('@')) return read_guard(instruction) && read_instruction(instruction);
  if (lexer_.peek().kind != Token::Kind::word) {
    expected("a statement");
    // A stray character must not stop the reader.
    if (!lexer_.peek().is(';')) lexer_.take();
    return false;
  }
  return read_instruction(instruction);
}

// @p, @!p
bool Reader::read_guard(Instruction& instruction) {
  lexer_.take();
  instruction.predicated = true;
  instruction.guard_negated = lexer_.take('!');
  std::string_view word;
  if (!read_word(word, "a predicate")) return false;
  const Name* known = find_register(word);
  if (known == nullptr || known->kind != Name::Kind::reg ||
      function_->registers[known->id].type != Type::pred)
    return fail(line_, quoted(word) + " guards an instruction and is no predicate register",
                "declare it with .reg .pred");
  instruction.guard = known->id;
  return true;
}

const Decoded& Reader::decoded(std::string_view word) {
  std::uint32_t& index = words_[word];
  if (index == StringIndex::kNone) {
    index = static_cast<std::uint32_t>(decoded_.size());
    decoded_.push_back(decode(word));
  }
  return decoded_[index];
}

// name: ...   Labels of debug sections and of code are alike.
bool Reader::read_label(const Token& name) {
  if (lexer_.peek().kind == Token::Kind::directive) {
    const std::string_view word = lexer_.peek().text;
    if (word == ".branchtargets") return read_branch_table(name);
    if (word == ".callprototype" || word == ".calltargets") {
      skip_statement();  // says what an indirect call passes, which the call itself says too
      return declare(name.text, Name::Kind::prototype, 0, name.line);
    }
  }
  const Name* known = labels_.find(name.text);
  if (known != nullptr && known->scope == scopes_.current())
    return fail(name.line, "the label " + quoted(name.text) + " stands twice in one scope",
                "rename one of them");
  labels_.add(name.text,
              {Name::Kind::label, static_cast<std::uint32_t>(function_->code.size()), scopes_.current()});
  return true;
}

// name: .branchtargets label, label, ...;
bool Reader::read_branch_table(const Token& name) {
  lexer_.take();
  const auto table = static_cast<std::uint32_t>(function_->branch_tables.size());
  if (!declare(name.text, Name::Kind::branch_table, table, name.line)) return false;
  std::vector<std::uint32_t>& targets = function_->branch_tables.emplace_back().targets;
  do {
    std::string_view label;
    if (!read_word(label, "a label")) return false;
    pending_.push_back({label, static_cast<std::uint32_t>(targets.size()), table, line_});
    targets.push_back(0);
  } while (lexer_.take(','));
  return expect(';');
}

bool Reader::read_instruction(Instruction& guarded) {
  if (lexer_.peek().kind != Token::Kind::word) return expected("an instruction");
  const Token name = lexer_.take();
  if (lexer_.take(':')) {
    if (guarded.predicated) return fail(name.line, "a guard on a label", "put it on an instruction");
    return read_label(name);
  }
  const Decoded& form = decoded(name.text);
  if (errors_.empty()) left_out_ = form.left_out;
  if (!form.problem.empty()) return fail(name.line, form.problem, form.next_step);
  Instruction instruction = form.prototype;
  instruction.predicated = guarded.predicated;
  instruction.guard_negated = guarded.guard_negated;
  instruction.guard = guarded.guard;
  instruction.ptx_line = name.line;
  instruction.location = location_;
  line_ = name.line;
  if (instruction.opcode == Opcode::bra) {
    if (!read_branch(form, instruction)) return false;
  } else if (instruction.opcode == Opcode::call) {
    if (!read_call(instruction)) return false;
  } else {
    bool pair = false;
    if (!read_operands(pair) || !finish_operands(form, pair, instruction)) return false;
  }
  if (!expect(';')) return false;
  function_->code.push_back(std::move(instruction));
  return true;
}

bool Reader::read_branch(const Decoded&, Instruction& instruction) {
  std::string_view label;
  if (!read_word(label, "a label")) return false;
  if (!lexer_.peek().is(';')) return expected("';'");
  pending_.push_back({label, static_cast<std::uint32_t>(function_->code.size()), StringIndex::kNone, line_});
  instruction.operands.emplace_back().kind = Operand::Kind::label;
  return true;
}

// call {(returns),} function {, (arguments)} {, prototype}
bool Reader::read_call(Instruction& instruction) {
  Operand returns, callee, arguments;
  returns.kind = arguments.kind = Operand::Kind::vector;
  const bool has_returns = lexer_.peek().is('(');
  Lexer at_returns = lexer_;
  if (has_returns) {
    while (!lexer_.peek().is(')') && !lexer_.peek().is(';') && lexer_.peek().kind != Token::Kind::end)
      lexer_.take();
    if (!expect(')') || !expect(',')) return false;
  }
  const Token name = lexer_.peek();
  Raw& raw = raws_[0];
  element_count_ = 0;
  if (!read_operand(raw, true)) return false;
  callee = raw.operand;
  const bool address =
      callee.kind == Operand::Kind::reg && function_->registers[callee.register_id].type != Type::pred;
  if (callee.kind != Operand::Kind::function && !address)
    return fail(line_, quoted(name.text) + " is called and is no function",
                "declare it before the call with .func or .extern .func");
  if (has_returns) {
    std::swap(lexer_, at_returns);
    if (!read_call_list(returns, callee, true)) return false;
    std::swap(lexer_, at_returns);
  }
  if (lexer_.take(',') && lexer_.peek().is('(')) {
    if (!read_call_list(arguments, callee, false)) return false;
    lexer_.take(',');
  }
  if (lexer_.peek().kind == Token::Kind::word) lexer_.take();  // the prototype
  instruction.destinations = 1;
  instruction.operands.reserve(3);
  instruction.operands.push_back(std::move(returns));
  instruction.operands.push_back(std::move(callee));
  instruction.operands.push_back(std::move(arguments));
  return true;
}

bool Reader::read_call_list(Operand& list, const Operand& callee, bool returns) {
  if (!expect('(')) return false;
  const bool direct = callee.kind == Operand::Kind::function;
  const std::vector<Parameter> none;
  const Function* function = direct ? &program_.functions[callee.symbol] : nullptr;
  const std::size_t total = direct ? function->parameters.size() : 0;
  const std::size_t arguments = direct ? total - function->return_count : 0;
  const std::size_t first = returns ? arguments : 0, wanted = returns ? total - arguments : arguments;
  if (!lexer_.peek().is(')')) do {
      Raw& raw = raws_[0];
      element_count_ = 0;
      if (!read_operand(raw, true)) return false;
      Operand& operand = raw.operand;
      const bool known = direct && list.elements.size() < wanted;
      if (operand.kind == Operand::Kind::immediate && !returns)
        operand.bits =
            to_bits(raw.literal, known ? function->parameters[first + list.elements.size()].type : Type::b64);
      const bool good = operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::local_symbol ||
                        (operand.kind == Operand::Kind::immediate && !returns) ||
                        operand.kind == Operand::Kind::parameter_symbol ||
                        operand.kind == Operand::Kind::sink;
      if (!good)
        return fail(line_, "a call passes what is neither .param, register nor constant",
                    "pass it through a .param variable");
      list.elements.push_back(operand);
    } while (lexer_.take(','));
  if (direct && list.elements.size() != wanted)
    return fail(line_,
                quoted(function->name) + " is called with " + std::to_string(list.elements.size()) +
                    (returns ? " returns" : " arguments") + " and has " + std::to_string(wanted),
                "pass as many as it declares");
  return expect(')');
}

}  // namespace warplens::ptx
