# What the window is made with. glad writes the OpenGL and EGL loaders into the build folder; --reproducible
# keeps it from fetching newer specifications. Debian's own glad first: another Python's may lack its module.
find_package(glfw3 3.3 REQUIRED)
find_program(WARPLENS_GLAD NAMES glad PATHS /usr/bin NO_DEFAULT_PATH)
find_program(WARPLENS_GLAD NAMES glad REQUIRED)

set(glad_folder ${CMAKE_BINARY_DIR}/glad)
if(NOT EXISTS ${glad_folder}/src/egl.c)
  execute_process(
    COMMAND ${WARPLENS_GLAD} --reproducible --api gl:core=3.3,egl=1.5
            --extensions EGL_EXT_platform_base,EGL_EXT_platform_device,EGL_EXT_device_base,EGL_EXT_device_enumeration,EGL_EXT_device_query,EGL_MESA_platform_surfaceless
            --out-path ${glad_folder} c --loader
    RESULT_VARIABLE glad_failed OUTPUT_VARIABLE glad_output ERROR_VARIABLE glad_output)
  if(glad_failed)
    message(FATAL_ERROR "glad could not write the OpenGL loader: ${glad_output}")
  endif()
endif()
enable_language(C)
add_library(warplens_glad STATIC ${glad_folder}/src/gl.c ${glad_folder}/src/egl.c)
target_include_directories(warplens_glad SYSTEM PUBLIC ${glad_folder}/include)
target_link_libraries(warplens_glad PUBLIC ${CMAKE_DL_LIBS})
