/** What belongs to this tab alone, in `sessionStorage`; where that is closed to the page, until the page is left. */
const held = new Map<string, string>()

export function readTab(name: string): string {
  try {
    return sessionStorage.getItem(`counterpoint.${name}`) ?? ''
  } catch {
    return held.get(name) ?? ''
  }
}

export function writeTab(name: string, value: string): void {
  held.set(name, value)
  try {
    if (value) sessionStorage.setItem(`counterpoint.${name}`, value)
    else sessionStorage.removeItem(`counterpoint.${name}`)
  } catch {
    // It is held.
  }
}

export const key = (): string => readTab('key')
export const setKey = (value: string): void => writeTab('key', value)

/** Takes the key out of `#key=…` and removes it from the address bar and the tab's history entry. */
export function takeKeyFromAddress(): void {
  const match = /^#key=([^&]+)/.exec(location.hash)
  if (match) {
    history.replaceState(null, '', location.pathname + location.search)
    setKey(match[1]!)
  }
}
