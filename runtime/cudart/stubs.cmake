# cmake -DSYMBOLS=symbols.txt -DOUT=stubs.cpp -P stubs.cmake: every function of the runtime that is not written here, as a weak one that says so;
# and those of programs that are compiled with a default stream a thread (_ptsz, _ptds) as the ones without it.
file(STRINGS "${SYMBOLS}" names)
set(text "extern \"C\" int warplens_unsupported(const char*);\n#define STUB(name) extern \"C\" __attribute__((visibility(\"default\"), weak)) int name() { return warplens_unsupported(#name); }\n#define SAME(name, base) __asm__(\".globl \" #name \"\\n.type \" #name \", @function\\n\" #name \": jmp \" #base \"\\n\");\n")
foreach(name ${names})
  if(name MATCHES "^(.*)_pt[ds][sz]$")
    string(APPEND text "SAME(${name}, ${CMAKE_MATCH_1})\n")
  elseif(NOT name MATCHES "^__cuda(Push|Pop)CallConfiguration$")
    string(APPEND text "STUB(${name})\n")
  endif()
endforeach()
file(WRITE "${OUT}" "${text}")
