// Runs the dashboard's own page and script against a living daemon, and does what a person does there.
// Arguments: the folder of jsdom, the link with the token, what is done. Prints what was seen as one line of JSON.
"use strict";
const { createRequire } = require("node:module");
const path = require("node:path");

const [folder, link, story] = process.argv.slice(2);
const { JSDOM } = createRequire(path.join(folder, "package.json"))("jsdom");
const site = new URL(link).origin;
const questions = [];
let cookie = "";
let answer = true;
let asking = 0; // requests that are not answered yet

async function fetchWithCookie(address, options = {}) {
  const headers = { ...(options.headers || {}), ...(cookie ? { Cookie: cookie } : {}) };
  asking += 1;
  try {
    const got = await fetch(new URL(address, site), { ...options, headers });
    const set = got.headers.get("set-cookie");
    if (set) cookie = set.split(";")[0];
    const text = await got.text();
    return { ok: got.ok, status: got.status, json: async () => JSON.parse(text) };
  } finally {
    asking -= 1;
  }
}

async function until(what, state) {
  const end = Date.now() + 60_000;
  for (;;) {
    const value = state();
    if (value) return value;
    if (Date.now() > end) throw new Error(`not seen: ${what}; the page says: ${page.window.document.body.textContent}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

let page;
const $ = (selector) => page.window.document.querySelector(selector);
const all = (selector) => [...page.window.document.querySelectorAll(selector)];
const named = (text, inside) => all(`${inside} button`).find((each) => each.textContent === text);
const press = (text, inside) => named(text, inside).click();
const go = (view) => $(`nav button[data-view=${view}]`).click();
const fire = (target, name) => target.dispatchEvent(new page.window.Event(name, { bubbles: true, cancelable: true }));
const texts = (selector) => all(selector).map((each) => each.textContent);

function type(selector, text) {
  $(selector).value = text;
  fire($(selector), "input");
}

function choose(name) {
  const select = $("#where select");
  select.value = [...select.options].find((each) => each.textContent === name).value;
  fire(select, "change");
}

const stories = { decide, manage, ambient };

async function decide(seen) {
  seen.token_in_sight = page.window.location.hash.includes("token");
  seen.waiting = await until("what waits", () => $("#waiting").textContent);

  go("decide");
  await until("the contradiction", () => $("#flags blockquote"));
  seen.flagged = $("#flags li p").textContent;
  seen.against = $("#flags blockquote").textContent;
  press("Both hold", "#flags");
  await until("it decided", () => $("#flags").textContent.includes("Nothing to decide"));

  go("memories");
  const wiki = () => all("#listed li").find((each) => each.textContent.includes("wiki"));
  await until("the list", wiki);
  answer = false;
  press("Forget", "#listed li");
  seen.kept_after_no = Boolean(wiki());
  answer = true;
  press("Forget", "#listed li");
  await until("the way back", () => !wiki() && $("#done button"));
  seen.said = $("#done").firstChild.textContent;
  press("Undo", "#done");
  await until("it back", wiki);
  press("History", "#listed li");
  seen.past = await until("its past", () => $("#listed .past li") && $("#listed .past").textContent);

  go("recall");
  $("#ask input").value = "where is the wiki?";
  fire($("#ask"), "submit");
  seen.found = await until("an answer", () => $("#found li p") && $("#found li p").textContent);

  go("journal");
  await until("the journal", () => all("#entries li").length);
  press("Undo", "#entries li"); // the newest: the restoring
  await until("it taken back", () => $("#entries").textContent.includes("taken back since"));
}

async function manage(seen) {
  seen.where_on_overview = !$("#where").hidden;
  go("memories");
  await until("both projects", () => texts("#listed li > p").length === 3);
  seen.projects = texts("#where option");
  choose("boathouse");
  await until("one project", () => texts("#listed li > p").length === 1);
  seen.of_project = texts("#listed li > p");
  go("recall");
  type("#ask input", "which paint do we use?");
  fire($("#ask"), "submit");
  await until("an answer", () => texts("#found li > p").length);
  choose("apiary");
  await until("nothing of the other project", () => !$("#found").textContent.includes("varnish"));

  go("memories");
  await until("the other project", () => texts("#listed li > p").length === 2);
  press("Edit", "#listed li");
  await until("the form", () => $("#listed textarea"));
  type("#listed textarea", "<b>Hives</b> are opened after ten in the morning");
  type("#listed .below input", "bees, morning");
  $("#listed .below input[type=checkbox]").checked = true;
  press("Save", "#listed .below");
  await until("what was saved", () => $("#done").textContent.startsWith("Saved") && $("#listed .tag"));
  seen.edited = texts("#listed li:first-child > p");
  seen.tags = texts("#listed li:first-child .tag");
  seen.about = $("#listed small").textContent;
  press("Edit", "#listed li");
  await until("the form again", () => $("#listed textarea"));
  type("#listed .below input", "bees");
  $("#listed .below input[type=checkbox]").checked = false;
  press("Save", "#listed .below");
  await until("it unpinned", () => !$("#listed textarea") && !$("#listed small").textContent.includes("pinned"));
  seen.tags_left = texts("#listed li:first-child .tag");
  const tag = $("#filter").elements.tag;
  seen.offered_tags = [...tag.options].map((each) => each.textContent);
  tag.value = "bees";
  fire(tag, "change");
  await until("one with the tag", () => texts("#listed li > p").length === 1);
  seen.tagged = texts("#listed li > p");
  tag.value = "";
  fire(tag, "change");
  await until("all again", () => texts("#listed li > p").length === 2);
  press("Edit", "#listed li");
  await until("the form once more", () => $("#listed textarea"));
  type("#listed textarea", "The password of the hive camera is hunter2-Xk9!");
  press("Save", "#listed .below");
  seen.refused = await until("a refusal", () => $("#problem").textContent);
  seen.still_open = Boolean($("#listed textarea"));
  press("Edit", "#listed li");
  seen.closed = !$("#listed .below");

  const doomed = () => all("#listed li").find((each) => each.textContent.includes("smoker"));
  [...doomed().querySelectorAll("button")].find((each) => each.textContent === "Erase…").click();
  const erase = await until("the question", () => named("Erase for good", "#listed .below"));
  seen.may_at_once = !erase.disabled;
  type("#listed .below input", "erase");
  seen.may_after_wrong = !erase.disabled;
  type("#listed .below input", $("#listed .below label").textContent.split(" ")[1]);
  fire($("#listed .below"), "submit");
  await until("it gone", () => $("#done").textContent === "Erased for good." && !doomed());

  go("journal");
  await until("the journal of the project", () => $("#entries").textContent.includes("Hives"));
  seen.journal_of_other = $("#entries").textContent.includes("varnish");
  choose("boathouse");
  await until("the journal of the other", () => $("#entries").textContent.includes("varnish"));
  seen.journal_of_first = $("#entries").textContent.includes("Hives");
}

async function ambient(seen) {
  go("ambient");
  await until("the panel", () => $("#state").textContent);
  seen.state = $("#state").textContent;
  seen.budget = $("#spent").textContent;
  seen.parts = all("#budget span").map((each) => each.className);
  seen.queue = texts("#queue li > p");
  seen.cycles = texts("#cycles small");
  seen.pending = texts("#pending li > p");
  press("Deny", "#pending li");
  await until("it denied", () => $("#pending").textContent === "Nothing is waiting for you.");
  press("Resume", "#controls");
  await until("it resumed", () => named("Pause", "#controls"));
  press("Pause", "#controls");
  await until("it paused", () => named("Resume", "#controls"));
  press("Run a cycle now", "#controls");
  await until("another cycle", () => texts("#cycles small").length === 2);
  go("overview");
  await until("the overview again", () => !$("#overview").hidden && $("#tending button"));
  press("Tend now", "#tending");
  seen.tended = await until("tending", () => !$("#done").hidden && $("#done").textContent);
}

async function main() {
  const html = await (await fetch(site)).text();
  const script = await (await fetch(`${site}/page.js`)).text();
  page = new JSDOM(html, { url: link, runScripts: "outside-only" });
  const { window } = page;
  window.fetch = fetchWithCookie;
  window.confirm = (question) => questions.push(question) && answer;
  window.eval(script);
  const seen = {};
  await until("the overview", () => all("#tiles div").length);
  await stories[story](seen);
  await until("the page to come to rest", () => !asking && all("button:disabled").length === 0);
  seen.questions = questions;
  seen.problem = $("#problem").textContent;
  console.log(JSON.stringify(seen));
  window.close();
}

main().catch((error) => {
  console.error(error.stack);
  process.exitCode = 1;
});
