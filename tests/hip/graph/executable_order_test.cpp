// Where a launch stands among what streams do.
#include "executable.h"

using namespace fixture;

TEST_CASE("hip graph exec: a launch that does nothing has its place between blocking streams",
          "[results]") {
  HostMemory<long long> memory(1);
  const Graph empty, graph;
  const hipGraphNode_t node = add_digit(graph, memory.get(), 7);
  const Executable nothing(empty), disabled(graph);
  REQUIRE_HIP(hipGraphNodeSetEnabled(disabled, node, 0));
  const Streams streams(2);
  for (unsigned turn = 0; turn < 10; ++turn) {
    memory[0] = 0;
    Gate gate;
    REQUIRE_HIP(hipLaunchHostFunc(streams[0], Gate::pass, &gate));
    REQUIRE_HIP(launch(function("append_digit"), streams[0], 1, memory.get(), 1));
    REQUIRE_HIP(hipGraphLaunch(turn % 2 ? nothing : disabled, nullptr));
    REQUIRE_HIP(launch(function("append_digit"), streams[1], 1, memory.get(), 2));
    gate.await_arrival();
    gate.open();
    REQUIRE_HIP(hipDeviceSynchronize());
    CHECK(memory[0] == 12);
  }
}
