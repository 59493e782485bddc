// Enhancements of the page. Everything except the search works without this script.

const status = document.querySelector('[data-status]');

document.querySelector('[data-focus]')?.focus();

const search = document.querySelector('[data-search]');
if (search) {
  const input = search.querySelector('input');
  const rows = [...document.querySelectorAll('[data-words]')];
  search.hidden = false;
  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const row of rows) {
      row.hidden = !words.every((word) => row.dataset.words.includes(word));
      if (!row.hidden) found += 1;
    }
    status.textContent = words.length === 0 ? '' : found === 0 ? 'Nothing found. Try another word.' : `${found} found`;
  };
  input.addEventListener('input', filter);
  // A browser may restore what was typed before.
  if (input.value !== '') filter();
}

for (const input of document.querySelectorAll('input[type=password]')) {
  const toggle = document.createElement('button');
  toggle.type = 'button';
  toggle.className = 'quiet toggle';
  toggle.textContent = 'Show';
  toggle.setAttribute('aria-label', 'Show password');
  toggle.setAttribute('aria-pressed', 'false');
  toggle.addEventListener('click', () => {
    const isShown = input.type === 'password';
    input.type = isShown ? 'text' : 'password';
    toggle.textContent = isShown ? 'Hide' : 'Show';
    toggle.setAttribute('aria-pressed', String(isShown));
  });
  const box = document.createElement('div');
  box.className = 'with-toggle';
  input.replaceWith(box);
  box.append(input, toggle);
  // Password managers must see a password field.
  input.form.addEventListener('submit', () => (input.type = 'password'));
}

let isBusy = false;
function begin(event) {
  if (isBusy) return event.preventDefault();
  isBusy = true;
  const target = event.currentTarget;
  target.setAttribute('aria-busy', 'true');
  if (status) status.textContent = target.dataset.busy;
}
for (const element of document.querySelectorAll('[data-busy]'))
  element.addEventListener(element.tagName === 'FORM' ? 'submit' : 'click', begin);
// After going back, the browser may show the page as it was left.
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  isBusy = false;
  for (const element of document.querySelectorAll('[aria-busy]')) element.removeAttribute('aria-busy');
  if (status) status.textContent = '';
});
