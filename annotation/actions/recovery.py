"""The phrase by which a worker without an account is found again on another device.

Five of 256 words, 40 bits, made from the secret key and the worker; only its digest is stored, once
they have asked for it. After a change of the key the old phrase holds until they ask for the new
one.
"""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac

from annotation.actions.assignments.turn import UnknownEnrollment
from annotation.actions.digests import digest, worker_by_digest
from annotation.models import Worker

SALT = "touchstone.phrase"
DIGEST_SALT = f"{SALT}.digest"
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
    """The worker's phrase; from now on `worker_of_phrase` finds them by it.

    Raises UnknownEnrollment.
    """
    with transaction.atomic():
        worker = Worker.objects.filter(enrollments__key=enrollment_key).first()
        if worker is None:
            raise UnknownEnrollment("session.no_campaign")
        phrase = _phrase(worker)
        Worker.objects.filter(pk=worker.pk).update(
            phrase_digest=digest(DIGEST_SALT, _words_of(phrase))
        )
    return phrase


def worker_of_phrase(platform: str, phrase: str) -> Worker | None:
    """The worker whose phrase this is, however it was typed."""
    return worker_by_digest("phrase_digest", DIGEST_SALT, _words_of(phrase), platform=platform)


def _phrase(worker: Worker) -> str:
    who = f"{worker.platform}:{worker.external_id}"
    drawn = salted_hmac(SALT, who, secret=settings.SECRET_KEY, algorithm="sha256").digest()
    return " ".join(WORDS[byte] for byte in drawn[:LENGTH])


def _words_of(phrase: str) -> str:
    return " ".join(re.findall(r"[a-z]+", phrase.lower()))
