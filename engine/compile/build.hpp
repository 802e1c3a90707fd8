// CUDA C++ source -> PTX and machine code, through NVRTC loaded at run time. Needs no GPU and no driver.
// Options are the defaults of nvcc -O3: fused multiply-add on, no fast math. nvcc 13 also shortens
// shared-memory addresses to 32 bits, which NVRTC does not: same memory instructions, slightly different
// address arithmetic. PTX and machine code come from one pass.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/catalog/kernel_spec.hpp"

namespace warplens::compile {

struct Request {
  std::string source;       // the whole .cu text
  std::string file_name;    // as errors and .loc name it
  catalog::Values defines;  // -DTILE=32 ...
  int arch = 90;            // 75 to 121
  bool want_cubin = true;   // false: PTX only, quicker; registers, spills, memory and instructions stay 0
  std::map<std::string, std::string> headers =
      {};                   // as #include names them -> text; the file's folder is not searched
  std::string kernel = {};  // which one, or of a template: "scale<float, 256>"; empty: the only one
  // Of variables of the host, which are none of the device's: the lines of the file that declare them.
  std::map<std::string, int> host_variables = {};
  std::string variant = {};  // "a" of sm_90a: code for this architecture alone; "f": for its family
};

// Instructions of one memory opcode in the cubin, by width of one lane's access: 1, 2, 4, 8, 16 bytes, and
// the 32 bytes of global accesses on 10.0 and later. cubin.hpp lists them one by one.
struct OpcodeWidths {
  std::array<std::uint32_t, 6> by_width{};
  std::uint32_t total() const { return std::accumulate(by_width.begin(), by_width.end(), 0u); }
};
struct CubinInstructions {
  OpcodeWidths shared_load, shared_store, global_load, global_store;  // LDS STS LDG STG
  std::uint32_t all = 0;                                              // without the NOPs that pad the end
  bool moves_registers =
      false;  // setmaxnreg; ptxas leaves it out where it does not know the registers at entry
};

// What the compiler said of a text that it took.
struct Warning {
  Place place;     // file and line; the line is 0 where it names none
  int number = 0;  // NVRTC's: 549 of "warning #549-D"; 0: it gave none, as ptxas does
  std::string text;
};
std::string to_line(const Warning& warning);  // "file:line: text"

struct Build {
  std::string ptx;
  std::vector<std::byte> cubin;  // empty where not wanted
  std::string kernel_name;       // the one extern "C" entry
  int registers = 0;
  std::int64_t spill_store_bytes = 0, spill_load_bytes = 0, stack_bytes = 0;
  std::int64_t static_shared_bytes = 0;  // of the kernel itself, without the system's reserve
  std::int64_t constant_bytes = 0;       // of the file's __constant__ variables
  CubinInstructions instructions;
  std::vector<Warning> warnings;
  int arch = 0;
  std::string compiler;  // "NVRTC 13.0"
  bool from_cache = false;
  double seconds = 0;  // of this compile() call
};

// The compiler and its on-disk cache. Thread-safe. Several programs may share one cache folder.
// A cached result loads no NVRTC: entries are found by the request and by the library file's path, size and
// time. Where no NVRTC is installed an entry of any NVRTC is used, so a cache folder can be shipped to such a
// machine. Wherever it is compiled, no file is read but NVRTC's own where the system can keep it from them
// (confine.hpp).
class Compiler {
 public:
  struct Options {
    std::filesystem::path library;       // libnvrtc itself or its folder; empty: look in the usual places
    std::filesystem::path cache_folder;  // empty: no cache
    // Looked through first: toolkits ($CUDA_PATH), Python environments ($VIRTUAL_ENV), folders of pip
    // --target.
    std::vector<std::filesystem::path> search_folders = {};
    std::uint64_t cache_bytes = std::uint64_t{256} << 20;  // the oldest entries go beyond it
    // The words that start a process which compiles for this one (worker.hpp): it has limits of time and
    // memory. Empty, and where it does not start: a program of several threads compiles in itself.
    std::vector<std::string> worker = {};
  };
  // Never fails: where there is no NVRTC, compile() returns what is cached or says what to install.
  explicit Compiler(Options options);
  ~Compiler();
  Compiler(Compiler&&) noexcept;

  // Errors: a compiler error with the kernel's file and line (the first; the rest in its message's count), no
  // NVRTC, an architecture that this NVRTC does not know (lists those it does), stopped.
  // stop: asked again and again, some tens of milliseconds apart, by an NVRTC that has
  // nvrtcSetFlowCallback (13 has); others compile to the end.
  Result<Build> compile(const Request& request, const std::stop_token& stop = {});
  bool available();           // whether NVRTC could be loaded
  std::string description();  // "NVRTC 13.0 (path)" or why not
  // One line where the cache folder cannot be written (then compiling goes on uncached); empty where all is
  // well.
  std::string cache_warning() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warplens::compile
