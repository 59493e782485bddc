// Enhancements of the pages. Everything can be read without this script.

for (const block of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet copy';
  button.textContent = 'Copy';
  const say = (text) => {
    button.textContent = text;
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  };
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(block.textContent).then(
      () => say('Copied'),
      () => say('Select it by hand'),
    );
  });
  block.after(button);
}

// Empty filters stay out of the address.
for (const form of document.querySelectorAll('form.filters')) {
  form.addEventListener('submit', () => {
    for (const field of form.elements) if (field.name && field.value === '') field.disabled = true;
  });
}
// After going back, the browser may show the page as it was left.
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  for (const field of document.querySelectorAll('form.filters [disabled]')) field.disabled = false;
});
