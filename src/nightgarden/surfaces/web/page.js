"use strict";
// The dashboard. Everything from the garden is put in as text, never as markup.

const $ = (selector) => document.querySelector(selector);
const views = ["overview", "recall", "memories", "decide", "permissions", "ambient", "journal"];
const ofProjects = ["recall", "memories", "decide", "permissions", "journal"]; // views that the choice of a project counts for
let lastId = "";
let question = ""; // the last one asked in Recall
let projectNames = {}; // by scope

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function ask(operation, body = {}) {
  return post(`/api/v1/${operation}`, body);
}

async function post(path, body) {
  const answer = await fetch(path, {
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
function button(text, act, asked) {
  const made = element("button", text);
  made.type = "button";
  made.addEventListener("click", async () => {
    if (asked && !confirm(asked)) return;
    made.disabled = true;
    try {
      await act();
      await fill(current());
      tell({});
    } catch (error) {
      made.disabled = false;
      if (!$("#done").contains(made)) say("");
      tell(error);
    }
  });
  return made;
}

function showLogin() {
  $("nav").hidden = true;
  $("#where").hidden = true;
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
  $("#where").hidden = !ofProjects.includes(name);
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
  await nameProjects();
  const filled = { overview, recall, memories: () => memories(true), decide, permissions, ambient, journal }[name];
  await Promise.all([filled(), countWaiting()]);
}

// The projects to choose from; those that bear the same name are told apart by their folders.
async function nameProjects() {
  const { projects } = await ask("projects");
  const names = projects.map((project) => project.name);
  const label = ({ name, root }) => names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${root})`;
  projectNames = Object.fromEntries(projects.map((project) => [project.scope, label(project)]));
  const select = $("#where select");
  const chosen = select.value;
  const offered = [["all", "all"], ["global", "none: holds everywhere"], ...Object.entries(projectNames)];
  select.replaceChildren(...offered.map(([scope, text]) => {
    const option = element("option", text);
    option.value = scope;
    return option;
  }));
  select.value = offered.some(([scope]) => scope === chosen) ? chosen : "all";
}

function scope() {
  return $("#where select").value;
}

$("#where select").addEventListener("change", () => fill(current()).catch(tell));

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
  $("#tending").replaceChildren(button("Tend now", async () => {
    const { cycle, changes, sentence } = await ask("tend");
    say(sentence, changes ? () => ask("undo", { entry: cycle }) : undefined);
  }));
  $("#steps tbody").replaceChildren(...status.steps.map((step) => {
    const row = element("tr");
    row.append(element("td", step.name), element("td", step.line, step.ok ? "" : "error"));
    return row;
  }));
}

async function countWaiting() {
  const waiting = (await ask("flagged", { scope: scope() })).flagged.length;
  $("#waiting").hidden = !waiting;
  $("#waiting").textContent = waiting;
}

function day(moment) {
  return moment ? new Date(moment).toLocaleString() : "";
}

function shortId(id) {
  return id.slice(-8);
}

function isPinned(memory) {
  return memory.tier === 1;
}

// A sentence with the text of a memory in the place of its id.
function named(sentence, texts) {
  return sentence.replace(/\b[0-9a-hjkmnp-tv-z]{26}\b/g, (id) => texts[id] ? `“${texts[id]}”` : shortId(id))
    .replace(/\bcluster:\w+/g, "a common topic");
}

function card(item, more) {
  const made = element("li");
  made.append(element("p", item.content));
  const about = [item.category || "passage", projectNames[item.scope] || item.scope.split(":")[0],
    isPinned(item) ? "pinned" : "", day(item.created_at), shortId(item.id), ...more];
  made.append(element("small", about.filter(Boolean).join(" · ")));
  return made;
}

// A button that opens something below a card, and closes it again. One is open at a time.
function opener(text, holder, make) {
  const made = element("button", text);
  made.type = "button";
  made.setAttribute("aria-expanded", "false");
  const isOpen = () => made.getAttribute("aria-expanded") === "true";
  made.addEventListener("click", async () => {
    const open = isOpen();
    for (const each of made.parentNode.children) if (each.hasAttribute("aria-expanded")) each.setAttribute("aria-expanded", "false");
    holder.replaceChildren();
    if (open) return;
    made.setAttribute("aria-expanded", "true");
    try {
      const inside = await make();
      if (!isOpen()) return;
      holder.replaceChildren(inside);
      const first = inside.querySelector("textarea, input");
      if (first) first.focus();
      tell({});
    } catch (error) {
      made.setAttribute("aria-expanded", "false");
      tell(error);
    }
  });
  return made;
}

// What may be done with a memory; more on request.
function actions(memory) {
  const line = element("div");
  const below = element("div");
  const id = memory.id;
  if (memory.status === "archived") {
    line.append(button("Restore", async () => {
      await ask("restore", { id });
      say(`Restored: ${memory.content}`);
    }));
  } else {
    line.append(button("Forget", async () => {
      await ask("forget", { id });
      say(`Forgotten: ${memory.content}`, () => ask("restore", { id }));
    }, `Forget this?\n\n${memory.content}\n\nIt is archived and can be restored.`));
    line.append(opener("Edit", below, () => editing(id)));
  }
  line.append(opener("History", below, () => past(id)), opener("Erase…", below, () => erasing(id)), below);
  return line;
}

async function past(id) {
  const { entries, texts } = await ask("history", { id });
  const list = element("ol", undefined, "past");
  list.append(...entries.map((entry) =>
    element("li", `${day(entry.at)} · ${entry.actor} · ${named(entry.reason, texts)}: ${changed(entry, texts)}`)));
  return list;
}

function labelled(text, input) {
  const label = element("label", text);
  label.append(input);
  return label;
}

// A form below a card. Enter does what its button does.
function formOf(act, ...parts) {
  const form = element("form", undefined, "below");
  form.append(...parts, act);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act.click();
  });
  return form;
}

// Text, tags and pin of a memory as it is now; saves what was changed.
async function editing(id) {
  const memory = await ask("get", { id });
  const text = element("textarea", memory.content);
  text.rows = 3;
  const tags = element("input");
  tags.value = memory.tags.join(", ");
  tags.placeholder = "separated by commas";
  const pinned = element("input");
  pinned.type = "checkbox";
  pinned.checked = isPinned(memory);
  const pin = element("label");
  pin.append(pinned, " pinned: told at every start, never fades");
  const save = button("Save", async () => {
    const content = text.value.trim();
    const wanted = tags.value.split(",").map((tag) => tag.trim()).filter(Boolean);
    const add = wanted.filter((tag) => !memory.tags.includes(tag));
    const remove = memory.tags.filter((tag) => !wanted.includes(tag));
    if (content !== memory.content) await ask("update", { id, content });
    if (pinned.checked !== isPinned(memory)) await ask(pinned.checked ? "pin" : "unpin", { id });
    if (add.length || remove.length) await ask("tag", { id, add, remove });
    say(`Saved: ${content}`);
  });
  return formOf(save, labelled("Text", text), labelled("Tags", tags), pin);
}

// There is no way back from this, so the end of the id is typed; the daemon compares it too.
function erasing(id) {
  const typed = element("input");
  typed.autocomplete = "off";
  typed.spellcheck = false;
  const erase = button("Erase for good", async () => {
    await post("/purge", { id, typed: typed.value.trim() });
    say("Erased for good.");
  });
  erase.className = "danger";
  erase.disabled = true;
  typed.addEventListener("input", () => {
    erase.disabled = typed.value.trim() !== shortId(id);
  });
  const words = "This erases it for good, from backups too, with the sentences it was taken from. It cannot be undone.";
  return formOf(erase, element("p", words, "error"), labelled(`Type ${shortId(id)} to confirm`, typed));
}

$("#ask").addEventListener("submit", (event) => {
  event.preventDefault();
  question = event.target.elements.query.value;
  recall().then(() => tell({}), tell);
});

async function recall() {
  if (!question) return;
  const found = await ask("recall", { query: question, scope: scope() });
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
}

// The tags to choose from; the one that is chosen stays chosen.
async function offerTags() {
  const select = $("#filter").elements.tag;
  const chosen = select.value;
  const names = (await ask("tags")).tags.filter((tag) => tag.memory_count).map((tag) => tag.name);
  select.replaceChildren(element("option", "all"), ...names.map((name) => element("option", name)));
  select.options[0].value = "";
  select.value = names.includes(chosen) ? chosen : "";
}

async function memories(fresh) {
  const form = $("#filter");
  if (fresh) lastId = "";
  if (fresh) await offerTags();
  const asked = { scope: scope(), limit: 50, archived: form.elements.archived.checked };
  if (form.elements.category.value) asked.category = form.elements.category.value;
  if (lastId) asked.after = lastId;
  const text = form.elements.text.value.trim();
  if (form.elements.tag.value) asked.tag = form.elements.tag.value;
  const found = text
    ? (await ask("search", { query: text, scope: scope(), limit: 50, ...(asked.category ? { category: asked.category } : {}) })).results
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
  const { flagged } = await ask("flagged", { scope: scope() });
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
  list("#flags", cards, "Nothing to decide.");
}

function list(selector, items, nothing) {
  $(selector).replaceChildren(...(items.length ? items : [element("li", nothing)]));
}

async function permissions() {
  const [asked, did, told] = await Promise.all([ask("permissions"), ask("actions", { limit: 100 }), ask("directives")]);
  const here = (each) => scope() === "all" || each.scope === scope();
  list("#requests", asked.requests.filter(here).map(requestCard), "Nothing is waiting for you.");
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
    const asked = decision === "approve" ? `Let exactly this happen, once?\n\n${request.description}` : "";
    made.append(button(text, () => ask("permission_decide", { id: request.id, decision, reason: reason.value }), asked));
  }
  return made;
}

$("#tell").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = event.target.elements.text.value;
  event.target.elements.text.value = "";
  ask("directive_add", { text }).then(permissions).catch(tell);
});

async function ambient() {
  const [{ status, cycles }, { tasks }, { requests }] = await Promise.all(
    [ask("ambient"), ask("scheduled", { scope: "all" }), ask("permissions")]);
  const wakes = status.next_wake_at ? [`Next wake: ${day(status.next_wake_at)}`, status.next_reason, status.next_context] : [];
  const next = status.state === "disabled"
    ? ["To let it run by itself, set enabled = true in the section [ambient] of the settings."] : wakes;
  $("#state").textContent = [
    [`It is ${status.state}`, status.detail].filter(Boolean).join(": "), next.filter(Boolean).join(" · "),
    ...status.waiting_events.map((event) => `Waiting: ${event}`), `Work on code: ${status.trust.line}`,
  ].filter(Boolean).join("\n");
  showControls(status.state);
  showBudget(status.budget);
  list("#pending", requests.map(requestCard), "Nothing is waiting for you.");
  list("#queue", tasks.filter((task) => task.target !== "tell").map(taskCard), "Nothing is queued.");
  list("#cycles", cycles.map(cycleCard), "There was no cycle yet.");
}

// Buttons for what can be done with the agent as it is now.
function showControls(state) {
  const control = (text, action, asked) => button(text, async () => {
    say((await ask("ambient_control", { action })).sentence);
  }, asked);
  const made = state === "paused" ? [control("Resume", "resume")] : state === "disabled" ? [] : [control("Pause", "pause")];
  made.push(state === "running" ? control("Stop", "stop", "End the cycle that is running at its next safe point?")
    : control("Run a cycle now", "run"));
  $("#controls").replaceChildren(...made);
}

// Whose the day's tokens are, in three parts.
function showBudget(budget) {
  const parts = budget ? [["you", budget.user], ["agent", budget.ambient], ["left", budget.left]] : [];
  $("#budget").hidden = !budget;
  $("#budget").replaceChildren(...parts.map(([whose, share]) => {
    const part = element("span", undefined, whose);
    part.style.flexGrow = share;
    return part;
  }));
  $("#spent").textContent = budget
    ? `Budget: ${parts.map(([whose, share]) => `${whose} ${Math.round(share * 100)}%`).join(", ")}`
    : "Budget: no mind is set for it, so it works by rules and spends nothing.";
}

function taskCard(task) {
  const made = element("li");
  made.append(element("p", task.task));
  made.append(element("small", [day(task.wake_at), task.state, task.late, task.target, task.priority].filter(Boolean).join(" · ")));
  return made;
}

function cycleCard(cycle) {
  const made = element("li");
  made.append(element("p", cycle.summary || cycle.status));
  const number = cycle.memories_modified ? `${cycle.memories_modified} memories changed` : "";
  const about = [day(cycle.started_at), cycle.status, cycle.because, number, cycle.warning, shortId(cycle.id)];
  made.append(element("small", about.filter(Boolean).join(" · ")));
  return made;
}

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
  const { entries, texts } = await ask("history", { limit: 200, scope: scope() });
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
  list("#entries", cards, "Nothing has happened yet.");
}

// Views follow what other programs change; what is being typed, edited or read in Recall is left alone.
function follow() {
  if (!window.EventSource) return;
  let waiting;
  new EventSource("/changes").onmessage = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const name = current();
      const busy = name && ($(`#${name} .below`) || $(`#${name}`).contains(document.activeElement));
      if (name && name !== "recall" && !busy) fill(name).catch(tell);
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
