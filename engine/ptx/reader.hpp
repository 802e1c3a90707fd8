// The parser behind parse(): recursive nowhere, one statement at a time; after an error it goes on at the
// next statement. module.cpp reads directives and functions, declarations.cpp variables and their values,
// body.cpp statements, operands.cpp operands and their agreement with the grammar.
#pragma once

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/ptx/grammar.hpp"
#include "engine/ptx/lexer.hpp"
#include "engine/ptx/parser.hpp"
#include "engine/ptx/reader_parts.hpp"

namespace warplens::ptx {

class Reader {
 public:
  Reader(std::string_view text, std::string_view text_name)
      : lexer_(text), text_name_(text_name), names_(scopes_), ranges_(scopes_), labels_(scopes_) {}
  Parsed read();

 private:
  // Errors. fail() is always false, so that a reader may return it.
  bool fail(int line, std::string message, std::string next_step);
  bool expected(std::string_view what);
  bool full() const { return errors_.size() >= kMostErrors; }
  void skip_statement();
  void skip_block();

  // Small steps.
  bool expect(char c);
  bool read_word(std::string_view& word, std::string_view what);
  bool read_integer(std::uint64_t& value, std::string_view what);
  bool read_literal(Literal& literal);
  bool read_offset(std::int64_t& offset);
  static std::string quoted(std::string_view text);

  // module.cpp
  void module_statement();
  bool module_directive();
  bool directive_of_either(std::string_view word, int line, Linkage linkage);  // a module or a body
  bool read_version();
  bool read_target();
  bool read_file();
  void read_function(bool is_entry, Linkage linkage);
  bool function_header(Function& function, std::string_view& name, std::vector<std::string_view>& parameters,
                       int& line);
  bool parameter_list(std::vector<Parameter>& parameters, std::vector<std::string_view>& names);
  bool read_parameter(Parameter& parameter, std::string_view& name);
  bool performance_directives(Function& function);
  bool declare_function(Function&& function, std::string_view name, bool has_body, int line,
                        std::uint32_t& id);
  void resolve_files();

  // declarations.cpp
  bool read_variables(Space space, Linkage linkage);
  bool read_qualifiers(Declared& declared);
  bool read_declarator(Declared& declared);
  bool read_dimensions(Declared& declared);
  bool read_alignment(std::uint32_t& alignment);
  bool check_size(const Declared& declared);
  bool read_initialiser(Declared& declared);
  bool read_values(Declared& declared);
  bool read_value(Declared& declared, std::uint64_t element);
  bool read_address_value(Declared& declared, std::uint64_t offset, int width, std::uint64_t mask);
  bool add_variable(Declared&& declared, Linkage linkage);
  bool read_registers();
  bool declare(std::string_view name, Name::Kind kind, std::uint32_t id, int line);

  // body.cpp
  void read_body(std::uint32_t function_id, const std::vector<std::string_view>& parameters);
  bool body_directive();
  bool read_location();
  std::int32_t add_location(const SourceLocation& location);
  void open_scope();
  void close_scope();
  bool read_statement();
  bool read_label(const Token& name);
  bool read_branch_table(const Token& name);
  bool read_guard(Instruction& instruction);
  bool read_instruction(Instruction& guarded);
  bool read_branch(const Decoded& decoded, Instruction& instruction);
  bool read_call(Instruction& instruction);
  bool read_call_list(Operand& list, const Operand& callee, bool returns);
  const Decoded& decoded(std::string_view word);

  // operands.cpp
  bool read_operands(bool& pair);
  bool read_operand(Raw& raw, bool inside_vector);
  bool read_vector(Raw& raw);
  bool read_memory(Raw& raw);
  bool read_coordinates(Raw& raw);
  bool read_name(Raw& raw);
  bool resolve_name(const Token& token, Raw& raw);
  const Name* find_register(std::string_view name);
  bool finish_operands(const Decoded& decoded, bool pair, Instruction& instruction);
  bool finish_operand(Raw& raw, char letter, const Instruction& instruction, std::vector<Operand>& operands);
  bool finish_memory(Raw& raw);
  bool finish_coordinates(Raw& raw, std::size_t dimensions);
  bool finish_vector(Raw& raw, char letter, const Instruction& instruction);
  bool finish_scalar(Raw& raw, char letter, Type type);

  static constexpr std::size_t kMostErrors = 100;
  static constexpr int kDeepest = 64;                       // nested braces
  static constexpr std::uint64_t kMostInRange = 1u << 20;   // registers of one .reg %r<N>
  static constexpr std::uint64_t kMostInitial = 64u << 20;  // bytes of all initialised variables together

  Lexer lexer_;
  std::string text_name_;
  Program program_;
  std::vector<Error> errors_;
  std::string left_out_;
  Scopes scopes_;
  ScopedNames names_, ranges_, labels_;
  std::vector<Type> range_types_;
  std::vector<std::uint32_t> range_counts_;
  StringIndex words_;
  std::vector<Decoded> decoded_;
  std::uint64_t initial_bytes_ = 0;
  std::unordered_map<std::uint64_t, int> file_numbers_;
  std::vector<bool> has_body_;  // by function

  // The function being read, and the line the last token of the statement stood on.
  Function* function_ = nullptr;
  std::vector<CodeScope> code_scopes_;
  std::vector<PendingLabel> pending_;
  std::size_t nested_ranges_ = 0;  // register ranges of inner scopes that are open
  std::int32_t location_ = -1;
  std::unordered_map<SourceLocation, std::int32_t, LocationHash> locations_;  // with their inlined_at
  // the latest of a place, inlined_at left out
  std::unordered_map<SourceLocation, std::int32_t, LocationHash> last_place_;
  int line_ = 0;    // of the statement
  int braces_ = 0;  // open ones of the statement, for skip_statement
  std::array<Raw, 8> raws_;
  std::size_t raw_count_ = 0;
  std::array<Raw, 256> elements_;
  std::size_t element_count_ = 0;
};

}  // namespace warplens::ptx
