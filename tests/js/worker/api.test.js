import assert from "node:assert/strict";
import test from "node:test";

import { Api } from "../../../static/js/worker/api.js";

const WORK = { api: "/api/work/", link: "the-link" };
const JOINED = { token: "t1", available: 3, available_more: false, next: { assignment: null } };

/** An Api whose server answers with these replies in turn; `asked` are the requests. */
function served(t, ...replies) {
  const asked = [];
  t.mock.method(globalThis, "fetch", async (url, { method, headers, body, keepalive, signal }) => {
    asked.push({ url, method, headers, body: body && JSON.parse(body), keepalive });
    const reply = replies.shift();
    if (reply instanceof Error) throw reply;
    if (typeof reply === "function") return reply(signal);
    const [status, content, more = {}] = reply;
    const text = typeof content === "string" ? content : JSON.stringify(content);
    return new Response(status === 204 ? null : text, { status, headers: more });
  });
  return { api: new Api(WORK, "device-1"), asked };
}

test("joining names the link and the device, and may bring a task", async (t) => {
  const { api, asked } = served(t, [200, JOINED]);
  assert.deepEqual(await api.join(true), JOINED);
  assert.deepEqual(asked[0].body, { link: "the-link", device: "device-1", next: true });
  assert.equal(asked[0].headers.Authorization, undefined);
});

test("what follows carries the token, and joins first where there is none", async (t) => {
  const { api, asked } = served(t, [200, JOINED], [200, { assignment: null }]);
  await api.next();
  assert.deepEqual(asked.map(({ url }) => url), ["/api/work/join/", "/api/work/next/"]);
  assert.equal(asked[1].headers.Authorization, "Worker t1");
});

test("a token that ran out is renewed by the link, and the request sent again", async (t) => {
  const { api, asked } = served(
    t, [200, JOINED], [401, { detail: "Your session has expired." }],
    [200, { ...JOINED, token: "t2" }], [200, { expires_at: "later" }],
  );
  await api.join();
  assert.deepEqual(await api.saveDraft("k", [1]), { expires_at: "later" });
  assert.equal(asked.at(-1).headers.Authorization, "Worker t2");
  assert.deepEqual(asked.at(-1).body, { answer: [1] });
});

test("a token that is refused twice is refused", async (t) => {
  const refusal = [401, { detail: "This session belongs to no campaign any more." }];
  const { api } = served(t, [200, JOINED], refusal, [200, JOINED], refusal);
  await assert.rejects(api.next(), { kind: "refused", status: 401 });
});

test("requests that run out of token at once join once", async (t) => {
  const { api, asked } = served(t, [200, JOINED], [204], [204]);
  await Promise.all([api.ask("POST", "a/", {}), api.ask("POST", "b/", {})]);
  assert.equal(asked.filter(({ url }) => url.endsWith("join/")).length, 1);
});

test("a refusal carries what the server says", async (t) => {
  const errors = [{ field: "mentions[0]", message: "It overlaps another." }];
  const { api } = served(
    t, [200, JOINED], [400, { detail: "The answer can't be taken.", errors }],
    [409, { detail: "This task is expired.", errors: [], state: "expired" }],
  );
  await api.join();
  const entry = { key: "k", answer: [], seconds: 1, events: [] };
  await assert.rejects(api.submit(entry),
    { kind: "refused", status: 400, message: "The answer can't be taken.", errors, isPassing: false });
  await assert.rejects(api.saveDraft("k", []), { state: "expired", status: 409 });
});

test("what passes is told by its kind", async (t) => {
  const { api } = served(
    t, [200, JOINED], [503, "<h1>Service Unavailable</h1>"], [500, {}], [404, "<h1>Proxy</h1>"],
    [429, { detail: "Throttled." }, { "Retry-After": "7" }], [200, "<h1>Log in to the hotel</h1>"],
    new TypeError("Failed to fetch"),
  );
  await api.join();
  for (const kind of ["trouble", "trouble", "trouble"]) {
    await assert.rejects(api.next(), { kind, isPassing: true });
  }
  await assert.rejects(api.next(), { kind: "busy", pause: 7_000, isPassing: true });
  await assert.rejects(api.next(), { kind: "offline" });
  await assert.rejects(api.next(), { kind: "offline", message: "There is no network." });
});

test("a pause for which no page waits is a refusal, in the server's words", async (t) => {
  const detail = "Too many people have joined from your network in a short time.";
  const { api } = served(
    t, [429, { detail }, { "Retry-After": "121" }], [429, { detail }, { "Retry-After": "120" }],
    [429, "<h1>Proxy</h1>", { "Retry-After": "3600" }],
  );
  await assert.rejects(api.join(),
    { kind: "refused", status: 429, message: detail, state: "", isPassing: false });
  await assert.rejects(api.join(), { kind: "busy", pause: 120_000 });
  await assert.rejects(api.join(), { kind: "busy" });
});

test("a search that its page gave up is no failure of the network", async (t) => {
  const stop = new AbortController();
  const { api } = served(t, [200, JOINED], async () => {
    stop.abort();
    throw stop.signal.reason;
  });
  await assert.rejects(api.search("Ada", { signal: stop.signal }), { name: "AbortError" });
});

test("entries are looked up in batches", async (t) => {
  const { api, asked } = served(
    t, [200, JOINED], [200, { results: ["first"] }], [200, { results: ["second"] }],
  );
  const keys = Array.from({ length: 60 }, (_, i) => `Q${i}`);
  assert.deepEqual(await api.lookup(keys), ["first", "second"]);
  assert.match(asked[1].url, /entities\/\?key=Q0&key=Q1&/);
  assert.equal(asked[1].method, "GET");
});

test("no more outlives its page at once than browsers allow", async (t) => {
  const { api, asked } = served(t, [200, JOINED], ...Array(5).fill([204]));
  await api.join();
  await api.saveDraft("k", "é".repeat(31_000), true);
  const large = "é".repeat(20_000);
  await Promise.all([api.saveDraft("k", large, true), api.sendEvents("k", [large], true)]);
  await api.sendEvents("k", [large], true);
  assert.deepEqual(asked.map(({ keepalive }) => keepalive), [false, false, true, false, true]);
});

test("what is too large is refused, whoever says so", async (t) => {
  const { api } = served(
    t, [200, JOINED], [413, "<html>Request Entity Too Large</html>"],
    [413, { detail: "The answer is larger than 5 MB." }],
  );
  await api.join();
  await assert.rejects(api.saveDraft("k", []),
    { kind: "refused", status: 413, message: /larger than the server takes/ });
  await assert.rejects(api.saveDraft("k", []), { message: "The answer is larger than 5 MB." });
});

test("the server's times hold, whatever the device's clock says", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.parse("2020-01-01T00:00:00Z") });
  const { api } = served(t, [200, JOINED, { Date: "Sat, 21 Nov 2026 10:00:00 GMT" }]);
  await api.join();
  assert.equal(api.until("2026-11-21T10:00:40Z"), 40_000);
});
