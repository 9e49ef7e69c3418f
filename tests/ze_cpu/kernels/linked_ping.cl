// This and linked_pong.cl import from each other.
extern int pong(int value);
global int pings = 100;

int ping(int value) { return value + pings; }

kernel void play_ping(global int *values) {
  const size_t i = get_global_id(0);
  values[i] = pong(values[i]);
}
