#include "kernels.h"

extern "C" void exits_launch(exits::Kernel kernel, exits::Numbers *numbers, hipStream_t stream) {
  exits::launch(kernel, numbers, stream);
}
