#include "engine/program/link_ptx.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace warplens::program {
namespace {

using ptx::Operand, ptx::Program, ptx::SymbolId;

// Where a part's functions, variables and files are in the whole.
struct Places {
  std::vector<SymbolId> functions, variables;
  int first_file = 0;
};

bool is_declared_only(const ptx::Function& function) { return function.is_external; }
bool is_declared_only(const ptx::Variable& variable) { return variable.external && variable.size > 0; }

// Names that begin so are each file's own (texts, which the compiler numbers).
bool is_own(const std::string& name) { return name.empty() || name.front() == '$'; }

// Puts an item in, or finds the one of this name; a definition takes the place of a declaration, and of two
// definitions (of templates, weak ones) the first stays.
template <class Item>
SymbolId place(Item item, std::vector<Item>& all, std::map<std::string, SymbolId>& known) {
  if (!is_own(item.name)) {
    const auto [found, is_new] = known.try_emplace(item.name, static_cast<SymbolId>(all.size()));
    if (!is_new) {
      Item& before = all[found->second];
      if (is_declared_only(before) && !is_declared_only(item)) before = std::move(item);
      return found->second;
    }
  }
  all.push_back(std::move(item));
  return static_cast<SymbolId>(all.size() - 1);
}

void move_operand(Operand& operand, const Places& places) {
  if (operand.kind == Operand::Kind::global_symbol) operand.symbol = places.variables[operand.symbol];
  if (operand.kind == Operand::Kind::function) operand.symbol = places.functions[operand.symbol];
  for (Operand& element : operand.elements) move_operand(element, places);
}

void move_symbols(ptx::Function& function, const Places& places) {
  for (ptx::Instruction& instruction : function.code)
    for (Operand& operand : instruction.operands) move_operand(operand, places);
  for (ptx::SourceLocation& location : function.locations)
    if (location.file >= 0) location.file += places.first_file;
}

void move_symbols(ptx::Variable& variable, const Places& places) {
  for (ptx::Relocation& relocation : variable.relocations)
    relocation.symbol =
        relocation.function ? places.functions[relocation.symbol] : places.variables[relocation.symbol];
}

}  // namespace

Program link(std::vector<Program> parts) {
  Program whole;
  std::map<std::string, SymbolId> functions, variables;
  std::vector<Places> places(parts.size());
  std::vector<std::size_t> function_of, variable_of;  // the part that each came from
  for (std::size_t p = 0; p < parts.size(); ++p) {
    Program& part = parts[p];
    whole.isa_version = std::max(whole.isa_version, part.isa_version);
    whole.target = std::max(whole.target, part.target);
    places[p].first_file = static_cast<int>(whole.files.size());
    whole.files.insert(whole.files.end(), part.files.begin(), part.files.end());
    const auto keep_part = [p](std::vector<std::size_t>& of, SymbolId at, bool defines) {
      if (at >= of.size())
        of.resize(at + 1, p);
      else if (defines)
        of[at] = p;
    };
    for (ptx::Function& function : part.functions) {
      const bool known =
          functions.contains(function.name) && !is_declared_only(whole.functions[functions[function.name]]);
      const bool defines = !known && !is_declared_only(function);
      places[p].functions.push_back(place(std::move(function), whole.functions, functions));
      keep_part(function_of, places[p].functions.back(), defines);
    }
    for (ptx::Variable& variable : part.variables) {
      const bool known =
          variables.contains(variable.name) && !is_declared_only(whole.variables[variables[variable.name]]);
      const bool defines = !known && !is_declared_only(variable);
      places[p].variables.push_back(place(std::move(variable), whole.variables, variables));
      keep_part(variable_of, places[p].variables.back(), defines);
    }
  }
  for (std::size_t f = 0; f < whole.functions.size(); ++f)
    move_symbols(whole.functions[f], places[function_of[f]]);
  for (std::size_t v = 0; v < whole.variables.size(); ++v)
    move_symbols(whole.variables[v], places[variable_of[v]]);
  return whole;
}

}  // namespace warplens::program
