"""Lists of pronouns by language, for files that have words but no parts of speech.

A list has personal, possessive, reflexive, demonstrative, relative, interrogative and
indefinite pronouns in all their forms. It is for whole mentions: German "die" is an
article in "die Frau", but a mention that is nothing but "die" is a pronoun.

Formats without parts of speech do not name their language either. `language_of` finds
it by frequent words of the text, such as articles and prepositions.

A word in braces has several endings: ``mein{,e,em}`` is mein, meine and meinem.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from scoref.classes import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Language(NamedTuple):
    """What is known of a language."""

    name: str
    frequent: str
    """Words that are frequent in each text, to recognise the language."""
    pronouns: str
    """Words, and expressions of several words after commas."""


ENGLISH = "en"

LANGUAGES = {
    ENGLISH: Language(
        "English",
        "the of and to in is was for with on at by from that it not be are this an he "
        "his had as have you",
        """
        i me my mine myself we us our ours ourselves you your yours yourself yourselves
        ya y'all thou thee thy thine he him his himself she her hers herself it its
        itself they them their theirs themselves themself 'em oneself this that these
        those who whom whose which what whoever whomever whatever whichever someone
        somebody something anyone anybody anything everyone everybody everything noone
        nobody nothing none, no one, each other, one another
        """,
    ),
    "de": Language(
        "German",
        "der die und den von zu das mit sich des auf für ist im dem nicht ein eine als",
        """
        ich mich mir du dich dir er ihn ihm sie ihr es 's wir uns ihnen euch sich
        einander man {mein,dein,sein,unser,ihr}{,e,em,en,er,es} unsre{,m,n,r,s} euer
        eure{,m,n,r,s} {mein,dein,sein,ihr,unser}ige{,n} der die das den dem des dessen
        deren derer denen dies dies{e,em,en,er,es} jen{e,em,en,er,es} solch{e,em,en,er}
        {der,die,das,den,dem,des}jenige {der,die,den,dem,des}jenigen
        {der,die,das}selbe {der,die,den,dem,des}selben welch{e,em,en,er,es} wer wen wem
        wessen was jemand{,en,em,es} niemand{,en,em,es} etwas nichts
        """,
    ),
    "es": Language(
        "Spanish",
        "de la el en y a los del las por con una un para es al lo como más su sus pero "
        "fue este entre",
        """
        yo me mí conmigo tú te ti contigo él ella ello ellos ellas lo la los las le les
        se sí consigo nosotros nosotras nos vosotros vosotras os usted ustedes vos
        {mi,tu,su}{,s} {mí,tuy,suy,nuestr,vuestr}{o,a,os,as} est{e,a,o,os,as}
        ést{e,a,os,as} es{e,a,o,os,as} és{e,a,os,as} aquel aquél aquell{a,o,os,as}
        aquéll{a,os,as} que qué quien quién quienes quiénes cual cuál cuales cuáles
        cuy{o,a,os,as} alguien nadie algo nada, el que, la que, lo que, los que,
        las que, el cual, la cual, lo cual, los cuales, las cuales, sí mismo, sí misma,
        sí mismos, sí mismas, él mismo, ella misma, ellos mismos, ellas mismas
        """,
    ),
    "ca": Language(
        "Catalan",
        "de la el i a que els en per les amb l' d' del una un és no dels al ha són "
        "pel pels també més aquest aquesta va",
        """
        jo em me m' 'm mi tu et te t' 't ell ella ells elles vostè vostès nosaltres
        vosaltres vós es se s' 's si ens nos 'ns us vos el lo 'l la l' els los 'ls les
        li en ne n' 'n hi ho {me,te,se}{u,va,us,ves} nostr{e,a,es} vostr{e,a,es}
        llur{,s} aquest{,a,s,es} aquell{,a,s,es} aqueix{,a,os,es} això allò açò que què
        qui qual quals algú ningú res quelcom tothom, el qual, la qual, els quals,
        les quals, el que, la que, els que, les que, un mateix, si mateix
        """,
    ),
    "fr": Language(
        "French",
        "de la le et les des en un du une est l' d' dans que pour au qui par il sur",
        """
        je j' me m' moi tu te t' toi il elle on l'on se s' soi nous vous ils elles lui
        leur leurs eux le la l' les en y t-il t-elle t-on t-ils t-elles
        {mon,ma,mes,ton,ta,tes,son,sa,ses,notre,nos,votre,vos}
        {mien,tien,sien}{,s} {mien,tien,sien}ne{,s} ce c' ç' ceci cela ça
        {celui,celle,ceux,celles}{,-ci,-là} qui que qu' quoi dont où lequel laquelle
        lesquels lesquelles auquel auxquels auxquelles duquel desquels desquelles
        {moi,toi,lui,elle,soi}-même {nous,vous,eux,elles}-mêmes quelqu'un quelqu'une
        personne rien chacun chacune, le mien, la mienne, les miens, les miennes,
        le sien, la sienne, les siens, les siennes, le nôtre, la nôtre, les nôtres,
        le leur, la leur, les leurs, ce que, ce qui, l' un, l' autre
        """,
    ),
    "nl": Language(
        "Dutch",
        "de van het een en in is dat te op met voor zijn niet aan door er om bij ook",
        """
        ik ikzelf mij me mijzelf mezelf jij je jou jijzelf jezelf u uzelf hij ie -ie hem
        hijzelf hemzelf zij ze haar zijzelf haarzelf het 't wij we ons wijzelf onszelf
        jullie hun hen henzelf zich zichzelf elkaar elkander mekaar elkaars mijn m'n
        jouw uw zijn z'n d'r onze men deze die dit dat diens degene degenen diegene
        diegenen datgene wie wiens wier wat welk welke iemand iemands niemand iets niets
        iedereen alles
        """,
    ),
    "it": Language(
        "Italian",
        "di e il la che in a per un è del della i una le con non da dei si nel al",
        """
        io me mi m' tu te ti t' egli lui lei ella esso essa noi ce ci c' voi ve vi v'
        loro essi esse lo la l' li le gli ne n' si se sé s' {mi,tu,su}{o,a,oi,e} miei
        {nostr,vostr,propri}{o,a,e} {nostr,vostr}i propri quest{o,a,i,e} quell{o,a,i,e}
        quelli quegli ciò costui costei costoro colui colei coloro che chi cui qual
        quale quali ciascun{o,a} qualcuno qualcuna qualcosa nessuno nessuna niente
        nulla ognuno ognuna gliel{o,a,i,e} gliene gliel', il quale, la quale, i quali,
        le quali, me stesso,
        me stessa, te stesso, te stessa, se stesso, se stessa, se stessi, se stesse,
        sé stesso, sé stessa, sé stessi, sé stesse, lui stesso, lei stessa
        """,
    ),
    "pt": Language(
        "Portuguese",
        "de a o e do da em que os no na para um uma com não dos é por as ao se",
        """
        eu me mim comigo tu te ti contigo ele ela eles elas você vocês nós nos conosco
        connosco vós vos convosco o a os as lo la los las lhe lhes se si consigo
        {meu,teu,seu}{,s} {minha,tua,sua}{,s} {noss,voss}{o,a,os,as}
        {del,dest,dess,daquel}{e,a,es,as} est{e,a,es,as} isto ess{e,a,es,as} isso
        aquel{e,a,es,as} aquilo que quê quem qual quais cuj{o,a,os,as} alguém ninguém
        algo nada tudo, o qual, a qual, os quais, as quais, o que, a que, os que,
        as que, si mesmo, si mesma, si próprio, si própria, ele mesmo, ela mesma,
        ele próprio, ela própria
        """,
    ),
    "pl": Language(
        "Polish",
        "w i na z się nie do że to jest o jak po a za od co przez ale tym był dla",
        """
        ja mnie mię mi mną ty ciebie cię tobie ci tobą on jego go niego jemu mu niemu
        nim ona jej niej ją nią ono je nie my nas nam nami wy was wam wami oni one ich
        nich im nimi się siebie sobie sobą
        {mó,twó,swó}j {moj,twoj,swoj}{a,e,ego,ej,emu,ą} {mo,two,swo}{i,im,ich,imi}
        {m,tw,sw}{ego,ej,emu,ą,ym,e,ych,ymi}
        {nasz,wasz}{,a,e,ego,ej,emu,ą,ym,ych,ymi} nasi wasi ten ta to te tego tej temu
        tę tą tym ci tych tymi tamten tam{ta,to,tego,tej,temu,tą,tym,te,ci,tych,tymi}
        kto kogo komu kim co czego czemu czym
        któr{y,a,e,ego,ej,emu,ą,ym,zy,ych,ymi} {ktoś,kogoś,komuś,kimś}
        {coś,czegoś,czemuś,czymś} nikt nikogo nikomu nikim nic niczego niczemu niczym
        wszystko wszystkiego wszystkiemu wszystkim wszyscy wszystkich wszystkimi
        """,
    ),
    "cs": Language(
        "Czech",
        "a v se na je že s z o k i ve do to pro by byl po za jako ale od které který",
        """
        já mě mne mi mně mnou ty tě tebe ti tobě tebou on jeho jej ho něho něj jemu mu
        němu něm jím ním ona jí ji ní ni její ono my nás nám námi vy vás vám vámi oni
        ony ona jich nich jim nim je ně jimi nimi se si sebe sobě sebou
        {můj,tvůj,svůj} {m,tv,sv}{á,é,ého,ému,ém,ým,ou,í,ých,ými}
        {moj,tvoj,svoj}{e,i,í} {náš,váš} {naš,vaš}{e,eho,emu,em,ím,í,i,ich,imi} jejich
        její{,ho,mu,m,ch,mi} ten ta to toho té tomu tu tom tím tou ti ty těch těm těmi
        {ten,ta,to,toho,té,tomu,tu,tom,tím,tou,ti,ty,těch,těm,těmi}to kdo koho komu kom
        kým co čeho čemu čem čím kter{ý,á,é,ého,ému,ém,ým,ou,ří,ých,ými} kteří jenž jež
        již jehož jejž jemuž němuž nějž němž jímž níž jíž
        jichž nichž jimž nimž jimiž nimiž něhož něž jejíž jejichž
        {jejímž,jejíchž,jejíhož} někdo někoho někomu někom někým něco
        něčeho něčemu něčem něčím nikdo nikoho nikomu nikom nikým nic ničeho ničemu
        ničem ničím všichni všechno všechny všech všem všemi
        """,
    ),
    "ru": Language(
        "Russian",
        "в и на не с по что он к из от как за для у это был его но а о при до так",
        """
        я меня мне мной мною ты тебя тебе тобой тобою он его него ему нему им ним нём
        нем она её ее неё нее ей ней ею нею оно мы нас нам нами вы вас вам вами они их
        них ими ними себя себе собой собою {мо,тво,сво}{й,я,ё,е,и}
        {мо,тво,сво}{его,ей,ему,им,ём,ем,ю,их,ими} {наш,ваш}{,а,е,его,ей,ему,им,ем,у}
        {наш,ваш}{и,их,ими} это эт{от,а,ого,ой,ому,им,ом,у,и,их,ими} тот та то того той
        тому тем том ту те тех теми кто кого кому кем ком что чего чему чем чём
        котор{ый,ая,ое,ого,ой,ому,ым,ом,ую,ые,ых,ыми} чей чья чьё чье чьи кто-то
        кого-то кому-то что-то кто-нибудь что-нибудь некто нечто никто никого никому
        никем ничто ничего, друг друга, друг другу, друг другом, друг с другом
        """,
    ),
    "zh": Language(
        "Chinese",
        "的 是 在 了 和 有 不 一 与 也 为 就 都 上 中 年 這 個 以 及 對 对 于 從 从",
        """
        我 你 您 妳 他 她 它 牠 祂 咱 {我,你,您,妳,他,她,它,牠,咱}{们,們} 大家 自己
        自身 自我 本人 本身 人家 彼此 这 那 此 其 之 该 這 該 这些 那些 這些 这个 那个
        這個 那個 这样 那样 這樣 那樣 谁 誰 什么 什麼 哪个 哪個, 他 自己, 她 自己,
        它 自己, 我 自己, 你 自己
        """,
    ),
    "ar": Language(
        "Arabic",
        "في من على و إلى ال أن ل ب الى عن التي مع هذا كان ما لا بعد الذي هذه قد",
        """
        أنا نحن أنت أنتما أنتم أنتن هو هي هما هم هن ه ها ك كم كن ي ني نا هذا هذه ذلك
        تلك هؤلاء أولئك هذان هاتان هذين هاتين ذاك الذي التي الذين اللذان اللتان اللذين
        اللتين اللاتي اللواتي اللائي من ما ماذا
        """,
    ),
    "tr": Language(
        "Turkish",
        "ve bir bu de da için ile olarak daha çok en gibi olan kadar sonra var ki ise",
        """
        ben beni bana bende benden benim benimle sen seni sana sende senden senin
        seninle o {on,bun,şun}{u,a,da,dan,un,unla} bu şu
        biz bizi bize bizde bizden bizim bizimle bizler
        bizleri siz sizi size sizde sizden sizin sizinle sizler sizleri
        {on,bun,şun}lar{,ı,a,da,dan,ın,la} kendi
        kendi{m,n,miz,niz,leri}{,i,e,de,den,in,le} kendi{si,sini,sine,sinde,sinden}
        kendi{sinin,siyle,ni,ne,nde,nden,nin} kendileri{ni,ne,nde,nden,nin,yle} kim kimi
        kime kimde kimden kimin kiminle ne kimse kimseyi kimseye kimsenin hepsi hepsini
        hepsinin hepimiz birbiri birbirini birbirine birbirinin birbirinden birbirleri
        birbirlerini birbirlerine birbirlerinin birbirlerinden birbirleriyle biri birini
        birinin
        """,
    ),
}

WITHOUT_LIST = {
    "Afrikaans": (
        "die ons en van te om in het 'n is wat sal dat hierdie nie dit met vir word "
        "op deur tot as aan ook moet hulle"
    ),
    "Belarusian": "і у ў на з па не а да ад для таксама што за пра як або гэта яго яна",
    "Bulgarian": "на и в да за се е от с не ще си че са по това като му до той го към",
    "Cantonese": "我 係 嘅 呢 你 唔 個 就 都 噉 啦 有 佢 我哋 啲 㗎 咗 去 冇 喺 要",
    "Classical Chinese": "之 曰 以 而 也 其 者 乎 矣 兮 焉 吾 汝 哉",
    "Danish and Norwegian": (
        "i og at det er en af av til på for de den med der har ikke som vi var om et "
        "jeg fra han så men vil kan å seg"
    ),
    "Finnish": (
        "ja on että ei se tai oli hän kun myös sen voi mutta ovat joka kuin niin"
    ),
    "Frisian": (
        "de eh en it in dat fan yn dy ik is ek wat dan mei ja te mar net wie wol"
    ),
    "Galician": (
        "de a o que en e os se un as unha para con é non como máis ou lo súa pero "
        "tamén hai nos esta seu lle"
    ),
    "Haitian Creole": (
        "yo nan pou m yon te ak ki li a ap sa la sou an di pa se ke fè mwen"
    ),
    "Hungarian": (
        "a az és is hogy nem s már még de csak mint volt pedig ha egy azt el meg"
    ),
    "Latin": (
        "est in quod et non autem igitur esse ad ut per quae ex secundum sed enim "
        "sunt hoc potest sicut sit cum etiam"
    ),
    "Low Saxon": (
        "de en dat ik un et in hee see van sou as den dee is ouk to an my up neet"
    ),
    "Occitan": "de et la en que a per o lo li las los es son no a cum",
    "Persian": "و در به از که این است را با بر خود برای آن شد کرد شده او هم دارد تا ما",
    "Romanian": (
        "de în a și la cu să se din pe o care un pentru nu mai este sau au că al fost "
        "ce"
    ),
    "Slovak": "a v sa na do je s z bol o za po ako aj k pri ktorý že od vo keď ale som",
    "South Slavic": (
        "je in u i v se na da ki za so su pa z s tudi ne bi kot koji kao što po iz "
        "ali pri od ili"
    ),
    "Swedish": (
        "och i att är som det en av på har för de den med till om kan inte man ett "
        "eller sig så under"
    ),
    "Ukrainian": "і на в у з що не до та за про а від як це він й для але із ми або чи",
    "Urdu": "کے کی میں نے ہے سے کو اور کا کہ پر اس کیا بھی کر یہ وہ تھا",
}
"""Frequent words of languages without a list of pronouns, most from treebanks of
Universal Dependencies. Texts in them are not taken for a related language."""

_ENOUGH, _LEAST, _LEAD = 4, 0.02, 2
"""How many frequent words a text must have, and how many different ones; their least
share, and how many times as many they must be as those of any other language."""


def language_of(words: Iterable[str]) -> str | None:
    """Find the language of a text by its frequent words; None if it is not clear.

    >>> language_of("Der Hund ist nicht im Haus".split()), language_of(["xyz"])
    ('de', None)
    """
    counts = Counter(map(str.lower, words))
    found = {
        code: sum(counts[word] for word in own) for code, own in _own_words().items()
    }
    first, second = sorted(found, key=found.__getitem__, reverse=True)[:2]
    is_clear = found[first] >= _LEAD * found[second]
    enough = max(_ENOUGH, _LEAST * counts.total())
    if not is_clear or found[first] < enough:
        return None
    own = {*LANGUAGES[first].frequent.split()}
    if len(own & counts.keys()) < _ENOUGH:
        return None  # a language that shares a word or two, such as Latvian "par"
    for text in WITHOUT_LIST.values():
        others = {*text.split()}
        lead = sum(counts[word] for word in own - others)
        if lead < _LEAD * sum(counts[word] for word in others - own):
            return None
    return first


@cache
def _own_words() -> dict[str, list[str]]:
    """List the frequent words of each language that no other language has."""
    lists = {code: language.frequent.split() for code, language in LANGUAGES.items()}
    times = Counter(word for words in lists.values() for word in words)
    return {
        code: [word for word in words if times[word] == 1]
        for code, words in lists.items()
    }


def is_pronoun(text: str, language: str = ENGLISH) -> bool:
    """Return whether a mention is a pronoun of a language.

    >>> [is_pronoun(text) for text in ("She", "each other", "the dog")]
    [True, True, False]
    >>> is_pronoun("Seinem", "de"), is_pronoun("-t-il", "fr"), is_pronoun("L’", "fr")
    (True, True, True)
    """
    plain = text.lower().replace("’", "'").lstrip("-")
    return _VOWELS.sub("", plain) in pronouns_of(language)


_VOWELS = re.compile("[\u064b-\u0652\u0640]")
"""Marks of vowels in Arabic, which most texts leave out."""


@cache
def pronouns_of(language: str) -> frozenset[str]:
    """Return the pronouns of a language, in lower case.

    >>> "each other" in pronouns_of("en"), "deinem" in pronouns_of("de")
    (True, True)
    """
    words, *expressions = re.split(r",\s+", LANGUAGES[language].pronouns)
    expressions = [" ".join(each.split()) for each in expressions]
    return frozenset(
        (*(form for word in words.split() for form in _forms(word)), *expressions)
    )


def _forms(word: str) -> list[str]:
    """Write out a word in braces.

    >>> _forms("{this,that}"), _forms("it{,s}")
    (['this', 'that'], ['it', 'its'])
    """
    parts = re.split(r"\{(.*?)\}", word)
    choices = (
        part.split(",") if place % 2 else [part] for place, part in enumerate(parts)
    )
    return ["".join(form) for form in product(*choices)]


@cache
def longest_pronoun(language: str) -> int:
    """Return the number of words of the longest pronoun of a language."""
    return max(len(text.split()) for text in pronouns_of(language))
