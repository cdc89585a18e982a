// The page of the search: what is typed is looked for here, in an index that is loaded once.
import { around, find, read } from './find.mjs';

const isTurkish = document.documentElement.lang === 'tr';
const field = document.getElementById('search-query'), results = document.getElementById('search-results'), count = document.getElementById('search-count');

const element = (tag, ...children) => {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
};

const marked = (text, query, length) => around(text, query, length).map(([part, isFound]) => (isFound ? element('mark', part) : part));

const answer = await fetch(`/docs/${isTurkish ? 'tr' : 'en'}/search.json`);
const index = read(await answer.json());

function show() {
  const query = field.value.trim(), found = find(index, query);
  results.replaceChildren(...found.map(({ address, shown }) => {
    const link = element('a', ...marked(shown.title, query, shown.title.length));
    link.href = address;
    const where = element('span', shown.page);
    where.className = 'hint';
    return element('li', link, where, element('p', ...marked(shown.text, query)));
  }));
  const many = found.length === 20 ? (isTurkish ? 'İlk 20 sonuç' : 'The first 20 results') : isTurkish ? `${found.length} sonuç` : `${found.length} ${found.length === 1 ? 'result' : 'results'}`;
  count.textContent = query === '' ? '' : found.length === 0 ? (isTurkish ? 'Hiçbir şey bulunamadı.' : 'Nothing was found.') : many;
  history.replaceState(null, '', query ? `?q=${encodeURIComponent(query)}` : location.pathname);
}

field.value ||= new URLSearchParams(location.search).get('q') ?? '';
field.addEventListener('input', show);
field.form.addEventListener('submit', (event) => {
  event.preventDefault();
  show();
});
show();
