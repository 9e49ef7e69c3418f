// HIP API reference: Memory management, memory between processes.
#include "../../runtime/memory/exported_memory.h"
#include "../../runtime/memory/opened_memory.h"
#include "../entry.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *address) {
  return entry([&] {
    required(handle);
    *handle = handle_of_memory(&required(static_cast<char *>(address)));
  });
}

hipError_t hipIpcOpenMemHandle(void **address, hipIpcMemHandle_t handle, unsigned int flags) {
  return entry([&] {
    required(address);
    if (flags != hipIpcMemLazyEnablePeerAccess)
      throw Error(hipErrorInvalidValue, "`flags` is not hipIpcMemLazyEnablePeerAccess");
    *address = open_memory(handle);
  });
}

hipError_t hipIpcCloseMemHandle(void *address) {
  return entry([&] { close_memory(&required(static_cast<char *>(address))); });
}
