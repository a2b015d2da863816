// Runs the dashboard's own page and script against a living daemon, and does what a person does there.
// Arguments: the folder of jsdom, the link with the token. Prints what was seen as one line of JSON.
"use strict";
const { createRequire } = require("node:module");
const path = require("node:path");

const [folder, link] = process.argv.slice(2);
const { JSDOM } = createRequire(path.join(folder, "package.json"))("jsdom");
const site = new URL(link).origin;
const questions = [];
let cookie = "";
let answer = true;

async function fetchWithCookie(address, options = {}) {
  const headers = { ...(options.headers || {}), ...(cookie ? { Cookie: cookie } : {}) };
  const got = await fetch(new URL(address, site), { ...options, headers });
  const set = got.headers.get("set-cookie");
  if (set) cookie = set.split(";")[0];
  return got;
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
async function main() {
  const html = await (await fetch(site)).text();
  const script = await (await fetch(`${site}/page.js`)).text();
  page = new JSDOM(html, { url: link, runScripts: "outside-only" });
  const { window } = page;
  window.fetch = fetchWithCookie;
  window.confirm = (question) => questions.push(question) && answer;
  window.eval(script);
  const $ = (selector) => window.document.querySelector(selector);
  const all = (selector) => [...window.document.querySelectorAll(selector)];
  const press = (text, inside) => all(`${inside} button`).find((each) => each.textContent === text).click();
  const go = (view) => $(`nav button[data-view=${view}]`).click();
  const seen = {};

  await until("the overview", () => all("#tiles div").length);
  seen.token_in_sight = window.location.hash.includes("token");
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
  $("#ask").dispatchEvent(new window.Event("submit", { cancelable: true }));
  seen.found = await until("an answer", () => $("#found li p") && $("#found li p").textContent);

  go("journal");
  await until("the journal", () => all("#entries li").length);
  press("Undo", "#entries li"); // the newest: the restoring
  await until("it taken back", () => $("#entries").textContent.includes("taken back since"));
  seen.questions = questions;
  seen.problem = $("#problem").textContent;
  console.log(JSON.stringify(seen));
  window.close();
}

main().catch((error) => {
  console.error(error.stack);
  process.exitCode = 1;
});
