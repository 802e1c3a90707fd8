// For tests and tools: files of measured times
// (kernel,params,size,grid,block,registers,shared_bytes,seconds).
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/run/testing/run_support.hpp"

namespace warplens::time {

struct Row {
  std::size_t number = 0;
  std::string kernel, params, size;
  double seconds = 0;
};

inline std::vector<Row> rows_of(const std::string& path) {
  std::ifstream csv(path);
  std::string line, cell;
  std::vector<Row> rows;
  std::getline(csv, line);
  while (std::getline(csv, line)) {
    std::stringstream cells(line);
    Row row;
    row.number = rows.size();
    std::getline(cells, row.kernel, ',');
    std::getline(cells, row.params, ',');
    std::getline(cells, row.size, ',');
    for (int i = 0; i < 5; ++i) std::getline(cells, cell, ',');
    row.seconds = std::stod(cell);
    rows.push_back(row);
  }
  return rows;
}

inline Result<run::Plan> plan_of(const Row& row, const std::string& device) {
  const auto spec = run::kernels().find(row.kernel);
  if (!spec) return spec.error();
  catalog::Values params, sizes;
  std::stringstream words(row.params), numbers(row.size);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    params[word.substr(0, equals)] = std::stol(word.substr(equals + 1));
  }
  std::vector<std::int64_t> given;
  for (std::string number; std::getline(numbers, number, 'x');) given.push_back(std::stol(number));
  const auto problem = problem::find_problem(*spec);
  if (!problem) return problem.error();
  const auto names = (*problem)->size_names();
  for (std::size_t i = 0; i < names.size(); ++i) sizes[names[i]] = i < given.size() ? given[i] : given.back();
  return run::plan(*spec, params, sizes, run::device_named(device));
}

// What an H100 counted of one launch.
struct CounterRow {
  std::string kernel;
  catalog::Values params, sizes;
  double instructions = 0;  // of warps
};
inline std::vector<CounterRow> counter_rows() {
  std::ifstream csv(run::kRoot + "/engine/analysis/testdata/h100_ladder_counters.csv");
  std::string line, cell;
  std::getline(csv, line);  // how it was measured
  std::getline(csv, line);
  std::vector<CounterRow> rows;
  while (std::getline(csv, line)) {
    std::stringstream cells(line);
    CounterRow row;
    std::getline(cells, row.kernel, ',');
    std::getline(cells, line, ',');
    std::stringstream words(line);
    for (std::string word; words >> word;)
      row.params[word.substr(0, word.find('='))] = std::stol(word.substr(word.find('=') + 1));
    for (const char* name : {"M", "N", "K"})
      std::getline(cells, cell, ','), row.sizes[name] = std::stol(cell);
    while (std::getline(cells, cell, ',')) row.instructions = std::stod(cell);  // the last column
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace warplens::time
