// Makes a program that fails small.
#pragma once

#include "program.h"
#include "runner.h"
#include "watchdog.h"

namespace model {

struct Failure {
  Program program;
  Violations violations; // empty: it did not fail again
};

/// Takes away whatever the failure does not need. As failures are a matter of chance, each candidate runs several times: the
/// more, the more rarely the program itself fails, and very often before what is left is called needed.
Failure shrink(Runner &runner, Watchdog &watchdog, const Program &program,
               std::chrono::seconds limit);

/// The violations of the first of at most `times` runs that has some.
Violations run_often(Runner &runner, Watchdog &watchdog, const Program &program, int times);

} // namespace model
