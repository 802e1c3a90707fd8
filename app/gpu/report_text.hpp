// The report of a run in words: as JSON, as a row of a table, or in full.
#pragma once

#include <string>
#include <string_view>

#include "app/base/text_table.hpp"
#include "app/gpu/gpu_report.hpp"
#include "engine/base/json_text.hpp"
#include "engine/run/report.hpp"

namespace warplens::app {

using warplens::to_text;

// The object of DESIGN.md's "Command line".
Json to_json(const run::Report& report);
// One of its findings.
Json finding_json(const check::Finding& finding);

// One row for a table of several runs, and its heading, which says what was timed: engine is theirs.
TextRow heading_row(std::string_view engine);
TextRow to_row(const run::Report& report);

// The result in a few words: "yes", or what is wrong.
std::string verdict(const run::Report& report);

// "20 bytes of spill stores and 24 of spill loads"
std::string spill_words(const run::Report& report);

// What the checkers found, several lines each; empty where they found nothing.
std::string findings_text(const run::Report& report);

// One run in full, for a reader: several lines.
std::string to_text(const run::Report& report);

}  // namespace warplens::app
