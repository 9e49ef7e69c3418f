// Statements of random kernels that wait for other sub-groups and work-groups, as SPIR-V.
#pragma once

#include "emitted_expressions.h"

namespace random_kernels {

class WaitEmitter : protected ExpressionEmitter {
protected:
  using ExpressionEmitter::ExpressionEmitter;

  template <class Body> void relay(const Statement &s, const Body &body) {
    const Id time = next_time(), self = evaluate({.kind = ExprKind::sub_group_id}),
             kept = op(OpUMod, t_.u32(), time, t_.number(8));
    const auto word = [&](Id sub_group, Id number) {
      Id at = op(OpIMul, t_.u32(), sub_group, t_.number(9));
      at = op(OpIAdd, t_.u32(), at, t_.number(s.number * relay_words));
      return wait_word(s.wait, op(OpIAdd, t_.u32(), at, number));
    };
    const auto kept_word = [&](Id sub_group) {
      return word(sub_group, op(OpIAdd, t_.u32(), kept, t_.number(1)));
    };
    in_order(
        s, body,
        [&] {
          const Id before = op(kernel_.backwards ? OpIAdd : OpISub, t_.u32(), self, t_.number(1));
          receive(s, op(OpINotEqual, t_.of(Type::boolean), rank(), t_.number(0)), [&] {
            wait_until(s.wait, word(before, t_.number(0)), OpULessThan, time);
            return load(t_.u32(), kept_word(before));
          });
        },
        [&](Id value) {
          const Id leader = elect();
          when(leader, [&] {
            emit_store(kept_word(self), value);
            send(s.wait, word(self, t_.number(0)), time);
          });
        });
  }

  template <class Body> void turns(const Statement &s, const Body &body) {
    const uint32_t at = first_turn + 2 * s.number;
    const Id count = evaluate({.kind = ExprKind::sub_group_count}),
             round = declare_variable(t_.u32());
    const Id before = op(OpIMul, t_.u32(), op(OpISub, t_.u32(), next_time(), t_.number(1)),
                         op(OpIMul, t_.u32(), count, t_.number(s.rounds)));
    emit_store(round, t_.number(0));
    const Id head = m_.make_id(), latch = m_.make_id(), end = m_.make_id();
    branch(head);
    label(head);
    Id mine = op(OpIMul, t_.u32(), load(t_.u32(), round), count);
    mine = op(OpIAdd, t_.u32(), mine, op(OpIAdd, t_.u32(), before, rank()));
    wait_until(s.wait, wait_word(s.wait, t_.number(at)), OpINotEqual, mine);
    emit_store(variables_[s.target], load(t_.u32(), wait_word(s.wait, t_.number(at + 1))));
    body();
    const Id value = evaluate(s.a), leader = elect();
    when(leader, [&] {
      emit_store(wait_word(s.wait, t_.number(at + 1)), value);
      send(s.wait, wait_word(s.wait, t_.number(at)), op(OpIAdd, t_.u32(), mine, t_.number(1)));
    });
    branch(latch);
    label(latch);
    const Id next = op(OpIAdd, t_.u32(), load(t_.u32(), round), t_.number(1));
    emit_store(round, next);
    branch(op(OpULessThan, t_.of(Type::boolean), next, t_.number(s.rounds)), head, end);
    label(end);
  }

  template <class Body> void look_back(const Statement &s, const Body &body) {
    const Id group = linear_group(), boolean = t_.of(Type::boolean);
    const auto word = [&](Id of, uint32_t number) {
      return group_word(of, t_.number(first_sent + 2 * s.number + number));
    };
    const auto read = [&] {
      const Id before = op(OpISub, t_.u64(), group, t_.wide_number(1));
      wait_until(s.wait, word(before, 0), OpULessThan, t_.number(1));
      return load(t_.u32(), word(before, 1));
    };
    const auto is_first = [&] {
      return op(OpIEqual, boolean, evaluate({.kind = ExprKind::linear_id}), t_.number(0));
    };
    in_order(
        s, body,
        [&] {
          const Id is_behind = op(OpINotEqual, boolean, group, t_.wide_number(0));
          if (s.wait.waiters != Waiters::first_of_group)
            return receive(s, is_behind, read);
          when(is_first(), [&] {
            receive(s, is_behind, read);
            emit_store(work_group_element(waits_, t_.number(shared_value)),
                       load(t_.u32(), variables_[s.target]));
          });
          emit_barrier();
          emit_store(variables_[s.target],
                     load(t_.u32(), work_group_element(waits_, t_.number(shared_value))));
          emit_barrier();
        },
        [&](Id value) {
          when(is_first(), [&] {
            emit_store(word(group, 1), value);
            send(s.wait, word(group, 0), t_.number(1));
          });
        });
  }

  template <class Body> void lock(const Statement &s, const Body &body) {
    Id taken, cell;
    if (s.wait.in_global) {
      taken = cell_address(t_.wide_number(first_lock + s.number));
      cell = cell_address(t_.wide_number(first_locked_cell + s.number));
    } else {
      taken = work_group_element(waits_, t_.number(first_group_lock + s.number));
      const Id before = op(OpIMul, t_.u64(), linear_group(), t_.wide_number(locked_cells));
      cell =
          cell_address(op(OpIAdd, t_.u64(), before, t_.wide_number(first_group_cell + s.number)));
    }
    const Combine combine = cell_operation(s.number);
    const auto change = [&](Id value) {
      emit_store(cell, combined(combine, load(t_.u32(), cell), value));
      fence();
      put(code_, OpAtomicStore, {taken, t_.number(scope_device), t_.number(0x304), t_.number(0)});
    };
    const Id boolean = t_.of(Type::boolean);
    if (s.wait.waiters != Waiters::each) {
      const Id leader = elect();
      when(leader, [&] {
        loop_while(
            [&] { return op(OpINotEqual, boolean, try_to_take(s.wait, taken), t_.number(0)); });
      });
      meet();
      body();
      const Id total = op(sub_group_code(combine, Type::u32), t_.u32(), t_.number(scope_sub_group),
                          0u, evaluate(s.a));
      when(leader, [&] { change(total); });
      return;
    }
    const Id done = declare_variable(boolean);
    emit_store(done, t_.constant(Type::boolean, 0));
    const Id head = m_.make_id(), attempt = m_.make_id(), end = m_.make_id();
    branch(head);
    label(head);
    branch(load(boolean, done), end, attempt);
    label(attempt);
    when(op(OpIEqual, boolean, try_to_take(s.wait, taken), t_.number(0)), [&] {
      fence();
      body();
      change(evaluate(s.a));
      emit_store(done, t_.constant(Type::boolean, 1));
    });
    branch(head);
    label(end);
  }

  // All work-items of the group are at it, and have to meet afterwards.
  void clear(Id words, uint32_t count) {
    const Id index = declare_variable(t_.u32());
    emit_store(index, evaluate({.kind = ExprKind::linear_id}));
    const Id head = m_.make_id(), body = m_.make_id(), end = m_.make_id();
    branch(head);
    label(head);
    const Id at = load(t_.u32(), index);
    branch(op(OpULessThan, t_.of(Type::boolean), at, t_.number(count)), body, end);
    label(body);
    emit_store(work_group_element(words, at), t_.number(0));
    emit_store(index, op(OpIAdd, t_.u32(), at, t_.number(kernel_.items())));
    branch(head);
    label(end);
  }

  Id cell_address(Id word) {
    return op(OpInBoundsPtrAccessChain, t_.pointer(CrossWorkgroup, t_.u32()), taken(Taken::cells),
              word);
  }

private:
  template <class Then> void when(Id condition, const Then &then) {
    const Id yes = m_.make_id(), end = m_.make_id();
    branch(condition, yes, end);
    label(yes);
    then();
    branch(end);
    label(end);
  }
  template <class Condition> void loop_while(const Condition &condition) {
    const Id head = m_.make_id(), again = m_.make_id(), end = m_.make_id();
    branch(head);
    label(head);
    branch(condition(), again, end);
    label(again);
    branch(head);
    label(end);
  }

  template <class Body, class Receive, class Send>
  void in_order(const Statement &s, const Body &body, const Receive &receive, const Send &send) {
    if (s.wait.ends)
      send(evaluate(s.a));
    else
      receive();
    body();
    if (s.wait.ends)
      receive();
    else
      send(evaluate(s.a));
  }
  // The target becomes what is read, or 0.
  template <class Read> void receive(const Statement &s, Id is_sent, const Read &read) {
    emit_store(variables_[s.target], t_.number(0));
    when(is_sent, [&] { emit_store(variables_[s.target], read()); });
  }

  // How often the statement has been executed, from 1 on.
  Id next_time() {
    const Id times = m_.make_id();
    put(declarations_, OpVariable,
        {t_.pointer(Function, t_.u32()), times, Function, t_.null(t_.u32())});
    const Id time = op(OpIAdd, t_.u32(), load(t_.u32(), times), t_.number(1));
    emit_store(times, time);
    return time;
  }

  Id rank() {
    const Id self = evaluate({.kind = ExprKind::sub_group_id});
    if (!kernel_.backwards)
      return self;
    const Id last =
        op(OpISub, t_.u32(), evaluate({.kind = ExprKind::sub_group_count}), t_.number(1));
    return op(OpISub, t_.u32(), last, self);
  }

  Id wait_word(const Wait &wait, Id word) {
    if (!wait.in_global)
      return work_group_element(waits_, word);
    return group_word(linear_group(), op(OpIAdd, t_.u32(), word, t_.number(first_wait_word)));
  }

  void fence() { put(code_, OpMemoryBarrier, {t_.number(scope_device), t_.number(0x308)}); }
  Id elect() {
    return op(OpGroupNonUniformElect, t_.of(Type::boolean), t_.number(scope_sub_group));
  }
  void meet() {
    op(OpGroupNonUniformAny, t_.of(Type::boolean), t_.number(scope_sub_group),
       t_.constant(Type::boolean, 1));
    fence();
  }

  void send(const Wait &wait, Id place, Id value) {
    fence();
    if (wait.form == WaitForm::atomic_load || wait.form == WaitForm::atomic_add)
      put(code_, OpAtomicStore, {place, t_.number(scope_device), t_.number(0x304), value});
    else
      put(code_, OpStore, {place, value, 3, 4}); // volatile, aligned
  }

  Id read(const Wait &wait, Id place) {
    switch (wait.form) {
    case WaitForm::atomic_load:
      return op(OpAtomicLoad, t_.u32(), place, t_.number(scope_device), t_.number(0x302));
    case WaitForm::volatile_load:
      return op(OpLoad, t_.u32(), place, 3u, 4u);
    case WaitForm::atomic_add:
      return op(OpAtomicIAdd, t_.u32(), place, t_.number(scope_device), t_.number(0x308),
                t_.number(0));
    case WaitForm::fenced_load:
      fence();
      return load(t_.u32(), place);
    }
    return 0;
  }

  // Goes on when what is read is no longer `still` as `wanted`.
  void wait_until(const Wait &wait, Id place, Op still, Id wanted) {
    const Id boolean = t_.of(Type::boolean);
    const auto is_missing = [&] { return op(still, boolean, read(wait, place), wanted); };
    switch (wait.waiters) {
    case Waiters::each:
    case Waiters::first_of_group:
      loop_while(is_missing);
      fence();
      return;
    case Waiters::first: {
      const Id leader = elect();
      when(leader, [&] { loop_while(is_missing); });
      return meet();
    }
    case Waiters::votes:
      loop_while([&] {
        return op(OpGroupNonUniformAny, boolean, t_.number(scope_sub_group), is_missing());
      });
      fence();
      return;
    }
  }

  // What was there before, 0 where it was free.
  Id try_to_take(const Wait &wait, Id place) {
    const Id scope = t_.number(scope_device), acquire = t_.number(0x302);
    if (wait.exchanges)
      return op(OpAtomicExchange, t_.u32(), place, scope, acquire, t_.number(1));
    return op(OpAtomicCompareExchange, t_.u32(), place, scope, acquire, acquire, t_.number(1),
              t_.number(0));
  }

  Id combined(Combine how, Id a, Id b) {
    if (how == Combine::add)
      return op(OpIAdd, t_.u32(), a, b);
    if (how == Combine::bit_xor)
      return op(OpBitwiseXor, t_.u32(), a, b);
    return op(OpSelect, t_.u32(), op(OpULessThan, t_.of(Type::boolean), a, b), a, b); // umin
  }
};

} // namespace random_kernels
