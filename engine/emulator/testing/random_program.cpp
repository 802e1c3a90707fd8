#include "engine/emulator/testing/random_program.hpp"

#include <vector>

#include "engine/emulator/testing/semantics_forms.hpp"

namespace warplens::emulator {

std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ull;
  std::uint64_t x = state;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

namespace {

constexpr int kRegisters = 6;  // of each kind below

// Registers: u uniform, a affine, v varying; 32 bits, with an l behind: 64; h: 16 bits; p: predicates, of
// which q only ever get uniform values (where control flow does not part).
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed * 0x1234567 + 99) {}

  std::string run() {
    text_ =
        ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 data, .param .u32 "
        "n)\n{\n"
        ".reg .b32 %u<6>, %a<6>, %v<6>, %t, %w, %x, %y, %n;\n.reg .b64 %ul<6>, %al<6>, %vl<6>, %mine, %all, "
        "%s, %at;\n"
        ".reg .b16 %h<6>;\n.reg .pred %p<6>, %q<6>, %g, %k;\n.shared .align 16 .b8 tile[16384];\n";
    for (int c = 0; c < 40; ++c)
      text_ += ".reg .b32 %c" + std::to_string(c) + ", %m" + std::to_string(c) + ";\n";
    prologue();
    statements(8 + pick(16), 0, true);
    text_ += "END:\n";
    epilogue();
    return text_ + "ret;\n}\n";
  }

 private:
  std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(next_random(state_) % n); }
  bool chance(std::uint32_t percent) { return pick(100) < percent; }
  std::string number(std::uint64_t n) { return std::to_string(n); }
  std::string reg(const char* kind) { return "%" + std::string(kind) + number(pick(kRegisters)); }
  std::string label() { return "L" + number(labels_++); }
  void line(const std::string& text) { text_ += text + ";\n"; }

  void prologue() {
    line("ld.param.u64 %all, [data]");
    line("ld.param.u32 %n, [n]");
    // %t: the number of the thread in the block; %x: in the grid.
    line("mov.u32 %t, %tid.z;\nmov.u32 %w, %ntid.y;\nmov.u32 %x, %tid.y;\nmad.lo.u32 %t, %t, %w, %x");
    line("mov.u32 %w, %ntid.x;\nmov.u32 %x, %tid.x;\nmad.lo.u32 %t, %t, %w, %x");
    line("mov.u32 %x, %ntid.y;\nmul.lo.u32 %w, %w, %x;\nmov.u32 %x, %ntid.z;\nmul.lo.u32 %w, %w, %x");
    line("mov.u32 %x, %ctaid.x;\nmad.lo.u32 %x, %x, %w, %t;\nmul.wide.u32 %mine, %x, " +
         number(kWordsPerThread * 4));
    line("add.s64 %mine, %all, %mine");
    line("mov.u32 %y, %nctaid.x;\nmul.lo.u32 %w, %w, %y;\nmad.wide.u32 %all, %w, " +
         number(kWordsPerThread * 4) + ", %all");
    // The thread's 32 bytes of shared memory, so that no thread reads what was never written.
    line("mul.lo.u32 %w, %t, 32;\nmov.u64 %at, tile;\ncvt.u64.u32 %s, %w;\nadd.s64 %s, %at, %s");
    line("st.shared.v4.u32 [%s], {%t, %x, %t, %x};\nst.shared.v4.u32 [%s+16], {%x, %t, %w, %t};\nbar.sync 0");
    for (int k = 0; k < kRegisters; ++k) {
      const std::string i = number(static_cast<std::uint64_t>(k));
      static const char* const uniform[] = {"%n", "%ctaid.x", "%ntid.x", "7", "-3", "%nctaid.x"};
      static const char* const affine[] = {"%tid.x", "%laneid", "%t", "%tid.y", "%tid.x", "%laneid"};
      line("mov.u32 %u" + i + ", " + uniform[k]);
      line("mov.u32 %a" + i + ", " + affine[k]);
      line("ld.global.u32 %v" + i + ", [%mine+" + number(4u * static_cast<unsigned>(k)) + "]");
      line("cvt.u64.u32 %ul" + i + ", %u" + i);
      line(chance(50) ? "cvt.s64.s32 %al" + i + ", %a" + i : "mul.wide.s32 %al" + i + ", %a" + i + ", -12");
      line("ld.global.u64 %vl" + i + ", [%mine+" + number(32 + 8u * static_cast<unsigned>(k)) + "]");
      line("ld.global.u16 %h" + i + ", [%mine+" + number(80 + 2u * static_cast<unsigned>(k)) + "]");
      line("setp.lt.s32 %p" + i + ", %v" + i + ", 0");
      line("setp.eq.s32 %q" + i + ", %u" + i + ", 3");
    }
  }

  void epilogue() {
    std::uint32_t at = 96;  // bytes; the words below are for loads and stores of the program
    const auto store = [&](const char* type, const std::string& name, std::uint32_t bytes) {
      at = (at + bytes - 1) / bytes * bytes;
      if (at + bytes > kWordsPerThread * 4) return;
      line("st.global." + std::string(type) + " [%mine+" + number(at) + "], " + name);
      at += bytes;
    };
    for (int k = 0; k < kRegisters; ++k) {
      const std::string i = number(static_cast<std::uint64_t>(k));
      store("u32", "%u" + i, 4), store("u32", "%a" + i, 4), store("u32", "%v" + i, 4);
      line("selp.b32 %y, 1, 0, %p" + i + ";\nselp.b32 %w, 2, 0, %q" + i + ";\nor.b32 %y, %y, %w");
      line("cvt.u32.u16 %w, %h" + i + ";\nshl.b32 %w, %w, 2;\nor.b32 %y, %y, %w");
      line("xor.b64 %s, %ul" + i + ", %al" + i + ";\nxor.b64 %s, %s, %vl" + i);
      line(
          "cvt.u32.u64 %w, %s;\nxor.b32 %y, %y, %w;\nshr.u64 %s, %s, 32;\ncvt.u32.u64 %w, %s;\nadd.u32 %y, "
          "%y, %w");
      store("u32", "%y", 4);
    }
  }

  std::string guard() {
    if (!chance(20)) return "";
    return std::string("@") + (chance(50) ? "!" : "") + (chance(70) ? reg("p") : reg("q")) + " ";
  }
  std::string number_or(const std::string& name) {
    static const char* const numbers[] = {"0",  "1",          "-1",          "31",   "32",
                                          "33", "2147483647", "-2147483648", "12345"};
    return chance(25) ? numbers[pick(9)] : name;
  }

  // A register of any class that holds a value of this letter's type.
  std::string source(const ptx::Instruction& i, char letter, const char* cls) {
    const ptx::Type type = operand_type(i, letter);
    if (type == ptx::Type::pred) return *cls == 'u' ? reg("q") : reg(chance(60) ? "p" : "q");
    if (letter == 'I') return number(pick(256));
    const int bytes = ptx::size_in_bytes(type);
    static const char* const narrow[] = {"u", "a", "v"};
    static const char* const wide[] = {"ul", "al", "vl"};
    const std::uint32_t any = *cls == 'u' ? 0 : *cls == 'a' ? pick(2) : pick(3);
    if (bytes == 8) return reg(wide[any]);
    if (bytes == 2 && i.opcode != ptx::Opcode::cvt) return reg("h");
    return reg(narrow[any]);
  }

  void form_statement() {
    static const std::vector<Form> forms = [] {
      std::vector<Form> good;
      for (Form& form : all_forms())
        if (form.text.find("m3x2") == form.text.npos && form.text.find("m2x2") == form.text.npos)
          good.push_back(std::move(form));
      return good;
    }();
    const Form& form = forms[pick(static_cast<std::uint32_t>(forms.size()))];
    const ptx::Instruction i = instruction_of(form);
    const ptx::Type type = operand_type(i, form.destination[0]);
    const int bytes = ptx::size_in_bytes(type);
    const bool sixteen = bytes == 2 && i.opcode != ptx::Opcode::cvt;
    const char* cls = sixteen ? "v" : chance(25) ? "u" : "v";
    const bool carry = i.carry_out || i.opcode == ptx::Opcode::addc || i.opcode == ptx::Opcode::subc ||
                       i.opcode == ptx::Opcode::madc;
    for (const char letter : form.sources)  // 16-bit registers vary
      if (ptx::size_in_bytes(operand_type(i, letter)) == 2 && i.opcode != ptx::Opcode::cvt) cls = "v";
    if (carry) cls = "v";
    std::string d;
    if (type == ptx::Type::pred)
      d = *cls == 'u' ? reg("q") : reg("p");
    else if (sixteen)
      d = reg("h");
    else
      d = reg(*cls == 'u' ? (bytes == 8 ? "ul" : "u") : (bytes == 8 ? "vl" : "v"));
    std::string t = guard() + form.text + " " + d;
    if (form.destination.size() == 2) {
      std::string second = *cls == 'u' ? reg("q") : reg("p");
      while (second == d) second = *cls == 'u' ? reg("q") : reg("p");
      t += "|" + second;
    }
    for (const char letter : form.sources) t += ", " + source(i, letter, cls);
    line(t);
  }

  // What address arithmetic is made of, on uniform and affine registers.
  void affine_statement() {
    const bool wide = chance(40);
    const std::string l = wide ? "l" : "", bits = wide ? "64" : "32";
    const char* d = chance(60) ? "a" : chance(50) ? "u" : "v";
    const auto from = [&](bool factor) {
      const char* cls = *d == 'u' || factor ? "u"
                        : *d == 'a'         ? (chance(50) ? "u" : "a")
                                            : (chance(50) ? "v" : "a");
      return reg((std::string(cls) + l).c_str());
    };
    const std::string to = guard();
    const std::string target = reg((std::string(d) + l).c_str());
    switch (pick(11)) {
      case 9:
      case 10: {  // by a predicate that may be the same in all lanes, but need not where control flow has
                  // parted
        const std::string p = *d == 'v' ? reg("p") : reg("q");
        return line(to + "selp.b" + bits + " " + (*d == 'v' ? target : reg(("u" + l).c_str())) + ", " +
                    number_or(reg(("u" + l).c_str())) + ", " + reg(("u" + l).c_str()) + ", " + p);
      }
      case 0:
        return line(to + "add.s" + bits + " " + target + ", " + from(false) + ", " + number_or(from(false)));
      case 1:
        return line(to + "sub.s" + bits + " " + target + ", " + from(false) + ", " + number_or(from(false)));
      case 2:
        return line(to + "mul.lo.s" + bits + " " + target + ", " + from(false) + ", " +
                    number_or(from(true)));
      case 3:
        return line(to + "mad.lo.s" + bits + " " + target + ", " + from(false) + ", " +
                    number_or(from(true)) + ", " + from(false));
      case 4:
        return line(to + "shl.b" + bits + " " + target + ", " + from(false) + ", " +
                    (chance(70) ? number(pick(70)) : reg("u")));
      case 5:
        return line(to + "neg.s" + bits + " " + target + ", " + from(false));
      case 6:
        return line(to + "mov.b" + bits + " " + target + ", " + from(false));
      case 7: {
        const char* type = chance(50) ? ".s32 " : ".u32 ";
        const char* a = *d == 'u' ? "u" : *d == 'a' ? "a" : "v";
        return line(to + "mad.wide" + type + reg((std::string(d) + "l").c_str()) + ", " + reg(a) + ", " +
                    number_or(reg("u")) + ", " + reg((std::string(a) + "l").c_str()));
      }
      default: {
        const char* a = *d == 'u' ? "u" : *d == 'a' ? "a" : "v";
        if (chance(50))
          return line(to + "cvt.u32.u64 " + reg(d) + ", " + reg((std::string(a) + "l").c_str()));
        return line(to + (chance(50) ? "cvt.s64.s32 " : "cvt.u64.u32 ") +
                    reg((std::string(d) + "l").c_str()) + ", " + reg(a));
      }
    }
  }

  void compare_statement() {
    if (chance(15)) {
      static const char* const ops[] = {"and", "or", "xor"};
      const char* cls = chance(50) ? "p" : "q";
      return line(guard() + ops[pick(3)] + ".pred " + reg(cls) + ", " +
                  reg(*cls == 'p' && chance(50) ? "q" : cls) + ", " + reg(cls));
    }
    if (chance(10))  // two results, one of them a predicate
      return line("lop3.or.b32 " + reg("u") + "|" + reg("q") + ", " + reg("u") + ", " + reg("u") + ", " +
                  reg("u") + ", 150, " + reg("q"));
    static const char* const conditions[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    const bool uniform = chance(25);
    const char* const classes[] = {"u", "a", "v"};
    const auto from = [&] { return reg(uniform ? "u" : classes[pick(3)]); };
    line(guard() + "setp." + conditions[pick(6)] + (chance(50) ? ".s32 " : ".u32 ") +
         reg(uniform ? "q" : "p") + ", " + from() + ", " + number_or(from()));
  }

  // The thread's own words of global memory, and of shared memory; at a dynamic place or a fixed one.
  void memory_statement() {
    const bool shared = chance(40);
    const std::string space = shared ? "shared" : "global";
    const std::uint32_t width = 1u << pick(4);
    if (shared)
      line("mul.lo.u32 %w, %t, 32;\nmov.u64 %at, tile;\ncvt.u64.u32 %s, %w;\nadd.s64 %at, %at, %s");
    else
      line("add.s64 %at, %mine, 0");
    const std::uint32_t room = shared ? 32 : 96;
    std::string offset = number(pick(room / width) * width);
    if (chance(40)) {
      line("and.b32 %w, " + reg(chance(50) ? "v" : "u") + ", " +
           number((room / 2 - 1) / width * width & (0u - width) & (shared ? 15u : 31u)));
      line("cvt.u64.u32 %s, %w;\nadd.s64 %at, %at, %s");
      offset = "0";
    }
    const std::string type = width == 8   ? "u64"
                             : width == 4 ? "u32"
                             : width == 2 ? (chance(50) ? "s16" : "u16")
                                          : (chance(50) ? "s8" : "u8");
    const std::string r = width == 8 ? reg("vl") : reg("v");
    if (chance(50) || shared)  // shared memory is only read where it was written just before
      line((shared ? "" : guard()) + "st." + space + "." + type + " [%at+" + offset + "], " + r);
    if (chance(60))
      line(guard() + "ld." + space + "." + type + " " + (width == 8 ? reg("vl") : reg("v")) + ", [%at+" +
           offset + "]");
  }

  // All lanes of the warp, or those of the mask that the enclosing branch took.
  void warp_statement(const std::string& mask) {
    switch (pick(6)) {
      case 0:
        return line("vote.sync.ballot.b32 " + reg("v") + ", " + reg(chance(50) ? "p" : "q") + ", " + mask);
      case 1: {
        static const char* const modes[] = {"any", "all", "uni"};
        return line("vote.sync." + std::string(modes[pick(3)]) + ".pred " + reg("p") + ", " +
                    (chance(30) ? "!" : "") + reg("p") + ", " + mask);
      }
      case 2: {
        static const char* const ops[] = {"add.s32", "min.u32", "max.s32", "and.b32", "or.b32", "xor.b32"};
        return line("redux.sync." + std::string(ops[pick(6)]) + " " + reg("v") + ", " +
                    reg(chance(50) ? "v" : "a") + ", " + mask);
      }
      case 3:
        return line("match.any.sync.b32 " + reg("v") + ", " + reg(chance(50) ? "u" : "a") + ", " + mask);
      case 4:
        return line("match.all.sync.b32 " + reg("v") + "|" + reg("p") + ", " + reg(chance(70) ? "u" : "v") +
                    ", " + mask);
      default: {
        // What a lane gets from one that takes no part is not defined: only values of lanes that do are kept.
        static const char* const modes[] = {"up", "down", "bfly", "idx"};
        static const char* const sources[] = {"sub.u32 %x, %x, ", "add.u32 %x, %x, ", "xor.b32 %x, %x, ",
                                              "mov.u32 %x, "};
        const std::uint32_t mode = pick(4);
        const std::string n = number(pick(32));
        line("mov.u32 %x, %laneid;\n" + (sources[mode] + n) +
             ";\nsetp.eq.s32 %k, 0, 0;\nvote.sync.ballot.b32 %y, %k, " + mask);
        line("shr.u32 %y, %y, %x;\nand.b32 %y, %y, 1;\nsetp.ne.s32 %k, %y, 0");
        line("shfl.sync." + std::string(modes[mode]) + ".b32 %w|%g, " + reg(chance(50) ? "v" : "a") + ", " +
             n + ", " + (mode == 0 ? "0" : "31") + ", " + mask);
        return line("and.pred %k, %k, %g;\nselp.b32 " + reg("v") + ", %w, 99, %k");
      }
    }
  }

  void atomic_statement() {
    static const char* const ops[] = {"add.u32", "xor.b32", "max.u32", "min.s32", "or.b32"};
    const std::uint32_t op = pick(5);  // one counter an operation: different ones do not commute
    line(guard() + "red.global." + ops[op] + " [%all+" + number(4 * op) + "], " +
         reg(chance(50) ? "v" : "u"));
  }

  void exchange_statement() {  // a word of another thread of the block, between two barriers
    const std::string n = number(pick(64));
    line(
        "bar.sync 0;\nmul.lo.u32 %w, %t, 32;\nmov.u64 %at, tile;\ncvt.u64.u32 %s, %w;\nadd.s64 %s, %at, "
        "%s;\nst.shared.u32 [%s], " +
        reg(chance(50) ? "v" : "a"));
    line("bar.sync 0;\nadd.u32 %w, %t, " + n +
         ";\nmov.u32 %y, %ntid.x;\nrem.u32 %w, %w, %y;\nmul.lo.u32 %w, %w, 32");
    line("cvt.u64.u32 %s, %w;\nadd.s64 %s, %at, %s;\nld.shared.u32 " + reg("v") + ", [%s];\nbar.sync 0");
  }

  void if_statement(int depth, bool together, const std::string& mask) {
    const std::string otherwise = label(), end = label(), predicate = chance(80) ? reg("p") : reg("q");
    const bool negated = chance(50);
    // The lanes that take each side, for the votes inside.
    std::string taken, left;
    if (!mask.empty() && chance(60) && masks_ < 38) {
      taken = "%m" + number(masks_++), left = "%m" + number(masks_++);
      line("vote.sync.ballot.b32 " + left + ", " + (negated ? "!" : "") + predicate + ", " + mask);
      line("not.b32 " + taken + ", " + left +
           (mask == "-1" ? "" : ";\nand.b32 " + taken + ", " + taken + ", " + mask));
    }
    line("@" + std::string(negated ? "!" : "") + predicate + " bra " + otherwise);
    statements(1 + pick(4), depth + 1, false, taken);
    if (chance(10) && together) line("bra END");
    if (chance(70)) {
      line("bra " + end);
      text_ += otherwise + ":\n";
      statements(1 + pick(4), depth + 1, false, left);
      text_ += end + ":\n";
    } else {
      text_ += otherwise + ":\n";
    }
  }

  // A loop whose count is the same in all threads, in a warp, or in none.
  void loop_statement(int depth, bool together, const std::string& mask) {
    if (counters_ >= 38) return;
    const std::string counter = "%c" + number(counters_++), limit = "%c" + number(counters_++);
    const std::string head = label(), end = label();
    const bool uniform = chance(40);
    if (uniform)
      line(chance(50) ? "mov.u32 " + limit + ", " + number(1 + pick(4)) : "and.b32 " + limit + ", %n, 3");
    else
      line("and.b32 " + limit + ", " + reg(chance(50) ? "v" : "a") + ", 3");
    line("mov.u32 " + counter + ", 0");
    const bool tested_first = chance(50);
    text_ += head + ":\n";
    if (tested_first) line("setp.ge.u32 %g, " + counter + ", " + limit + ";\n@%g bra " + end);
    const bool still = uniform && together;
    statements(1 + pick(4), depth + 1, still, still ? mask : "");
    if (!still && chance(30)) line("@" + reg("p") + " bra " + end);
    if (chance(20)) line("add.u32 " + reg("v") + ", " + reg("v") + ", " + counter);
    line("add.u32 " + counter + ", " + counter + ", 1");
    if (tested_first)
      line("bra " + head);
    else
      line("setp.lt.u32 %g, " + counter + ", " + limit + ";\n@%g bra " + head);
    text_ += end + ":\n";
    if (chance(40)) line("mov.u32 " + reg("v") + ", " + counter);
  }

  void switch_statement(int depth) {
    const std::string table = "T" + number(labels_++), end = label();
    std::string cases[4];
    for (auto& one : cases) one = label();
    line("and.b32 %w, " + reg(chance(50) ? "v" : chance(50) ? "a" : "u") + ", 3");
    text_ +=
        table + ": .branchtargets " + cases[0] + ", " + cases[1] + ", " + cases[2] + ", " + cases[3] + ";\n";
    line("brx.idx %w, " + table);
    for (const auto& one : cases) {
      text_ += one + ":\n";
      statements(1 + pick(2), depth + 1, false, "");
      if (chance(75)) line("bra " + end);
    }
    text_ += end + ":\n";
  }

  // together: all threads of the block come here, so that they may meet at a barrier. mask: a register with
  // the lanes of the warp that come here, "-1" for all, empty where it is not known.
  void statements(std::uint32_t count, int depth, bool together, const std::string& given = "") {
    const std::string mask = together ? "-1" : given;
    for (std::uint32_t k = 0; k < count && text_.size() < 24000; ++k) {
      const std::uint32_t kind = pick(100);
      if (kind < 20)
        form_statement();
      else if (kind < 34)
        affine_statement();
      else if (kind < 43)
        compare_statement();
      else if (kind < 51)
        memory_statement();
      else if (kind < 57 && !mask.empty())
        warp_statement(mask);
      else if (kind < 60)
        atomic_statement();
      else if (kind < 63 && together)
        exchange_statement();
      else if (depth < 4 && kind < 80)
        if_statement(depth, together && depth == 0, mask);
      else if (depth < 3 && kind < 92)
        loop_statement(depth, together, mask);
      else if (depth < 3 && kind < 96)
        switch_statement(depth);
      else if (kind == 99 && depth > 1 && chance(20))
        line("@" + reg("p") + " exit");
      else
        affine_statement();
    }
  }

  std::uint64_t state_;
  std::string text_;
  std::uint32_t labels_ = 0, counters_ = 0, masks_ = 0;
};

}  // namespace

std::string random_program(std::uint64_t seed) { return Generator(seed).run(); }

}  // namespace warplens::emulator
