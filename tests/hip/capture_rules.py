#!/usr/bin/env python3
"""What each function of the host API may do while a stream is captured, as initialisers of a C++ table.

  capture_rules.py --headers DIR --sources FILE... --output capture_rules.inc

A line gives a function that is not allowed then, its signature, and the rule that its comment names.
"""

import sys

sys.dont_write_bytecode = True
from handle_parameters import write_table  # noqa: E402

# What the comments say, by the first words of the part `Capture`.
RULES = {
    "Not allowed while a stream captures in a mode that covers": "unsafe",
    "Not allowed while any stream captures: the call returns hipErrorStreamCaptureImplicit": "implicit",
    "Not allowed while any stream captures: the call returns hipErrorStreamCaptureUnsupported": "wide",
    "Not allowed on a capturing stream: the call returns hipErrorStreamCaptureUnsupported and":
        "invalidates",
    "Not allowed on a capturing stream: the call returns hipErrorStreamCaptureUnsupported.":
        "uncapturable",
    "Not allowed for an event that a capturing stream recorded: the call returns "
    "hipErrorCapturedEvent and invalidates the capture. For every event": "unsafe",
}

# Their streams are in structures.
WITHOUT_STREAM = {"hipLaunchCooperativeKernelMultiDevice", "hipExtLaunchMultiKernelMultiDevice",
                  "hipModuleLaunchCooperativeKernelMultiDevice"}


def lines(entries):
    for entry in entries:
        rules = [rule for text, rule in RULES.items() if entry.parts["Capture"].startswith(text)]
        if rules and entry.name not in WITHOUT_STREAM:
            yield 'Entry<hipError_t(%s)>::make("%s", %s, Rule::%s),\n' % (
                ", ".join(entry.function.parameters), entry.name, entry.name, rules[0])


if __name__ == "__main__":
    write_table(__doc__, lines)
