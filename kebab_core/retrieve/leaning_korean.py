"""Whether a Korean question leans on the one before it."""

from __future__ import annotations

import re

_EDGES = re.compile(r"^[^\w]+|[^\w]+$")
_PARTICLE = (
    "(?:은|는|이|가|을|를|의|도|만|에|에서|에게|로|으로|과|와|랑|하고|보다|부터|까지|처럼|같은|"
    "대로|마다|뿐|조차|라도|이라도|란|이란|라는|이라는|야|이야|요|죠|인가요|인가|인지|이에요|예요|"
    "입니까|에는|에도|에서는|에서도|로는|으로는|들|들은|들이|들을|들도|들의)"
)
_POINTING = re.compile(
    # 그것, 이거, 저건, 그게, 이걸로; 그곳, 그때, 그쪽, 그분, 그녀, 그들.
    rf"(?:그|이|저)(?:것|거){_PARTICLE}*"
    rf"|(?:그|이|저)(?:건|게|걸|걸로)(?:요)?"
    rf"|(?:그|이)(?:곳|때|쪽|분|녀|들|날){_PARTICLE}*"
    rf"|(?:거기|여기|저기){_PARTICLE}*"
    # As words of their own before a noun: 그 규칙, 이 함수.
    r"|그|이|저|그런|이런|저런|그러한|이러한|그렇게|이렇게|그런가요|그런데요"
    r"|그럼|그러면|그렇다면|그래서|그런데|근데|그리고|그래도|그렇지만|하지만"
    rf"|(?:전자|후자|양쪽|둘){_PARTICLE}*|둘다|해당|위의|앞의|앞서|방금|아까"
)
# Adverbs and conjunctions that point back only where little else is said.
_OPENERS = frozenset({"그럼", "그러면", "그렇다면", "그래서", "그런데", "근데", "그리고", "하지만"})
_EMPTY = re.compile(
    r"왜(?:요|죠|냐|냐면|냐고|지|일까|일까요)?|어째서|어떻게(?:요|해|하죠|하나요|해요|돼|되나요)?|"
    rf"언제(?:요|쯤|부터|까지|인가요|야)?|누가|누구{_PARTICLE}*|어디{_PARTICLE}*|어딘가요|얼마나?|"
    rf"얼마{_PARTICLE}*|무엇{_PARTICLE}*|뭐(?:가|를|야|예요|죠|지|라고)?|뭔가요?|뭘|무슨|어느|어떤|"
    rf"몇|더|좀|조금|다시|또|자세히|자세하게|구체적으로|간단히|짧게|길게|쉽게|계속(?:해|해서|해줘)?|"
    rf"예(?:를|는|시|시를|시는|시도)?|들어(?:줘|주세요|봐)?|들면|다른|다음{_PARTICLE}*|이전|나머지{_PARTICLE}*|"
    rf"이유{_PARTICLE}*|까닭{_PARTICLE}*|뜻{_PARTICLE}*|의미{_PARTICLE}*|차이{_PARTICLE}*|"
    rf"것{_PARTICLE}*|건|거|게|걸|점{_PARTICLE}*|경우{_PARTICLE}*|"
    r"정말(?:요|로)?|진짜(?:요|로)?|확실해(?:요)?|맞아(?:요)?|맞나요|네|응|아니(?:요)?|감사(?:합니다)?|"
    r"설명(?:해|을|해줘|해줄래|해주세요|해주실래요|해봐)?|알려(?:줘|줄래|주세요|주실래요|줘요)?|"
    r"말해(?:줘|봐|주세요)?|말하면|요약(?:해|해줘|해주세요|하면)?|정리(?:해|해줘|해주세요|하면)?|"
    r"보여(?:줘|주세요)?|찾아(?:줘|주세요|봐)?|해(?:줘|주세요|줄래|봐)?|줘(?:요)?|주세요|줄래(?:요)?|"
    r"있어(?:요)?|있나요|있나|있습니까|있을까(?:요)?|없어(?:요)?|없나요|되나요|돼(?:요)?|됩니까|"
    r"가능해(?:요)?|가능한가요|하나요|해요|합니까|할까(?:요)?|인가요|인가|일까(?:요)?|그런가요?|"
    r"그래(?:요)?|이래(?:요)?|필요해(?:요)?|필요한가요|달라(?:요)?|다른가요|좋아(?:요)?|나아(?:요)?|"
    r"좋은가요|나은가요|빨라(?:요)?|빠른가요|중요해(?:요)?|중요한가요|생겨(?:요)?|일어나(?:나요|요)?|"
    r"수|한|중|중에|중에서|가장|제일|보다"
)
_SAME_CLAUSE = re.compile(r"(?:면|고|서|데|때|니까|지만|거나|는지),?$")
_FRAGMENT = re.compile(r"(?:은|는|은요|는요|도|도요)$")


def leans(question: str) -> bool:
    """True when it points back, names nothing, or is a fragment."""
    raw = question.split()
    words = [word for word in (_EDGES.sub("", piece) for piece in raw) if word]
    telling = [not (_EMPTY.fullmatch(word) or _POINTING.fullmatch(word)) for word in words]
    if not any(telling):
        return True
    for i, word in enumerate(words):
        if not _POINTING.fullmatch(word):
            continue
        if word in _OPENERS:
            # "그럼 윈도우에서는?" leans; "그럼 비밀번호는 어떻게 재설정하나요?" stands alone.
            if i == 0 and sum(telling) == 1 and _FRAGMENT.search(words[-1]):
                return True
            continue
        # "파일을 지우면 그것은 어디로 가나요?" names what it points at.
        if not any(telling[j] and _SAME_CLAUSE.search(raw[j]) for j in range(i)):
            return True
    return _is_fragment(words, question)


def _is_fragment(words: list[str], question: str) -> bool:
    """ "마감일은?", "윈도우에서는요?": a topic and nothing said of it."""
    if not question.rstrip().endswith(("?", "？")) or not _FRAGMENT.search(words[-1]):
        return False
    return len(words) == 1 or (len(words) == 2 and words[0] in _OPENERS)
