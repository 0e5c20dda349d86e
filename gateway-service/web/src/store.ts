import type { Turn } from './turn'

export interface Chat {
  id: string
  title: string
  changed: number
  turns: Turn[]
}

/** The chats of this browser, in IndexedDB. Where that is closed to the page, they last as long as the tab. */
export class ChatStore {
  private constructor(private readonly database: IDBDatabase | null) {}

  static open(name = 'counterpoint'): Promise<ChatStore> {
    return new Promise(resolve => {
      try {
        const opening = indexedDB.open(name, 1)
        opening.onupgradeneeded = () => opening.result.createObjectStore('chats', { keyPath: 'id' })
        opening.onsuccess = () => resolve(new ChatStore(opening.result))
        opening.onerror = () => resolve(new ChatStore(null))
        opening.onblocked = () => resolve(new ChatStore(null))
      } catch {
        resolve(new ChatStore(null))
      }
    })
  }

  get lasts(): boolean {
    return this.database !== null
  }

  async all(): Promise<Chat[]> {
    const chats = (await this.ask('readonly', store => store.getAll())) as Chat[] | undefined
    return (chats ?? []).sort((one, other) => other.changed - one.changed)
  }

  put(chat: Chat): Promise<unknown> {
    return this.ask('readwrite', store => store.put(chat))
  }

  delete(id: string): Promise<unknown> {
    return this.ask('readwrite', store => store.delete(id))
  }

  private ask(mode: IDBTransactionMode, what: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
    if (!this.database) return Promise.resolve(undefined)
    const transaction = this.database.transaction('chats', mode)
    const request = what(transaction.objectStore('chats'))
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  }
}

/** Settings and small lists, in `localStorage`. */
export function readSetting<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`counterpoint.${name}`)
    return text === null ? otherwise : (JSON.parse(text) as T)
  } catch {
    return otherwise
  }
}

export function writeSetting(name: string, value: unknown): void {
  try {
    localStorage.setItem(`counterpoint.${name}`, JSON.stringify(value))
  } catch {
    // Full or closed to the page: the setting lasts as long as the tab.
  }
}
