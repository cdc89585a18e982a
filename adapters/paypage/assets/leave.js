// Sends the form that leads to the gateway, once: whoever comes back by Back or reloads presses the button instead.
(() => {
  "use strict";
  const form = document.querySelector("form[data-leave]"), [arrival] = performance.getEntriesByType("navigation");
  if (form && (!arrival || arrival.type === "navigate")) HTMLFormElement.prototype.submit.call(form);
})();
