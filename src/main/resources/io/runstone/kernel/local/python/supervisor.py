"""Entry point of a kernel: the program that runs as PID 1 of a sandbox.

Standard library only, Python 3.9 and newer. See _runstone/supervise.py for what it does.
"""

import os
import sys


def _main():
    home = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, home)
    try:
        from _runstone import supervise
    finally:
        sys.path.remove(home)
    supervise.main()


if __name__ == "__main__":
    _main()
