// For LeakSanitizer: Mesa keeps what it allocated until the process ends, and its libraries are unloaded
// before that, so their leaks could be neither named nor told from ours. Here they stay loaded and are left
// out by name.
#if defined(__SANITIZE_ADDRESS__)
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>

#include <string>
#include <vector>

#include "app/window/platform/offscreen.hpp"

extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libEGL_mesa\nleak:libGLX_mesa\nleak:libgallium\nleak:_dri.so\nleak:libLLVM\nleak:libglapi\n";
}

namespace warplens::app {
namespace {

std::vector<std::string> loaded_libraries() {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        if (info->dlpi_name != nullptr && info->dlpi_name[0] == '/')
          static_cast<std::vector<std::string>*>(to)->emplace_back(info->dlpi_name);
        return 0;
      },
      &names);
  return names;
}

class KeepDrivers : public ::testing::Environment {
 public:
  void SetUp() override {
    const auto egl = Offscreen::create(16, 16);
    if (!egl) return;
    for (const std::string& name : loaded_libraries())
      dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  }
};

[[maybe_unused]] const auto* const keep_drivers = ::testing::AddGlobalTestEnvironment(new KeepDrivers);

}  // namespace
}  // namespace warplens::app
#endif
