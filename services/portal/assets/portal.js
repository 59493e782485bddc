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

// One crosshair for all curves: it follows the pointer, and the arrow keys.
for (const group of document.querySelectorAll('.curves')) {
  const from = Number(group.dataset.from);
  const seconds = (Number(group.dataset.to) - from) / 1000;
  const bucket = Number(group.dataset.bucket);
  const figures = [...group.querySelectorAll('.curve')].map((figure) => ({
    points: new Map(JSON.parse(figure.dataset.points).map(([at, ...rest]) => [Math.floor(at / bucket), rest])),
    unit: figure.dataset.unit,
    line: figure.querySelector('.crosshair'),
    text: figure.querySelector('output'),
    drawing: figure.querySelector('svg'),
  }));
  const [first] = figures;
  if (!first) continue;
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: group.dataset.zone });
  let at = null;
  const show = (nth) => {
    at = Math.min(Math.max(nth, 0), Math.ceil(seconds / bucket) - 1);
    const time = clock.format(from + at * bucket * 1000);
    for (const { points, unit, line, text } of figures) {
      const x = ((at + 0.5) * bucket * 960) / seconds;
      line.setAttribute('x1', x);
      line.setAttribute('x2', x);
      const found = points.get(at);
      text.textContent = !found
        ? `${time}: no sample`
        : found.length === 1
          ? `${time}: ${found[0]} samples`
          : `${time}: ${found[1]} ${unit}`;
    }
  };
  for (const { drawing } of figures)
    drawing.addEventListener('pointermove', (event) => {
      const { left, width } = drawing.getBoundingClientRect();
      show(Math.floor((((event.clientX - left) / width) * seconds) / bucket));
    });
  group.tabIndex = 0;
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', 'Curves; the arrow keys move through the day');
  group.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -12, PageDown: 12 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show((at ?? -1) + step);
  });
}
