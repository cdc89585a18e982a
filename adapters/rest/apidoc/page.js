'use strict';

const font = 'system-ui, -apple-system, "Segoe UI", sans-serif';

Redoc.init('/docs/openapi.json', {
  hideDownloadButton: false,
  jsonSampleExpandLevel: 3,
  expandResponses: '200',
  theme: {
    typography: {
      fontFamily: font,
      headings: { fontFamily: font },
      code: { fontFamily: 'ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace' },
    },
  },
}, document.getElementById('reader'));
