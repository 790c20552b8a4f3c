"""The command `scoref-ua`: a drop-in for the Universal Anaphora scorer 2.0.

    scoref-ua KEY RESPONSE [-f FORMAT] [-m METRIC …] [-a MATCH] [-s] [-l] [-z] [-d] …

Options and output are those of the official script. In some cases the official script
prints only its header, or crashes; this command scores them. Files that cannot be read
are refused with a message and exit code 1, and nothing is written to standard output.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from scoref.dropins.corefud import (
    MATCHES,
    OfficialParser,
    average,
    doubts,
    figures,
    header,
)
from scoref.errors import OptionError, ScorefError
from scoref.notes import WARNING
from scoref.terminal.printing import tell
from scoref.terminal.running import running

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping
    from typing import NoReturn

    from scoref.metrics.base import AnyScore

_CONLL = ("muc", "bcub", "ceafe")
_LINKS = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea")
_COREFERENCE = {*_LINKS, "mention", "zero"}
_ALL = {
    "ua": (*_LINKS, "mention", "mor", "non-referring", "bridging"),
    "corefud": (*_LINKS, "mor", "zero"),
    "conll": (*_LINKS, "mention"),
}
_BLOCKS = {
    "non-referring": {"Non-referring markable identification scores:": "non-referring"},
    "bridging": {
        "Bridging anaphora recognition scores:": "bridging-anaphors",
        "Full bridging scores (Markable Level):": "bridging-markables",
        "Full bridging scores (Entity Level):": "bridging-entities",
    },
}
_RULE = 44 * "="
_FORMATS = {"ua": "universal-anaphora", "corefud": "corefud", "conll": "conll-2012"}
_SCHEMES = {"ua": "codi-crac-2022-ar", "corefud": "crac-2026", "conll": "default"}
_MATCHES = {official: name for name, official in MATCHES.items()}

_COREFUD = ("-f", "corefud")
_DEPENDENT = ("-z", "--zero-match-method", "dependent")
_OVERLAP = (*_CONLL, "mor", "zero")
_TASKS = {
    "conll12": ("-f", "conll", "-m", "conll"),
    "crac18": ("-s", "-m", *_CONLL, "non-referring"),
    "craft19": ("-s", "-a", "partial-craft", "-m", *_CONLL),
    "crac22": (*_COREFUD, "-s", "-z", "-a", "partial-corefud", "-m", *_OVERLAP),
    "codicrac22ar": ("-s", "-l", "-m", *_CONLL),
    "codicrac22br": ("-s", "-m", "bridging"),
    "codicrac22dd": ("-s", "-l", "-d", "-m", *_CONLL),
    "crac23": (*_COREFUD, "-z", "-a", "head", "-m", *_OVERLAP),
    "crac24": (*_COREFUD, *_DEPENDENT, "-a", "head", "-m", *_OVERLAP),
}
"""The options for which the name of a shared task stands."""


def main() -> NoReturn:
    """Run the command with the arguments of the process."""
    with running():
        code = run(sys.argv[1:])
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Score, print what the official script prints, and return an exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    warnings: list[str] = []
    if task := options.shared_task:
        files = [options.key, options.response]
        options = parser.parse_args([*files, *_TASKS[task]])
        if len(arguments) > len((*files, "-t", task)):
            warnings.append(f"-t {task} overrides the other options")
    try:
        request = _Request.of(options)
        scores = request.scores(warnings)
    except ScorefError as error:
        tell(f"error: {error}", err=True)
        return 1
    for warning in dict.fromkeys((*request.warnings, *warnings)):
        tell(f"{WARNING}{warning.removeprefix(WARNING)}", err=True)
    tell("\n".join(request.report(scores)))
    return 0


def records() -> list[tuple[str, str]]:
    """Return the arguments and options, each with its help."""
    return _parser().records()


def _parser() -> OfficialParser:
    parser = OfficialParser(
        prog="scoref-ua",
        description="Score anaphora like the Universal Anaphora scorer 2.0.",
    )
    add = parser.add_argument
    add("key", help="the file with the expected anaphora")
    add("response", help="the file with the output of a system")
    add("-f", "--format", choices=_FORMATS, default="ua", help="format of both files")
    add(
        "-m",
        "--metrics",
        nargs="*",
        choices=["all", "conll", *_ALL["ua"], "zero"],
        default=["conll"],
        help="metrics to compute, in this order",
    )
    add(
        "-a",
        "--match",
        choices=_MATCHES,
        default="exact",
        help="how mentions are matched",
    )
    flags = {
        ("-s", "--keep-singletons"): "also score entities with one mention",
        (
            "-l",
            "--keep-split-antecedents",
        ): "also score split antecedents, by their elements",
        ("-z", "--keep-zeros"): "also score zeros",
        ("-d", "--evaluate-discourse-deixis"): "score the column of discourse deixis",
        ("--only-split-antecedent",): "score only split antecedents",
        ("--np-only",): "leave out verb phrases (conll)",
        ("--remove-nested-mentions",): "leave out mentions within others (conll)",
    }
    for names, text in flags.items():
        add(*names, action="store_true", help=text)
    add(
        "--zero-match-method",
        choices=["linear", "dependent"],
        default="linear",
        help="match zeros by place, or by their dependencies",
    )
    add(
        "--allow-boundary-crossing",
        action="store_true",
        help="accepted for compatibility: closing brackets may have names",
    )
    add("-t", "--shared-task", choices=_TASKS, help="the options of a shared task")
    return parser


class _IncompatibleError(OptionError):
    """Options that cannot be combined, with a line for each problem."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(problems[0])
        self._problems = problems

    def lines(self) -> list[str]:
        """Return all problems."""
        return self._problems


class _Request(NamedTuple):
    """What is to be scored, according to the options."""

    options: argparse.Namespace
    metrics: tuple[str, ...]
    match: str
    keeps_singletons: bool
    keeps_plurals: bool
    only_plurals: bool
    warnings: tuple[str, ...]

    @classmethod
    def of(cls, options: argparse.Namespace) -> _Request:
        metrics, warnings = tuple(options.metrics), []
        if "all" in metrics:
            metrics = _ALL[options.format]
        elif "conll" in metrics:
            if others := [name for name in metrics if name not in {"conll", *_CONLL}]:
                message = "-m conll means muc, bcub and ceafe. Not computed: "
                warnings.append(message + ", ".join(others))
            metrics = _CONLL
        if problems := _incompatible(options, metrics):
            raise _IncompatibleError(problems)
        deixis = options.evaluate_discourse_deixis
        only_plurals = options.only_split_antecedent and not deixis
        is_forced = deixis or options.only_split_antecedent
        if is_forced and not (
            options.keep_singletons and options.keep_split_antecedents
        ):
            warnings.append("singletons and split antecedents are kept for this")
        if deixis and options.only_split_antecedent:
            warnings.append("discourse deixis is evaluated, not split antecedents only")
        return cls(
            options=options,
            metrics=metrics,
            match=_MATCHES[options.match],
            keeps_singletons=options.keep_singletons or is_forced,
            keeps_plurals=options.keep_split_antecedents or is_forced,
            only_plurals=only_plurals,
            warnings=tuple(warnings),
        )

    def scores(self, warnings: list[str]) -> dict[str, AnyScore]:
        """Score whatever is available; the official script prints 0 for the rest."""
        from scoref.scoring.evaluate import score_files  # loads NumPy
        from scoref.scoring.request import Request

        options = self.options
        wanted = Request(
            format=_FORMATS[options.format],
            scheme=_SCHEMES[options.format],
            changes=self._changes(),
        )
        files = options.key, [options.response]
        (result,) = score_files(*files, wanted)
        scores: dict[str, AnyScore] = dict(result.scores)
        warnings += doubts(result, self.metrics)
        if "mention" in self.metrics and "mentions" in scores:
            if self.match != "exact":
                # Mention detection always compares exact words.
                exact = {**wanted.changes, "match": "exact"}
                wanted = Request(wanted.format, wanted.scheme, changes=exact)
                (result,) = score_files(*files, wanted)
            scores["mention"] = result.scores["mentions"]
        return scores

    def _changes(self) -> Mapping[str, str | None]:
        options = self.options
        changes: dict[str, str | None] = {
            "match": self.match,
            "singletons": "keep" if self.keeps_singletons else "drop",
        }
        if options.format == "conll":
            return changes | {
                "match": "min" if self.match == "partial" else self.match,
                "duplicates": "last",
                "blanc": "corefud",
                "phrases": "np" if options.np_only else None,
                "nested": "drop" if options.remove_nested_mentions else None,
            }
        changes["zeros"] = options.zero_match_method if options.keep_zeros else "drop"
        if options.format == "ua":
            changes["split_antecedents"] = "keep" if self.keeps_plurals else "drop"
            changes["evaluate"] = "identity"
            if options.evaluate_discourse_deixis:
                changes["evaluate"] = "discourse-deixis"
            elif self.only_plurals:
                changes["evaluate"] = "split-antecedents"
        return changes

    def report(self, scores: Mapping[str, AnyScore]) -> list[str]:
        """Return the lines of the official script's report."""
        from scoref.metrics.base import Score  # loads NumPy

        nothing = Score(0.0, 0.0, 0.0)
        lines = header(self._what(), self.match, self.metrics)
        for name in self.metrics:
            if name in _BLOCKS:
                lines.append(_RULE)
                for title, metric in _BLOCKS[name].items():
                    lines += [title, figures(scores.get(metric, nothing))]
            else:
                lines += [name, figures(scores.get(name, nothing))]
        return lines + average(scores, self.metrics)

    def _what(self) -> str:
        """Say what is evaluated, with the official script's commas."""
        options, metrics = self.options, self.metrics
        if options.evaluate_discourse_deixis:
            return "discourse deixis"
        if self.only_plurals:
            return "only split-antecedents"
        others = "non-referring mentions" if "non-referring" in metrics else ""
        if not _COREFERENCE.intersection(metrics):
            bridging = "bridging relations" if others else ", bridging relations"
            return others + (bridging if "bridging" in metrics else "")
        parts = {
            "coreferential mentions": True,
            "singletons": self.keeps_singletons,
            "split-antecedents": self.keeps_plurals,
            f"zeros (using {options.zero_match_method} match method)": (
                options.keep_zeros
            ),
            "non-referring mentions": "non-referring" in metrics,
            "bridging relations": "bridging" in metrics,
            "keep only np mentions": options.np_only,
            "excluding nested mentions": options.remove_nested_mentions,
        }
        return ", ".join(part for part, is_there in parts.items() if is_there)


def _incompatible(options: argparse.Namespace, metrics: tuple[str, ...]) -> list[str]:
    """Return problems with options that the format does not have."""
    only = {
        "ua": {
            "--keep-split-antecedents": options.keep_split_antecedents,
            "--only-split-antecedent": options.only_split_antecedent,
            "--evaluate-discourse-deixis": options.evaluate_discourse_deixis,
            "--allow-boundary-crossing": options.allow_boundary_crossing,
            "--match partial-craft": options.match == "partial-craft",
            "metric non-referring": "non-referring" in metrics,
            "metric bridging": "bridging" in metrics,
        },
        "corefud": {
            "metric zero": "zero" in metrics,
            "--match head": options.match == "head",
            "--zero-match-method dependent": options.keep_zeros
            and options.zero_match_method == "dependent",
        },
        "conll": {
            "--np-only": options.np_only,
            "--remove-nested-mentions": options.remove_nested_mentions,
        },
    }
    problems = [
        f"{option} is for the format {name} only"
        for name, options_of_format in only.items()
        for option, is_there in options_of_format.items()
        if is_there and name != options.format
    ]
    if options.format == "conll" and "mor" in metrics:
        problems.append("metric mor is not for the format conll")
    if options.format == "corefud" and "mention" in metrics:
        problems.append("metric mention is not for the format corefud; mor is")
    return problems
