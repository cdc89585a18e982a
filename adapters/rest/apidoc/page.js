'use strict';

const font = 'system-ui, -apple-system, "Segoe UI", sans-serif';

// What Redoc says itself, as far as it can be told to say it otherwise.
const turkish = {
  enum: 'Değerler',
  enumSingleValue: 'Değer',
  enumArray: 'Öğeler',
  default: 'Varsayılan',
  deprecated: 'Kullanımdan kaldırılıyor',
  example: 'Örnek',
  examples: 'Örnekler',
  recursive: 'Özyinelemeli',
  arrayOf: 'Dizi: ',
  webhook: 'Bildirim',
  const: 'Değer',
  noResultsFound: 'Sonuç bulunamadı',
  download: 'İndir',
  downloadSpecification: 'OpenAPI belgesini indir',
  responses: 'Yanıtlar',
  callbackResponses: 'Bildirime yanıtlar',
  requestSamples: 'İstek örnekleri',
  responseSamples: 'Yanıt örnekleri',
};

const reader = document.getElementById('reader');
const other = document.getElementById('other');

// An address names a section after its English heading, so that it holds in both languages; Redoc names it after the heading that is shown. Its
// place among the sections is the same. What the search has found stands above the menu, and has items, too.
const names = reader.dataset.sections.split(' ').map((name) => `section/${name}`);
const shown = () => [...document.querySelectorAll('[data-item-id^="section/"]')]
  .filter((item) => !item.closest('[data-role="search:results"]'))
  .map((item) => item.dataset.itemId);
const here = () => location.hash.slice(1);

other.addEventListener('click', () => {
  other.hash = names[shown().indexOf(here())] ?? here();
});

const asked = names.indexOf(here());

Redoc.init(reader.dataset.openapi, {
  hideDownloadButton: false,
  jsonSampleExpandLevel: 3,
  expandResponses: '200',
  labels: document.documentElement.lang === 'tr' ? turkish : {},
  theme: {
    typography: {
      fontFamily: font,
      headings: { fontFamily: font },
      code: { fontFamily: 'ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace' },
    },
  },
}, reader, () => {
  if (asked >= 0) {
    location.replace(`#${shown()[asked]}`);
  }
});
