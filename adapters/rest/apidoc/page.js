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

// A section is named after its heading, which is another one in the other language: its place among them is the same. Operations and tags
// have the same names. What the search has found stands above the menu, and has items, too.
const sections = () => [...document.querySelectorAll('[data-item-id^="section/"]')]
  .filter((item) => !item.closest('[data-role="search:results"]'))
  .map((item) => item.dataset.itemId);

other.addEventListener('click', () => {
  const here = decodeURIComponent(location.hash.slice(1));
  const place = sections().indexOf(here);
  other.hash = place < 0 ? here : `section-${place}`;
});

const placed = /^#section-(\d+)$/.exec(location.hash);

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
  const section = placed && sections()[Number(placed[1])];
  if (section) {
    location.replace(`#${section}`);
  }
});
