#include "engine/check/scene.hpp"

#include <algorithm>

#include "engine/base/text.hpp"
#include "engine/check/races.hpp"
#include "engine/emulator/flow/shared_layout.hpp"
#include "engine/emulator/flow/source_name.hpp"

namespace warplens::check {
namespace {

// The file that most instructions are from, seen from outside of what is inlined: the kernel's own.
int kernel_file(const ptx::Function& function) {
  std::map<int, int> instructions;
  for (const ptx::Instruction& i : function.code) {
    int at = i.location;
    while (at >= 0 && function.locations[static_cast<std::size_t>(at)].inlined_at >= 0)
      at = function.locations[static_cast<std::size_t>(at)].inlined_at;
    if (at >= 0) ++instructions[function.locations[static_cast<std::size_t>(at)].file];
  }
  int best = -1, most = 0;
  for (const auto& [file, count] : instructions)
    if (count > most) best = file, most = count;
  return best;
}

// The innermost place in the kernel's file: a device function's own line, but the call of what a header has.
int line_in(const ptx::Function& function, std::int32_t location, int file) {
  for (int at = location; at >= 0; at = function.locations[static_cast<std::size_t>(at)].inlined_at) {
    const ptx::SourceLocation& place = function.locations[static_cast<std::size_t>(at)];
    if (place.file == file && place.line > 0) return place.line;
  }
  return 0;
}

// A header that came with the kernel file, as it is included; CUDA's own have whole paths, and what stands
// for the host's is the program's.
bool is_of_author(const std::string& file) {
  return !file.empty() && file.front() != '/' && !file.starts_with("warplens/");
}

std::string triple(const std::array<std::uint32_t, 3>& at, const std::array<std::uint32_t, 3>& size) {
  std::string text = std::to_string(at[0]);
  if (size[1] == 1 && size[2] == 1) return text;
  text += ", " + std::to_string(at[1]);
  if (size[2] != 1) text += ", " + std::to_string(at[2]);
  return "(" + text + ")";
}

std::array<std::uint32_t, 3> split(std::uint64_t index, const std::array<std::uint32_t, 3>& size) {
  return {static_cast<std::uint32_t>(index % size[0]), static_cast<std::uint32_t>(index / size[0] % size[1]),
          static_cast<std::uint32_t>(index / size[0] / size[1])};
}

}  // namespace

namespace {
std::uint32_t narrowest_access(const ptx::Function& function) {
  std::uint32_t unit = 4;
  for (const ptx::Instruction& i : function.code) {
    const bool accesses = i.opcode == ptx::Opcode::ld || i.opcode == ptx::Opcode::ldu ||
                          i.opcode == ptx::Opcode::st || i.opcode == ptx::Opcode::atom ||
                          i.opcode == ptx::Opcode::red;
    const bool remembered =
        i.space == ptx::Space::shared || i.space == ptx::Space::global || i.space == ptx::Space::generic;
    if (accesses && remembered)
      unit = std::min(unit, static_cast<std::uint32_t>(std::max(ptx::size_in_bytes(i.type), 1)));
  }
  return unit;
}
}  // namespace

Scene::Scene(LaunchFacts facts) : facts_(std::move(facts)) {
  const ptx::Function& code = function();
  unit_ = narrowest_access(code);
  const int file = kernel_file(code);
  if (file >= 0) file_ = facts_.kernel->program().files[static_cast<std::size_t>(file)];
  int last = 0;
  for (const ptx::Instruction& i : code.code) {
    const int line = line_in(code, i.location, file);
    if (line > 0) last = line;
    lines_.push_back(last);
  }
}

std::string array_of(const Finding& finding) { return finding.address.substr(0, finding.address.find('[')); }

ThreadPlace Scene::place(const ThreadId& id) const {
  return {true, split(std::uint64_t{id.warp} * 32 + id.lane, facts_.block), split(id.block, facts_.grid)};
}

std::string thread_words(const std::array<std::uint32_t, 3>& thread,
                         const std::array<std::uint32_t, 3>& block,
                         const std::array<std::uint32_t, 3>& block_size,
                         const std::array<std::uint32_t, 3>& grid_size) {
  return "thread " + triple(thread, block_size) + " of block " + triple(block, grid_size);
}

std::string Scene::words(const ThreadId& id) const {
  const ThreadPlace at = place(id);
  return thread_words(at.thread, at.block, facts_.block, facts_.grid);
}

std::string Scene::shared_name(std::uint32_t offset, std::uint32_t width) const {
  const emulator::SharedLayout::Named* best = nullptr;
  for (const auto& variable : facts_.kernel->layout().shared_variables())
    if (variable.offset <= offset && (best == nullptr || variable.offset >= best->offset)) best = &variable;
  if (best == nullptr) return "shared memory";
  const std::uint32_t into = offset - best->offset;
  const std::string text = emulator::source_name(best->name);
  if (best->size == width && into == 0) return text;
  return text + "[" + std::to_string(into / std::max(width, 1u)) + "]";
}

std::string Scene::global_name(std::uint64_t address, std::uint32_t width) const {
  const emulator::Allocation* near = facts_.memory->nearest(address);
  if (near == nullptr || address < near->address) return "global memory";
  if (near->of_module && near->size == width) return emulator::source_name(near->name);  // not an array
  const auto is_it = [&](const BufferFacts& buffer) { return buffer.address == near->address; };
  const auto buffer = std::find_if(facts_.buffers.begin(), facts_.buffers.end(), is_it);
  const bool is_buffer = buffer != facts_.buffers.end();
  const auto into = static_cast<std::int64_t>(address - near->address) -
                    static_cast<std::int64_t>(is_buffer ? buffer->before : 0);
  return (is_buffer ? buffer->name : emulator::source_name(near->name)) + "[" +
         std::to_string(into / std::max<std::int64_t>(width, 1)) + "]";
}

void Scene::set_line(Finding& finding, std::uint32_t pc) const {
  finding.line = line(pc);
  const auto& code = function().code;
  const std::int32_t location = pc < code.size() ? code[pc].location : -1;
  if (location < 0) return;
  const ptx::SourceLocation& place = function().locations[static_cast<std::size_t>(location)];
  const auto& files = facts_.kernel->program().files;
  const auto file = static_cast<std::size_t>(place.file);
  if (place.file >= 0 && file < files.size() && files[file] != file_ && is_of_author(files[file]))
    finding.header = {files[file], place.line};
}

bool Scene::is_new(Kind kind, std::uint32_t pc, std::uint32_t other_pc) {
  const bool fresh = known_.try_emplace(lines_of(kind, pc, other_pc), findings_.size()).second;
  if (Finding* const one = fresh ? nullptr : known(kind, pc, other_pc)) ++one->times;
  return fresh;
}

Finding* Scene::known(Kind kind, std::uint32_t pc, std::uint32_t other_pc) {
  const auto found = known_.find(lines_of(kind, pc, other_pc));
  return found != known_.end() && found->second < findings_.size() ? &findings_[found->second] : nullptr;
}

Finding& Scene::add(Finding finding) {
  finding.file = file_;
  findings_.push_back(std::move(finding));
  return findings_.back();
}

// ---- elements of shared memory that are read before another thread writes them

void Scene::add_late_write(std::uint32_t read_pc, const ThreadId& reader, const std::string& address,
                           const LateWrite& write) {
  late_writes_.try_emplace({line(read_pc), place(reader).block, address}, write);
}

const LateWrite* Scene::late_write(const Finding& finding) const {
  if (finding.kind != Kind::uninitialized_shared) return nullptr;
  const auto found = late_writes_.find({finding.line, finding.at.block, finding.address});
  return found == late_writes_.end() ? nullptr : &found->second;
}

void Scene::replace_late(Finding& known, Finding finding) {
  finding.file = file_;
  replaced_.try_emplace(known.line, known);
  known = std::move(finding);
}

namespace {

bool is_at(const Finding& race, int line, int other_line) {
  return (race.line == line && race.other_line == other_line) ||
         (race.line == other_line && race.other_line == line);
}

}  // namespace

void Scene::settle_late_writes() {
  std::erase_if(findings_, [&](Finding& finding) {
    const LateWrite* write = late_write(finding);
    if (write == nullptr) return false;
    if (const auto first = replaced_.find(finding.line); first != replaced_.end()) {
      finding = first->second;
      write = late_write(finding);
    }
    if (std::any_of(findings_.begin(), findings_.end(), [&](const Finding& other) {
          return is_race(other.kind) && other.severity == Severity::error &&
                 is_at(other, finding.line, write->line);
        }))
      return true;
    const std::string at = " at line " + std::to_string(write->line);
    const std::string who = "which " + words(write->thread) + " writes";
    if (const std::size_t from = finding.message.find(kNobodyWrote); from != std::string::npos)
      finding.message.replace(
          from, kNobodyWrote.size(),
          write->is_ordered ? who + " only later," + at : who + at + ", and nothing orders the two");
    finding.fix = write->is_ordered  ? "write it before line " + std::to_string(finding.line) + " reads it"
                  : write->same_warp ? std::string(kFixOfWarpRace)
                                     : std::string(kFixOfBlockRace);
    return false;
  });
}

Loop loop_around(const ptx::Function& function, std::uint32_t pc) {
  Loop best{pc, pc + 1};
  for (std::uint32_t at = pc; at < function.code.size(); ++at) {
    const ptx::Instruction& i = function.code[at];
    if (i.opcode != ptx::Opcode::bra || i.operands.empty() || i.operands[0].target > pc) continue;
    if (best.end == pc + 1 || at + 1 - i.operands[0].target < best.end - best.first)
      best = {i.operands[0].target, at + 1};
  }
  return best;
}

}  // namespace warplens::check
