#!/usr/bin/env python3
"""generate.py KIND TABLE OUTPUT...: what functions.txt stands for.

declarations           the functions in C, and a second file with the macros of HIPBLAS_V2
entry_points           a file for each third of the bodies: each fills in a Problem and hands it to run()
rocblas_declarations   the same functions by the names and with the types of rocBLAS
rocblas_entry_points   their bodies: each calls that of hipBLAS
"""
import re
import sys

ELEMENTS = {"H": "hipblasHalf", "Bf": "hipblasBfloat16", "S": "float", "D": "double", "C": "hipblasComplex",
            "Z": "hipblasDoubleComplex"}
TYPES = {"H": "f16", "Bf": "bf16", "S": "f32", "D": "f64", "C": "c32", "Z": "c64"}
REAL = {"C": "S", "Z": "D"}
V2 = {"hipblasComplex": "hipComplex", "hipblasDoubleComplex": "hipDoubleComplex", "hipblasDatatype_t": "hipDataType"}
ROCBLAS = {"hipblasHandle_t": "rocblas_handle", "hipblasOperation_t": "rocblas_operation", "hipblasFillMode_t": "rocblas_fill",
           "hipblasSideMode_t": "rocblas_side", "hipblasDiagType_t": "rocblas_diagonal", "hipblasDatatype_t": "rocblas_datatype",
           "hipblasStride": "rocblas_stride", "int": "rocblas_int", "hipblasHalf": "rocblas_half",
           "hipblasBfloat16": "rocblas_bfloat16", "hipblasComplex": "rocblas_float_complex",
           "hipblasDoubleComplex": "rocblas_double_complex"}
KINDS = {"single": "", "batched": "Batched", "strided": "StridedBatched"}
ENUMS = {"trans": "Operation", "transA": "Operation", "transB": "Operation", "uplo": "FillMode", "side": "SideMode",
         "diag": "DiagType"}
FIELDS = {"trans": "trans_a", "transA": "trans_a", "transB": "trans_b", "nrhs": "k"}
SIZES = {"m", "n", "k", "kl", "ku", "nrhs"}
SCALARS = {"alpha", "beta", "c", "s"}
INTEGERS = {"ipiv", "info", "deviceInfo"}
BEHIND_BATCH_COUNT = {"result", "compute", "type", "invA"}
TOKEN = re.compile(r"(\w+)([\[(]?)(!?)(~?)(?::([RI]))?(~?)(?:=(\w+))?$")


class Token:
    def __init__(self, text):
        match = TOKEN.match(text)
        if not match:
            sys.exit(f"functions.txt: what is {text!r}?")
        self.name, self.shape, written, other, self.type, other_too, field = match.groups()
        self.written = bool(written)
        self.other = bool(other or other_too)
        self.field = field or FIELDS.get(self.name, self.name[0].lower() if self.shape else self.name)


class Line:
    def __init__(self, text):
        head, parameters = text.split(":", 1)
        self.name, types, *options = head.split()
        self.types = re.findall(r"[A-Z][a-z]?|-", types)
        self.has_64 = "no64" not in options
        # rocBLAS has no LAPACK, and other parameters where there are flags.
        self.in_rocblas = "lapack" not in options and "flags" not in options
        self.flags = [False, True] if "flags" in options else [False]
        only = [option[5:] for option in options if option.startswith("only=")]
        self.kinds = [kind for kind, suffix in KINDS.items() if not only or suffix in only]
        self.tokens = [Token(token) for token in parameters.split()]

    @property
    def operation(self):
        return re.sub(r"^(I?)\?\??", lambda m: m[1].lower(), self.name).removesuffix("Ex").lower() \
            if self.types != ["-"] else self.name.removesuffix("Ex").lower()


def function_name(line, types, kind, flags, version_2, wide):
    """hipblas, the operation, what there is of it, _v2, _64."""
    name = line.name
    if "??" in name:
        name = name.replace("??", types if types not in REAL else REAL[types] + types.lower())
    name = name.replace("?", types if not name.startswith("I?") else types.lower())
    if name.endswith("Ex"):
        name = name[:-2] + KINDS[kind] + "Ex" + ("WithFlags" if flags else "")
    else:
        name += KINDS[kind]
    return "hipblas" + name + ("_v2" if version_2 else "") + ("_64" if wide else "")


def rocblas_name(function):
    """rocblas, the operation, what there is of it, ex, 64: all in lower case and apart."""
    name = function_name(function.line, function.types, function.kind, False, False, function.wide).removeprefix("hipblas")
    return "rocblas_" + re.sub(r"StridedBatched|Batched|Ex(?=_64|$)", lambda m: "_" + m[0].replace("dB", "d_b"), name).lower()


def stride_name(token):
    if token.name in ("param", "ipiv") or token.name == "invA" and not token.shape:
        return {"param": "strideParam", "ipiv": "strideP", "invA": "strideInvA"}[token.name]
    return "stride" + token.name.removesuffix("P")


class Function:
    """One function: its parameters as (type, name, suffix), and the statements that fill in a Problem."""

    def __init__(self, line, types, kind, flags, wide):
        self.line, self.types, self.kind, self.flags, self.wide = line, types, kind, flags, wide
        self.ex = types == "-"
        self.size = "int64_t" if wide else "int"
        self.letter = types if types in ELEMENTS else types[0]
        self.parameters, self.statements = [("hipblasHandle_t", "handle", "")], []
        batch_count = kind != "single"
        for token in line.tokens:
            if batch_count and token.name in BEHIND_BATCH_COUNT and not token.shape:
                self.add_batch_count()
                batch_count = False
            self.add(token)
        if batch_count:
            self.add_batch_count()
        if flags:
            self.parameters.append(("hipblasGemmFlags_t", "flags", ""))
            self.statements.append("(void)flags;")

    def add_batch_count(self):
        self.parameters.append((self.size, "batchCount", ""))
        self.statements.append("p.batch = batchCount;")

    def is_complex(self):
        return self.ex or self.letter in REAL

    def type_of(self, token):
        """The element's name in C, and in Problem."""
        if self.ex:
            return "void", None
        letter = self.letter
        # Cs and Zd have real scalars.
        if token.type == "R" or (token.name in SCALARS and self.types != letter):
            letter = REAL.get(letter, letter)
        return ELEMENTS[letter], TYPES[letter]

    def add(self, token):
        name, field = token.name, token.field
        if token.shape:
            self.add_operand(token)
        elif name in SIZES:
            self.parameters.append((self.size, name, ""))
            self.statements.append(f"p.{field} = {name};")
        elif name in ENUMS:
            self.parameters.append((f"hipblas{ENUMS[name]}_t", name, ""))
            self.statements.append(f"p.{field} = {name};")
        elif name in SCALARS:
            element, kind = self.type_of(token)
            self.parameters.append((f"const {element} *", name, ""))
            if not self.ex:
                self.statements.append(f"p.{field} = Scalar{{{name}, Type::{kind}}};")
            else:
                if not token.other:
                    type_name = "csType" if name == "s" else name + "Type"
                    self.parameters.append(("hipblasDatatype_t", type_name, ""))
                else:
                    type_name = "csType" if name == "c" else None
                self.statements.append(f"p.{field} = Scalar{{{name}, {f'type_of({type_name})' if type_name else 'Type::none'}}};")
        elif name in INTEGERS:
            self.parameters.append((f"{'' if token.written else 'const '}int *", name, ""))
            stride = ""
            if name == "ipiv" and self.kind == "strided":
                self.parameters.append(("hipblasStride", stride_name(token), ""))
                stride = ", " + stride_name(token)
            self.statements.append(f"p.pivots = Pivots{{const_cast<int *>(ipiv){stride}}};" if name == "ipiv" else f"p.{ {'info': 'info', 'deviceInfo': 'device_info'}[name]} = {name};")
        elif name == "result":
            self.add_result(token)
        elif name == "invA":
            self.parameters += [("const void *", "invA", ""), ("int", "invAsize", "")]
            self.statements.append("(void)invA, (void)invAsize;")
            if self.kind == "strided":
                self.parameters.append(("hipblasStride", stride_name(token), ""))
                self.statements.append(f"(void){stride_name(token)};")
        elif name == "type":
            role = "computeType" if self.line.name == "TrsmEx" else "executionType"
            self.parameters.append(("hipblasDatatype_t", role, ""))
            self.statements.append(f"p.type = type_of({role});")
        elif name == "compute":
            self.parameters.append(("hipblasDatatype_t|hipblasComputeType_t", "computeType", ""))
            self.statements.append("set_compute_type(p, computeType);")
        elif name == "algo":
            self.parameters.append(("hipblasGemmAlgo_t", "algo", ""))
            self.statements.append("(void)algo;")
        else:
            sys.exit(f"functions.txt: what is {name!r}?")

    def add_result(self, token):
        if token.type == "I":
            self.parameters.append((f"{self.size} *", "result", ""))
            self.statements.append(f"p.result = Result{{result, Type::{'i64' if self.wide else 'i32'}}};")
        elif self.ex:
            self.parameters += [("void *", "result", ""), ("hipblasDatatype_t", "resultType", "")]
            self.statements.append("p.result = Result{result, type_of(resultType)};")
        else:
            element, kind = self.type_of(token)
            self.parameters.append((f"{element} *", "result", ""))
            self.statements.append(f"p.result = Result{{result, Type::{kind}}};")

    def add_operand(self, token):
        name = token.name
        element, kind = self.type_of(token)
        const = "" if token.written else "const "
        if self.kind == "batched" and self.ex and self.line.name == "GemmEx":
            self.parameters.append((f"{const}void *", name, "[]"))
        elif self.kind == "batched" and not self.ex:
            self.parameters.append((f"{const}{element} *{'' if token.other else 'const '}", name, "[]"))
        else:
            self.parameters.append((f"{const}{element} *", name, ""))
        if self.ex and not token.other:
            type_name = name[0].lower() + "Type"
            self.parameters.append(("hipblasDatatype_t", type_name, ""))
            kind = f"type_of({type_name})"
        else:
            kind = f"Type::{kind}" if kind else "Type::none"
        step = "0"
        if token.shape == "[":
            step = ("inc" + name) if name in ("x", "y") else "ld" + (name if name == "invA" else name[0].lower())
            self.parameters.append((self.size, step, ""))
        stride = "0"
        if self.kind == "strided":
            stride = stride_name(token)
            # AMD's first such functions have another type.
            self.parameters.append(("long long" if self.line.name == "?gemm" else "hipblasStride", stride, ""))
        self.statements.append(f"p.{token.field} = Operand{{{name}, {step}, {stride}, {kind}}};")

    def declaration(self, version_2):
        def named(kind, name, suffix):
            if "|" in kind:
                kind = kind.split("|")[version_2]
            if version_2:
                kind = re.sub(r"\w+", lambda m: V2.get(m[0], m[0]), kind)
            return kind + ("" if kind.endswith("*") else " ") + name + suffix

        name = function_name(self.line, self.types, self.kind, self.flags, version_2, self.wide)
        return f"hipblasStatus_t {name}(" + ", ".join(named(*parameter) for parameter in self.parameters) + ")"

    def rocblas_declaration(self):
        def named(kind, name, suffix):
            # Arrays of pointers are never changed, nor is the matrix of a system.
            if suffix and not kind.endswith("const "):
                kind += "const "
            elif (kind, name) == ("void *", "A"):
                kind = "const void *"
            kind = re.sub(r"\w+", lambda m: ROCBLAS.get(m[0], m[0]), kind.replace("long long", "hipblasStride"))
            return kind + ("" if kind.endswith("*") else " ") + name + suffix

        return f"rocblas_status {rocblas_name(self)}(" + ", ".join(named(*parameter) for parameter in self.parameters) + ")"

    def rocblas_body(self):
        called = function_name(self.line, self.types, self.kind, False, False, self.wide)
        return f" {{\n  return call({called}, " + ", ".join(name for _, name, _ in self.parameters) + ");\n}\n"

    def body(self):
        kind = "none" if self.ex else TYPES[self.letter]
        head = f"  Problem p(Operation::{self.line.operation}, Kind::{self.kind}, Type::{kind});\n"
        return " {\n" + head + "".join(f"  {statement}\n" for statement in self.statements) + "  return run(handle, p);\n}\n"


def read_table(path):
    with open(path, encoding="utf-8") as file:
        return [Line(line) for line in file if line.strip() and not line.startswith("#")]


def functions(lines):
    for line in lines:
        for types in line.types:
            for kind in line.kinds:
                for flags in line.flags:
                    for wide in [False, True] if line.has_64 else [False]:
                        yield Function(line, types, kind, flags, wide)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def declarations(lines, functions_file, names_file):
    declared = [(function, version_2) for function in functions(lines)
                for version_2 in ([False, True] if function.is_complex() else [False])]
    write(functions_file, "// Made from functions.txt.\n" + "".join(
        f"HIPBLAS_EXPORT {function.declaration(version_2)};\n" for function, version_2 in declared))
    write(names_file, "// Made from functions.txt: HIPBLAS_V2 gives functions of complex types and of type arguments their second form.\n" + "".join(
        f"#define {function_name(f.line, f.types, f.kind, f.flags, False, f.wide)} "
        f"{function_name(f.line, f.types, f.kind, f.flags, True, f.wide)}\n" for f, version_2 in declared if version_2))


def entry_points(lines, *files):
    texts = []
    for function in functions(lines):
        name = function_name(function.line, function.types, function.kind, function.flags, False, function.wide)
        text = f"HIPBLAS_EXPORT {function.declaration(False)}{function.body()}"
        if function.ex:
            text += f"HIPBLAS_EXPORT {function.declaration(True)}{function.body()}"
        elif function.is_complex():
            text += f"HIPBLAS_EXPORT {function.declaration(True)}\n    __attribute__((alias(\"{name}\")));\n"
        texts.append(text)
    write_bodies("entry_points.h", texts, files)


def write_bodies(header, texts, files):
    share = -(-len(texts) // len(files))
    for index, file in enumerate(files):
        write(file, f'// Made from functions.txt.\n#include "{header}"\n\nusing namespace hipblas;\n\nextern "C" {{\n' +
              "\n".join(texts[index * share:(index + 1) * share]) + "}\n")


def rocblas_declarations(lines, functions_file):
    write(functions_file, "// Made from functions.txt.\n" + "".join(
        f"ROCBLAS_EXPORT {function.rocblas_declaration()};\n" for function in functions(lines) if function.line.in_rocblas))


def rocblas_entry_points(lines, *files):
    write_bodies("call.h", [f"ROCBLAS_EXPORT {function.rocblas_declaration()}{function.rocblas_body()}"
                            for function in functions(lines) if function.line.in_rocblas], files)


if __name__ == "__main__":
    writers = {writer.__name__: writer for writer in (declarations, entry_points, rocblas_declarations, rocblas_entry_points)}
    if len(sys.argv) < 4 or sys.argv[1] not in writers:
        sys.exit(__doc__)
    writers[sys.argv[1]](read_table(sys.argv[2]), *sys.argv[3:])
