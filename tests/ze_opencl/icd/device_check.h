// What a device of the driver must do, whatever it lacks.
#pragma once

enum Status { right, wrong, left_out };

/// For all processes to come: the files of the driver, of the shim's .icd and of kernels.cl, compiled.
void prepare(const char *driver, const char *icd, const char *module);

/// Looks for a device and tries what it has to do: what it lacks is known from the shim's variables. A Status; what is wrong is on stdout.
int try_device();
/// A kernel whose command ends with an error loses its list, and nothing else.
int try_failing_kernel();
