"""Implementations of OpenCL that are missing, hang, fail or lie: the driver says in one line which, and the next is taken.

The implementation is the shim of shim.cpp, which is PoCL but for what variables say.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

failures = []


class Setting:
    """Runs a sample on OpenCL devices of the shim."""

    def __init__(self, program, icd):
        self.program, self.icd = program, icd

    def run(self, device="opencl", **variables):
        environment = dict(os.environ, CHIP_DEVICE=device, OCL_ICD_VENDORS=self.icd, **variables)
        environment.pop("ZE_ENABLE_ALT_DRIVERS", None)
        done = subprocess.run([self.program], env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=120)
        return done.returncode, done.stdout


def expect(condition, what, output):
    if not condition:
        failures.append(what)
        print(f"FAILED: {what}\n{output}")


def lines_of_driver(output):
    return [line for line in output.splitlines() if line.startswith("ze_opencl: ")]


def check_passes(setting, what, **variables):
    code, output = setting.run(**variables)
    expect(code == 0 and "PASSED" in output, f"{what}: the program passes", output)
    return output


def check_left_out(setting, what, names, **variables):
    """One line, and the program goes on with the CPU driver."""
    code, output = setting.run(device="opencl,cpu", **variables)
    expect(code == 0 and "PASSED" in output, f"{what}: the CPU driver is taken", output)
    expect(any(names in line for line in lines_of_driver(output)), f"{what}: a line names '{names}'", output)
    code, output = setting.run(**variables)
    expect(code > 0 and "PASSED" not in output, f"{what}: without another driver the program fails, and ends by itself", output)


def check_hip_program(setting):
    """What a HIP program sees of devices that lack something, and of several."""
    def run(what, wanted, code=0, **variables):
        found, output = setting.run(**variables)
        expect(found == code, f"{what}: it ends with {code}", output)
        for text in wanted:
            expect(text in output, f"{what}: '{text}'", output)
        return output

    no_host_memory = "system_svm,cl_intel_unified_shared_memory,fine_svm"
    run("everything", ["doubles: hipSuccess; managed: 1"])
    run("no device", ["no devices: hipErrorNoDevice", "libCHIP: no OpenCL device", "install OpenCL's loader", "CHIP_DEVICE=cpu"],
        code=2, SHIM_HIDE="il")
    for devices in ("opencl,cpu", "gpu,opencl,cpu"):
        output = run(f"{devices} without OpenCL", ["device 0: "], device=devices, SHIM_HIDE="il")
        expect("device 1: " not in output, f"{devices}: the CPU is the only device", output)
        output = run(devices, ["device 1: ", "peers 0 1: 0"], device=devices)
        expect(len(lines_of_driver(output)) == 0, f"{devices}: nothing is wrong", output)
    refused = "doubles: hipErrorSharedObjectInitFailed"
    run("no doubles", [refused, "libCHIP: hipErrorSharedObjectInitFailed: kernel doubles(double*, double) cannot be launched: ",
                       "uses doubles (cl_khr_fp64)"],
        SHIM_HIDE="fp64", CHIP_LOG="error")
    run("no memory for host and device", ["doubles: hipSuccess; managed: 0"], SHIM_HIDE=no_host_memory)
    run("no memory for host and device, and no doubles", [refused, "managed: 0"],
        SHIM_HIDE=no_host_memory + ",cl_ext_buffer_device_address,fp64")
    run("two platforms", ["device 1: Second device", "peers 0 1: 0", "peers 1 0: 0"], SHIM_TWO="1")
    run("two platforms, one with its own memory", ["device 1: Second device"], SHIM_TWO="1", SHIM_HIDE="system_svm")
    run("the second platform first", ["device 0: Second device"], SHIM_TWO="1", ZE_OPENCL_DEVICES="second,portable")


def check_failing(setting, function, functions_at_start):
    code, output = setting.run(SHIM_FAIL=function)
    expect(code >= 0, f"{function} fails: the program is not killed", output)
    if code != 0:
        expect(lines_of_driver(output) or "hipError" in output, f"{function} fails: it is told", output)
    if function in functions_at_start:
        expect(lines_of_driver(output), f"{function} fails at the start: a line tells", output)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="a sample")
    parser.add_argument("--hip-program", required=True, help="hip_program.hip, compiled")
    parser.add_argument("--shim", required=True)
    parser.add_argument("--functions", required=True, help="shim_functions.inc")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        icd = os.path.join(folder, "shim.icd")
        with open(icd, "w", encoding="utf-8") as file:
            file.write(options.shim + "\n")
        setting = Setting(options.program, icd)
        check_passes(setting, "PoCL behind the shim")

        # The next driver is taken, and without one the program is told what to do.
        check_left_out(setting, "no SPIR-V", "takes no SPIR-V", SHIM_HIDE="il")
        check_left_out(setting, "a hang at the start", "does not come back within 1 seconds", SHIM_HANG="1",
                       ZE_OPENCL_START_SECONDS="1")
        check_left_out(setting, "copies that copy nothing", "does not come back", SHIM_BREAK="copies",
                       SHIM_HIDE="cl_ext_buffer_device_address")
        check_left_out(Setting(options.program, os.path.join(folder, "none.icd")), "nothing installed", "no OpenCL platform")
        check_left_out(setting, "no context", "makes no context", SHIM_FAIL="clCreateContext")
        check_left_out(setting, "no devices told", "does not tell its devices", SHIM_FAIL="clGetDeviceIDs")
        check_left_out(setting, "a name that matches nothing", "names no device with 'no such device'", ZE_OPENCL_DEVICES="no such device")
        check_left_out(setting, "a selected device that cannot be used", "names no device that can be used", ZE_OPENCL_DEVICES="cpu",
                       SHIM_HIDE="il")
        output = check_passes(setting, "a selection", ZE_OPENCL_DEVICES="Nothing, CPU,nobody")
        expect(len(lines_of_driver(output)) == 1 and re.search(r"DEVICES names no device with 'Nothing', 'nobody': there are cpu\S* .*\(Portable",
                                                               lines_of_driver(output)[0]),
               "a selection: entries that name nothing are told, with the devices", output)
        output = check_passes(setting, "a selection without a doubt", ZE_OPENCL_DEVICES="CPU,portable")
        expect(not lines_of_driver(output), "a selection without a doubt: nothing is said", output)
        check_hip_program(Setting(options.hip_program, icd))

        # Each function in turn.
        with open(options.functions, encoding="utf-8") as file:
            functions = [line.split("(")[1].split(")")[0] for line in file if line.strip()]
        at_start = ("clGetPlatformIDs", "clCreateContext", "clGetDeviceIDs", "clCreateCommandQueueWithProperties")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for outcome in [pool.submit(check_failing, setting, function, at_start[1:]) for function in functions]:
                outcome.result()
        # And not at its first call.
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for outcome in [pool.submit(check_failing, setting, f"{function}@8", ()) for function in functions]:
                outcome.result()
    print(f"{len(failures)} failed")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
