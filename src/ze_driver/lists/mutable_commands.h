// Commands of a regular list that the program changes after they were recorded
// (ZE_experimental_mutable_command_list).
#pragma once

#include "append.h"

#include <deque>

namespace ze_driver {

struct MutableCommand {
  ze_mutable_command_exp_flags_t flags = 0; // what may be changed
  std::vector<ze_kernel_handle_t> choices;  // kernels that it may switch to

  Command *command = nullptr;           // nullptr: not recorded yet
  uint64_t number = 0;                  // in the recording, counted from 1
  std::vector<uint64_t> deferred_slots; // for each of its waits, a place among the late waits

  // Of a launch: what it was recorded with.
  std::optional<Kernel> kernel;
  LaunchForm form;
};

struct MutableCommands {
  std::deque<MutableCommand> commands; // an identifier is the place here
  bool next_is_named = false;          // the last one waits for its command

  MutableCommand *take_next() {
    if (!next_is_named)
      return nullptr;
    next_is_named = false;
    return &commands.back();
  }
};

} // namespace ze_driver
