import assert from "node:assert/strict";
import { test } from "node:test";

import { RELATION_ICONS } from "../../../static/js/relation/icons.js";
import {
  WHOLE, isUntouched, openWords, pieces, plainAsk, plainWording, questionsOf, rowsBefore, shortened, shownAnswer,
  turnedOption, wholeOf, withRow, withWhole,
} from "../../../static/js/relation/questions.js";

const PAGE = {
  subject: { name: "Ada", type: "PER", description: "A person.", link: null },
  object: { name: "London", type: "GPE", description: "", link: { name: "London", description: "A city" } },
  relations: [
    { name: "born", button: "born in", sentence: "{subject} was born in {object}", icon: "i", key: "1" },
    { name: "has", button: "has", sentence: "{object} holds {subject}", icon: "", key: "" },
    { name: "none", sentence: "", icon: "none", key: "n" },
    { name: "unsure", sentence: "", icon: "unsure", key: "u" },
  ],
};

test("a pair is one question with a wording for each relation, whichever name comes first", () => {
  const [question, ...others] = questionsOf(PAGE);
  assert.deepEqual(others, []);
  assert.equal(plainWording(question.ask), "How is Ada related to London?");
  assert.deepEqual(question.options.map(({ wording }) => plainWording(wording)), [
    "Ada was born in London", "London holds Ada", "No relation", "Can’t tell",
  ]);
  assert.deepEqual(question.options.map(({ isPlain }) => isPlain), [false, false, true, true]);
  assert.deepEqual(question.options[1].wording[0], { text: "London", side: "object" });
});

const CLAIM = { ...PAGE, predicted: "born" };
const ALL_TRUE = {
  relation: "born", subject_ok: true, subject_type_ok: true, object_ok: true, object_type_ok: true,
  object_link_ok: true,
};
const NOTHING = Object.fromEntries(Object.keys(ALL_TRUE).map((part) => [part, null]));

test("a claim is asked about as a whole first, then part by part, links where there are any", () => {
  const questions = questionsOf(CLAIM);
  assert.deepEqual(questions.map(({ part }) => part), [
    WHOLE, "relation", "subject_ok", "subject_type_ok", "object_ok", "object_type_ok",
    "object_link_ok",
  ]);
  assert.equal(plainWording(questions[0].ask), "Is all of this true?");
  assert.equal(plainWording(questions[1].ask), "Ada was born in London");
  assert.deepEqual(questions[1].options.map(({ value }) => value), ["born", "none", "unsure"]);
  assert.deepEqual(questions[2].options.map(({ value }) => value), [true, false, "unsure"]);
  assert.equal(plainWording(questions[6].ask), "London means London (A city).");
});

test("a long name is written in full where its letters are asked about, and short in what is said of it", () => {
  const name = "Ada ".repeat(20).trim();
  const [, holds, ok] = questionsOf({ ...CLAIM, subject: { ...CLAIM.subject, name } });
  assert.ok(plainWording(holds.ask).startsWith(shortened(name)));
  assert.equal(plainWording(ok.ask), `${name} is marked in full, with nothing extra.`);
  assert.equal(plainAsk(ok), `${shortened(name)} is marked in full, with nothing extra`);
});

test("an entry of the same name is told by what it is, or by its key", () => {
  const asked = (link) => {
    const { ask, note } = questionsOf({ ...CLAIM, object: { ...CLAIM.object, link } }).at(-1);
    return [plainWording(ask), note];
  };
  const other = { key: "Q84", name: "London, England", description: "A city" };
  assert.deepEqual(asked(other), ["London means London, England.", "A city"]);
  assert.deepEqual(asked({ ...other, name: "London" }), ["London means London (A city).", ""]);
  const bare = { key: "Q84", name: "London", description: "" };
  assert.deepEqual(asked(bare), ["London means London (Q84).", ""]);
  const long = { ...bare, description: "A city of the south, on both sides of a river with tides" };
  assert.deepEqual(asked(long), ["London means London.", long.description]); // once, and whole
});

test("of a claim only those parts are asked that the task names", () => {
  const partsOf = (...asks) => questionsOf({ ...CLAIM, asks }).map(({ part }) => part);
  assert.deepEqual(partsOf("relation"), ["relation"]);
  assert.deepEqual(partsOf("object_link_ok"), ["object_link_ok"]);
  assert.deepEqual(partsOf("relation", "object_link_ok"), [WHOLE, "relation", "object_link_ok"]);
  assert.deepEqual(partsOf("subject_ok", "object_ok"), [WHOLE, "subject_ok", "object_ok"]);
});

test("one verdict says that all is true, and taken back it says nothing of the parts", () => {
  const questions = questionsOf(CLAIM);
  const all = withWhole(questions, NOTHING, "all");
  assert.deepEqual(all, ALL_TRUE);
  assert.equal(wholeOf(questions, all, false), "all");
  assert.deepEqual(withWhole(questions, all, "some"), NOTHING);
  const unsure = withWhole(questions, all, "unsure"); // in one press, of each part
  assert.deepEqual(new Set(questions.slice(1).map(({ part }) => unsure[part])), new Set(["unsure"]));
  assert.equal(wholeOf(questions, unsure, false), "unsure");
  assert.deepEqual(withWhole(questions, unsure, "some"), NOTHING);
  const one = { ...NOTHING, object_ok: false };
  assert.deepEqual(withWhole(questions, one, "some"), one);
  assert.equal(wholeOf(questions, NOTHING, false), null);
  assert.equal(wholeOf(questions, one, false), "some");
});

test("what was said of rows comes back once they are opened again", () => {
  const questions = questionsOf(CLAIM);
  const rows = { ...ALL_TRUE, object_ok: false };
  const closed = withWhole(questions, { ...rows, evidence: [[1, 2]] }, "all");
  assert.deepEqual(closed, { ...ALL_TRUE, evidence: [[1, 2]] });
  assert.deepEqual(withWhole(questions, closed, "some", rows), { ...rows, evidence: [[1, 2]] });
  const more = withRow(questions, ALL_TRUE, false, "subject_ok", false, rows);
  assert.deepEqual(more, { ...rows, subject_ok: false });
});

test("rows begin at yes, and are an answer only once one of them is changed", () => {
  const questions = questionsOf(CLAIM);
  const shown = shownAnswer(questions, NOTHING, true);
  assert.deepEqual(shown, ALL_TRUE);
  assert.equal(wholeOf(questions, NOTHING, true), "some");
  assert.equal(wholeOf(questions, { ...ALL_TRUE, object_ok: "unsure" }, true), "unsure");
  assert.equal(wholeOf(questions, { ...ALL_TRUE, object_ok: "unsure", relation: "none" }, true), "some");
  assert.deepEqual(shownAnswer(questions, NOTHING, false), NOTHING);
  const [row] = questions.filter(({ part }) => part === "object_ok");
  const turn = (answer) => {
    const value = rowsBefore(questions, answer, true).object_ok;
    return withRow(questions, answer, true, "object_ok", turnedOption(row, value).value);
  };
  const no = turn(NOTHING);
  assert.deepEqual(no, { ...ALL_TRUE, object_ok: false });
  const unsure = turn(no);
  assert.deepEqual(unsure, { ...ALL_TRUE, object_ok: "unsure" });
  assert.deepEqual(turn(unsure), NOTHING);
  assert.ok(isUntouched(questions, NOTHING));
  assert.ok(!isUntouched(questions, no));
  const [, relation] = questions;
  assert.equal(turnedOption(relation, "born").value, "none");
});

test("a row of a claim that can't be told as a whole begins at yes too, as its hint says", () => {
  const questions = questionsOf(CLAIM);
  const unsure = withWhole(questions, NOTHING, "unsure");
  const before = rowsBefore(questions, unsure, false);
  assert.deepEqual(before, ALL_TRUE);
  const next = turnedOption(questions.find(({ part }) => part === "object_ok"), before.object_ok).value;
  assert.deepEqual(withRow(questions, unsure, false, "object_ok", next), { ...ALL_TRUE, object_ok: false });
});

test("rows of which only some had an answer stay open", () => {
  const questions = questionsOf(CLAIM);
  const begun = { ...NOTHING, subject_ok: false };
  assert.deepEqual(shownAnswer(questions, begun, true), begun);
  assert.deepEqual(withRow(questions, begun, true, "object_ok", true), { ...begun, object_ok: true });
});

test("a claim of a relation that the schema has lost can still be read", () => {
  const [, holds] = questionsOf({ ...PAGE, predicted: "gone" });
  assert.equal(plainWording(holds.ask), "Ada gone London");
});

test("a name that looks like a side is no side", () => {
  const parts = pieces("{subject} saw {object}", { ...PAGE, subject: { name: "{object}" } });
  assert.deepEqual(parts[0], { text: "{object}", side: "subject" });
});

test("long names lose their middle, and no letter is cut in two", () => {
  assert.equal(shortened("Ada  Lovelace"), "Ada Lovelace");
  const short = shortened("😀".repeat(100));
  assert.equal([...short].length, 48);
  assert.match(short, /^😀+…😀+$/u);
});

test("what is open is told in words", () => {
  assert.equal(openWords([], [1]), "");
  assert.match(openWords([1], [1]), /Choose an answer first/);
  assert.match(openWords([1], [1, 2]), /One question/);
  assert.match(openWords([1, 2], [1, 2, 3]), /2 questions/);
});

test("each of the 25 relations has an icon of its own, and so have the two other answers", () => {
  const drawn = Object.values(RELATION_ICONS);
  assert.equal(drawn.length, 27);
  assert.equal(new Set(drawn).size, 27);
  for (const path of drawn) assert.match(path, /^[MmLlHhVvAaCcZz0-9 .-]+$/);
});
