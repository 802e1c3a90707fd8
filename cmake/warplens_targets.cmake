# Every target of the project is made here, so flags and folders are said once.
find_program(WARPLENS_CCACHE ccache)
if(WARPLENS_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${WARPLENS_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${WARPLENS_CCACHE})
endif()

# Sixty programs are linked: in half of the time where gold is there.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold WARPLENS_GOLD)
if(WARPLENS_GOLD)
  add_link_options(-fuse-ld=gold)
endif()

add_library(warplens_flags INTERFACE)
target_include_directories(warplens_flags INTERFACE ${CMAKE_SOURCE_DIR})
# Contraction off: a*b+c must round twice unless the kernel says fma.
target_compile_options(warplens_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Werror -ffp-contract=off)
if(WARPLENS_PLATFORM STREQUAL "none")
  # Warnings are looked at natively, but for this one: sizes have 32 bits here.
  target_compile_options(warplens_flags INTERFACE -Wno-everything -Wshorten-64-to-32)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # False positives of g++ 12 and 13 inside the standard library at -O2 and above.
  target_compile_options(warplens_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized -Wno-dangling-reference -Wno-stringop-overflow -Wno-array-bounds)
endif()
if(WARPLENS_SANITIZE)
  target_compile_options(warplens_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
    -UNDEBUG -D_GLIBCXX_ASSERTIONS)  # the libraries' own checks as well
  target_link_options(warplens_flags INTERFACE -fsanitize=address,undefined)
endif()

# What nearly every source includes, compiled once. Of the standard library and fmt alone: a header of this project would
# make everything compile anew when it changes. A source with flags of its own sets SKIP_PRECOMPILE_HEADERS.
target_link_libraries(warplens_flags INTERFACE fmt::fmt)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(warplens_flags INTERFACE -fpch-preprocess)  # so that ccache sees what is precompiled
endif()
function(warplens_precompile name flags)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${flags})
  target_precompile_headers(${name} PRIVATE <algorithm> <array> <bit> <chrono> <cmath> <cstdint> <cstring> <filesystem>
    <fstream> <functional> <map> <memory> <mutex> <optional> <set> <span> <sstream> <string> <string_view> <thread>
    <utility> <variant> <vector> <fmt/format.h> ${ARGN})
endfunction()
warplens_precompile(warplens_precompiled warplens_flags)
function(warplens_use_precompiled name from)
  if(TARGET ${from})
    target_precompile_headers(${name} REUSE_FROM ${from})
  endif()
endfunction()

# What this folder and those below it have is rules, words and widgets, no loops over data: it compiles in three quarters of the
# time, and no run takes longer.
macro(warplens_compile_quickly)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND WARPLENS_PLATFORM STREQUAL "posix")
    add_compile_options(-O1)
  endif()
endmacro()

# Sixteen sources of a library are compiled as one, in half of the time, since most of it is spent on headers. So a name in an
# unnamed namespace must be the only one of its kind in its library. The preset "dev" compiles each source alone.
option(WARPLENS_UNITY "Compile the sources of a library in groups" ON)
function(warplens_group name)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${WARPLENS_UNITY} UNITY_BUILD_BATCH_SIZE 16)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# warplens_library(NAME [APART] SOURCES a.cpp ... [POSIX c.cpp ...] [NONE d.cpp ...] [ALONE b.cpp ...] LINKS other ... PRIVATE_LINKS
# private ...). POSIX, NONE: the sources of that platform alone. APART: each source is compiled alone; ALONE: these are.
function(warplens_library name)
  cmake_parse_arguments(ARG "APART" "" "SOURCES;POSIX;NONE;ALONE;LINKS;PRIVATE_LINKS" ${ARGN})
  string(TOUPPER ${WARPLENS_PLATFORM} platform)
  add_library(${name} STATIC ${ARG_SOURCES} ${ARG_${platform}})
  target_link_libraries(${name} PUBLIC warplens_flags ${ARG_LINKS} PRIVATE ${ARG_PRIVATE_LINKS})
  warplens_use_precompiled(${name} warplens_precompiled)
  if(NOT ARG_APART)
    warplens_group(${name} ${ARG_ALONE})
  endif()
endfunction()

# warplens_embed(TARGET NAME source.cpp files...): the texts of these files as rows {"name", R"(text)"}, which source.cpp includes as
# NAME.inc. It is compiled alone.
function(warplens_embed target name source)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}/${name}.inc)
  add_custom_command(OUTPUT ${out} COMMAND ${CMAKE_COMMAND} -DOUT=${out} "-DFILES=${ARGN}" -P ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake VERBATIM)
  target_sources(${target} PRIVATE ${out})
  set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON INCLUDE_DIRECTORIES ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}
    OBJECT_DEPENDS ${out})
endfunction()

# What is tested is in the libraries; the cases themselves run once, and compile in three quarters of the time.
add_library(warplens_test_flags INTERFACE)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_options(warplens_test_flags INTERFACE -O1)
endif()
# A group includes its sources by their whole paths, which the tests' macros write down: without them the compiler cache knows the
# group in another clone too.
target_compile_options(warplens_test_flags INTERFACE -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)
target_link_libraries(warplens_test_flags INTERFACE warplens_flags GTest::gtest GTest::gmock)
if(WARPLENS_PLATFORM STREQUAL "posix")
  warplens_precompile(warplens_precompiled_tests warplens_test_flags <gtest/gtest.h> <gmock/gmock.h>)
endif()

# What the tests' kernels compile to, kept beside what ccache keeps: an entry is named by the whole request and the compiler, so
# another clone, or a build begun again, compiles no kernel twice.
set(default_test_cache "${CMAKE_BINARY_DIR}/test_cache")
if(DEFINED ENV{XDG_CACHE_HOME})
  set(default_test_cache "$ENV{XDG_CACHE_HOME}/warplens_tests")
elseif(DEFINED ENV{HOME})
  set(default_test_cache "$ENV{HOME}/.cache/warplens_tests")
endif()
set(WARPLENS_TEST_CACHE "${default_test_cache}" CACHE PATH "What the tests' kernels compile to")

# Where the source tree and the programs are, for tests and benchmarks; and the main() of tests.
set(testing ${CMAKE_SOURCE_DIR}/engine/base/testing)
add_library(warplens_places STATIC ${testing}/places.cpp)
target_link_libraries(warplens_places PRIVATE warplens_flags)
target_compile_definitions(warplens_places PRIVATE WARPLENS_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
  WARPLENS_PROGRAMS="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" WARPLENS_TEST_CACHE="${WARPLENS_TEST_CACHE}")
add_library(warplens_test_main STATIC ${testing}/test_main.cpp ${testing}/skips.cpp)
target_link_libraries(warplens_test_main PUBLIC warplens_test_flags warplens_places)
warplens_use_precompiled(warplens_test_main warplens_precompiled_tests)

# warplens_test(NAME SOURCES a_test.cpp ... LINKS lib ... [COST seconds] [SHARDS n] [LONG filter FEW filter]): one GoogleTest
# program. COST: about how long it takes, so that the longest begin first. SHARDS: as so many tests of CTest, NAME_1 and on.
# LONG: the cases that only `./test --long` runs, as NAME_long, but for the FEW among them that NAME_few always runs.
function(warplens_test name)
  cmake_parse_arguments(ARG "" "COST;SHARDS;LONG;FEW" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} warplens_test_main)
  warplens_use_precompiled(${name} warplens_precompiled_tests)
  warplens_group(${name})
  if(ARG_SHARDS)
    foreach(shard RANGE 1 ${ARG_SHARDS})
      math(EXPR index "${shard} - 1")
      warplens_add_test(${name}_${shard} COST "${ARG_COST}" COMMAND ${name}
        ENVIRONMENT GTEST_TOTAL_SHARDS=${ARG_SHARDS} GTEST_SHARD_INDEX=${index})
    endforeach()
  elseif(ARG_LONG)
    warplens_add_test(${name} COST "${ARG_COST}" COMMAND ${name} --gtest_filter=-${ARG_LONG})
    warplens_add_test(${name}_few COST "${ARG_COST}" COMMAND ${name} --gtest_filter=${ARG_FEW})
    warplens_add_test(${name}_long COMMAND ${name} --gtest_filter=${ARG_LONG})
    set_tests_properties(${name}_long PROPERTIES LABELS long TIMEOUT 7200)
  else()
    warplens_add_test(${name} COST "${ARG_COST}" COMMAND ${name})
  endif()
endfunction()

# One cache of compiled kernels for all tests: each kernel is compiled once. Without nvdisasm, which is not on every machine:
# those that are about it bring one of their own. MALLOC_: a process keeps what it gave back, for its next run; handing it to the
# system and taking it again was a fifth of the tests' time.
function(warplens_add_test name)
  cmake_parse_arguments(ARG "" "COST" "COMMAND;ENVIRONMENT" ${ARGN})
  add_test(NAME ${name} COMMAND ${ARG_COMMAND})
  set(environment XDG_CACHE_HOME=${WARPLENS_TEST_CACHE} WARPLENS_NVDISASM=none
    MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=1073741824 ${ARG_ENVIRONMENT})
  set_tests_properties(${name} PROPERTIES TIMEOUT 1800 ENVIRONMENT "${environment}")
  if(ARG_COST)
    set_tests_properties(${name} PROPERTIES COST ${ARG_COST})
  endif()
endfunction()

# warplens_benchmark(NAME SOURCES a_benchmark.cpp ... LINKS lib ...). The target "benchmarks" is all of them; the long tests
# begin with it, so that none stops compiling unseen.
add_custom_target(benchmarks)
function(warplens_benchmark name)
  if(NOT WARPLENS_BENCHMARKS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE warplens_flags ${ARG_LINKS} warplens_places benchmark::benchmark)
  add_dependencies(benchmarks ${name})
endfunction()

# warplens_fuzzer(NAME SOURCES a_fuzz.cpp ... LINKS lib ...): a fuzzer with both sanitizers: clang's libFuzzer, or with g++
# a driver of our own (engine/base/testing/fuzz_driver.cpp), which is slower and compiles everything.
# NAME ends in _fuzz; ./test --fuzz knows the files that it starts from. The target "fuzzers" is all of them.
if(WARPLENS_FUZZ)
  # The libraries count their branches too: a fuzzer that sees only its own file searches blindly.
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(warplens_flags INTERFACE -fsanitize=fuzzer-no-link)
  else()
    target_compile_options(warplens_flags INTERFACE -fsanitize-coverage=trace-pc)
    add_library(warplens_fuzz_driver OBJECT ${testing}/fuzz_driver.cpp)
    target_compile_options(warplens_fuzz_driver PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Werror)
  endif()
  add_custom_target(fuzzers)
endif()
function(warplens_fuzzer name)
  if(NOT WARPLENS_FUZZ)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE warplens_flags ${ARG_LINKS})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
  else()
    target_link_libraries(${name} PRIVATE warplens_fuzz_driver)
  endif()
  add_dependencies(fuzzers ${name})
endfunction()
