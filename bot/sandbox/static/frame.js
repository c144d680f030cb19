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

list.addEventListener("click", (event) => {
  const place = event.target.closest("a")?.href.match(/^https:\/\/discord\.com\/channels\/[^/]+\/(\d+)/)?.[1];
  if (!place) return;
  event.preventDefault();
  window.parent.sandboxOpen?.(window, place);
}, true);

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
