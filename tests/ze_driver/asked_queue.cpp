// Queues whose device finishes commands after it was given them, and tells of that when it is asked.
#include "../../src/ze_driver/lists/append.h"
#include "../../src/ze_driver/records/queue_backend.h"

#include <catch2/catch_test_macros.hpp>

#include <thread>
#include <vector>

using namespace ze_driver;

namespace {

/// What the device would say; it says nothing by itself unless it was asked to.
class Source final : public CompletionSource {
public:
  uint64_t finished = 0, announced = 0;
  int refreshes = 0, waits = 0;
  bool can_wait = true;

  void refresh(Counter &counter) noexcept override {
    ++refreshes;
    if (counter.value() < finished)
      counter.advance(finished);
  }
  void announce(Counter &, uint64_t value) noexcept override { announced = value; }
  bool wait(Counter &counter, uint64_t value) noexcept override {
    ++waits;
    if (can_wait)
      counter.advance(value);
    return can_wait;
  }
};

class Told final : public Waiter {
public:
  int times = 0;
  bool lost = false;

private:
  void reached(bool is_lost) noexcept override {
    ++times;
    lost = is_lost;
  }
};

class AskedQueue final : public QueueBackend {
public:
  AskedQueue() : QueueBackend(std::make_unique<Source>()) {}

  Source &source() { return static_cast<Source &>(*done().source()); }
  /// Hands over what nothing holds up.
  void run() {
    const auto is_free = [](Counter &counter, uint64_t value) {
      return counter.has_reached(value);
    };
    while (has_work() && pass_on(is_free, [&](Command &command, CommandEnd end) {
             opcodes.push_back(command.opcode);
             ends.push_back(std::move(end));
           }))
      ;
  }
  bool passes_launches = false;
  int launches = 0; // that were passed on without a record

  using QueueBackend::completed;
  using QueueBackend::lose;

  std::vector<Opcode> opcodes;
  std::vector<CommandEnd> ends;

private:
  void published() override {}
  bool pass_launch(const LaunchCommand &, const std::byte *) override {
    launches += passes_launches;
    return passes_launches;
  }
};

/// One whose records another thread executes.
class RecordQueue final : public QueueBackend {
  void published() override {}
};

void add_to(Recording &recording, Opcode opcode, Counter *signal = nullptr) {
  Command &command = recording.commands.add(opcode, 0, sizeof(CopyCommand));
  command.signal = Ref<Counter>::share(signal).detach();
  ++recording.count;
}

} // namespace

TEST_CASE("ze_driver: a counter with a source asks it before it says that a value is not reached") {
  const auto counter = Ref<Counter>::make(std::make_unique<Source>());
  auto &source = static_cast<Source &>(*counter->source());
  CHECK_FALSE(counter->has_reached(2));
  source.finished = 2;
  CHECK(counter->has_reached(2));
  const int asked = source.refreshes;
  CHECK(counter->has_reached(1)); // it knows
  CHECK(source.refreshes == asked);
}

TEST_CASE("ze_driver: a source is made to tell by who subscribes, and by nobody else") {
  const auto counter = Ref<Counter>::make(std::make_unique<Source>());
  auto &source = static_cast<Source &>(*counter->source());
  Told told;
  CHECK_FALSE(counter->wait(5, Deadline(0)));
  CHECK(source.announced == 0);
  REQUIRE(counter->subscribe(told, 5));
  CHECK(source.announced == 5);
  counter->advance(5);
  CHECK(told.times == 1);
  source.finished = 7;
  CHECK_FALSE(counter->subscribe(told, 7)); // it has been reached, which only the source knew
}

TEST_CASE("ze_driver: a wait without limit is the source's, as soon as it knows of the work") {
  const auto counter = Ref<Counter>::make(std::make_unique<Source>());
  auto &source = static_cast<Source &>(*counter->source());
  CHECK(counter->wait(3, Deadline(UINT64_MAX)));
  CHECK(source.waits == 1);
  source.can_wait = false;
  std::thread other([&] {
    while (source.announced != 4)
      std::this_thread::yield();
    counter->advance(4);
  });
  CHECK(counter->wait(4, Deadline(UINT64_MAX)));
  other.join();
  CHECK(source.waits == 2);
}

TEST_CASE("ze_driver: commands are handed over in order, each with what its end means to others") {
  const auto queue = Ref<AskedQueue>::make();
  const auto signal = Ref<Counter>::make();
  const auto stamps = Ref<Timestamps>::make();
  queue->add(Opcode::copy, 0, sizeof(CopyCommand));
  queue->submit();
  Command &second = queue->add(Opcode::fill, 0, sizeof(FillCommand));
  second.signal = Ref<Counter>::share(signal.get()).detach();
  second.stamps = Ref<Timestamps>::share(stamps.get()).detach();
  queue->submit();
  queue->run();
  REQUIRE(queue->opcodes == std::vector{Opcode::copy, Opcode::fill});
  CHECK(queue->ends[0].value == 1);
  CHECK(!queue->ends[0].signal);
  CHECK(queue->ends[1].value == 2);
  CHECK(queue->ends[1].signal.get() == signal.get());
  CHECK(queue->ends[1].stamps.get() == stamps.get());
  CHECK(signal->value() == 0); // nothing is finished
  CHECK(queue->done().value() == 0);
  queue->ends.clear();
  CHECK(signal->is_unique()); // the record is gone, and its references with it
}

TEST_CASE("ze_driver: a recording is handed over command by command, and its own end last") {
  const auto queue = Ref<AskedQueue>::make();
  const auto inner = Ref<Counter>::make(), outer = Ref<Counter>::make();
  const auto recording = Ref<Recording>::make();
  add_to(*recording, Opcode::copy);
  add_to(*recording, Opcode::fill, inner.get());
  for (int i = 0; i < 2; ++i) {
    Command &command = queue->add(Opcode::run_recording, 0, sizeof(RunRecordingCommand));
    command.signal = Ref<Counter>::share(outer.get()).detach();
    command.payload<RunRecordingCommand>() = {Ref<Recording>::share(recording.get()).detach(), 0};
    queue->submit(3);
  }
  queue->run();
  REQUIRE(queue->opcodes == std::vector{Opcode::copy, Opcode::fill, Opcode::run_recording,
                                        Opcode::copy, Opcode::fill, Opcode::run_recording});
  for (uint64_t i = 0; i < 6; ++i)
    CHECK(queue->ends[i].value == i + 1);
  CHECK(queue->ends[1].signal.get() == inner.get());
  CHECK(queue->ends[2].signal.get() == outer.get());
  CHECK(queue->ends[4].signal.get() == inner.get());
  CHECK(queue->completed() == 6);
  CHECK(recording->is_unique());
}

TEST_CASE("ze_driver: a queue that is lost still hands over, without waiting") {
  const auto queue = Ref<AskedQueue>::make();
  const auto never = Ref<Counter>::make();
  Command &command = queue->add(Opcode::copy, 1, sizeof(CopyCommand));
  command.waits()[0] = {Ref<Counter>::share(never.get()).detach(), 1};
  queue->submit();
  queue->run();
  CHECK(queue->opcodes.empty());
  queue->lose();
  queue->run();
  CHECK(queue->opcodes.size() == 1);
  CHECK(queue->is_lost());
}

TEST_CASE("ze_driver: a launch that is passed on at once counts as one with a record does") {
  const auto queue = Ref<AskedQueue>::make();
  CHECK_FALSE(queue->launch_now({}, nullptr));
  CHECK(queue->submitted() == 0);
  queue->passes_launches = true;
  CHECK(queue->launch_now({}, nullptr));
  CHECK(queue->submitted() == 1);
  CHECK(queue->completed() == 1);
  CHECK(queue->done().value() == 0); // it is not finished
  queue->add(Opcode::copy, 0, sizeof(CopyCommand));
  CHECK(queue->submit() == 2);
  queue->run();
  REQUIRE(queue->ends.size() == 1);
  CHECK(queue->ends[0].value == 2);
  CHECK(queue->launches == 1);
}

TEST_CASE("ze_driver: a queue whose records another thread executes is given records") {
  CHECK_FALSE(Ref<RecordQueue>::make()->appender_passes_on());
  CHECK(Ref<AskedQueue>::make()->appender_passes_on());
}

TEST_CASE("ze_driver: memory of records is used again as soon as all are gone") {
  CommandBuffer buffer;
  const Command *const first = &buffer.add(Opcode::barrier, 0, 0);
  buffer.add(Opcode::barrier, 0, 0);
  buffer.pop_front();
  buffer.pop_front();
  buffer.rewind();
  CHECK(&buffer.add(Opcode::copy, 0, sizeof(CopyCommand)) == first);
  CHECK(buffer.front_command().opcode == Opcode::copy);
  buffer.pop_front();
  // More than fits into one piece of memory.
  for (int i = 0; i < 2000; ++i)
    buffer.add(Opcode::barrier, 0, 0);
  for (int i = 0; i < 2000; ++i)
    buffer.pop_front();
  buffer.rewind();
  for (int i = 0; i < 2000; ++i) {
    CHECK(&buffer.add(Opcode::fill, 0, sizeof(FillCommand)) == &buffer.front_command());
    buffer.pop_front();
    buffer.rewind();
  }
}

TEST_CASE("ze_driver: a command that an event stands for says so") {
  Command command{};
  Event::Options options{.kind = Event::Kind::counter_based};
  const Ref<Event> event = Ref<Event>::make(options);
  attach_signal(command, nullptr);
  CHECK_FALSE(command.is_named);
  attach_signal(command, event.get());
  CHECK(command.is_named);
  CHECK(!command.signal); // the list's counter is what it stands for
}
