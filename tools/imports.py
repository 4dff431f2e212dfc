"""`python -m tools.imports`: the longest chain of imports, and each ring; types count too."""

import sys
from collections.abc import Mapping

import grimp

Graph = Mapping[str, frozenset[str]]
"""Each module with those that it imports."""


def graph_of(*packages: str) -> Graph:
    """Return the imports between all modules of packages, with those for type checking alone."""
    graph = grimp.build_graph(*packages, exclude_type_checking_imports=False)
    return {
        module: frozenset(graph.find_modules_directly_imported_by(module))
        for module in graph.modules
    }


def rings(graph: Graph) -> list[set[str]]:
    """Return the groups of modules that import each other, however far around."""
    reached = {module: _reached(graph, module) for module in graph}
    found = [
        {module} | {other for other in reached[module] if module in reached[other]}
        for module in sorted(graph)
        if module in reached[module]
    ]
    return [ring for number, ring in enumerate(found) if ring not in found[:number]]


def _reached(graph: Graph, start: str) -> set[str]:
    found: set[str] = set()
    todo = [start]
    while todo:
        new = graph[todo.pop()] - found
        found |= new
        todo += new
    return found


def longest(graph: Graph) -> list[str]:
    """Return the longest chain of modules that import one another; the graph must have no ring."""
    known: dict[str, list[str]] = {}

    def chain(module: str) -> list[str]:
        if module not in known:
            below = [chain(other) for other in sorted(graph[module])]
            known[module] = [module, *max(below, key=len, default=[])]
        return known[module]

    return max((chain(module) for module in sorted(graph)), key=len)


def main() -> int:
    """Print what was found; return 1 if there is a ring."""
    graph = graph_of("engine", "pbem")
    found = rings(graph)
    for ring in found:
        print(f"a ring of {len(ring)} modules: {', '.join(sorted(ring))}")
    if not found:
        path = longest(graph)
        print(f"no ring; the longest chain has {len(path)} modules: {' -> '.join(path)}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
