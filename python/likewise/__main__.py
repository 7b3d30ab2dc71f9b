"""``python -m likewise`` is the command line."""

import sys

from ._native import command_line


def main() -> int:
    return command_line(["likewise", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
