// Work of streams: kernels, copies, fills and host functions.
#include "runner_work.h"

#include <cstring>
#include <utility>

namespace model {

// ---- Kernels

Runner::KernelCall::KernelCall(const Runner &runner, const Op &op, int row)
    : function(op.kind == OpKind::kernel            ? runner.mark_
               : op.kind == OpKind::repeated_kernel ? runner.repeated_
               : op.amount == 1040                  ? runner.mark_1040_
                                                    : runner.mark_4080_),
      board_(&runner.shared_->board), count_(uint32_t(runner.program_->ops.size())),
      row_(uint32_t(row)), rounds_(op.amount) {
  const auto pass = [this](auto &...each) {
    arguments_ = {const_cast<void *>(static_cast<const void *>(&each))...};
  };
  if (op.kind == OpKind::kernel) {
    pass(board_, count_, row_, rounds_);
  } else if (op.kind == OpKind::repeated_kernel) {
    fill_words(1); // the same in all programs
    pass(board_, first_, words_);
  } else {
    fill_words(runner.token(row));
    pass(board_, count_, row_, first_, words_);
  }
}

void Runner::launch(int index, hipStream_t stream) {
  KernelCall call(*this, program_->ops[size_t(index)], rows_[size_t(index)]);
  expect(index, hipModuleLaunchKernel(call.function, 1, 1, 1, 1, 1, 1, 0, stream, call.arguments(),
                                      nullptr));
}

// ---- Copies and fills

Runner::Copy Runner::copy_of(const Op &op, int row) const {
  uint32_t *marks = shared_->board.marks;
  const size_t bytes = (program_->ops.size() + 1) * sizeof(uint32_t);
  switch (op.how) {
  case How::from_pinned:
    return {marks + row, shared_->board.tokens + row, sizeof *marks, hipMemcpyHostToDevice};
  case How::from_device:
    return {marks + row, device_tokens_ + row, sizeof *marks, hipMemcpyDeviceToDevice};
  case How::to_device:
    return {device_snapshots_ + size_t(row) * snapshot_words, marks, bytes, hipMemcpyDefault};
  default:
    return {shared_->snapshots[row], marks, bytes, hipMemcpyDefault};
  }
}

hipError_t Runner::copy(int index, hipStream_t stream) {
  const auto [to, from, bytes, kind] = copy_of(program_->ops[size_t(index)], rows_[size_t(index)]);
  return hipMemcpyAsync(to, from, bytes, kind, stream);
}

void Runner::set(int index, hipStream_t stream) {
  const Op &op = program_->ops[size_t(index)];
  uint32_t *mark = &shared_->board.marks[rows_[size_t(index)]];
  const uint32_t value = token(rows_[size_t(index)]);
  uint32_t source = value; // on this thread's stack: pageable
  constexpr size_t bytes = sizeof source;
  hipError_t result = hipSuccess;
  switch (op.how) {
  case How::fill_bytes:
    result = hipMemsetAsync(mark, int(value & 0xff), bytes, stream);
    break;
  case How::fill_words:
    result = hipMemsetD32Async(mark, int(value), 1, stream);
    break;
  case How::fill_null:
    result = hipMemset(mark, int(value & 0xff), bytes);
    break;
  case How::write_value:
    result = hipStreamWriteValue32(stream, mark, value, 0);
    break;
  case How::from_pageable:
    result = hipMemcpyAsync(mark, &source, bytes, hipMemcpyHostToDevice, stream);
    std::atomic_ref(source).store(0xbad);
    break;
  case How::from_pinned:
  case How::from_device:
    result = copy(index, stream);
    break;
  case How::from_host_wait:
    result = hipMemcpy(mark, &source, bytes, hipMemcpyHostToDevice);
    break;
  case How::through_memory: {
    uint32_t *between = static_cast<uint32_t *>(memory_[size_t(op.memory)]) + index;
    result = hipMemcpyAsync(between, &source, bytes, hipMemcpyHostToDevice, stream);
    std::atomic_ref(source).store(0xbad);
    if (result == hipSuccess)
      result = hipMemcpyAsync(mark, between, bytes, hipMemcpyDeviceToDevice, stream);
    break;
  }
  default: {
    auto *between = reinterpret_cast<uint32_t *>(staging_ + size_t(index) * staging_bytes);
    std::vector<uint32_t> many(op.amount / sizeof(uint32_t), value);
    result = hipMemcpyAsync(between, many.data(), op.amount, hipMemcpyHostToDevice, stream);
    std::fill(many.begin(), many.end(), 0xbad);
    if (result == hipSuccess)
      result = hipMemcpyAsync(mark, between + value % many.size(), bytes, hipMemcpyDeviceToDevice,
                              stream);
  }
  }
  if (expect(index, result))
    check_complete(index);
}

void Runner::snapshot(int index, hipStream_t stream) {
  const Op &op = program_->ops[size_t(index)];
  const size_t count = program_->ops.size(), bytes = (count + 1) * sizeof(uint32_t);
  const uint32_t *marks = shared_->board.marks;
  // Lives on, as the copy may if it is wrong.
  uint32_t *pageable = pageable_.data() + size_t(index) * snapshot_words;
  pageable[count] = 0;
  hipError_t result = hipSuccess;
  switch (op.how) {
  case How::to_device:
  case How::to_pinned:
    result = copy(index, stream);
    break;
  case How::to_pageable:
    result = hipMemcpyAsync(pageable, marks, bytes, hipMemcpyDeviceToHost, stream);
    break;
  case How::to_host_wait:
    result = hipMemcpy(pageable, marks, bytes, hipMemcpyDeviceToHost);
    break;
  default:
    result = hipMemcpyWithStream(pageable, marks, bytes, hipMemcpyDeviceToHost, stream);
    break;
  }
  if (!expect(index, result))
    return;
  if (waits_for_itself(op)) {
    if (std::atomic_ref(pageable[count]).load() != last_word)
      violate(index, "returned before the copy was done");
    std::memcpy(shared_->snapshots[index], pageable, bytes);
  }
  check_complete(index);
}

/// Memory keeps what was written to it until all work before its hipFreeAsync is done.
void Runner::use_pool(int index, hipStream_t stream) {
  const Op &op = program_->ops[size_t(index)];
  void *&memory = memory_[size_t(op.memory)];
  uint32_t value = token(index);
  if (op.kind == OpKind::pool_allocate) {
    if (expect(index, hipMallocAsync(&memory, pool_bytes, stream)))
      expect(index, hipMemcpyAsync(memory, &value, sizeof value, hipMemcpyHostToDevice, stream));
  } else {
    expect(index, hipMemcpyAsync(&shared_->board.marks[index], memory, sizeof value,
                                 hipMemcpyDefault, stream));
    expect(index, hipFreeAsync(std::exchange(memory, nullptr), stream));
  }
}

// ---- Host functions

/// As the kernels do it.
void Runner::host_function(void *data) {
  auto [runner, row] = *static_cast<HostCall *>(data);
  Board &board = runner->shared_->board;
  const std::atomic_ref turn(board.turn[row]);
  const uint32_t self = turn.load();
  turn.store(board.after[self]);
  for (size_t i = 0; i < runner->program_->ops.size(); ++i)
    if (runner->mark(int(i)))
      board.seen[self][i / 64] |= uint64_t(1) << (i % 64);
  sleep_us(runner->program_->ops[self].amount);
  std::atomic_ref(board.marks[self])
      .store(runner->mark(int(self)) ? 0xbad : board.tokens[self], std::memory_order_release);
}

void Runner::callback(hipStream_t, hipError_t, void *data) { host_function(data); }

} // namespace model
