#include "work.h"

#include "../../program/requests.h"
#include "../../program/serialize.h"
#include "../codegen/codegen.h"
#include "../codegen/compile.h"
#include "../front/diagnostics.h"
#include "../front/source_lines.h"
#include "../front/translate.h"
#include "../program/link_ir.h"
#include "../program/link_programs.h"
#include "../program/module_ir.h"
#include "this_compiler.h"

#include <algorithm>
#include <stdexcept>

namespace ze_cpu {
namespace {

template <class T, class Error> std::string answer(std::expected<T, Error> result) {
  Writer writer;
  writer.put(result.has_value());
  if (result)
    writer.put(*result);
  else
    writer.put(result.error());
  return writer.take();
}

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
  add_source_lines(**module, spirv);
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
  return compile_kernel(ir, static_cast<size_t>(kernel - ir.kernels.begin()), kind, shared,
                        **machine);
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

} // namespace

std::string do_work(std::string_view bytes) {
  Reader reader(bytes);
  uint32_t version = 0;
  std::string identity;
  Request request = Request::compiler;
  reader.get(version);
  reader.get(identity);
  reader.get(request);
  if (version != protocol_version)
    throw std::runtime_error(version_mismatch);
  if (request == Request::compiler) {
    std::expected<Compiler, std::string> about = this_compiler();
    about->has_slow_gathers = are_gathers_slow();
    return answer(about);
  }
  // The file may have been replaced since the program asked.
  if (identity != this_compiler().identity)
    throw std::runtime_error("libze_cpu_jit.so has been replaced");
  switch (request) {
  case Request::compiler:
    break;
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
