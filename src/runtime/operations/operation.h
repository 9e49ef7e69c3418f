// Operations are values: what a program asks of a stream, as plain data that can be kept, compared, changed and repeated.
//
// Most can be appended to a command list: `append(encoder, waits)` makes the calls of the driver. The others work on a queue:
// `perform(stream)`. What an operation is given, its caller has checked.
//
// An operation may borrow from its caller until that call returns. `keep()` makes one of it that owns all it needs, for
// whoever repeats it later; without keep(), the operation is such a one already.
#pragma once

#include "../../queue/submission.h"
#include "../streams/stream.h"

namespace chip::operations {

template <class Operation>
concept Appendable = requires(const Operation &operation, Encoder &encoder, ze::Waits waits) {
  operation.append(encoder, waits);
};

template <class Operation> auto keep(const Operation &operation) {
  if constexpr (requires { operation.keep(); })
    return operation.keep();
  else
    return operation;
}

} // namespace chip::operations
