// Conveniences of the console's pages; each page works without them.

const idle = Number(document.body.dataset.idle);
const clock = document.querySelector('[data-clock]');
const loaded = Date.now();

/** Shows how long the session lasts without another page. */
function tick() {
  const left = Math.max(0, Math.ceil(idle - (Date.now() - loaded) / 1000));
  clock.textContent = left === 0 ? ' · session ended' : ` · ${Math.ceil(left / 60)} min left`;
  if (left === 0) {
    forget();
  }
}

/** Takes what was read off the page. */
function forget() {
  for (const content of document.querySelectorAll('[data-content]')) {
    content.textContent = 'Your session has ended, so nothing is shown. Read it again from the record.';
  }
}

if (clock && idle > 0) {
  tick();
  setInterval(tick, 5000);
}

// Nobody reads over the shoulder of a window that is not in use.
document.addEventListener('visibilitychange', () => {
  document.documentElement.classList.toggle('away', document.hidden);
});

// A page of the browser's memory may be of a session that ended.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) {
    forget();
    location.reload();
  }
});

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = 'Copied';
  });
}
