# WebAssembly (wasm32-wasi) by PyPI's ziglang, which is in build/ziglang: clang 21, libc++ 21, wasi-libc. What it leaves out is
# made by runtime.py.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_COMPILER ${CMAKE_CURRENT_LIST_DIR}/clang)
set(CMAKE_CXX_COMPILER ${CMAKE_CURRENT_LIST_DIR}/clang++)
set(CMAKE_AR ${CMAKE_CURRENT_LIST_DIR}/ar)
set(CMAKE_RANLIB ${CMAKE_CURRENT_LIST_DIR}/ranlib)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
string(CONCAT wasm_flags "-target wasm32-wasi -mcpu=generic+exception_handling+bulk_memory+sign_ext+nontrapping_fptoint"
  "+mutable_globals+simd128 -fwasm-exceptions -fPIC -D_WASI_EMULATED_MMAN -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_GETPID"
  " -D_WASI_EMULATED_PROCESS_CLOCKS -D_GNU_SOURCE")
set(CMAKE_C_FLAGS_INIT "${wasm_flags}")
string(CONCAT CMAKE_CXX_FLAGS_INIT "${wasm_flags} -U_LIBCPP_HAS_FILESYSTEM -D_LIBCPP_HAS_FILESYSTEM=1"
  " -include ${CMAKE_CURRENT_LIST_DIR}/one_thread.hpp")
# Every page fetches it: size before speed, but for what web/CMakeLists.txt names.
set(CMAKE_C_FLAGS_RELEASE "-Os -DNDEBUG" CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE "-Os -DNDEBUG" CACHE STRING "")
