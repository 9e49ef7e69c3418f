// Thinks that linked_library.cl exports something else.
extern float times_factor(float value, int other);

kernel void use_wrongly(global float *values) { values[0] = times_factor(values[0], 1); }
