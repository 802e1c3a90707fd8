#include "async_kernels.hpp"

#include <cstdarg>
#include <cstdio>

std::string text(const char* format, ...) {
  char line[4096];
  va_list values;
  va_start(values, format);
  std::vsnprintf(line, sizeof line, format, values);
  va_end(values);
  return line;
}

// ---- texts

// Every kernel has the same parameters and registers. %r1: shared memory, %r2: turns, %r3 to %r5: numbers of its own,
// %r6: thread, %r7: block, %rd1: where results go, %rd2: a tensor map, %rd3: data. Barriers lie in the first 1,024 bytes of
// shared memory, tiles behind them.
static std::string kernel_of(const std::string& body, int threads, int sums = 4, const char* type = "f32") {
  return text(
             ".version 8.0\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 memory[];\n"
             ".visible .entry probe(.param .u64 out, .param .u64 map, .param .u64 data, .param .u32 turns, "
             ".param .u32 n0,"
             " .param .u32 n1, .param .u32 n2)\n.maxntid %d, 1, 1\n{\n"
             ".reg .%s d<%d>;\n.reg .b32 a<4>;\n.reg .b32 %%r<64>;\n.reg .b64 %%rd<48>;\n.reg .pred "
             "%%p<16>;\n.reg .b16 %%h<4>;\n"
             ".reg .f32 %%f<8>;\n",
             threads, type, sums) +
         "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [map];\nld.param.u64 %rd3, [data];\nld.param.u32 "
         "%r2, [turns];\n"
         "ld.param.u32 %r3, [n0];\nld.param.u32 %r4, [n1];\nld.param.u32 %r5, [n2];\nmov.u32 %r1, memory;\n"
         "mov.u32 %r6, %tid.x;\nmov.u32 %r7, %ctaid.x;\n" +
         body + "ret;\n}\n";
}
// Where the clock stands, to out[8 * block + place].
static std::string store_cycles(int place) {
  return text(
      "mul.wide.u32 %%rd40, %%r7, 64;\nadd.u64 %%rd40, %%rd40, %%rd1;\nst.global.u64 [%%rd40+%d], %%rd12;\n",
      8 * place);
}
static const std::string kBegin = "mov.u64 %rd10, %clock64;\n",
                         kEnd = "mov.u64 %rd11, %clock64;\nsub.u64 %rd12, %rd11, %rd10;\n";

static std::string wait_parity(const std::string& barrier, const std::string& parity, int& label) {
  ++label;
  return text("W%d:\nmbarrier.try_wait.parity.shared.b64 %%p15, [%s], %s;\n@!%%p15 bra W%d;\n", label,
              barrier.c_str(), parity.c_str(), label);
}

static std::string product(const Type& type, int n, bool a_in_registers) {
  std::string list;
  for (int i = 0; i < type.registers_of(n); ++i) list += text("%sd%d", i == 0 ? "" : ",", i);
  const bool integers = type.sum[0] == 's', turned = type.k == 16;
  return text("wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s {%s}, %s, %%rd5, 1%s%s;\n", n, type.k, type.sum,
              type.ptx, list.c_str(), a_in_registers ? "{a0,a1,a2,a3}" : "%rd4", integers ? "" : ", 1, 1",
              !turned          ? ""
              : a_in_registers ? ", 0"
                               : ", 0, 0");
}
// Descriptors of two tiles with the swizzle of 128 bytes: of A by warp group, of B one for all.
static const std::string kDescriptors =
    "add.u32 %r10, %r1, 1024;\nshr.u32 %r11, %r6, 7;\nmul.lo.u32 %r11, %r11, 8192;\nadd.u32 %r11, %r11, "
    "%r10;\n"
    "and.b32 %r11, %r11, 0x3FFFF;\nshr.u32 %r11, %r11, 4;\ncvt.u64.u32 %rd4, %r11;\n"
    "add.u32 %r12, %r10, 32768;\nand.b32 %r12, %r12, 0x3FFFF;\nshr.u32 %r12, %r12, 4;\ncvt.u64.u32 %rd5, "
    "%r12;\n"
    "or.b64 %rd4, %rd4, 0x4000004000010000;\nor.b64 %rd5, %rd5, 0x4000004000010000;\n";

static std::string clear_sums(int sums, const char* type) {
  std::string all;
  for (int i = 0; i < sums; ++i)
    all += text("mov.%s d%d, %s;\n", type, i, type[0] == 'f' ? "0f00000000" : "0");
  return all;
}
// So that no product is left out.
static std::string use_sums(int sums, const char* type) {
  const bool floats = type[0] == 'f';
  std::string all;
  for (int i = 1; i < sums; ++i) all += text(floats ? "add.f32 d0, d0, d%d;\n" : "add.u32 d0, d0, d%d;\n", i);
  return all + text("setp.%s d0, %s;\n@%%p14 st.global.%s [%%rd1+4096], d0;\n",
                    floats ? "eq.f32 %p14," : "eq.u32 %p14,", floats ? "0f7F000000" : "0x12345678", type);
}
std::string products_kernel(const Type& type, int n, int batch, int pending, bool a_in_registers, int groups,
                            bool filled) {
  const int sums = type.registers_of(n);
  const char* of = type.register_type();
  std::string body =
      clear_sums(sums, of) + "mov.b32 a0, %r6;\nmov.b32 a1, 0;\nmov.b32 a2, 0;\nmov.b32 a3, 0;\n";
  if (filled)  // 96 KB of the data
    body += text(
        "mov.u32 %%r20, %%r6;\nF:\nmul.wide.u32 %%rd20, %%r20, 4;\nadd.u64 %%rd20, %%rd20, %%rd3;\n"
        "ld.global.u32 %%r21, [%%rd20];\nshl.b32 %%r22, %%r20, 2;\nadd.u32 %%r22, %%r22, %%r1;\n"
        "st.shared.u32 [%%r22], %%r21;\nadd.u32 %%r20, %%r20, %d;\nsetp.lt.u32 %%p1, %%r20, 24576;\n@%%p1 "
        "bra F;\n"
        "fence.proxy.async;\n",
        128 * groups);
  body += kDescriptors + "bar.sync 0;\n" + kBegin + "L:\nwgmma.fence.sync.aligned;\n";
  for (int i = 0; i < batch; ++i) body += product(type, n, a_in_registers);
  body += text("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned %d;\n", pending);
  body += "sub.u32 %r2, %r2, 1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra L;\nwgmma.wait_group.sync.aligned 0;\n" +
          kEnd;
  body += "setp.eq.u32 %p2, %r6, 0;\n@!%p2 bra N;\n" + store_cycles(0) + "N:\n" + use_sums(sums, of);
  return kernel_of(body, 128 * groups, sums, of);
}

std::string loads_kernel(int rows, int depth, int cluster) {
  const int part = rows / cluster;
  int label = 0;
  std::string body = "setp.ne.u32 %p1, %r6, 0;\n@%p1 bra OUT;\nmul.lo.u32 %r10, %r7, %r3;\n";
  body += text("div.u32 %%r10, %%r10, %d;\nmov.u32 %%r11, %%cluster_ctarank;\n", cluster);
  for (int s = 0; s < depth; ++s)
    body += text("mbarrier.init.shared.b64 [%%r1+%d], 1;\nmbarrier.init.shared.b64 [%%r1+%d], %d;\n", 8 * s,
                 512 + 8 * s, cluster);
  body += "fence.mbarrier_init.release.cluster;\nOUT:\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n";
  body +=
      "@%p1 bra LAST;\nmov.u32 %r12, 0;\nmov.u32 %r13, 0;\nmov.u32 %r14, 0;\nmov.u32 %r24, 0;\nmov.u32 %r25, "
      "0;\n";
  body += text("mov.u16 %%h1, %d;\nmul.lo.u32 %%r15, %%r11, %d;\n", (1 << cluster) - 1, part * 128) + kBegin;
  // %r12: box, %r13: stage to ask for, %r14: its parity; %r24, %r25: of that waited for
  const auto ask = [&] {
    std::string all = text("shl.b32 %%r16, %%r13, 3;\nadd.u32 %%r16, %%r16, %%r1;\n");
    if (cluster > 1) {
      all += "xor.b32 %r23, %r14, 1;\nadd.u32 %r26, %r16, 512;\n" + wait_parity("%r26", "%r23", label);
    }
    all += text("mbarrier.arrive.expect_tx.shared.b64 %%rd20, [%%r16], %d;\n", rows * 128);
    all += text("mul.lo.u32 %%r17, %%r13, %d;\nadd.u32 %%r17, %%r17, %%r1;\nadd.u32 %%r17, %%r17, 1024;\n",
                rows * 128);
    all += text(
        "mul.lo.u32 %%r18, %%r12, %d;\nsub.u32 %%r19, %%r4, 1;\nand.b32 %%r18, %%r18, %%r19;\nadd.u32 %%r18, "
        "%%r18, %%r10;\n",
        rows);
    if (cluster > 1) all += text("add.u32 %%r17, %%r17, %%r15;\nmad.lo.u32 %%r18, %%r11, %d, %%r18;\n", part);
    all += text(
        "mov.u32 %%r20, "
        "0;\ncp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes%s "
        "[%%r17], [%%rd2, {%%r20, %%r18}], [%%r16]%s;\n",
        cluster > 1 ? ".multicast::cluster" : "", cluster > 1 ? ", %h1" : "");
    all += text(
        "add.u32 %%r12, %%r12, 1;\nadd.u32 %%r13, %%r13, 1;\nsetp.eq.u32 %%p3, %%r13, %d;\n@%%p3 mov.u32 "
        "%%r13, 0;\n@%%p3 xor.b32 %%r14, %%r14, 1;\n",
        depth);
    return all;
  };
  for (int s = 0; s < depth; ++s)
    body += text("setp.ge.u32 %%p4, %%r12, %%r2;\n@%%p4 bra FILLED%d;\n", s) + ask() + text("FILLED%d:\n", s);
  body += "mov.u32 %r27, 0;\nL:\nshl.b32 %r28, %r24, 3;\nadd.u32 %r28, %r28, %r1;\n" +
          wait_parity("%r28", "%r25", label);
  if (cluster > 1)
    for (int c = 0; c < cluster; ++c)
      body += text(
          "add.u32 %%r29, %%r28, 512;\nmapa.shared::cluster.u32 %%r30, %%r29, "
          "%d;\nmbarrier.arrive.shared::cluster.b64 _, [%%r30];\n",
          c);
  body += text(
      "add.u32 %%r24, %%r24, 1;\nsetp.eq.u32 %%p5, %%r24, %d;\n@%%p5 mov.u32 %%r24, 0;\n@%%p5 xor.b32 %%r25, "
      "%%r25, 1;\n",
      depth);
  body += "setp.ge.u32 %p4, %r12, %r2;\n@%p4 bra B;\n" + ask() +
          "B:\nadd.u32 %r27, %r27, 1;\nsetp.lt.u32 %p1, %r27, %r2;\n@%p1 bra L;\n";
  body += kEnd + store_cycles(0) + "LAST:\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n";
  return kernel_of(body, 32);
}

std::string stores_kernel(int rows, int together) {
  std::string body =
      "setp.ne.u32 %p1, %r6, 0;\n@%p1 bra OUT;\nmul.lo.u32 %r10, %r7, %r3;\nadd.u32 %r11, %r1, "
      "1024;\nmov.u32 %r20, 0;\nmov.u32 %r12, 0;\n";
  body += kBegin + "L:\n";
  for (int i = 0; i < together; ++i)
    body += text(
        "mul.lo.u32 %%r18, %%r12, %d;\nsub.u32 %%r19, %%r4, 1;\nand.b32 %%r18, %%r18, %%r19;\nadd.u32 %%r18, "
        "%%r18, %%r10;\n"
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%%rd2, {%%r20, %%r18}], "
        "[%%r11];\nadd.u32 %%r12, %%r12, 1;\n",
        rows);
  body +=
      "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\nsetp.lt.u32 %p2, %r12, %r2;\n@%p2 bra "
      "L;\n" +
      kEnd + store_cycles(0);
  body += "cp.async.bulk.wait_group 0;\n" + kEnd + store_cycles(1) + "OUT:\n";
  return kernel_of(body, 32);
}

std::string ping_pong_kernel(bool remote, int lanes) {
  int label = 0;
  std::string body = "mov.u32 %r10, %laneid;\nmov.u32 %r11, %cluster_ctarank;\nshr.u32 %r12, %r6, 5;\n";
  if (remote) body += "mov.u32 %r12, %r11;\n";
  body += text(
      "setp.ne.u32 %%p1, %%r6, 0;\n@%%p1 bra I;\nmbarrier.init.shared.b64 [%%r1], "
      "%d;\nmbarrier.init.shared.b64 [%%r1+8], %d;\n"
      "fence.mbarrier_init.release.cluster;\nI:\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n",
      lanes, lanes);
  if (remote) body += "setp.ge.u32 %p2, %r6, 32;\n@%p2 bra LAST;\n";
  body += text("setp.lt.u32 %%p3, %%r10, %d;\nmov.u32 %%r13, 0;\n", lanes);
  // warp 0 (or block 0) arrives at barrier 1 and waits at 0
  body +=
      "setp.eq.u32 %p4, %r12, 0;\nadd.u32 %r14, %r1, 8;\nselp.u32 %r15, %r1, %r14, %p4;\nselp.u32 %r16, "
      "%r14, %r1, %p4;\n";
  if (remote) body += "xor.b32 %r17, %r11, 1;\nmapa.shared::cluster.u32 %r16, %r16, %r17;\n";
  const std::string arrive = remote ? "@%p3 mbarrier.arrive.shared::cluster.b64 _, [%r16];\n"
                                    : "@%p3 mbarrier.arrive.shared.b64 %rd20, [%r16];\n";
  body += kBegin + "L:\n@!%p4 bra SECOND;\n" + arrive + wait_parity("%r15", "%r13", label) +
          "bra NEXT;\nSECOND:\n" + wait_parity("%r15", "%r13", label) + arrive +
          "NEXT:\nxor.b32 %r13, %r13, 1;\nsub.u32 %r2, %r2, 1;\nsetp.ne.u32 %p5, %r2, 0;\n@%p5 bra L;\n" +
          kEnd;
  body += "setp.ne.u32 %p6, %r6, 0;\n@%p6 bra LAST;\n" + store_cycles(0) +
          "LAST:\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n";
  return kernel_of(body, 64);
}

std::string repeat_kernel(const std::string& what, int threads, const std::string& before) {
  std::string body =
      "mov.u32 %r10, %laneid;\nsetp.eq.u32 %p3, %r10, 0;\nsetp.ne.u32 %p1, %r6, 0;\n@%p1 bra "
      "I;\nmbarrier.init.shared.b64 [%r1], 1000000;\n"
      "mbarrier.init.shared.b64 [%r1+8], "
      "1;\nfence.mbarrier_init.release.cluster;\nI:\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\nbar."
      "sync 0;\n" +
      before + kBegin + "L:\n";
  for (int i = 0; i < 8; ++i) body += what;
  body += "sub.u32 %r2, %r2, 1;\nsetp.ne.u32 %p5, %r2, 0;\n@%p5 bra L;\nbar.sync 0;\n" + kEnd +
          "setp.ne.u32 %p6, %r6, 0;\n@%p6 bra LAST;\n" + store_cycles(0) +
          "LAST:\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n";
  return kernel_of(body, threads);
}

std::string roles_kernel(int n, int consumers, int stages, int arriving) {
  int label = 0;
  const Type& type = kTypes[0];
  const int sums = n / 2, a_bytes = consumers * 8192, bytes = a_bytes + n * 128;
  std::string body = clear_sums(sums, "f32") + "setp.ne.u32 %p1, %r6, 0;\n@%p1 bra I;\n";
  for (int s = 0; s < stages; ++s)
    body += text("mbarrier.init.shared.b64 [%%r1+%d], 1;\nmbarrier.init.shared.b64 [%%r1+%d], %d;\n", 8 * s,
                 512 + 8 * s, arriving * consumers);
  body +=
      "fence.mbarrier_init.release.cluster;\nI:\nbar.sync 0;\nmov.u32 %r20, 0;\nmov.u32 %r21, 0;\nmov.u32 "
      "%r22, 0;\nshr.u32 %r23, %r6, 7;\n" +
      kBegin;
  body +=
      "setp.ne.u32 %p2, %r23, 0;\n@%p2 bra CONSUMER;\n@%p1 bra LAST;\nmul.lo.u32 %r10, %r7, %r3;\nsub.u32 "
      "%r19, %r4, 1;\nP:\n";
  body +=
      "shl.b32 %r16, %r20, 3;\nadd.u32 %r16, %r16, %r1;\nadd.u32 %r26, %r16, 512;\nxor.b32 %r27, %r21, 1;\n" +
      wait_parity("%r26", "%r27", label);
  body += text(
      "mbarrier.arrive.expect_tx.shared.b64 %%rd20, [%%r16], %d;\nmul.lo.u32 %%r17, %%r20, %d;\nadd.u32 "
      "%%r17, %%r17, %%r1;\nadd.u32 %%r17, %%r17, 1024;\n",
      bytes, bytes);
  for (int at = 0; at < bytes; at += 8192)
    body += text(
        "mul.lo.u32 %%r18, %%r22, 64;\nand.b32 %%r18, %%r18, %%r19;\nadd.u32 %%r18, %%r18, %%r10;\nadd.u32 "
        "%%r28, %%r17, %d;\nmov.u32 %%r29, 0;\n"
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%%r28], [%%rd2, "
        "{%%r29, %%r18}], [%%r16];\nadd.u32 %%r22, %%r22, 1;\n",
        at);
  body += text(
      "add.u32 %%r20, %%r20, 1;\nsetp.eq.u32 %%p3, %%r20, %d;\n@%%p3 mov.u32 %%r20, 0;\n@%%p3 xor.b32 %%r21, "
      "%%r21, 1;\nsub.u32 %%r2, %%r2, 1;\nsetp.ne.u32 %%p4, %%r2, 0;\n@%%p4 bra P;\nbra LAST;\nCONSUMER:\n",
      stages);
  body +=
      text(
          "sub.u32 %%r24, %%r23, 1;\nmul.lo.u32 %%r24, %%r24, 8192;\nand.b32 %%r30, %%r6, 127;\nsetp.lt.u32 "
          "%%p6, %%r30, %d;\nC:\nshl.b32 %%r16, %%r20, 3;\nadd.u32 %%r16, %%r16, %%r1;\n",
          arriving) +
      wait_parity("%r16", "%r21", label);
  body += text(
      "mul.lo.u32 %%r17, %%r20, %d;\nadd.u32 %%r17, %%r17, %%r1;\nadd.u32 %%r17, %%r17, 1024;\nadd.u32 "
      "%%r18, %%r17, %%r24;\nadd.u32 %%r17, %%r17, %d;\n",
      bytes, a_bytes);
  for (const char* which : {"%r18 %rd4", "%r17 %rd5"}) {
    const std::string from(which, 4), to(which + 5);
    body += "and.b32 %r31, " + from + ", 0x3FFFF;\nshr.u32 %r31, %r31, 4;\ncvt.u64.u32 " + to +
            ", %r31;\nor.b64 " + to + ", " + to + ", 0x4000004000010000;\n";
  }
  body += "wgmma.fence.sync.aligned;\n";
  for (int k = 0; k < 4; ++k)
    body += product(type, n, false) + "add.u64 %rd4, %rd4, 2;\nadd.u64 %rd5, %rd5, 2;\n";
  body +=
      "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\nadd.u32 %r26, %r16, 512;\n@%p6 "
      "mbarrier.arrive.shared.b64 %rd20, [%r26];\n";
  body += text(
      "add.u32 %%r20, %%r20, 1;\nsetp.eq.u32 %%p3, %%r20, %d;\n@%%p3 mov.u32 %%r20, 0;\n@%%p3 xor.b32 %%r21, "
      "%%r21, 1;\nsub.u32 %%r2, %%r2, 1;\nsetp.ne.u32 %%p4, %%r2, 0;\n@%%p4 bra C;\n",
      stages);
  body += kEnd + "setp.ne.u32 %p5, %r6, 128;\n@%p5 bra U;\n" + store_cycles(0) + "U:\n" +
          use_sums(sums, "f32") + "LAST:\n";
  return kernel_of(body, 128 * (1 + consumers), sums);
}
