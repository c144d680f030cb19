// The page around the windows. What there is comes from /sandbox/state, once a second; which windows are open is kept in the
// address, so that the page can be reloaded.

const $ = (id) => document.getElementById(id);
const MOST = 4;
const SIDE_BY_SIDE = 3; // more stand in two rows
let state = { people: [], places: [], phones: {} };
let panes = []; // { who, where, folded, read, element }, in order; `read` is the newest message when it was folded
let active = 0;
const seen = new Map(); // place -> the newest message that a window has shown

function place(id) { return state.places.find((one) => one.id === id); }

function label(one) {
  return one.kind === "channel" ? `# ${one.name}` : one.kind === "thread" ? `⌞ ${one.name}` : "✉ Springboard";
}

function remember() {
  const open = panes.map(({ who, where, folded }) => `${who}.${where}${folded ? ".folded" : ""}`).join("+");
  history.replaceState(null, "", `#${open}`);
}

function show(pane, who, where, message) {
  // Somebody who does not see the place is shown the first one that they do see.
  const target = place(where)?.seenBy.includes(who) ? where : state.places.find((one) => one.seenBy.includes(who)).id;
  if (pane.who === who && pane.where === target) return;
  pane.who = who;
  pane.where = target;
  const frame = pane.element.querySelector("iframe");
  const name = state.people.find((one) => one.id === who).name;
  frame.title = `${name} in ${place(target).name}`;
  // A new frame instead of a new address: what is after the # alone would not load it anew.
  const fresh = frame.cloneNode();
  fresh.src = `/view#${who}.${target}`;
  if (message) fresh.dataset.message = message;
  else delete fresh.dataset.message;
  frame.replaceWith(fresh);
  fresh.addEventListener("load", () => fresh.contentWindow.addEventListener("focus", () => activate(pane)));
  remember();
  draw();
}

function activate(pane) {
  active = Math.max(0, panes.indexOf(pane));
  if (panes[active].folded) fold(panes[active], false);
  draw();
}

// A window that has nothing to do leaves its room to the others. It unfolds when somebody turns to it.
function fold(pane, folded) {
  const others = panes.filter((one) => one !== pane && !one.folded);
  if (folded && !others.length) return;
  pane.folded = folded;
  pane.read = place(pane.where).newest;
  if (folded && panes[active] === pane) active = panes.indexOf(others[0]);
  remember();
  draw();
}

function add(who, where) {
  if (panes.length >= MOST) return;
  const element = $("pane").content.firstElementChild.cloneNode(true);
  const pane = { who: null, where: null, folded: false, read: null, element };
  panes.push(pane);
  element.querySelector(".who").addEventListener("change", (event) => show(pane, event.target.value, pane.where));
  element.querySelector(".where").addEventListener("change", (event) => show(pane, pane.who, event.target.value));
  element.querySelector(".close").addEventListener("click", () => {
    panes = panes.filter((one) => one !== pane);
    element.remove();
    activate(panes[0]);
    remember();
  });
  element.querySelector(".fold").addEventListener("click", () => { if (pane.folded) activate(pane); else fold(pane, true); });
  element.addEventListener("pointerdown", () => { if (!pane.folded) activate(pane); });
  $("panes").append(element);
  active = panes.length - 1;
  show(pane, who, where);
}

function fill(select, options, chosen) {
  const wanted = JSON.stringify([options, chosen]);
  if (select.dataset.wanted === wanted) return; // an open menu is not touched
  select.dataset.wanted = wanted;
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value, false, value === chosen)));
}

function draw() {
  $("server").textContent = state.server;
  const shown = new Set(panes.filter((pane) => !pane.folded).map((pane) => pane.where));
  for (const one of state.places) if (shown.has(one.id) || !seen.has(one.id) && one.kind === "channel") seen.set(one.id, one.newest);
  $("places").replaceChildren(...state.places.map((one) => {
    const button = document.createElement("button");
    button.type = "button";
    const whose = one.kind === "direct" ? ` to ${state.people.find((person) => person.id === one.seenBy[0])?.name}` : "";
    button.textContent = label(one) + whose + (one.kind === "channel" && one.seenBy.length < state.people.length ? " (private)" : "");
    button.title = button.textContent;
    button.className = `place ${one.kind}`;
    button.classList.toggle("shown", shown.has(one.id));
    button.classList.toggle("unread", one.newest !== (seen.get(one.id) ?? "0"));
    button.dataset.place = one.id;
    const item = document.createElement("li");
    item.append(button);
    return item;
  }));
  drawTabs();
  drawPhones();
  for (const [index, pane] of panes.entries()) {
    pane.element.classList.toggle("active", index === active && panes.length > 1);
    pane.element.classList.toggle("current", index === active);
    fill(pane.element.querySelector(".who"), state.people.map((one) => [one.id, one.name]), pane.who);
    const open = state.places.filter((one) => one.seenBy.includes(pane.who));
    fill(pane.element.querySelector(".where"), open.map((one) => [one.id, label(one)]), pane.where);
    pane.element.querySelector(".close").hidden = panes.length === 1;
    drawFold(pane);
  }
  $("panes").classList.toggle("many", panes.length > SIDE_BY_SIDE);
  $("add").disabled = panes.length >= MOST;
  const now = new Date(state.now * 1000);
  $("now").dateTime = now.toISOString();
  $("now").textContent = now.toLocaleString([], { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
  $("behind").textContent = state.behind ? "time is flying…" : "";
}

function drawFold(pane) { // while there are two rows of windows, and on a narrow screen, nothing is folded
  const name = state.people.find((one) => one.id === pane.who).name;
  const button = pane.element.querySelector(".fold");
  button.hidden = !pane.folded && panes.filter((one) => !one.folded).length === 1;
  button.textContent = pane.folded ? name : "Fold";
  button.setAttribute("aria-label", pane.folded ? `Unfold ${name}’s window` : `Fold ${name}’s window`);
  pane.element.classList.toggle("folded", pane.folded && panes.length <= SIDE_BY_SIDE);
  pane.element.classList.toggle("unread", pane.folded && place(pane.where)?.newest !== pane.read);
}

function drawTabs() { // on a narrow screen, where one window is shown at a time
  const names = panes.map((pane) => state.people.find((one) => one.id === pane.who)?.name ?? "");
  const wanted = JSON.stringify([names, active]);
  if ($("tabs").dataset.wanted === wanted) return;
  $("tabs").dataset.wanted = wanted;
  $("tabs").replaceChildren(...names.map((name, index) => {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.textContent = name;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-selected", String(index === active));
    tab.addEventListener("click", () => activate(panes[index]));
    return tab;
  }), ...(panes.length < MOST ? [more()] : []));
}

function ago(seconds) {
  const minutes = Math.floor(seconds / 60);
  return minutes < 1 ? "now" : minutes < 60 ? `${minutes} min` : minutes < 1440 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`;
}

function drawPhones() { // the lock screens of the people whose windows are open
  const whose = [...new Set(panes.map((pane) => pane.who))].filter((who) => state.phones[who]?.length);
  const current = panes[active]?.who;
  const wanted = JSON.stringify([whose, current, whose.map((who) => state.phones[who].map((one) => [one, ago(state.now - one.at)]))]);
  if ($("phones").dataset.wanted === wanted) return;
  $("phones").dataset.wanted = wanted;
  $("phones").hidden = !whose.length;
  $("phones").replaceChildren(...whose.map((who) => {
    const phone = document.createElement("div");
    const name = state.people.find((one) => one.id === who).name;
    phone.className = "phone";
    phone.classList.toggle("current", who === current);
    phone.setAttribute("role", "group");
    phone.setAttribute("aria-label", `${name}’s phone`);
    const title = document.createElement("h2");
    title.textContent = `${name}’s phone`;
    phone.append(title, ...state.phones[who].map((one) => notification(who, one)));
    return phone;
  }));
}

function notification(who, one) {
  const from = place(one.place);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "notification";
  button.dataset.place = one.place;
  button.dataset.who = who;
  const head = document.createElement("span");
  head.className = "from";
  const where = document.createElement("b");
  where.textContent = from?.kind === "direct" || !from ? "Springboard" : `Springboard (${label(from)})`;
  head.append(where, ` · ${ago(state.now - one.at)}`);
  const words = document.createElement("span");
  words.className = "words";
  words.textContent = one.words || "(a notification without a word)";
  button.append(head, words);
  return button;
}

function more() {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "+";
  button.setAttribute("aria-label", "Add a window");
  button.addEventListener("click", addNext);
  return button;
}

function addNext() {
  const used = new Set(panes.map((pane) => pane.who));
  const next = state.people.find((one) => !used.has(one.id)) ?? state.people[0];
  add(next.id, panes[active].where);
}

function start() {
  const wanted = location.hash.slice(1).split("+").map((one) => one.split("."));
  const known = wanted.filter(([who, where]) => state.people.some((one) => one.id === who) && place(where));
  const [ann, ben] = state.people;
  const opened = known.length ? known : [[ann.id, state.places[0].id], [ben.id, state.places[0].id]];
  for (const [who, where, folded] of opened) {
    add(who, where);
    Object.assign(panes.at(-1), { folded: folded === "folded", read: place(where).newest });
  }
  activate(panes.find((pane) => !pane.folded) ?? panes[0]);
}

async function look() {
  try {
    const answer = await fetch("/sandbox/state");
    if (!answer.ok) throw new Error(String(answer.status));
    state = await answer.json();
    window.sandboxNow = state.now * 1000; // frame.js looks here
    $("trouble").textContent = "";
    if (panes.length) draw(); else start();
  } catch {
    $("trouble").textContent = "The sandbox does not answer. Is it still running?";
  }
  setTimeout(look, 1000);
}

document.addEventListener("click", async (event) => {
  const pressed = event.target.closest("button");
  const { skip, place: where, who } = pressed?.dataset ?? {};
  if (skip) {
    await fetch("/sandbox/skip", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ seconds: Number(skip) }),
    });
  } else if (where) {
    const pane = panes.find((one) => one.who === who) ?? panes[active];
    if (who) activate(pane);
    const seers = place(where).seenBy;
    show(pane, seers.includes(pane.who) ? pane.who : seers[0], where);
  }
});
function paneOf(frame) { return panes.find((one) => one.element.querySelector("iframe").contentWindow === frame); }
function mentioned(one) { return one.kind === "direct" ? "Direct messages" : `#${one.name}`; }
window.sandboxName = (frame, where) => { // what a link to a place is called, for frame.js; nothing if there is no such place
  const one = place(where);
  return one && (one.seenBy.includes(paneOf(frame)?.who) ? mentioned(one) : "#No Access");
};
window.sandboxOpen = (frame, where, message) => { // a link to another place, or its name, from frame.js
  const pane = paneOf(frame);
  const target = place(where) ?? state.places.findLast((one) => mentioned(one) === where);
  if (pane && target?.seenBy.includes(pane.who)) show(pane, pane.who, target.id, message);
};
$("add").addEventListener("click", addNext);
look();
