import assert from "node:assert/strict";
import { test } from "node:test";

import {
  cardsMoved, eachAlone, handedIn, laidOut, lostLinks, piledApart, piledWith, pileLinked, pileWith, putAside,
} from "../../../static/js/linking/piles.js";
import { placeOf } from "./cards.js";

const IDS = ["a", "b", "c", "d"];
const PLACE = placeOf(IDS);
const START = eachAlone(IDS);
const pile = (mentions, link = null) => ({ link, mentions: [...mentions] });
const answer = (clusters, unsure = [], undecided = []) => ({ clusters, unsure, undecided });
const layout = ({ settled, ...rest }) => rest;

test("at first each card is alone and undecided, but for one that is the only one", () => {
  assert.deepEqual(layout(START), answer([pile("a"), pile("b"), pile("c"), pile("d")], [], IDS));
  assert.deepEqual(layout(eachAlone(["a"])), answer([pile("a")]));
});

test("a card is decided by being moved, by what is put on it, by its link", () => {
  const undecided = (next) => next.undecided.join("");
  assert.equal(undecided(piledApart(START, new Set(["b"]), PLACE)), "acd");
  assert.equal(undecided(putAside(START, new Set(["b", "c"]), PLACE)), "ad");
  assert.equal(undecided(pileLinked(START, "d", "Q1")), "abc");
  const together = piledWith(START, new Set(["c"]), "a", PLACE);
  assert.equal(undecided(together), "bd");
});

test("a card that others leave alone is undecided again, but for one with a link", () => {
  const undecided = (next) => next.undecided.join("");
  const together = piledWith(START, new Set(["c"]), "a", PLACE);
  assert.equal(undecided(piledWith(together, new Set(["c"]), "d", PLACE)), "ab");
  assert.equal(undecided(putAside(together, new Set(["a"]), PLACE)), "bcd");
  assert.equal(undecided(piledApart(together, new Set(["a", "c"]), PLACE)), "bd");
  const linked = pileLinked(together, "a", "Q1");
  assert.equal(undecided(piledApart(linked, new Set(["c"]), PLACE)), "bd");
});

test("a card that was put on a pile of its own goes back to that", () => {
  const alone = piledApart(START, new Set(["a"]), PLACE);
  const together = piledWith(alone, new Set(["b"]), "a", PLACE);
  const moved = piledWith(together, new Set(["b"]), "c", PLACE);
  assert.deepEqual(moved.undecided, ["d"]);
  assert.deepEqual(pileWith(moved, "a"), pile("a"));
  // The other way round it is the same: A was alone before.
  const onto = piledWith(alone, new Set(["a"]), "b", PLACE);
  assert.deepEqual(putAside(onto, new Set(["b"]), PLACE).undecided, ["c", "d"]);
  // An older draft did not keep it.
  assert.deepEqual(putAside(layout(onto), new Set(["b"]), PLACE).undecided, ["a", "c", "d"]);
  // Of what was handed in every decided card is known to be settled.
  const sent = laidOut(answer([pile("ab"), pile("c")], [], ["d"]), PLACE, IDS);
  assert.deepEqual(putAside(sent, new Set(["b"]), PLACE).undecided, ["d"]);
  assert.deepEqual(sent.settled, ["a", "b", "c"]);
});

test("an undecided card is handed in in no pile, and laid out again from a draft", () => {
  const next = piledApart(piledWith(START, new Set(["d"]), "b", PLACE), new Set(["c"]), PLACE);
  const sent = answer([pile("bd"), pile("c")], [], ["a"]);
  assert.deepEqual(handedIn(next), sent);
  assert.deepEqual(laidOut(sent, PLACE), next);
  assert.deepEqual(handedIn(START), answer([], [], IDS));
  const old = { clusters: [pile("ab"), pile("c"), pile("d")], unsure: [] };
  assert.deepEqual(layout(laidOut(old, PLACE)), { ...old, undecided: [] });
});

test("cards and piles stand in the order of the task, whatever was put where", () => {
  const next = piledWith(START, new Set(["a", "d"]), "c", PLACE);
  assert.deepEqual(layout(next), answer([pile("acd"), pile("b")], [], ["b"]));
  assert.deepEqual(START.clusters.length, 4); // the input is left alone
});

test("a card goes apart, to the unsure, and back", () => {
  const together = piledWith(START, new Set(["b", "c"]), "a", PLACE);
  const apart = answer([pile("ac"), pile("b"), pile("d")], [], ["d"]);
  assert.deepEqual(layout(piledApart(together, new Set(["b"]), PLACE)), apart);
  const unsure = putAside(together, new Set(["a"]), PLACE);
  assert.deepEqual(layout(unsure), answer([pile("bc"), pile("d")], ["a"], ["d"]));
  assert.deepEqual(piledWith(unsure, new Set(["a"]), "c", PLACE), together);
});

test("what changes nothing gives the same answer", () => {
  const apart = piledApart(START, new Set(["b"]), PLACE);
  assert.equal(piledApart(apart, new Set(["b"]), PLACE), apart);
  const unsure = putAside(START, new Set(["a"]), PLACE);
  assert.equal(putAside(unsure, new Set(["a"]), PLACE), unsure);
  assert.equal(pileLinked(unsure, "a", "Q1"), unsure);
});

test("a pile keeps its link, and takes over one where it has none", () => {
  const linked = pileLinked(START, "a", "Q1");
  assert.deepEqual(piledWith(linked, new Set(["a"]), "b", PLACE).clusters[0], pile("ab", "Q1"));
  const both = pileLinked(linked, "b", "Q2");
  assert.deepEqual(piledWith(both, new Set(["a"]), "b", PLACE).clusters[0], pile("ab", "Q2"));
  assert.deepEqual(lostLinks(both, new Set(["a"]), "b"), ["Q1"]);
  assert.deepEqual(lostLinks(linked, new Set(["a"]), "b"), []);
});

test("a card that leaves a pile leaves its link there; a whole pile takes it along", () => {
  const linked = pileLinked(piledWith(START, new Set(["a"]), "b", PLACE), "a", "Q1");
  assert.deepEqual(piledApart(linked, new Set(["a"]), PLACE).clusters.slice(0, 2), [pile("a"), pile("b", "Q1")]);
  assert.equal(piledApart(linked, new Set(["a", "b"]), PLACE), linked);
});

test("the pile of an unsure card is none", () => {
  assert.equal(pileWith(putAside(START, new Set(["a"]), PLACE), "a"), null);
});

test("the cards that moved are told, of a link too", () => {
  const next = piledWith(START, new Set(["d"]), "b", PLACE);
  assert.deepEqual(cardsMoved(START, next, PLACE), ["b", "d"]);
  assert.deepEqual(cardsMoved(START, pileLinked(START, "c", "Q1"), PLACE), ["c"]);
  assert.deepEqual(cardsMoved(START, piledApart(START, new Set(["c"]), PLACE), PLACE), ["c"]);
});
