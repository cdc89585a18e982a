'use strict';

// Copying: each block of code gets a button. A page that is not a secure context has no clipboard, and no buttons.
const isTurkish = document.documentElement.lang === 'tr';

if (navigator.clipboard) {
  for (const block of document.querySelectorAll('pre.scroll')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = isTurkish ? 'Kopyala' : 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = isTurkish ? 'Kopyalandı' : 'Copied';
    });
    const around = document.createElement('div');
    around.className = 'code';
    block.replaceWith(around);
    around.append(block, button);
  }
}
