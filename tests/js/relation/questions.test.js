import assert from "node:assert/strict";
import { test } from "node:test";

import { RELATION_ICONS } from "../../../static/js/relation/icons.js";
import {
  openWords, pieces, plainWording, questionsOf, shortened,
} from "../../../static/js/relation/questions.js";

const PAGE = {
  subject: { name: "Ada", type: "PER", description: "A person.", link: null },
  object: { name: "London", type: "GPE", description: "", link: { name: "London", description: "A city" } },
  relations: [
    { name: "born", button: "born in", sentence: "{subject} was born in {object}", icon: "i", key: "1" },
    { name: "has", button: "has", sentence: "{object} holds {subject}", icon: "", key: "" },
    { name: "none", button: "no relation", sentence: "", icon: "none", key: "n" },
    { name: "unsure", button: "can't tell", sentence: "", icon: "unsure", key: "u" },
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

test("a claim is asked about part by part, links where there are any", () => {
  const questions = questionsOf({ ...PAGE, predicted: "born" });
  assert.deepEqual(questions.map(({ part }) => part), [
    "relation", "subject_ok", "subject_type_ok", "object_ok", "object_type_ok", "object_link_ok",
  ]);
  assert.deepEqual(questions[0].options.map(({ value }) => value), ["born", "none", "unsure"]);
  assert.deepEqual(questions[1].options.map(({ value }) => value), [true, false, "unsure"]);
  assert.equal(plainWording(questions[5].ask), "London means London.");
});

test("a claim of a relation that the schema has lost can still be read", () => {
  const [holds] = questionsOf({ ...PAGE, predicted: "gone" });
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
