#include "engine/compile/include_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/testing/test_folder.hpp"
#include "engine/compile/source/device_source.hpp"

namespace warplens::compile {
namespace {

std::string refused(const std::string& source) {
  Request request;
  request.source = source;
  request.file_name = "k.cu";
  request.headers["sub/../here.h"] = "";
  const auto error = forbidden_include(request);
  return error ? to_line(*error) : "";
}

TEST(IncludeRules, RefuseWhatLeadsOutOfTheFolder) {
  const std::string passwd =
      "k.cu:1: the kernel may not include /etc/passwd; include files of its own folder and below, and CUDA's "
      "headers";
  EXPECT_EQ(refused("#include \"/etc/passwd\"\n"), passwd);
  for (const char* source : {"#include </etc/passwd>",
                             "  #  include\t\"/etc/passwd\"",
                             "#/* x */include/* y */\"/etc/passwd\"",
                             "/* x */ #include \"/etc/passwd\"",
                             "#inc\\\nlude \"/etc/passwd\"",
                             "%:include \"/etc/passwd\"",
                             "#include_next \"/etc/passwd\"",
                             "#include \"/etc/pa\\\nsswd\"",
                             "#/*\n*/include \"/etc/passwd\"",
                             "/*\n*/ #include \"/etc/passwd\"",
                             "#include <../../etc/passwd>",
                             "#include \"a/../../b.h\"",
                             "#include \"..\"",
                             "#define S(...) #__VA_ARGS__\nconst char* t = S(\n#include \"/etc/passwd\"\n);",
                             "#if __has_include(\"/etc/shadow\")\n#endif",
                             "#if __has_include( <../x> )\n#endif",
                             "#define F \"x\"\n#include F",
                             "#define F \"x\"\n#include \\\nF",
                             "#include /* . */ F",
                             "#embed \"/etc/passwd\""})
    EXPECT_NE(refused(source), "") << source;
  EXPECT_EQ(refused("\n\n#define A \\\n 1\n#include \"/x\"").substr(0, 7), "k.cu:5:");
}

TEST(IncludeRules, TakeWhatIsInTheFolderAndCudasHeaders) {
  for (const char* source :
       {"#include \"mine.h\"", "#include \"sub/mine.h\"", "#include <cuda_fp16.h>",
        "#include <cuda/std/array>", "#include \"a..b.h\"", "#include \"sub/../here.h\"",
        "// #include the header of /etc", "int a = 1; // see #include F", "#define INCLUDE 1",
        "const char* s = \"#include \\\"/etc/passwd\\\"\";", "/* like\n * #include F\n */",
        "/* like\n   #include ...\n   #include \"mine.h\"\n */"})
    EXPECT_EQ(refused(source), "") << source;
}

TEST(LineDirectives, AreBlanked) {
  for (const std::string directive : {"#line 1 \"/etc/passwd\"", "# 7 \"/etc/passwd\" 2", "  %: line 3",
                                      "#li\\\nne 4 \"x\"", "#/* x */line 5", "/* x */ #line 6 \"y\""}) {
    const std::string blanked = without_line_directives("int a;\n" + directive + "\nint b;\n");
    EXPECT_EQ(blanked.size(), directive.size() + 15) << directive;
    EXPECT_EQ(blanked.find("line"), std::string::npos) << directive;
    EXPECT_EQ(blanked.find('"'), std::string::npos) << directive;
    EXPECT_EQ(std::count(blanked.begin(), blanked.end(), '\n'),
              std::count(directive.begin(), directive.end(), '\n') + 3);
  }
}

TEST(LineDirectives, AreTheOnlyThingThatIs) {
  for (const std::string source :
       {"#define line 1\nint a = line;", "#pragma unroll\nfor (;;) {}", "#if 1\n#endif\n",
        "int line = 3; // #line 4", "#include \"x.h\"\n#undef A\n#"})
    EXPECT_EQ(without_line_directives(source), source);
  EXPECT_EQ(without_line_directives("#line 3 /* here\n */ int a;"), "        /* here\n */ int a;");
}

TEST(IncludeRules, FollowNoLinksOutOfTheFolder) {
  namespace fs = std::filesystem;
  const TestFolder folder;
  folder.write("secret.h", "int secret;");
  folder.write("kernel/sub/below.h", "#include \"../beside.h\"\n");
  folder.write("kernel/beside.h", "int beside;");
  fs::create_symlink("../secret.h", folder / "kernel/link.h");
  const auto headers = [&](const std::string& source) {
    std::string names;
    for (const auto& [name, text] : device_source(source, (folder / "kernel").string()).headers)
      if (!name.starts_with("warplens/")) names += name + " ";
    return names;
  };
  EXPECT_EQ(headers("#include \"sub/below.h\"\n"), "../beside.h sub/below.h ");
  EXPECT_EQ(headers("#include \"link.h\"\n"), "");
  EXPECT_EQ(headers("#include_next \"../secret.h\"\n#embed \"../secret.h\"\n"), "");
  // Left out: the name stands for an empty text, and no other directive may have it.
  EXPECT_EQ(headers("#include \"../secret.h\"\n"), "../secret.h ");
  const auto text = device_source("#include \"../secret.h\"\n", (folder / "kernel").string()).headers;
  EXPECT_EQ(text.at("../secret.h").find("int secret"), std::string::npos);
  Request request;
  request.file_name = "k.cu";
  request.headers = text;
  request.source = "#include \"../secret.h\"\n";
  EXPECT_FALSE(forbidden_include(request));
  request.source += "#include_next \"../secret.h\"\n";
  EXPECT_TRUE(forbidden_include(request));
}

}  // namespace
}  // namespace warplens::compile
