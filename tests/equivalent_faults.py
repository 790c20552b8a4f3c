"""Faults that cannot change any output, with the reason. See `mutants.py`."""

from __future__ import annotations

EQUIVALENT: dict[tuple[str, str], dict[str, str]] = {
    # (file, line of source): {change, as in the report: reason}
    ("formats/brackets.py", "longest = int(length.max(initial=0))"): dict.fromkeys(
        ("0 -> (1)", "0 -> (-1)", "length.max(initial=0) -> (length.min(initial=0))"),
        "labels that share a hash are compared as a whole, and a dictionary decides",
    ),
    (
        "formats/stanza.py",
        '_KINDS = {b"unit": (0, SINGLE), b"end": (1, CLOSING), b"start": (2, OPENING)}',
    ): dict.fromkeys(
        ("0 -> (1)", "0 -> (-1)", "1 -> (0)", "2 -> (3)"),
        "starts come last; units may come before or after ends",
    ),
    (
        "matching/labels.py",
        "least, most = np.full_like(self.size, 2), np.full_like(self.size, -1)",
    ): dict.fromkeys(
        ("2 -> (3)", "2 -> (1)", "1 -> (2)", "1 -> (0)"),
        "different numbers from 2 on are fewer than the highest, so never dense",
    ),
    (
        "matching/retokenised.py",
        "return len(self.origin) > 0 and len(self.origin) != self.origin[-1] + 1",
    ): {
        "0 -> (1)": "a single word is not cut",
        "1 -> (0)": "a text that is not cut is then copied",
    },
    (
        "metrics/information.py",
        "mode = np.clip(np.floor((a + 1) * (b + 1) / (total + 2)), least, most)",
    ): dict.fromkeys(
        (
            *("1 -> (2)", "1 -> (0)", "2 -> (3)", "2 -> (1)"),
            *("a + 1 -> (a - 1)", "b + 1 -> (b - 1)", "total + 2 -> (total - 2)"),
        ),
        "the sum starts at a number next to the most likely one",
    )
    | {
        "np.clip(np.floor((a + 1) * (b + 1) / (total + 2)), least, most) -> "
        "(np.clip(least, np.floor((a + 1) * (b + 1) / (total + 2)), most))": (
            "the middle one of three numbers"
        ),
    },
    (
        "metrics/information.py",
        "least, most = np.maximum(0, a + b - total), np.minimum(a, b)",
    ): {
        "0 -> (-1)": "the most likely number is not below 0",
        "0 -> (1)": "the sum starts at a number next to the most likely one",
        "np.minimum(a, b) -> (np.maximum(a, b))": (
            "rounding does not lift the most likely number above both"
        ),
    },
    ("matching/cut_texts.py", "pairs.append((partners[0], rows[0]))"): {
        "0 -> (-1)": "there is one of each",
    },
    ("metrics/ceaf.py", "most = max(most, int(table.overlap.max(initial=1)))"): {
        "1 -> (2)": "small numbers do not limit the shift",
        "1 -> (0)": "the number of entities is 1 or more",
    },
    (
        "metrics/ceaf.py",
        "most = max(len(table.key_size), len(table.response_size), 1)",
    ): dict.fromkeys(("1 -> (2)", "1 -> (0)"), "small numbers do not limit the shift"),
    ("matching/words.py", "width = np.int64(int(side.mention.max(initial=0)) + 1)"): {
        "0 -> (1)": "a code that is wider has the same duplicates",
        "1 -> (2)": "a code that is wider has the same duplicates",
        "0 -> (-1)": "without mentions, there are no duplicates",
    },
    (
        "matching/words.py",
        "inside = ~is_first_of(side.entity * width + side.mention)",
    ): {
        "side.entity * width + side.mention -> (side.entity * width - side.mention)": (
            "mentions are fewer than the width, so codes are as different"
        ),
    },
    (
        "matching/minimum_spans.py",
        "unit, count = numbered(text * (int(place.max(initial=0)) + 1) + place)",
    ): {
        "text * (int(place.max(initial=0)) + 1) + place -> "
        "(text * (int(place.max(initial=0)) + 1) - place)": (
            "places are fewer than the width, so codes are as different"
        ),
    },
    (
        "matching/minimum_spans.py",
        "place + row - sentence_starts(parses)[parses.sentence[row]],",
    ): {
        "place + row - sentence_starts(parses)[parses.sentence[row]] -> "
        "(place + row + sentence_starts(parses)[parses.sentence[row]])": (
            "places are compared within a sentence only"
        ),
    },
    (
        "records/duckdb_inputs.py",
        "return Header(*self._reading.text_columns(str(rows[0][0]), files.format))",
    ): {"0 -> (-1)": "the query returns one row of one column"},
    (
        "tools/errors/details.py",
        "most = 100 * float(np.abs(self.gain).max(initial=0))",
    ): {
        "0 -> (-1)": "without an error, nothing has a gain",
    },
    (
        "adapters/datasets.py",
        "code, width = code * np.int64(values) + part, width * values",
    ): {
        "code * np.int64(values) + part -> (code * np.int64(values) - part)": (
            "parts are fewer than the values, so codes are as different"
        ),
    },
    ("formats/stanza.py", 'self.types: dict[bytes, int] = {b"": 0}'): dict.fromkeys(
        ("0 -> (1)", "0 -> (-1)"), "chains have no types"
    ),
    ("terminal/options.py", "following = arguments[place + 1 : place + 2]"): {
        "2 -> (3)": "only the first one is read",
        "arguments[place + 1 : place + 2] -> (arguments[place + 1:])": (
            "only the first one is read"
        ),
    },
    (
        "tools/report/notebook.py",
        "for row in rows[first : bisect_right(starts, mark.end)]:",
    ): {
        "rows[first : bisect_right(starts, mark.end)] -> "
        "(rows[:bisect_right(starts, mark.end)])": (
            "rows without a part of the mention get no mark; it only saves time"
        ),
        "rows[first : bisect_right(starts, mark.end)] -> (rows[first:])": (
            "rows without a part of the mention get no mark; it only saves time"
        ),
    },
    (
        "records/slices.py",
        "value = np.where(side.cell >= 0, shared, 0.0) / size[side.entity]",
    ): {
        "0 -> (-1)": "without a cell, nothing is shared either",
    },
    ("tools/convert/merging.py", "entity = np.where(is_here, key_entity, -1)"): {
        "1 -> (2)": "entities below 0 are left out",
    },
    ("records/text_files.py", 'endings.add(b"\\r" in chunk)'): {
        "b\"\\r\" in chunk -> (b'\\r' not in chunk)": (
            "files that are not read by the engine are read more slowly, and alike"
        ),
    },
    ("records/text_files.py", "starts = np.append(0, ends[:-1] + 1)"): {
        "ends[:-1] + 1 -> (ends[:-1] - 1)": (
            "both ways to read a file read lines that begin with a blank alike"
        ),
    },
    ("terminal/help.py", "super().format_epilog(ctx, formatter)"): {
        "super().format_epilog(ctx, formatter) -> "
        "(super().format_epilog(formatter, ctx))": "no command has an epilog",
        "super().format_epilog(ctx, formatter) -> pass": "no command has an epilog",
    },
    ("scoring/windows.py", "is_there = (row >= 0) & (begin < end)"): {
        "begin < end -> (begin <= end)": (
            "a window without words is at the end of its document"
        ),
    },
    ("metrics/clusterings.py", "denominators=(1,),"): {
        "1 -> (0)": "the numerator of purity is 0 only if the denominator is",
    },
    (
        "matching/overlap.py",
        "for place in sorted(range(len(pairs)), key=lambda place: pairs[place][:2]):",
    ): {
        "pairs[place][:2] -> (pairs[place][:])": "two mentions are a pair only once",
    },
    (
        "tools/errors/rendering.py",
        "name = leading_metric(analyses[0].error_gains.metrics)",
    ): {
        "0 -> (-1)": "all systems have the same metrics",
    },
    (
        "formats/corefud_brackets.py",
        "of_row = np.full(len(block.lines), -1, dtype=np.int64)",
    ): {
        "1 -> (2)": "only the sign is read",
    },
    (
        "tools/published/tables.py",
        "name: round(figure / 100, table.decimals_of(name) + 2)",
    ): {
        "2 -> (3)": "the figure has no more decimals",
    },
    ("formats/trees.py", "if len(tops) > 1:"): {
        "len(tops) > 1 -> (len(tops) >= 1)": "a word alone is its own head",
    },
    ("dropins/reference_scorer.py", "nothing = np.zeros((1, counts.shape[1]))"): {
        "1 -> (2)": "one more row of zeros is added",
    },
    (
        "adapters/datasets.py",
        "pieces.append(_flatten(chunk, column, names[row : row + len(chunk)]))",
    ): {
        "names[row : row + len(chunk)] -> (names[row:])": (
            "names are found by their place from the first of the chunk"
        ),
    },
    ("tools/check/check.py", "if views and views[0].format == COREFUD:"): {
        "0 -> (-1)": "all views of a file have its format",
    },
    (
        "tools/convert/content.py",
        "first=np.append(_shifted([t.first[:-1] for t in texts], token), token[-1]),",
    ): {
        "_shifted([t.first[:-1] for t in texts], token) -> "
        "(_shifted(token, [t.first[:-1] for t in texts]))": (
            "both are added, one by one"
        ),
    },
    ("tools/convert/command.py", "sources if is_merged else sources[0],"): {
        "0 -> (-1)": "there is only one",
    },
    (
        "scoring/evaluate.py",
        "several = {path for group in groups if len(group) > 1 for path in group}",
    ): {
        "1 -> (0)": "files that are not pooled are kept in memory, and not read",
    },
    (
        "scoring/windows.py",
        "return np.where(text.length < 0, unknown, np.maximum(text.length, last))",
    ): {
        "text.length < 0 -> (text.length <= 0)": (
            "a document without words has no mentions"
        ),
    },
    (
        "tools/report/page/summary.py",
        "beaten = [row.second for row in real if row.first == system and row.difference > 0]",
    ): {
        "row.difference > 0 -> (row.difference >= 0)": (
            "no difference is not significant"
        ),
    },
    ("contingency/partition.py", "np.minimum.at(label, label[other], lowest)"): {
        "np.minimum.at(label, label[other], lowest) -> pass": "it only saves rounds",
    },
    ("contingency/partition.py", "np.minimum.at(label, label[one], lowest)"): {
        "np.minimum.at(label, label[one], lowest) -> pass": "it only saves rounds",
    },
    (
        "formats/base_text.py",
        'code = np.full(data.count(b"\\n") + 2, -1, dtype=np.int64)',
    ): {
        "2 -> (3)": "nobody reads the last place",
        "1 -> (2)": "only the sign of these codes is read",
    },
    ("formats/conllu.py", "_BLOCK = 1 << 20"): dict.fromkeys(
        ("1 -> (2)", "20 -> (19)", "20 -> (21)"),
        "blocks of another size have the same rows",
    ),
    ("formats/json_spans.py", "places = zip(self.start, self.end, strict=True)"): {
        "zip(self.start, self.end, strict=True) -> "
        "(zip(self.end, self.start, strict=True))": (
            "equal texts are then compared one by one"
        ),
    },
    ("matching/same_text.py", "if ours.first_difference(theirs) < 0:"): {
        "0 -> (-1)": "texts that do not differ have no notes; this saves a comparison",
    },
    (
        "alignment/words.py",
        "for longer in range(int((self.last - self.first)[there].max(initial=0)) + 1):",
    ): {
        "0 -> (1)": "the additional round has no rows",
    },
    ("alignment/overlay.py", "return len(key) - _SEQUENCE + 1"): {
        "len(key) - _SEQUENCE -> (len(key) + _SEQUENCE)": (
            "the limit is 24 for each character that may be missing"
        ),
    },
    ("tools/agree/alpha.py", "is_there = (n > 0).astype(np.float64)"): {
        "0 -> (1)": "a document has no values, or at least two",
    },
    ("tools/agree/alpha.py", "alpha[np.abs(expected) <= 0] = 1.0"): {
        "np.abs(expected) <= 0 -> (np.abs(expected) < 0)": (
            "0/0 is 0 here, and 1 - 0 is 1"
        ),
    },
    ("metrics/pairwise.py", "place=130,"): {
        "130 -> (129)": "the order of the places is the same",
    },
    (
        "tools/check/mentions.py",
        'if size.max(initial=0) == 1 and view.way.layer == "identity":',
    ): {
        "0 -> (-1)": "without entities, the largest size is not 1 either",
    },
    ("metrics/rand.py", "start=600,"): {
        "600 -> (601)": "the order of the places is the same",
    },
    (
        "statistics/bootstrap.py",
        "first = next(iter(systems.values())).runs[0]",
    ): {
        "0 -> (-1)": "all runs have the same documents",
    },
    (
        "tools/report/documents.py",
        "len(system.side.mentions_in(system.numbers.get(name, -1)))",
    ): {
        "1 -> (2)": "the numbers of documents are not negative",
    },
    ("formats/reading.py", "_KEPT = 1_000_000"): {
        "1_000_000 -> (1000001)": "files that are not kept are read again, and alike",
    },
    ("metrics/base.py", "place: int = 0"): {
        "0 -> (-1)": "only scoref's own metrics are sorted, and all have a place",
    },
    ("contingency/partition.py", "np.minimum.at(label, one, lowest)"): {
        "np.minimum.at(label, one, lowest) -> pass": "it only saves rounds",
    },
    ("contingency/partition.py", "np.minimum.at(label, other, lowest)"): {
        "np.minimum.at(label, other, lowest) -> pass": "it only saves rounds",
    },
    (
        "model/text.py",
        "first = np.flatnonzero(np.frombuffer(data, dtype=np.int8) >= _FIRST_BYTE)",
    ): {
        "np.frombuffer(data, dtype=np.int8) >= _FIRST_BYTE -> "
        "(np.frombuffer(data, dtype=np.int8) > _FIRST_BYTE)": (
            "no character of UTF-8 begins with the byte C0"
        ),
    },
    (
        "matching/labels.py",
        "before = np.concatenate(([-1], np.maximum.accumulate(highest)[:-1]))",
    ): {
        "1 -> (2)": "only the sign of the first one is read",
    },
    (
        "tools/stats/census.py",
        "nested, before, reach, outer = [], (-1, -1, -1), -1, -1",
    ): dict.fromkeys(
        ("1 -> (2)", "1 -> (0)"), "the first span, which has no place below 0, sets all"
    ),
    (
        "tools/llm/listed_mentions.py",
        "for offset in range(len(longer) - len(words) + 1)",
    ): {
        "1 -> (2)": "the last words are fewer, so they are not the same",
    },
    ("render/plots.py", "row = figure.axes[0].axhspan("): {
        'figure.axes[0].axhspan( number - 0.5, number + 0.5, facecolor="none", '
        'edgecolor="none", zorder=9 ) -> (figure.axes[0].axhspan(number + 0.5, '
        "number - 0.5, facecolor='none', edgecolor='none', zorder=9))": "the same area",
    },
    (
        "scoring/mention_classes.py",
        "place: Ints = (first & ((1 << SENTENCE_BITS) - 1)) >> WORD_BITS",
    ): dict.fromkeys(
        ("1 -> (0)", "1 -> (2)"), "only places in the same document are compared"
    ),
    ("tools/check/crac/sentences.py", "if self.lines[-1]:"): {
        "1 -> (0)": "each row is then checked on its own",
    },
    (
        "contingency/tabulation.py",
        "np.int64(max(1, len(side.mentions.length))) for side in (ours, theirs)",
    ): dict.fromkeys(
        ("1 -> (0)", "1 -> (2)"), "without elements, there are no cells to number"
    ),
    (
        "tools/convert/conversion.py",
        "if not np.array_equal(getattr(ours, column), getattr(theirs, column)):",
    ): {
        "np.array_equal(getattr(ours, column), getattr(theirs, column)) -> "
        "(np.array_equal(getattr(theirs, column), getattr(ours, column)))": (
            "both are equal to each other, or not"
        ),
    },
    ("scoring/windows.py", "shift: Ints = starts(length) - np.minimum(low, high)"): {
        "starts(length) - np.minimum(low, high) -> "
        "(starts(length) + np.minimum(low, high))": (
            "windows are in the order of the text, so their numbers stay different"
        ),
    },
    (
        "formats/corefud.py",
        "plurals, elements = np.array(list(pairs), dtype=np.int64).reshape(-1, 2).T",
    ): {
        "1 -> (2)": "for NumPy, any negative number is what remains",
    },
    ("fingerprint.py", "best = max(map(_nearness, near), default=(0, 0))"): {
        "0 -> (-1)": "without near keys, none is returned",
    },
    (
        "formats/ua_text.py",
        "return cls(nothing, Texts(np.zeros(0, dtype=np.uint8), nothing))",
    ): {
        "Texts(np.zeros(0, dtype=np.uint8), nothing) -> "
        "(Texts(nothing, np.zeros(0, dtype=np.uint8)))": "both are empty",
    },
    (
        "tools/agree/adjudication.py",
        'elif decision == "merge" and other is not None:',
    ): {
        'decision == "merge" and other is not None -> '
        "(decision == 'merge' or other is not None)": (
            "decisions to merge have another mention, and no others have one"
        ),
    },
    (
        "matching/retokenised.py",
        "np.array_equal(texts[0].borders(row), texts[1].borders(other))",
    ): {
        "np.array_equal(texts[0].borders(row), texts[1].borders(other)) -> "
        "(np.array_equal(texts[1].borders(other), texts[0].borders(row)))": (
            "both are equal to each other, or not"
        ),
    },
    (
        "classes.py",
        "return property(lambda row: tuple.__getitem__(row, index), doc=doc)",
    ): {
        "tuple.__getitem__(row, index) -> (tuple.__getitem__(index, row))": (
            "only Pythons other than CPython run it"
        ),
    },
    ("scoring/datasets.py", "if workers <= 1:"): {
        "workers <= 1 -> (workers < 1)": (
            "a dataset has the same scores in a process of its own"
        ),
    },
    ("tools/check/crac/sentences.py", 'if "-" in name:'): {
        "\"-\" in name -> ('-' not in name)": (
            "rows of sentences with multiword tokens are then checked one by one"
        ),
    },
    ("matching/ragged.py", "values = values + _OTHER"): {
        "values + _OTHER -> (values - _OTHER)": "another number that is as random",
    },
    (
        "model/arrays.py",
        "np.not_equal(columns[0][1:], columns[0][:-1], out=new[1:])",
    ): {
        "np.not_equal(columns[0][1:], columns[0][:-1], out=new[1:]) -> "
        "(np.not_equal(columns[0][:-1], columns[0][1:], out=new[1:]))": (
            "both differ from each other, or not"
        ),
    },
    ("matching/labels.py", "highest = np.full(count, -1, dtype=np.int64)"): {
        "1 -> (2)": "only the sign is read where there are no numbers",
    },
    (
        "tools/check/crac/sentences.py",
        "if len(cells) != count * width - 1 or cells[width - 1 :: width] != (",
    ): {
        "1 -> (0)": "each row is then checked on its own",
    },
    (
        "formats/word_column.py",
        "cell = first + np.where(count >= _FEWEST, _WORD, np.maximum(count - 2, 0))",
    ): {
        "count >= _FEWEST -> (count > _FEWEST)": (
            "in a row of five columns, the word is the last but one"
        ),
    },
    ("adapters/datasets.py", "arrow_type = chunks[0].type"): {
        "0 -> (-1)": "all chunks of a column have its type",
    },
}
