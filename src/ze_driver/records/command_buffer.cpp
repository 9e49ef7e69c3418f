#include "command_buffer.h"
#include "../../common/align.h"

#include <new>

namespace ze_driver {

namespace {

constexpr size_t alignment = alignof(Command);

} // namespace

struct alignas(64) CommandBuffer::Segment {
  Segment *next = nullptr;
  size_t capacity; // of the data behind this header, without the room that is kept for a jump

  explicit Segment(size_t capacity) : capacity(capacity) {}
  std::byte *data() { return reinterpret_cast<std::byte *>(this + 1); }
  Command &at(size_t offset) { return *reinterpret_cast<Command *>(data() + offset); }

  static Segment *create(size_t capacity) {
    void *memory = ::operator new(sizeof(Segment) + capacity + sizeof(Command),
                                  std::align_val_t(alignof(Segment)));
    return new (memory) Segment(capacity);
  }
  static void destroy(Segment *segment) {
    segment->~Segment();
    ::operator delete(segment, std::align_val_t(alignof(Segment)));
  }
};

CommandBuffer::~CommandBuffer() {
  for (Segment *list : {first_, spares_})
    while (list) {
      Segment *next = list->next;
      Segment::destroy(list);
      list = next;
    }
}

CommandBuffer::Segment *CommandBuffer::take_segment(size_t bytes) {
  if (bytes <= segment_bytes) {
    std::lock_guard lock(spare_mutex_);
    if (Segment *segment = spares_) {
      spares_ = segment->next;
      --spare_count_;
      segment->next = nullptr;
      return segment;
    }
  }
  return Segment::create(std::max(bytes, segment_bytes));
}

void CommandBuffer::give_back(Segment *segment) {
  if (segment->capacity == segment_bytes) {
    std::lock_guard lock(spare_mutex_);
    if (spare_count_ < max_spares) {
      segment->next = spares_;
      spares_ = segment;
      ++spare_count_;
      return;
    }
  }
  Segment::destroy(segment);
}

Command &CommandBuffer::add(Opcode opcode, uint32_t wait_count, size_t payload_bytes) {
  static_assert(offsetof(Command, payload_offset) + sizeof(uint32_t) <= Command::header_bytes);
  const size_t payload_offset = common::round_up(Command::header_bytes + wait_count * sizeof(Wait),
                                                 alignof(std::max_align_t));
  const size_t bytes = common::round_up(payload_offset + payload_bytes, alignment);
  if (bytes > UINT32_MAX)
    throw std::bad_alloc();

  if (!last_) {
    last_ = first_ = take_segment(bytes);
  } else if (end_ + bytes > last_->capacity) {
    Segment *next = take_segment(bytes);
    last_->next = next;
    Command &jump = last_->at(end_);
    jump.opcode = Opcode::jump;
    last_ = next;
    end_ = 0;
  }
  Command &command = last_->at(end_);
  command.bytes = static_cast<uint32_t>(bytes);
  command.opcode = opcode;
  command.is_named = false;
  command.wait_count = wait_count;
  command.signal = nullptr;
  command.stamps = nullptr;
  command.payload_offset = static_cast<uint32_t>(payload_offset);
  end_ += bytes;
  return command;
}

Command &CommandBuffer::Cursor::command() {
  if (segment_->at(offset_).opcode == Opcode::jump) {
    segment_ = segment_->next;
    offset_ = 0;
  }
  return segment_->at(offset_);
}

void CommandBuffer::Cursor::advance() { offset_ += command().bytes; }

Command &CommandBuffer::front_command() {
  if (first_->at(front_).opcode == Opcode::jump) {
    Segment *left = first_;
    first_ = left->next;
    front_ = 0;
    give_back(left);
  }
  return first_->at(front_);
}

void CommandBuffer::pop_front() { front_ += front_command().bytes; }

} // namespace ze_driver
