// Takes an invitation: a password, and an authenticator app. The token is in the address's fragment, which no server sees,
// and leaves the address bar at once; it and the session are kept here only, until the page is closed.
(() => {
  "use strict";

  // Everything that is asked of the API: the operation, and what is taken out of its data.
  const operations = {
    accept: ["mutation($token: String!, $password: String!) { acceptInvitation(input: {token: $token, password: $password}) { token } }",
      (data) => data.acceptInvitation.token],
    factors: ["{ mySecondFactors { isRequired } }", (data) => data.mySecondFactors],
    begin: ["mutation { beginTotp { otpauthUrl } }", (data) => data.beginTotp.otpauthUrl],
    confirm: ["mutation($code: String!) { confirmTotp(input: {code: $code}) { recoveryCodes } }", (data) => data.confirmTotp.recoveryCodes],
    prove: ["mutation($password: String!) { stepUp(input: {password: $password}) { __typename } }", (data) => data.stepUp],
    leave: ["mutation { logout { session { id } } }", (data) => data.logout],
  };

  const minPassword = 10, patience = 20000; // in characters and milliseconds
  const get = (id) => document.getElementById(id);
  const secrets = {}; // what the copy buttons copy
  let token = "", session = "";

  class Problem extends Error {
    constructor(code) { super(code); this.code = code; }
  }

  async function ask([query, of], variables) {
    const headers = { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang };
    if (session) headers.Authorization = "Bearer " + session;
    let answer;
    try {
      const body = JSON.stringify({ query, variables });
      const response = await fetch("graphql", {
        method: "POST", headers, body, credentials: "omit", cache: "no-store", signal: AbortSignal.timeout(patience),
      });
      answer = await response.json();
    } catch {
      throw new Problem("network");
    }
    if (answer.errors) throw new Problem(answer.errors[0].extensions?.code ?? "other");
    return of(answer.data);
  }

  // Sentences. Each is marked with its key, so that the switch of languages finds it wherever it is.
  const word = (key) => (document.querySelector(`#words [data-say="${CSS.escape(key)}"]`) ?? word("problem.other")).cloneNode(true);
  const say = (key) => get("live").replaceChildren(word(key));

  function show(name) {
    for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== name;
    get("live").replaceChildren();
    scrollTo(0, 0);
    get(name).querySelector("h1").focus({ preventScroll: true });
  }

  function complain(section, key, inputs = []) {
    const problem = get(section + "-problem");
    problem.replaceChildren(word(key));
    problem.hidden = false;
    for (const input of inputs) input.setAttribute("aria-invalid", "true");
    (inputs[0] ?? problem).focus();
    inputs[0]?.select();
  }

  function forgive(section) {
    const problem = get(section + "-problem");
    problem.hidden = true;
    problem.replaceChildren();
    for (const input of get(section).querySelectorAll("input")) input.removeAttribute("aria-invalid");
  }

  // A form is sent once, however often its button is pressed in a hurry.
  function onSubmit(section, work) {
    const form = get(section).querySelector("form"), button = form.querySelector(".primary");
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (button.disabled) return;
      forgive(section);
      button.disabled = true;
      say("busy");
      try {
        await work();
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        get("live").replaceChildren();
        refuse(section, error.code);
      } finally {
        button.disabled = false;
      }
    });
  }

  function refuse(section, code) {
    switch (code) {
      case "INVITATION_INVALID": return show("refused");
      case "STEP_UP_NEEDED": return show("again");
      case "short": return complain(section, "problem.short", [get("password")]);
      case "differ": return complain(section, "problem.differ", [get("repeat")]);
      case "INVALID": return complain(section, "problem.INVALID", [get("password")]);
      case "BAD_LOGIN": return complain(section, "problem.BAD_LOGIN", [get("proof")]);
      case "digits": case "BAD_CODE": return complain(section, "problem." + code, [get("code")]);
      default: return complain(section, "problem." + code);
    }
  }

  // The steps.
  onSubmit("accept", async () => {
    const password = get("password").value;
    if ([...password].length < minPassword) throw new Problem("short");
    if (password !== get("repeat").value) throw new Problem("differ");
    session = await ask(operations.accept, { token, password });
    token = "";
    get("accept").querySelector("form").reset();
    reveal(false);
    const isRequired = await ask(operations.factors).then((state) => state.isRequired, () => false);
    get("demanded").hidden = !isRequired;
    get("advised").hidden = get("later").hidden = isRequired;
    show("offer");
  });

  const setUp = async () => {
    const uri = await ask(operations.begin);
    secrets.secret = new URL(uri).searchParams.get("secret");
    get("secret").textContent = secrets.secret.match(/.{1,4}/g).join(" ");
    get("uri").href = get("address").textContent = uri;
    await draw(uri);
    show("factor");
  };
  onSubmit("offer", setUp);

  onSubmit("again", async () => {
    await ask(operations.prove, { password: get("proof").value });
    get("proof").value = "";
    await setUp();
  });

  onSubmit("factor", async () => {
    const code = get("code").value.replace(/\s/g, "");
    if (!/^\d{6}$/.test(code)) throw new Problem("digits");
    const codes = await ask(operations.confirm, { code });
    get("code").value = "";
    secrets.codes = codes.join("\n");
    get("codes").replaceChildren(...codes.map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }));
    show("recovery");
  });

  async function finish(hasCode) {
    await ask(operations.leave).catch(() => {}); // it lapses by itself
    session = "";
    get("codes").replaceChildren();
    for (const id of ["secret", "address", "qr"]) get(id).replaceChildren();
    get("with-code").hidden = !hasCode;
    get("without-code").hidden = hasCode;
    get("api").textContent = new URL("graphql", location.href).href;
    show("ready");
  }
  get("later").addEventListener("click", () => finish(false));
  get("kept").addEventListener("click", () => finish(true));

  // The server draws the QR code; without it the key is there to type.
  async function draw(uri) {
    const picture = get("qr");
    picture.hidden = true;
    try {
      const response = await fetch("invite/qr", { method: "POST", body: uri, credentials: "omit", signal: AbortSignal.timeout(patience) });
      const { size, path } = await response.json();
      const svg = part("svg", { viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" });
      svg.append(part("rect", { width: size, height: size, class: "paper" }), part("path", { d: path, class: "ink" }));
      picture.replaceChildren(svg);
      picture.hidden = false;
    } catch {
      // no picture
    }
  }

  function part(name, attributes) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  // Showing what is typed.
  function reveal(is) {
    get("reveal").checked = is;
    for (const id of ["password", "repeat"]) get(id).type = is ? "text" : "password";
  }
  get("reveal").addEventListener("change", () => reveal(get("reveal").checked));

  // Copying. Without a secure context there is no navigator.clipboard, and an older way has to do.
  async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (!done) throw new Error("not copied");
  }
  for (const button of document.querySelectorAll("[data-copies]")) {
    const label = button.firstElementChild;
    button.addEventListener("click", async () => {
      try {
        await copy(secrets[button.dataset.copies]);
      } catch {
        return say("copy.failed");
      }
      button.focus();
      label.hidden = true;
      button.replaceChildren(label, word("copied"));
      say("copied");
      setTimeout(() => {
        label.hidden = false;
        button.replaceChildren(label);
      }, 2500);
    });
  }

  // The other language, without losing what was typed: every sentence is exchanged for that of its key.
  get("tongue").addEventListener("click", async (event) => {
    event.preventDefault();
    let next;
    try {
      next = new DOMParser().parseFromString(await (await fetch(get("tongue").href)).text(), "text/html");
    } catch {
      return say("problem.network");
    }
    const texts = new Map([...next.querySelectorAll("[data-say]")].map((e) => [e.dataset.say, e.textContent]));
    for (const element of document.querySelectorAll("[data-say]")) {
      element.textContent = texts.get(element.dataset.say) ?? element.textContent;
    }
    const tongue = next.getElementById("tongue");
    for (const name of ["href", "lang", "hreflang"]) get("tongue").setAttribute(name, tongue.getAttribute(name));
    get("tongue").textContent = tongue.textContent;
    document.documentElement.lang = next.documentElement.lang;
    document.title = next.title;
  });

  // The token. Somebody may open another link in the same window.
  function take() {
    const found = location.hash.slice(1);
    history.replaceState(null, "", location.pathname + location.search);
    if (session) return;
    if (found) token = found;
    get("accept").querySelector("form").reset();
    forgive("accept");
    reveal(false);
    show(token ? "accept" : "missing");
  }
  addEventListener("hashchange", () => { if (location.hash) take(); });
  take();
})();
