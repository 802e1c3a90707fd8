# Of the platform "none": libraries that are headers alone, the machine's own. The names of the others are there for the rooms that
# this platform does not build.
set(headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(folder fmt nlohmann toml++ CLI)
  file(CREATE_LINK /usr/include/${folder} ${headers}/${folder} SYMBOLIC)
endforeach()
foreach(name fmt::fmt nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus CLI11::CLI11 Threads::Threads GTest::gtest GTest::gmock
    Freetype::Freetype PNG::PNG PkgConfig::FONTCONFIG PkgConfig::CAIRO PkgConfig::WEBP Cgif::Cgif Imgui::Imgui)
  add_library(${name} INTERFACE IMPORTED)
endforeach()
target_include_directories(fmt::fmt INTERFACE ${headers})
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)
set(WARPLENS_BENCHMARKS OFF)

# Debian has its sources; made where a test is.
set(googletest /usr/src/googletest)
add_library(warplens_googletest STATIC EXCLUDE_FROM_ALL ${googletest}/googletest/src/gtest-all.cc ${googletest}/googlemock/src/gmock-all.cc)
foreach(part googletest googlemock)
  target_include_directories(warplens_googletest PRIVATE ${googletest}/${part})
  target_include_directories(warplens_googletest SYSTEM INTERFACE ${googletest}/${part}/include)
  target_include_directories(warplens_googletest PRIVATE ${googletest}/${part}/include)
endforeach()
target_compile_definitions(warplens_googletest PUBLIC GTEST_HAS_PTHREAD=0 GTEST_HAS_DEATH_TEST=0 GTEST_HAS_STREAM_REDIRECTION=0)
target_compile_options(warplens_googletest PRIVATE -w)
target_link_libraries(GTest::gtest INTERFACE warplens_googletest)
