"""The commands `scoref help`, `scoref version` and `scoref completion`."""

from __future__ import annotations

import click
from click.shell_completion import (
    BashComplete,
    add_completion_class,
    get_completion_class,
)

from scoref.cli import COMMANDS, UNLISTED, load
from scoref.cli import command as scoref
from scoref.errors import unknown
from scoref.terminal.help import VERSION, Command, help_width, one_of
from scoref.terminal.printing import tell


@click.command(
    cls=Command,
    examples={
        "scoref help compare": "Show help for `scoref compare`.",
    },
)
@click.argument(
    "name",
    metavar="[COMMAND]",
    required=False,
    shell_complete=one_of("scoref.cli", "COMMANDS"),
)
def help_command(name: str | None) -> None:
    """Show help for a COMMAND; without one, list the commands."""
    if name is not None and name not in (*COMMANDS, *UNLISTED):
        raise click.UsageError(str(unknown("command", name, COMMANDS)))
    asked = scoref if name is None else load(name)
    called = "scoref" if name is None else f"scoref {name}"
    with click.Context(
        asked,
        info_name=called,
        terminal_width=help_width(),
        **asked.context_settings,
    ) as context:
        tell(asked.get_help(context))


@click.command(cls=Command, examples={"scoref version": "Show the version."})
def version_command() -> None:
    """Show the version, as `scoref --version` does."""
    tell(VERSION)


SHELLS = {
    "bash": 'put this line into ~/.bashrc:  eval "$(scoref completion bash)"',
    "zsh": "put this line into ~/.zshrc, below compinit:  "
    'eval "$(scoref completion zsh)"',
    "fish": "scoref completion fish > ~/.config/fish/completions/scoref.fish",
}
"""Shells, and how to keep the script."""

_BASH = """\
%(complete_func)s() {
    local - IFS=$'\\n' word=${COMP_WORDS[COMP_CWORD]} line files=
    set -o noglob
    COMPREPLY=()
    for line in $(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD \\
        %(complete_var)s=bash_complete "$1"); do
        case $line in
            plain,*) COMPREPLY+=("${line#plain,}") ;;
            *) files=yes ;;
        esac
    done
    if [[ $files && ${#COMPREPLY[@]} -gt 0 ]]; then
        compopt -o filenames
        COMPREPLY+=($(compgen -f -- "$word"))
    elif [[ $files ]]; then
        compopt -o default
    fi
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class _Bash(BashComplete):
    """Completes files and commands where either may follow."""

    source_template = _BASH

    def get_completion_args(self) -> tuple[list[str], str]:
        """Leave out the equals signs, which are words to bash."""
        words, incomplete = super().get_completion_args()
        return [word for word in words if word != "="], incomplete


def prepare() -> None:
    """Prepare to answer a shell."""
    add_completion_class(_Bash)


@click.command(
    cls=Command,
    examples={
        'eval "$(scoref completion bash)"': "Turn completion on in this bash session.",
    },
)
@click.argument("shell", type=click.Choice(list(SHELLS)))
def completion_command(shell: str) -> None:
    """Print a script that lets a SHELL complete commands, options and files."""
    from scoref.cli import COMPLETE  # it may load this module
    from scoref.cli import command as scoref

    prepare()
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(scoref, {}, "scoref", COMPLETE).source()
    # At the end, because a file for zsh starts with `#compdef`.
    tell(f"{script}# To keep it: {SHELLS[shell]}")
