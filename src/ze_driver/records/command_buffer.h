// Memory for command records: segments in a chain. One thread adds records at the end; in a list
// that is executed while it grows, another thread reads them from the front and gives the segments
// back.
#pragma once

#include "command.h"

#include <mutex>
#include <span>

namespace ze_driver {

class CommandBuffer {
  struct Segment;

public:
  CommandBuffer() = default;
  CommandBuffer(const CommandBuffer &) = delete;
  CommandBuffer &operator=(const CommandBuffer &) = delete;
  ~CommandBuffer(); // frees the memory; the records' references are the owner's business

  /// Adds a record with uninitialised waits and `payload_bytes` of uninitialised payload. Throws
  /// std::bad_alloc, changing nothing. The reader must not be told of it before it is filled.
  Command &add(Opcode opcode, uint32_t wait_count, size_t payload_bytes);

  /// A position between records. Valid at the front only after the first record was added.
  class Cursor {
  public:
    /// The record here; it exists.
    Command &command();
    /// Steps over the record here; segments left behind stay.
    void advance();

  private:
    friend class CommandBuffer;
    explicit Cursor(Segment *segment) : segment_(segment) {}
    Segment *segment_;
    size_t offset_ = 0;
  };
  Cursor front() const { return Cursor(first_); }

  /// The record at the front, of which the reader knows that it was added.
  Command &front_command();
  /// Removes the record at the front. Memory it leaves is used again for new ones.
  void pop_front();
  /// Every record was removed: the next ones take the same memory, which is in the caches. For a thread that adds and removes.
  void rewind() {
    if (first_ == last_)
      end_ = front_ = 0;
  }

private:
  static constexpr size_t segment_bytes = 32 * 1024;
  static constexpr size_t max_spares = 4;

  Segment *take_segment(size_t bytes);
  void give_back(Segment *segment);

  // The writer's end.
  Segment *last_ = nullptr;
  size_t end_ = 0;
  // The reader's end; written by the writer before the first record is published.
  alignas(64) Segment *first_ = nullptr;
  size_t front_ = 0;

  std::mutex spare_mutex_; // taken once per segment
  Segment *spares_ = nullptr;
  size_t spare_count_ = 0;
};

} // namespace ze_driver
