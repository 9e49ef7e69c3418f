#!/usr/bin/env python3
"""generate.py KIND TABLE OUTPUT...: what functions.txt stands for.

declarations   the functions in C: a file for those of the first interface, and one for those whose names begin with Dn
entry_points   files that share the bodies: each fills in a Problem and hands it to run() or buffer_size()
"""
import re
import sys

ELEMENTS = {"S": "float", "D": "double", "C": "hipFloatComplex", "Z": "hipDoubleComplex"}
REALS = {"S": "float", "D": "double", "C": "float", "Z": "double"}
TYPES = {"S": "f32", "D": "f64", "C": "c32", "Z": "c64"}
ENUMS = {"side": "SideMode", "trans": "Operation", "uplo": "FillMode", "jobz": "EigMode", "range": "EigRange", "itype": "EigType"}
SIZES = {"m", "n", "k", "nrhs", "il", "iu", "rank", "econ", "batch_count"}
MATRICES = {"A": "a", "B": "b", "C": "c", "X": "c", "U": "c", "V": "v"}
VECTORS = {"tau": "tau", "tauq": "tau", "taup": "taup"}
REAL_VECTORS = {"D": "values", "S": "values", "W": "values", "E": "e", "rwork": "rwork"}
INTEGERS = {"devIpiv": "pivots", "ipiv": "pivots", "nev": "nev", "devInfo": "info"}
FIELDS = {"nrhs": "k", "batch_count": "batch"}
UNUSED = {"work", "niters", "hRnrmF"}
TOKEN = re.compile(r"(\w+)(-?)(\[\])?(\+?)$")


class Function:
    """One function: its parameters in C, and the statements that fill in a Problem."""

    def __init__(self, name, letter, operation, in_bytes, tokens, buffer_size, purpose):
        self.name, self.letter, self.operation, self.buffer_size = name, letter, operation, buffer_size
        self.purpose = purpose
        self.in_bytes = in_bytes
        self.parameters, self.statements = ["hipsolverHandle_t handle"], []
        for token in tokens:
            match = TOKEN.match(token)
            if not match:
                sys.exit(f"functions.txt: what is {token!r}?")
            self.add(*match.groups())
        if "Batched" in name and "gesvdaStrided" not in name:
            self.statements.append("p.set_batch_strides();" if "j" in operation else "p.kind = Kind::batched;")

    def add(self, name, read_only, array, stride):
        const = "const " if read_only else ""
        element, real = ELEMENTS[self.letter], REALS[self.letter]
        if name in SIZES:
            self.take(f"int {name}", FIELDS.get(name, name), name)
        elif name in ENUMS:
            self.take(f"hipsolver{ENUMS[name]}_t {name}", name, name)
        elif name in ("jobu", "jobv"):
            self.take(f"signed char {name}", name, name)
        elif name in ("vl", "vu"):
            self.take(f"{real} {name}", name, name)
        elif name in MATRICES:
            ld = "ld" + name.lower()
            self.parameters += [f"{const}{element} *{name}{array or ''}", f"int {ld}"]
            self.take_stride(stride, name)
            self.statements.append(f"p.{MATRICES[name]} = Matrix{{{name}, {ld}{f', stride{name}' if stride else ''}}};")
        elif name in VECTORS:
            self.take(f"{const}{element} *{name}", VECTORS[name], f"const_cast<{element} *>({name})")
        elif name in REAL_VECTORS:
            self.take(f"{const}{real} *{name}", REAL_VECTORS[name], f"const_cast<{real} *>({name})")
            self.take_stride(stride, name)
            if stride:
                self.statements.append(f"p.values_stride = stride{name};")
        elif name in INTEGERS:
            self.take(f"{const}int *{name}", INTEGERS[name], f"const_cast<int *>({name})")
        elif name == "params":
            kind = "Gesvdj" if "gesvdj" in self.operation else "Syevj"
            self.take(f"hipsolver{kind}Info_t {name}", "jacobi", f"static_cast<JacobiInfo *>({name})")
        elif name == "lwork":
            size = "size_t" if self.in_bytes else "int"
            self.parameters.append(f"{size} *lwork" if self.buffer_size else f"{size} lwork")
            if not self.buffer_size:
                self.statements.append("(void)lwork;")
        elif name in UNUSED:
            kind = {"work": "void" if self.in_bytes else element, "niters": "int", "hRnrmF": "double"}[name]
            self.parameters.append(f"{kind} *{name}")
            self.statements.append(f"(void){name};")
        else:
            sys.exit(f"functions.txt: what is {name!r}?")

    def take(self, parameter, field, value):
        self.parameters.append(parameter)
        self.statements.append(f"p.{field} = {value};")

    def take_stride(self, stride, name):
        if stride:
            self.parameters.append(f"long long int stride{name}")

    def declaration(self):
        return f"hipsolverStatus_t {self.name}(" + ", ".join(self.parameters) + ")"

    def body(self):
        head = f"  Problem p(Operation::{self.operation}, Type::{TYPES[self.letter]});\n"
        end = "buffer_size(handle, p, lwork)" if self.buffer_size else "run(handle, p)"
        return " {\n" + head + "".join(f"  {statement}\n" for statement in self.statements) + f"  return {end};\n}}\n"


def functions(path):
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if line.strip() and (not line.startswith("#") or line.startswith("##"))]
    purposes, purpose = {}, None
    for line in lines:
        if line.startswith("##"):
            purpose = line.removeprefix("##").strip()
            continue
        names, parameters = line.split(":", 1)
        in_bytes, names = names.startswith("~"), names.removeprefix("~")
        dense, names = "Dn" if names.startswith("Dn") else "", names.removeprefix("Dn")
        forms = [form.split() for form in parameters.split("|")]
        real_name, complex_name = (names.split("/") * 2)[:2]
        operation = real_name.replace("?", "").removesuffix("StridedBatched").removesuffix("Batched")
        purpose = purposes.setdefault(operation, purpose)
        for letter in ELEMENTS:
            name = "hipsolver" + dense + (complex_name if letter in "CZ" else real_name).replace("?", letter)
            for index, form in reversed(list(enumerate(forms))):
                yield Function(name + ("_bufferSize" if index else ""), letter, operation, in_bytes, form, bool(index),
                               None if index or letter != "S" else purpose)
        purpose = None


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def declarations(all_functions, *files):
    for file, dense in zip(files, (False, True)):
        write(file, "// Made from functions.txt.\n" + "".join(
            (f"/// {function.purpose}\n" if function.purpose else "") +
            f"HIPSOLVER_EXPORT {function.declaration()};\n" for function in all_functions
            if function.name.startswith("hipsolverDn") == dense))


def entry_points(all_functions, *files):
    texts = [f"HIPSOLVER_EXPORT {function.declaration()}{function.body()}" for function in all_functions]
    share = -(-len(texts) // len(files))
    for index, file in enumerate(files):
        write(file, '// Made from functions.txt.\n#include "entry_points.h"\n\nusing namespace hipsolver;\n\nextern "C" {\n' +
              "\n".join(texts[index * share:(index + 1) * share]) + "}\n")


if __name__ == "__main__":
    writers = {writer.__name__: writer for writer in (declarations, entry_points)}
    if len(sys.argv) < 4 or sys.argv[1] not in writers:
        sys.exit(__doc__)
    writers[sys.argv[1]](list(functions(sys.argv[2])), *sys.argv[3:])
