"""Measures what graphs cost and shows it: tables, graph.json. `scripts/bench graph` calls this.

The figures come from bench_graph (graph/graph.cpp).
"""
import argparse
import os

import report
from report import NANOSECONDS, RATIO

# As report.print_tables wants them.
TABLES = [
    ("Launch of a graph, kernels in a line", [
        ("raw_list_1000_launch_ns", "raw Level Zero, append a closed list of 1,000", NANOSECONDS, None),
        ("graph_1000_launch_ns", "hipGraphLaunch of 1,000", NANOSECONDS, None),
        ("graph_1000_launch_ratio", "  to raw", RATIO, 1.10),
        ("raw_launches_1000_ns", "raw Level Zero, 1,000 launches", NANOSECONDS, None),
        ("graph_1000_to_launches_ratio", "  hipGraphLaunch of 1,000 to that", RATIO, 0.01),
        ("raw_launch_ns", "raw Level Zero, one launch", NANOSECONDS, None),
        ("graph_1_launch_ns", "hipGraphLaunch of one kernel", NANOSECONDS, None),
        ("graph_1_launch_ratio", "  to raw", RATIO, None),
    ]),
    ("Making and changing a graph of 1,000 kernels", [
        ("capture_ns_per_node", "capture, for each kernel", NANOSECONDS, 500),
        ("raw_record_ns_per_node", "raw Level Zero, record a list, for each kernel", NANOSECONDS, None),
        ("instantiate_alone_ns_per_node", "hipGraphInstantiate, for each kernel", NANOSECONDS, None),
        ("instantiate_ns_per_node", "  and hipGraphUpload", NANOSECONDS, None),
        ("instantiate_ratio", "  to raw", RATIO, 2),
        ("graph_update_node_ns", "hipGraphExecKernelNodeSetParams", NANOSECONDS, 500),
        ("graph_update_launch_ns", "  and hipGraphLaunch", NANOSECONDS, None),
    ]),
    ("Until all is done", [
        ("launches_1000_run_ns", "1,000 launches and a wait", NANOSECONDS, None),
        ("graph_1000_run_ns", "a graph of 1,000 kernels and a wait", NANOSECONDS, None),
        ("graph_1000_run_ratio", "  to launches", RATIO, 0.30),
        ("graph_line_run_ns", "long kernels of one block in a line", NANOSECONDS, None),
        ("graph_branches_run_ns", "  in two branches", NANOSECONDS, None),
        ("graph_branches_speedup", "  speed-up", RATIO, 1.8),
    ]),
]
NEEDS_EXECUTION = report.keys_of(TABLES[2:])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="bench_graph")
    parser.add_argument("--device", choices=("pvc", "cpu", "gpu"), default="pvc")
    parser.add_argument("--output", required=True, help="directory for graph.json")
    parser.add_argument("--quick", action="store_true", help="few repetitions: to see that all of it works")
    options = parser.parse_args()

    executes = options.device != "pvc"
    command = [*report.on_device(options.device), options.program, *(["--executes"] if executes else [])]
    figures, _ = report.measure(command, os.path.join(options.output, "graph.json"), options.quick)
    report.print_tables(TABLES, figures)
    report.expect([key for key in report.keys_of(TABLES) if executes or key not in NEEDS_EXECUTION], figures)


if __name__ == "__main__":
    main()
