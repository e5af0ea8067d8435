"""The phrase by which a worker without an account is found again on another device.

Five of 256 words, 40 bits, made from the secret key and the worker; only its digest is stored, once
he has asked for it. After a change of the key the old phrase holds until he asks for the new one.
"""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac

from annotation.actions.assignments.turn import UnknownEnrollment
from annotation.models import Worker

SALT = "touchstone.phrase"
LENGTH = 5
WORDS = """
acorn amber anchor apple apron arrow artist autumn bagel baker balcony bamboo banana basket
beach beaver bedroom beetle bell bench berry bicycle bird biscuit blanket blossom boat bonnet
book bottle branch bread breeze brick bridge broom brush bucket butter button cabin cactus camel
camera candle canoe captain carpet carrot castle cello cement chair cherry chess chimney church
cinema circle circus cliff clock cloud clover coach coast cobra coffee comet compass cookie
copper coral cotton cousin cradle crane crater cricket crown crystal curtain cushion daisy
dancer desert diamond dinner dolphin donkey door dragon drawer dream drum eagle earth easel echo
elbow engine envelope evening falcon farmer feather fence fiddle field finger flag flame flower
flute forest fork fountain fox fruit galaxy garden garlic gate ghost ginger giraffe glacier
glove goat goblet goose grape grass guitar hammer harbour harvest hazel hedge heron hill honey
horse hotel house iceberg insect island ivory jacket jaguar jelly jewel jungle kettle kitchen
kite kitten ladder lagoon lake lamp lantern laurel leaf lemon letter library lily lion lizard
lobster locket magnet mango maple marble market meadow melon mirror monkey moon morning mosaic
mountain mushroom napkin needle nest noodle nutmeg oak oasis ocean olive onion opera orange
orbit orchard otter oven owl paddle painter palace panda paper parrot pasta peach pebble pencil
penguin pepper piano picnic pigeon pillow pirate planet plum pocket poem pony potato prince
pumpkin puppet puzzle rabbit rainbow raven river robin rocket rose saddle sailor salad salmon
scarf shell shovel silver spider spoon squirrel statue sunset table tiger tomato tower violin
""".split()  # noqa: SIM905


def phrase_of(enrollment_key: Any) -> str:
    """The worker's phrase; from now on `worker_of` finds him by it. Raises UnknownEnrollment."""
    with transaction.atomic():
        worker = Worker.objects.filter(enrollments__key=enrollment_key).first()
        if worker is None:
            raise UnknownEnrollment("This session belongs to no campaign any more.")
        phrase = _phrase(worker)
        Worker.objects.filter(pk=worker.pk).update(phrase_digest=_digest(phrase))
    return phrase


def worker_of(platform: str, phrase: str) -> str | None:
    """The external id of the worker whose phrase this is, however it was typed."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    digests = [_digest(phrase, key) for key in keys]
    found = Worker.objects.filter(platform=platform, phrase_digest__in=digests)
    return found.values_list("external_id", flat=True).first()


def _phrase(worker: Worker) -> str:
    who = f"{worker.platform}:{worker.external_id}"
    digest = salted_hmac(SALT, who, secret=settings.SECRET_KEY, algorithm="sha256").digest()
    return " ".join(WORDS[byte] for byte in digest[:LENGTH])


def _digest(phrase: str, key: str | None = None) -> str:
    """Keyed, or whoever read the table could try all phrases."""
    words = " ".join(re.findall(r"[a-z]+", phrase.lower()))
    key = key or settings.SECRET_KEY
    return salted_hmac(f"{SALT}.digest", words, secret=key, algorithm="sha256").hexdigest()
