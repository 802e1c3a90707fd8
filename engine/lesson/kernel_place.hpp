// Which kernel files a lesson may name: those in its own folder, and the program's.
#pragma once

#include <filesystem>
#include <string>

#include "engine/base/result.hpp"

namespace warplens::lesson {

// Both may be relative to the current folder; links and ".." are followed before anything is compared.
struct KernelPlace {
  std::filesystem::path lesson;  // the folder of the lesson's file
  std::filesystem::path data;    // the program's folder of kernels and assets

  // An id as it is; the name of a .cu file as the path to open. Error: a file elsewhere.
  Result<std::string> find(const std::string& kernel) const;
  // The id of a run's kernel as the lesson writes it: a file of its folder without the folder.
  std::string name(const std::string& id) const;
};

}  // namespace warplens::lesson
