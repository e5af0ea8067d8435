import assert from "node:assert/strict";
import { test } from "node:test";

import { menuContent } from "../../../static/js/entity/contents.js";
import { likely } from "../../../static/js/entity/menu-aids.js";
import { aided } from "../../../static/js/entity/aided.js";
import { listItems } from "../../../static/js/entity/list-items.js";
import { submitWarnings } from "../../../static/js/entity/submit-warnings.js";
import { AnswerEditor } from "../../../static/js/entity/answer-editor.js";
import { makeAnswer, makePage } from "./tasks.js";

const TEXT = Array.from({ length: 40 }, (_, i) => `word${i}`).join(" ");
const keyOf = (action) => `<${action}>`;

function menuOf(answer, { selection = null, chosen = [], more = {}, link = true } = {}) {
  const page = makePage(TEXT, more);
  const editor = new AnswerEditor(page, answer);
  const target = editor.target(selection, new Set(chosen), 39);
  const { title, sections } = menuContent(target, page, editor.named(), { link }, keyOf);
  const items = Object.fromEntries(
    sections.map(({ label, items: all }) => [label, all.map(({ action, value }) => value ?? action)]),
  );
  return { title, ...items, sections };
}

test("words that are not marked are offered types and entities, each with its key", () => {
  const menu = menuOf(makeAnswer("m1:0-1:PER:e1"), { selection: { start: 3, end: 5 } });
  assert.equal(menu.title, "“word3 word4”");
  assert.deepEqual([menu.Type, menu["Same as"], menu.More], [["PER", "LOC", "definitions"], ["e1"], []]);
  assert.deepEqual(menu.sections[0].items.slice(0, 2).map(({ key }) => key), ["<type:PER>", "<type:LOC>"]);
  assert.equal(menu.sections[1].items[0].key, "<same:1>");
});

test("a mention shows its type as pressed and is not offered its own entity", () => {
  const menu = menuOf(makeAnswer("m1:0-1:PER:e1", "m2:2-3:LOC:e2"), { chosen: ["m1"] });
  assert.equal(menu.title, "“word0” · PER");
  assert.deepEqual(menu.sections[0].items.slice(0, 2).map(({ pressed }) => pressed), [true, false]);
  assert.deepEqual([menu["Same as"], menu.More], [["e2"], ["link", "doubt", "remove"]]);
});

test("a name that has its type is offered those of another only where they are alike", (t) => {
  const page = makePage("Mirjam de Wit 1888 Wit");
  const editor = new AnswerEditor(page, makeAnswer("m1:0-3:PER:e1", "m2:3-4:LOC:e2", "m3:4-5:LOC:e3"));
  const same = (chosen) =>
    menuContent(editor.target(null, new Set(chosen), 0), page, editor.named(), {}, keyOf)
      .sections[1].items.map(({ action, value }) => value ?? action);
  t.after(() => Object.assign(aided, { likely: (entities) => entities }));
  aided.likely = likely;
  assert.deepEqual(same(["m1"]), ["e3", "other"]); // and the rest by a search
  assert.deepEqual(same(["m2"]), ["e3", "other"]);
  assert.deepEqual(same(["m3"]).sort(), ["e1", "e2"]);
});

test("mentions of several entities can be made one, those of one put on their own", () => {
  const answer = makeAnswer("m1:0-1:PER:e1", "m2:2-3:PER:e2", "m3:4-5:PER:e2");
  assert.deepEqual(menuOf(answer, { chosen: ["m1", "m2"] }).More, ["unite", "separate", "remove"]);
  assert.deepEqual(menuOf(answer, { chosen: ["m2"] }).More, ["separate", "link", "doubt", "remove"]);
});

test("nine entities have a digit; a search finds the others", () => {
  const lines = Array.from({ length: 12 }, (_, i) => `m${i}:${i}-${i + 1}:PER:e${i}`);
  const menu = menuOf(makeAnswer(...lines), { selection: { start: 30, end: 31 } });
  assert.equal(menu["Same as"].length, 10);
  assert.equal(menu["Same as"].at(-1), "other");
});

test("without coreference or a knowledge base neither is spoken of", () => {
  const answer = makeAnswer("m1:0-1:PER", "m2:2-3:PER");
  const menu = menuOf(answer, { chosen: ["m1"], more: { coreference: false }, link: false });
  assert.deepEqual([menu["Same as"], menu.More], [[], ["doubt", "remove"]]);
});

function listOf(answer, { more = {}, focus = [], link = true } = {}) {
  const page = makePage(TEXT, more);
  const editor = new AnswerEditor(page, answer);
  const items = listItems({ editor, page, can: { link }, inFocus: new Set(focus), linkName: (key) => `name of ${key}` });
  return items.map(({ fingerprint, whole }) => ({ fingerprint, ...whole() }));
}

test("the list shows an entity once, by its canonical mention, with its link by name", () => {
  const answer = makeAnswer("m1:0-1:PER:e1", "m2:2-4:PER:e1");
  answer.entities[0] = { ...answer.entities[0], canonical: "m2", link: "Q1" };
  const [item] = listOf(answer, { focus: ["m1"] });
  assert.equal(item.name, "word2 word3");
  assert.equal(item.link, "→ name of Q1");
  assert.equal(item.inFocus, true);
  assert.deepEqual(item.mentions.map(({ called }) => called), [false, true]);
});

test("the list says what is not linked yet, and what has no entry; a date or an amount has none", () => {
  const types = [
    { name: "PER", colour: 1 }, { name: "DATE", colour: 2, value: "date" }, { name: "SUM", colour: 3, link: false },
  ];
  const page = makePage(TEXT, { types });
  const editor = new AnswerEditor(page, makeAnswer("m1:0-1:PER:e1", "m2:2-3:DATE:e2", "m3:4-5:PER:e3", "m4:6-7:SUM:e4"));
  const links = () =>
    listItems({ editor, page, can: { link: true }, inFocus: new Set(), linkName: String }).map(({ whole }) => whole().link);
  editor.link([editor.answer.mentions[2]], null);
  assert.deepEqual(links(), ["Not linked", "", "No entry", ""]);
  const warnings = () => submitWarnings(editor, page, { link: true });
  assert.match(warnings(), /1 name is not linked/);
  editor.link([editor.answer.mentions[0]], { key: "Q1", name: "One" });
  assert.doesNotMatch(warnings(), /not linked/);
  editor.remove(editor.target(null, new Set(["m3"]), 0));
  assert.deepEqual(editor.answer.unlisted, []);
  const asks = (id) => {
    const name = editor.target(null, new Set([id]), 0);
    const { sections } = menuContent(name, page, editor.named(), { link: true }, keyOf);
    return sections.at(-1).items.some(({ action }) => action === "link");
  };
  assert.deepEqual(["m1", "m2", "m4"].map(asks), [true, false, false]);
});

test("without coreference the list shows single mentions", () => {
  const items = listOf(makeAnswer("m1:0-1:PER", "m2:2-3:LOC"), { more: { coreference: false } });
  assert.deepEqual(items.map(({ name, look }) => [name, look]), [
    ["word0", "type-1 pattern-0"], ["word2", "type-2 pattern-1"],
  ]);
});

test("mentions that read alike are one item, unless one is doubted, linked otherwise, or a date", () => {
  const types = [{ name: "PER", colour: 1 }, { name: "DATE", colour: 2, value: "date" }];
  const page = makePage("Ann saw Ann and Ann Monday Monday", { types, coreference: false });
  const answer = makeAnswer("m1:0-1:PER", "m2:2-3:PER", "m3:4-5:PER", "m4:5-6:DATE", "m5:6-7:DATE");
  const editor = new AnswerEditor(page, answer);
  const items = (about = {}) =>
    listItems({ editor, page, can: { link: true }, inFocus: new Set(), linkName: String, ...about })
      .map(({ fingerprint, whole }) => ({ fingerprint, ...whole() }));
  const told = (about) => items(about).map(({ name, mentions, at }) => [name, mentions.length, at]);
  assert.deepEqual(told(), [["Ann", 3, -1], ["Monday", 1, -1], ["Monday", 1, -1]]);
  assert.deepEqual(told({ inFocus: new Set(["m2"]) })[0], ["Ann", 3, 1]);
  const at = (id) => items({ inFocus: new Set([id]) })[0].fingerprint;
  assert.notEqual(at("m1"), at("m2"));
  assert.deepEqual(told({ unsure: [editor.answer.mentions[1]] })[1], ["Ann", 1, -1]);
  editor.link(editor.answer.mentions.slice(0, 2), { key: "Q1", name: "Ann" });
  assert.deepEqual(items().map(({ link, mentions }) => [link, mentions.length]), [
    ["→ Q1", 2], ["Not linked", 1], ["", 1], ["", 1],
  ]);
  editor.link(editor.answer.mentions.slice(0, 1), null);
  editor.link(editor.answer.mentions.slice(1, 2), null);
  assert.deepEqual(items().slice(0, 2).map(({ link, mentions }) => [link, mentions.length]), [
    ["No entry", 2], ["Not linked", 1],
  ]);
});

test("an item that looks as before says so", () => {
  const answer = makeAnswer("m1:0-1:PER:e1", "m2:2-3:LOC:e2");
  const [one, other] = listOf(answer);
  const [same, changed] = listOf(answer, { focus: ["m2"] });
  assert.equal(one.fingerprint, same.fingerprint);
  assert.notEqual(other.fingerprint, changed.fingerprint);
});
