import assert from "node:assert/strict";
import test from "node:test";

import {
  declinedNotice, milestoneNotice, noticeOf, refusedNotice, thanksNotice,
} from "../../../static/js/worker/later/notices.js";
import { timeIsOver } from "../../../static/js/worker/later/outcomes.js";

const onPage = { hidden: true, textContent: "" }; // the notice that stands there
const progress = { submitted: 2, earned_mills: 120, currency: "USD" };
function noticed(...given) {
  globalThis.document = { ...globalThis.document, querySelector: () => onPage }; // which all tests share
  return noticeOf(...given);
}
const next = (reason, fields) => noticed({
  reason, message: "So it is.", progress, appeal: null, can_appeal: false, ...fields,
});

test("each end has words of its own, says what to do, and what was done", () => {
  const reasons = [
    "nothing_left", "campaign_draft", "campaign_paused", "campaign_closed", "budget_used_up",
    "not_selected", "not_qualified", "paused", "blocked",
  ];
  const titles = reasons.map((reason) => next(reason).title);
  assert.equal(new Set(titles).size, reasons.length);
  for (const reason of reasons) {
    assert.match(next(reason).text, /^So it is\. .*You have handed in 2 tasks and earned \$0\.12\./);
  }
});

test("what was done just before is told first, and nothing is told twice", () => {
  const textAfter = (before) => noticed({ reason: "nothing_left", message: "So it is.", progress }, before).text;
  assert.match(textAfter("Your correction counts."), /^Your correction counts\. So it is\. /);
  assert.equal(textAfter("So it is."), textAfter(""));
});

test("who is out may look again and ask for a review; others ask for a task", () => {
  assert.equal(next("paused", { can_appeal: true }).again, "Check again");
  assert.equal(next("paused", { can_appeal: true }).canAppeal, true);
  assert.equal(next("not_qualified", { can_appeal: true }).canAppeal, true);
  assert.deepEqual(
    ["nothing_left", "budget_used_up", "blocked", "campaign_closed"].map((r) => next(r).again),
    ["Ask for a task", "Ask for a task", "Check again", ""],
  );
  assert.equal(next("nothing_left", { can_appeal: true }).canAppeal, false);
});

test("who is out and looks again reads when that was", (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 5_000 });
  assert.doesNotMatch(next("not_qualified").text, /Last checked/); // nothing was, as yet
  Object.assign(onPage, { hidden: false, textContent: next("not_qualified").title });
  t.after(() => Object.assign(onPage, { hidden: true }));
  assert.match(next("not_qualified").text, / Last checked at .*:05\b.*\.$/);
  assert.doesNotMatch(next("budget_used_up").text, /Last checked/);
});

test("who stops before the end reads that there may be another code", () => {
  const told = (ending, code = "C1") => thanksNotice({ progress, completion_code: code, ending }).text;
  assert.match(told("stopped"), /the last one counts for all of your work\.$/);
  assert.doesNotMatch(told("completed"), /another code/);
  assert.doesNotMatch(told("stopped", null), /another code/);
});

test("who stops reads what was rejected, and finds it in My work", () => {
  const append = function append(...children) {
    this.children = children;
  };
  globalThis.document = { createElement: () => ({ dataset: {}, append }) };
  const [told] = thanksNotice({ progress, rejected: 1 }).appeal;
  assert.equal(told.children[0], "1 of your answers was rejected. ");
  assert.equal(told.children[1].dataset.act, "my-work");
  assert.deepEqual(thanksNotice({ progress }).appeal, []);
  delete globalThis.document;
});

test("the request for a review is told where it matters", () => {
  const append = function append(...words) {
    this.words = words.map((one) => one.textContent ?? one).join("");
  };
  globalThis.document = { createElement: () => ({ append, get textContent() { return this.words; } }) };
  const appeal = { text: "I have read it.", created_at: "2026-01-01T10:00:00Z", answered_at: null };
  const [asked, answer] = next("paused", { appeal }).appeal;
  assert.match(asked.words, /^You asked for a review on .*: I have read it\.$/);
  assert.match(answer.words, /^There is no answer yet/);
  assert.deepEqual(next("nothing_left", { appeal }).appeal, []);
  assert.deepEqual(next("paused", {}).appeal, []);
  delete globalThis.document;
});

test("a code is told with what it stands for", () => {
  const told = next("campaign_closed", { completion_code: "C1", ending: "stopped" });
  assert.equal(told.code, "C1");
  assert.match(told.ending, /for what you have done\. Paste it where you found the link:$/);
  assert.equal(next("campaign_closed", { ending: "stopped" }).ending, "");
});

test("who is done is told so, thanked, and told what comes next, which is not to ask later", () => {
  const told = next("nothing_left", { completion_code: "C1", ending: "completed" });
  assert.equal(told.title, "All done for now");
  assert.equal(
    told.text,
    "Thank you for your work. You have handed in 2 tasks and earned $0.12. If more comes, this page shows it by itself.",
  );
  assert.equal(told.ending, "Your completion code. Paste it where you found the link:");
  assert.equal(told.moment.kind, "done");
});

test("a milestone has one thing to do", () => {
  const told = milestoneNotice({ kind: "qualified", message: "You are in: 90% right." });
  assert.deepEqual([told.title, told.again, told.isNext], ["You are in", "Go on", true]);
});

test("who does not agree reads what is kept, which depends on whether they were in", () => {
  assert.match(declinedNotice(false).text, /You were asked for nothing, and nothing was kept/);
  assert.match(declinedNotice(true).text, /what you did before is kept/);
});

test("a refusal is titled by whether it may pass", () => {
  const title = (status) => refusedNotice({ status, message: "So it is." }, false).title;
  assert.equal(title(403), "You can’t join here");
  assert.equal(title(429), "You can’t join just now");
  assert.equal(title(400), "This link leads nowhere");
});

test("only words from another device can be put away where joining is refused", () => {
  const refusal = { status: 403, message: "Nobody has these words." };
  assert.equal(refusedNotice(refusal, false).again, "");
  assert.notEqual(refusedNotice(refusal, true).again, "");
});

test("the time that is over costs no work, nor its pay", () => {
  assert.match(timeIsOver(60), /your work is kept and paid\.$/);
  assert.match(timeIsOver(0), /your work is kept\.$/);
});
