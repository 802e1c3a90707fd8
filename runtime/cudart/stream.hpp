// Streams and events: all work is done when it is given, so they hold little.
#pragma once

#include <memory>
#include <vector>

struct Graph;

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  std::shared_ptr<Graph> captured;  // what is recorded in place of being done
  std::vector<struct Node*> last;   // of it: what the next one waits for
  bool is_broken = false;           // by a call that may not be captured
};

struct Event {
  double seconds = 0;  // of the device's clock
  bool is_recorded = false, has_time = true;
  Stream* captured_in = nullptr;  // recorded there while its work was captured
};
