// Heat that spreads over a plate, computed by several processes (MPI ranks), each with a device of
// its own.
//
// Each rank has a band of the plate's rows. A new value of a cell needs the old ones of its four
// neighbours, so each rank keeps a copy of one row of the rank above and of one of the rank below:
// its halos. In each step it computes the rows that others wait for first, on a stream of their
// own, and exchanges them while another stream computes the rest. Rank 0 then computes the whole
// plate alone: the two must agree in every bit, since each cell is computed in the same way.
//
// How a halo travels (--halos):
//   direct  MPI reads and writes device memory, where the host can do so, too
//   ipc     a rank writes into the neighbour's memory, which it has opened by hipIpcOpenMemHandle,
//           and a message without content says that it has; for ranks on one machine
//   host    through memory of the host
// Without the option it is the first of these that works for all ranks.
//
//   hipcc -O2 heat_mpi.hip $(pkg-config --cflags --libs ompi-c) -o heat_mpi       # or mpich
//   mpirun -n 4 ./heat_mpi
#include "check.h"

#include <mpi.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

constexpr int columns = 500, rows = 402, steps = 200;
constexpr int row_bytes = columns * sizeof(double);

// New values of the rows from `first` to before `end`; the plate's edges keep theirs. Rows are
// counted from the upper halo.
__global__ void spread(const double *old_values, double *new_values, int first, int end) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = first + blockIdx.y;
  if (row >= end || column >= columns)
    return;
  const double *cell = old_values + size_t(row) * columns + column;
  const bool is_edge = column == 0 || column == columns - 1;
  new_values[size_t(row) * columns + column] =
      is_edge ? *cell
              : *cell + 0.2 * (cell[-columns] + cell[-1] + cell[1] + cell[columns] - 4 * *cell);
}

static void launch_spread(const double *old_values, double *new_values, int first, int end,
                          hipStream_t stream) {
  if (first < end)
    spread<<<dim3((columns + 127) / 128, end - first), 128, 0, stream>>>(old_values, new_values,
                                                                         first, end);
  HIP_CHECK(hipGetLastError());
}

// The plate as it is at first: cold, with a hot upper edge and a few warm spots.
static std::vector<double> first_values() {
  std::vector<double> plate(size_t(rows) * columns);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      plate[size_t(row) * columns + column] = row == 0 ? 100
                                              : (row * 31 + column * 17) % 97 == 0
                                                  ? 40.0 + column % 7
                                                  : 20;
  return plate;
}

enum Halos { host, ipc, direct }; // the best comes last
static const char *const halo_names[] = {"host", "ipc", "direct"};

// A rank's band of the plate twice: a step reads one copy and writes the other.
struct Band {
  int count;                    // of rows that the rank computes, numbered from 1
  double *values[2];            // these and a halo row on both sides
  double *neighbour[2][2] = {}; // ipc: the values of the rank above, and of the one below
  int above, below;             // ranks, or MPI_PROC_NULL at the plate's edge
  int neighbour_count[2] = {};  // of rows that these compute

  double *row(int copy, int number) const { return values[copy] + size_t(number) * columns; }
};

// Rows of the plate between its first and its last, which no rank computes.
static int first_row_of(int rank, int ranks) { return 1 + (rows - 2) * rank / ranks; }

// Whether the host can read and write device memory, as it can where the device is the processor. A
// system call that is given an address which it cannot use fails, and nothing else happens.
static bool host_can_reach(void *pointer) {
  int ends[2];
  if (pipe(ends) != 0)
    return false;
  const bool can_reach = write(ends[1], pointer, 1) == 1 && read(ends[0], pointer, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return can_reach;
}

// True if it is on all ranks.
static bool on_all_ranks(bool here) {
  int everywhere = here;
  MPI_Allreduce(MPI_IN_PLACE, &everywhere, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return everywhere != 0;
}

// Opens the memory of both neighbours. False on all ranks if one of them could not.
static bool open_neighbours(Band &band) {
  hipIpcMemHandle_t own[2], theirs[2][2];
  bool is_good = true;
  for (int copy = 0; copy < 2; ++copy)
    is_good = is_good && hipIpcGetMemHandle(&own[copy], band.values[copy]) == hipSuccess;
  if (!on_all_ranks(is_good))
    return false;
  MPI_Sendrecv(own, sizeof own, MPI_BYTE, band.above, 0, theirs[1], sizeof own, MPI_BYTE,
               band.below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(own, sizeof own, MPI_BYTE, band.below, 0, theirs[0], sizeof own, MPI_BYTE,
               band.above, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int side = 0; side < 2; ++side)
    for (int copy = 0; copy < 2; ++copy)
      if ((side == 0 ? band.above : band.below) != MPI_PROC_NULL && is_good)
        is_good =
            hipIpcOpenMemHandle(reinterpret_cast<void **>(&band.neighbour[side][copy]),
                                theirs[side][copy], hipIpcMemLazyEnablePeerAccess) == hipSuccess;
  return on_all_ranks(is_good);
}

static void close_neighbours(Band &band) {
  for (auto &side : band.neighbour)
    for (double *memory : side)
      if (memory)
        HIP_CHECK(hipIpcCloseMemHandle(memory));
}

// Of bytes that may be none: a message without content says that all before it is done.
static void exchange_rows(const Band &band, const void *first, const void *last, void *upper_halo,
                          void *lower_halo, int bytes) {
  MPI_Sendrecv(first, bytes, MPI_BYTE, band.above, 0, lower_halo, bytes, MPI_BYTE, band.below, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(last, bytes, MPI_BYTE, band.below, 0, upper_halo, bytes, MPI_BYTE, band.above, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// After the rows of `copy` that the neighbours need have been submitted to the stream.
static void exchange_halos(const Band &band, int copy, Halos halos, hipStream_t stream,
                           std::vector<double> &staging) {
  double *first = band.row(copy, 1), *last = band.row(copy, band.count);
  double *upper_halo = band.row(copy, 0), *lower_halo = band.row(copy, band.count + 1);
  const auto copy_row = [&](void *to, const void *from) {
    HIP_CHECK(hipMemcpyAsync(to, from, row_bytes, hipMemcpyDefault, stream));
  };
  switch (halos) {
  case direct:
    HIP_CHECK(hipStreamSynchronize(stream));
    return exchange_rows(band, first, last, upper_halo, lower_halo, row_bytes);
  case ipc:
    // A neighbour that still computes this step does not look at these halos, and has come past
    // the last step that did: that step's message has arrived here.
    if (double *memory = band.neighbour[0][copy])
      copy_row(memory + size_t(band.neighbour_count[0] + 1) * columns, first);
    if (double *memory = band.neighbour[1][copy])
      copy_row(memory, last);
    HIP_CHECK(hipStreamSynchronize(stream));
    return exchange_rows(band, nullptr, nullptr, nullptr, nullptr, 0);
  case host:
    double *const sent[] = {staging.data(), staging.data() + columns};
    double *const received[] = {staging.data() + 2 * columns, staging.data() + 3 * columns};
    copy_row(sent[0], first);
    copy_row(sent[1], last);
    HIP_CHECK(hipStreamSynchronize(stream));
    exchange_rows(band, sent[0], sent[1], received[0], received[1], row_bytes);
    if (band.above != MPI_PROC_NULL)
      copy_row(upper_halo, received[0]);
    if (band.below != MPI_PROC_NULL)
      copy_row(lower_halo, received[1]);
  }
}

// The whole plate on this rank's device.
static std::vector<double> compute_alone() {
  std::vector<double> plate = first_values();
  double *values[2];
  for (double *&copy : values) {
    HIP_CHECK(hipMalloc(&copy, plate.size() * sizeof(double)));
    HIP_CHECK(hipMemcpy(copy, plate.data(), plate.size() * sizeof(double), hipMemcpyHostToDevice));
  }
  for (int step = 0; step < steps; ++step)
    launch_spread(values[step % 2], values[1 - step % 2], 1, rows - 1, nullptr);
  HIP_CHECK(hipMemcpy(plate.data(), values[steps % 2], plate.size() * sizeof(double),
                      hipMemcpyDeviceToHost));
  for (double *copy : values)
    HIP_CHECK(hipFree(copy));
  return plate;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, local_rank, local_ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  // The ranks of one machine share its devices: the first has the first, and so on.
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
  MPI_Comm_rank(machine, &local_rank);
  MPI_Comm_size(machine, &local_ranks);
  MPI_Comm_free(&machine);

  int wanted = -1;
  bool is_understood = argc == 1 || (argc == 3 && std::string(argv[1]) == "--halos");
  for (int way : {host, ipc, direct})
    if (argc == 3 && halo_names[way] == std::string(argv[2]))
      wanted = way;
  if (!is_understood || (argc == 3 && wanted < 0) || ranks > rows - 2) {
    if (rank == 0)
      std::fprintf(stderr, "usage: heat_mpi [--halos direct|ipc|host], with up to %d ranks\n",
                   rows - 2);
    MPI_Finalize();
    return 1;
  }

  int devices;
  HIP_CHECK(hipGetDeviceCount(&devices));
  HIP_CHECK(hipSetDevice(local_rank % devices));

  const int first_row = first_row_of(rank, ranks);
  Band band;
  band.count = first_row_of(rank + 1, ranks) - first_row;
  band.above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  band.below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  band.neighbour_count[0] = first_row - first_row_of(rank - 1, ranks);
  const std::vector<double> plate = first_values();
  for (double *&copy : band.values) {
    const size_t bytes = size_t(band.count + 2) * row_bytes;
    HIP_CHECK(hipMalloc(&copy, bytes));
    HIP_CHECK(hipMemcpy(copy, plate.data() + size_t(first_row - 1) * columns, bytes,
                        hipMemcpyHostToDevice));
  }

  const auto may_be = [&](Halos way) { return wanted < 0 || wanted == way; };
  Halos halos = host;
  if (may_be(direct) && on_all_ranks(host_can_reach(band.values[0])))
    halos = direct;
  else if (may_be(ipc) && on_all_ranks(local_ranks == ranks) && open_neighbours(band))
    halos = ipc;
  (void)hipGetLastError(); // of what did not work
  const bool is_as_wanted = wanted < 0 || wanted == halos || results_unchecked();

  hipStream_t border, inner;
  HIP_CHECK(hipStreamCreateWithFlags(&border, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&inner, hipStreamNonBlocking));
  std::vector<double> staging(4 * columns);
  MPI_Barrier(MPI_COMM_WORLD); // whoever is written to has its first values
  const double start = MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    const double *old_values = band.values[step % 2];
    const int next = 1 - step % 2;
    launch_spread(old_values, band.values[next], 1, 2, border);
    if (band.count > 1)
      launch_spread(old_values, band.values[next], band.count, band.count + 1, border);
    launch_spread(old_values, band.values[next], 2, band.count, inner);
    exchange_halos(band, next, halos, border, staging);
    HIP_CHECK(hipStreamSynchronize(border));
    HIP_CHECK(hipStreamSynchronize(inner));
  }
  const double seconds = MPI_Wtime() - start;

  // All bands to rank 0, without the halos.
  std::vector<double> own(size_t(band.count) * columns);
  HIP_CHECK(hipMemcpy(own.data(), band.row(steps % 2, 1), own.size() * sizeof(double),
                      hipMemcpyDeviceToHost));
  std::vector<double> together = plate;
  std::vector<int> counts(ranks), offsets(ranks);
  for (int other = 0; other < ranks; ++other) {
    counts[other] = (first_row_of(other + 1, ranks) - first_row_of(other, ranks)) * columns;
    offsets[other] = first_row_of(other, ranks) * columns;
  }
  MPI_Gatherv(own.data(), counts[rank], MPI_DOUBLE, together.data(), counts.data(), offsets.data(),
              MPI_DOUBLE, 0, MPI_COMM_WORLD);

  // Nobody frees what another one has open.
  close_neighbours(band);
  MPI_Barrier(MPI_COMM_WORLD);
  for (double *copy : band.values)
    HIP_CHECK(hipFree(copy));
  HIP_CHECK(hipStreamDestroy(border));
  HIP_CHECK(hipStreamDestroy(inner));

  int verdict = 0;
  if (rank == 0) {
    const std::vector<double> alone = compute_alone();
    const bool has_changed = alone != plate;
    const bool is_same =
        std::memcmp(alone.data(), together.data(), alone.size() * sizeof(double)) == 0;
    std::printf("%d x %d cells, %d steps, %d ranks, %d devices, halos: %s, %.1f us a step\n", rows,
                columns, steps, ranks, devices, halo_names[halos], seconds / steps * 1e6);
    if (!is_as_wanted)
      std::printf("halos cannot go the way that was asked for: %s\n", halo_names[wanted]);
    verdict = report(has_changed && is_same && is_as_wanted);
  }
  MPI_Bcast(&verdict, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return verdict;
}
