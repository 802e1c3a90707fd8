// cuRAND's functions for the host. NVIDIA's own library makes the numbers, by its generators for the host's processor, which give
// the same ones as those for a device; they are written where our runtime has device memory mapped once more.
#include <chrono>
#include <cstddef>

#include "runtime/cudart/cuda_types.hpp"
#include "runtime/cudart/library.hpp"
#include "runtime/forwarded/forwarded.hpp"
#include "runtime/protocol/forwarded_names.hpp"

extern "C" cudaError_t cudaPointerGetAttributes(cudaPointerAttributes*, const void*);

namespace {

enum Status : int { kSuccess = 0, kNotInitialized = 101, kLaunchFailure = 201, kInitializationFailed = 203, kInternalError = 999 };

// What a program's curandGenerator_t points at.
struct Generator {
  void* theirs = nullptr;
  bool is_device = true;  // of curandCreateGenerator: it writes to memory that the device reaches alone
};

const warplens::runtime::Forwarded& library() {
  static const warplens::runtime::Forwarded loaded(
      warplens::protocol::kCurandVariable,
      "warplens: there is no libcurand.so.10, which makes this program's random numbers: install cuRAND of a CUDA 13 toolkit\n");
  return loaded;
}

template <class... Types>
int forward(const char* name, Types... values) {
  return library().call(name, int{kInitializationFailed}, values...);
}

int create(Generator** generator, int kind, bool is_device) {
  if (generator == nullptr) return kNotInitialized;
  void* theirs = nullptr;
  if (const int status = forward("curandCreateGeneratorHost", &theirs, kind); status != kSuccess) return status;
  *generator = new Generator{theirs, is_device};
  return kSuccess;
}

bool is_of_device(const void* p) {
  cudaPointerAttributes attributes{};
  return cudaPointerGetAttributes(&attributes, p) == cudaSuccess && attributes.type != 0;
}

// The numbers' function of this name, with what stands behind their count.
template <class T, class... Types>
int generate(const char* name, Generator* generator, T* to, std::size_t count, Types... more) {
  if (generator == nullptr) return kNotInitialized;
  if (count > 0 && generator->is_device && !is_of_device(to)) return kLaunchFailure;
  void* const reachable = cudaWarplensReachable(to, count * sizeof(T));
  if (count > 0 && reachable == nullptr) return kLaunchFailure;
  const auto begin = std::chrono::steady_clock::now();
  const int status = forward(name, generator->theirs, static_cast<T*>(reachable), count, more...);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  if (generator->is_device) cudaWarplensLibraryCall(name, taken.count());
  return status;
}

}  // namespace

extern "C" int warplens_unsupported(const char* name) {
  cudaWarplensUnsupported(name);
  return kInternalError;
}

#define CURAND_API extern "C" __attribute__((visibility("default"))) int

CURAND_API curandCreateGenerator(Generator** generator, int kind) { return create(generator, kind, true); }
CURAND_API curandCreateGeneratorHost(Generator** generator, int kind) { return create(generator, kind, false); }
CURAND_API curandDestroyGenerator(Generator* generator) {
  if (generator == nullptr) return kNotInitialized;
  const int status = forward("curandDestroyGenerator", generator->theirs);
  delete generator;
  return status;
}
// All work is done when it is given, whatever the stream.
CURAND_API curandSetStream(Generator* generator, void*) { return generator != nullptr ? kSuccess : kNotInitialized; }

// Of a generator, handed on as they are.
#define SET(name, type)                                                                     \
  CURAND_API name(Generator* generator, type value) {                                       \
    return generator != nullptr ? forward(#name, generator->theirs, value) : int{kNotInitialized}; \
  }
SET(curandSetPseudoRandomGeneratorSeed, unsigned long long)
SET(curandSetGeneratorOffset, unsigned long long)
SET(curandSetGeneratorOrdering, int)
SET(curandSetQuasiRandomGeneratorDimensions, unsigned)
CURAND_API curandGenerateSeeds(Generator* generator) {
  return generator != nullptr ? forward("curandGenerateSeeds", generator->theirs) : int{kNotInitialized};
}

#define GENERATE(name, type) \
  CURAND_API name(Generator* generator, type* to, std::size_t count) { return generate(#name, generator, to, count); }
GENERATE(curandGenerate, unsigned)
GENERATE(curandGenerateLongLong, unsigned long long)
GENERATE(curandGenerateUniform, float)
GENERATE(curandGenerateUniformDouble, double)

#define GENERATE_NORMAL(name, type)                                                                    \
  CURAND_API name(Generator* generator, type* to, std::size_t count, type mean, type deviation) {      \
    return generate(#name, generator, to, count, mean, deviation);                                     \
  }
GENERATE_NORMAL(curandGenerateNormal, float)
GENERATE_NORMAL(curandGenerateNormalDouble, double)
GENERATE_NORMAL(curandGenerateLogNormal, float)
GENERATE_NORMAL(curandGenerateLogNormalDouble, double)
CURAND_API curandGeneratePoisson(Generator* generator, unsigned* to, std::size_t count, double mean) {
  return generate("curandGeneratePoisson", generator, to, count, mean);
}

// Of the library: numbers in the host's memory.
#define GET(name, type) \
  CURAND_API name(type to) { return forward(#name, to); }
GET(curandGetVersion, int*)
GET(curandGetScrambleConstants32, unsigned**)
GET(curandGetScrambleConstants64, unsigned long long**)
#define GET_VECTORS(name) \
  CURAND_API name(void* to, int set) { return forward(#name, to, set); }
GET_VECTORS(curandGetDirectionVectors32)
GET_VECTORS(curandGetDirectionVectors64)
CURAND_API curandGetProperty(int which, int* value) { return forward("curandGetProperty", which, value); }
