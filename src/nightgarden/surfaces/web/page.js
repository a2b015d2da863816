"use strict";
// The dashboard. Everything from the garden is put in as text, never as markup.

const $ = (selector) => document.querySelector(selector);
const views = ["overview", "recall", "memories", "permissions", "journal"];
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
  const token = event.target.token.value.trim();
  event.target.token.value = "";
  if (await logIn(token)) show(location.hash.slice(1));
});

function show(wanted) {
  const name = views.includes(wanted) ? wanted : "overview";
  $("#login").hidden = true;
  $("nav").hidden = false;
  for (const each of views) $(`#${each}`).hidden = each !== name;
  for (const button of document.querySelectorAll("nav button")) {
    if (button.dataset.view === name) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
  history.replaceState(null, "", `#${name}`);
  tell({});
  ({ overview, memories: () => memories(true), permissions, journal, recall: async () => $("#ask input").focus() })[name]().catch(tell);
}

for (const button of document.querySelectorAll("nav button")) {
  button.addEventListener("click", () => show(button.dataset.view));
}

async function overview() {
  const [stats, status] = await Promise.all([ask("stats"), ask("status")]);
  const live = (stats.memories.promoted || 0) + (stats.memories.candidate || 0);
  const tiles = [
    ["memories", live], ["archived", stats.memories.archived || 0], ["passages", stats.passages],
    ["sessions", stats.sessions], ["tags", stats.tags], ["links", stats.edges], ["journal entries", stats.journal_entries],
    ["waiting for vectors", stats.embedding.pending ?? "–"],
  ];
  $("#tiles").replaceChildren(...tiles.map(([label, number]) => {
    const tile = element("div");
    tile.append(element("b", number.toLocaleString()), element("span", label));
    return tile;
  }));
  $("#steps tbody").replaceChildren(...status.steps.map((step) => {
    const row = element("tr");
    row.append(element("td", step.name), element("td", step.line, step.ok ? "" : "error"));
    return row;
  }));
}

function day(moment) {
  return moment ? new Date(moment).toLocaleString() : "";
}

function card(item, more) {
  const made = element("li");
  made.append(element("p", item.content));
  const about = [item.category || "passage", item.scope.split(":")[0], day(item.created_at), ...more];
  made.append(element("small", about.filter(Boolean).join(" · ")));
  return made;
}

$("#ask").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const found = await ask("recall", { query: event.target.query.value, scope: "all" });
    const cards = found.results.map((result) => card(result, [result.reasons.join("; ")]));
    $("#found").replaceChildren(...(cards.length ? cards : [element("li", "Nothing found.")]));
    tell({});
  } catch (error) {
    tell(error);
  }
});

async function memories(fresh) {
  const form = $("#filter");
  if (fresh) lastId = "";
  const asked = { scope: "all", limit: 50, archived: form.archived.checked };
  if (form.category.value) asked.category = form.category.value;
  if (lastId) asked.after = lastId;
  const found = (await ask("list", asked)).memories;
  const cards = found.map((memory) => {
    const made = card(memory, [`confidence ${memory.confidence.toFixed(2)}`]);
    for (const tag of memory.tags) made.append(document.createTextNode(" "), element("span", `#${tag}`, "tag"));
    const act = memory.status === "archived" ? "restore" : "forget";
    const button = element("button", act);
    button.addEventListener("click", () => ask(act, { id: memory.id }).then(() => made.remove()).catch(tell));
    made.prepend(button);
    return made;
  });
  if (fresh) $("#listed").replaceChildren();
  $("#listed").append(...cards);
  lastId = found.length ? found[found.length - 1].id : "";
  $("#more").hidden = found.length < 50;
}

$("#more").addEventListener("click", () => memories(false).catch(tell));
$("#filter").addEventListener("change", () => memories(true).catch(tell));
for (const name of ["fact", "preference", "correction", "negative", "procedure", "pattern", "decision", "gotcha",
  "convention", "episode", "handoff", "entity"]) {
  $("#filter select").append(element("option", name));
}

async function permissions() {
  const [asked, did, told] = await Promise.all([ask("permissions"), ask("actions", { limit: 100 }), ask("directives")]);
  const cards = asked.requests.map(requestCard);
  $("#requests").replaceChildren(...(cards.length ? cards : [element("li", "Nothing waits for you.")]));
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
  for (const decision of ["approve", "deny"]) {
    const button = element("button", decision);
    button.addEventListener("click", () =>
      ask("permission_decide", { id: request.id, decision, reason: reason.value }).then(permissions).catch(tell));
    made.append(button);
  }
  return made;
}

$("#tell").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = event.target.text.value;
  event.target.text.value = "";
  ask("directive_add", { text }).then(permissions).catch(tell);
});

async function journal() {
  const { entries } = await ask("history", { limit: 200 });
  $("#entries tbody").replaceChildren(...entries.reverse().map((entry) => {
    const row = element("tr");
    const after = entry.after || {};
    const change = entry.before === null ? after.content || after.name || after.kind || "created"
      : entry.after === null ? "removed" : Object.keys(after).filter((name) => name !== "updated_at").join(", ");
    row.append(element("td", day(entry.at)), element("td", entry.actor), element("td", entry.reason), element("td", change));
    return row;
  }));
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
}

start().catch(tell);
