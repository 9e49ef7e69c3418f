/// printf in kernels. The format may be computed, and so may the strings. Output appears on the
/// host's standard output when the host waits for the kernel.
#pragma once

#include <hip/spirv_detail/math/math_builtins.h>
#include <hip/spirv_detail/services/format_length.h>
#include <hip/spirv_detail/services/messages.h>

/// Defined by the device compiler.
extern "C" __device__ chip_device::Messages *__chip_messages_address();

namespace chip_device {

/// Room for a record, or null if there is none: its output is lost.
__device__ inline char *reserve_message(unsigned long bytes) {
  Messages *messages = __chip_messages_address();
  if (!messages) // not loaded by libCHIP
    return nullptr;
  const unsigned long cursor =
      __hip_atomic_fetch_add(&messages->cursor, bytes, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
  const unsigned long begin = cursor & ((1ul << Messages::bytes_bits) - 1);
  MessageBuffer *buffer = messages->buffers[cursor >> Messages::bytes_bits & 1];
  if (!buffer) // the host has given up on this record
    return nullptr;
  char *record = buffer->records() + begin;
  if (begin + bytes <= buffer->capacity)
    return record;
  if (begin < buffer->capacity)
    __hip_atomic_store(&reinterpret_cast<MessageRecord *>(record)->kind, MessageRecord::no_room,
                       __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
  return nullptr;
}

__device__ inline void finish_message(char *begin, unsigned bytes, MessageRecord::__Kind kind) {
  auto *record = reinterpret_cast<MessageRecord *>(begin);
  record->bytes = bytes;
  __hip_atomic_store(&record->kind, kind, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
}

CHIP_DEVICE unsigned long piece_bytes(unsigned long value_bytes) {
  return sizeof(MessagePiece) + (value_bytes + 7) / 8 * 8;
}

/// Writes a piece at `to` and returns where the next one goes.
__device__ inline char *put_piece(char *to, MessagePiece::__Kind kind, const char *value,
                                  unsigned long bytes) {
  *reinterpret_cast<MessagePiece *>(to) = {kind, static_cast<unsigned>(bytes)};
  to += sizeof(MessagePiece);
  for (unsigned long i = 0; i < bytes; ++i)
    to[i] = value[i];
  return to + (bytes + 7) / 8 * 8;
}

/// What an argument is for printf: a string where the format prints one.
struct __FoundPiece {
  MessagePiece::__Kind kind;
  const char *value;
  unsigned long bytes;
};
__device__ inline __FoundPiece find_piece(const MessageArgument &argument,
                                          const Conversion *conversion) {
  if (!conversion || conversion->letter != 's' || argument.kind != MessagePiece::address ||
      argument.bits == 0)
    return {argument.kind, reinterpret_cast<const char *>(&argument.bits), sizeof argument.bits};
  const unsigned long most =
      conversion->precision >= 0 ? static_cast<unsigned long>(conversion->precision) : ~0ul;
  if (conversion->size == Conversion::long_size) {
    auto *string = reinterpret_cast<const wchar_t *>(argument.bits);
    return {MessagePiece::wide_text, reinterpret_cast<const char *>(string),
            string_length(string, most) * sizeof(wchar_t)};
  }
  auto *string = reinterpret_cast<const char *>(argument.bits);
  return {MessagePiece::text, string, string_length(string, most)};
}

/// Calls `visit(piece)` for each argument that the format uses.
template <typename __Visit>
__device__ void for_each_piece(const char *format, const MessageArgument *arguments, unsigned count,
                               __Visit visit) {
  FormatReader reader(format);
  for (unsigned used = 0; used < count;) {
    const FormatReader::__Piece piece = reader.next();
    if (piece == FormatReader::end)
      return;
    if (piece == FormatReader::text)
      continue;
    const MessageArgument &argument = arguments[used++];
    if (piece == FormatReader::width)
      reader.take_width(static_cast<int>(argument.bits));
    if (piece == FormatReader::precision)
      reader.take_precision(static_cast<int>(argument.bits));
    visit(find_piece(argument, piece == FormatReader::value ? &reader.conversion() : nullptr));
  }
}

/// False if there was no room.
__device__ inline bool print(const char *format, const MessageArgument *arguments, unsigned count,
                             MessageRecord::__Kind kind) {
  const unsigned long format_bytes = string_length(format, ~0ul);
  unsigned long bytes = sizeof(MessageRecord) + piece_bytes(format_bytes);
  for_each_piece(format, arguments, count,
                 [&](const __FoundPiece &piece) { bytes += piece_bytes(piece.bytes); });
  char *record = reserve_message(bytes);
  if (!record)
    return false;
  char *to = put_piece(record + sizeof(MessageRecord), MessagePiece::text, format, format_bytes);
  for_each_piece(format, arguments, count, [&](const __FoundPiece &piece) {
    to = put_piece(to, piece.kind, piece.value, piece.bytes);
  });
  finish_message(record, static_cast<unsigned>(bytes), kind);
  return true;
}

template <typename T> CHIP_DEVICE MessageArgument message_argument(T value) {
  static_assert(__is_integral(T) || __is_enum(T),
                "printf prints numbers, characters, strings and pointers");
  return {MessagePiece::integer, static_cast<unsigned long>(value)};
}
template <typename T> CHIP_DEVICE MessageArgument message_argument(T *value) {
  return {MessagePiece::address, reinterpret_cast<unsigned long>(value)};
}
CHIP_DEVICE MessageArgument message_argument(decltype(nullptr)) {
  return {MessagePiece::address, 0};
}
CHIP_DEVICE MessageArgument message_argument(float value) {
  return {MessagePiece::single, __builtin_bit_cast(unsigned, value)};
}
CHIP_DEVICE MessageArgument message_argument(_Float16 value) {
  return message_argument(static_cast<float>(value));
}
CHIP_DEVICE MessageArgument message_argument(double value) {
  return {MessagePiece::real, __builtin_bit_cast(unsigned long, value)};
}
CHIP_DEVICE MessageArgument message_argument(long double value) {
  return message_argument(static_cast<double>(value));
}

} // namespace chip_device

/// Which of the two kinds -mprintf-kind chooses (clang's command line reference): code of both is
/// linked in one program.
#ifdef __CHIP_BUFFERED_PRINTF__
#define CHIP_PRINTF_KIND __attribute__((abi_tag("buffered")))
#else
#define CHIP_PRINTF_KIND
#endif

/// Returns the number of characters, or 0 with -mprintf-kind=buffered as OpenCL's does; -1 if the
/// output is lost because too much was printed before the host had waited (hipLimitPrintfFifoSize).
template <typename... __Arguments>
CHIP_PRINTF_KIND __device__ inline int printf(const char *format, __Arguments... arguments) {
  if (!format)
    return -1;
  const chip_device::MessageArgument all[sizeof...(__Arguments) + 1] = {
      chip_device::message_argument(arguments)..., {}};
  if (!chip_device::print(format, all, sizeof...(__Arguments),
                          chip_device::MessageRecord::formatted))
    return -1;
#ifdef __CHIP_BUFFERED_PRINTF__
  return 0;
#else
  return chip_device::formatted_length(format, all, sizeof...(__Arguments));
#endif
}
#undef CHIP_PRINTF_KIND
