// The rules that keep work in order, by name, so that a test can break one and see that it is noticed.
#pragma once

#ifdef CHIP_MUTANTS
#include <cstdlib>
#include <string_view>
#endif

/// One line for each; the test reads the list from here.
#define CHIP_RULES(RULE)                                                                           \
  RULE(null_comes_after_blocking)                                                                  \
  RULE(blocking_comes_after_null)                                                                  \
  RULE(waits_of_null_are_work)                                                                     \
  RULE(waits_are_work)                                                                             \
  RULE(records_take_waits)                                                                         \
  RULE(records_replace_records)                                                                    \
  RULE(markers_are_current)                                                                        \
  RULE(held_markers_stay)                                                                          \
  RULE(seen_is_what_was_waited_for)                                                                \
  RULE(drained_is_from_before_the_wait)                                                            \
  RULE(device_drained_is_from_before_the_wait)                                                     \
  RULE(events_drain_up_to_themselves)                                                              \
  RULE(finish_submits_waits)                                                                       \
  RULE(query_submits_waits)                                                                        \
  RULE(collected_queues_get_dirty_again)                                                           \
  RULE(lent_queues_are_empty)                                                                      \
  RULE(null_finishes_blocking)                                                                     \
  RULE(null_queries_blocking)                                                                      \
  RULE(copies_wait)                                                                                \
  RULE(large_pageable_copies_wait)                                                                 \
  RULE(frees_wait)                                                                                 \
  RULE(pending_spills_stay)                                                                        \
  RULE(shared_spills_are_equal)                                                                    \
  RULE(shared_spills_are_current)                                                                  \
  RULE(kept_arguments_are_equal)                                                                   \
  RULE(freed_memory_stays)

namespace chip {

#define CHIP_RULE(name) name,
enum class Rule { CHIP_RULES(CHIP_RULE) };
#undef CHIP_RULE

#ifdef CHIP_MUTANTS
/// Whether CHIP_MUTANT names this rule.
inline bool broken(Rule rule) {
#define CHIP_RULE(name) #name,
  static constexpr std::string_view names[] = {CHIP_RULES(CHIP_RULE)};
#undef CHIP_RULE
  static const std::string_view wanted = [] {
    const char *name = std::getenv("CHIP_MUTANT");
    return std::string_view(name ? name : "");
  }();
  return names[int(rule)] == wanted;
}
#else
/// Only the build for that test breaks rules.
constexpr bool broken(Rule) { return false; }
#endif

} // namespace chip
