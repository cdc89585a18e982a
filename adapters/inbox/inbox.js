// Brings new callbacks in without a reload; an opened body stays open.
const letters = document.getElementById("letters");
let last = letters.innerHTML;
setInterval(async () => {
  if (document.hidden || letters.querySelector("details[open]")) return;
  try {
    const answer = await fetch(letters.dataset.source, { cache: "no-store" });
    const html = await answer.text();
    if (answer.ok && html !== last) letters.innerHTML = last = html;
  } catch { /* the demo was stopped: the next round tries again */ }
}, 1000);
