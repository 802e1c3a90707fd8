// testdata/user_kernels.cu, kernels as users write them, against the host: in the PTX dialects of compute_80,
// 90 and 100, with each instruction set, and on 1, 2 and 7 threads of the host, all of which must give the
// same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <set>

#include "engine/emulator/testing/kernel_session.hpp"

namespace warplens::emulator {
namespace {

std::uint16_t half_of(float v) { return __builtin_bit_cast(std::uint16_t, static_cast<_Float16>(v)); }
float from_half(std::uint16_t v) { return static_cast<float>(__builtin_bit_cast(_Float16, v)); }
std::uint16_t bf16_of(float v) {  // to nearest, ties to even
  const auto bits = __builtin_bit_cast(std::uint32_t, v);
  return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
float from_bf16(std::uint16_t v) { return __builtin_bit_cast(float, std::uint32_t{v} << 16); }

// ---- the kernels

void softmax(Session& s) {
  constexpr int kRows = 5, kWidth = 75;
  const auto in = floats(kRows * kWidth, 1, -4, 4);
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<float>(in.size()));
  s.run({kRows, 1, 1}, {64, 1, 1}, ArgumentList().add(a).add(b).add(kWidth));
  const auto out = s.read<float>(b, in.size());
  for (std::size_t r = 0; r < kRows; ++r) {
    double sum = 0;
    for (std::size_t i = 0; i < kWidth; ++i) sum += std::exp(double{in[r * kWidth + i]});
    for (std::size_t i = 0; i < kWidth; ++i)
      ASSERT_NEAR(out[r * kWidth + i], std::exp(double{in[r * kWidth + i]}) / sum, 1e-6) << r << " " << i;
  }
}

void histogram(Session& s) {
  const auto in = filled<std::uint8_t>(3001, 2, [](auto& r) { return (r() >> 8) % 251 * ((r() >> 9) & 1); });
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<std::uint32_t>(256));
  s.run({7, 1, 1}, {96, 1, 1}, ArgumentList().add(a).add(b).add(static_cast<int>(in.size())));
  std::vector<std::uint32_t> expected(256);
  for (std::uint8_t v : in) ++expected[v];
  EXPECT_EQ(s.read<std::uint32_t>(b, 256), expected);
}

void scan(Session& s, std::uint32_t threads, bool dynamic) {
  const int n = static_cast<int>(threads) - 5;
  const auto in = integers(threads, 3, -100, 100);
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<int>(threads));
  s.run({1, 1, 1}, {threads, 1, 1}, ArgumentList().add(a).add(b).add(n), dynamic ? threads * 4 : 0);
  std::vector<int> expected(threads);
  std::partial_sum(in.begin(), in.begin() + n, expected.begin());
  EXPECT_EQ(s.read<int>(b, threads), expected);
}
void scan_shared(Session& s) { scan(s, 256, true); }
void scan_shuffle(Session& s) { scan(s, 512, false); }

void bitonic_sort(Session& s) {
  auto data = filled<std::uint32_t>(512, 4, [](auto& r) { return r() % 700; });
  const auto a = s.buffer("data", data);
  s.run({1, 1, 1}, {256, 1, 1}, ArgumentList().add(a).add(512), 2048);
  std::sort(data.begin(), data.end());
  EXPECT_EQ(s.read<std::uint32_t>(a, 512), data);
}

void reduce_double(Session& s) {
  const auto in = filled<double>(1000, 5, std::uniform_real_distribution<double>(-1, 1));
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<double>(1));
  s.run({1, 1, 1}, {128, 1, 1}, ArgumentList().add(a).add(b).add(1000));
  std::array<double, 128> parts{};
  for (std::size_t i = 0; i < in.size(); ++i) parts[i % 128] += in[i];
  for (std::size_t d = 64; d > 0; d /= 2)
    for (std::size_t i = 0; i < d; ++i) parts[i] += parts[i + d];
  EXPECT_EQ(s.read<double>(b, 1)[0], parts[0]);
}

void divergent_shuffle(Session& s) {
  const auto in = integers(256, 6, 0, 1000);
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<int>(256));
  s.run({2, 1, 1}, {128, 1, 1}, ArgumentList().add(a).add(b));
  std::vector<int> first(256), expected(256);
  for (std::size_t w = 0; w < 8; ++w) {
    int sum = 0, largest = -1, before = 0;
    for (std::size_t l = 0; l < 32; ++l) {
      const int v = in[w * 32 + l];
      sum += v % 2 == 1 ? v : 0;
      largest = v % 2 == 0 ? std::max(largest, v) : largest;
    }
    for (std::size_t l = 0; l < 32; ++l)
      first[w * 32 + l] = in[w * 32 + l] % 2 == 1 ? sum + before++ : largest;
    for (std::size_t l = 0; l < 32; ++l)
      expected[w * 32 + l] = first[w * 32 + l] + (l == 31 ? 0 : first[w * 32 + l + 1]);
  }
  EXPECT_EQ(s.read<int>(b, 256), expected);
}

void collatz(Session& s) {
  const auto in = filled<std::uint32_t>(200, 7, [](auto& r) { return 1 + r() % 3000; });
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<std::uint32_t>(200));
  s.run({4, 1, 1}, {64, 1, 1}, ArgumentList().add(a).add(b).add(200));
  std::vector<std::uint32_t> expected;
  for (std::uint32_t v : in) {
    std::uint32_t steps = 0;
    while (v > 1) {
      v = v % 2 == 0 ? v / 2 : 3 * v + 1;
      if (++steps > 500) break;
      if (v == 27) continue;
      if (v % 7 == 0) ++steps;
    }
    expected.push_back(steps);
  }
  EXPECT_EQ(s.read<std::uint32_t>(b, 200), expected);
}

int switch_of(int v) {
  int r = 0;
  for (int k = 0; k < 3; ++k) {
    switch (v % 9) {
      case 0:
        r += 5;
        break;
      case 1:
        r *= 3;
        [[fallthrough]];
      case 2:
        r -= v;
        break;
      case 3:
        r ^= 0x55;
        break;
      case 4:
        return r;
      case 5:
        r = r * 4;
        break;
      case 6:
        r |= 7;
        [[fallthrough]];
      case 7:
        r += k;
        break;
      default:
        r = -r;
    }
    v = v / 2 + 11;
  }
  return r;
}
void switches(Session& s) {
  const auto in = integers(300, 8, 0, 5000);
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<int>(300));
  s.run({3, 1, 1}, {128, 1, 1}, ArgumentList().add(a).add(b).add(300));
  std::vector<int> expected;
  for (int v : in) expected.push_back(switch_of(v));
  EXPECT_EQ(s.read<int>(b, 300), expected);
}

int nested_loops(int v) {
  int sum = 0;
  for (int i = 0; i < (v & 7); ++i) {
    if ((v >> i) & 1) {
      for (int j = i; j < (v & 15); j += 2) {
        if (j == 9) break;
        sum += i * j;
      }
    } else if (v & 16) {
      sum -= i;
      if (sum < -10) return sum;
    }
  }
  return sum;
}
void nested(Session& s) {
  const auto in = integers(384, 9, 0, 255);
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<int>(384));
  s.run({3, 1, 1}, {128, 1, 1}, ArgumentList().add(a).add(b));
  std::vector<int> expected(384);
  for (std::size_t block = 0; block < 3; ++block) {
    std::array<int, 128> first{}, second{};
    for (std::size_t t = 0; t < 128; ++t) first[t] = nested_loops(in[block * 128 + t]);
    for (std::size_t t = 0; t < 128; ++t) {
      second[t] = first[t];
      if (t < 64) {
        for (std::size_t k = 0; k < t % 5; ++k) second[t] += first[(t + k) % 128];
      } else {
        second[t] -= first[127 - t];
      }
    }
    for (std::size_t t = 0; t < 128; ++t) expected[block * 128 + t] = second[t * 7 % 128];
  }
  EXPECT_EQ(s.read<int>(b, 384), expected);
}

void calls(Session& s) {
  const auto in = integers(96, 10, -50, 50);
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<int>(96)),
             c = s.buffer("turned", std::vector<float>(192));
  s.run({1, 1, 1}, {96, 1, 1}, ArgumentList().add(a).add(b).add(c));
  std::vector<int> expected;
  std::vector<float> turned;
  for (int t = 0; t < 96; ++t) {
    const int v = in[static_cast<std::size_t>(t)], w = v % 2 != 0 ? 4 * v + 2 : v;
    expected.push_back(w + (v % 2 != 0 ? 2000 : 0));
    const auto x = static_cast<float>(w), y = static_cast<float>(t);
    turned.push_back(t % 3 == 0 ? x : t % 3 == 1 ? -y : -x);
    turned.push_back(t % 3 == 0 ? y : t % 3 == 1 ? x : -y);
  }
  EXPECT_EQ(s.read<int>(b, 96), expected);
  EXPECT_EQ(s.read<float>(c, 192), turned);
}

void local_array(Session& s) {
  const auto in = integers(64, 11, 0, 1000);
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<int>(64));
  s.run({1, 1, 1}, {64, 1, 1}, ArgumentList().add(a).add(b));
  std::vector<int> expected;
  for (int t = 0; t < 64; ++t) {
    const int v = in[static_cast<std::size_t>(t)];
    std::array<int, 16> local{};
    for (int i = 0; i < 16; ++i) local[static_cast<std::size_t>(i)] = v * i;
    for (int i = 0; i < 16; ++i) local[static_cast<std::size_t>((v + i) & 15)] += i;
    expected.push_back(local[static_cast<std::size_t>(v & 15)] + local[static_cast<std::size_t>(t & 15)]);
  }
  EXPECT_EQ(s.read<int>(b, 64), expected);
}

struct Particle {
  float x, y, z;
  char kind;
  double mass;
  std::int16_t charge[3];
};
void structs(Session& s) {
  std::vector<Particle> in(70);
  std::memset(static_cast<void*>(in.data()), 0, in.size() * sizeof(Particle));
  for (int i = 0; i < 70; ++i) {
    Particle& p = in[static_cast<std::size_t>(i)];
    const auto f = static_cast<float>(i);
    p.x = f, p.y = f + 1, p.z = f + 2, p.kind = static_cast<char>(i - 30), p.mass = i * 0.5;
    for (int k = 0; k < 3; ++k) p.charge[k] = static_cast<std::int16_t>(-i * 100 + k);
  }
  Particle offset{};
  offset.x = 10, offset.y = 3, offset.kind = 5, offset.mass = 0.25, offset.charge[2] = -32000;
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<Particle>(70));
  s.run({2, 1, 1}, {64, 1, 1}, ArgumentList().add(a).add(b).add(offset).add(70));
  const auto out = s.read<Particle>(b, 70);
  for (int i = 0; i < 70; ++i) {
    Particle p = in[static_cast<std::size_t>(i)];
    const Particle& q = out[static_cast<std::size_t>(i)];
    p.charge[i % 3] = static_cast<std::int16_t>(p.charge[i % 3] - 32000);
    EXPECT_EQ(q.x, p.x + 10);
    EXPECT_EQ(q.y, p.y);
    EXPECT_EQ(q.z, p.z * 3);
    EXPECT_EQ(q.kind, static_cast<char>(p.kind - 5));
    EXPECT_EQ(q.mass, p.mass + 0.25 * i);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(q.charge[k], p.charge[k]) << i;
  }
}

void constant_filter(Session& s) {
  constexpr int kWidth = 37, kHeight = 21;
  static constexpr float kWeights[9] = {0.5f, -1, 0.25f, 2, 4, -2, 1, 0.125f, -0.5f};
  const auto in = filled<float>(kWidth * kHeight, 12, [](auto& r) { return r() % 64; });  // sums are exact
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<float>(in.size()));
  s.run({3, 3, 1}, {16, 8, 1}, ArgumentList().add(a).add(b).add(kWidth).add(kHeight));
  const auto out = s.read<float>(b, in.size());
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      float sum = kWeights[(x + y) % 9] + 10.0f * static_cast<float>(1 + (x & 3));
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const int u = std::clamp(x + dx, 0, kWidth - 1), v = std::clamp(y + dy, 0, kHeight - 1);
          sum += kWeights[3 * (dy + 1) + dx + 1] * in[static_cast<std::size_t>(v * kWidth + u)];
        }
      ASSERT_EQ(out[static_cast<std::size_t>(y * kWidth + x)], sum) << x << " " << y;
    }
}

void to_upper(Session& s) {
  constexpr std::size_t kStride = 48, kTexts = 40;
  std::vector<char> in(kStride * kTexts), expected(kStride * kTexts);
  std::vector<std::int16_t> lengths;
  for (std::size_t t = 0; t < kTexts; ++t) {
    const std::string text = "The quick brown fox: \x80\xffjumps {42} times!" + std::string(t % 7, 'z');
    const std::size_t length = t % text.size() + 1;
    for (std::size_t i = 0; i < length; ++i) {
      in[t * kStride + i] = text[i];
      expected[t * kStride + i] =
          text[i] >= 'a' && text[i] <= 'z' ? static_cast<char>(text[i] - 32) : text[i];
    }
    lengths.push_back(static_cast<std::int16_t>(-static_cast<int>(length)));
  }
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<char>(in.size())),
             c = s.buffer("lengths", std::vector<std::int16_t>(kTexts));
  s.run({1, 1, 1}, {kTexts, 1, 1}, ArgumentList().add(a).add(b).add(c).add(static_cast<int>(kStride)));
  EXPECT_EQ(s.read<char>(b, in.size()), expected);
  EXPECT_EQ(s.read<std::int16_t>(c, kTexts), lengths);
}

void bytes_shared(Session& s) {
  const auto in = filled<std::uint8_t>(299, 13, [](auto& r) { return r(); });
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<std::uint8_t>(299));
  s.run({1, 1, 1}, {50, 1, 1}, ArgumentList().add(a).add(b).add(299));
  std::vector<std::uint8_t> expected;
  for (std::size_t i = 0; i < 299; ++i) expected.push_back(in[298 - i] ^ in[i * 3 % 299]);
  EXPECT_EQ(s.read<std::uint8_t>(b, 299), expected);
}

void mixed_spaces(Session& s) {
  const auto data = integers(64, 14, 0, 100);
  const auto a = s.buffer("data", data), b = s.buffer("out", std::vector<int>(64));
  s.run({1, 1, 1}, {64, 1, 1}, ArgumentList().add(a).add(b));
  std::vector<int> expected;
  for (int t = 0; t < 64; ++t) {
    std::array<int, 4> mine{100, 200, 300, 400};
    int shared = t * 3, value = 0;
    if (t % 3 == 0) value = data[static_cast<std::size_t>(t)] + 7;
    if (t % 3 == 1) value = shared += 7;
    if (t % 3 == 2) value = mine[static_cast<std::size_t>(t & 3)] += 7;
    expected.push_back(value + shared + mine[static_cast<std::size_t>(t & 1)]);
  }
  EXPECT_EQ(s.read<int>(b, 64), expected);
}

void atomic_float_max(Session& s) {
  const auto in = floats(500, 15, 0, 100);
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<float>(1));
  s.run({4, 1, 1}, {128, 1, 1}, ArgumentList().add(a).add(b).add(500));
  EXPECT_EQ(s.read<float>(b, 1)[0], *std::max_element(in.begin(), in.end()));
}

void spin_lock(Session& s) {
  const auto a = s.buffer("total", std::vector<int>(1)), b = s.buffer("order", std::vector<int>(15));
  s.run({5, 1, 1}, {96, 1, 1}, ArgumentList().add(a).add(b));
  EXPECT_EQ(s.read<int>(a, 1)[0], 15);
  const auto order = s.read<int>(b, 15);
  EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 15u);
}
void lane_lock(Session& s) {
  const auto a = s.buffer("total", std::vector<int>(1));
  s.run({1, 1, 1}, {70, 1, 1}, ArgumentList().add(a));
  EXPECT_EQ(s.read<int>(a, 1)[0], 70);
}
void plain_lane_lock(Session& s) {
  const auto a = s.buffer("total", std::vector<int>(1));
  s.run({2, 1, 1}, {40, 1, 1}, ArgumentList().add(a));
  EXPECT_EQ(s.read<int>(a, 1)[0], 80);
}

void last_block_sums(Session& s) {
  const auto in = filled<float>(900, 16, [](auto& r) { return r() % 1000; });
  const auto a = s.buffer("in", in), b = s.buffer("partial", std::vector<float>(6)),
             c = s.buffer("out", std::vector<float>(1));
  s.run({6, 1, 1}, {32, 1, 1}, ArgumentList().add(a).add(b).add(c).add(900));
  EXPECT_EQ(s.read<float>(c, 1)[0], std::accumulate(in.begin(), in.end(), 0.0f));
}

void atomics(Session& s) {
  constexpr int kThreads = 4 * 48;
  std::vector<int> i(4 + kThreads, 5);
  const auto pi = s.buffer("i", i), pu = s.buffer("u", std::vector<std::uint32_t>{~0u, 0, 0, 3, 4}),
             pl = s.buffer("l", std::vector<std::uint64_t>(2)), pf = s.buffer("f", std::vector<float>(1)),
             pd = s.buffer("d", std::vector<double>(1));
  s.run({4, 1, 1}, {48, 1, 1}, ArgumentList().add(pi).add(pu).add(pl).add(pf).add(pd));
  std::vector<std::uint32_t> u{~0u, 0, 0, 3, 4};
  for (int t = 0; t < kThreads; ++t) {
    i[0] += t, i[1] -= t, i[2] = std::min(i[2], -t), i[3] = std::max(i[3], t);
    u[0] &= ~(1u << (t % 32)) | 0xff, u[1] |= 1u << (t % 32), u[2] ^= static_cast<unsigned>(t);
    u[3] = u[3] >= 10 ? 0 : u[3] + 1, u[4] = u[4] == 0 || u[4] > 10 ? 10 : u[4] - 1;
    i[static_cast<std::size_t>(4 + t)] = t + 1 + 5;
  }
  EXPECT_EQ(s.read<int>(pi, i.size()), i);
  EXPECT_EQ(s.read<std::uint32_t>(pu, 5), u);
  EXPECT_EQ(s.read<std::uint64_t>(pl, 2),
            (std::vector<std::uint64_t>{kThreads * (1ull << 33), (kThreads - 1ull) << 35}));
  EXPECT_EQ(s.read<float>(pf, 1)[0], kThreads * 0.5f);
  EXPECT_EQ(s.read<double>(pd, 1)[0], kThreads * 0.25);
}

void producer_consumer(Session& s) {
  constexpr int kStages = 7;
  const auto in = integers(64 * kStages, 17, 0, 1000);
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<int>(in.size()));
  s.run({1, 1, 1}, {128, 1, 1}, ArgumentList().add(a).add(b).add(kStages));
  std::vector<int> expected;
  for (std::size_t k = 0; k < in.size(); ++k) expected.push_back(in[k / 64 * 64 + 63 - k % 64] * 2 + 1);
  EXPECT_EQ(s.read<int>(b, in.size()), expected);
}
void barrier_reductions(Session& s) {
  const auto in = integers(90, 18, 0, 10);
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<int>(90));
  s.run({1, 1, 1}, {90, 1, 1}, ArgumentList().add(a).add(b));
  const auto count = static_cast<int>(std::count_if(in.begin(), in.end(), [](int v) { return v > 3; }));
  const bool any = std::find(in.begin(), in.end(), 5) != in.end();
  EXPECT_EQ(s.read<int>(b, 90), std::vector<int>(90, count * 100 + 10 + (any ? 1 : 0)));
}
void half_barriers(Session& s) {
  const auto b = s.buffer("out", std::vector<int>(128));
  s.run({1, 1, 1}, {128, 1, 1}, ArgumentList().add(b));
  std::vector<int> expected;
  for (int t = 0; t < 128; ++t) expected.push_back(t / 64 * 64 + 63 - t % 64);
  EXPECT_EQ(s.read<int>(b, 128), expected);
}
void syncwarp_branches(Session& s) {
  const auto b = s.buffer("out", std::vector<int>(32));
  s.run({1, 1, 1}, {32, 1, 1}, ArgumentList().add(b));
  std::vector<int> expected;
  for (int t = 0; t < 32; ++t) expected.push_back(t < 16 ? (t + 16) * 3 : (t - 16) * 2 + 1);
  EXPECT_EQ(s.read<int>(b, 32), expected);
}

void axpy_half2(Session& s) {
  std::vector<std::uint16_t> x, y, expected;
  const auto fx = floats(200, 19), fy = floats(200, 20);
  const float a = 1.7f;
  for (std::size_t i = 0; i < 200; ++i) {
    x.push_back(half_of(fx[i])), y.push_back(half_of(fy[i]));
    expected.push_back(
        half_of(static_cast<float>(double{from_half(half_of(a))} * from_half(x[i]) + from_half(y[i]))));
  }
  const auto px = s.buffer("x", x), py = s.buffer("y", y);
  s.run({1, 1, 1}, {128, 1, 1}, ArgumentList().add(px).add(py).add(a).add(100));
  EXPECT_EQ(s.read<std::uint16_t>(py, 200), expected);
}
void axpy_bf16(Session& s) {
  std::vector<std::uint16_t> x, y, expected;
  const auto fx = floats(200, 21), fy = floats(200, 22);
  for (std::size_t i = 0; i < 200; ++i) {
    x.push_back(bf16_of(fx[i])), y.push_back(bf16_of(fy[i]));
    expected.push_back(bf16_of(std::fma(1.5f, from_bf16(x[i]), from_bf16(y[i]))));
  }
  const auto px = s.buffer("x", x), py = s.buffer("y", y);
  s.run({2, 1, 1}, {128, 1, 1}, ArgumentList().add(px).add(py).add(1.5f).add(200));
  EXPECT_EQ(s.read<std::uint16_t>(py, 200), expected);
}

// Small integers: exact in every format.
void check_product(Session& s, const std::vector<float>& a, const std::vector<float>& b, std::uint64_t pc,
                   std::size_t k) {
  const auto c = s.read<float>(pc, 128);
  for (std::size_t row = 0; row < 16; ++row)
    for (std::size_t column = 0; column < 8; ++column) {
      float sum = 0;
      for (std::size_t e = 0; e < k; ++e) sum += a[row * k + e] * b[column * k + e];
      ASSERT_EQ(c[row * 8 + column], sum) << row << " " << column;
    }
}
std::vector<float> small_numbers(std::size_t n, unsigned seed) {
  return filled<float>(n, seed, [](auto& r) { return static_cast<int>(r() % 17) - 8; });
}
template <std::uint16_t kConvert(float)>
void mma_16_bit(Session& s) {
  const auto a = small_numbers(256, 23), b = small_numbers(128, 24);
  std::vector<std::uint16_t> ha, hb;
  for (float v : a) ha.push_back(kConvert(v));
  for (float v : b) hb.push_back(kConvert(v));
  const auto pa = s.buffer("a", ha), pb = s.buffer("b", hb), pc = s.buffer("c", std::vector<float>(128));
  s.run({1, 1, 1}, {32, 1, 1}, ArgumentList().add(pa).add(pb).add(pc));
  check_product(s, a, b, pc, 16);
}
void mma_tf32(Session& s) {
  const auto a = small_numbers(128, 25), b = small_numbers(64, 26);
  const auto pa = s.buffer("a", a), pb = s.buffer("b", b), pc = s.buffer("c", std::vector<float>(128));
  s.run({1, 1, 1}, {32, 1, 1}, ArgumentList().add(pa).add(pb).add(pc));
  check_product(s, a, b, pc, 8);
}
void wmma_gemm(Session& s) {
  constexpr std::size_t kK = 48;
  const auto a = small_numbers(32 * kK, 27), b = small_numbers(kK * 32, 28);
  std::vector<std::uint16_t> ha, hb;
  for (float v : a) ha.push_back(half_of(v));
  for (float v : b) hb.push_back(half_of(v));
  const auto pa = s.buffer("a", ha), pb = s.buffer("b", hb), pc = s.buffer("c", std::vector<float>(1024));
  s.run({1, 1, 1}, {128, 1, 1}, ArgumentList().add(pa).add(pb).add(pc).add(static_cast<int>(kK)));
  const auto c = s.read<float>(pc, 1024);
  for (std::size_t row = 0; row < 32; ++row)
    for (std::size_t column = 0; column < 32; ++column) {
      float sum = 0;
      for (std::size_t k = 0; k < kK; ++k) sum += a[row * kK + k] * b[k * 32 + column];
      ASSERT_EQ(c[row * 32 + column], sum) << row << " " << column;
    }
}

void async_pipeline(Session& s) {
  for (int n : {1, 2, 3, 8}) {
    const auto in = integers(static_cast<std::size_t>(64 * n), 29, -100, 100);
    const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<int>(64));
    s.run({1, 1, 1}, {64, 1, 1}, ArgumentList().add(a).add(b).add(n));
    std::vector<int> expected(64);
    for (std::size_t i = 0; i < in.size(); ++i) expected[63 - i % 64] += in[i];
    EXPECT_EQ(s.read<int>(b, 64), expected) << n;
  }
}
// One group too many may be unfinished: the first tile is read before it has come.
void async_pipeline_early(Session& s) {
  const auto in = integers(64 * 8, 30, 1, 100);
  const auto a = s.buffer("in", in), b = s.buffer("out", std::vector<int>(64));
  const auto outcome = s.try_run({1, 1, 1}, {64, 1, 1}, ArgumentList().add(a).add(b).add(8));
  ASSERT_TRUE(outcome) << to_line(outcome.error());
  ASSERT_TRUE(outcome->fault);
  EXPECT_EQ(outcome->fault->kind, Fault::Kind::uninitialised_shared);
  EXPECT_NE(outcome->fault->nearest.find("tiles"), std::string::npos) << outcome->fault->nearest;
}

void prints(Session& s) {
  const std::string printed = s.run({2, 1, 1}, {64, 1, 1}, ArgumentList().add(3));
  std::string expected;
  for (int block = 0; block < 2; ++block) {
    for (int t = 0; t < 3; ++t) {
      char line[200];
      std::snprintf(line, sizeof line, "%d %5.2f %s %c %x|%-6d|%06u %lld %%\n", t, t * 0.5, "text", 'a' + t,
                    255, 3, 42u, 1ll << 40);
      expected += line;
    }
    expected += "block " + std::to_string(block) + " of 2\n";
  }
  EXPECT_EQ(printed, expected);
}

struct Case {
  const char* kernel;
  void (*check)(Session&);
};
const Case kCases[] = {
    {"softmax", softmax},
    {"histogram", histogram},
    {"scan_shared", scan_shared},
    {"scan_shuffle", scan_shuffle},
    {"bitonic_sort", bitonic_sort},
    {"reduce_double", reduce_double},
    {"divergent_shuffle", divergent_shuffle},
    {"collatz", collatz},
    {"switches", switches},
    {"nested", nested},
    {"calls", calls},
    {"local_array", local_array},
    {"structs", structs},
    {"constant_filter", constant_filter},
    {"to_upper", to_upper},
    {"bytes_shared", bytes_shared},
    {"mixed_spaces", mixed_spaces},
    {"atomic_float_max", atomic_float_max},
    {"spin_lock", spin_lock},
    {"lane_lock", lane_lock},
    {"plain_lane_lock", plain_lane_lock},
    {"last_block_sums", last_block_sums},
    {"atomics", atomics},
    {"producer_consumer", producer_consumer},
    {"barrier_reductions", barrier_reductions},
    {"half_barriers", half_barriers},
    {"syncwarp_branches", syncwarp_branches},
    {"axpy_half2", axpy_half2},
    {"axpy_bf16", axpy_bf16},
    {"mma_f16", mma_16_bit<half_of>},
    {"mma_bf16", mma_16_bit<bf16_of>},
    {"mma_tf32", mma_tf32},
    {"ldmatrix_mma", mma_16_bit<half_of>},
    {"wmma_gemm", wmma_gemm},
    {"async_pipeline", async_pipeline},
    {"async_pipeline_early", async_pipeline_early},
    {"prints", prints},
};

class UserKernel : public testing::TestWithParam<Case> {};

TEST_P(UserKernel, GivesWhatTheHostGives) {
  for (int dialect : {80, 90, 100}) {
    std::set<std::uint64_t> digests;
    for (const auto& [isa, threads] :
         {std::pair{Isa::sse2, 1}, {Isa::avx2, 2}, {Isa::avx512, 7}, {Isa::automatic, 1}}) {
      if (isa != Isa::automatic && isa > best_isa()) continue;
      SCOPED_TRACE("compute_" + std::to_string(dialect) + ", " + std::string(name(isa)) + ", " +
                   std::to_string(threads) + " threads");
      Session session(GetParam().kernel, {dialect, isa, threads});
      GetParam().check(session);
      if (HasFatalFailure() || HasNonfatalFailure()) return;
      digests.insert(session.digest());
    }
    EXPECT_EQ(digests.size(), 1u) << "compute_" << dialect;
  }
}

INSTANTIATE_TEST_SUITE_P(All, UserKernel, testing::ValuesIn(kCases),
                         [](const auto& tested) { return std::string(tested.param.kernel); });

}  // namespace
}  // namespace warplens::emulator
