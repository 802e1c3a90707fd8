# cmake -DOUT=texts.inc "-DFILES=a;b" -P embed_files.cmake: each file as a row {"name", R"(text)"} of C++, in this order.
# The name is without what follows its last dot.
set(rows "")
foreach(file ${FILES})
  get_filename_component(name "${file}" NAME_WLE)
  file(READ "${file}" text)
  string(APPEND rows "{\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE "${OUT}" "${rows}")
