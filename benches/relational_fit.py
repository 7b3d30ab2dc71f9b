"""How learning from facts grows: RelOCC with a fixed sample from 10^4 to 10^7 facts, and with a large one.

    python3 benches/relational_fit.py [--facts 10000 100000 1000000 10000000]

The facts are a made-up department: research groups of a professor and five students with papers, courses
and phases; `advisedby(student, professor)` is learned. All sizes have the same 50 marked pairs, 10,000
unlabeled ones, three trees and the same number of facts a person, so only the base grows. The time is that
of learning, without reading; memory is that of the whole process, reading included.

The last line compares a sample of 22,000 examples on 1.7 million facts with the run of a numpy program
that was recorded for the same method and settings on facts of a like shape with one thread: 4.96 s on 168,000
facts, a tenth of ours, which favours it. It was recorded on another, busy machine, so read the ratio as an order
of magnitude. Ours is timed with one thread and with all.
"""

import argparse
import math
import random
from pathlib import Path

import race

MEMORY = 4 * 2**30
TREES = 3
STUDENTS = 5
FACTS_A_GROUP = 47
RECORDED_SECONDS = 4.96

MODES = """advisedby(+person,+person).
professor(+person).
student(+person).
hasposition(+person,#position).
inphase(+person,#phase).
yearsinprogram(+person,#integer).
publication(-title,+person).
publication(+title,-person).
ta(-course,+person,-quarter).
ta(+course,-person,-quarter).
taughtby(-course,+person,-quarter).
taughtby(+course,-person,-quarter).
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description="Time and memory of learning against the number of facts.")
    arguments.add_argument("--facts", type=int, nargs="+", default=[10**4, 10**5, 10**6, 10**7])
    arguments.add_argument("--program", type=Path, help="a program to run instead of building one")
    options = arguments.parse_args()
    built = options.program.resolve() if options.program else None
    program = built or race.driver("relational_fit")
    outcomes = []
    with race.workplace() as folder:
        for facts in options.facts:
            files = write_department(Path(folder), facts, marked=50, pile=10_000)
            best = min((race.run([program, *files, TREES]) for _ in range(3)), key=lambda o: o.seconds)
            answer = best.answer
            print(f"{answer['facts']:>12,} facts: learned in {best.seconds:.3f} s, read in "
                  f"{answer['load_seconds']:.2f} s, {race.mebibytes(best)}", flush=True)
            outcomes.append(best)
        files = write_department(Path(folder), 1_700_000, marked=2000, pile=60_000)
        runs = {
            "22,000 examples, 1 thread": race.run([program, *files, TREES], threads=1),
            "22,000 examples": race.run([program, *files, TREES]),
        }
    race.table(runs)
    first, last = outcomes[0], outcomes[-1]
    growth = last.answer["facts"] / first.answer["facts"]
    slower = last.seconds / first.seconds
    print(f"{growth:,.0f} times the facts took {slower:.1f} times as long: "
          f"exponent {math.log(slower) / math.log(growth):.2f} (wanted: below 1)")
    if last.peak_bytes > MEMORY:
        raise SystemExit(f"more than {MEMORY / 2**30:g} GiB")
    if slower >= growth:
        raise SystemExit("learning grows as fast as the facts")
    recorded = race.Outcome(RECORDED_SECONDS, RECORDED_SECONDS, 0)
    race.finish([
        race.Ratio(f"recorded numpy run / {name}", recorded, outcome, wanted=10) for name, outcome in runs.items()
    ])


def write_department(folder: Path, facts: int, marked: int, pile: int) -> list:
    """The files and the target as the program takes them."""
    draw = random.Random(7)
    groups = max(1, facts // FACTS_A_GROUP)
    paths = [folder / name for name in ("facts.txt", "modes.txt", "like.txt", "pile.txt")]
    with paths[0].open("w") as out:
        for group in range(groups):
            out.write(facts_of(group, groups, draw))
    paths[1].write_text(MODES)
    pairs = [(group, student) for group in range(groups) for student in range(STUDENTS)]
    known = draw.sample(pairs, marked)
    paths[2].write_text("".join(f"advisedby({student_name(*pair)},f{pair[0]}).\n" for pair in known))
    with paths[3].open("w") as out:
        for number in range(pile):
            group, student = draw.choice(pairs)
            professor = group if number % 20 == 0 else draw.randrange(groups)
            out.write(f"advisedby({student_name(group, student)},f{professor}).\n")
    return [paths[0], paths[1], "advisedby", paths[2], paths[3]]


def student_name(group: int, student: int) -> str:
    return f"s{group * STUDENTS + student}"


def facts_of(group: int, groups: int, draw: random.Random) -> str:
    """47 facts: 12 about the professor, 7 about each student."""
    whole = int(draw.random() * 2**60)
    lines = [
        f"professor(f{group}).",
        f"hasposition(f{group},p{whole % 5}).",
        f"taughtby(c{group},f{group},q{whole % 11}).",
        f"taughtby(c{whole % groups},f{group},q{whole % 13}).",
        *(f"publication(t{group}_{number},f{group})." for number in range(STUDENTS + 3)),
    ]
    for student in range(STUDENTS):
        name = student_name(group, student)
        whole = int(draw.random() * 2**60)
        lines += [
            f"student({name}).",
            f"inphase({name},h{whole % 3}).",
            f"yearsinprogram({name},y{whole % 8}).",
            f"publication(t{group}_{student},{name}).",
            f"publication(t{whole % groups}_{student},{name}).",
            f"publication(u{group}_{student},{name}).",
            f"ta(c{(whole >> 5) % groups},{name},q{whole % 11}).",
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
