"use strict";
// The dashboard. Everything from the garden is put in as text, never as markup.

const $ = (selector) => document.querySelector(selector);
const views = ["overview", "recall", "memories", "decide", "permissions", "journal"];
let lastId = "";

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

async function ask(operation, body = {}) {
  const answer = await fetch(`/api/v1/${operation}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (answer.status === 401) {
    showLogin();
    throw new Error("");
  }
  const shape = await answer.json();
  if (!answer.ok) throw new Error(shape.error.message);
  return shape;
}

function tell(error) {
  $("#problem").textContent = error.message || "";
}

// What was just done, with a way back where there is one.
function say(text, back) {
  const line = $("#done");
  line.hidden = !text;
  line.replaceChildren(text);
  if (text && back) line.append(button("Undo", () => back().then(() => say("Taken back."))));
}

// A button that acts and then fills the view anew; with a question, only after a yes to it.
function button(text, act, question) {
  const made = element("button", text);
  made.type = "button";
  made.addEventListener("click", async () => {
    if (question && !confirm(question)) return;
    made.disabled = true;
    try {
      await act();
      await fill(current());
      tell({});
    } catch (error) {
      made.disabled = false;
      tell(error);
    }
  });
  return made;
}

function showLogin() {
  $("nav").hidden = true;
  for (const name of views) $(`#${name}`).hidden = true;
  $("#login").hidden = false;
  $("#login input").focus();
}

async function logIn(token) {
  const answer = await fetch("/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
  $("#login .error").textContent = answer.ok ? "" : "This is not the token.";
  return answer.ok;
}

$("#login").addEventListener("submit", async (event) => {
  event.preventDefault();
  const token = event.target.elements.token.value.trim();
  event.target.elements.token.value = "";
  if (await logIn(token)) {
    show(location.hash.slice(1));
    follow();
  }
});

function show(wanted) {
  const name = views.includes(wanted) ? wanted : "overview";
  $("#login").hidden = true;
  $("nav").hidden = false;
  for (const each of views) $(`#${each}`).hidden = each !== name;
  for (const tab of document.querySelectorAll("nav button")) {
    if (tab.dataset.view === name) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  history.replaceState(null, "", `#${name}`);
  tell({});
  say("");
  if (name === "recall") $("#ask input").focus();
  fill(name).catch(tell);
}

// Fills a view, and the number of what waits to be decided.
async function fill(name) {
  const filled = { overview, memories: () => memories(true), decide, permissions, journal }[name];
  await Promise.all([filled ? filled() : null, countWaiting()]);
}

function current() {
  return views.find((name) => !$(`#${name}`).hidden);
}

for (const tab of document.querySelectorAll("nav button")) {
  tab.addEventListener("click", () => show(tab.dataset.view));
}

async function overview() {
  const [stats, status] = await Promise.all([ask("stats"), ask("status")]);
  const live = (stats.memories.promoted || 0) + (stats.memories.candidate || 0);
  const tiles = [
    ["memories", live], ["archived", stats.memories.archived || 0], ["passages", stats.passages],
    ["sessions", stats.sessions], ["tags", stats.tags], ["links", stats.edges],
  ];
  $("#tiles").replaceChildren(...tiles.map(([label, number]) => {
    const tile = element("div");
    tile.append(element("b", number.toLocaleString()), element("span", label));
    return tile;
  }));
  const failing = status.steps.filter((step) => !step.ok).map((step) => step.name);
  $("#health").textContent = failing.length ? `Failing in the background: ${failing.join(", ")}.` : "All is well in the background.";
  $("#health").className = failing.length ? "error" : "";
  $("#steps tbody").replaceChildren(...status.steps.map((step) => {
    const row = element("tr");
    row.append(element("td", step.name), element("td", step.line, step.ok ? "" : "error"));
    return row;
  }));
}

async function countWaiting() {
  const waiting = (await ask("flagged", { scope: "all" })).flagged.length;
  $("#waiting").hidden = !waiting;
  $("#waiting").textContent = waiting;
}

function day(moment) {
  return moment ? new Date(moment).toLocaleString() : "";
}

function shortId(id) {
  return id.slice(-8);
}

// A sentence with the text of a memory in the place of its id.
function named(sentence, texts) {
  return sentence.replace(/\b[0-9a-hjkmnp-tv-z]{26}\b/g, (id) => texts[id] ? `“${texts[id]}”` : shortId(id))
    .replace(/\bcluster:\w+/g, "a common topic");
}

function card(item, more) {
  const made = element("li");
  made.append(element("p", item.content));
  const about = [item.category || "passage", item.scope.split(":")[0], day(item.created_at), shortId(item.id), ...more];
  made.append(element("small", about.filter(Boolean).join(" · ")));
  return made;
}

// What may be done with a memory, and its past on request.
function actions(memory) {
  const line = element("div");
  const archived = memory.status === "archived";
  const id = memory.id;
  if (archived) {
    line.append(button("Restore", async () => {
      await ask("restore", { id });
      say(`Restored: ${memory.content}`);
    }));
  } else {
    line.append(button("Forget", async () => {
      await ask("forget", { id });
      say(`Forgotten: ${memory.content}`, () => ask("restore", { id }));
    }, `Forget this?\n\n${memory.content}\n\nIt is archived and can be restored.`));
  }
  const past = element("ol", undefined, "past");
  const opener = element("button", "History");
  opener.type = "button";
  opener.setAttribute("aria-expanded", "false");
  opener.addEventListener("click", async () => {
    try {
      const shown = opener.getAttribute("aria-expanded") === "true";
      opener.setAttribute("aria-expanded", String(!shown));
      past.replaceChildren();
      if (shown) return;
      const { entries, texts } = await ask("history", { id });
      past.append(...entries.map((entry) =>
        element("li", `${day(entry.at)} · ${entry.actor} · ${named(entry.reason, texts)}: ${changed(entry, texts)}`)));
    } catch (error) {
      tell(error);
    }
  });
  line.append(opener, past);
  return line;
}

$("#ask").addEventListener("submit", async (event) => {
  event.preventDefault();
  const query = event.target.elements.query.value;
  try {
    const found = await ask("recall", { query, scope: "all" });
    const fitting = found.results.filter((result) => result.fits);
    const nothing = found.results.length ? "Nothing fits well; the closest:" : "Nothing found.";
    $("#fit").textContent = fitting.length ? "" : nothing;
    const shown = fitting.length ? fitting : found.results.slice(0, 3);
    $("#found").replaceChildren(...shown.map((result) => {
      const made = card(result, [result.reasons.map((reason) => named(reason, found.texts)).join("; ")]);
      if (result.doubt) made.append(element("p", `Doubtful: ${named(result.doubt, found.texts)}`, "doubt"));
      if (result.kind === "memory") made.append(actions(result));
      return made;
    }));
    tell({});
  } catch (error) {
    tell(error);
  }
});

async function memories(fresh) {
  const form = $("#filter");
  if (fresh) lastId = "";
  const asked = { scope: "all", limit: 50, archived: form.elements.archived.checked };
  if (form.elements.category.value) asked.category = form.elements.category.value;
  if (lastId) asked.after = lastId;
  const text = form.elements.text.value.trim();
  const found = text
    ? (await ask("search", { query: text, scope: "all", limit: 50, ...(asked.category ? { category: asked.category } : {}) })).results
    : (await ask("list", asked)).memories;
  const texts = Object.fromEntries(found.map((memory) => [memory.id, memory.content]));
  const cards = found.map((memory) => {
    const made = card(memory, memory.confidence === undefined ? [] : [`confidence ${memory.confidence.toFixed(2)}`]);
    for (const tag of memory.tags || []) made.append(document.createTextNode(" "), element("span", `#${tag}`, "tag"));
    if (memory.flagged || memory.doubt) made.append(element("p", `Doubtful: ${named(memory.flagged || memory.doubt, texts)}`, "doubt"));
    made.append(actions(memory));
    return made;
  });
  if (fresh) $("#listed").replaceChildren();
  $("#listed").append(...(cards.length || !fresh ? cards : [element("li", "Nothing here.")]));
  lastId = found.length ? found[found.length - 1].id : "";
  $("#more").hidden = Boolean(text) || found.length < 50;
}

$("#more").addEventListener("click", () => memories(false).catch(tell));
$("#filter").addEventListener("submit", (event) => event.preventDefault());
$("#filter").addEventListener("change", () => memories(true).catch(tell));
for (const name of ["fact", "preference", "correction", "negative", "procedure", "pattern", "decision", "gotcha",
  "convention", "episode", "handoff", "entity"]) {
  $("#filter select").append(element("option", name));
}

async function decide() {
  const { flagged } = await ask("flagged", { scope: "all" });
  const cards = flagged.map(({ memory, against }) => {
    const made = card(memory, []);
    if (!against.length) made.append(element("p", `Doubtful: ${memory.flagged}`, "doubt"));
    for (const other of against) {
      made.append(element("p", "may contradict:", "doubt"), element("blockquote", other.content));
    }
    const settle = (decision, words) => async () => {
      await ask("settle_flag", { id: memory.id, decision });
      say(`${words}: ${memory.content}`, () => ask("undo"));
    };
    if (against.length) {
      made.append(button("This one holds", settle("keep", "Kept"), `Replace the other by this?\n\n${memory.content}`));
      made.append(button("The other holds", settle("drop", "Dropped"), `Archive this?\n\n${memory.content}`));
      made.append(button("Both hold", settle("both", "Both kept")));
    } else {
      made.append(button("It holds", settle("both", "Kept")));
      made.append(button("It does not", settle("drop", "Dropped"), `Archive this?\n\n${memory.content}`));
    }
    return made;
  });
  $("#flags").replaceChildren(...(cards.length ? cards : [element("li", "Nothing to decide.")]));
}

async function permissions() {
  const [asked, did, told] = await Promise.all([ask("permissions"), ask("actions", { limit: 100 }), ask("directives")]);
  const cards = asked.requests.map(requestCard);
  $("#requests").replaceChildren(...(cards.length ? cards : [element("li", "Nothing is waiting for you.")]));
  $("#directives").replaceChildren(...told.directives.map((each) => element("li", `${each.status}: ${each.text}`)));
  $("#actions tbody").replaceChildren(...did.actions.map((entry) => {
    const row = element("tr");
    for (const text of [day(entry.at), entry.tier, entry.status, entry.rules.join(", "), entry.description]) {
      row.append(element("td", text));
    }
    return row;
  }));
}

// What was read of an action comes first; what the agent says about it is marked as its own words.
function requestCard(request) {
  const made = element("li");
  made.append(element("p", request.description));
  const outside = request.tainted ? ["text from outside led to it"] : [];
  made.append(element("small", [request.kind, request.urgency, day(request.created_at), ...outside].join(" · ")));
  made.append(element("pre", request.facts.join("\n")));
  const review = request.review;
  const said = [["Why", review.why], ["Steps", review.steps.join("; ")], ["Risks", review.risks.join("; ")],
    ["Rollback", review.rollback], ["Expected", review.expected_outcome]].filter(([, text]) => text);
  const more = element("details");
  more.append(element("summary", "The agent says"), element("pre", said.map(([name, text]) => `${name}: ${text}`).join("\n")));
  if (review.diff) more.append(element("pre", review.diff));
  made.append(more);
  const reason = element("input");
  reason.placeholder = "why (it is remembered)";
  reason.setAttribute("aria-label", "Reason");
  made.append(reason);
  for (const [decision, text] of [["approve", "Approve"], ["deny", "Deny"]]) {
    const question = decision === "approve" ? `Let exactly this happen, once?\n\n${request.description}` : "";
    made.append(button(text, () => ask("permission_decide", { id: request.id, decision, reason: reason.value }), question));
  }
  return made;
}

$("#tell").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = event.target.elements.text.value;
  event.target.elements.text.value = "";
  ask("directive_add", { text }).then(permissions).catch(tell);
});

// What an entry changed, in a line.
function changed(entry, texts) {
  const before = entry.before || {};
  const after = entry.after || {};
  if (entry.subject_kind === "edge") {
    const edge = entry.after || entry.before || {};
    return named(`${entry.after ? "linked" : "unlinked"} ${edge.source} ${(edge.kind || "").replace(/_/g, " ")} ${edge.target}`, texts);
  }
  if (entry.before === null && entry.after === null) return "erased";
  if (entry.before === null) return `created: ${after.content || after.name || entry.subject_kind}`;
  if (entry.after === null) return `removed: ${before.content || before.name || entry.subject_kind}`;
  const what = texts[entry.subject_id] || before.content || entry.subject_kind;
  if (after.status === "archived" && before.status !== "archived") return `archived: ${what}`;
  if (before.status === "archived" && after.status && after.status !== "archived") return `brought back: ${what}`;
  const fields = Object.keys(after).filter((name) => name !== "updated_at").map((name) => name.replace(/_/g, " "));
  return `${what} (${fields.join(", ")})`;
}

// Entries that were made at once are one action, and are undone as one.
async function journal() {
  const { entries, texts } = await ask("history", { limit: 200 });
  const groups = new Map();
  for (const entry of entries) {
    const action = entry.action || entry.id;
    groups.set(action, [...(groups.get(action) || []), entry]);
  }
  const undone = new Set(entries.map((entry) => entry.undoes).filter(Boolean));
  const cards = [...groups.values()].reverse().map((group) => {
    const first = group[0];
    const made = element("li");
    const reason = first.undoes ? "undo" : named(first.reason, texts);
    made.append(element("small", `${day(first.at)} · ${first.actor} · ${reason}`));
    made.append(...group.map((entry) => element("p", changed(entry, texts))));
    const gone = undone.has(first.action) || undone.has(first.cycle) || group.some((entry) => undone.has(entry.id));
    if (gone) made.append(element("small", "taken back since"));
    else if (group.some((entry) => entry.before !== null || entry.after !== null)) {
      const words = group.map((entry) => changed(entry, texts)).join("\n");
      made.append(button("Undo", async () => {
        await ask("undo", { entry: first.id });
        say("Taken back.");
      }, `Take this back?\n\n${words}`));
    }
    return made;
  });
  $("#entries").replaceChildren(...(cards.length ? cards : [element("li", "Nothing has happened yet.")]));
}

// Views follow what other programs change; what is being typed or read in Recall is left alone.
function follow() {
  if (!window.EventSource) return;
  let waiting;
  new EventSource("/changes").onmessage = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const name = current();
      if (name && name !== "recall" && !$(`#${name}`).contains(document.activeElement)) fill(name).catch(tell);
    }, 500);
  };
}

// A link may bring the token behind the #, which never leaves the browser; it is used once and taken out of sight.
async function start() {
  const brought = location.hash.match(/^#token=(.+)$/);
  if (brought) {
    history.replaceState(null, "", location.pathname);
    await logIn(decodeURIComponent(brought[1]));
  }
  await ask("status");
  show(location.hash.slice(1));
  follow();
}

start().catch(tell);
