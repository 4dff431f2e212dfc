# ruff: noqa
"""Turn calls of the old repositories into peewee's queries, file by file (removed afterwards)."""

import ast
import re
import sys
from pathlib import Path

from peewee import ForeignKeyField

from pbem.storage import models

TABLES = {
    "players": "Player",
    "further": "Further",
    "accounts": "Account",
    "cursors": "Cursor",
    "blocks": "Block",
    "leaves": "Leave",
    "letters": "Letter",
    "personas": "Persona",
    "blueprints": "Blueprint",
    "pledges": "Pledge",
    "offers": "Offer",
    "offer_seats": "OfferSeat",
    "summons": "Summons",
    "games": "Game",
    "places": "Place",
    "turnouts": "Turnout",
    "steps": "Step",
    "rounds": "Round",
    "rulings": "Ruling",
    "stories": "Story",
    "watches": "Watch",
    "bans": "Ban",
    "tokens": "Token",
    "questions": "Question",
    "outbox": "Outgoing",
    "authorships": "Authorship",
    "kept_words": "KeptWords",
    "bounces": "Bounce",
    "tallies": "Tally",
    "entries": "Entry",
    "rewards": "Reward",
    "nominations": "Nomination",
    "endorsements": "Endorsement",
    "posts": "Post",
    "subscriptions": "Subscription",
    "issues": "Issue",
    "editorials": "Editorial",
    "public_letters": "PublicLetter",
    "_meta": "Meta",
}
METHODS = set(
    "all some latest each find get values count highest least add insert insert_if_new change"
    " change_each change_all put remove remove_each".split()
)
STORES = {"store", "_store", "server", "again", "empty", "copied", "old", "new"}
OPS = {"": "==", "ne": "!=", "lt": "<", "lte": "<=", "gt": ">", "gte": ">="}


class Cannot(Exception):
    pass


def key_of(model):
    return model._meta.primary_key.name


def field(model, name):
    found = model._meta.combined.get(name)
    if found is None:
        raise Cannot(f"{model.__name__} has no {name}")
    return found


def condition(model, keyword, source, node):
    name, _, rest = keyword.partition("__")
    f = field(model, name)
    left = f"{alias(model)}.{f.name}"
    none = isinstance(node, ast.Constant) and node.value is None
    if rest == "in":
        return f"{left}.in_({source})"
    if rest == "ilike":
        return f"({left} ** {source})"
    if rest in OPS:
        if none:
            return f"{left}.is_null({'' if rest == '' else 'False'})"
        if isinstance(node, (ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda)):
            source = f"({source})"
        return f"{left} {OPS[rest]} {source}"
    if isinstance(f, ForeignKeyField):
        other = f.rel_model
        NEEDED.add(other.__name__)
        inner = condition(other, rest, source, node)
        o = alias(other)
        return f"{left}.in_({o}.select({o}.{key_of(other)}).where({inner}))"
    raise Cannot(keyword)


def alias(model):
    return ALIASES.get(model.__name__, model.__name__)


def conditions(model, pairs):
    return [condition(model, k, s, n) for k, s, n in pairs]


def unique(model, pairs):
    names = {field(model, k.partition("__")[0]).name for k, _, _ in pairs if "__" not in k}
    single = {f.name for f in model._meta.sorted_fields if f.unique or f.primary_key}
    several = [set(cols) for cols, u in model._meta.indexes if u]
    return bool(names & single) or any(cols <= names for cols in several)


def convert(call, text):
    seg = lambda n: ast.get_source_segment(text, n)
    store = seg(call.func.value.value)
    model = getattr(models, TABLES[call.func.value.attr])
    NEEDED.add(model.__name__)
    M, method = alias(model), call.func.attr
    K = f"{M}.{key_of(model)}"
    pairs = []
    for k in call.keywords:
        if k.arg is None:
            if method not in (
                "add",
                "insert",
                "insert_if_new",
                "change",
                "change_each",
                "change_all",
            ):
                raise Cannot("** in keywords")
            pairs.append((None, seg(k.value), k.value))
            continue
        pairs.append((k.arg, seg(k.value), k.value))
    args = [(seg(a), a) for a in call.args]
    if any(isinstance(a, ast.Starred) for _, a in args):
        raise Cannot("* in arguments")

    def where(ps):
        found = conditions(model, ps)
        return f".where({', '.join(found)})" if found else ""

    def values(ps):
        return ", ".join(f"{field(model, k).name}={s}" if k else f"**{s}" for k, s, _ in ps)

    if method == "all":
        return f"{store}.all({M}.select(){where(pairs)}.order_by({K}))"
    if method == "some":
        return f"{store}.all({M}.select(){where(pairs)}.order_by({K}).limit({args[0][0]}))"
    if method == "latest":
        return f"{store}.all({M}.select(){where(pairs)}.order_by({K}.desc()).limit({args[0][0]}))"
    if method == "each":
        return f"{store}.each({M})"
    if method == "find":
        order = "" if unique(model, pairs) else f".order_by({K})"
        return f"{store}.first({M}.select(){where(pairs)}{order})"
    if method == "get":
        return f"{store}.get({M}, {args[0][0]})"
    if method == "values":
        limit = [s for k, s, _ in pairs if k == "limit"]
        pairs = [p for p in pairs if p[0] != "limit"]
        names = []
        for s, a in args:
            if not isinstance(a, ast.Constant):
                raise Cannot("a column by a variable")
            names.append(f"{M}.{field(model, a.value).name}")
        end = f".limit({limit[0]})" if limit else ""
        return f"{store}.tuples({M}.select({', '.join(names)}){where(pairs)}.order_by({K}){end})"
    if method == "count":
        return f"{store}.count({M}.select(){where(pairs)})"
    if method in ("highest", "least"):
        if args and not isinstance(args[0][1], ast.Constant):
            raise Cannot("a column by a variable")
        f = field(model, args[0][1].value if args else key_of(model)).name
        NEEDED.add("fn")
        which = "MAX" if method == "highest" else "MIN"
        found = f"{store}.scalar({M}.select(fn.{which}({M}.{f})){where(pairs)})"
        return f"({found} or 0)" if method == "highest" else found
    if method == "add":
        return f"{store}.create({M}, {values(pairs)})"
    if method == "insert":
        return f"{store}.run({M}.insert({values(pairs)}))"
    if method == "insert_if_new":
        return f"{store}.run({M}.insert({values(pairs)}).on_conflict_ignore())"
    if method == "change":
        return f"{store}.run({M}.update({values(pairs)}).where({K} == {args[0][0]}))"
    if method == "change_each":
        return f"{store}.run({M}.update({values(pairs)}).where({K}.in_({args[0][0]})))"
    if method == "change_all":
        fits = args[0][1]
        if not isinstance(fits, ast.Dict) or not all(
            isinstance(k, ast.Constant) for k in fits.keys
        ):
            raise Cannot("change_all with a variable")
        ps = [(k.value, seg(v), v) for k, v in zip(fits.keys, fits.values)]
        return f"{store}.run({M}.update({values(pairs)}){where(ps)})"
    if method == "remove":
        return f"{store}.run({M}.delete(){where(pairs)})"
    if method == "remove_each":
        return f"{store}.run({M}.delete().where({K}.in_({args[0][0]})))"
    raise Cannot(method)


def is_call(node):
    f = getattr(node, "func", None)
    if not (isinstance(node, ast.Call) and isinstance(f, ast.Attribute) and f.attr in METHODS):
        return False
    table = f.value
    if not (isinstance(table, ast.Attribute) and table.attr in TABLES):
        return False
    store = table.value
    last = store.attr if isinstance(store, ast.Attribute) else getattr(store, "id", "")
    return last in STORES or (last == "session" and False)


def offsets(text):
    lines = text.encode().split(b"\n")
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    return lambda line, col: starts[line - 1] + col


def rewrite(path):
    global NEEDED, ALIASES
    text = path.read_text()
    NEEDED, problems = set(), []
    tree = ast.parse(text)
    bound = {
        a.asname or a.name: n.module
        for n in ast.walk(tree)
        if isinstance(n, ast.ImportFrom)
        for a in n.names
    }
    own = {n.name for n in ast.walk(tree) if isinstance(n, ast.ClassDef)}
    ALIASES = {}
    for name in set(TABLES.values()):
        if name in own or (name in bound and not bound[name].startswith("pbem.storage")):
            ALIASES[name] = f"{name}Row"
    if "from pbem.storage import" in text and re.search(
        r"from pbem\.storage import.*\bmodels\b", text
    ):
        pass
    failed = set()
    while True:
        tree = ast.parse(text)
        calls = [
            n
            for n in ast.walk(tree)
            if is_call(n) and ast.get_source_segment(text, n) not in failed
        ]
        inner = [
            c
            for c in calls
            if not any(
                d is not c and is_call(d) and ast.get_source_segment(text, d) not in failed
                for d in ast.walk(c)
            )
        ]
        if not inner:
            break
        at = offsets(text)
        raw = text.encode()
        for c in sorted(inner, key=lambda c: -at(c.lineno, c.col_offset)):
            try:
                new = convert(c, text)
            except Cannot as error:
                source = ast.get_source_segment(text, c)
                failed.add(source)
                problems.append(f"{path}: {error}: {' '.join(source.split())[:120]}")
                continue
            raw = (
                raw[: at(c.lineno, c.col_offset)]
                + new.encode()
                + raw[at(c.end_lineno, c.end_col_offset) :]
            )
        text = raw.decode()
    text = add_imports(text, NEEDED, bound)
    if text != path.read_text():
        path.write_text(text)
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Attribute)
            and node.attr in METHODS
            and isinstance(node.value, ast.Attribute)
            and node.value.attr in TABLES
        ):
            problems.append(f"{path}:{node.lineno}: left {ast.unparse(node)}")
    return problems


def add_imports(text, needed, bound):
    wanted = []
    lines = []
    for name in sorted(needed):
        if name == "fn":
            if "fn" not in bound:
                lines.append("from peewee import fn")
            continue
        to = ALIASES.get(name, name)
        if to != name:
            wanted.append(f"{name} as {to}")
        elif not bound.get(name, "").startswith("pbem.storage"):
            wanted.append(name)
    module = "pbem.storage"
    if wanted:
        lines.append(f"from {module} import {', '.join(wanted)}")
    if not lines:
        return text
    tree = ast.parse(text)
    imports = [n for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
    rows = text.split("\n")
    at = imports[-1].end_lineno if imports else (tree.body[0].end_lineno if tree.body else 0)
    return "\n".join([*rows[:at], *lines, *rows[at:]])


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for problem in rewrite(Path(name)):
            print(problem)
