"""Keys: what they are is known before they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref import formats

if TYPE_CHECKING:
    import os

    from scoref.model import Corpus
    from scoref.scheme import Layer, Scheme


class OpenedKey(NamedTuple):
    """A key of which nothing is known yet but its format."""

    path: str | os.PathLike[str]
    data: bytes | formats.Folder
    format: str
    asked_format: str | None

    @classmethod
    def of(
        cls,
        path: str | os.PathLike[str],
        asked_format: str | None,
        folder: str | None = None,
    ) -> OpenedKey:
        """Read its bytes, and see what they are."""
        data = formats.read_input(path, folder)
        return cls(path, data, asked_format or formats.detect(data), asked_format)

    @property
    def is_folder(self) -> bool:
        """Tell whether its files were read as documents, and could be datasets."""
        return isinstance(self.data, formats.Folder) and self.data.is_plain

    def read(
        self,
        scheme: Scheme,
        layer: Layer,
        *,
        with_tokens: bool,
        with_genres: bool,
    ) -> Corpus:
        """Read all that is wanted of it."""
        return formats.read_data(
            self.data,
            again=formats.reading_again(self.path),
            source=formats.name_of(self.path),
            role="key",
            format=self.asked_format,
            reading=scheme.reading,
            layer=layer,
            with_tokens=with_tokens,
            with_genres=with_genres,
            narrowed=formats.Narrowed.by(scheme),
        )
