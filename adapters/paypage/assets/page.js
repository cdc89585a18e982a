// Adds to the page what needs a script: copying, the countdown, and the live state. Everything else works without.
(() => {
  "use strict";

  const soon = 1500, later = 4000, hidden = 30000, longest = 10000; // between questions, in milliseconds
  const patience = 10 * 60 * 1000; // after which a question every `later` is enough
  const net = document.getElementById("net"), live = document.getElementById("live");
  let main = document.querySelector("main");
  let opened = Date.now(), failures = 0, asking = false, timer = 0, end = 0, said = Infinity;

  document.documentElement.classList.add("js");

  const say = (text) => { live.textContent = ""; setTimeout(() => { live.textContent = text; }, 100); };

  // Copying. Without a secure context there is no navigator.clipboard, and an older way has to do.
  async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    area.readOnly = true;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (!done) throw new Error("not copied");
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const label = button.querySelector(".label"), verb = button.dataset.verb || label.textContent;
    button.dataset.verb = verb;
    try {
      await copy(button.dataset.copy);
    } catch {
      return say(document.body.dataset.copyFailed);
    }
    button.focus();
    const icon = button.querySelector("use");
    button.classList.add("done");
    icon.setAttribute("href", "#tick");
    label.textContent = document.body.dataset.copied;
    say(button.querySelector(".what").textContent + ": " + document.body.dataset.copied);
    setTimeout(() => { button.classList.remove("done"); icon.setAttribute("href", "#sheets"); label.textContent = verb; }, 2500);
  });

  // A form is sent once, however often its button is pressed in a hurry.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = "1";
    setTimeout(() => { delete form.dataset.sent; }, 5000);
  });

  // The countdown. The server says how much is left, so that this device's clock may be wrong.
  function setClock(left) {
    if (left === null || Number.isNaN(left)) { end = 0; return; }
    const fresh = Date.now() + left;
    if (Math.abs(fresh - end) > 1500) end = fresh;
  }

  function tick() {
    const clock = main.querySelector(".left");
    if (!clock || !end) return;
    const seconds = Math.max(0, Math.round((end - Date.now()) / 1000));
    const two = (n) => String(n).padStart(2, "0");
    const minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
    const text = (hours ? hours + ":" + two(minutes % 60) : minutes) + ":" + two(seconds % 60);
    const digits = clock.querySelector("b");
    if (digits.textContent !== text) digits.textContent = text;
    main.querySelector(".clock").classList.toggle("soon", seconds <= 300);
    const mark = [60, 300].find((m) => seconds <= m);
    if (mark && mark < said) {
      if (said !== Infinity || seconds > mark - 5) say(clock.textContent.trim());
      said = mark;
    }
    if (seconds === 0 && !asking) { end = 0; ask(); }
  }

  // The live state.
  async function get(url) {
    const stop = new AbortController(), limit = setTimeout(() => stop.abort(), 10000);
    try {
      const answer = await fetch(url, { signal: stop.signal, cache: "no-store", credentials: "omit" });
      if (!answer.ok) throw new Error(String(answer.status));
      return await answer.text();
    } finally {
      clearTimeout(limit);
    }
  }

  async function swap() {
    if ("whole" in main.dataset) return location.replace(main.dataset.self);
    const next = new DOMParser().parseFromString(await get(main.dataset.self), "text/html");
    const fresh = next.querySelector("main");
    if (!fresh || !fresh.dataset.page) throw new Error("no page");
    const hadFocus = main.contains(document.activeElement);
    main.replaceWith(fresh);
    main = fresh;
    document.title = next.title;
    opened = Date.now();
    begin();
    const heading = main.querySelector("h1");
    scrollTo(0, 0);
    if (hadFocus) heading.focus({ preventScroll: true }); else say(heading.textContent);
  }

  async function ask() {
    clearTimeout(timer);
    if (asking || !main.dataset.state) return;
    asking = true;
    try {
      const state = JSON.parse(await get(main.dataset.state));
      if (state.page !== main.dataset.page) await swap(); else setClock(state.expires_in_ms);
      failures = 0;
    } catch {
      failures++;
    }
    asking = false;
    const message = failures > 1 ? document.body.dataset.offline : "";
    if (net.textContent !== message) net.textContent = message;
    plan();
  }

  function plan() {
    clearTimeout(timer);
    if (!main.dataset.state) return;
    const calm = Date.now() - opened > patience ? later : soon;
    const wait = document.hidden ? hidden : Math.min(longest, calm * 2 ** failures);
    timer = setTimeout(ask, wait);
  }

  function begin() {
    const clock = main.querySelector(".left");
    said = Infinity;
    end = 0;
    setClock(clock ? Number(clock.dataset.left) : null);
    tick();
  }

  document.addEventListener("visibilitychange", () => { if (document.hidden) plan(); else ask(); });
  addEventListener("online", ask);
  addEventListener("pageshow", (event) => { if (event.persisted) ask(); });
  setInterval(tick, 1000);

  // What is said once is not to be said again after a reload, nor a form sent again.
  if (/[?&]notice=/.test(location.search) || location.pathname.endsWith("/begin")) history.replaceState(null, "", main.dataset.self);
  const problem = document.getElementById("problem"), notice = main.querySelector(".notice");
  if (problem) problem.focus(); else if (notice) say(notice.textContent.trim());
  begin();
  plan();
})();
