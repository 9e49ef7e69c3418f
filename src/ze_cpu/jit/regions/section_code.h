// Code for the sections of a kernel (regions.h).
#pragma once

#include "../program/module_ir.h"
#include "regions.h"

namespace ze_cpu {

/// What a section's code is made of.
struct SectionParts {
  const RegionPlan &plan;
  Team team;
  llvm::Function &body;
  const KernelInfo &info;
  llvm::ArrayRef<llvm::Constant *> points; // the SyncPointTable of each cut that is a point
  const llvm::DenseSet<const llvm::CallInst *> &fenced; // points that memory is ordered at
};

/// A function (group, uniform, group_x, lanes, entry) that lets all sub-groups of a work-group, which have all their lanes, each in
/// one row of work-items, go through the section. `entry` counts the entered cuts, then the entered regions. It returns the cut at
/// which all lanes are, or lanes_diverged with the cut of each in the array of states (contract/region_table.h).
llvm::Function *make_section(const SectionParts &parts, const Section &section);

} // namespace ze_cpu
