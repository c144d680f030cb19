// What a window of the sandbox adds to Preview's page: it follows the conversation as Discord does, its "in 5 minutes" goes with
// the time, and it says so when something did not work.

const $ = (id) => document.getElementById(id);
const OWN = 15000; // for so long after one's own click or command, what comes is taken for its answer
const NEAR = 200; // so close to the end, in pixels, one is reading the newest message

const timeline = $("channel-timeline");
const list = $("channel-message-list");
let acted = -Infinity;
let touched = -Infinity;
let following = true;
function follow() { if (following) timeline.scrollTop = timeline.scrollHeight; }

$("channel-composer").addEventListener("submit", () => { acted = performance.now(); }, true);
list.addEventListener("click", (event) => {
  if (event.target.closest(".component-button, .component-select")) acted = performance.now();
}, true);
for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"]) {
  timeline.addEventListener(kind, () => { touched = performance.now(); }, { capture: true, passive: true });
}
timeline.addEventListener("scroll", () => {
  // Only people stop following; what comes in moves the page too.
  if (performance.now() - touched < 1000) following = timeline.scrollHeight - timeline.scrollTop - timeline.clientHeight < NEAR;
}, { passive: true });
new MutationObserver((changes) => {
  const came = changes.some((change) => [...change.addedNodes].includes(list.lastElementChild));
  if (came && performance.now() - acted < OWN) following = true;
  follow();
}).observe(list, { childList: true });
new ResizeObserver(follow).observe(list);

// A link to a channel or a message has the name of the place, as in Discord, and leads there within the sandbox.
const PLACE = /^https:\/\/discord\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?$/;
function nameLinks() {
  for (const link of list.querySelectorAll("a.markdown-link")) {
    const [, place, message] = link.textContent.match(PLACE) ?? [];
    const name = place && window.parent.sandboxName?.(window, place);
    if (!name) continue; // a text of its own, or a place that the page has not heard of yet
    link.className = "mention";
    link.textContent = message ? `${name} › 💬` : name;
    if (message) link.setAttribute("aria-label", `A message in ${name}`);
  }
}
function seek(message) {
  const article = message && list.querySelector(`article[data-message-id="${message}"]`);
  if (!article) return false;
  following = false;
  article.scrollIntoView({ block: "center" });
  return true;
}
list.addEventListener("click", (event) => {
  const [, place, message] = event.target.closest("a")?.href.match(PLACE) ?? [];
  const mentioned = event.target.closest("span.mention")?.textContent;
  if (place) event.preventDefault();
  if ((place || mentioned) && !seek(message)) window.parent.sandboxOpen?.(window, place ?? mentioned, message);
}, true);
let sought = window.frameElement?.dataset.message; // the message of a link that led here

// A message comes with its picture: a new one waits for it, and in an edited one the picture before stays until the next has come.
// Preview makes an edited message anew. The picture before is the very element that it has taken away: a copy would take the
// memory of all its pixels, while of an element that is not shown the browser keeps the file alone.
const PICTURES = "img.gallery-image";
const SHOWN = `${PICTURES}, img.stand-in`;
const LONGEST_WAIT = 5000;
const KEPT = 40; // messages
const before = new Map(); // message -> the pictures that it showed last, in order
function pictures(message) { return [...message.querySelectorAll(PICTURES)]; }
function settle(message) {
  const missing = pictures(message).filter((image) => !image.naturalWidth && !image.previousElementSibling?.matches(".stand-in"));
  message.classList.toggle("waiting", missing.length > 0);
}
function keep(id, taken) {
  if (!id || taken.matches(".stand-in")) return;
  const shown = (taken.matches(PICTURES) ? [taken] : [...taken.querySelectorAll(SHOWN)]).filter((image) => image.naturalWidth);
  if (!shown.length) return;
  before.delete(id);
  before.set(id, shown);
  if (before.size > KEPT) before.delete(before.keys().next().value);
}
function prepare(message) {
  const last = before.get(message.dataset.messageId) ?? [];
  // A page that is told of an edit before it is told of the new file calls the picture unavailable for a moment.
  for (const [index, image] of message.querySelectorAll(`${PICTURES}, .media-unavailable`).entries()) {
    if (image.naturalWidth || image.dataset.awaited) continue;
    image.dataset.awaited = "yes";
    if (image.matches(".media-unavailable")) setTimeout(() => { image.dataset.awaited = "no longer"; }, LONGEST_WAIT);
    if (!last[index] || last[index].isConnected) continue;
    last[index].className = "stand-in";
    image.before(last[index]);
  }
  settle(message);
  if (message.matches(".waiting")) setTimeout(() => message.classList.remove("waiting"), LONGEST_WAIT);
}
function arrived(event) {
  const message = event.target.closest?.("article[data-message-id]");
  if (!message || !event.target.matches(PICTURES)) return;
  if (event.target.previousElementSibling?.matches(".stand-in")) event.target.previousElementSibling.remove();
  settle(message);
}
for (const kind of ["load", "error"]) list.addEventListener(kind, arrived, true);
new MutationObserver((changes) => {
  const touchedMessages = new Set();
  for (const { target, addedNodes, removedNodes } of changes) {
    const message = target.closest("article[data-message-id]");
    for (const node of [...removedNodes].filter((one) => one.nodeType === Node.ELEMENT_NODE)) {
      keep((message ?? node).dataset.messageId, node);
    }
    for (const node of [target, ...addedNodes]) {
      touchedMessages.add((node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest("article[data-message-id]"));
    }
  }
  touchedMessages.forEach((message) => { if (message) prepare(message); });
  nameLinks();
  if (sought && seek(sought)) sought = undefined;
}).observe(list, { childList: true, subtree: true });
list.querySelectorAll("article[data-message-id]").forEach(prepare); // what was there before this script
nameLinks();
setInterval(nameLinks, 1000);

const RELATIVE = /^(in \d|next |last |now$|tomorrow$|yesterday$)| ago$/;
const STEPS = [["second", 60], ["minute", 60], ["hour", 24], ["day", 7], ["week", Infinity]];
const words = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });
function tellTime() {
  const now = window.parent.sandboxNow;
  for (const time of now ? document.querySelectorAll("time.discord-timestamp") : []) {
    if (!RELATIVE.test(time.textContent)) continue;
    let amount = (new Date(time.dateTime).getTime() - now) / 1000;
    for (const [unit, next] of STEPS) {
      if (Math.abs(amount) < next) { time.textContent = words.format(Math.round(amount), unit); break; }
      amount /= next;
    }
  }
}
setInterval(tellTime, 1000);

const WORTH_SAYING = /…$|not completed|uncertain|interrupted|unavailable|ended/;
function say() { $("toolbar").hidden = !WORTH_SAYING.test($("action-status").textContent); }
new MutationObserver(say).observe($("action-status"), { childList: true, characterData: true, subtree: true });
say();

// Discord asks for suggestions as soon as an empty field is entered; Preview only when something is typed.
document.addEventListener("focusin", (event) => {
  if (event.target.matches?.(".command-option-input[aria-autocomplete=list]") && !event.target.value) {
    event.target.dispatchEvent(new Event("input", { bubbles: true }));
  }
});

// An option that was picked from suggestions has their words in its pill, as in Discord; Preview writes the value, such as an id.
const options = new Map(); // option -> its values, each with the words of its suggestion
function nameOptions() {
  const focused = document.activeElement?.dataset.option;
  for (const { dataset, firstElementChild: words } of focused ? document.querySelectorAll(".command-suggestion[data-value]") : []) {
    if (!options.has(focused)) options.set(focused, new Map());
    options.get(focused).set(dataset.value, words.textContent);
  }
  for (const field of document.querySelectorAll(".command-option-input")) {
    const words = options.get(field.dataset.option)?.get(field.value.replace(/^(True|False)$/, (word) => word.toLowerCase()));
    if (!words || field === document.activeElement || field.dataset.typed) continue;
    field.dataset.typed = field.value;
    field.value = words;
    field.style.width = `${Math.min(24, [...words].length + 1)}ch`;
  }
}
document.addEventListener("focus", ({ target }) => { // to be changed, it has the value again
  if (!target.dataset?.typed) return;
  target.value = target.dataset.typed;
  delete target.dataset.typed;
}, true);
new MutationObserver(nameOptions).observe(document.body, { childList: true, subtree: true });
document.addEventListener("focusout", () => setTimeout(nameOptions));
