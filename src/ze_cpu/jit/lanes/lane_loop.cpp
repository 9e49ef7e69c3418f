#include "lane_loop.h"

#include "../lower/work_item.h"

namespace ze_cpu {

using Builder = llvm::IRBuilder<>;

namespace {

void replace(llvm::Instruction *placeholder, llvm::Value *value) {
  placeholder->replaceAllUsesWith(value);
  placeholder->eraseFromParent();
}

} // namespace

LaneLoop::LaneLoop(llvm::Function &function) : top(&function.getEntryBlock()), function_(function) {
  header = block("lane");
  latch = block("lane.end");
  after = block("lanes.end");
  for (llvm::Instruction **later : {&first_lane, &first_x, &y, &z, &count_, &first_place_})
    *later = placeholder();
  Builder b(header);
  step = b.CreatePHI(b.getInt64Ty(), 2, "step");
  lane = b.CreateAdd(first_lane, step, "lane", true, true);
  x = b.CreateAdd(first_x, step, "x", true, true);
  place = b.CreateAdd(first_place_, step, "place", true, true);
}

// Where the rows begin is not known yet.
llvm::Instruction *LaneLoop::placeholder() {
  auto *i64 = llvm::Type::getInt64Ty(function_.getContext());
  return new llvm::FreezeInst(llvm::PoisonValue::get(i64), "", top);
}

llvm::BasicBlock *LaneLoop::block(const char *name) {
  return llvm::BasicBlock::Create(function_.getContext(), name, &function_);
}

bool LaneLoop::uses_local_ids() const {
  return !x->use_empty() || !y->use_empty() || !z->use_empty();
}

void LaneLoop::repeat(llvm::MDNode *properties) {
  Builder b(latch);
  llvm::Value *next = b.CreateAdd(step, b.getInt64(1), "", true, true);
  b.CreateCondBr(b.CreateICmpULT(next, count_), header, after)
      ->setMetadata(llvm::LLVMContext::MD_loop, properties);
  step->addIncoming(next, latch);
}

// The same for a number of lanes that is known, from `before` on. It counts down beside `step`: else LLVM sees that the lane for which a
// kernel says `lane == 31` is the last one, takes it out of the loop, and makes no vectors of the others.
void LaneLoop::repeat(llvm::BasicBlock *before, uint64_t count, llvm::MDNode *properties) {
  Builder h(header, header->begin());
  llvm::PHINode *const left = h.CreatePHI(h.getInt64Ty(), 2, "left");
  left->addIncoming(h.getInt64(count), before);
  Builder b(latch);
  llvm::Value *const fewer = b.CreateSub(left, b.getInt64(1), "", true, true);
  llvm::Value *const next = b.CreateAdd(step, b.getInt64(1), "", true, true);
  b.CreateCondBr(b.CreateICmpNE(fewer, b.getInt64(0)), header, after)
      ->setMetadata(llvm::LLVMContext::MD_loop, properties);
  left->addIncoming(fewer, latch);
  step->addIncoming(next, latch);
}

void LaneLoop::close_whole(uint64_t size, llvm::Value *first,
                           llvm::ArrayRef<llvm::Value *> local_id, llvm::Value *first_place,
                           llvm::MDNode *properties) {
  repeat(top, size, properties);
  Builder t(top);
  // Such sub-groups begin there, which LLVM would not know.
  replace(first_lane, t.CreateAnd(first, ~(size - 1)));
  replace(first_x, t.CreateAnd(local_id[0], ~(size - 1)));
  replace(y, local_id[1]);
  replace(z, local_id[2]);
  replace(first_place_, first_place);
  count_->eraseFromParent();
  step->addIncoming(t.getInt64(0), top);
  t.CreateBr(header);
}

void LaneLoop::close(const LaneSpan &range, llvm::MDNode *properties,
                     std::optional<uint64_t> width) {
  Builder t(top);
  depends_on_row = !y->use_empty() || !z->use_empty();
  if (uses_local_ids())
    return close_rows(t, range, properties, width);
  repeat(properties);
  before_row = top;
  row_length = t.CreateSub(range.last, range.first, "", true, true);
  close_row(t, range, row_length);
  t.CreateBr(header);
}

// One row, which begins with the first lane.
void LaneLoop::close_row(Builder &b, const LaneSpan &range, llvm::Value *count) {
  for (llvm::Instruction *number : {first_lane, first_x})
    replace(number, range.first);
  for (llvm::Instruction *number : {y, z})
    replace(number, b.getInt64(0));
  replace(first_place_, range.first_place);
  replace(count_, count);
  step->addIncoming(b.getInt64(0), b.GetInsertBlock());
}

void LaneLoop::close_active(const LaneSpan &range, llvm::Value *limit, llvm::Value *is_known,
                            llvm::Function &otherwise, llvm::MDNode *properties) {
  llvm::BasicBlock *const regular = block("regular"), *const other = block("other");
  Builder t(top);
  llvm::Value *is_regular = t.CreateAnd(t.CreateICmpEQ(range.first, t.getInt64(0)), is_known);
  if (uses_local_ids()) // else rows make no difference
    is_regular = t.CreateAnd(
        is_regular, t.CreateICmpUGE(load_group_size(t, function_.getArg(0), 0), range.last));
  Builder o(other), r(regular);
  if (const std::optional<uint64_t> few = few_lanes(*limit)) {
    is_regular = t.CreateAnd(is_regular, t.CreateICmpULE(limit, range.last));
    repeat(regular, *few, properties);
    close_row(r, range, limit);
    r.CreateBr(header);
  } else {
    repeat(properties);
    llvm::Value *const count = r.CreateBinaryIntrinsic(llvm::Intrinsic::smin, limit, range.last);
    close_row(r, range, count);
    r.CreateCondBr(r.CreateICmpSGT(count, r.getInt64(0)), header, after);
  }
  t.CreateCondBr(is_regular, regular, other);
  llvm::SmallVector<llvm::Value *, 8> arguments;
  for (llvm::Argument &argument : function_.args())
    arguments.push_back(&argument);
  o.CreateRet(o.CreateCall(&otherwise, arguments));
}

void LaneLoop::close_rows(Builder &t, const LaneSpan &range, llvm::MDNode *properties,
                          std::optional<uint64_t> width) {
  auto *i64 = t.getInt64Ty();
  llvm::Value *first = range.first, *const last = range.last;
  llvm::Value *size_x = load_group_size(t, function_.getArg(0), 0),
              *size_y = load_group_size(t, function_.getArg(0), 1);
  if (width) { // all of the work-group's rows
    size_x = t.getInt64(*width);
    first = t.getInt64(0);
  }
  llvm::BasicBlock *divide = block("divide"), *row = block("row"), *row_end = block("row.end"),
                   *done = block("rows.end");
  // Nearly always the range begins in the first row.
  t.CreateCondBr(t.CreateICmpULT(first, size_x), row, divide);
  Builder d(divide);
  llvm::Value *row_number = d.CreateUDiv(first, size_x);
  llvm::Value *divided[] = {first, d.CreateURem(first, size_x), d.CreateURem(row_number, size_y),
                            d.CreateUDiv(row_number, size_y), range.first_place};
  d.CreateBr(row);
  Builder r(row);
  llvm::Value *zero = r.getInt64(0);
  llvm::Value *direct[] = {first, first, zero, zero, range.first_place};
  llvm::PHINode *at[5]; // lane, x, y, z, place
  for (unsigned i = 0; i < 5; ++i) {
    at[i] = r.CreatePHI(i64, 3);
    at[i]->addIncoming(direct[i], top);
    at[i]->addIncoming(divided[i], divide);
  }
  llvm::Value *count = size_x;
  if (!width)
    count =
        r.CreateBinaryIntrinsic(llvm::Intrinsic::umin, r.CreateSub(size_x, at[1], "", true, true),
                                r.CreateSub(last, at[0], "", true, true));
  r.CreateBr(header);
  if (width)
    repeat(row, *width, properties);
  else
    repeat(properties);
  step->addIncoming(zero, row);
  Builder e(row_end);
  llvm::Value *next_y = e.CreateAdd(at[2], e.getInt64(1));
  llvm::Value *wraps = e.CreateICmpEQ(next_y, size_y);
  llvm::Value *next_lane = e.CreateAdd(at[0], count, "", true, true);
  llvm::Value *next[] = {next_lane, zero, e.CreateSelect(wraps, zero, next_y),
                         e.CreateAdd(at[3], e.CreateZExt(wraps, i64)),
                         e.CreateAdd(at[4], count, "", true, true)};
  for (unsigned i = 0; i < 5; ++i)
    at[i]->addIncoming(next[i], row_end);
  e.CreateCondBr(e.CreateICmpULT(next_lane, last), row, done);
  Builder(after).CreateBr(row_end);
  after = done;
  for (auto [placeholder, value] : {std::pair(first_lane, at[0]),
                                    {first_x, at[1]},
                                    {y, at[2]},
                                    {z, at[3]},
                                    {first_place_, at[4]}})
    replace(placeholder, value);
  replace(count_, count);
  before_row = row;
  row_length = count;
}

} // namespace ze_cpu
