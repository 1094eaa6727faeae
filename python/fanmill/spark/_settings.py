"""What the caller decides: checked before any work is done, and written beside what is made with it."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import Any, Literal, Optional, Union

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from .._errors import FanmillError, FanmillValueError
from .._native import AddressRules, Recipe
from ._addresses import Addresses

#: A file.
Path = Union[str, "os.PathLike[str]"]
#: The value by which documents are grouped before their texts are compared.
FirstBy = Literal["url"]

_IDS = (T.StringType, T.ByteType, T.ShortType, T.IntegerType, T.LongType)
_NUMBERS = (T.NumericType,)
_DATES = (T.DateType, T.TimestampType)


@dataclass(frozen=True)
class Settings:
    """How duplicates are found, and which one of several stays."""

    recipe: Recipe
    threshold: float
    keep: str
    components: bool
    only_against: bool
    short_texts: str
    addresses: Optional[Addresses]

    @classmethod
    def of(
        cls,
        *,
        threshold: float,
        keep: str,
        cluster: str,
        only_against: bool,
        has_reference: bool,
        recipe: dict[str, Any],
        addresses: Optional[Addresses],
    ) -> Settings:
        """Checks the arguments of a call."""
        made = Recipe(min_score=threshold, **recipe)
        if made.bands is None or made.bands[2] != 1 or made.bands[0] == 1:
            raise refusal("a cluster joins by bands of which one agrees; use `sketch` fss(t=128) or perm(t=128)", "sketch")
        if cluster not in ("centres", "components"):
            raise refusal(f"`cluster` `{cluster}` is not one of centres, components", "cluster")
        if cluster == "components" and has_reference:
            raise refusal(
                "with `against` each duplicate resembles a document that stays, and `cluster` components would also"
                " remove what only a chain links to one; leave `cluster` out",
                "against",
                "cluster",
            )
        if only_against and not has_reference:
            raise refusal("`only_against` has nothing to compare with; give `against`", "only_against", "against")
        if only_against and addresses is not None:
            raise refusal(
                "`first_by` has no effect with `only_against`: documents are compared with the reference alone, and not with"
                " each other; leave out one of the two",
                "first_by",
                "only_against",
            )
        return cls(made, threshold, keep, cluster == "components", only_against, recipe["short_texts"], addresses)

    def described(self) -> dict[str, Any]:
        """All that the answer depends on, but for the texts; the scheme comes last, since it follows from others."""
        by_address = {} if self.addresses is None else {"first_by": "url", **asdict(self.addresses)}
        return {
            **by_address,
            "threshold": self.threshold,
            "keep": self.keep,
            "cluster": "components" if self.components else "centres",
            "only_against": self.only_against,
            "short_texts": self.short_texts,
            "scheme": self.recipe.scheme,
        }


def refusal(message: str, *settings: str) -> FanmillError:
    """The error for arguments that cannot be used."""
    return FanmillValueError._of(message, "setting", list(settings))


def unusable(message: str) -> FanmillError:
    """The error for data that cannot be used."""
    return FanmillValueError._of(message, "input", [])


def addresses_of(first_by: Optional[FirstBy], field: str, rules: Optional[Path]) -> Optional[Addresses]:
    """The addresses that count, if any do."""
    if first_by is None:
        for name, is_given in (("url_field", field != "url"), ("url_rules", rules is not None)):
            if is_given:
                raise refusal(f"`{name}` has no effect without `first_by`; give both, or leave it out", name, "first_by")
        return None
    if first_by != "url":
        raise refusal(f"`first_by` `{first_by}` is not one of url", "first_by")
    text = None
    if rules is not None:
        with open(rules, encoding="utf-8") as file:
            text = file.read()
    AddressRules(text)
    return Addresses(field, text)


def check_addresses(df: DataFrame, field: str) -> None:
    """Refuses data without such a column of addresses."""
    kind = df.select(F.col(field).alias("address")).schema[0].dataType
    if not isinstance(kind, T.StringType):
        raise unusable(f"column `{field}` of the data is {kind.simpleString()}, and addresses are strings; cast it")


def check_columns(df: DataFrame, id: str, text: str, which: str) -> T.DataType:
    """The type of the ids; refuses data without such columns of ids and texts."""
    fields = df.select(F.col(id).alias("id"), F.col(text).alias("text")).schema.fields
    of_ids, of_texts = (field.dataType for field in fields)
    if not isinstance(of_ids, _IDS):
        raise unusable(
            f"column `{id}` of {which} is {of_ids.simpleString()}, and ids are strings or whole numbers of up to 64 bits; cast it"
        )
    one = of_texts.elementType if isinstance(of_texts, T.ArrayType) else of_texts
    if not isinstance(one, T.StringType):
        raise unusable(f"column `{text}` of {which} is {of_texts.simpleString()}, and texts are strings, or lists of strings; cast it")
    return of_ids


def rank(df: DataFrame, keep: str) -> Optional[Column]:
    """A number for each row, of which the lowest stays, null last; none if the rule is about texts or ids alone.

    A date counts as its day, a time to the millisecond, as for the command.
    """
    rule, _, rest = keep.partition(":")
    if keep in ("first", "longest"):
        return None
    field, _, sources = rest.partition("=")
    if rule == "source" and field and sources:
        return _of_source(field, [source.strip() for source in sources.split(",")])
    if rule not in ("newest", "oldest", "highest", "lowest") or not rest:
        raise refusal(
            f"`keep` `{keep}` is not one of first, longest, newest:FIELD, oldest:FIELD, highest:FIELD, lowest:FIELD,"
            " source:FIELD=A,B,C",
            "keep",
        )
    kind = df.select(F.col(rest)).schema[0].dataType
    number = _ordered(F.col(rest), kind, rule, rest)
    return number if rule in ("oldest", "lowest") else -number


def _of_source(field: str, sources: list[str]) -> Column:
    place = F.array_position(F.array(*(F.lit(source) for source in sources)), F.trim(F.col(field)))
    return F.when(place > 0, place.cast("double"))


def _ordered(value: Column, kind: T.DataType, rule: str, field: str) -> Column:
    """A value as a number in the same order; null for what is no number."""
    if rule in ("newest", "oldest"):
        if isinstance(kind, T.DateType):
            return F.unix_date(value).cast("double")
        if isinstance(kind, T.TimestampType):
            return F.unix_millis(value).cast("double")
        raise refusal(f"`keep` `{rule}:{field}` needs dates or times, and the column is {kind.simpleString()}; cast it", "keep")
    if not isinstance(kind, _NUMBERS):
        raise refusal(f"`keep` `{rule}:{field}` needs numbers, and the column is {kind.simpleString()}; cast it", "keep")
    number = value.cast("double")
    return F.when(~F.isnan(number), number)
