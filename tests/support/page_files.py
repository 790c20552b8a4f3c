"""The files that commands on pages name: examples under the names of the pages."""

from __future__ import annotations

import json
import shutil
import sys
import zipfile
from typing import TYPE_CHECKING

from support.json_documents import LISTED, RECORDS, UCDCR
from support.paths import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

COPIES = {
    "many-key.conll": "KEY key.conll GOLD_DIR/one.conll GOLD_DIR/two.conll compare",
    "many-a.conll": "RESPONSE A response.conll a.conll "
    "SYSTEM_DIR/one.conll SYSTEM_DIR/two.conll",
    "many-b.conll": "B b.conll new.conll",
    "many-c.conll": "C c.conll",
    "corefud-key.conllu": "key.conllu",
    "corefud-response.conllu": "response.conllu",
    "ua-key.ua": "key.ua",
    "ua-response.ua": "response.ua",
    "curve-key.csv": "gold.csv predicted.csv",
    "curve-pairs.csv": "pairs.csv",
    "estimate-sample.csv": "labelled.csv",
    "estimate-predicted.csv": "all.csv",
}

_PARQUET = (
    """python -c "import duckdb; duckdb.sql('FROM \\"{}\\"').write_parquet('{}')" """
)
_GENRES = """python -c "
import pathlib, re, sys
text = pathlib.Path(sys.argv[1]).read_text()
for document in re.findall('#begin.*?#end document\\n', text, re.DOTALL):
    genre = re.search('[(]([a-z]+)/', document)[1]
    path = pathlib.Path(sys.argv[2], genre + '.conll')
    path.parent.mkdir(exist_ok=True)
    with path.open('a') as file:
        file.write(document)
" {} {}"""
_WORDS = ["Mia", "slept", ".", "She", "dreamt", "."]
_CLUSTERS = [[[0, 0], [3, 3]]]
_LINES = {"doc_key": "d", "sentences": [_WORDS[:3], _WORDS[3:]], "clusters": _CLUSTERS}
_CONLL = (
    "#begin document (d); part 000\nMia\t(0)\nslept\t-\n.\t-\n\n"
    "She\t(0)\ndreamt\t-\n.\t-\n#end document\n"
)
_TABLE = "document\tstart\tend\tentity\nd\t0\t0\te\nd\t3\t3\te\n"
_STANZA = "\n".join(
    f"1\t{who}\t_\tX\t_\t_\t2\tdep\t_\tcoref_chains=unit-id0\n"
    f"2\t{does}\t_\tX\t_\t_\t0\troot\t_\t_\n"
    "3\t.\t_\tX\t_\t_\t2\tdep\t_\t_\n"
    for who, does in [("Mia", "slept"), ("She", "dreamt")]
)
_CORENLP = {
    "docId": "d",
    "sentences": [
        {"tokens": [{"word": word} for word in words]} for words in _LINES["sentences"]
    ],
    "corefs": {
        "1": [
            {"text": text, "sentNum": number, "startIndex": 1, "endIndex": 2}
            for number, text in [(1, "Mia"), (2, "She")]
        ]
    },
}
_SPANS = [{"start": 0, "end": 3}, {"start": 11, "end": 14}]
_ENTITIES = (
    "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"
    "12\t0\t0\tPROP\tPER\tMia\n12\t3\t3\tPRON\tPER\tShe\n"
)
_TOKENS = "paragraph_ID\tsentence_ID\ttoken_ID_within_document\tword\n" + "".join(
    f"0\t{number // 3}\t{number}\t{word}\n" for number, word in enumerate(_WORDS)
)
_ANN = "T1\tMention 0 3\tMia\nT2\tMention 12 15\tShe\n*\tCoreference T1 T2\n"
_TXT = "Mia slept .\nShe dreamt .\n"

_REGIONS = [
    {"id": text, "type": "labels", "to_name": "text", "value": {**span, "text": text}}
    for text, span in zip(["Mia", "She"], _SPANS, strict=True)
]
_RELATION = {"type": "relation", "from_id": "She", "to_id": "Mia", "labels": ["coref"]}
_ANNOTATED = {
    "data": {"text": "Mia slept. She dreamt."},
    "annotations": [{"result": [*_REGIONS, _RELATION]}],
}
_WEBANNO = (
    "#FORMAT=WebAnno TSV 3.3\n#T_CH=CoreferenceLink|referenceType|referenceRelation\n"
    "\n\n#Text=Mia slept\n1-1\t0-3\tMia\tCM[1]\tcoref->1-1\t\n1-2\t4-9\tslept\t_\t_\t\n"
)

_TEI = (
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><p><rs ref="#mia">Mia</rs> '
    'slept. <rs ref="#mia">She</rs> dreamt.</p></body></text></TEI>\n'
)

SYSTEMS: dict[str, object] = {
    "key.conll": _CONLL,
    "response.conll": _CONLL,
    "litbank/coref/conll/d.conll": _CONLL,
    "my-conll-folder/d.conll": _CONLL,
    "keys/d.conll": _CONLL,
    "responses/d.conll": _CONLL,
    "key.jsonl": _LINES,
    "response.jsonl": _LINES,
    "predictions.jsonl": {**_LINES, "predicted_clusters": _CLUSTERS},
    "fastcoref.jsonl": {
        "text": "Mia slept. She dreamt.",
        "clusters": [[[0, 3], [11, 14]]],
        "clusters_strings": [["Mia", "She"]],
    },
    "allennlp.jsonl": {"document": _WORDS, "clusters": _CLUSTERS},
    "maverick.json": {"tokens": _WORDS, "clusters_token_offsets": _CLUSTERS},
    "spacy.jsonl": {
        "text": "Mia slept. She dreamt.",
        "tokens": [
            {"id": number, "start": start, "end": end}
            for number, (start, end) in enumerate(
                [(0, 3), (4, 9), (9, 10), (11, 14), (15, 21), (21, 22)]
            )
        ],
        "spans": {"coref_clusters_1": _SPANS},
    },
    "corenlp/d.txt.json": _CORENLP,
    "scorch-key.json": {"name": "d", "type": "clusters", "clusters": {"a": [1, 2]}},
    "scorch-response.json": {
        "name": "d",
        "type": "clusters",
        "clusters": {"b": [1, 2]},
    },
    "booknlp-output/d.entities": _ENTITIES,
    "booknlp-output/d.tokens": _TOKENS,
    "stanza.conllu": _STANZA,
    "doccano/all.jsonl": RECORDS["doccano"],
    "prodigy.jsonl": RECORDS["prodigy"],
    "coref-data.jsonl": RECORDS["coref-data"],
    "ontonotes.jsonl": RECORDS["conll2012-ontonotesv5"],
    "DocRED/dev.json": [RECORDS["docred"]],
    "DWIE/annos_with_content/d.json": RECORDS["dwie"],
    "DWIE/test.json": RECORDS["dwie"],
    "Event_gold_mentions.json": [LISTED],
    "Event_pred_mentions.json": [LISTED],
    "event_mentions.json": [UCDCR],
    "event_response.json": [UCDCR],
    "novel.xml": _TEI,
    "key.tsv": _TABLE,
    "response.tsv": _TABLE,
    "key.json": [_ANNOTATED],
    "response.json": [_ANNOTATED],
    "export.json": [{**_ANNOTATED, "predictions": _ANNOTATED["annotations"]}],
    **{
        f"{folder}/d.{ending}": text
        for folder in ("key", "response", "litbank/coref/brat", "my-brat-folder")
        for ending, text in [("ann", _ANN), ("txt", _TXT)]
    },
}
WITH_SYSTEMS = {
    "docs/index.md",
    "docs/formats/annotation-tools.md",
    "docs/formats/corpora.md",
    "docs/formats/folders.md",
    "docs/formats/json-lines.md",
    "docs/formats/label-studio.md",
    "docs/formats/systems.md",
}

SETUP = {
    "README.md": [
        (
            r"printf '#begin document (d); part 000\nAda\t1)|(2)\n#end document\n' "
            "> broken.conll"
        ),
    ],
    "docs/formats/brat.md": [
        "scoref convert examples/key.conll brat/",
        "mkdir response; cp brat/news/0001_0.ann response/one.ann",
        "cp brat/news/0001_0.txt response/one.txt; cp -r response key",
        "rm key.conll; scoref convert key/ key.conll",
    ],
    "docs/formats/conll-2012.md": [
        "sed 's/Lovelace\\t0)/Lovelace\\t0)|2)/' examples/key.conll > bad.conll",
    ],
    "docs/formats/corefud.md": [
        "sed 's/\\tEva\\t/\\tAna\\t/' examples/corefud-key.conllu > other.conllu",
        "sed 's/-object-2-/-object-one-/' examples/corefud-key.conllu > bad.conllu",
    ],
    "docs/formats/json-lines.md": [
        "sed 's/3, 3/0, 9/' key.jsonl > beyond.jsonl",
        """echo '{"doc_key": "d", "clusters": [[[0, 1, 2]]]}' > triples.jsonl""",
    ],
    "docs/formats/mention-table.md": [
        "scoref convert examples/key.conll key.tsv --lossy",
        "scoref convert examples/response.conll response.tsv --lossy",
        r"printf 'run1\tM1\tMia\tone:0-2\tNIL1\tPER\tNAM\t1.0\n' > tac-key.tab",
        "cp tac-key.tab tac-response.tab",
    ],
    "docs/formats/universal-anaphora.md": [
        "sed 's/Min=4|/Min=99|/' examples/ua-key.ua > bad.ua",
    ],
    "docs/formats/webanno.md": [
        f"mkdir key response; printf '{_WEBANNO}' > key/one.tsv",
        "cp key/one.tsv response/one.tsv",
    ],
    "docs/compare.md": [
        _GENRES.format(f"examples/many-{name}.conll", folder)
        for name, folder in {"key": "gold", "a": "a", "b": "b"}.items()
    ],
    "docs/convert.md": [
        "cp examples/agree-ada.conll ada.conll; cp examples/agree-ben.conll ben.conll",
        "cp examples/agree-eva.conll eva.conll",
        "scoref convert examples/corefud-response.conllu response.jsonl --lossy",
        "scoref convert examples/key.conll mentions.csv --lossy",
    ],
    "docs/documents.md": [
        r"printf 'run1-doc-a\tnews/a\nrun1-doc-b\tnews/b\n' > names.tsv",
        *(
            f"""printf '{{"doc_key": "{a}", "clusters": []}}\\n"""
            f"""{{"doc_key": "{b}", "clusters": []}}\\n' > {file}.jsonl"""
            for file, a, b in [
                ("key", "news/a", "news/b"),
                ("response", "run1-doc-a", "run1-doc-b"),
            ]
        ),
    ],
    "docs/formats/folders.md": [
        "mkdir systems",
        *(
            _GENRES.format(f"examples/many-{name}.conll", folder)
            for name, folder in {
                "key": "gold",
                "a": "systems/ours",
                "b": "systems/theirs",
            }.items()
        ),
        "for name in gold systems; do python -m zipfile -c $name.zip $name; done",
        "bzip2 -k response.conll",
    ],
    "docs/leaderboard.md": [
        "mkdir -p input/ref input/res keys",
        "cp key.conllu input/ref/one.conllu; cp key.conllu keys/one.conllu",
        "cp response.conllu input/res/one.conllu",
    ],
    "docs/across-documents.md": [
        f"cp examples/ecb-{name}.conll {name}.conll" for name in ("key", "response")
    ],
    "docs/agreement.md": [
        r"printf 'record,ada,ben\nr1,1,x\nr2,1,x\nr3,2,y\nr4,2,\n' > sorted.csv",
        *(
            f"cp examples/agree-{name}.conll {name}.conll"
            for name in ("ada", "ben", "eva")
        ),
    ],
    "docs/tables.md": [
        r"printf 'c1\nr1\nr2\n\nc2\nr3\n' > clusters.txt",
        _PARQUET.format("examples/table-both.csv", "2024.parquet"),
        (
            "scoref table 2024.parquet --mention record --key-cluster person "
            "--response-cluster predicted --save-profile 2023.profile"
        ),
        "cp 2023.profile 2024.profile",
    ],
    "docs/warehouse.md": [
        _PARQUET.format("examples/curve-key.csv", "truth.parquet"),
        "cp truth.parquet a.parquet; cp truth.parquet b.parquet",
        "cp truth.parquet c.parquet",
        _PARQUET.format("examples/curve-pairs.csv", "predictions.parquet"),
        "cp examples/curve-key.csv key.csv; cp key.csv truth.csv",
        "sed '1s/.*/unique_id,cluster_id/' examples/estimate-predicted.csv > found.csv",
        _PARQUET.format("found.csv", "found.parquet"),
        (
            "sed -e 's/$/,1/' -e '1s/.*/record,cluster,times/' "
            "examples/estimate-sample.csv > labelled.csv"
        ),
    ],
}


_PROJECT_PAGE = "docs/formats/annotation-projects.md"

_TYPE = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.Coreference"


def _cas(*chains: Sequence[tuple[int, int]]) -> str:
    """Write a CAS in JSON, with chains of mentions in a short text."""
    text = "Mia slept. She dreamt of Ben. He sang to her."
    rows: list[dict[str, object]] = [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": text}
    ]
    for chain in chains:
        first = len(rows) + 1
        for begin, end in chain:
            row = {"%ID": len(rows) + 1, "%TYPE": f"{_TYPE}Link", "@sofa": 1}
            is_last = (begin, end) == chain[-1]
            after = {} if is_last else {"@next": len(rows) + 2}
            rows.append({**row, "begin": begin, "end": end, **after})
        row = {"%ID": len(rows) + 1, "%TYPE": f"{_TYPE}Chain", "@sofa": 1}
        rows.append({**row, "@first": first})
    return json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": rows})


def _write_project(folder: Path) -> None:
    """Write a project of INCEpTION with two annotators, and one of its files."""
    mia, she, ben, he, her = (0, 3), (11, 14), (25, 28), (30, 32), (41, 44)
    ada, eva = _cas([mia, she, her], [ben, he]), _cas([mia, she], [ben, he, her])
    work = {
        "annotation/one.txt/INITIAL_CAS.json": _cas(),
        "annotation/one.txt/ada.json": ada,
        "annotation/one.txt/eva.json": eva,
        "annotation/two.txt/INITIAL_CAS.json": _cas(),
        "annotation/two.txt/ada.json": ada,
        "curation/one.txt/CURATION_USER.json": ada,
    }
    with zipfile.ZipFile(folder / "project.zip", "w") as archive:
        for name, text in work.items():
            archive.writestr(name, text)
    (folder / "one.json").write_text(ada, "utf-8")
    (folder / "response.json").write_text(eva, "utf-8")


def make_files(page: str, folder: Path) -> list[str]:
    """Write the files of a page, and return the commands that make the others."""
    (folder / "examples").symlink_to(EXAMPLES)
    for example, names in COPIES.items():
        for name in names.split():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(EXAMPLES / example, folder / name)
    for name, content in SYSTEMS.items() if page in WITH_SYSTEMS else ():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content) + "\n"
        (folder / name).write_text(text, "utf-8")
    if page == _PROJECT_PAGE:
        _write_project(folder)
    (folder / ".bin").mkdir()
    calls = {"python": ""}
    for name in ("", "_conll", "_corefud", "_ua"):
        code = f"from scoref._entry_points import scoref{name}; scoref{name}()"
        calls[f"scoref{name.replace('_', '-')}"] = f'-c "{code}" '
    for name, call in calls.items():
        program = folder / ".bin" / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {call}"$@"\n')
        program.chmod(0o755)
    return SETUP.get(page, [])
