"""The referee must be able to say no: a race that cannot fail measures nothing."""

import contextlib
import io
import sys
import unittest

import race


def contestant(program: str) -> list[str]:
    return [sys.executable, "-c", program]


def quietly(action, *arguments):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return action(*arguments)


class Referee(unittest.TestCase):
    def test_the_last_line_is_the_answer_and_its_seconds_are_the_time(self):
        outcome = race.run(contestant("""print('loading'); print('{"seconds": 1234.5, "words": 7}')"""))
        self.assertEqual(outcome.seconds, 1234.5)
        self.assertEqual(outcome.answer["words"], 7)

    def test_memory_is_that_of_the_contestant_and_not_of_the_referee(self):
        ballast = bytearray(200 << 20)
        small = race.run(contestant("pass"))
        big = race.run(contestant("bytearray(100 << 20)"))
        self.assertLess(small.peak_bytes, len(ballast) // 2)
        self.assertGreater(big.peak_bytes, 100 << 20)

    def test_a_contestant_that_fails_ends_the_race(self):
        with self.assertRaises(SystemExit) as ended:
            race.run(contestant("raise SystemExit(3)"))
        self.assertIn("failed", str(ended.exception))

    def test_contestants_that_differ_end_the_race(self):
        runs = {"one": race.Outcome(1, 1, 0, {"words": 7}), "two": race.Outcome(1, 1, 0, {"words": 8})}
        self.assertRaises(SystemExit, quietly, race.agree, runs, "words")
        runs["two"].answer["words"] = 7
        quietly(race.agree, runs, "words")
        self.assertRaises(SystemExit, quietly, race.agree, runs, "lines")

    def test_every_contestant_runs_every_round(self):
        runs = quietly(race.alternate, {"a": contestant("print('{\"n\": 1}')"), "b": contestant("pass")}, 2)
        self.assertEqual({name: outcome.answer for name, outcome in runs.items()}, {"a": {"n": 1}, "b": {}})

    def test_a_ratio_below_the_wanted_one_fails(self):
        slow, fast = race.Outcome(10, 10, 0), race.Outcome(1, 1, 0)
        for wanted, code in ((9, 0), (11, 1), (None, 0)):
            with self.assertRaises(SystemExit) as ended:
                quietly(race.finish, [race.Ratio("", slow, fast, wanted)])
            self.assertEqual(int(ended.exception.code), code)


if __name__ == "__main__":
    unittest.main()
