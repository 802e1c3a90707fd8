#include <algorithm>

#include "engine/base/ptx_file_name.hpp"
#include "engine/ptx/reader.hpp"

namespace warplens::ptx {
namespace {

// PTX ISA 11.4 "Performance-Tuning Directives", 11.8 and 11.7 (clusters, calling convention).
constexpr std::string_view kFunctionDirectives[] = {
    ".maxntid",           ".reqntid",      ".minnctapersm",         ".maxnctapersm",      ".maxnreg",
    ".noreturn",          ".pragma",       ".explicitcluster",      ".reqnctapercluster", ".maxclusterrank",
    ".blocksareclusters", ".abi_preserve", ".abi_preserve_control",
};

}  // namespace

Parsed Reader::read() {
  while (lexer_.peek().kind != Token::Kind::end && !full()) module_statement();
  resolve_files();
  for (std::size_t i = 0; i < program_.functions.size(); ++i)
    program_.functions[i].is_external = !has_body_[i];
  return {std::move(program_), std::move(errors_), std::move(left_out_)};
}

void Reader::module_statement() {
  line_ = lexer_.peek().line;
  braces_ = 0;
  if (lexer_.take(';')) return;
  if (lexer_.peek().is('}')) {
    fail(line_, "a closing brace with no opening one", "check the braces of the function before it");
    lexer_.take();
    return;
  }
  if (lexer_.peek().is('{')) {
    fail(line_, "a block outside any function", "check the braces of the function before it");
    return skip_block();
  }
  // An unfinished statement is left at its ';', or at a brace that the next turn reports or skips.
  if (!module_directive()) skip_statement();
}

bool Reader::module_directive() {
  Linkage linkage;
  while (true) {
    if (lexer_.peek().kind != Token::Kind::directive) return expected("a directive");
    const Token token = lexer_.take();
    const std::string_view word = token.text;
    if (word == ".visible" || word == ".weak" || word == ".common") continue;
    if (word == ".extern") {
      linkage.external = true;
      continue;
    }
    if (word == ".version") return read_version();
    if (word == ".target") return read_target();
    if (word == ".entry" || word == ".func") {
      read_function(word == ".entry", linkage);
      return true;
    }
    if (word == ".address_size") {
      std::uint64_t bits = 0;
      if (!read_integer(bits, "the address size")) return false;
      return bits == 64 || fail(token.line, "addresses of " + std::to_string(bits) + " bits",
                                "compile for 64-bit addresses");
    }
    return directive_of_either(word, token.line, linkage);
  }
}

bool Reader::directive_of_either(std::string_view word, int line, Linkage linkage) {
  if (word == ".file") return read_file();
  if (word == ".pragma") {
    skip_statement();
    return true;
  }
  if (word == ".section") {
    while (lexer_.peek().kind == Token::Kind::directive || lexer_.peek().kind == Token::Kind::word)
      lexer_.take();
    if (!lexer_.peek().is('{')) return expected("the section's '{'");
    skip_block();
    return true;
  }
  if (Space space; space_of(word, space)) return read_variables(space, linkage);
  return fail(line, "unknown directive " + quoted(word),
              "remove it, or compile the kernel for an older architecture");
}

bool Reader::read_version() {
  if (lexer_.peek().kind != Token::Kind::number) return expected("the version");
  const std::string_view text = lexer_.take().text;
  const auto dot = text.find('.');
  Literal major, minor;
  if (dot == std::string_view::npos || !parse_literal(text.substr(0, dot), false, major) ||
      !parse_literal(text.substr(dot + 1), false, minor) || major.kind != Literal::Kind::integer ||
      major.bits > 99 || minor.bits > 9)
    return fail(line_, "bad version " + quoted(text), "write it as major.minor, such as 8.0");
  program_.isa_version = static_cast<int>(10 * major.bits + minor.bits);
  return true;
}

bool Reader::read_target() {
  std::string_view word;
  do {
    if (!read_word(word, "a target")) return false;
    if (!word.starts_with("sm_")) continue;
    std::string_view digits = word.substr(3, 3);
    if (!digits.empty() && (digits.back() < '0' || digits.back() > '9')) digits.remove_suffix(1);  // sm_90a
    Literal number;
    if (!parse_literal(digits, false, number))
      return fail(line_, "bad target " + quoted(word), "write it as sm_80");
    program_.target = static_cast<int>(number.bits);
  } while (lexer_.take(','));
  return true;
}

// .file NUMBER "name" {, timestamp, size}
bool Reader::read_file() {
  std::uint64_t number = 0;
  if (!read_integer(number, "the file's number")) return false;
  if (lexer_.peek().kind != Token::Kind::string) return expected("the file's name");
  file_numbers_[number] = static_cast<int>(program_.files.size());
  program_.files.push_back(file_of_ptx_name(lexer_.take().text));
  while (lexer_.take(','))
    if (!read_integer(number, "a number")) return false;
  return true;
}

// The files are listed at the end of the text, so locations keep their numbers until all are known.
void Reader::resolve_files() {
  for (Function& function : program_.functions)
    for (SourceLocation& location : function.locations) {
      const auto found = file_numbers_.find(static_cast<std::uint64_t>(location.file));
      location.file = found == file_numbers_.end() ? -1 : found->second;
    }
}

void Reader::read_function(bool is_entry, Linkage linkage) {
  Function function;
  function.is_entry = is_entry;
  std::string_view name;
  std::vector<std::string_view> parameters;
  int line = 0;
  std::uint32_t id = 0;
  bool good = function_header(function, name, parameters, line);
  const bool has_body = good && lexer_.peek().is('{');
  if (good && !has_body && !lexer_.peek().is(';')) good = expected("the function's '{'");
  if (good && has_body && linkage.external)
    good = fail(line, "the external function " + quoted(name) + " has a body", "remove .extern");
  if (good) good = declare_function(std::move(function), name, has_body, line, id);
  if (good && has_body) return read_body(id, parameters);
  if (good) {
    lexer_.take();
    return;
  }
  // The whole function is lost: its body would only repeat the error.
  while (lexer_.peek().kind != Token::Kind::end && !lexer_.peek().is('{') && !lexer_.peek().is(';'))
    lexer_.take();
  if (lexer_.peek().is('{'))
    skip_block();
  else
    lexer_.take(';');
}

// {(returns)} name {(parameters)} {directives}
bool Reader::function_header(Function& function, std::string_view& name,
                             std::vector<std::string_view>& parameters, int& line) {
  std::vector<Parameter> returns;
  std::vector<std::string_view> return_names;
  if (lexer_.peek().is('(') && !parameter_list(returns, return_names)) return false;
  line = lexer_.peek().line;
  if (!read_word(name, "the function's name")) return false;
  function.name = name;
  if (lexer_.peek().is('(') && !parameter_list(function.parameters, parameters)) return false;
  function.return_count = static_cast<std::uint32_t>(returns.size());
  function.parameters.insert(function.parameters.end(), returns.begin(), returns.end());
  parameters.insert(parameters.end(), return_names.begin(), return_names.end());
  std::uint64_t offset = 0;
  for (Parameter& parameter : function.parameters) {
    parameter.offset = (offset + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
    offset = parameter.offset + parameter.size;
  }
  return performance_directives(function);
}

bool Reader::parameter_list(std::vector<Parameter>& parameters, std::vector<std::string_view>& names) {
  if (!expect('(')) return false;
  if (lexer_.take(')')) return true;
  do {
    Parameter parameter;
    std::string_view name;
    if (!read_parameter(parameter, name)) return false;
    parameters.push_back(std::move(parameter));
    names.push_back(name);
  } while (lexer_.take(','));
  return expect(')');
}

// .param {.align N} .type {.ptr {.space} {.align N}} name {[N]}
bool Reader::read_parameter(Parameter& parameter, std::string_view& name) {
  line_ = lexer_.peek().line;
  if (lexer_.peek().text == ".reg")
    return fail(line_, "a parameter in a register", "pass it as .param, as NVRTC does");
  if (lexer_.peek().text != ".param") return expected("'.param'");
  lexer_.take();
  Declared declared;
  declared.variable.space = Space::param;
  if (!read_qualifiers(declared) || !read_declarator(declared)) return false;
  if (declared.unsized) return fail(line_, "a parameter of unknown size", "write its size in brackets");
  const Variable& variable = declared.variable;
  parameter = {variable.name, variable.type, variable.alignment, variable.size, 0};
  name = declared.name;
  return true;
}

bool Reader::performance_directives(Function& function) {
  while (lexer_.peek().kind == Token::Kind::directive) {
    const std::string_view word = lexer_.take().text;
    if (std::find(std::begin(kFunctionDirectives), std::end(kFunctionDirectives), word) ==
        std::end(kFunctionDirectives))
      return fail(line_, "unknown function directive " + quoted(word), "remove it");
    std::array<std::uint32_t, 3> counts{};
    std::size_t count = 0;
    if (lexer_.peek().kind == Token::Kind::string) lexer_.take();
    if (lexer_.peek().kind == Token::Kind::number) do {
        std::uint64_t value = 0;
        if (!read_integer(value, "a count")) return false;
        if (value > 0xFFFFFFFF || count == 3)
          return fail(line_, "bad counts of " + quoted(word), "give at most three 32-bit numbers");
        counts[count++] = static_cast<std::uint32_t>(value);
      } while (lexer_.take(','));
    for (std::size_t i = count; i < 3; ++i) counts[i] = 1;
    if (word == ".maxntid" && count > 0) function.maximum_threads = counts;
    if (word == ".reqntid" && count > 0) function.required_threads = counts;
    if (word == ".reqnctapercluster" && count > 0) function.cluster = counts;
    if (word == ".pragma" && !expect(';')) return false;
  }
  return true;
}

bool Reader::declare_function(Function&& function, std::string_view name, bool has_body, int line,
                              std::uint32_t& id) {
  const Name* known = names_.find(name);
  if (known != nullptr && known->kind != Name::Kind::function)
    return fail(line, "the function " + quoted(name) + " has the name of a variable", "rename one of them");
  if (known == nullptr) {
    id = static_cast<std::uint32_t>(program_.functions.size());
    names_.add(name, {Name::Kind::function, id, 0});
    program_.functions.push_back(std::move(function));
    has_body_.push_back(has_body);
    return true;
  }
  id = known->id;
  if (has_body && has_body_[id])
    return fail(line, "the function " + quoted(name) + " is defined twice", "remove one definition");
  const Function& before = program_.functions[id];
  if (before.parameters.size() != function.parameters.size() || before.return_count != function.return_count)
    return fail(line, "the function " + quoted(name) + " differs from its declaration",
                "give both the same parameters");
  if (has_body) program_.functions[id] = std::move(function);
  has_body_[id] = has_body_[id] || has_body;
  return true;
}

}  // namespace warplens::ptx
