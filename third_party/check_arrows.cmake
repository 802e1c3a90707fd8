# Fails where a source file includes, or a CMakeLists.txt links, what ARCHITECTURE.md forbids:
#   cmake -DROOT=/path/to/the/tree -P check_arrows.cmake
cmake_minimum_required(VERSION 3.25)

# The lines in which an arrow can show: includes, links, and names of libraries that are loaded at run time.
function(arrow_lines file result)
  if(file MATCHES "CMakeLists\\.txt$")
    file(STRINGS ${ROOT}/${file} lines REGEX "^[^#]+")
  else()
    file(STRINGS ${ROOT}/${file} lines REGEX "^[ \t]*#[ \t]*include|^[^/]*\"[^\"]*\\.so")
  endif()
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

# forbid(WORDS regex IN folders-regex [EXCEPT folders-regex] BECAUSE text)
function(forbid)
  cmake_parse_arguments(ARG "" "WORDS;IN;EXCEPT;BECAUSE" "" ${ARGN})
  foreach(file IN LISTS files)
    if(NOT file MATCHES "^(${ARG_IN})/" OR (ARG_EXCEPT AND file MATCHES "^(${ARG_EXCEPT})/"))
      continue()
    endif()
    arrow_lines(${file} lines)
    foreach(line IN LISTS lines)
      if(line MATCHES "${ARG_WORDS}")
        string(STRIP "${line}" line)
        message(SEND_ERROR "${file}: ${line}\n  ${ARG_BECAUSE}")
      endif()
    endforeach()
  endforeach()
endfunction()

file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE ${ROOT} ${ROOT}/engine/* ${ROOT}/viz/* ${ROOT}/app/*)
list(FILTER files INCLUDE REGEX "(\\.(cpp|hpp|h|cc|inl)|CMakeLists\\.txt)$")
if(NOT files)
  message(FATAL_ERROR "no source files under ${ROOT}")
endif()

forbid(WORDS "[\"<](viz|app)/|warplens_(viz|app|scene|paint|figures|plot|live)" IN engine
       BECAUSE "engine knows neither the figures nor the program")
forbid(WORDS "[\"<]app/|warplens_app" IN viz BECAUSE "viz does not know the program")
forbid(WORDS "imgui" IN "engine|viz" EXCEPT "viz/paint" BECAUSE "only viz/paint and app see ImGui")
forbid(WORDS "glfw|GLFW" IN "engine|viz" BECAUSE "only app sees GLFW")
forbid(WORDS "<(glad|GL|EGL|GLES[0-9]*)/|OpenGL::|warplens_glad" IN "engine|viz" EXCEPT "viz/live"
       BECAUSE "only viz/live and app see GL")
forbid(WORDS "<(cuda|cudaGL|cuda_runtime[a-z_]*)\\.h>|libcuda\\.so|CUDA::" IN "engine|viz|app" EXCEPT "engine/gpu"
       BECAUSE "only engine/gpu sees the CUDA driver")
forbid(WORDS "<nvrtc\\.h>|libnvrtc|CUDA::nvrtc" IN "engine|viz|app" EXCEPT "engine/compile"
       BECAUSE "only engine/compile sees NVRTC")
list(LENGTH files count)

# The rooms of the program, from the bottom up: none includes what comes after it here. Tests may open the window.
list(FILTER files EXCLUDE REGEX "_test\\.cpp$")
set(rooms app/state app/gpu app/commands app/window/model app/window/kit app/window/figure app/window/pages/live app/window/pages/ladder
          app/window/pages/compare app/window/pages/playground app/window/pages app/window/actions app/window/platform app/window)
while(rooms)
  list(POP_FRONT rooms room)
  list(JOIN rooms "|" above)
  if(above)
    forbid(WORDS "\"(${above})/[^/\"]*\"" IN ${room} BECAUSE "a room of the program includes none above it")
  endif()
endwhile()
message(STATUS "${count} files checked")
