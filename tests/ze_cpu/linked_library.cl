// Exports a function and a variable.
global int factor = 3;
global int calls = 0;

int times_factor(int value) { return value * factor; }

kernel void set_factor(int value) { factor = value; }
