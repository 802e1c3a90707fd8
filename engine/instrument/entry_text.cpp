#include "engine/instrument/entry_text.hpp"

#include <algorithm>

#include "engine/ptx/lexer.hpp"
#include "engine/ptx/parser.hpp"

namespace warplens::instrument {
namespace {

using ptx::Lexer, ptx::Token;

// Walks the text once more, by statements; what they mean the parser has checked already.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text), lexer_(text) {}

  // Up to the '{' of the body. False: there is none.
  bool enter(std::string_view name, EntryText& found) {
    while (!at_end()) {
      const Token token = lexer_.take();
      if (token.kind != Token::Kind::directive || token.text != ".entry" || lexer_.peek().text != name)
        continue;
      read_parameters(lexer_.take(), found);
      while (!at_end() && !lexer_.peek().is('{') && !lexer_.peek().is(';')) lexer_.take();
      if (!lexer_.peek().is('{')) continue;
      lexer_.take();
      return true;
    }
    return false;
  }

  void read_body(EntryText& found) {
    int depth = 1;
    while (!at_end()) {
      const Token token = lexer_.take();
      if (token.kind != Token::Kind::directive && found.code_begin == 0) found.code_begin = offset(token);
      if (token.is('{')) ++depth;
      if (token.is('}') && --depth == 0) {
        found.body_end = offset(token);
        return;
      }
      if (token.kind == Token::Kind::directive) skip_directive(token);
      if (token.is('@') || (token.kind == Token::Kind::word && !lexer_.take(':'))) {
        found.instructions.push_back(offset(token));
        skip_statement();
      }
    }
  }

 private:
  bool at_end() const { return lexer_.peek().kind == Token::Kind::end; }
  std::size_t offset(const Token& token) const {
    return static_cast<std::size_t>(token.text.data() - text_.data());
  }

  void read_parameters(const Token& name, EntryText& found) {
    found.after_parameters = offset(name) + name.text.size();
    if (!lexer_.take('(')) return;
    found.has_list = true;
    found.is_empty = lexer_.peek().is(')');
    while (!at_end() && !lexer_.peek().is(')')) lexer_.take();
    found.after_parameters = offset(lexer_.take());
  }

  void skip_statement() {
    while (!at_end() && !lexer_.take(';')) lexer_.take();
  }

  // .loc and .file have no semicolon: they end with their line. A section is a block.
  void skip_directive(const Token& directive) {
    if (directive.text == ".section") {
      while (!at_end() && !lexer_.take('}')) lexer_.take();
    } else if (directive.text == ".loc" || directive.text == ".file") {
      while (!at_end() && lexer_.peek().line == directive.line) lexer_.take();
    } else {
      skip_statement();
    }
  }

  std::string_view text_;
  Lexer lexer_;
};

// to = x + nx * (y + ny * z)
std::string linear(std::string_view index, std::string_view count, std::string_view to,
                   std::string_view spare) {
  return fmt::format(
      "\tmov.u32 {2}, %{0}.z;\n\tmov.u32 {3}, %{1}.y;\n\tmul.lo.u32 {2}, {2}, {3};\n"
      "\tmov.u32 {3}, %{0}.y;\n\tadd.u32 {2}, {2}, {3};\n\tmov.u32 {3}, %{1}.x;\n\tmul.lo.u32 {2}, {2}, "
      "{3};\n"
      "\tmov.u32 {3}, %{0}.x;\n\tadd.u32 {2}, {2}, {3};\n",
      index, count, to, spare);
}

}  // namespace

Result<EntryText> find_entry(std::string_view text, const ptx::Function& entry) {
  EntryText found;
  Walker walker(text);
  if (!walker.enter(entry.name, found))
    return Error{"the PTX has no body of " + entry.name, "compile the kernel again"};
  walker.read_body(found);
  if (found.instructions.size() != entry.code.size())
    return Error{"the PTX of " + entry.name + " has statements that cannot be told apart",
                 "run the kernel without recording"};
  return found;
}

Insertion one_more_parameter(const EntryText& place, std::string_view name) {
  std::string text = "\n\t.param .u64 " + std::string(name) + "\n";
  if (!place.has_list) text = "(" + text + ")";
  if (place.has_list && !place.is_empty) text = "," + text;
  return {place.after_parameters, std::move(text)};
}

std::string insert(std::string_view text, std::vector<Insertion> insertions) {
  std::stable_sort(insertions.begin(), insertions.end(),
                   [](const Insertion& a, const Insertion& b) { return a.offset < b.offset; });
  std::string result;
  std::size_t at = 0;
  for (const Insertion& insertion : insertions) {
    result += text.substr(at, insertion.offset - at);
    result += insertion.text;
    at = insertion.offset;
  }
  result += text.substr(at);
  return result;
}

Result<ParsedEntry> parse_entry(std::string_view text, std::string_view name) {
  ptx::Parsed parsed = ptx::parse(text);
  if (!parsed.errors.empty()) return parsed.errors.front();
  ParsedEntry found{std::move(parsed.program), 0};
  const auto& functions = found.program.functions;
  const auto is_it = [&](const ptx::Function& function) {
    return function.is_entry && (name.empty() || function.name == name);
  };
  const auto entry = std::find_if(functions.begin(), functions.end(), is_it);
  if (entry == functions.end())
    return Error{name.empty() ? "the PTX has no entry" : "the PTX has no entry " + std::string(name),
                 "name one of its __global__ functions"};
  if (name.empty() && std::count_if(functions.begin(), functions.end(), is_it) != 1)
    return Error{"the PTX has several entries", "name one of them"};
  found.function = static_cast<std::size_t>(entry - functions.begin());
  return found;
}

std::string linear_block(std::string_view to, std::string_view spare) {
  return linear("ctaid", "nctaid", to, spare);
}

std::string linear_thread(std::string_view to, std::string_view spare) {
  return linear("tid", "ntid", to, spare);
}

std::string lane_registers() {
  return "\t.reg .pred %warplens_leader;\n"
         "\t.reg .b32 %warplens_here, %warplens_lanes, %warplens_first, %warplens_lane;\n";
}

std::string guard_of(const ptx::Instruction& instruction, const ptx::Function& function) {
  if (!instruction.predicated) return "";
  return (instruction.guard_negated ? "!" : "") + function.registers[instruction.guard].name;
}

std::string elect_leader(std::string_view guard) {
  std::string text = "\tactivemask.b32 %warplens_here;\n";
  if (guard.empty())
    text += "\tmov.b32 %warplens_lanes, %warplens_here;\n";
  else
    text += fmt::format("\tvote.sync.ballot.b32 %warplens_lanes, {}, %warplens_here;\n", guard);
  return text +
         "\tbrev.b32 %warplens_first, %warplens_lanes;\n\tclz.b32 %warplens_first, %warplens_first;\n"
         "\tmov.u32 %warplens_lane, %laneid;\n"
         "\tsetp.eq.u32 %warplens_leader, %warplens_first, %warplens_lane;\n";
}

}  // namespace warplens::instrument
