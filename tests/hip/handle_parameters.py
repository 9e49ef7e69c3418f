#!/usr/bin/env python3
"""Every parameter of the host API that is a handle, as initialisers of a C++ table.

  handle_parameters.py --headers DIR --sources FILE... --output handle_parameters.inc

A line gives the function, its signature, the place and the names of its parameters, and the errors
with which the function's comment says that it answers a handle that is not live.
"""

import argparse
import os
import re
import sys

sys.dont_write_bytecode = True
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "src", "hip", "documentation"))
import document  # noqa: E402
import generate  # noqa: E402

HANDLES = {"hipStream_t", "hipEvent_t", "hipModule_t", "hipFunction_t", "hipArray_t",
           "hipArray_const_t", "hipMipmappedArray_t", "hipMipmappedArray_const_t",
           "hipMipmappedArray *", "hipTextureObject_t", "hipSurfaceObject_t", "hipGraph_t",
           "hipGraphNode_t", "hipGraphExec_t", "hipMemPool_t",
           "hipMemGenericAllocationHandle_t", "hipLibrary_t", "hipKernel_t"}

# These only remember the stream: the launch that follows refuses it.
DEFERRED = {"hipConfigureCall", "__hipPushCallConfiguration"}

# Errors that have nothing to do with arguments, and that any function may return.
OF_THE_DEVICE = {"hipErrorNoDevice", "hipErrorDeinitialized", "hipErrorLaunchFailure", "hipErrorAssert"}


def is_handle(type_):
    return re.sub(r"^(const|struct) ", "", type_) in HANDLES


def errors_for(parameter, errors):
    """The codes whose condition names the parameter; where none does, all that are about arguments."""
    named = [name for name, conditions in errors.items()
             if any(re.search(r"`%s`" % parameter, condition) for condition in conditions)]
    return named or [name for name in errors if name not in OF_THE_DEVICE]


def lines(entries):
    for entry in entries:
        function = entry.function
        if function.returns != "hipError_t" or entry.name in DEFERRED:
            continue
        errors = document.split_errors(entry.parts["Errors"]) or {}
        for index, type_ in enumerate(function.parameters):
            if is_handle(type_):
                yield 'HandleParameter<hipError_t(%s)>::make("%s", %s, %d, {%s}, {%s}),\n' % (
                    ", ".join(function.parameters), entry.name, entry.name, index,
                    ", ".join('"%s"' % name for name in entry.parameters),
                    ", ".join(errors_for(entry.parameters[index], errors)))


def implemented_entries(headers, sources):
    """The functions of libCHIP that have a body, with what their comments say."""
    entries = [entry for header, _, entries in document.load(headers)
               for entry in entries if header not in generate.NOT_IN_TABLE]
    missing = generate.missing_functions([entry.function for entry in entries],
                                         [generate.read(path) for path in sources],
                                         generate.renames(headers))
    names = {function.name for function in missing}
    return [entry for entry in entries if entry.name not in names]


def write_table(documentation, lines):
    """Makes the table that the command line asks for of the lines that `lines` has for the functions of libCHIP."""
    parser = argparse.ArgumentParser(description=documentation.splitlines()[0])
    parser.add_argument("--headers", required=True)
    parser.add_argument("--sources", nargs="+", required=True)
    parser.add_argument("--output", required=True)
    arguments = parser.parse_args()
    entries = implemented_entries(arguments.headers, arguments.sources)
    generate.write(arguments.output, "".join(lines(entries)))


if __name__ == "__main__":
    write_table(__doc__, lines)
