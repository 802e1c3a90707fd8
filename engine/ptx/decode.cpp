#include "engine/ptx/grammar.hpp"
#include "engine/ptx/matrix_products.hpp"
#include "engine/ptx/modifiers.hpp"

namespace warplens::ptx {
namespace {

constexpr std::size_t kQuoted = 60;  // characters of the text that a message repeats

Decoded problem(std::string text, std::string next_step) {
  Decoded decoded;
  decoded.problem = std::move(text);
  decoded.next_step = std::move(next_step);
  return decoded;
}

std::string quoted(std::string_view text) { return "'" + std::string(text.substr(0, kQuoted)) + "'"; }

// Instructions of the newest devices that the table leaves out, in CUDA's words.
struct LeftOut {
  std::string_view begins;
  std::string_view feature;
};
constexpr LeftOut kLeftOut[] = {
    {"tensormap", "tensor maps that a kernel changes (tensormap.replace)"},
    {"wgmma.mma_async.sp", "sparse matrix products of warp groups (wgmma.mma_async.sp)"},
    {"tcgen05", "the fifth generation's tensor cores (tcgen05)"},
    {"st.async", "asynchronous stores to distributed shared memory (st.async)"},
    {"red.async", "asynchronous reductions in distributed shared memory (red.async)"},
    {"multimem", "memory of several GPUs (multimem)"},
    {"clusterlaunchcontrol", "clusters that take the work of others (clusterlaunchcontrol)"},
    {"tex", "texture fetches"},
    {"tld4", "texture fetches"},
    {"suld", "surface loads"},
    {"sust", "surface stores"},
    {"sured", "surface reductions"},
};

bool begins_with(std::string_view word, std::string_view row) {
  return word.starts_with(row) &&
         (word.size() == row.size() || word[row.size()] == '.' || word[row.size()] == ':');
}

// The row whose name is the longest beginning of the word that ends at a dot.
const Row* find_row(std::string_view word) {
  while (true) {
    for (const Row& row : grammar())
      if (row.name[0] == word[0] && row.name == word) return &row;
    const auto dot = word.rfind('.');
    if (dot == std::string_view::npos) return nullptr;
    word = word.substr(0, dot);
  }
}

void compile_forms(std::string_view text, Decoded& decoded) {
  decoded.form_count = 1;
  for (const char c : text) {
    Form& form = decoded.forms[decoded.form_count - 1];
    if (c == '/')
      ++decoded.form_count;
    else if (c == '|')
      form.pair = true;
    else if (c != ' ')
      form.letters[form.count++] = c;
  }
}

bool copies_asynchronously(Opcode opcode) {
  return opcode >= Opcode::cp_async && opcode <= Opcode::cp_reduce_async_bulk_tensor;
}

bool may_repeat(Group group, Opcode opcode) {
  return group == Group::type || group == Group::hint || group == Group::sync || group == Group::semantics ||
         group == Group::detail || group == Group::layout ||
         (group == Group::space && copies_asynchronously(opcode));
}

void set_types(const std::array<Type, 4>& types, int count, Instruction& in) {
  in.type = types[0];
  if (is_matrix_product(in.opcode)) {
    // wmma.mma on f16 names only d and c.
    in.matrix_types = count == 2 ? std::array{types[0], Type::f16, Type::f16, types[1]} : types;
  } else {
    in.source_type = types[1];
  }
}

std::string check(const Row& row, Groups seen, const std::array<Type, 4>& types, int type_count) {
  if (type_count < row.least_types) return type_count == 0 ? "has no type" : "has too few types";
  if (type_count > 0 && (row.types & bit(types[0])) == 0)
    return "does not take the type ." + std::string(name(types[0]));
  if ((row.required & ~seen) != 0) return "lacks a modifier";
  if ((seen & bit(Group::abs)) != 0 && (seen & bit(Group::xor_sign)) == 0) return "has .abs without .xorsign";
  return {};
}

}  // namespace

Decoded decode(std::string_view word) {
  for (const LeftOut& left_out : kLeftOut)
    if (begins_with(word, left_out.begins)) {
      Decoded refused = problem("the emulator does not know " + std::string(left_out.feature),
                                "write it another way, or run the kernel on a GPU");
      refused.left_out = left_out.feature;
      return refused;
    }
  const Row* row = find_row(word);
  if (row == nullptr)
    return problem("unknown instruction " + quoted(word),
                   "use an instruction that the PTX reader knows, or compile for an older architecture");
  const std::string next_step = "see section " + std::string(row->section) +
                                " of the PTX ISA for the forms of " + std::string(row->name);
  Decoded decoded;
  decoded.prototype.opcode = row->opcode;
  const Groups allowed = row->required | row->optional | (row->most_types > 0 ? bit(Group::type) : 0);
  Groups seen = 0;
  std::array<Type, 4> types{};
  int type_count = 0;
  for (std::string_view rest = word.substr(row->name.size()); !rest.empty();) {
    rest.remove_prefix(1);
    const std::string_view part = rest.substr(0, rest.find('.'));
    rest.remove_prefix(part.size());
    Modifier modifier;
    if (!find_modifier(part, allowed, modifier))
      return problem("unknown modifier " + quoted(part) + " on " + std::string(row->name), next_step);
    if ((seen & bit(modifier.group)) != 0 && !may_repeat(modifier.group, row->opcode))
      return problem(
          "modifier " + quoted(part) + " on " + std::string(row->name) + " follows another of its kind",
          next_step);
    apply(modifier, seen, decoded.prototype);
    seen |= bit(modifier.group);
    decoded.cache_policy |= part == "L2::cache_hint";
    if (modifier.group != Group::type) continue;
    if (type_count == row->most_types)
      return problem(std::string(row->name) + " has too many types", next_step);
    types[static_cast<std::size_t>(type_count++)] = static_cast<Type>(modifier.value);
  }
  const std::string wrong = check(*row, seen, types, type_count);
  if (!wrong.empty()) return problem(quoted(word) + " " + wrong, next_step);
  set_types(types, type_count, decoded.prototype);
  compile_forms(row->forms, decoded);
  return decoded;
}

}  // namespace warplens::ptx
