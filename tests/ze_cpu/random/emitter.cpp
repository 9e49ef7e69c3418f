#include "emitter.h"

#include "emitted_waits.h"

#include <cstring>
#include <string>
#include <utility>

namespace random_kernels {
namespace {

class KernelEmitter : WaitEmitter {
public:
  KernelEmitter(Types &types, BuiltInVariables &built_ins, const Kernel &kernel)
      : WaitEmitter(types, built_ins, kernel) {}

  Id emit() {
    std::vector<Id> types = taken_types();
    if (kernel_.takes_struct)
      types = {t_.pointer(Function, m_.declare(OpTypeStruct, 0, types))};
    Id none = m_.declare(OpTypeVoid, 0, {});
    Words signature = {none};
    signature.insert(signature.end(), types.begin(), types.end());
    Id type = m_.declare(OpTypeFunction, 0, signature);
    Id function = m_.make_id();
    put(m_.functions, OpFunction, {none, function, 0, type});
    for (Id taken : types)
      parameters_.push_back(parameter(taken));
    if (kernel_.takes_struct)
      put(m_.decorations, OpDecorate, {parameters_[0], 38, 2}); // FuncParamAttr ByVal
    else if (kernel_.restricted)
      for (Taken pointer :
           {Taken::input, Taken::output, Taken::cells, Taken::group_memory, Taken::own})
        put(m_.decorations, OpDecorate, {taken(pointer), 38, 4}); // FuncParamAttr NoAlias
    if (kernel_.shares_memory()) {
      for (Id &buffer : shared_)
        buffer = work_group_array(kernel_.items());
      tally_ = work_group_array(tally_cells);
    }
    if (kernel_.has_table())
      table_ = work_group_array(table_words);
    if (kernel_.waits_in_group())
      waits_ = work_group_array(wait_words);
    put(m_.functions, OpLabel, {m_.make_id()});
    set_up();
    emit_block(kernel_.body);
    write_variables();
    put(code_, OpReturn, {});
    m_.functions.insert(m_.functions.end(), declarations_.begin(), declarations_.end());
    m_.functions.insert(m_.functions.end(), code_.begin(), code_.end());
    put(m_.functions, OpFunctionEnd, {});
    return function;
  }

private:
  void set_up() {
    for (Type type : kernel_.variables) {
      variables_.push_back(declare_variable(t_.of(type)));
      emit_store(variables_.back(), t_.constant(type, 0));
    }
    for (uint32_t i = 0; i < kernel_.arrays; ++i) {
      arrays_.push_back(declare_variable(t_.array(array_length)));
      emit_store(arrays_.back(), t_.null(t_.array(array_length)));
    }
    for (uint32_t i = 0; i < kernel_.pointers; ++i) {
      pointers_.push_back(declare_variable(t_.pointer(Generic, t_.u32())));
      emit_store(pointers_.back(), to_generic(input_element(t_.number(0))));
    }
    if (tally_) {
      Id linear = evaluate({.kind = ExprKind::linear_id});
      for (Id buffer : shared_)
        emit_store(work_group_element(buffer, linear), t_.number(0));
      // As others, the tally is made by all: each writes the same.
      for (uint32_t cell = 0; cell < tally_cells; ++cell)
        emit_store(work_group_element(tally_, t_.number(cell)), t_.number(cell_start(cell)));
    }
    if (table_)
      clear(table_, table_words);
    if (waits_)
      clear(waits_, wait_words);
    if (tally_ || table_ || waits_)
      emit_barrier();
  }

  void write_variables() {
    uint32_t slot = store_slots;
    for (size_t i = 0; i < variables_.size(); ++i) {
      Type type = kernel_.variables[i];
      if (kernel_.writes(i))
        write_output(slot, type, load(t_.of(type), variables_[i]));
      ++slot;
    }
    for (Id array : arrays_)
      for (uint32_t i = 0; i < array_length; ++i)
        write_output(slot++, Type::u32, load(t_.u32(), array_element(array, t_.number(i))));
  }

  void write_output(uint32_t slot, Type type, Id value) {
    if (type == Type::f32)
      value = op(OpBitcast, t_.u32(), value);
    if (type == Type::boolean)
      value = op(OpSelect, t_.u64(), value, t_.wide_number(1), t_.wide_number(0));
    else if (type != Type::u64)
      value = op(OpUConvert, t_.u64(), value);
    Id word = linear_item();
    if (!kernel_.side_by_side)
      word = op(OpIMul, t_.u64(), word, t_.wide_number(kernel_.output_words()));
    word = op(OpIAdd, t_.u64(), word, t_.wide_number(kernel_.output_index(0, slot)));
    Id address = op(OpInBoundsPtrAccessChain, t_.pointer(CrossWorkgroup, t_.u64()),
                    taken(Taken::output), word);
    put(code_, OpStore, {address, value, 2, 8});
  }

  void emit_block(const Block &block) {
    for (const Statement &statement : block)
      emit_statement(statement);
  }

  void emit_statement(const Statement &s) {
    using enum StatementKind;
    switch (s.kind) {
    case assign:
      return emit_store(variables_[s.target], evaluate(s.a));
    case assign_array: {
      Id address = wrapped_array_element(s.target, evaluate(s.a));
      return emit_store(address, evaluate(s.b));
    }
    case point_to_input:
      return emit_store(pointers_[s.target], to_generic(input_element(evaluate(s.a))));
    case point_to_array:
      return emit_store(pointers_[s.target],
                        to_generic(wrapped_array_element(s.number, evaluate(s.a))));
    case store:
      return write_output(s.number, s.a.type, evaluate(s.a));
    case if_else: {
      Id then = m_.make_id(), otherwise = m_.make_id(), end = m_.make_id();
      branch(evaluate(s.a), then, otherwise);
      label(then);
      emit_block(s.body);
      branch(end);
      label(otherwise);
      emit_block(s.otherwise);
      branch(end);
      return label(end);
    }
    case loop:
    case strided_loop:
      return emit_loop(s);
    case jump: {
      Id leave = m_.make_id(), stay = m_.make_id();
      branch(evaluate(s.a), leave, stay);
      label(leave);
      emit_block(s.body);
      if (s.jump == JumpKind::return_kernel)
        put(code_, OpReturn, {});
      else
        branch(s.jump == JumpKind::break_loop ? loop_end_ : loop_continue_);
      return label(stay);
    }
    case sub_group:
      return emit_store(variables_[s.target], finished(s, sub_group_operation(s)));
    case work_group:
      return emit_store(variables_[s.target], finished(s, work_group_operation(s)));
    case barrier:
      return emit_barrier();
    case share: {
      Id address = work_group_element(shared_[s.number], evaluate({.kind = ExprKind::linear_id}));
      emit_store(address, evaluate(s.a));
      emit_barrier();
      emit_block(s.body);
      return emit_barrier();
    }
    case global_atomic:
      return atomic(s, cell_address(t_.wide_number(s.number)), scope_device);
    case tally_atomic:
      return atomic(s, work_group_element(tally_, t_.number(s.number)), scope_work_group);
    case read_tally: {
      emit_barrier();
      emit_store(variables_[s.target],
                 load(t_.u32(), work_group_element(tally_, t_.number(s.number))));
      return emit_barrier();
    }
    case fill:
      emit_fill(s);
      emit_barrier();
      emit_block(s.body);
      return emit_barrier();
    case relay:
      return WaitEmitter::relay(s, [&] { emit_block(s.body); });
    case turns:
      return WaitEmitter::turns(s, [&] { emit_block(s.body); });
    case look_back:
      return WaitEmitter::look_back(s, [&] { emit_block(s.body); });
    case lock:
      return WaitEmitter::lock(s, [&] { emit_block(s.body); });
    case update: {
      const Id value = evaluate(s.a);
      const Op code = s.combine == Combine::add ? OpIAdd : OpBitwiseXor;
      for (uint32_t column = s.target; column < s.target + s.number; ++column) {
        const Id element = own_element(t_.number(column));
        emit_store(element, op(code, t_.u32(), load(t_.u32(), element), value));
      }
      return;
    }
    }
  }

  void emit_fill(const Statement &s) {
    const uint32_t row = kernel_.row_words();
    const Id index = variables_[s.target], limit = t_.number(s.in_rows ? row + 1 : table_words),
             count = op(OpUMod, t_.u32(), evaluate(s.b), limit);
    const auto is_in = [&](Id at) { return op(OpULessThan, t_.of(Type::boolean), at, count); };
    emit_store(index, evaluate({.kind = s.in_rows ? ExprKind::lane : ExprKind::linear_id}));
    Id step = t_.number(kernel_.sub_group_size);
    if (!s.in_rows) {
      step = narrow_built_in(WorkgroupSize, 0);
      for (uint32_t dimension : {1u, 2u})
        step = op(OpIMul, t_.u32(), step, narrow_built_in(WorkgroupSize, dimension));
    }
    const Id head = m_.make_id(), body = m_.make_id(), end = m_.make_id();
    const bool tested_last = s.form == LoopForm::tested_last;
    branch(tested_last ? body : head);
    if (!tested_last) {
      label(head);
      branch(is_in(load(t_.u32(), index)), body, end);
    }
    label(body);
    Id at = load(t_.u32(), index);
    if (s.in_rows)
      at = op(OpIAdd, t_.u32(), at,
              op(OpIMul, t_.u32(), evaluate({.kind = ExprKind::sub_group_id}), t_.number(row)));
    const Id address = table_element(s.number, at);
    emit_store(address, evaluate(s.a));
    const Id next = op(OpIAdd, t_.u32(), load(t_.u32(), index), step);
    emit_store(index, next);
    if (tested_last)
      branch(is_in(next), body, end);
    else
      branch(head);
    label(end);
    emit_store(index, t_.number(0));
  }

  void emit_loop(const Statement &s) {
    const bool strided = s.kind == StatementKind::strided_loop;
    const Type type = strided ? kernel_.variables[s.target] : Type::u32;
    Id counter = strided ? variables_[s.target] : declare_variable(t_.u32()),
       end_of_count = declare_variable(t_.of(type));
    emit_store(end_of_count, evaluate(s.a));
    Id stride = strided ? evaluate(s.step) : t_.number(1);
    emit_store(counter, strided ? evaluate(s.start) : t_.number(0));
    Id head = m_.make_id(), body = m_.make_id(), latch = m_.make_id(), end = m_.make_id();
    auto test = [&](Id index, Id if_true, Id if_false) {
      Id more =
          op(below_code(s.below), t_.of(Type::boolean), index, load(t_.of(type), end_of_count));
      branch(op(OpLogicalAnd, t_.of(Type::boolean), more, evaluate(s.b)), if_true, if_false);
    };
    auto step = [&] {
      Id next = op(OpIAdd, t_.of(type), load(t_.of(type), counter), stride);
      emit_store(counter, next);
      return next;
    };
    Id outer_end = std::exchange(loop_end_, end);
    Id outer_continue =
        std::exchange(loop_continue_, s.form == LoopForm::tested_first ? head : latch);
    if (s.form == LoopForm::tested_last) {
      branch(body);
    } else {
      branch(head);
      label(head);
      Id index = load(t_.of(type), counter);
      if (s.form == LoopForm::tested_first)
        step();
      test(index, body, end);
    }
    label(body);
    emit_block(s.body);
    branch(loop_continue_);
    if (s.form == LoopForm::counted) {
      label(latch);
      step();
      branch(head);
    } else if (s.form == LoopForm::tested_last) {
      label(latch);
      test(step(), body, end);
    }
    label(end);
    if (strided && !s.number)
      emit_store(counter, t_.constant(type, 0));
    loop_end_ = outer_end;
    loop_continue_ = outer_continue;
  }

  static Op below_code(Below below) {
    constexpr Op codes[] = {OpULessThan, OpSLessThan, OpULessThanEqual, OpSLessThanEqual};
    return codes[static_cast<size_t>(below)];
  }

  void atomic(const Statement &s, Id address, uint32_t scope) {
    Id value = evaluate(s.a);
    op(atomic_code(cell_operation(s.number)), t_.u32(), address, t_.number(scope), t_.number(0),
       value);
  }

  Id finished(const Statement &s, Id value) {
    return kernel_.variables[s.target] == Type::f32 ? wrap_float(value) : value;
  }

  Id sub_group_operation(const Statement &s) {
    Id scope = t_.number(scope_sub_group), boolean = t_.of(Type::boolean);
    if (s.op == SubGroupOp::elect)
      return op(OpGroupNonUniformElect, boolean, scope);
    Id value = evaluate(s.a), type = t_.of(s.a.type);
    switch (s.op) {
    case SubGroupOp::shuffle:
      return op(OpGroupNonUniformShuffle, type, scope, value, evaluate(s.b));
    case SubGroupOp::shuffle_xor:
      return op(OpGroupNonUniformShuffleXor, type, scope, value, evaluate(s.b));
    case SubGroupOp::shuffle_up:
      return op(OpGroupNonUniformShuffleUp, type, scope, value, evaluate(s.b));
    case SubGroupOp::shuffle_down:
      return op(OpGroupNonUniformShuffleDown, type, scope, value, evaluate(s.b));
    case SubGroupOp::rotate:
      return op(OpGroupNonUniformRotateKHR, type, scope, value, evaluate(s.b));
    case SubGroupOp::broadcast:
      return op(OpGroupNonUniformBroadcast, type, scope, value, t_.number(s.number));
    case SubGroupOp::broadcast_first:
      return op(OpGroupNonUniformBroadcastFirst, type, scope, value);
    case SubGroupOp::ballot:
      return op(OpCompositeExtract, t_.u32(),
                op(OpGroupNonUniformBallot, t_.vector(t_.u32(), 4), scope, value), 0u);
    case SubGroupOp::any:
      return op(OpGroupNonUniformAny, boolean, scope, value);
    case SubGroupOp::all:
      return op(OpGroupNonUniformAll, boolean, scope, value);
    case SubGroupOp::all_equal:
      return op(OpGroupNonUniformAllEqual, boolean, scope, value);
    default:
      break;
    }
    Op code = sub_group_code(s.combine, s.a.type);
    if (s.op == SubGroupOp::reduce && s.number)
      return op(code, type, scope, 3u, value, t_.number(s.number));
    return op(code, type, scope, group_operation(s.op), value);
  }

  static uint32_t group_operation(SubGroupOp which) {
    return which == SubGroupOp::reduce ? 0 : which == SubGroupOp::inclusive_scan ? 1 : 2;
  }

  Id work_group_operation(const Statement &s) {
    Id scope = t_.number(scope_work_group), boolean = t_.of(Type::boolean);
    Id value = evaluate(s.a), type = t_.of(s.a.type);
    if (s.op == SubGroupOp::any)
      return op(OpGroupAny, boolean, scope, value);
    if (s.op == SubGroupOp::all)
      return op(OpGroupAll, boolean, scope, value);
    if (s.op == SubGroupOp::broadcast) {
      uint32_t x = s.number % kernel_.group_size[0], rest = s.number / kernel_.group_size[0];
      uint32_t y = rest % kernel_.group_size[1], z = rest / kernel_.group_size[1];
      Id id = m_.declare(
          OpConstantComposite, 1,
          {t_.vector(t_.u64(), 3), t_.wide_number(x), t_.wide_number(y), t_.wide_number(z)});
      return op(OpGroupBroadcast, type, scope, value, id);
    }
    return op(work_group_code(s.combine, s.a.type), type, scope, group_operation(s.op), value);
  }
};

} // namespace

std::vector<std::byte> emit(std::span<const Kernel> kernels) {
  ModuleWords m;
  // Addresses, Linkage, Kernel, Int64, Groups, GenericPointer, SubgroupDispatch; GroupNonUniform and
  // its Vote, Arithmetic, Ballot, Shuffle, ShuffleRelative, Clustered, Rotate.
  for (uint32_t capability :
       {4u, 5u, 6u, 11u, 18u, 38u, 58u, 61u, 62u, 63u, 64u, 65u, 66u, 67u, 6026u})
    put(m.head, OpCapability, {capability});
  put(m.head, OpExtension, {}, "SPV_KHR_subgroup_rotate");
  put(m.head, OpExtension, {}, "SPV_KHR_no_integer_wrap_decoration");
  put(m.head, OpMemoryModel, {2, 2}); // Physical64, OpenCL
  Types types(m);
  BuiltInVariables built_ins;
  std::vector<Id> functions;
  for (const Kernel &kernel : kernels)
    functions.push_back(KernelEmitter(types, built_ins, kernel).emit());
  Words interface;
  for (auto [which, id] : built_ins.ids)
    interface.push_back(id);
  for (size_t i = 0; i < kernels.size(); ++i) {
    const Kernel &kernel = kernels[i];
    put(m.entry_points, OpEntryPoint, {6, functions[i]}, "k" + std::to_string(i), interface);
    put(m.modes, OpExecutionMode, {functions[i], 35, kernel.sub_group_size});
    if (kernel.size_is_known)
      put(m.modes, OpExecutionMode,
          {functions[i], 17, kernel.group_size[0], kernel.group_size[1], kernel.group_size[2]});
  }
  Words words = m.assemble();
  std::vector<std::byte> bytes(words.size() * sizeof words[0]);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

} // namespace random_kernels
