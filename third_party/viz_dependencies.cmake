# What the pictures are made with, as imported targets. Debian's names are in debian-packages.txt.
find_package(PkgConfig REQUIRED)
find_package(Freetype REQUIRED)
find_package(PNG REQUIRED)
pkg_check_modules(FONTCONFIG REQUIRED IMPORTED_TARGET fontconfig)
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo cairo-ft)
pkg_check_modules(WEBP REQUIRED IMPORTED_TARGET libwebp libwebpmux libwebpdemux)

# cgif before 0.4 says nothing to CMake and little to pkg-config.
find_path(CGIF_INCLUDE_DIR cgif.h REQUIRED)
find_library(CGIF_LIBRARY cgif REQUIRED)
add_library(Cgif::Cgif UNKNOWN IMPORTED)
set_target_properties(Cgif::Cgif PROPERTIES IMPORTED_LOCATION ${CGIF_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${CGIF_INCLUDE_DIR})

# Debian's static library holds the FreeType loader and uses stb, of which its imgui.pc tells only half.
find_path(IMGUI_INCLUDE_DIR imgui.h PATH_SUFFIXES imgui REQUIRED)
find_library(IMGUI_LIBRARY imgui REQUIRED)
find_library(STB_LIBRARY NAMES libstb.a stb REQUIRED)
add_library(Imgui::Imgui UNKNOWN IMPORTED)
set_target_properties(Imgui::Imgui PROPERTIES IMPORTED_LOCATION ${IMGUI_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${IMGUI_INCLUDE_DIR}
  INTERFACE_LINK_LIBRARIES "${STB_LIBRARY};Freetype::Freetype;m;${CMAKE_DL_LIBS}")
