// Imports from linked_ping.cl, which imports from this, and from linked_library.cl.
extern int ping(int value);
extern int times_factor(int value);
extern global int pings;
static global int games = 0;

int pong(int value) {
  games = 1;
  return ping(times_factor(value)) + games;
}

kernel void set_pings(int value) { pings = value; }
