// What host and device tell each other, in pinned memory. A row of each table belongs to one operation.
#pragma once

#include <stdint.h>

constexpr uint32_t board_rows = 192;

struct Board {
  // 0 until the operation has run, then its token; what follows the last tells a whole copy.
  uint32_t marks[board_rows + 1];
  uint32_t tokens[board_rows];
  uint64_t seen[board_rows][board_rows / 64]; // the marks that were set when the operation ran
  uint32_t wrong[board_rows];                 // its arguments were not those of its call
  uint32_t repeated, repeated_wrong;
  // Whoever is given a row runs for that which `turn` says, the next time for the one after that: a node of a graph has the same
  // parameters in several launches. Operations that run once are their own turn.
  uint32_t turn[board_rows];
  uint32_t after[board_rows];
};
