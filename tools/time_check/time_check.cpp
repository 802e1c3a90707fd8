#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>
#include "engine/run/testing/run_support.hpp"
#include "engine/device/occupancy.hpp"
#include "engine/time/predict.hpp"
using namespace warplens;
struct Row { std::string line, kernel, params, size; double seconds; };
std::vector<Row> rows_of(const char* path) {
  std::ifstream csv(path); std::string line; std::vector<Row> rows; std::getline(csv, line);
  while (std::getline(csv, line)) {
    std::stringstream s(line); Row r; std::string w; r.line = line;
    std::getline(s, r.kernel, ','); std::getline(s, r.params, ','); std::getline(s, r.size, ',');
    for (int i = 0; i < 5; ++i) std::getline(s, w, ',');
    r.seconds = std::stod(w); rows.push_back(r);
  }
  return rows;
}
std::int64_t l1_of(const device::Device& d, int resident, std::int64_t shared) {
  std::int64_t need = resident * (shared + d.shared_reserved_per_block), carve = 0;
  for (auto c : d.shared_carveouts) if (c >= need) { carve = c; break; }
  return 256 * 1024 - carve;
}
int main(int argc, char** argv) {
  const auto rows = rows_of(argv[1]);
  std::string dir = argv[2], mode = argv[3];
  size_t from = argc > 4 ? atoi(argv[4]) : 0, to = argc > 5 ? atoi(argv[5]) : rows.size();
  time::Parameters P;
  for (int a = 6; a < argc; ++a) { std::string s = argv[a]; auto e = s.find('='); double v = std::stod(s.substr(e + 1)); std::string k = s.substr(0, e);
#define F(x) if (k == #x) P.x = v;
    F(shared_latency) F(l1_latency) F(l2_latency) F(dram_latency) F(special_latency) F(constant_latency) F(l2_port_sectors) F(l2_sectors) F(dram_efficiency) F(queue) F(store_queue) F(barrier_latency) F(block_interval) F(block_latency) F(launch_seconds) F(atomic_cycles) F(l1_sectors) F(l2_kept) F(alu_interval) F(heavy_interval) F(l2_shared) F(follow)
  }
  for (size_t n = from; n < std::min(to, rows.size()); ++n) {
    const Row& row = rows[n];
    const auto spec = run::kernels().find(row.kernel);
    catalog::Values p, z; std::stringstream ps(row.params); std::string w;
    while (ps >> w) { auto e = w.find('='); p[w.substr(0, e)] = std::stol(w.substr(e + 1)); }
    const auto* problem = *problem::find_problem(*spec);
    auto names = problem->size_names();
    std::vector<long> vals; std::stringstream zs(row.size);
    while (std::getline(zs, w, 'x')) vals.push_back(std::stol(w));
    for (size_t i = 0; i < names.size(); ++i) z[names[i]] = i < vals.size() ? vals[i] : vals.back();
    auto plan = run::plan_of(*spec, p, z);
    auto build = run::compile(run::compiler(), *plan);
    auto kern = run::prepare(*build, plan->device);
    auto occ = device::occupancy(plan->device, {run::threads_per_block(*plan), build->registers, run::shared_bytes(*plan, *build)});
    const auto grid = catalog::blocks_in_grid(plan->launch);
    std::string prof = dir + "/" + std::to_string(n) + ".prof";
    if (mode == "profile") {
      auto instance = run::Instances({.most_bytes = std::uint64_t{1} << 32}).instantiate(*plan);
      double foot = 0; for (auto& b : (*instance)->buffers()) foot += double(b.elements) * double(problem::size_in_bytes(b.type));
      std::vector<std::uint64_t> blocks;
      std::uint64_t want = std::min<std::uint64_t>(occ->blocks_per_sm, std::max<std::uint64_t>(1, (grid + 131) / 132));
      std::uint64_t wave = std::uint64_t(132) * occ->blocks_per_sm, base = grid > 2 * wave ? grid / 2 / wave * wave + 5 : 0;
      // about the work of the traced blocks
      std::ifstream in(dir + "/" + std::to_string(n) + ".txt"); std::string l; std::getline(in, l);
      double br, bl, o2, th; in >> br >> bl >> o2 >> th; double all = 0; long a, b, c; double e, f, g, h, i2; int sp; double dv;
      while (in >> a >> b >> c >> e >> f >> g >> h >> i2 >> sp >> dv) all += e;
      double most = std::max(1.0, std::floor(6e6 / (all / br)));
      std::uint64_t used = std::min<std::uint64_t>(want, std::uint64_t(most));
      for (std::uint64_t i = 0; i < used; ++i) if (base + i * 132 < grid) blocks.push_back(base + i * 132);
      time::Neighbours near{blocks.size(), 0, 0};
      auto add = [&](std::uint64_t b) { auto f = std::find(blocks.begin(), blocks.end(), b); if (f != blocks.end()) return std::size_t(f - blocks.begin()); blocks.push_back(b); return blocks.size() - 1; };
      const std::uint64_t gx = plan->launch.grid[0];
      if (blocks[0] + 1 < grid && (blocks[0] + 1) % gx != 0) near.right = add(blocks[0] + 1);
      if (blocks[0] + gx < grid && gx < grid) near.below = add(blocks[0] + gx);
      auto list = blocks; std::sort(list.begin(), list.end()); list.erase(std::unique(list.begin(), list.end()), list.end());
      time::AccessRecorder rec(blocks);
      run::EmulationOptions o; o.threads = 1; o.observer = &rec; o.blocks = list;
      auto em = run::emulate(**kern, **instance, plan->launch, o);
      auto l1 = l1_of(plan->device, occ->blocks_per_sm, run::shared_bytes(*plan, *build));
      auto profile = time::profile_of(rec.blocks(), near, l1 * std::int64_t(near.together) / std::int64_t(want));
      std::ofstream out(prof); out << foot << " " << blocks.size() << " " << want << " " << l1 << "\n";
      for (auto& [pc, x] : profile) out << pc << " " << x.requests << " " << x.turns << " " << x.sectors << " " << x.missed << " " << x.miss_share << " " << x.unique << " " << x.same_address << " " << x.shared_x << " " << x.shared_y << "\n";
      std::cout << n << " " << row.kernel << " " << blocks.size() << "/" << want << std::endl;
      continue;
    }
    std::ifstream in(dir + "/" + std::to_string(n) + ".txt"); std::string l; std::getline(in, l);
    emulator::Counters c; double blocks, occd, threads; in >> c.blocks_run >> blocks >> occd >> threads;
    long pc, ptxl, ln; emulator::InstructionCounters i; int space;
    while (in >> pc >> ptxl >> ln >> i.executed >> i.lanes >> i.requests >> i.sectors >> i.wavefronts >> space >> i.diverged) c.instructions.push_back(i);
    std::map<std::uint32_t, time::AccessProfile> profile;
    std::ifstream pin(prof); double foot, x1, x2, x3; pin >> foot >> x1 >> x2 >> x3; std::uint32_t q; time::AccessProfile x;
    while (pin >> q >> x.requests >> x.turns >> x.sectors >> x.missed >> x.miss_share >> x.unique >> x.same_address >> x.shared_x >> x.shared_y) profile[q] = x;
    auto t0 = std::chrono::steady_clock::now();
    auto r = time::predict({**kern, c, build->cubin, build->kernel_name, plan->launch, plan->device, occ->blocks_per_sm, foot, profile}, P);
    double ms = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count() * 1e3;
    if (!r) { std::cerr << to_line(r.error()) << "\n"; continue; }
    printf("%zu|%s|%s|%s|%.2f|%.2f|%.3f|occ %d w/b %d waves %.2f|iss %.2f fma %.2f alu %.2f sh %.2f l1 %.2f l2 %.2f dram %.2f|l1hit %.2f sim %.0f in %.0f %.0fms|st", n, row.kernel.c_str(), row.params.c_str(), row.size.c_str(), row.seconds * 1e6, r->seconds * 1e6, r->seconds / row.seconds, occ->blocks_per_sm, int(threads + 31) / 32, r->waves, r->issue, r->fma, r->alu, r->shared, r->l1, r->l2, r->dram, r->l1_hits, r->sim_cycles, r->sim_instructions, ms);
    double all = 0; for (auto s : r->stalls) all += s;
    for (auto s : r->stalls) printf(" %.2f", s / all);
    printf("\n");
  }
}
