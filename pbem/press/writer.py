"""How letters' templates become Python: the kit's marks put in, and macros called outright.

A call that fills a block, `{% call kit.para() %}`, or one for each of a list's items,
`{% call(item) kit.points(items) %}`, is no call at run time: its marks become part of the
template's own text. So it costs nothing, and its words stay in the template. What is called
takes no context, and a macro's words need no finishing; so no call goes through Jinja's own.
"""

from collections.abc import Callable, Sequence
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator
from jinja2.utils import missing
from jinja2.visitor import NodeTransformer
from markupsafe import Markup

from pbem.press.marks import CODE, ITEM, OPEN, SAID, SHUT, STRONG, TOGETHER

_INLINE = {
    "code": CODE,
    "strong": STRONG,
    "said": SAID,
    "together": TOGETHER,
    "heading": (f"{OPEN}heading{ITEM}", SHUT),
}


class Inlay(NodeTransformer):
    """Puts the marks of a template's calls of the kit into its text."""

    def visit_CallBlock(self, node: nodes.CallBlock) -> Any:  # noqa: N802
        """Put in the marks of a block, around its words or those of each item."""
        self.generic_visit(node)
        name = _called(node.call)
        if not name:
            return node
        given = list(node.call.args)
        body: list[nodes.Node] = [_marks(ITEM), *node.body]
        if node.args:
            body = [nodes.For(node.args[0], given.pop(), body, [], None, False)]
        told = [part for argument in given for part in (nodes.TemplateData(ITEM), argument)]
        before = nodes.Output([nodes.TemplateData(OPEN + name), *told])
        return [before, *body, _marks(SHUT)]

    def visit_Output(self, node: nodes.Output) -> nodes.Output:  # noqa: N802
        """Put in the marks around words that are written as they stand."""
        self.generic_visit(node)
        node.nodes = [part for child in node.nodes for part in self._parts(child)]
        return node

    def _parts(self, child: nodes.Expr) -> list[nodes.Expr]:
        name = _called(child)
        if name not in _INLINE or not isinstance(child, nodes.Call):
            return [child]
        before, behind = _INLINE[name]
        return [nodes.TemplateData(before), *child.args, nodes.TemplateData(behind)]


def _called(node: nodes.Expr) -> str:
    """Give the name of what is called of the kit, or nothing."""
    if not isinstance(node, nodes.Call) or not isinstance(node.node, nodes.Getattr):
        return ""
    owner = node.node.node
    return node.node.attr if isinstance(owner, nodes.Name) and owner.name == "kit" else ""


def _marks(marks: str) -> nodes.Output:
    return nodes.Output([nodes.TemplateData(marks)])


class Macro:
    """A macro of a letter's template, with the names of what it takes."""

    __slots__ = ("_function", "_names")

    def __init__(self, function: Callable[..., str], names: Sequence[str]) -> None:
        function.__defaults__ = (missing,) * len(names)
        self._function, self._names = function, names

    def __call__(self, *given: object, **named: object) -> Markup:
        """Write the macro's words; raises TypeError for what it does not take."""
        if named:
            given += tuple(named.pop(name, missing) for name in self._names[len(given) :])
        if named:
            raise TypeError(f"the macro takes no {', '.join(named)}")
        return str.__new__(Markup, self._function(*given))


class Writer(CodeGenerator):
    """Writes templates whose `finalize` says all about an expression; nothing is escaped twice."""

    def visit_Template(self, node: nodes.Template, frame: Any = None) -> None:  # noqa: N802
        """Write a template."""
        self.writeline(f"from {__name__} import Macro as Words")
        super().visit_Template(node, frame)

    def visit_Call(  # noqa: N802
        self, node: nodes.Call, frame: Any, forward_caller: bool = False
    ) -> None:
        """Write a call as it stands; raises TypeError for what no letter's template does."""
        if forward_caller or node.dyn_args or node.dyn_kwargs:
            raise TypeError(f"line {node.lineno}: a letter's macro takes no block and no *")
        self.visit(node.node, frame)
        self.write("(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")

    def visit_Getattr(self, node: nodes.Getattr, frame: Any) -> None:  # noqa: N802
        """Write a part of a fact; what a mapping holds is taken without asking the environment."""
        if not isinstance(node.node, nodes.Name):
            super().visit_Getattr(node, frame)
            return
        fact, part = frame.symbols.ref(node.node.name), repr(node.attr)
        self.write(f"({fact}[{part}] if type({fact}) is dict and {part} in {fact} else ")
        super().visit_Getattr(node, frame)
        self.write(")")

    def macro_def(self, macro_ref: Any, frame: Any) -> None:
        """Write what a macro is."""
        self.write(f"Words(macro, {tuple(one.name for one in macro_ref.node.args)})")

    def _import_common(self, node: Any, frame: Any) -> None:
        self.write("environment.module(")
        self.visit(node.template, frame)
        self.write(")")

    def _output_child_pre(self, node: nodes.Expr, frame: Any, finalize: Any) -> None:
        self.write(finalize.src)

    def _output_child_post(self, node: nodes.Expr, frame: Any, finalize: Any) -> None:
        self.write(")")

    def _output_child_to_const(self, node: nodes.Expr, frame: Any, finalize: Any) -> str:
        const = node.as_const(frame.eval_ctx)
        return str(const) if isinstance(node, nodes.TemplateData) else str(finalize.const(const))
