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
    run("no device", ["no devices: hipErrorNoDevice", "libCHIP: no OpenCL device", "CHIP_DEVICE=cpu"],
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


def check_missing_libraries(program, shim, folder):
    """The ICD loader says nothing of libraries that it cannot load: the driver does, where there is no device."""
    vendors = os.path.join(folder, "vendors")
    os.mkdir(vendors)
    for name, text in (("absent", "/nowhere/libabsent.so\n"), ("plain", " libplain.so.9 \n"), ("empty", ""), ("usable", shim)):
        with open(os.path.join(vendors, name + ".icd"), "w", encoding="utf-8") as file:
            file.write(text)
    setting = Setting(program, vendors)
    wanted = ["absent.icd names /nowhere/libabsent.so, which does not exist",
              "empty.icd names no library, or cannot be read",
              "plain.icd names libplain.so.9, which cannot be loaded, or has no platform"]
    output = setting.run(SHIM_HIDE="il")[1]
    found = [line for line in lines_of_driver(output) if ".icd" in line]
    expect(found == [f"ze_opencl: {vendors}/{text}" for text in wanted], "missing libraries: each is named", output)
    output = check_passes(setting, "a usable device beside missing libraries")
    expect(not lines_of_driver(output), "a usable device beside missing libraries: nothing is said", output)
    output = Setting(program, os.path.join(vendors, "absent.icd")).run()[1]
    expect(wanted[0] in output, "a missing library of a file: it is named", output)
    output = Setting(program, "no-such.icd").run()[1]
    expect("/etc/OpenCL/vendors/no-such.icd names no library, or cannot be read" in output, "no such file", output)


def check_missing_loader(program, icd, folder):
    """Only without a loader it is to be installed."""
    lone = os.path.join(folder, "lone")
    os.mkdir(lone)
    with open(os.path.join(lone, "libOpenCL.so.1"), "w", encoding="utf-8"):
        pass  # no library
    places = [lone] + [place for place in [os.environ.get("LD_LIBRARY_PATH", "")] if place]
    output = Setting(program, icd).run(LD_LIBRARY_PATH=":".join(places))[1]
    expect(any("install OpenCL's loader" in line for line in lines_of_driver(output)), "no loader: it is to be installed", output)
    output = Setting(program, icd).run(SHIM_HIDE="il")[1]
    expect("install OpenCL's loader" not in output, "a loader, and no device", output)


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
        told = re.compile(r"ze_opencl: ZE_OPENCL_DEVICES names no device with 'Nothing', 'nobody': there are cpu.* \(Portable ")
        expect([bool(told.match(line)) for line in lines_of_driver(output)] == [True],
               "a selection: entries that name nothing are told, with the devices", output)
        output = check_passes(setting, "a selection without a doubt", ZE_OPENCL_DEVICES="CPU,portable")
        expect(not lines_of_driver(output), "a selection without a doubt: nothing is said", output)
        check_missing_libraries(options.program, options.shim, folder)
        check_missing_loader(options.program, icd, folder)
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
