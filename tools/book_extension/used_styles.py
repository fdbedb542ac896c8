"""The part of a style sheet that pages need: rules whose classes and ids occur, custom properties that are read."""

import re
from collections.abc import Iterable
from functools import cached_property

import tinycss2
from tinycss2.ast import AtRule, Declaration, Node, QualifiedRule

ALTERNATIVES = {"is", "where", "has", "matches", "any"}
GROUPS = {"media", "supports", "layer", "container"}


class UsedStyles:
    """The part of a style sheet that can show on pages where only the given names occur.

    Args:
        style: the whole style sheet.
        names: every class and id that the pages have from the start or that a script may give them.
        readers: texts beside the style sheet that may read its custom properties, such as scripts.
    """

    def __init__(self, style: str, names: set[str], readers: Iterable[str] = ()) -> None:
        self.names = names
        self.readers = "\n".join(readers)
        self.notices = re.findall(r"/\*!.*?\*/", style, re.S)
        self.rules = self.needed(tinycss2.parse_stylesheet(style, skip_comments=True, skip_whitespace=True))

    @property
    def font_faces(self) -> list[AtRule]:
        return [rule for rule in self.rules if is_font_face(rule)]

    @cached_property
    def text(self) -> str:
        """The rules without the font faces, which name files; the notices of licences come first."""
        rules = self.without_unread_properties([rule for rule in self.rules if not is_font_face(rule)])
        return "".join(f"{notice}\n" for notice in self.notices) + "\n".join(map(written, rules))

    def needed(self, rules: Iterable[Node]) -> list[Node]:
        kept = []
        for rule in rules:
            if isinstance(rule, AtRule) and rule.lower_at_keyword in GROUPS and rule.content is not None:
                rule.content = self.needed(
                    tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
                )
                if rule.content:
                    kept.append(rule)
            elif isinstance(rule, QualifiedRule):
                selectors = [selector for selector in split_at_commas(rule.prelude) if self.may_match(selector)]
                if selectors:
                    rule.prelude = selectors
                    rule.content = tinycss2.parse_blocks_contents(
                        rule.content, skip_comments=True, skip_whitespace=True
                    )
                    kept.append(rule)
            elif isinstance(rule, AtRule) and rule.lower_at_keyword != "charset":
                kept.append(rule)
        return kept

    def may_match(self, selector: list[Node]) -> bool:
        """Whether every class and id that the selector asks for occurs; what it excludes may be absent."""
        for before, token in zip([None, *selector], selector, strict=False):
            if token.type == "hash" and token.value not in self.names:
                return False
            if token.type == "ident" and before is not None and before == "." and token.value not in self.names:
                return False
            choices = split_at_commas(token.arguments) if is_choice(token) else []
            if choices and not any(map(self.may_match, choices)):
                return False
        return True

    def without_unread_properties(self, rules: list[Node]) -> list[Node]:
        """Drop custom properties that nothing reads, again and again, since they read each other."""
        while True:
            style = "\n".join(map(written, rules))
            read = set(re.findall(r"var\(\s*(--[\w-]+)", style)) | set(re.findall(r"--[\w-]+", self.readers))
            dropped = False
            for rule in every_rule(rules):
                kept = [d for d in rule.content if not is_custom(d) or d.name in read]
                dropped |= len(kept) < len(rule.content)
                rule.content = kept
            if not dropped:
                return rules


def is_choice(token: Node) -> bool:
    return token.type == "function" and token.lower_name in ALTERNATIVES


def is_font_face(rule: Node) -> bool:
    return isinstance(rule, AtRule) and rule.lower_at_keyword == "font-face"


def is_custom(declaration: Node) -> bool:
    return isinstance(declaration, Declaration) and declaration.name.startswith("--")


def every_rule(rules: Iterable[Node]) -> Iterable[QualifiedRule]:
    for rule in rules:
        if isinstance(rule, QualifiedRule):
            yield rule
        elif rule.lower_at_keyword in GROUPS:
            yield from every_rule(rule.content or [])


def split_at_commas(tokens: Iterable[Node]) -> list[list[Node]]:
    parts = [[]]
    for token in tokens:
        if token == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def written(rule: Node) -> str:
    """The rule as text, with no space that can be spared."""
    if isinstance(rule, QualifiedRule):
        selectors = ",".join(" ".join(tinycss2.serialize(selector).split()) for selector in rule.prelude)
        return f"{selectors}{{{';'.join(map(written_declaration, rule.content))}}}"
    if rule.lower_at_keyword in GROUPS and rule.content is not None:
        return f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude).rstrip()}{{{''.join(map(written, rule.content))}}}"
    return rule.serialize()


def written_declaration(declaration: Node) -> str:
    if not isinstance(declaration, Declaration):
        raise ValueError(f"not understood in a style sheet: {declaration.serialize()}")
    important = "!important" if declaration.important else ""
    return f"{declaration.name}:{tinycss2.serialize(declaration.value).strip()}{important}"
