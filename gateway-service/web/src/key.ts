/** The API key: of this tab alone, in `sessionStorage`. */
const NAME = 'counterpoint.key'
let held = ''

/** Takes the key out of `#key=…` and removes it from the address bar and the tab's history entry. */
export function takeKeyFromAddress(): void {
  const match = /^#key=([^&]+)/.exec(location.hash)
  if (match) {
    history.replaceState(null, '', location.pathname + location.search)
    setKey(decodeURIComponent(match[1]!))
  }
}

export function key(): string {
  try {
    return sessionStorage.getItem(NAME) ?? held
  } catch {
    return held
  }
}

export function setKey(value: string): void {
  held = value
  try {
    if (value) sessionStorage.setItem(NAME, value)
    else sessionStorage.removeItem(NAME)
  } catch {
    // Closed to the page: the key lasts until the page is left.
  }
}
