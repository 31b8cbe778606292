# SPDX-License-Identifier: MIT
"""Random numbers and made-up text for the benchmark corpus, the same on every machine."""

from __future__ import annotations

import zlib
from typing import Sequence, TypeVar

T = TypeVar("T")

WORDS = (
    "account anchor archive basin battery beacon branch bridge bucket cabin canal carbon carrier castle "
    "cedar channel circle cluster column compass copper corner cotton current delta desert domain engine "
    "entry fabric factor falcon field filter forest frame garden gateway granite harbor header hollow "
    "index island jacket journal kernel ladder lantern ledger lemon limit linen magnet margin market "
    "marble meadow memory metal mirror module motor needle nickel number object offset orbit order outlet "
    "packet panel pattern pebble pepper permit pillar planet pocket portal prairie query quarry range "
    "record region report river rocket sample season sector sensor signal silver socket spring station "
    "stream summit switch table tablet target temple thread ticket timber tunnel valley vector vessel "
    "village volume walnut window winter zone"
).split()
JOINS = ("of", "and", "in", "for", "with", "near", "the", "a", "to", "from")
FOREIGN = (
    "Grüße aus dem Süden",
    "déjà vu à l'été",
    "большая река",
    "東京の天気は晴れ",
    "Ωμέγα και άλφα",
    "ładne żółte źdźbło",
    "날씨가 맑습니다",
    "status ✓ done 🚀",
)
BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
MASK = (1 << 64) - 1


class Source:
    """A stream of random choices: splitmix64, seeded with a number and a name."""

    def __init__(self, seed: int, name: str) -> None:
        self._state = (seed << 32) ^ zlib.crc32(name.encode())

    def _next(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, bound: int) -> int:
        return self._next() % bound

    def one_in(self, n: int) -> bool:
        return self.below(n) == 0

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[tuple[int, T]]) -> T:
        rest = self.below(sum(weight for weight, _ in items))
        for weight, item in items:
            if rest < weight:
                return item
            rest -= weight
        raise AssertionError("weights do not add up")

    def word(self) -> str:
        return self.pick(WORDS)

    def title(self, words: int) -> str:
        return " ".join(self.word().capitalize() for _ in range(words))

    def sentence(self, least: int, most: int) -> str:
        """Words of a sentence, least to most of them, every third a small one."""
        count = least + self.below(most - least + 1)
        words = [self.pick(JOINS) if place % 3 == 2 else self.word() for place in range(count)]
        return f"{words[0].capitalize()} {' '.join(words[1:])}."

    def foreign(self) -> str:
        return self.pick(FOREIGN)

    def token(self, length: int) -> str:
        """Base64 digits; a length divisible by four is a valid encoding."""
        digits: list[str] = []
        while len(digits) < length:
            bits = self._next()
            digits += [BASE64[(bits >> shift) & 63] for shift in range(0, 60, 6)]
        return "".join(digits[:length])
