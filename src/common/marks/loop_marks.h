// Where loops begin and end in the source. LLVM's control flow does not say it: a block that does not
// lead back lies behind the loop, whether it is `if (c) { ...; break; }` or what follows. The plugin of
// clang's front end marks loops that can be left from inside, and the device passes take the marks
// out before anything is optimised.
#pragma once

namespace chip::loop_marks {

/// A function that is never defined; its parameters are a kind and the number of a loop.
inline constexpr const char *name = "__chip_loop_mark", *mangled_name = "_Z16__chip_loop_markii";

enum Kind {
  before, // just before the loop
  body,   // where its body begins
  behind, // where its end and its breaks lead
  label,  // of no loop: where a goto may lead
};

} // namespace chip::loop_marks
