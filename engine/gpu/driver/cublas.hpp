// cuBLAS, loaded when it is asked for: the yardstick of the matrix products. Those of fp32 are in
// CUBLAS_PEDANTIC_MATH, so that every multiply-add is one of fp32; all others run on the tensor cores.
// https://docs.nvidia.com/cuda/cublas
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/gpu/driver/driver.hpp"

namespace warplens::gpu {

class Cublas {
 public:
  // Precondition: a context is current. folders: looked through first; then the usual places of the toolkit
  // and of pip. Errors: not found, or it cannot be used.
  static Result<std::unique_ptr<Cublas>> open(const std::vector<std::filesystem::path>& folders,
                                              Handle stream);
  ~Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  Status multiply(const Product& product, DevicePointer left, DevicePointer right,
                  DevicePointer result) const;
  const std::string& name() const { return name_; }  // "cuBLAS 13.0.2"

 private:
  struct Functions;
  Status multiply_on_tensor_cores(const Product& product, DevicePointer left, DevicePointer right,
                                  DevicePointer result) const;
  Cublas() = default;
  std::unique_ptr<Functions> functions_;
  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace warplens::gpu
