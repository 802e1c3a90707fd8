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

}  // namespace warplens::time
