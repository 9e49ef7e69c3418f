// Lanes that each load or store several neighbouring numbers.
#pragma once

#include <llvm/IR/Function.h>

namespace ze_cpu {

/// Turns gathers of which each takes the next element of the same rows, one row for each lane, into a load of each row, and
/// transposes what is loaded; and scatters in the same way into a store of each row. A gather of n lanes costs n loads. Gathers of two
/// or three elements become loads where it turns out that the lanes' rows follow one another.
void access_rows(llvm::Function &function);

/// Whether access_rows() takes elements of that type.
bool can_be_in_row(const llvm::Type &type);

} // namespace ze_cpu
