"""Lists of pronouns, and the language of a text."""

from __future__ import annotations

import pytest

from scoref.scoring.pronouns import (
    LANGUAGES,
    is_pronoun,
    language_of,
    longest_pronoun,
    pronouns_of,
)

TEXTS = {
    "en": "The dog was in the house and it had not been fed by the man with the hat",
    "de": "Der Hund war in dem Haus und die Frau ist nicht mit ihm in den Wald",
    "es": "El perro y los gatos como los niños y las casas por más que su casa",
    "ca": "El gos és amb els gats i són a casa dels nens pel camí també",
    "fr": "Le chien est dans une maison et les chats sont sur le toit avec du pain",
    "nl": "De hond is niet in het huis en een kat zit op een stoel met het kind",
    "it": "Il cane è nella casa e il gatto non è della signora di Roma",
    "pt": "O cão não está em uma casa e os gatos são de um homem com uma filha",
    "pl": "Pies nie jest w domu i kot się boi że pan jest w lesie",
    "cs": "Pes je v domě a kočka v lese s pánem který je v práci pro peníze",
    "ru": "Собака в доме и кошка не на улице а с хозяином в лесу",
    "zh": "我 的 狗 在 家 里 和 猫 在 一起 了",
    "ar": "كان الكلب في البيت مع القط على الكرسي من الصباح إلى المساء",
    "tr": "Bir köpek ve bir kedi için ev bu kadar çok büyük gibi",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_has_the_language_of_its_frequent_words(language: str) -> None:
    assert language_of(TEXTS[language].split()) == language


WITHOUT_A_LIST = {
    "Azerbaijani": "Evdə kitab var bu kitab böyük ki onun adı var nə var ki evdə var "
    "və uşaq bu kitabı oxur deyir ki var",
    "Bulgarian": "Всички хора се раждат свободни и равни по достойнство и права Те са "
    "надарени с разум и съвест и следва да се отнасят помежду си в дух на братство",
    "Indonesian": "Anjing itu ada di rumah dan kucing tidur di kursi dengan anak yang "
    "tinggal di kota besar di pulau yang ramai dan bekerja di sekolah",
    "Latvian": "Es domāju ka es zinu kas ir tas suns mājā un ko es redzu dārzā bet es "
    "nezinu kur ir kaķis",
    "Slovak": "Pes je v dome a mačka na lese s pánom ktorý je v práci a po obede bol "
    "za mestom ako aj pri rieke a od rána sa na to teší že bol doma",
    "Slovenian": "Pes je v hiši in mačka na drevesu z gospodarjem ki je v službi in po "
    "kosilu so šli za mesto in tudi pes se je vrnil v hišo",
    "Welsh": "Mae y ci yn y tŷ ac mae y gath ar y gadair gyda y plant sydd yn mynd i y "
    "ysgol yn y dref fawr",
    "Ukrainian": "Собака в домі і кішка не на вулиці а з господарем у лісі за містом і "
    "він не йде до дому як і я але й він на полі",
}
"""Each was taken for a related language, or for one with which it shares a word."""


@pytest.mark.parametrize("text", WITHOUT_A_LIST.values(), ids=[*WITHOUT_A_LIST])
def test_a_text_is_not_taken_for_one_in_a_related_language(text: str) -> None:
    assert language_of(text.split()) is None


RELATED = {
    "ca": "Tots els éssers humans neixen lliures i iguals en dignitat i en drets Són "
    "dotats de raó i de consciència i els cal mantenir-se entre ells amb esperit de "
    "fraternitat",
    "ar": "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق وقد وهبوا عقلا وضميرا "
    "وعليهم أن يعامل بعضهم بعضا بروح الإخاء لكل إنسان حق التمتع في هذا الإعلان "
    "من دون أي تمييز على أساس ما كان",
}
"""They resemble languages without a list."""


@pytest.mark.parametrize("language", RELATED)
def test_a_text_is_recognised_although_others_are_related(language: str) -> None:
    assert language_of(RELATED[language].split()) == language


def test_a_text_in_two_languages_or_an_unknown_one_has_none() -> None:
    both = (TEXTS["de"] + " " + TEXTS["fr"]).split()
    assert language_of(both) is None
    assert language_of(["Koira", "ei", "ole", "talossa"]) is None
    assert language_of([]) is None
    names = ["Berlin"] * 1000 + TEXTS["de"].split()
    assert language_of(names) is None  # too few words of the language


@pytest.mark.parametrize(
    ("language", "pronouns", "others"),
    [
        ("en", "They|one another|Y’all|theirs", "they all|the|there"),
        ("de", "Ihrem|deren|dieselben|uns|unserem|jemandem", "Frau|in|beide"),
        ("es", "Suyos|lo que|éste|nuestras|conmigo", "casa|de|y"),
        ("ca", "L’|’ls|aquestes|seva|-ho|la qual", "casa|amb"),
        ("fr", "qu’|-t-il|celles-ci|lui-même|la leur|siennes", "maison|des"),
        ("nl", "'t|z’n|zichzelf|degene|-ie", "huis|er"),
        ("it", "glielo|sé stessa|suoi|quegli|colei", "casa|di"),
        ("pt", "dela|o qual|comigo|nossas|-lhe", "casa|em"),
        ("pl", "swoimi|niego|którzy|tamtych|mego", "dom|w"),
        ("cs", "svého|jehož|tohoto|kteří|jejímž", "dům|v"),
        ("ru", "своего|которыми|друг друга|её|кто-то", "дом|в"),
        ("zh", "他们|她|自己|这些|他 自己", "狗|的"),
        ("ar", "هُوَ|التي|هؤلاء|ها", "كلب|في"),
        ("tr", "kendisine|onların|bunu|birbirine|bizimle", "ev|ve"),
    ],
)
def test_lists_have_all_forms(language: str, pronouns: str, others: str) -> None:
    assert [
        word for word in pronouns.split("|") if not is_pronoun(word, language)
    ] == []
    assert [word for word in others.split("|") if is_pronoun(word, language)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_have_words_in_lower_case_and_no_braces(language: str) -> None:
    words = pronouns_of(language)
    assert {word.lower() for word in words} == words
    assert all(word and not set(word) & set("{},’") for word in words)
    assert 1 <= longest_pronoun(language) <= 3


def test_a_list_is_for_its_language_only() -> None:
    assert is_pronoun("die", "de")
    assert not is_pronoun("die")
    assert not is_pronoun("he", "de")
