"""Makes our backend matplotlib's default in this process, the moment matplotlib is imported.

Not by the variable MPLBACKEND: programs that the user's code starts would inherit it, and our backend
is not there for them.
"""

import importlib.machinery
import os
import sys

_BACKEND = "module://_runstone.matplotlib_backend"


class _Loader:
    """Duck-typed, for importlib.abc costs a third of a kernel's start."""

    def __init__(self, loader):
        self._loader = loader

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        if "MPLBACKEND" not in os.environ:
            module.rcParams["backend"] = _BACKEND


class _Finder:
    def find_spec(self, name, path, target=None):
        if name != "matplotlib":
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


def install():
    sys.meta_path.insert(0, _Finder())
