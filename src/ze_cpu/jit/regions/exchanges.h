// Code for synchronisation points at which all lanes are: what exec/exchange.h does for some of the
// lanes, as loops and vectors.
#pragma once

#include "lane_memory.h"
#include "region_code.h"

namespace ze_cpu {

/// Whether anything is to be exchanged at `cut`.
bool exchanges_at(const RegionPlan &plan, const Cut &cut);

/// The ExchangeEntry (contract/region_table.h) of the point at `cut`, described by `point`, where
/// something is to be exchanged; for whole sub-groups one that is given their stack memory, too.
llvm::Function *make_exchange(const RegionPlan &plan, Team team, llvm::Function &body,
                              const Cut &cut, llvm::Constant *point, Lanes lanes);

/// Adds calls of ze_cpu_exchange for so many lanes from the team's first one: one for each sub-group.
void call_exchanges(llvm::IRBuilder<> &b, llvm::Module &module, Team team, llvm::Value *group,
                    llvm::Value *uniform, llvm::Value *lanes, llvm::Constant *point);

} // namespace ze_cpu
