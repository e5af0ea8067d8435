import assert from "node:assert/strict";
import { test } from "node:test";

import {
  cardsMoved, eachAlone, lostLinks, piledApart, piledWith, pileLinked, pileWith, putAside,
} from "../../../static/js/linking/piles.js";
import { placeOf } from "./cards.js";

const IDS = ["a", "b", "c", "d"];
const PLACE = placeOf(IDS);
const START = eachAlone(IDS);
const pile = (mentions, link = null) => ({ link, mentions: [...mentions] });
const answer = (clusters, unsure = []) => ({ clusters, unsure });

test("at first each card is alone", () => {
  assert.deepEqual(START, answer([pile("a"), pile("b"), pile("c"), pile("d")]));
});

test("cards and piles stand in the order of the task, whatever was put where", () => {
  const next = piledWith(START, new Set(["a", "d"]), "c", PLACE);
  assert.deepEqual(next, answer([pile("acd"), pile("b")]));
  assert.deepEqual(START.clusters.length, 4); // the input is left alone
});

test("a card goes apart, to the unsure, and back", () => {
  const together = piledWith(START, new Set(["b", "c"]), "a", PLACE);
  assert.deepEqual(piledApart(together, new Set(["b"]), PLACE), answer([pile("ac"), pile("b"), pile("d")]));
  const unsure = putAside(together, new Set(["a"]), PLACE);
  assert.deepEqual(unsure, answer([pile("bc"), pile("d")], ["a"]));
  assert.deepEqual(piledWith(unsure, new Set(["a"]), "c", PLACE), together);
});

test("what changes nothing gives the same answer", () => {
  assert.equal(piledApart(START, new Set(["b"]), PLACE), START);
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
});
