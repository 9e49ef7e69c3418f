#include "work.h"

#include "../codegen/codegen.h"
#include "../front/diagnostics.h"
#include "../front/translate.h"
#include "../program/link_programs.h"
#include "serialize.h"
#include "worker.h"

#include <algorithm>
#include <stdexcept>

namespace ze_cpu {
namespace {

enum class Request : uint8_t { ir, unit, unit_of_new_module, link_modules, link_ir };

// The answer of a worker that has the IR of another module than the one that is meant.
constexpr std::string_view no_such_module = "no such module";

template <class T, class Error> std::string answer(std::expected<T, Error> result) {
  Writer writer;
  writer.put(result.has_value());
  if (result)
    writer.put(*result);
  else
    writer.put(result.error());
  return writer.take();
}

// `error` makes an Error of text.
template <class T, class Error, class MakeError>
std::expected<T, Error> understand(std::expected<std::string, std::string> answer,
                                   MakeError make_error) {
  if (!answer)
    return std::unexpected(make_error(std::move(answer.error())));
  Reader reader(*answer);
  bool succeeded = false;
  T value;
  Error error{};
  reader.get(succeeded);
  succeeded ? reader.get(value) : reader.get(error);
  if (!reader.complete())
    return std::unexpected(make_error("the compiler gave no sensible answer\n"));
  if (!succeeded)
    return std::unexpected(std::move(error));
  return value;
}

template <class T>
std::expected<T, std::string> understand(std::expected<std::string, std::string> answer) {
  return understand<T, std::string>(std::move(answer), [](std::string text) { return text; });
}

// --- In the worker ----------------------------------------------------------------------------

// The one that units are asked of: all of them right after one another, mostly.
struct {
  std::string key;
  ModuleIr ir;
} current;

std::expected<ModuleIr, BuildError> make_ir_of(std::span<const std::byte> spirv,
                                               const BuildOptions &options,
                                               std::span<const SpecializationConstant> constants) {
  const auto failed = [](std::string log) {
    return std::unexpected(BuildError{BuildError::Kind::failed, std::move(log)});
  };
  Validation validation = validate(spirv);
  if (!validation.accepted)
    return std::unexpected(
        BuildError{validation.kind.value_or(BuildError::Kind::failed), std::move(validation.log)});
  auto machine = make_target_machine(options);
  if (!machine)
    return failed(machine.error());
  std::string diagnostics;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(silent_diagnostics(diagnostics));
  auto module = translate(context, spirv, constants);
  if (!module)
    return failed(validation.log + diagnostics + module.error());
  auto ir = make_module_ir(**module, **machine, options);
  if (!ir)
    return failed(validation.log + diagnostics + ir.error());
  return std::move(*ir);
}

std::string do_ir(Reader &reader) {
  std::string key, spirv;
  BuildOptions options;
  std::vector<std::pair<uint32_t, std::string>> constants;
  reader.get(key);
  reader.get(spirv);
  reader.get(options);
  reader.get(constants);
  std::vector<SpecializationConstant> values;
  for (const auto &[id, value] : constants)
    values.push_back({id, std::as_bytes(std::span(value))});
  auto ir = make_ir_of(std::as_bytes(std::span(spirv)), options, values);
  if (!ir)
    return answer<ModuleIr>(std::move(ir));
  current = {std::move(key), std::move(*ir)};
  Writer writer;
  writer.put(true);
  writer.put(current.ir);
  return writer.take();
}

std::expected<Unit, std::string> compile_unit(const ModuleIr &ir, UnitKind kind,
                                              const std::string &symbol, const Unit &shared) {
  auto machine = make_target_machine(ir.options);
  if (!machine)
    return std::unexpected(machine.error());
  if (kind == UnitKind::shared)
    return compile_shared(ir, **machine);
  if (kind == UnitKind::function)
    return compile_function(ir, symbol, shared, **machine);
  const auto kernel = std::ranges::find(
      ir.kernels, symbol, [](const ModuleIr::Kernel &k) -> const auto & { return k.info.name; });
  if (kernel == ir.kernels.end())
    return std::unexpected("there is no kernel " + symbol);
  return compile_kernel(ir, static_cast<size_t>(kernel - ir.kernels.begin()), shared, **machine);
}

std::string do_unit(Reader &reader, bool has_ir) {
  std::string key, symbol;
  UnitKind kind = UnitKind::shared;
  Unit shared;
  reader.get(key);
  reader.get(kind);
  reader.get(symbol);
  reader.get(shared);
  if (has_ir) {
    current = {};
    reader.get(current.ir);
    current.key = key;
  } else if (current.key != key) {
    return std::string(no_such_module);
  }
  return answer(compile_unit(current.ir, kind, symbol, shared));
}

std::string do_link_modules(Reader &reader) {
  std::vector<std::string> programs;
  reader.get(programs);
  std::vector<std::span<const std::byte>> views;
  for (const std::string &program : programs)
    views.push_back(std::as_bytes(std::span(program)));
  return answer(link_modules(views));
}

std::string do_link_ir(Reader &reader) {
  std::vector<ModuleIr> members, providers;
  reader.get(members);
  reader.get(providers);
  return answer(link_ir(members, providers));
}

Writer begin(Request request) {
  Writer writer;
  writer.put(compiler_identity());
  writer.put(request);
  return writer;
}

} // namespace

std::expected<ModuleIr, BuildError> request_ir(const Hash &key, std::span<const std::byte> spirv,
                                               const BuildOptions &options,
                                               std::span<const SpecializationConstant> constants) {
  Writer writer = begin(Request::ir);
  writer.put(std::string(bytes_of(key)));
  writer.put(spirv);
  writer.put(options);
  std::vector<std::pair<uint32_t, std::string>> values;
  for (const SpecializationConstant &constant : constants)
    values.emplace_back(
        constant.id,
        std::string(reinterpret_cast<const char *>(constant.value.data()), constant.value.size()));
  writer.put(values);
  return understand<ModuleIr, BuildError>(ask_worker(writer.take()), [](std::string text) {
    return BuildError{BuildError::Kind::failed, std::move(text)};
  });
}

std::expected<Unit, std::string> request_unit(const Hash &key, const ModuleIr &ir, UnitKind kind,
                                              std::string_view symbol, const Unit &shared) {
  std::expected<std::string, std::string> answer;
  for (const Request request : {Request::unit, Request::unit_of_new_module}) {
    Writer writer = begin(request);
    writer.put(std::string(bytes_of(key)));
    writer.put(kind);
    writer.put(std::string(symbol));
    writer.put(shared);
    if (request == Request::unit_of_new_module)
      writer.put(ir);
    answer = ask_worker(writer.take());
    if (answer != no_such_module)
      break;
  }
  return understand<Unit>(std::move(answer));
}

std::expected<std::vector<std::byte>, std::string>
request_link(std::span<const std::span<const std::byte>> programs) {
  Writer writer = begin(Request::link_modules);
  std::vector<std::string> texts;
  for (const std::span<const std::byte> program : programs)
    texts.emplace_back(reinterpret_cast<const char *>(program.data()), program.size());
  writer.put(texts);
  return understand<std::vector<std::byte>>(ask_worker(writer.take()));
}

std::expected<LinkedIr, std::string> request_linked_ir(std::span<const ModuleIr *const> members,
                                                       std::span<const ModuleIr *const> providers) {
  Writer writer = begin(Request::link_ir);
  for (const auto modules : {members, providers}) { // as vectors of ModuleIr
    writer.put(uint64_t(modules.size()));
    for (const ModuleIr *ir : modules)
      writer.put(*ir);
  }
  return understand<LinkedIr>(ask_worker(writer.take()));
}

std::string do_work(std::string_view bytes) {
  Reader reader(bytes);
  std::string identity;
  Request request = Request::ir;
  reader.get(identity);
  reader.get(request);
  // The file may have been replaced since the program loaded it.
  if (identity != compiler_identity())
    throw std::runtime_error("libze_cpu_jit.so has been replaced");
  switch (request) {
  case Request::ir:
    return do_ir(reader);
  case Request::unit:
  case Request::unit_of_new_module:
    return do_unit(reader, request == Request::unit_of_new_module);
  case Request::link_modules:
    return do_link_modules(reader);
  case Request::link_ir:
    return do_link_ir(reader);
  }
  throw std::runtime_error("unknown request");
}

} // namespace ze_cpu
