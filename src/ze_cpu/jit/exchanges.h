// Code for synchronisation points at which all lanes are: what exec/exchange.h does for some of the
// lanes, as loops and vectors.
#pragma once

#include "region_code.h"

namespace ze_cpu {

/// The ExchangeEntry (exec/region_table.h) of the point at `cut`, or null when nothing is to be
/// exchanged.
llvm::Function *make_exchange(const RegionPlan &plan, Team team, llvm::Function &body,
                              const Cut &cut);

} // namespace ze_cpu
