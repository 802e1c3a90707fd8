// Of the files it is given: a line for each with the fingerprint of its text, as a string of C++. The build
// makes the list of the program's own kernels of it.
#include <cstdio>

#include "engine/base/text.hpp"
#include "engine/base/whole_file.hpp"

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    const auto text = warplens::read_whole_file(words[i]);
    if (!text) return std::fprintf(stderr, "%s\n", to_line(text.error()).c_str()), 1;
    std::printf("\"%s\",\n", warplens::fingerprint(*text).c_str());
  }
  return 0;
}
