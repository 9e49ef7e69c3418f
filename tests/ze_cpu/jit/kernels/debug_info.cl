// Compiled with debug information of the kind that LLVM's SPIR-V back end makes; with this variable in
// the module the validator has something against it.
global int zero;

int tripled(global const int *from, int index) { return from[index] * 3; }

kernel void triple(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  int value = tripled(in, (int)i);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = value + zero;
}
