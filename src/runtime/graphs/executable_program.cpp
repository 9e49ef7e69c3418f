#include "executable_program.h"

#include <utility>

namespace chip {
namespace {

bool can_be_recorded(const operations::Any &any) {
  return std::visit(
      []<class Operation>(const Operation &operation) {
        if constexpr (std::is_same_v<Operation, operations::KeptLaunch>)
          return !operation.shape.cooperative; // how many groups fit is asked for each launch
        else
          return operations::Appendable<Operation>;
      },
      any);
}

void record(Recording &recording, const operations::Any &any) {
  std::visit(
      [&]<class Operation>(const Operation &operation) {
        if constexpr (operations::Appendable<Operation>)
          recording.record(operation);
      },
      any);
}

} // namespace

std::shared_ptr<const void> SegmentProgram::build(Device &device, const std::vector<Step> &all) {
  auto parts = std::make_shared<std::vector<Part>>();
  const uint64_t epoch = ze::memory_epoch();
  const bool records = device.driver().capabilities().append_command_lists;
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if_not(begin, all.end(), [&](const Step &step) {
      return records && !step.is_left_out && can_be_recorded(step.operation());
    });
    if (end - begin < 2) { // one is cheaper without a list of its own
      parts->push_back(*begin++);
      continue;
    }
    auto recording = std::make_unique<Recording>(device.driver(), device.info());
    for (; begin != end; ++begin)
      record(*recording, begin->operation());
    recording->close();
    parts->push_back(std::move(recording));
  }
  memory_epoch_ = epoch;
  is_current_ = true;
  return std::exchange(parts_, std::move(parts));
}

/// An address in a recording may mean new memory if memory has been freed since, and drivers of devices with memory of their own
/// have to see that.
bool SegmentProgram::is_current(const Device &device) const {
  return is_current_ && (memory_epoch_ == ze::memory_epoch() ||
                         device.driver().capabilities().device_memory_is_host_memory);
}

void SegmentProgram::submit(const StreamTarget &stream) const { submit(stream, parts_->size()); }

/// What is submitted last, if that is a recording.
const Recording *SegmentProgram::last_recording() const {
  if (parts_->empty())
    return nullptr;
  const auto *recording = std::get_if<std::unique_ptr<Recording>>(&parts_->back());
  return recording ? recording->get() : nullptr;
}

void SegmentProgram::submit_marked(const StreamTarget &stream, MarkerRef &end) const {
  if (const Recording *last = last_recording()) {
    submit(stream, parts_->size() - 1);
    stream.queue->submit_marked(*last, end);
  } else {
    submit(stream);
    end = stream.queue->marker();
  }
}

void SegmentProgram::submit_ended(const StreamTarget &stream, MarkerRef &end) const {
  if (const Recording *last = last_recording()) {
    submit(stream, parts_->size() - 1);
    stream.queue->submit_ended(*last, end);
  } else {
    submit(stream);
    end = stream.queue->marker();
  }
}

void SegmentProgram::submit(const StreamTarget &stream, size_t parts) const {
  for (const Part &part : std::span(*parts_).first(parts))
    if (const auto *recording = std::get_if<std::unique_ptr<Recording>>(&part))
      stream.queue->submit(**recording);
    else
      std::visit([&](const auto &operation) { enqueue(stream, operation); },
                 std::get<Step>(part).operation());
}

} // namespace chip
