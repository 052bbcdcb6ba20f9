"""A tool's JSON schema as a Python signature: what can be passed, and what it is to become."""

import difflib
import inspect
import keyword
import typing

from . import values

_TYPES = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": None,
}
_BOUNDS = (
    ("minimum", "at least %s"),
    ("exclusiveMinimum", "above %s"),
    ("maximum", "at most %s"),
    ("exclusiveMaximum", "below %s"),
    ("minLength", "at least %s characters"),
    ("maxLength", "at most %s characters"),
    ("minItems", "at least %s items"),
    ("maxItems", "at most %s items"),
    ("pattern", "of the form %s"),
    ("format", "format %s"),
)
_MAX_DEPTH = 5
_MAX_CHOICES = 20


def is_name(text):
    """Whether a name can be used as an argument or attribute."""
    return isinstance(text, str) and text.isidentifier() and not keyword.iskeyword(text)


def near(name, names):
    """The end of a sentence that offers what was meant."""
    found = difflib.get_close_matches(str(name), [str(n) for n in names], 3, 0.5)
    return "; did you mean %s?" % " or ".join(repr(f) for f in found) if found else ";"


class Parameters:
    """What one tool takes."""

    def __init__(self, tool, schema, output):
        self._tool = tool
        self._root = schema if isinstance(schema, dict) else {}
        properties = self._root.get("properties")
        self._properties = properties if isinstance(properties, dict) else {}
        required = self._root.get("required")
        required = required if isinstance(required, list) else []
        self._required = [n for n in self._properties if n in required]
        order = self._required + [n for n in self._properties if n not in required]
        self._names = [n for n in order if is_name(n)]
        self._others = [n for n in order if not is_name(n)]
        self._open = bool(self._root.get("additionalProperties", not self._properties))
        self.signature = self._signature(output)

    def _signature(self, output):
        kinds = inspect.Parameter
        parameters = []
        needs_mapping = any(n in self._required for n in self._others)
        if self._others:
            default = kinds.empty if needs_mapping else {}
            first = "arguments"
            while first in self._names:
                first += "_"
            parameters.append(kinds(first, kinds.POSITIONAL_ONLY, default=default, annotation=dict))
        kind = kinds.KEYWORD_ONLY if self._others else kinds.POSITIONAL_OR_KEYWORD
        for name in self._names:
            schema = self._properties[name]
            default = kinds.empty
            if name not in self._required:
                default = schema.get("default") if isinstance(schema, dict) else None
            parameters.append(
                kinds(name, kind, default=default, annotation=annotation(schema, self._root))
            )
        if self._open and not self._names:
            parameters.append(kinds("arguments", kinds.VAR_KEYWORD))
        returns = inspect.Signature.empty
        if isinstance(output, dict):
            inner = output["properties"]["result"] if _is_envelope(output) else output
            returns = annotation(inner, output)
        return inspect.Signature(parameters, return_annotation=returns)

    def bind(self, args, named):
        """The arguments of a call as the tool wants them; raises TypeError as a function would."""
        passed = {}
        if args and isinstance(args[0], dict) and self._is_mapping():
            passed.update(args[0])
            args = args[1:]
        if len(args) > (0 if self._others else len(self._names)):
            raise self._wrong("takes its arguments by name")
        for name, value in list(zip(self._names, args)) + list(named.items()):
            if name in passed:
                raise self._wrong("got more than one value for %r" % name)
            passed[name] = value
        for name in passed:
            if name not in self._properties and not self._open:
                raise self._wrong("has no parameter %r%s" % (name, near(name, self._properties)))
        missing = [n for n in self._required if n not in passed]
        if missing:
            raise self._wrong("needs " + " and ".join(repr(n) for n in missing))
        return {n: v for n, v in passed.items() if v is not None or self._keeps_none(n)}

    def _wrong(self, what):
        what = what.rstrip(";")
        end = "" if what.endswith("?") else ";"
        return TypeError("%s() %s%s call it as %s%s" % (self._tool, what, end, self._tool, self.signature))

    def _is_mapping(self):
        """Whether a dictionary that comes first holds all arguments rather than being the first."""
        return bool(self._others) or not self._names or dict not in _members(
            annotation(self._properties[self._names[0]], self._root)
        )

    def _keeps_none(self, name):
        """None for what may be left out and can't be null is what the signature calls leaving out."""
        if name in self._required or name not in self._properties:
            return True
        found = annotation(self._properties[name], self._root)
        return found is typing.Any or type(None) in _members(found)

    def lines(self):
        """The parameters for a docstring."""
        for name in self._names + self._others:
            schema = self._properties[name]
            schema = schema if isinstance(schema, dict) else {}
            shown = inspect.formatannotation(annotation(schema, self._root))
            facts = [shown, "required" if name in self._required else "optional"]
            if "default" in schema:
                facts[1] = "default %r" % (schema["default"],)
            facts += [text % schema[key] for key, text in _BOUNDS if key in schema]
            yield "%s: %s" % (name if is_name(name) else repr(name), ", ".join(facts))
            text = schema.get("description") or schema.get("title")
            if isinstance(text, str) and text.strip():
                for line in text.strip().splitlines():
                    yield "    " + line.strip()


def _is_envelope(schema):
    properties = schema.get("properties")
    return values.wraps(schema) and isinstance(properties, dict) and "result" in properties


def _members(found):
    if typing.get_origin(found) is typing.Union:
        return {typing.get_origin(a) or a for a in typing.get_args(found)}
    if typing.get_origin(found) is typing.Literal:
        return {type(a) for a in typing.get_args(found)}
    if found is None:
        return {type(None)}
    return {typing.get_origin(found) or found}


def annotation(schema, root, depth=0):
    """The type of a schema's values, as far as Python has a word for it."""
    if not isinstance(schema, dict) or depth > _MAX_DEPTH:
        return typing.Any
    if isinstance(schema.get("$ref"), str):
        return annotation(_resolve(schema["$ref"], root), root, depth + 1)
    choices = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(choices, list) and 0 < len(choices) <= _MAX_CHOICES:
        if all(c is None or isinstance(c, (str, int, bool)) for c in choices):
            return typing.Literal[tuple(choices)]
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list) and 0 < len(schema[key]) <= _MAX_CHOICES:
            return _union([annotation(s, root, depth + 1) for s in schema[key]])
    kind = schema.get("type")
    if isinstance(kind, list) and 0 < len(kind) <= _MAX_CHOICES:
        return _union([annotation({**schema, "type": k}, root, depth + 1) for k in kind])
    if kind == "array" and isinstance(schema.get("items"), dict):
        inner = annotation(schema["items"], root, depth + 1)
        return list if inner is typing.Any else list[inner]
    return _TYPES.get(kind, typing.Any) if isinstance(kind, str) else typing.Any


def _union(types):
    return typing.Any if typing.Any in types else typing.Union[tuple(types)]


def _resolve(reference, root):
    found = root
    for part in reference.lstrip("#").strip("/").split("/"):
        found = found.get(part) if isinstance(found, dict) else None
    return found
