// What keeps a program from the rest of the machine: Landlock rules for files, TCP, sockets and signals, and a
// filter of system calls. Made before the program's process is forked, and laid on in it by calls alone.
#pragma once

#include <linux/filter.h>

#include <filesystem>
#include <vector>

#include "engine/base/process.hpp"

namespace warplens::program {

// Rules under which these may be read, those written too, and the program be started; nothing else. Empty: there
// is no Landlock here.
Descriptor landlock_rules(const std::filesystem::path& program,
                          const std::vector<std::filesystem::path>& readable,
                          const std::vector<std::filesystem::path>& writable);
bool has_landlock();

// No sockets, no other programs and processes, no looking into them, no kernel interfaces beside the usual.
std::vector<sock_filter> system_call_filter();

// Both, for the calling thread and what it starts. False: the system refused. Makes system calls alone.
// filter: gets the number of the process.
bool lay_on(const Descriptor& rules, std::vector<sock_filter>& filter);

}  // namespace warplens::program
