"""The frame of the worker's page with a small task in it, so that its tests need no interface.

The task shows each word as a button that marks it as a person's name; it keeps to the contract of
`startWork` and to the wire form of an entity's answer, and nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from django.conf import settings
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect

from annotation.actions.tokens import campaign_link
from annotation.models import Campaign, Event, Response
from config.bundles import joined_script
from tests.factories import make_campaign, make_document, make_project, make_task

BLOCKED_STORAGE = """
for (const name of ["localStorage", "indexedDB"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("", "SecurityError"); } });
}
"""

TASK = """
startWork({ create: (host, context) => {
  let past = [];
  let future = [];
  let present = context.answer ?? [];
  const words = context.page.tokens.map((word, number) => {
    const button = document.createElement("button");
    button.textContent = word;
    button.className = "button-quiet";
    button.onclick = () => step(present.includes(number)
      ? present.filter((other) => other !== number) : [...present, number].sort());
    return button;
  });
  const draw = () => words.forEach((button, number) => {
    button.ariaPressed = String(present.includes(number));
  });
  const move = (from, to) => {
    if (from.length === 0) return null;
    to.push(present);
    present = from.pop();
    return "a word";
  };
  const step = (next) => {
    past.push(present);
    future = [];
    present = next;
    draw();
    context.log("marked", { words: next.length });
    context.changed();
  };
  const read = (answer) => answer.mentions.map(({ start }) => start);
  const written = () => ({
    mentions: present.map((start) => (
      { id: `m${start}`, start, end: start + 1, type: "PER", entity: null }
    )),
    entities: [],
  });
  if (context.answer) present = read(context.answer);
  host.tabIndex = -1;
  host.append(...words);
  draw();
  return {
    answer: written,
    submitWarning: () => (present.length ? "" : "Nothing is marked. Send it once more if so."),
    history: {
      undo: () => move(past, future),
      redo: () => move(future, past),
      get canUndo() { return past.length > 0; },
      get canRedo() { return future.length > 0; },
    },
    restored: draw,
    adopt: (answer) => {
      past.push(present);
      present = read(answer);
      draw();
    },
    showFeedback: ({ right }) => words.forEach((button, number) => {
      button.disabled = true;
      button.ariaCurrent = String(read(right).includes(number));
    }),
    showErrors: (errors) => { host.dataset.errors = errors.map(({ field }) => field).join(" "); },
    keys: () => ({ fixed: [{ group: "Text", keys: ["Shift", "→"], does: "Select" }] }),
    isOpen: () => false,
    focus: () => host.focus(),
    destroy: () => host.replaceChildren(),
  };
} });
"""


@contextmanager
def worker_page(browser: Browser, url: str, **options: Any) -> Iterator[Page]:
    """A page that loads the task above in the place of the entity interface."""
    with tried_page(browser, url, **options) as page:
        script = _joined_frame() + TASK
        page.context.route(
            "**/bundles/work-entity.js",
            lambda route: route.fulfill(body=script, content_type="text/javascript"),
        )
        yield page


@cache
def _joined_frame() -> str:
    """The frame as the interfaces' bundles hold it: one file, where its modules would be thirty."""
    return joined_script(settings.BASE_DIR / "static/js/worker/work.js")


@contextmanager
def tried_page(browser: Browser, url: str, **options: Any) -> Iterator[Page]:
    """A page of which an error in a script fails the test; a request that gets no answer, or a
    refusal, does not."""
    context = browser.new_context(base_url=url, reduced_motion="reduce", **options)
    complaints: list[str] = []
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on("console", lambda message: complaints.extend(_complaint(message)))
    asked: set[Request] = set()
    context.on("request", lambda request: asked.add(request))
    context.on("requestfinished", lambda request: asked.discard(request))
    context.on("requestfailed", lambda request: asked.discard(request))
    page = context.new_page()
    yield page
    # What a page still sends while it is closed would meet an emptied database.
    context.route("**/api/**", lambda route: route.abort())
    while asked:
        page.evaluate("0")  # lets the driver hear of replies
    context.close()
    assert complaints == [], complaints


def _complaint(message: ConsoleMessage) -> list[str]:
    is_network = message.text.startswith("Failed to load resource")
    return [message.text] if message.type == "error" and not is_network else []


def make_work(*texts: str, **fields: Any) -> Campaign:
    """An open campaign of `texts`, one answer wanted for each."""
    project = make_project()
    campaign = make_campaign(
        project, **{"name": "Names in old letters", "pay_mills": 60, "redundancy": 1} | fields
    )
    for text in texts or ("Ada met Bob .", "Carl saw Dora ."):
        make_task(campaign, make_document(project, text))
    return campaign


def link_to(campaign: Campaign) -> str:
    return f"/join/{campaign_link(campaign)}/"


def open_work(page: Page, campaign: Campaign) -> None:
    page.goto(link_to(campaign))
    expect(page.locator("[data-task] > div")).to_be_focused()


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def choose_in_head(page: Page, name: str) -> None:
    """A button of the head, which is in a menu where the page is narrow."""
    if button(page, "Menu").is_visible():
        button(page, "Menu").click()
    button(page, name).click()


def mark(page: Page, *words: str) -> None:
    for word in words:
        button(page, word).click()


def expect_marked(page: Page, *words: str) -> None:
    expect(page.locator("[data-task] [aria-pressed=true]")).to_have_text(list(words))


def expect_task(page: Page, *words: str) -> None:
    expect(page.locator("[data-task] button")).to_have_text(list(words))


def message(page: Page) -> Locator:
    return page.locator("[data-part=message]")


def saved(page: Page) -> Locator:
    """Where the work is, in words."""
    return page.locator("[data-part=bar] [data-part=saved]")


def expect_kept(page: Page) -> None:
    """What was done last stands on this device: who asks for the drafts waits for their writer. No
    hand is as quick as a test that leaves the page in the same moment."""
    page.evaluate(
        """() => new Promise((resolve, reject) => {
          const opening = indexedDB.open("touchstone");
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const waiting = opening.result.transaction("drafts", "readwrite");
            waiting.objectStore("drafts").count();
            waiting.oncomplete = () => resolve(opening.result.close());
          };
        })"""
    )


def notice(page: Page) -> Locator:
    return page.locator("[data-part=notice]")


def requests_to_api(page: Page) -> list[str]:
    """A list that fills with what the page sends: "join/", "assignments/…/submit/"."""
    asked: list[str] = []

    def note(request: Request) -> None:
        _, found, path = request.url.partition("/api/work/")
        if found and request.method != "GET":
            asked.append(re.sub(r"[0-9a-f-]{36}", "…", path))

    page.on("request", note)
    return asked


def come_back(page: Page) -> None:
    """What a browser does when a window is chosen again; a headless one never does by itself."""
    page.evaluate("dispatchEvent(new Event('focus'))")


def asks_before_leaving(page: Page) -> bool:
    """Whether the browser asks before the page is reloaded or left."""
    return page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")


def answered(campaign: Campaign) -> list[list[str]]:
    """The words marked in each answer that has come in, the oldest first."""
    answers = (
        Response.objects.filter(assignment__task__campaign=campaign)
        .order_by("received_at", "pk")
        .values_list("answer", "assignment__task__document__text")
    )
    return [
        [text[mention["start"] : mention["end"]] for mention in answer["mentions"]]
        for answer, text in answers
    ]


def events(campaign: Campaign) -> list[str]:
    return list(
        Event.objects.filter(assignment__task__campaign=campaign)
        .order_by("assignment", "number")
        .values_list("kind", flat=True)
    )


def no_network(page, path="**/submit/"):
    page.route(path, lambda route: route.abort("internetdisconnected"))
