'use strict';

const welcome = `# Sign in: put your email and password here,
# run it (Ctrl+Enter), and put the token behind
# "Bearer " under Headers, below. Who has a second
# factor answers the challenge by loginWithCode.
# All of it is forgotten when this page is left.
mutation SignIn {
  login(input: {email: "", password: ""}) {
    token
    secondFactor { challenge kinds }
  }
}

query Newest {
  transactions(first: 10) {
    nodes {
      trackingCode method status amount createdAt
    }
    pageInfo { hasNextPage endCursor }
  }
}
`;

// What is written here may be a password or a token: the browser keeps nothing of it.
const forgetful = () => {
  const kept = new Map();
  return {
    get length() { return kept.size; },
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
    clear: () => kept.clear(),
  };
};

const ask = (operation, options, accept, signal) => fetch('/graphql', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...(options && options.headers), Accept: accept },
  body: JSON.stringify(operation),
  credentials: 'same-origin',
  signal,
});

// isSubscription tells whether the operation that is run is one. It reads the text itself: what the editor knows of it is of
// a moment before.
const isSubscription = (operation) => {
  try {
    return GraphiQL.GraphQL.parse(operation.query).definitions.some((d) => d.kind === 'OperationDefinition'
      && d.operation === 'subscription'
      && (!operation.operationName || (d.name && d.name.value === operation.operationName)));
  } catch {
    return false; // the server says what is wrong with it
  }
};

// follow gives the events of a subscription as they come, until nobody wants more of them.
async function* follow(operation, options) {
  const control = new AbortController();
  try {
    const answer = await ask(operation, options, 'text/event-stream', control.signal);
    if (!(answer.headers.get('Content-Type') || '').startsWith('text/event-stream')) {
      yield await answer.json();
      return;
    }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; ;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += value;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        if (lines[0] === 'event: complete') return;
        if (lines[0] === 'event: next') yield JSON.parse(lines[1].slice('data:'.length));
      }
    }
  } finally {
    control.abort();
  }
}

const fetcher = async (operation, options) => (isSubscription(operation)
  ? follow(operation, options)
  : (await ask(operation, options, 'application/json')).json());

// handed is the query of a list, where the console opened this page with one. Only a page of this host can write it; an address cannot.
const handed = (() => {
  try {
    return JSON.parse(sessionStorage.getItem('vezne.graphiql'));
  } catch {
    return null;
  } finally {
    sessionStorage.removeItem('vezne.graphiql');
  }
})();

ReactDOM.createRoot(document.getElementById('graphiql')).render(React.createElement(GraphiQL, {
  fetcher,
  defaultQuery: welcome,
  ...(handed && { initialQuery: handed.query, initialVariables: JSON.stringify(handed.variables, null, 2) }),
  defaultHeaders: handed ? '{\n  "X-Vezne-Session": "cookie"\n}' : '{\n  "Authorization": "Bearer "\n}',
  defaultEditorToolsVisibility: 'headers',
  shouldPersistHeaders: false,
  storage: forgetful(),
}));
